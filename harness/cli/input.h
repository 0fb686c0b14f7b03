/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening what a command's INSTANCE and PLAN arguments name.  */
#ifndef ARENABENCH_HARNESS_CLI_INPUT_H
#define ARENABENCH_HARNESS_CLI_INPUT_H

#include <stdbool.h>

#include "harness/io/table.h"

struct instance;
struct plan;

/* Parses SPEC and makes its instance.  NULL after a message on standard error
 * (the caller returns STATUS_USAGE).  The caller frees it.  */
struct instance *input_instance(const char *command, const char *spec);

/* What parameter NAME of SPEC says, or its default; NULL where it takes none of that name.  The
 * caller frees it.  */
char *input_word(const char *spec, const char *name);

/* Whether SPEC says align=native.  */
bool input_native(const char *spec);

/* Where INSTANCE, which SPEC names, is a network's and has no buffers, says on standard error why,
 * and which parameter counts more.  */
void input_explain_empty(const char *command, const char *spec, const struct instance *instance);

/* Reads a plan of INSTANCE from the CSV file PATH, "-" being standard input, or out
 * of a model file that can hold one.  NULL and ownership as above.  */
struct plan *input_plan(const char *command, const char *path, const struct instance *instance);

/* Adds the rows of INSTANCE to TABLE; returns the exit status, after a message where it
 * is not STATUS_DONE.  */
typedef int table_instance(struct table *table, const struct instance *instance,
                           const void *context);

/* The body of a command that prints one table about its arguments: calls ADD for the instance of
 * each argument until one fails, prints TABLE.  Frees it in any case.  Returns the exit status.  */
int table_of_instances(struct table *table, const char *command, enum table_format format,
                       char **arguments, int count, table_instance *add, const void *context);

#endif
