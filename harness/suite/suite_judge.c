/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/suite/suite_judge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/plan_file.h"
#include "harness/run/runner.h"
#include "harness/suite/suite.h"
#include "lib/judge/verify.h"
#include "lib/problem/plan.h"

bool suite_judge(const struct suite_entry *entry, const struct instance *instance,
                 const struct plan *plan, struct error *error)
{
    if (!verify_plan(instance, plan, error) || !verify_replay(instance, plan, NULL, error))
        return false;
    return plan->peak >= entry->lower ||
           error_set(error, "its peak of %" PRId64 " contradicts the proven bound of %" PRId64,
                     plan->peak, entry->lower);
}

/* What the solver of ENTRY answers; the runner has it judged.  */
static struct plan *make_plan(const struct suite_entry *entry, const struct instance *instance,
                              const struct watch *watch, struct error *error)
{
    const struct run_limits limits = {0};
    struct contestant contestant;
    struct run_result result;
    struct plan *plan = NULL;

    if (!contestant_parse(&contestant, entry->plan, error))
        return NULL;
    run_solver_watched(instance, &contestant, 1, &limits, watch, NULL, &result);
    if (result.plan == NULL || result.outcome == OUTCOME_INVALID) {
        error_set(error, "%s: no plan: %s%s%s", contestant.label, outcome_name(result.outcome),
                  result.reason[0] != '\0' ? ", " : "", result.reason);
    } else {
        plan = result.plan;
        result.plan = NULL;
    }
    run_result_clear(&result);
    contestant_clear(&contestant);
    return plan;
}

struct plan *suite_best_plan(const struct suite_entry *entry, const struct instance *instance,
                             const char *folder, const struct watch *watch, struct error *error)
{
    struct plan *plan;
    bool good = true;

    if (strcmp(entry->plan, SUITE_PLAN_STORED) == 0) {
        char *path = suite_plan_path(folder, entry->name);

        plan = plan_file_read(path, instance, error);
        free(path);
        good = plan != NULL && suite_judge(entry, instance, plan, error);
    } else {
        plan = make_plan(entry, instance, watch, error);
        good = plan != NULL;
    }
    if (good && plan->peak != entry->upper)
        good = error_set(error, "the peak of %s is %" PRId64 ", expected %" PRId64, entry->plan,
                         plan->peak, entry->upper);
    if (good)
        return plan;
    error_prefix(error, "%s", entry->name);
    plan_free(plan);
    return NULL;
}
