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
#include <string.h>

#include "lib/base/memory.h"
#include "planner/arenaplan.h"
#include "tests/support/drawn_problem.h"
#include "tests/support/tap.h"

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
    ARENAPLAN_WITHOUT_PLANNER,
    ARENAPLAN_WITHOUT_PLANNER | ARENAPLAN_WITHOUT_ORDERS,
    ARENAPLAN_WITHOUT_PLANNER | ARENAPLAN_WITHOUT_ORDERS | ARENAPLAN_WITHOUT_WINDOWS,
    ARENAPLAN_WITHOUT_PLANNER | ARENAPLAN_WITHOUT_ORDERS | ARENAPLAN_WITHOUT_LEARNING,
    ARENAPLAN_WITHOUT_PLANNER | ARENAPLAN_WITHOUT_ORDERS | ARENAPLAN_WITHOUT_SUBSETS |
        ARENAPLAN_WITHOUT_PORTFOLIO,
    ARENAPLAN_WITHOUT_PLANNER | ARENAPLAN_WITHOUT_DECOMPOSITION | ARENAPLAN_WITHOUT_MIRROR,
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
    fprintf(out, "%zu-%d,%s,%d,%" PRId64 ",%" PRId64 ",%" PRId64 ",%016" PRIx64 "\n", r, turn, call,
            (int)result->status, result->peak, result->lower_bound, (int64_t)result->work, digest);
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
            struct arenaplan_result result = ARENAPLAN_RESULT;

            problem.count = (size_t)(round_of[r].buffers / 2 + draw(round_of[r].buffers / 2 + 1));
            draw_buffers(turn, problem.count, round_of[r].span, round_of[r].sizes, buffer, piece);
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

/* Lines of TEXT and of the file, one by one.  */
static void compare(char *text, FILE *recorded)
{
    char line[256], *next = text;
    int rows = 0, other = 0;

    while (fgets(line, sizeof line, recorded) != NULL) {
        size_t length = strlen(line);

        rows++;
        if (strncmp(next, line, length) != 0 && other++ < 10)
            tap_diag("recorded %.*s, now %.*s", (int)length - 1, line, (int)strcspn(next, "\n"),
                     next);
        next += strcspn(next, "\n");
        next += *next == '\n';
    }
    is_int(other, 0, "%d rows are as recorded", rows);
    is_text(next, "", "and there are no more");
    ok(rows > 400, "which are many");
}

int main(int argc, char **argv)
{
    char *text = NULL, path[4096];
    size_t length = 0;
    const char *source = getenv("top_srcdir");
    FILE *out, *recorded;

    if (argc > 1 && strcmp(argv[1], "--table") == 0) {
        answers(stdout);
        return 0;
    }
    snprintf(path, sizeof path, "%s/tests/planner/library/recorded.csv",
             source != NULL ? source : ".");
    recorded = fopen(path, "r");
    if (ok(recorded != NULL, "%s is there", path)) {
        out = memory_stream(&text, &length);
        answers(out);
        memory_stream_close(out);
        compare(text, recorded);
        fclose(recorded);
        free(text);
    }
    return tap_done();
}
