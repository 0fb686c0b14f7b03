/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/moves_place.h"

#include "lib/base/memory.h"
#include "lib/problem/instance.h"

bool stay_problem_init(struct stay_problem *stays, const struct moves_problem *problem,
                       const struct move_stay *stay, size_t count, struct error *error)
{
    const struct split_problem *split = problem->split;

    *stays = (struct stay_problem){.instance = moves_instance(problem, stay, count)};
    if (stays->instance == NULL)
        return error_set(error, "the stays of all buffers are too many bytes");
    for (size_t b = 0; b < stays->instance->n; b++)
        stays->instance->buffer[b].reads = stays->instance->buffer[b].writes = 0;
    stays->memories.count = split->memories;
    stays->memories.memory = memory_alloc(split->memories, sizeof *stays->memories.memory);
    for (size_t m = 0; m < split->memories; m++)
        stays->memories.memory[m] = split->memory[m];
    if (split_problem_init(&stays->split, stays->instance, &stays->memories, error))
        return true;
    memory_free(stays->memories.memory);
    instance_free(stays->instance);
    return false;
}

void stay_problem_clear(struct stay_problem *stays)
{
    split_problem_clear(&stays->split);
    memory_free(stays->memories.memory);
    instance_free(stays->instance);
}

/* One after the other at the lowest gap.  */
static void place_in_turn(const struct split_problem *problem, size_t m, int64_t *offset)
{
    struct placing placing;
    struct split split;

    split_init(&split, problem);
    placing_init(&placing, problem, &split, 0, 0.0);
    for (size_t i = 0; i < problem->instance->n; i++) {
        placing_put(&placing, i, m, false);
        offset[i] = split.offset[i];
    }
    placing_clear(&placing);
    split_clear(&split);
}

enum placing_answer moves_place(const struct moves_problem *problem, size_t m,
                                const struct split_limits *limits, struct move_plan *plan)
{
    size_t *set = memory_alloc(plan->stays, sizeof *set), count = 0;
    size_t *at = memory_alloc(plan->stays, sizeof *at);
    struct move_stay *stay = memory_alloc(plan->stays, sizeof *stay);
    int64_t *offset = memory_alloc(plan->stays, sizeof *offset);
    enum placing_answer answer = PLACING_UNKNOWN;
    struct stay_problem stays;
    struct error error;

    for (size_t i = 0; i < plan->stays; i++)
        if (plan->stay[i].memory == m) {
            at[count] = i;
            set[count] = count;
            stay[count++] = plan->stay[i];
        }
    if (stay_problem_init(&stays, problem, stay, count, &error)) {
        answer = placing_ask(&stays.split, m, set, count, limits->work, limits->deadline, offset);
        if (answer != PLACING_FITS && problem->split->memory[m].capacity == INT64_MAX) {
            place_in_turn(&stays.split, m, offset);
            answer = PLACING_FITS;
        }
        stay_problem_clear(&stays);
    }
    for (size_t i = 0; answer == PLACING_FITS && i < count; i++)
        plan->stay[at[i]].offset = offset[i];
    memory_free(set);
    memory_free(at);
    memory_free(stay);
    memory_free(offset);
    return answer;
}
