/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/brackets.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

enum { NODES = 500 };

static bool proven(const struct solver_run *run)
{
    return run->bound == run->peak;
}

static bool bracket(const struct solver_run *run, const struct instance *instance)
{
    return run->valid && run->streamed && run->bound >= instance->load && run->bound <= run->peak &&
           run->nodes <= NODES && (run->outcome == OUTCOME_OPTIMAL) == proven(run);
}

static bool same(const struct solver_run *one, const struct solver_run *other)
{
    return one->offsets == other->offsets && one->nodes == other->nodes &&
           one->bound == other->bound;
}

void brackets_under_limits(const char *name)
{
    int open = 0, brackets = 0, again = 0, timed = 0, rounds = tap_tier(10, 40);

    for (int seed = 1; seed <= rounds; seed++) {
        char *spec = memory_printf("tight:steps=30,low=5,high=40,longest=10,seed=%d", seed);
        struct instance *instance = instance_of(spec);
        struct plan *plan = plan_new(instance);
        struct solver_run few = solver_run(name, instance, 1, NODES);
        struct solver_run repeated = solver_run(name, instance, 1, NODES);
        struct solver_run late = solver_run_into(
            name, instance, &(struct solver_limits){.seed = 1, .seconds = 1e-9}, plan);

        open += few.outcome == OUTCOME_FEASIBLE && !proven(&few);
        brackets += bracket(&few, instance);
        again += same(&few, &repeated);
        timed += late.valid && late.bound == instance->load &&
                 late.outcome == (proven(&late) ? OUTCOME_OPTIMAL : OUTCOME_TIMEOUT);
        plan_free(plan);
        instance_free(instance);
        free(spec);
    }
    ok(open > 0, "%s: a limit of %d nodes leaves it open: %d of %d", name, NODES, open, rounds);
    is_int(brackets, rounds, "between a bound and a plan, within the limit");
    is_int(again, rounds, "and the same again");
    is_int(timed, rounds, "a time limit refutes nothing");
}
