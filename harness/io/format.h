/* The --format option.  */
#ifndef ARENABENCH_HARNESS_IO_FORMAT_H
#define ARENABENCH_HARNESS_IO_FORMAT_H

#include <stdbool.h>

#include "harness/io/table.h"

#define FORMAT_HELP "text for people or csv for programs"

/* "text" or "csv"; false after a message that names COMMAND.  */
bool format_parse(const char *command, const char *text, enum table_format *format);

/* Adds the rows of one argument to TABLE; returns the exit status, after a message
 * where it is not STATUS_DONE.  */
typedef int table_argument(struct table *table, const char *argument, const void *context);

/* The body of a command that prints one table about its arguments: checks
 * FORMAT_TEXT, calls ADD for each argument until one fails, prints TABLE.  Frees it in
 * any case.  Returns the exit status.  */
int table_of_arguments(struct table *table, const char *command, const char *format_text,
                       char **arguments, int count, table_argument *add, const void *context);

/* Prints TABLE on standard output and frees it.  Returns the exit status.  */
int table_finish(struct table *table, enum table_format format);

#endif
