/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the library answers to a hundred problems, a line each: the same whatever it was compiled
 * with, and for.  Ends with status 1 where arenaplan_check refuses a plan.  */
#include <config.h>

#include <arenaplan.h>
#include <inttypes.h>
#include <stdio.h>

enum { PROBLEMS = 100, MOST = 48, WORK = 3000 };

static uint64_t state = 1;

static int64_t draw(int64_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((state >> 33) % (uint64_t)below);
}

static size_t make(int turn, struct arenaplan_buffer *buffer, struct arenaplan_piece *piece)
{
    size_t n = (size_t)(4 + draw(MOST - 4));
    int64_t span = 4 + draw(40), unit = turn % 3 == 0 ? 1024 : 1;

    for (size_t i = 0; i < n; i++) {
        int64_t begin = draw(span), length = 1 + draw(1 + span / 3);
        struct arenaplan_buffer made = {.begin = begin, .end = begin + length};

        made.size = unit * (1 + draw(100));
        made.alignment = turn % 4 == 1 ? INT64_C(1) << draw(5) : 0;
        if (turn % 5 == 2 && length > 1) {
            int64_t middle = begin + 1 + draw(length - 1), half = (made.size + 1) / 2;

            piece[2 * i] = (struct arenaplan_piece){begin, middle, 0, made.size};
            piece[2 * i + 1] = (struct arenaplan_piece){middle, begin + length, 0, half};
            made.piece = piece + 2 * i;
            made.pieces = 2;
        }
        buffer[i] = made;
    }
    return n;
}

static void add(uint64_t *digest, int64_t number)
{
    for (int byte = 0; byte < 8; byte++)
        *digest = (*digest ^ ((uint64_t)number >> 8 * byte & 0xff)) * UINT64_C(0x100000001b3);
}

static int tell(const char *call, const struct arenaplan_problem *problem, const int64_t *offset,
                const struct arenaplan_result *result)
{
    uint64_t digest = UINT64_C(0xcbf29ce484222325);

    if (result->status <= ARENAPLAN_FEASIBLE) {
        if (arenaplan_check(problem, NULL, offset, NULL) != ARENAPLAN_FEASIBLE)
            return 1;
        for (size_t i = 0; i < problem->count; i++)
            add(&digest, offset[i]);
    }
    add(&digest, result->work);
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

        problem.count = make(turn, buffer, piece);
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
