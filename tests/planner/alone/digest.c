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
    }
    return refused;
}
