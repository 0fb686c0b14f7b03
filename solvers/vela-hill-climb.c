/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vela-hill-climb: swap two buffers in the order, of those that hold up the highest one.
 *
 * A buffer's urgency is the largest sum of live sizes during its life.  The first order is by
 * urgency descending, then length of life descending, begin ascending, size descending, input
 * order.  A plan is made by placing the buffers in turn, each at 0 and then above its neighbours
 * (those that it meets in time), in the order in which these come up, until it meets none: the
 * lowest place that is free.  The neighbour that lifted it last is its predecessor.  Placing ends
 * as soon as the plan is higher than the best one.
 *
 * A move.  M is the buffer with the highest end.  T are the turns of M and of its neighbours,
 * each followed by the turns along its chain of predecessors; N are those of T whose buffers are
 * not alive beside M.  A turn of N (probability 30 / 101) or of T changes places with one of T.
 * Where there was no lower plan for a while, the neighbours of N come into T and two more change
 * places.  The order stays if its plan is not higher than the best one; that may be as high.  It
 * ends at the load, or when nothing was better for some moves.
 *
 *                vela (in Python)            2021 (before it)        regor (Vela 5)
 *   draws        Python's, seed 1            mt19937, modulo         mt19937, modulo
 *   T            as it comes                 ascending               ascending
 *   second swap  after 50 moves: neighbours  none                    after 25 moves: all turns that
 *                of N                                                can be reached by neighbours
 *   ends         500 moves without a gain    500 moves               5,000 without a gain, 99,999
 *   given up     the order alone is taken    all is taken back       all is taken back
 *                back: ends, predecessors
 *                and turns of what was
 *                placed stay
 *   alignment    of starts                   none                    of sizes
 *
 * Source: Vela, the compiler for Arm's Ethos-U: ethosu/vela/hillclimb_allocation.py; upstream=2021
 * is ethosu/tensor_allocator/search_allocator.cpp of January 2021, upstream=regor
 * ethosu/regor/compiler/hillclimb_allocator.cpp of March 2026, since when its draws are the same
 * with all libraries.
 * O(pairs of buffers that meet) a move, and memory as much.  Guarantee: none; not above the first
 * plan.
 * Differences: lifetimes are half-open (theirs include the last step).  The limit of memory, which
 * ends the search earlier, is the load.  A work limit counts moves.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/mt32.h"
#include "lib/base/order.h"
#include "lib/problem/instance.h"
#include "lib/problem/search_statistics.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/interval_index.h"
#include "solvers/fit/ties.h"
#include "solvers/fit/turns.h"
#include "solvers/solver.h"

enum { UPSTREAM_VELA, UPSTREAM_2021, UPSTREAM_REGOR };
enum { ETHOS_ALIGNMENT = 16 };

/* Each is in the lists of both: 16 bytes.  */
#define MOST_PAIRS INT64_C(20000000)

/* What differs.  */
struct rules {
    bool python;        /* draws, and what is left of a plan that is given up */
    bool with_last;     /* the second turn of a swap is one of all of T */
    bool all;           /* the second swap: all that can be reached */
    int64_t second;     /* it is made after so many moves without a gain */
    int64_t idle, most; /* moves: without a gain, in all */
};

static const struct rules rules_of[] = {
    [UPSTREAM_VELA] = {.python = true, .second = 50, .idle = 500, .most = INT64_MAX},
    [UPSTREAM_2021] = {.second = INT64_MAX, .idle = INT64_MAX, .most = 500},
    [UPSTREAM_REGOR] = {.with_last = true, .all = true, .second = 25, .idle = 5001, .most = 99999},
};

#define NONE SIZE_MAX

/* A buffer in the plan at hand.  */
struct range {
    int64_t address, end; /* address below 0: it is not placed, and the rest is from before */
    size_t predecessor, turn;
};

/* Numbers below a limit, each once.  */
struct set {
    size_t *item;
    size_t count;
    bool *has;
};

struct climb {
    const struct instance *instance;
    const struct rules *rules;
    int64_t alignment;
    int64_t *size;
    size_t *start, *neighbour; /* those of buffer b: neighbour[start[b]..start[b + 1]) */
    struct range *range, *best_range;
    size_t *order, *best_order;
    int64_t least, best; /* the load; of the best plan */
    struct mt32 random;
    struct set turns, visited; /* T; buffers */
    size_t *apart, n_apart;    /* N */
};

/* --- what is known before --- */

/* The buffers that meet B, as a walk through its life comes across them: by number those that are
 * alive at its begin, then the others by begin and number.  */
static size_t list_neighbours(const struct interval_index *all, const struct instance *instance,
                              size_t b, size_t *met, struct order_key *key)
{
    const struct buffer *buffer = &instance->buffer[b];
    size_t count = interval_index_find(all, buffer->first, buffer->last, met), kept = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t first = instance->buffer[met[i]].first;

        if (met[i] != b)
            key[kept++] = (struct order_key){first > buffer->first ? first : 0, met[i], met[i]};
    }
    order_sort(key, kept);
    return kept;
}

static void find_neighbours(struct climb *climb)
{
    const struct instance *instance = climb->instance;
    size_t n = instance->n, capacity = 0, *met = memory_alloc(n, sizeof *met);
    struct order_key *key = memory_alloc(n, sizeof *key);
    struct interval_index all;

    interval_index_init(&all, instance);
    for (size_t b = 0; b < n; b++)
        interval_index_add(&all, b);
    climb->start = memory_zalloc(n + 1, sizeof *climb->start);
    for (size_t b = 0; b < n; b++) {
        size_t from = climb->start[b], count = list_neighbours(&all, instance, b, met, key);

        climb->neighbour =
            memory_grow(climb->neighbour, &capacity, from + count, sizeof *climb->neighbour);
        for (size_t i = 0; i < count; i++)
            climb->neighbour[from + i] = key[i].index;
        climb->start[b + 1] = from + count;
    }
    interval_index_clear(&all);
    free(met);
    free(key);
}

/* The sums of the sizes that are alive at each step of the axis.  */
static int64_t *live_bytes(const struct climb *climb)
{
    const struct instance *instance = climb->instance;
    int64_t *live = memory_zalloc(instance->steps + 1, sizeof *live);

    for (size_t b = 0; b < instance->n; b++) {
        live[instance->buffer[b].first] += climb->size[b];
        live[instance->buffer[b].last + 1] -= climb->size[b];
    }
    for (size_t t = 1; t <= instance->steps; t++)
        live[t] += live[t - 1];
    return live;
}

static void first_order(struct climb *climb, const struct solver_env *env)
{
    const struct instance *instance = climb->instance;
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, BY_BEGIN, BY_NOTHING);
    int64_t *live = live_bytes(climb);

    for (size_t i = 0; i < instance->n; i++)
        key[i].minor = ~(uint64_t)climb->size[key[i].index];
    order_sort(key, instance->n);
    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[key[i].index];
        int64_t urgency = 0;

        for (size_t t = buffer->first; t <= buffer->last; t++)
            urgency = max64(urgency, live[t]);
        climb->least = max64(climb->least, urgency);
        key[i].major = ~(uint64_t)urgency;
        key[i].minor = ~lifetime_length(buffer);
    }
    order_sort(key, instance->n);
    for (size_t i = 0; i < instance->n; i++)
        climb->order[i] = key[i].index;
    free(live);
    free(key);
}

static void set_init(struct set *set, size_t limit)
{
    set->item = memory_alloc(limit, sizeof *set->item);
    set->has = memory_zalloc(limit, sizeof *set->has);
    set->count = 0;
}

static void set_clear(struct set *set)
{
    free(set->item);
    free(set->has);
}

static void set_add(struct set *set, size_t item)
{
    if (set->has[item])
        return;
    set->has[item] = true;
    set->item[set->count++] = item;
}

static void set_empty(struct set *set)
{
    while (set->count > 0)
        set->has[set->item[--set->count]] = false;
}

static void climb_init(struct climb *climb, const struct instance *instance,
                       const struct solver_env *env)
{
    unsigned upstream = params_choice(env->params, "upstream");
    size_t n = instance->n;

    *climb = (struct climb){.instance = instance, .rules = &rules_of[upstream]};
    climb->alignment = instance->max_alignment;
    climb->size = memory_alloc(n, sizeof *climb->size);
    for (size_t b = 0; b < n; b++)
        climb->size[b] = upstream == UPSTREAM_REGOR
                             ? align_up(instance->buffer[b].size, climb->alignment)
                             : instance->buffer[b].size;
    climb->range = memory_alloc(n, sizeof *climb->range);
    climb->best_range = memory_alloc(n, sizeof *climb->best_range);
    climb->order = memory_alloc(n, sizeof *climb->order);
    climb->best_order = memory_alloc(n, sizeof *climb->best_order);
    climb->apart = memory_alloc(n, sizeof *climb->apart);
    set_init(&climb->turns, n);
    set_init(&climb->visited, n);
    find_neighbours(climb);
    first_order(climb, env);
    if (climb->rules->python)
        mt32_seed_python(&climb->random, 1);
    else
        mt32_seed(&climb->random, 5489);
}

static void climb_clear(struct climb *climb)
{
    free(climb->size);
    free(climb->start);
    free(climb->neighbour);
    free(climb->range);
    free(climb->best_range);
    free(climb->order);
    free(climb->best_order);
    free(climb->apart);
    set_clear(&climb->turns);
    set_clear(&climb->visited);
}

/* --- a plan --- */

static void place(struct climb *climb, size_t b, size_t turn)
{
    const size_t *neighbour = climb->neighbour + climb->start[b];
    size_t count = climb->start[b + 1] - climb->start[b], predecessor = NONE;
    int64_t address = 0, size = climb->size[b];
    bool lifted = true;

    while (lifted) {
        lifted = false;
        for (size_t i = 0; i < count; i++) {
            const struct range *other = &climb->range[neighbour[i]];

            if (other->address < 0 || other->end <= address || other->address >= address + size)
                continue;
            address = align_up(other->end, climb->alignment);
            predecessor = neighbour[i];
            lifted = true;
        }
    }
    climb->range[b] = (struct range){address, address + size, predecessor, turn};
}

/* Places all in turn, or until the plan is higher than the best one; how high it is.  */
static int64_t place_all(struct climb *climb)
{
    int64_t top = 0;

    for (size_t b = 0; b < climb->instance->n; b++)
        climb->range[b].address = -1;
    for (size_t turn = 0; turn < climb->instance->n && top <= climb->best; turn++) {
        place(climb, climb->order[turn], turn);
        top = max64(top, climb->range[climb->order[turn]].end);
    }
    return top;
}

static void keep(struct climb *climb)
{
    size_t n = climb->instance->n;

    memcpy(climb->best_order, climb->order, n * sizeof *climb->order);
    memcpy(climb->best_range, climb->range, n * sizeof *climb->range);
}

static void take_back(struct climb *climb)
{
    size_t n = climb->instance->n;

    memcpy(climb->order, climb->best_order, n * sizeof *climb->order);
    if (!climb->rules->python)
        memcpy(climb->range, climb->best_range, n * sizeof *climb->range);
}

/* --- a move --- */

static size_t draw(struct climb *climb, size_t below)
{
    return climb->rules->python ? mt32_below(&climb->random, (uint32_t)below)
                                : mt32_next(&climb->random) % below;
}

static void add_chain(struct climb *climb, size_t b)
{
    for (; b != NONE; b = climb->range[b].predecessor)
        set_add(&climb->turns, climb->range[b].turn);
}

static int compare_turns(const void *a, const void *b)
{
    const size_t *x = a, *y = b;

    return ORDER(*x, *y);
}

/* T and N of the buffer HIGHEST.  */
static void find_turns(struct climb *climb, size_t highest)
{
    const struct buffer *buffer = climb->instance->buffer;
    struct set *turns = &climb->turns;

    set_empty(turns);
    add_chain(climb, highest);
    for (size_t i = climb->start[highest]; i < climb->start[highest + 1]; i++)
        add_chain(climb, climb->neighbour[i]);
    if (!climb->rules->python)
        qsort(turns->item, turns->count, sizeof *turns->item, compare_turns);
    climb->n_apart = 0;
    for (size_t i = 0; i < turns->count; i++)
        if (!buffers_conflict(&buffer[climb->order[turns->item[i]]], &buffer[highest]))
            climb->apart[climb->n_apart++] = turns->item[i];
}

static void swap(struct climb *climb, size_t turn, size_t other)
{
    size_t b = climb->order[turn];

    climb->order[turn] = climb->order[other];
    climb->order[other] = b;
}

static void swap_one_of_chains(struct climb *climb)
{
    const struct set *turns = &climb->turns;
    bool apart = draw(climb, climb->rules->python ? 101 : 100) < 30 && climb->n_apart > 0;
    size_t turn =
        apart ? climb->apart[draw(climb, climb->n_apart)] : turns->item[draw(climb, turns->count)];
    size_t other = turns->item[draw(climb, turns->count - !climb->rules->with_last)];

    swap(climb, turn, other != turn ? other : turns->item[turns->count - 1]);
}

static void add_neighbours(struct climb *climb, size_t b)
{
    for (size_t i = climb->start[b]; i < climb->start[b + 1]; i++)
        set_add(&climb->turns, climb->range[climb->neighbour[i]].turn);
}

/* The turns of all that can be reached from buffer FROM by neighbours, the nearest first.  */
static void add_reached(struct climb *climb, size_t from)
{
    struct set *visited = &climb->visited;

    set_empty(visited);
    set_add(visited, from);
    for (size_t i = 0; i < visited->count; i++) {
        size_t b = visited->item[i];

        set_add(&climb->turns, climb->range[b].turn);
        for (size_t k = climb->start[b]; k < climb->start[b + 1]; k++)
            set_add(visited, climb->neighbour[k]);
    }
}

static void swap_two_more(struct climb *climb, size_t highest)
{
    const struct set *turns = &climb->turns;
    size_t turn, other;

    if (climb->rules->all)
        add_reached(climb, highest);
    else
        for (size_t i = 0; i < climb->n_apart; i++)
            add_neighbours(climb, climb->order[climb->apart[i]]);
    turn = turns->item[draw(climb, turns->count)];
    other = turns->item[draw(climb, turns->count)];
    if (climb->rules->all && other == turn)
        other = turns->item[turns->count - 1];
    swap(climb, turn, other);
}

/* IDLE moves have brought nothing.  */
static void move(struct climb *climb, int64_t idle)
{
    size_t highest = 0;

    for (size_t b = 1; b < climb->instance->n; b++)
        if (climb->range[b].end > climb->range[highest].end)
            highest = b;
    find_turns(climb, highest);
    if (climb->turns.count < 2)
        return; /* upstream fails there; it is not known to happen */
    swap_one_of_chains(climb);
    if (idle > climb->rules->second)
        swap_two_more(climb, highest);
}

/* --- the search --- */

static void show(const struct climb *climb, const struct solver_env *env, struct plan *plan)
{
    for (size_t b = 0; b < plan->n; b++)
        plan->offset[b] = climb->best_range[b].address;
    plan->peak = plan_peak(climb->instance, plan);
    solver_stream(env, plan);
}

/* One move and its plan; whether it is lower than all before.  */
static bool attempt(struct climb *climb, int64_t idle)
{
    int64_t top;
    bool lower;

    move(climb, idle);
    top = place_all(climb);
    lower = top < climb->best;
    if (top > climb->best) {
        take_back(climb);
    } else {
        climb->best = top;
        keep(climb);
    }
    return lower;
}

static enum outcome search(struct climb *climb, const struct solver_env *env, struct plan *plan)
{
    struct turns turns = turns_under(env);
    int64_t moves = 0, last = 0, most = climb->rules->most;
    enum outcome outcome = OUTCOME_FEASIBLE;

    if (env->work_limit > 0)
        most = min64(most, env->work_limit);
    climb->best = INT64_MAX;
    climb->best = place_all(climb);
    keep(climb);
    show(climb, env, plan);
    turns_next(&turns);
    for (; climb->best > climb->least && moves < most && moves - last < climb->rules->idle;
         moves++) {
        if (!turns_next(&turns)) {
            outcome = OUTCOME_TIMEOUT;
            break;
        }
        if (attempt(climb, moves - last)) {
            last = moves;
            show(climb, env, plan);
        }
    }
    if (moves > 0)
        show(climb, env, plan); /* the last of equal ones */
    plan->nodes = moves + 1;
    search_statistics_add(env->statistics, STATISTIC_DECODINGS, moves + 1);
    return outcome;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    enum outcome outcome = OUTCOME_FEASIBLE;
    struct climb climb;

    if (instance->n == 0)
        return outcome;
    climb_init(&climb, instance, env);
    outcome = search(&climb, env, plan);
    climb_clear(&climb);
    return outcome;
}

static bool applicable(const struct instance *instance, const struct params *params,
                       struct error *reason)
{
    int64_t pairs = instance_overlapping_pairs(instance);

    (void)params;
    if (pairs > MOST_PAIRS)
        return error_set(reason, "%" PRId64 " pairs of buffers meet, more than %" PRId64, pairs,
                         MOST_PAIRS);
    return alignment_serves_all(instance, reason);
}

static const struct param params[] = {
    PARAM_ENUM("upstream", "vela", "whose: Vela's in Python, the one before it, Regor's",
               {"vela", UPSTREAM_VELA}, {"2021", UPSTREAM_2021}, {"regor", UPSTREAM_REGOR}),
    TIES_PARAM,
    PARAM_END,
};

const struct solver solver_vela_hill_climb = {
    .name = "vela-hill-climb",
    .title = "Vela, hill climb",
    .source = "Vela, hillclimb_allocation.py",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_INPUT_ORDER | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .native = {.offset = ETHOS_ALIGNMENT},
    .params = params,
    .applicable = applicable,
    .solve = solve,
};
