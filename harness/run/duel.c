/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/run/duel.h"

#include <string.h>

#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

/* A plan that a limit has cut short is another one the next time.  */
static bool was_cut(const struct run_result *result)
{
    return result->timed || result->outcome == OUTCOME_TIMEOUT || result->outcome == OUTCOME_MEMOUT;
}

bool duel_lost(const struct run_result *result)
{
    return result->plan == NULL || result->outcome == OUTCOME_INVALID ||
           result->outcome == OUTCOME_CRASHED;
}

static bool same_objects(const struct plan *a, const struct plan *b)
{
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < i; k++)
            if ((a->offset[i] == a->offset[k]) != (b->offset[i] == b->offset[k]))
                return false;
    return true;
}

static bool same_plans(const struct plan *a, const struct plan *b, enum duel_what what)
{
    switch (what) {
    case DUEL_PEAK:
        return a->peak == b->peak;
    case DUEL_OBJECTS:
        return same_objects(a, b);
    case DUEL_OFFSETS:
    default:
        return memcmp(a->offset, b->offset, a->n * sizeof *a->offset) == 0;
    }
}

static enum duel_verdict judge(const struct duel *duel, enum duel_what what)
{
    const struct run_result *a = &duel->result[0], *b = &duel->result[1];

    if (a->outcome == OUTCOME_SKIPPED || b->outcome == OUTCOME_SKIPPED)
        return DUEL_REFUSED;
    if (was_cut(a) || was_cut(b))
        return DUEL_CUT;
    if (duel_lost(a) || duel_lost(b))
        return DUEL_FAILED;
    return same_plans(a->plan, b->plan, what) ? DUEL_SAME : DUEL_DIFFERENT;
}

void duel_run(const struct duel_rules *rules, const struct instance *instance, struct duel *duel)
{
    for (int i = 0; i < 2; i++)
        run_solver_watched(instance, &rules->contestant[i], rules->seed, rules->limits,
                           rules->watch, NULL, &duel->result[i]);
    duel->verdict = judge(duel, rules->what);
}

void duel_clear(struct duel *duel)
{
    for (int i = 0; i < 2; i++)
        run_result_clear(&duel->result[i]);
}

bool duel_ends_like(const struct duel *duel, const struct duel *other)
{
    return duel->verdict == other->verdict &&
           (duel->verdict != DUEL_FAILED ||
            (duel_lost(&duel->result[0]) == duel_lost(&other->result[0]) &&
             duel_lost(&duel->result[1]) == duel_lost(&other->result[1])));
}
