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
#include "tests/support/as_recorded.h"

enum { MOST = 700 };

/* Problems in rounds of 15: a few buffers to hundreds, lifetimes of a few steps to all; sizes with
 * a unit, alignments, buffers of two pieces, fixed ones, tight ones, each alone and some together.
 */
static const struct {
    int64_t buffers, span, sizes, work;
    int problems;
} round_of[] = {
    {8, 8, 6, 300, 60},
    {30, 16, 40, 700, 60},
    {90, 40, 1000, 300, 30},
    {MOST, 250, 5000, 60, 8},
};

static uint64_t state;

static int64_t draw(int64_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((state >> 33) % (uint64_t)below);
}

/* What the search is left without in one turn and another.  */
static const uint32_t without[] = {
    0,
    ARENAPLAN_WITHOUT_PLANNER,
    ARENAPLAN_WITHOUT_PLANNER | ARENAPLAN_WITHOUT_ORDERS,
    ARENAPLAN_WITHOUT_PLANNER | ARENAPLAN_WITHOUT_ORDERS | ARENAPLAN_WITHOUT_WINDOWS,
    ARENAPLAN_WITHOUT_PLANNER | ARENAPLAN_WITHOUT_ORDERS | ARENAPLAN_WITHOUT_LEARNING,
    ARENAPLAN_WITHOUT_PLANNER | ARENAPLAN_WITHOUT_ORDERS | ARENAPLAN_WITHOUT_SUBSETS |
        ARENAPLAN_WITHOUT_PORTFOLIO,
    ARENAPLAN_WITHOUT_PLANNER | ARENAPLAN_WITHOUT_DECOMPOSITION | ARENAPLAN_WITHOUT_MIRROR,
};

static void make(size_t r, int turn, struct arenaplan_buffer *buffer, struct arenaplan_piece *piece,
                 struct arenaplan_problem *problem)
{
    int64_t span = round_of[r].span, unit = turn % 3 == 0 ? 1024 : 1, top = 0;
    size_t n = (size_t)(round_of[r].buffers / 2 + draw(round_of[r].buffers / 2 + 1));

    for (size_t i = 0; i < n; i++) {
        int64_t begin = draw(span), length = 1 + draw(1 + span / (turn % 2 == 0 ? 3 : 8));
        struct arenaplan_buffer made = {.begin = begin, .end = begin + length};

        made.size = unit * (1 + draw(round_of[r].sizes));
        made.alignment = turn % 4 == 1 ? INT64_C(1) << draw(5) : 0;
        if (turn % 5 == 2 && length > 1) {
            int64_t middle = begin + 1 + draw(length - 1), half = (made.size + 1) / 2;

            piece[2 * i] = (struct arenaplan_piece){begin, middle, 0, made.size};
            piece[2 * i + 1] = (struct arenaplan_piece){middle, begin + length, 0, half};
            made.piece = piece + 2 * i;
            made.pieces = 2;
        }
        if (turn % 5 == 4 && i % 7 == 3) {
            made.flags = ARENAPLAN_FIXED;
            made.offset = top;
            top += made.size;
        }
        buffer[i] = made;
    }
    problem->count = n;
}

static void add(uint64_t *digest, int64_t number)
{
    for (int byte = 0; byte < 8; byte++)
        *digest = (*digest ^ ((uint64_t)number >> 8 * byte & 0xff)) * UINT64_C(0x100000001b3);
}

/* A row: problem, call, status, peak, bound, work, and a digest of the offsets.  */
static void tell(FILE *out, size_t r, int turn, const char *call,
                 const struct arenaplan_problem *problem, const int64_t *offset,
                 const struct arenaplan_result *result)
{
    uint64_t digest = UINT64_C(0xcbf29ce484222325);

    if (result->status <= ARENAPLAN_FEASIBLE)
        for (size_t i = 0; i < problem->count; i++)
            add(&digest, offset[i]);
    fprintf(out, "%zu-%d,%s,%d,%" PRId64 ",%" PRId64 ",%" PRId64 ",%016" PRIx64 "\n", r, turn, call,
            (int)result->status, result->peak, result->lower_bound, (int64_t)result->work, digest);
}

static void answers(FILE *out)
{
    struct arenaplan_buffer *buffer = memory_alloc(MOST, sizeof *buffer);
    struct arenaplan_piece *piece = memory_alloc(2 * MOST, sizeof *piece);
    int64_t *offset = memory_alloc(MOST, sizeof *offset);

    state = 1;
    fprintf(out, "problem,call,status,peak,lower_bound,work,offsets\n");
    for (size_t r = 0; r < sizeof round_of / sizeof *round_of; r++)
        for (int turn = 0; turn < round_of[r].problems; turn++) {
            struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, 0);
            struct arenaplan_options options = ARENAPLAN_OPTIONS;
            struct arenaplan_result result = ARENAPLAN_RESULT;

            make(r, turn, buffer, piece, &problem);
            options.seed = (uint32_t)turn;
            options.work = round_of[r].work;
            arenaplan_plan(&problem, &options, offset, &result);
            tell(out, r, turn, "plan", &problem, offset, &result);
            options.without = without[(size_t)turn % (sizeof without / sizeof *without)];
            arenaplan_prove(&problem, &options, offset, &result);
            tell(out, r, turn, "prove", &problem, offset, &result);
            arenaplan_fits(&problem, result.peak - 1, &options, offset, &result);
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
