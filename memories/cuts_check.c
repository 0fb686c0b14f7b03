/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/cuts_check.h"

#include <math.h>

#include "lib/base/checked.h"
#include "lib/base/glpk_milp.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "lib/problem/pieces.h"
#include "memories/placing.h"
#include "memories/split.h"

#define BOUND_TOLERANCE 1e-7
#define INTEGRALITY 1e-9

/* --- the sets --- */

static bool check_cut(const struct split_problem *problem, const struct split_cut *cut,
                      size_t number, double deadline, struct error *error)
{
    const struct memory *memory = &problem->memory[cut->m];
    int64_t *offset = memory_alloc(cut->count, sizeof *offset);
    enum placing_answer answer = PLACING_UNKNOWN;

    if (memory->capacity <= cut->capacity)
        answer = placing_ask(problem, cut->m, cut->buffer, cut->count, 0, deadline, offset);
    memory_free(offset);
    if (memory->capacity > cut->capacity)
        return error_set(error, "cut %zu is about %lld bytes, and memory '%s' has %lld", number,
                         (long long)cut->capacity, memory->name, (long long)memory->capacity);
    if (answer == PLACING_FITS)
        return error_set(error, "cut %zu: its buffers can be together in memory '%s'", number,
                         memory->name);
    return answer == PLACING_NEVER ||
           error_set(error, "cut %zu: the limit ended it before there was an answer", number);
}

/* --- the program --- */

struct checking {
    const struct split_problem *problem;
    struct milp *milp;
    size_t *entry;
    double *coefficient;
    int64_t base, unit; /* costs are base + unit times the objective */
};

/* Columns stand by buffer and memory, those of one that can't be there as well, with 0.  */
static size_t column_of(const struct checking *checking, size_t b, size_t m)
{
    return b * checking->problem->memories + m;
}

static int64_t cost_of(const struct checking *checking, size_t b, size_t m)
{
    return checking->problem->cost[b * checking->problem->memories + m];
}

static int64_t least_of(const struct checking *checking, size_t b)
{
    int64_t least = SPLIT_NEVER;

    for (size_t m = 0; m < checking->problem->memories; m++)
        least = min64(least, cost_of(checking, b, m));
    return least == SPLIT_NEVER ? 0 : least;
}

static void add_buffers(struct checking *checking)
{
    const size_t n = checking->problem->instance->n, memories = checking->problem->memories;

    for (size_t b = 0; b < n; b++)
        for (size_t m = 0; m < memories; m++)
            if (cost_of(checking, b, m) != SPLIT_NEVER)
                checking->unit =
                    gcd64(checking->unit, cost_of(checking, b, m) - least_of(checking, b));
    checking->unit = checking->unit == 0 ? 1 : checking->unit;
    for (size_t b = 0; b < n; b++) {
        checking->base += least_of(checking, b);
        for (size_t m = 0; m < memories; m++) {
            const bool can = cost_of(checking, b, m) != SPLIT_NEVER;
            const int64_t above = can ? cost_of(checking, b, m) - least_of(checking, b) : 0;

            checking->entry[m] = milp_add_column(checking->milp, MILP_BINARY, 0.0, can ? 1.0 : 0.0,
                                                 (double)(above / checking->unit));
            checking->coefficient[m] = 1.0;
        }
        milp_add_row(checking->milp, 1.0, 1.0, checking->entry, checking->coefficient, memories);
    }
}

/* The bytes of all that is alive at step TIME, BYTES of each, fit into each memory.  */
static void add_step(struct checking *checking, const int64_t *bytes)
{
    const struct split_problem *problem = checking->problem;

    for (size_t m = 0; m < problem->memories; m++) {
        size_t count = 0;

        for (size_t b = 0; b < problem->instance->n; b++)
            if (bytes[b] > 0) {
                checking->entry[count] = column_of(checking, b, m);
                checking->coefficient[count++] = (double)bytes[b];
            }
        if (problem->memory[m].capacity < INT64_MAX)
            milp_add_row(checking->milp, -MILP_INFINITY, (double)memory_room(&problem->memory[m]),
                         checking->entry, checking->coefficient, count);
    }
}

/* A row for each step at which a piece begins: what is in use is most at one of them.  */
static void add_steps(struct checking *checking)
{
    const struct instance *instance = checking->problem->instance;
    int64_t *bytes = memory_alloc(instance->n, sizeof *bytes);
    struct piece **disjoint = memory_alloc(instance->n, sizeof *disjoint);
    size_t *pieces = memory_alloc(instance->n, sizeof *pieces);

    for (size_t b = 0; b < instance->n; b++)
        pieces[b] = pieces_disjoint(&instance->piece[instance->buffer[b].first_piece],
                                    instance->buffer[b].pieces, &disjoint[b]);
    for (size_t p = 0; p < instance->pieces; p++) {
        const int64_t time = instance->piece[p].begin;

        for (size_t b = 0; b < instance->n; b++) {
            bytes[b] = 0;
            for (size_t i = 0; i < pieces[b]; i++)
                if (disjoint[b][i].begin <= time && time < disjoint[b][i].end)
                    bytes[b] += disjoint[b][i].hi - disjoint[b][i].lo;
        }
        add_step(checking, bytes);
    }
    for (size_t b = 0; b < instance->n; b++)
        memory_free(disjoint[b]);
    memory_free(disjoint);
    memory_free(pieces);
    memory_free(bytes);
}

static void add_cuts(struct checking *checking, const struct split_cuts *cuts)
{
    for (size_t c = 0; c < cuts->count; c++) {
        const struct split_cut *cut = &cuts->cut[c];

        for (size_t i = 0; i < cut->count; i++) {
            checking->entry[i] = column_of(checking, cut->buffer[i], cut->m);
            checking->coefficient[i] = 1.0;
        }
        milp_add_row(checking->milp, -MILP_INFINITY, (double)cut->count - 1.0, checking->entry,
                     checking->coefficient, cut->count);
    }
}

static bool solve(struct checking *checking, double deadline, int64_t *bound, struct error *error)
{
    const struct milp_limits limits = {
        .time_s = isinf(deadline) ? 0.0 : fmax(deadline - timer_now(), 1e-3),
        .integrality = INTEGRALITY,
        .stop_at = -MILP_INFINITY};
    double found = -INFINITY;
    const enum milp_result result = milp_solve(checking->milp, &limits, NULL, NULL, &found, NULL);

    *bound = SPLIT_NEVER;
    if (result == MILP_INFEASIBLE)
        return true;
    found = ceil(found - BOUND_TOLERANCE * fabs(found) - 1e-6);
    if (!(found >= 0.0 && found < 9e15))
        return error_set(error, "the integer program of the bound has no answer in time");
    *bound = checking->base + (int64_t)found * checking->unit;
    return true;
}

bool cuts_check(const struct split_problem *problem, const struct split_cuts *cuts, double deadline,
                int64_t *bound, struct error *error)
{
    const size_t longest = problem->instance->n + problem->memories;
    struct checking checking = {.problem = problem};
    bool good = true;

    for (size_t c = 0; c < cuts->count && good; c++)
        good = check_cut(problem, &cuts->cut[c], c + 1, deadline, error);
    if (!good)
        return false;
    checking.milp = milp_new();
    checking.entry = memory_alloc(longest, sizeof *checking.entry);
    checking.coefficient = memory_alloc(longest, sizeof *checking.coefficient);
    add_buffers(&checking);
    add_steps(&checking);
    add_cuts(&checking, cuts);
    good = solve(&checking, deadline, bound, error);
    milp_free(checking.milp);
    memory_free(checking.entry);
    memory_free(checking.coefficient);
    return good;
}
