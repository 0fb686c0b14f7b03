/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the planner answers to fixed problems, and how much work that took, as recorded.csv beside
 * this file has it: a search that prunes less, or a dive that goes another way, gives right plans
 * too, so nothing else would show it.  After a change on purpose
 *     t_recorded.t --table >tests/planner/library/recorded.csv
 * and the commit says why.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "planner/arenaplan.h"
#include "planner/library/prove_with.h"
#include "tests/support/as_recorded.h"
#include "tests/support/drawn_problem.h"

enum { MOST = 700 };

/* A few buffers to hundreds, lifetimes of a few steps to all.  */
static const struct {
    int64_t buffers, span, sizes, work;
    int problems;
} round_of[] = {
    {8, 8, 6, 300, 60},
    {30, 16, 40, 700, 60},
    {90, 40, 1000, 300, 30},
    {MOST, 250, 5000, 60, 8},
};

/* What the search is left without in one turn and another.  */
static const uint32_t without[] = {
    0,
    WITHOUT_PLANNER,
    WITHOUT_PLANNER | WITHOUT_DISJUNCTIVE,
    WITHOUT_PLANNER | WITHOUT_DISJUNCTIVE | WITHOUT_LEARNING,
    WITHOUT_PLANNER | WITHOUT_DISJUNCTIVE | WITHOUT_SUBSETS,
    WITHOUT_PLANNER | WITHOUT_DECOMPOSITION,
};

/* A row: problem, call, status, peak, bound, work, and a digest of the offsets.  */
static void tell(FILE *out, size_t r, int turn, const char *call,
                 const struct arenaplan_problem *problem, const int64_t *offset,
                 const struct arenaplan_result *result)
{
    uint64_t digest = DIGEST_START;

    if (result->status <= ARENAPLAN_FEASIBLE)
        for (size_t i = 0; i < problem->count; i++)
            digest_add(&digest, offset[i]);
    fprintf(out, "%zu-%d,%s,%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%016" PRIx64 "\n", r, turn, call,
            arenaplan_status_text(result->status), result->peak, result->lower_bound,
            (int64_t)result->work, digest);
}

static void answers(FILE *out)
{
    struct arenaplan_buffer *buffer = memory_alloc(MOST, sizeof *buffer);
    struct arenaplan_piece *piece = memory_alloc(2 * MOST, sizeof *piece);
    int64_t *offset = memory_alloc(MOST, sizeof *offset);

    drawn_state = 1;
    fprintf(out, "problem,call,status,peak,lower_bound,work,offsets\n");
    for (size_t r = 0; r < sizeof round_of / sizeof *round_of; r++)
        for (int turn = 0; turn < round_of[r].problems; turn++) {
            struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, 0);
            struct arenaplan_options options = ARENAPLAN_OPTIONS;
            struct prove_extras extras = PROVE_USUAL;
            struct arenaplan_result result = ARENAPLAN_RESULT;

            problem.count = (size_t)(round_of[r].buffers / 2 + draw(round_of[r].buffers / 2 + 1));
            draw_buffers(turn, problem.count, round_of[r].span, round_of[r].sizes, buffer, piece);
            options.seed = (uint32_t)turn;
            options.work = round_of[r].work;
            arenaplan_plan(&problem, &options, offset, &result);
            tell(out, r, turn, "plan", &problem, offset, &result);
            extras.without = without[(size_t)turn % (sizeof without / sizeof *without)];
            arenaplan_prove_with(&problem, &options, extras, offset, &result);
            tell(out, r, turn, "prove", &problem, offset, &result);
            arenaplan_fits_with(&problem, result.peak - 1, &options, extras, offset, &result);
            tell(out, r, turn, "fits", &problem, offset, &result);
        }
    free(buffer);
    free(piece);
    free(offset);
}

int main(int argc, char **argv)
{
    return as_recorded(argc, argv, "tests/planner/library/recorded.csv", 400, answers);
}
