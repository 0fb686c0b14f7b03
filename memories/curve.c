/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/curve.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/placing.h"
#include "memories/split.h"

/* The peak of all in the first memory of PROBLEM, which has no limit.  */
static int64_t arena_peak(const struct split_problem *problem, double deadline)
{
    const size_t n = problem->instance->n;
    size_t *set = memory_alloc(n, sizeof *set);
    int64_t *offset = memory_zalloc(n, sizeof *offset), peak = 0;

    for (size_t b = 0; b < n; b++)
        set[b] = b;
    placing_ask(problem, 0, set, n, 0, deadline, offset);
    for (size_t b = 0; b < n; b++)
        peak = max64(peak, offset[b] + problem->instance->buffer[b].size);
    memory_free(set);
    memory_free(offset);
    return peak;
}

/* The split of one point, judged.  */
static bool solve_point(const struct instance *instance, const struct memories *memories,
                        double deadline, struct split_cuts *cuts, struct split_point *point,
                        struct error *error)
{
    const struct split_limits limits = {SPLIT_USUAL_WORK, deadline};
    struct split_problem problem;
    struct split_result result;
    struct split split;
    bool good;

    if (!split_problem_init(&problem, instance, memories, error))
        return false;
    split_init(&split, &problem);
    result = split_solve(&problem, &limits, cuts, &split);
    good = split.cost == SPLIT_NEVER || split_verify(&problem, &split, error);
    *point = (struct split_point){memories->memory[0].capacity, split.cost, result.bound,
                                  split_outside(&problem, &split), result.outcome};
    split_clear(&split);
    split_problem_clear(&problem);
    return good;
}

/* What can't be below one capacity can't be below a lower one, and what fits into less fits into
 * more.  */
static void join_points(struct split_point *point, size_t count)
{
    for (size_t i = count; i-- > 1;)
        point[i - 1].bound = max64(point[i - 1].bound, point[i].bound);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && point[i - 1].cost < point[i].cost) {
            point[i].cost = point[i - 1].cost;
            point[i].outside = point[i - 1].outside;
        }
        if (point[i].cost != SPLIT_NEVER)
            point[i].outcome = point[i].cost <= point[i].bound ? SPLIT_OPTIMAL : SPLIT_FEASIBLE;
    }
}

/* From the largest capacity down, as cuts hold below.  */
static bool solve_points(const struct instance *instance, const struct memories *memories,
                         double deadline, int64_t peak, struct split_point *point, size_t count,
                         struct error *error)
{
    struct memory *first = &memories->memory[0];
    const int64_t least = first->n_reserved > 0 ? first->reserved[first->n_reserved - 1].end : 0;
    struct split_cuts cuts = {0};
    bool good = true;

    for (size_t i = count; good && i-- > 0;) {
        const double now = timer_now();

        first->capacity = max64((int64_t)((double)peak * (double)(i + 1) / (double)count), least);
        good = solve_point(instance, memories, now + (deadline - now) / (double)(i + 1), &cuts,
                           &point[i], error);
    }
    split_cuts_clear(&cuts);
    return good;
}

bool split_curve(const struct instance *instance, const struct memories *memories, double deadline,
                 struct split_point *point, size_t count, struct error *error)
{
    struct memory *memory = memory_alloc(memories->count, sizeof *memory);
    const struct memories changed = {memories->count, memory};
    struct split_problem problem;
    bool good;

    for (size_t m = 0; m < memories->count; m++)
        memory[m] = memories->memory[m];
    memory[0].capacity = INT64_MAX;
    good = split_problem_init(&problem, instance, &changed, error);
    if (good) {
        int64_t peak = arena_peak(&problem, deadline);

        split_problem_clear(&problem);
        good = solve_points(instance, &changed, deadline, peak, point, count, error);
        join_points(point, good ? count : 0);
    }
    memory_free(memory);
    return good;
}
