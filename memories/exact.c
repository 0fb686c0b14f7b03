/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/exact.h"

#include <math.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/master.h"
#include "memories/placing.h"

/* Placements for one question of many, when a set is made smaller.  */
#define WORK_TO_SHRINK 20000
/* Buffers that may take the place of one in a cut, over all of its buffers.  */
#define MOST_LIFTED 200

void split_cuts_clear(struct split_cuts *cuts)
{
    for (size_t i = 0; i < cuts->count; i++)
        memory_free(cuts->cut[i].buffer);
    memory_free(cuts->cut);
    *cuts = (struct split_cuts){0};
}

void split_cuts_add(struct split_cuts *cuts, size_t m, int64_t capacity, const size_t *buffer,
                    size_t count)
{
    struct split_cut *cut;

    cuts->cut = memory_grow(cuts->cut, &cuts->room, cuts->count + 1, sizeof *cuts->cut);
    cut = &cuts->cut[cuts->count++];
    *cut = (struct split_cut){m, count, capacity, memory_alloc(count, sizeof *cut->buffer)};
    for (size_t i = 0; i < count; i++)
        cut->buffer[i] = buffer[i];
}

/* --- small sets that can't be together --- */

struct asking {
    const struct split_problem *problem;
    size_t m;
    double deadline;
    size_t *rest;
    int64_t *offset;
    size_t asked;
};

/* Leaves out the members [FROM, TO) of SET where the others can't be together either.  Returns how
 * many are left.  */
static size_t leave_out(struct asking *asking, size_t *set, size_t count, size_t from, size_t to)
{
    size_t rest = 0;

    for (size_t i = 0; i < count; i++)
        if (i < from || i >= to)
            asking->rest[rest++] = set[i];
    asking->asked++;
    if (placing_ask(asking->problem, asking->m, asking->rest, rest, WORK_TO_SHRINK,
                    asking->deadline, asking->offset) != PLACING_NEVER)
        return count;
    for (size_t i = 0; i < rest; i++)
        set[i] = asking->rest[i];
    return rest;
}

static void sort_by_begin(const struct split_problem *problem, size_t *set, size_t count)
{
    struct order_key *key = memory_alloc(count, sizeof *key);

    for (size_t i = 0; i < count; i++)
        key[i] =
            (struct order_key){key_ascending(problem->instance->buffer[set[i]].begin), 0, set[i]};
    order_sort(key, count);
    for (size_t i = 0; i < count; i++)
        set[i] = key[i].index;
    memory_free(key);
}

/* Makes SET, whose buffers can't be together, smaller: stretches of time are left out, then shorter
 * ones, in the end buffer by buffer.  Returns how many are left.  */
static size_t shrink(struct asking *asking, size_t *set, size_t count)
{
    sort_by_begin(asking->problem, set, count);
    for (size_t some = count / 2; some > 0; some /= 2)
        for (size_t from = 0; from < count;) {
            size_t to = from + some < count ? from + some : count, before = count;

            if (timer_now() >= asking->deadline)
                return count;
            count = leave_out(asking, set, count, from, to);
            from = count == before ? to : from;
        }
    return count;
}

/* Whether buffer C is in the way wherever buffer B is: it lives as long, and is as large.  */
static bool covers(const struct split_problem *problem, size_t c, size_t b)
{
    const struct buffer *x = &problem->instance->buffer[c], *y = &problem->instance->buffer[b];

    return x->begin <= y->begin && x->end >= y->end && x->size >= y->size &&
           x->alignment % y->alignment == 0 && x->pieces == 1;
}

static bool is_member(const size_t *set, size_t count, size_t b)
{
    for (size_t i = 0; i < count; i++)
        if (set[i] == b)
            return true;
    return false;
}

/* A cut for SET, and for each set in which another buffer has the place of one of them.  */
static void add_cuts(const struct split_problem *problem, struct split_cuts *cuts, size_t m,
                     size_t *set, size_t count)
{
    const int64_t capacity = problem->memory[m].capacity;
    size_t lifted = 0;

    split_cuts_add(cuts, m, capacity, set, count);
    for (size_t i = 0; i < count; i++) {
        const size_t b = set[i];

        for (size_t c = 0; c < problem->instance->n && lifted < MOST_LIFTED; c++) {
            if (!covers(problem, c, b) || is_member(set, count, c))
                continue;
            set[i] = c;
            split_cuts_add(cuts, m, capacity, set, count);
            set[i] = b;
            lifted++;
        }
    }
}

/* --- the decomposition --- */

struct solving {
    const struct split_problem *problem;
    const struct split_limits *limits;
    struct split_cuts *cuts;
    struct split_result result;
    struct split *best;
    size_t *chosen; /* the master's memory of each buffer */
    bool ready;     /* it is the master's for what is known now */
    struct split placed;
};

/* The buffers that the master has in memory M.  */
static size_t chosen_in(const struct solving *solving, size_t m, size_t *set)
{
    size_t count = 0;

    for (size_t b = 0; b < solving->problem->instance->n; b++)
        if (solving->chosen[b] == m)
            set[count++] = b;
    return count;
}

/* Places what the master chose for memory M, or learns why that can't be.  */
static enum placing_answer place_chosen(struct solving *solving, size_t m)
{
    const struct split_problem *problem = solving->problem;
    const size_t n = problem->instance->n;
    size_t *set = memory_alloc(n, sizeof *set), count = chosen_in(solving, m, set);
    int64_t *offset = memory_alloc(n, sizeof *offset);
    enum placing_answer answer =
        placing_ask(problem, m, set, count, 0, solving->limits->deadline, offset);

    solving->result.asked++;
    for (size_t i = 0; answer == PLACING_FITS && i < count; i++) {
        solving->placed.memory[set[i]] = m;
        solving->placed.offset[set[i]] = offset[i];
    }
    if (answer == PLACING_NEVER) {
        struct asking asking = {.problem = problem,
                                .m = m,
                                .deadline = solving->limits->deadline,
                                .rest = memory_alloc(n, sizeof *asking.rest),
                                .offset = offset};

        count = shrink(&asking, set, count);
        solving->result.asked += asking.asked;
        add_cuts(problem, solving->cuts, m, set, count);
        memory_free(asking.rest);
    }
    memory_free(set);
    memory_free(offset);
    return answer;
}

static void take_better(struct solving *solving, const struct split *split)
{
    if (split->cost < solving->best->cost)
        split_copy(solving->best, split, solving->problem);
}

/* What the master chose, as far as it can be placed: those in their cheapest memory first.  */
static void round_chosen(struct solving *solving)
{
    const struct split_problem *problem = solving->problem;
    double *value = memory_alloc(problem->instance->n, sizeof *value);
    struct split_limits limits = *solving->limits;
    struct split split;
    size_t *order;

    for (size_t b = 0; b < problem->instance->n; b++)
        value[b] = solving->chosen[b] == problem->order[b * problem->memories];
    order = split_by_value(problem, value);
    split_init(&split, problem);
    if (split_in_order(problem, order, &limits, &split))
        take_better(solving, &split);
    split_clear(&split);
    memory_free(order);
    memory_free(value);
}

/* One round.  True when there is nothing left to do.  */
static bool solve_round(struct solving *solving)
{
    const struct split_problem *problem = solving->problem;
    bool never = false, unknown = false;
    enum master_result master = MASTER_OPTIMAL;

    if (!solving->ready)
        master = master_solve(problem, solving->cuts, false, solving->limits->deadline,
                              &solving->result.bound, solving->chosen, NULL);
    solving->ready = false;
    if (master == MASTER_INFEASIBLE) {
        /* With a split at hand that is its proof: nothing is below it.  */
        solving->result.bound = solving->best->cost;
        return true;
    }
    if (master == MASTER_LIMIT)
        return true;
    for (size_t b = 0; b < problem->instance->n; b++)
        solving->placed.memory[b] = SIZE_MAX;
    for (size_t m = 0; m < problem->memories; m++) {
        enum placing_answer answer = place_chosen(solving, m);

        never = never || answer == PLACING_NEVER;
        unknown = unknown || answer == PLACING_UNKNOWN;
    }
    if (!never && !unknown) {
        solving->placed.cost = split_cost(problem, &solving->placed);
        take_better(solving, &solving->placed);
        return true;
    }
    round_chosen(solving);
    /* Without an answer about what was chosen nothing would keep the master from it.  */
    return !never;
}

static void solve_flow(struct solving *solving)
{
    static const struct split_cuts none = {0};
    enum master_result flow =
        master_solve(solving->problem, &none, false, solving->limits->deadline,
                     &solving->result.flow_bound, solving->chosen, NULL);

    solving->result.flow_proven = flow == MASTER_OPTIMAL;
    solving->ready = flow == MASTER_OPTIMAL && solving->cuts->count == 0;
    solving->result.bound = max64(solving->result.bound, solving->result.flow_bound);
}

/* Greedy splits, the first one within a moment, and what exchanges make of the best.  */
static void begin(struct solving *solving)
{
    const struct split_problem *problem = solving->problem;
    double *value = memory_zalloc(problem->instance->n, sizeof *value);
    struct split split;

    split_init(&split, problem);
    solving->result.bound = master_step_bound(problem);
    for (int way = 0; way < 3; way++) {
        struct split_limits limits = *solving->limits;
        size_t *order;

        if (way == 0) /* nothing is placed anew */
            limits = (struct split_limits){0, INFINITY};
        if (way == 2 && !split_relax(problem, limits.deadline, &solving->result.bound, value))
            break;
        order = split_by_value(problem, way == 2 ? value : NULL);
        if (split_in_order(problem, order, &limits, &split))
            take_better(solving, &split);
        memory_free(order);
    }
    if (solving->best->cost != SPLIT_NEVER && solving->best->cost > solving->result.bound)
        split_exchange(problem, solving->limits, solving->best);
    split_clear(&split);
    memory_free(value);
}

static enum split_outcome outcome_of(const struct solving *solving, bool infeasible)
{
    if (solving->best->cost == SPLIT_NEVER)
        return infeasible ? SPLIT_INFEASIBLE : SPLIT_UNKNOWN;
    return solving->best->cost <= solving->result.bound ? SPLIT_OPTIMAL : SPLIT_FEASIBLE;
}

struct split_result split_solve(const struct split_problem *problem,
                                const struct split_limits *limits, struct split_cuts *cuts,
                                struct split *split)
{
    struct solving solving = {
        .problem = problem,
        .limits = limits,
        .cuts = cuts,
        .best = split,
        .chosen = memory_alloc(problem->instance->n, sizeof *solving.chosen),
    };
    bool over = false;

    split_init(&solving.placed, problem);
    begin(&solving);
    solve_flow(&solving);
    while (!over && split->cost > solving.result.bound && timer_now() < limits->deadline)
        over = solve_round(&solving);
    /* A bound above all splits is that of no split at all.  */
    solving.result.outcome = outcome_of(&solving, solving.result.bound == SPLIT_NEVER);
    split_clear(&solving.placed);
    memory_free(solving.chosen);
    return solving.result;
}

bool split_relax(const struct split_problem *problem, double deadline, int64_t *bound,
                 double *value)
{
    static const struct split_cuts none = {0};

    return master_solve(problem, &none, true, deadline, bound, NULL, value) == MASTER_OPTIMAL;
}

/* --- why not --- */

/* The bytes in use at row R.  */
static int64_t bytes_at(const struct split_problem *problem, size_t r)
{
    int64_t bytes = 0;

    for (size_t i = problem->row[r]; i < problem->row[r + 1]; i++)
        bytes += problem->use[i].bytes;
    return bytes;
}

char *split_why_not(const struct split_problem *problem, const struct split_cuts *cuts)
{
    int64_t room = 0, most = 0;
    char *text;

    for (size_t b = 0; b < problem->instance->n; b++)
        if (problem->cost[b * problem->memories + problem->order[b * problem->memories]] ==
            SPLIT_NEVER)
            return memory_printf("buffer '%s' of %lld bytes is larger than each memory that it "
                                 "may lie in",
                                 problem->instance->buffer[b].id,
                                 (long long)problem->instance->buffer[b].size);
    for (size_t m = 0; m < problem->memories; m++)
        room = capped_add(room, memory_room(&problem->memory[m]));
    for (size_t r = 0; r < problem->rows; r++)
        most = max64(most, bytes_at(problem, r));
    if (most > room)
        return memory_printf("at one step %lld bytes are in use, and all memories together have "
                             "%lld",
                             (long long)most, (long long)room);
    if (cuts->count == 0)
        return memory_strdup("no choice of memories leaves room for all buffers at each step");
    text = memory_printf("in memory '%s' these can't be together:",
                         problem->memory[cuts->cut[0].m].name);
    for (size_t i = 0; i < cuts->cut[0].count; i++)
        text = memory_append(text, " %s", problem->instance->buffer[cuts->cut[0].buffer[i]].id);
    return text;
}
