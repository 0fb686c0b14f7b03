/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The --format option.  */
#ifndef ARENABENCH_HARNESS_IO_FORMAT_H
#define ARENABENCH_HARNESS_IO_FORMAT_H

#include <stdbool.h>

#include "harness/io/table.h"

#define FORMAT_HELP "text for people, csv or json for programs"

/* "text", "csv" or "json".  */
const char *format_word(enum table_format format);

/* The format that TEXT names; false after a message that names COMMAND.  */
bool format_parse(const char *command, const char *text, enum table_format *format);

/* Prints TABLE on standard output and frees it.  Returns the exit status.  */
int table_finish(struct table *table, enum table_format format);

#endif
