/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of control groups, for the two files that know them.  */
#ifndef ARENABENCH_HARNESS_RUN_CGROUP_PRIVATE_H
#define ARENABENCH_HARNESS_RUN_CGROUP_PRIVATE_H

#include <stdbool.h>

/* What the groups of tasks are called, before a number.  */
#define CGROUP_TASK "arenabench-task-"

/* Writes TEXT at once into FILE of FOLDER, which has to be there.  False with errno.  */
bool cgroup_write(const char *folder, const char *file, const char *text);

/* The content of FILE of FOLDER; the caller frees it.  NULL: it can't be read.  */
char *cgroup_read(const char *folder, const char *file);

/* Whether WORD stands among the words of TEXT (NULL: none), which blanks and ends of lines
 * separate.  */
bool cgroup_has_word(const char *text, const char *word);

#endif
