/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/move_trial.h"

#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "tests/support/tap.h"

void trial_begin(struct trial *trial, const struct instance *instance, const char *fast,
                 const char *slow)
{
    struct error error;

    *trial = (struct trial){.memories = {0}};
    if (!memories_add(&trial->memories, fast, &error) ||
        !memories_add(&trial->memories, slow, &error) ||
        !memories_size(&trial->memories, instance->load, &error))
        tap_bail(error.text);
    memories_default_costs(&trial->memories);
    if (!split_problem_init(&trial->split_problem, instance, &trial->memories, &error) ||
        !moves_problem_init(&trial->problem, &trial->split_problem, &error))
        tap_bail(error.text);
    split_init(&trial->split, &trial->split_problem);
}

void trial_accesses(struct trial *trial, const size_t *first, size_t buffers,
                    const struct access *access)
{
    struct accesses *own = &trial->problem.accesses;

    accesses_clear(own);
    own->first = memory_alloc(buffers + 1, sizeof *own->first);
    own->access = memory_alloc(first[buffers], sizeof *own->access);
    for (size_t b = 0; b <= buffers; b++)
        own->first[b] = first[b];
    for (size_t a = 0; a < first[buffers]; a++)
        own->access[a] = access[a];
}

/* The cost of buffer B in memory M if it stays there, by its accesses.  */
static int64_t stay_cost(const struct trial *trial, size_t b, size_t m)
{
    int64_t cost = 0;

    for (size_t a = trial->problem.accesses.first[b]; a < trial->problem.accesses.first[b + 1]; a++)
        cost += moves_access_cost(&trial->problem, a, m);
    return cost;
}

void trial_solve(struct trial *trial, double seconds)
{
    const struct split_limits limits = {1 << 20, timer_now() + seconds};
    struct split_cuts cuts = {0};

    for (size_t b = 0; b < trial->split_problem.instance->n; b++)
        for (size_t m = 0; m < 2; m++)
            if (moves_allowed(&trial->problem, b, m))
                trial->split_problem.cost[b * 2 + m] = stay_cost(trial, b, m);
    for (size_t b = 0; b < trial->split_problem.instance->n; b++) {
        const int64_t *cost = &trial->split_problem.cost[b * 2];

        trial->split_problem.order[b * 2] = cost[0] > cost[1];
        trial->split_problem.order[b * 2 + 1] = cost[0] <= cost[1];
    }
    split_solve(&trial->split_problem, &limits, &cuts, &trial->split);
    split_cuts_clear(&cuts);
    move_plan_init(&trial->plan, &trial->problem);
    trial->result = moves_solve(&trial->problem, &trial->split, &limits, &trial->plan);
}

void trial_end(struct trial *trial)
{
    move_plan_clear(&trial->plan);
    split_clear(&trial->split);
    moves_problem_clear(&trial->problem);
    split_problem_clear(&trial->split_problem);
    memories_clear(&trial->memories);
}
