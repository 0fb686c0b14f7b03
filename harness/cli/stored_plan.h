/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan that a sweep has stored, with the instance that it is of.  */
#ifndef ARENABENCH_HARNESS_CLI_STORED_PLAN_H
#define ARENABENCH_HARNESS_CLI_STORED_PLAN_H

#include <stdbool.h>

#include "lib/base/error.h"

struct instance;
struct plan;

/* Whether DIR holds a sweep's results.  */
bool stored_results(const char *dir);

/* The plan of INSTANCE that HEX holds, 16 digits each (rows_offset), with the peak that follows;
 * NULL with a message where there are more or fewer offsets, or one is beyond all addresses.  The
 * caller frees it.  */
struct plan *stored_offsets(const struct instance *instance, const char *hex, struct error *error);

/* The plan of task number TASK in the results folder DIR.  The instance is made anew from its
 * label; where it no longer is what it was then, that is an error.  The caller frees both,
 * and the planner's name, where PLANNER is not NULL.  False with a message.  */
bool stored_plan(const char *dir, const char *task, struct instance **instance, struct plan **plan,
                 char **planner, struct error *error);

#endif
