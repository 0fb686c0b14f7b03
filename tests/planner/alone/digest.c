/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the library answers to a hundred problems, a line each: the same whatever it was compiled
 * with, and for.  Ends with status 1 where arenaplan_check refuses a plan.  */
#include <config.h>

#include <arenaplan.h>
#include <inttypes.h>
#include <stdio.h>

#include "tests/support/drawn_problem.h"

enum { PROBLEMS = 100, MOST = 48, WORK = 3000 };

static int tell(const char *call, const struct arenaplan_problem *problem, const int64_t *offset,
                const struct arenaplan_result *result)
{
    uint64_t digest = DIGEST_START;

    if (result->status <= ARENAPLAN_FEASIBLE) {
        if (arenaplan_check(problem, NULL, offset, NULL) != ARENAPLAN_FEASIBLE)
            return 1;
        for (size_t i = 0; i < problem->count; i++)
            digest_add(&digest, offset[i]);
    }
    digest_add(&digest, result->work);
    printf("%s %s %" PRId64 " %" PRId64 " %016" PRIx64 "\n", call,
           arenaplan_status_text(result->status), result->peak, result->lower_bound, digest);
    return 0;
}

#ifdef ARENAPLAN_MEMORIES /* since 1.1 */
static void tell_assignment(const struct arenaplan_problem *problem,
                            const struct arenaplan_options *options)
{
    const struct arenaplan_memory memory[] = {
        {.capacity = 4000, .read = 1, .write = 2},
        {.capacity = 50000, .alignment = 16, .read = 3, .write = 5},
        {.capacity = ARENAPLAN_UNLIMITED, .read = 9, .write = 11},
    };
    struct arenaplan_access access[MOST];
    struct arenaplan_memories memories = ARENAPLAN_MEMORIES(memory, 3, access);
    struct arenaplan_assignment assignment = ARENAPLAN_ASSIGNMENT;
    int64_t offset[MOST];
    size_t lies[MOST];
    uint64_t digest = DIGEST_START;

    for (size_t b = 0; b < problem->count; b++) {
        access[b] = (struct arenaplan_access){100 * draw(50), 100 * draw(50), 0};
        if ((problem->buffer[b].flags & ARENAPLAN_FIXED) != 0)
            access[b].memories = 4;
    }
    if (arenaplan_assign(problem, &memories, options, lies, offset, &assignment) <=
        ARENAPLAN_FEASIBLE)
        for (size_t b = 0; b < problem->count; b++) {
            digest_add(&digest, (int64_t)lies[b]);
            digest_add(&digest, offset[b]);
        }
    printf("assign %s %" PRId64 " %" PRId64 " %" PRId64 " %016" PRIx64 "\n",
           arenaplan_status_text(assignment.status), assignment.cost, assignment.lower_bound,
           assignment.work, digest);
}
#else
static void tell_assignment(const struct arenaplan_problem *problem,
                            const struct arenaplan_options *options)
{
    (void)options;
    for (size_t b = 0; b < 2 * problem->count; b++)
        draw(50); /* the problems after this one are the same */
}
#endif

int main(void)
{
    struct arenaplan_buffer buffer[MOST];
    struct arenaplan_piece piece[2 * MOST];
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    int64_t offset[MOST];
    int refused = 0;

    options.work = WORK;
    for (int turn = 0; turn < PROBLEMS; turn++) {
        struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, 0);
        struct arenaplan_result result = ARENAPLAN_RESULT;

        problem.count = (size_t)(4 + draw(MOST - 4));
        draw_buffers(turn, problem.count, 4 + draw(40), 100, buffer, piece);
        options.seed = (uint32_t)turn;
        arenaplan_plan(&problem, &options, offset, &result);
        refused |= tell("plan", &problem, offset, &result);
        arenaplan_prove(&problem, &options, offset, &result);
        refused |= tell("prove", &problem, offset, &result);
        arenaplan_fits(&problem, result.peak - 1, &options, offset, &result);
        refused |= tell("fits", &problem, offset, &result);
        tell_assignment(&problem, &options);
    }
    return refused;
}
