/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans of the suite's instances: made and judged.  */
#ifndef ARENABENCH_HARNESS_SUITE_SUITE_JUDGE_H
#define ARENABENCH_HARNESS_SUITE_SUITE_JUDGE_H

#include <stdbool.h>

#include "lib/base/error.h"

struct instance;
struct plan;
struct suite_entry;
struct watch;

/* Whether both verifiers take PLAN: that of the lifetimes (verify_plan) and, where the instance is
 * a network's, the replay.  Else a message.  */
bool suite_judge(const struct suite_entry *entry, const struct instance *instance,
                 const struct plan *plan, struct error *error);

/* The plan that the table promises, judged: read from FOLDER or made by its solver while WATCH (or
 * NULL) looks on.  NULL with a message where it can't be had, or its peak is another one.  The
 * caller frees it.  */
struct plan *suite_best_plan(const struct suite_entry *entry, const struct instance *instance,
                             const char *folder, const struct watch *watch, struct error *error);

#endif
