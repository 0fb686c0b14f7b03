/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kierstead: never more than six times the load: sizes become powers of two, and
 * these are put into levels and lanes by an on-line colouring of intervals.
 *
 * Each size is rounded up to a power of two; the largest goes first.  A buffer of
 * rounded size w gets the lowest level, a multiple of w, such that at each step of
 * its life the bytes in levels up to its own top, with its own, are not more than
 * that top.  Two buffers may hold the same level at the same step; at most two
 * that are there already do so with a new one, and three lanes keep them apart:
 *
 *   level 2 |   b b      a [0, 2), b [1, 3), c [2, 4), all of 2 bytes: at step 1 b
 *   level 0 | a a c c    finds the 2 bytes of a below level 2 and goes above; c
 *           +--------- step    finds none, for b is not below level 2.
 *
 * The loose offset is that of the lane plus the level; then all drop down, in the
 * order of loose offsets, by first fit, to where they were or below.
 *
 * Source: H. A. Kierstead, "A polynomial time approximation algorithm for dynamic
 * storage allocation", Discrete Mathematics 88, 1991, by a summary: powers of two
 * and the on-line colouring of H. A. Kierstead and W. T. Trotter, "An extremal
 * problem in recursive combinatorics", Congressus Numerantium 33, 1981.  How levels
 * of several units stay together, the lanes and the last step are worked out here.
 *
 * Guarantee: peak <= 3 x the load of the rounded sizes < 6 x load.  Why:
 *   - Levels end at the rounded load: the rule holds there for everybody.
 *   - In units of w all that came before has multiples of w, in blocks of levels
 *     that start at multiples of w, and a buffer of W > w counts as W / w of them
 *     that came one after the other.
 *   - A buffer at level h > 0 could not go to h - w: at some step of its life the
 *     levels below h are full, and as no step ever has more than h + w below
 *     h + w, nobody else has this level at that step.
 *   - So each buffer of a level has a step there to itself, and meets one other at
 *     its begin and one at its end, and no third.
 *
 * O(n (n + steps) r), where r is how often a level is tried: about ten in practice.
 * Differences: where alignments count, sizes are counted in units of the largest
 * one, which the others have to divide.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/place/gap_index.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

enum { LANES = 3 };

struct block {
    size_t first, last;  /* steps of the time axis, both inclusive */
    int64_t size, level; /* units */
    int lane;
    size_t buffer;
};

/* Blocks by level, and by the end of their levels.  */
struct block_list {
    const struct block **start, **end;
    size_t count;
};

struct levels {
    struct block_list all; /* that have a level */
    struct block_list met; /* scratch: those that the new block meets, */
    struct block_list at;  /* those of them that live at one step, */
    int64_t *change; /* and for each step, by how much the bytes differ from the step before */
};

/* Thrice the rounded sizes have to fit.  */
static bool applicable(const struct instance *instance, const struct params *params,
                       struct error *reason)
{
    int64_t padding;

    (void)params;
    if (!alignment_serves_all(instance, reason))
        return false;
    if (!checked_mul((int64_t)instance->n, instance->max_alignment, &padding) ||
        !checked_add(instance->total, padding, &padding) || padding > INT64_MAX / (2 * LANES))
        return error_set(reason, "the sizes, rounded up, are too large for three lanes of them");
    return true;
}

/* The least power of two of units that SIZE bytes fit in.  */
static int64_t rounded_units(int64_t size, int64_t unit)
{
    int64_t units = (size - 1) / unit + 1, power = 1;

    while (power < units)
        power *= 2;
    return power;
}

static int64_t end_of(const struct block *block)
{
    return block->level + block->size;
}

static void list_init(struct block_list *list, size_t room)
{
    list->start = memory_alloc(room, sizeof(struct block *));
    list->end = memory_alloc(room, sizeof(struct block *));
    list->count = 0;
}

static void list_clear(struct block_list *list)
{
    free(list->start);
    free(list->end);
}

/* Those of FROM that live at some of the steps FIRST to LAST, in the same orders.  */
static void list_alive(const struct block_list *from, size_t first, size_t last,
                       struct block_list *to)
{
    size_t count = 0;

    to->count = 0;
    for (size_t i = 0; i < from->count; i++) {
        if (from->start[i]->first <= last && first <= from->start[i]->last)
            to->start[count++] = from->start[i];
        if (from->end[i]->first <= last && first <= from->end[i]->last)
            to->end[to->count++] = from->end[i];
    }
}

static void list_add(struct block_list *list, const struct block *block)
{
    size_t i = list->count, j = list->count;

    for (; i > 0 && list->start[i - 1]->level > block->level; i--)
        list->start[i] = list->start[i - 1];
    for (; j > 0 && end_of(list->end[j - 1]) > end_of(block); j--)
        list->end[j] = list->end[j - 1];
    list->start[i] = list->end[j] = block;
    list->count++;
}

/* The most units in levels below TOP at a step of BLOCK's life, *STEP.  */
static int64_t most_below(struct levels *levels, const struct block *block, int64_t top,
                          size_t *step)
{
    int64_t units = 0, most = -1;

    memset(levels->change + block->first, 0,
           (block->last - block->first + 2) * sizeof *levels->change);
    for (size_t i = 0; i < levels->met.count && levels->met.start[i]->level < top; i++) {
        const struct block *met = levels->met.start[i];
        int64_t below = min64(met->size, top - met->level);

        levels->change[met->first > block->first ? met->first : block->first] += below;
        if (met->last < block->last)
            levels->change[met->last + 1] -= below;
    }
    for (size_t s = block->first; s <= block->last; s++) {
        units += levels->change[s];
        if (units > most) {
            most = units;
            *step = s;
        }
    }
    return most;
}

/* The lowest level from LEVEL on that serves SIZE units at a step at which the
 * blocks AT live.  Where the units below a top are too many, no lower top than they
 * and SIZE will do, as they are below that one as well; nor one before the end of a
 * block that is there: on the way to it units grow as fast as the top.  */
static int64_t level_at(const struct block_list *at, int64_t size, int64_t level)
{
    size_t started = 0, ended = 0; /* at or below the top */
    int64_t whole = 0, starts = 0; /* units of those that ended, starts of the others */

    for (;;) {
        int64_t top = level + size, units;

        for (; started < at->count && at->start[started]->level <= top; started++)
            starts += at->start[started]->level;
        for (; ended < at->count && end_of(at->end[ended]) <= top; ended++) {
            whole += at->end[ended]->size;
            starts -= at->end[ended]->level;
        }
        units = whole + (int64_t)(started - ended) * top - starts;
        if (units <= level)
            return level;
        level = started > ended ? max64(units, end_of(at->end[ended])) : units;
    }
}

/* The lowest level that serves at all steps: ever higher, at the step where the
 * last one serves least.  */
static int64_t find_level(struct levels *levels, const struct block *block)
{
    int64_t level = 0;
    size_t step = block->first;

    while (most_below(levels, block, level + block->size, &step) > level) {
        list_alive(&levels->met, step, step, &levels->at);
        level = level_at(&levels->at, block->size, level);
    }
    return level;
}

static int find_lane(const struct levels *levels, const struct block *block)
{
    bool taken[LANES + 1] = {false};
    int lane = 0;

    for (size_t i = 0; i < levels->met.count; i++) {
        const struct block *met = levels->met.start[i];

        if (met->level < end_of(block) && block->level < end_of(met))
            taken[met->lane] = true;
    }
    while (taken[lane])
        lane++;
    return lane;
}

static void add_block(struct levels *levels, struct block *block)
{
    list_alive(&levels->all, block->first, block->last, &levels->met);
    block->level = find_level(levels, block);
    block->lane = find_lane(levels, block);
    list_add(&levels->all, block);
}

/* KEY[0..n): the buffers by size, the largest first, and so by rounded size; becomes
 * the order of their loose offsets.  */
static void sort_by_loose_offset(const struct instance *instance, struct order_key *key)
{
    size_t n = instance->n;
    struct block *block = memory_alloc(n, sizeof *block);
    struct levels levels;
    int64_t height[LANES + 1] = {0}; /* of the lanes before each one, in the end */

    list_init(&levels.all, n);
    list_init(&levels.met, n);
    list_init(&levels.at, n);
    levels.change = memory_alloc(instance->steps + 1, sizeof *levels.change);
    for (size_t i = 0; i < n; i++) {
        size_t b = key[i].index;

        block[i] = (struct block){
            .first = instance->buffer[b].first,
            .last = instance->buffer[b].last,
            .size = rounded_units(instance->buffer[b].size, instance->max_alignment),
            .buffer = b,
        };
        add_block(&levels, &block[i]);
        height[block[i].lane + 1] = max64(height[block[i].lane + 1], end_of(&block[i]));
    }
    for (int lane = 0; lane < LANES; lane++)
        height[lane + 1] += height[lane];
    for (size_t i = 0; i < n; i++)
        key[i] = (struct order_key){(uint64_t)(height[block[i].lane] + block[i].level), 0,
                                    block[i].buffer};
    order_sort(key, n);
    list_clear(&levels.all);
    list_clear(&levels.met);
    list_clear(&levels.at);
    free(levels.change);
    free(block);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct order_key *key = ties_sort(instance, env, TIES_FIRST, BY_SIZE, BY_NOTHING);

    sort_by_loose_offset(instance, key);
    gap_place(instance, key, FIT_FIRST, plan);
    free(key);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {TIES_PARAM, PARAM_END};

const struct solver solver_kierstead = {
    .name = "kierstead",
    .title = "Powers of two, on-line colouring",
    .source = "Kierstead 1991",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT,
    .layout = LAYOUT_ARENA,
    .params = params,
    .applicable = applicable,
    .solve = solve,
};
