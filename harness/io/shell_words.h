/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of a shell command, for those that look for the files it names.  */
#ifndef ARENABENCH_HARNESS_IO_SHELL_WORDS_H
#define ARENABENCH_HARNESS_IO_SHELL_WORDS_H

#include "harness/io/expand.h"

/* Appends the words of COMMAND as the shell would see them here and now: without their
 * quotes, with home folders, variables of the environment ($NAME, ${NAME}, ${NAME:-WORD}) and
 * patterns of file names replaced.  Left out are operators and comments, files that output goes to,
 * and words that only a shell that runs the command can know: with variables that
 * are not set here or that stand in other forms, or with a command in double quotes.  */
void shell_words(const char *command, struct text_list *words);

#endif
