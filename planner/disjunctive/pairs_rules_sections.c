/* SPDX-License-Identifier: Apache-2.0 */
/* The rules on the tasks of one section.  */
#include <config.h>

#include "lib/base/checked.h"
#include "planner/disjunctive/pairs_rules.h"

size_t pairs_rules_collect(const struct pairs_bounds *bounds, size_t s, unsigned side,
                           struct pairs_span *span)
{
    const struct pairs_problem *problem = bounds->problem;
    size_t count = problem->start[s + 1] - problem->start[s];

    for (size_t i = 0; i < count; i++) {
        const struct pairs_task *task = &problem->task[problem->start[s] + i];
        size_t index = pairs_task_index(task, side);

        span[i] = (struct pairs_span){
            .task = task,
            .lo = bounds->bound[index] + pairs_task_lo(task, side),
            .hi = pairs_task_hi(task, side) - bounds->bound[index ^ 1],
            .height = task->hi - task->lo,
        };
    }
    return count;
}

static void sort_spans(struct pairs_rules *rules, size_t count)
{
    const struct pairs_span *span = rules->span;

    for (size_t i = 0; i < count; i++) {
        size_t k = i;

        for (; k > 0 && span[rules->by_lo[k - 1]].lo > span[i].lo; k--)
            rules->by_lo[k] = rules->by_lo[k - 1];
        rules->by_lo[k] = i;
        for (k = i; k > 0 && rules->rising[k - 1].hi > span[i].hi; k--) {
            rules->by_hi[k] = rules->by_hi[k - 1];
            rules->rising[k] = rules->rising[k - 1];
        }
        rules->by_hi[k] = i;
        rules->rising[k] = span[i];
    }
}

/* The task of rules->rising[K] lies above those of rising[0..LAST] that start at FROM or
 * above, which are too high with it.  */
static bool put_above(struct pairs_rules *rules, size_t s, unsigned side, size_t last, size_t k,
                      int64_t from)
{
    const struct pairs_span *rising = rules->rising;
    size_t first = rules->problem->start[s];

    for (size_t i = 0; i <= last; i++) {
        struct pairs_reason reason;
        size_t index;
        int64_t least;

        if (rising[i].lo < from)
            continue;
        index =
            pairs_rules_order(rules->problem, s, side, rules->by_hi[i], rules->by_hi[k], &least);
        if (index == SIZE_MAX || rules->bounds->bound[index] >= least)
            continue;
        reason = (struct pairs_reason){
            PAIRS_EDGE,      side, first + rules->by_hi[k], s, first + rules->by_hi[i], from,
            rising[last].hi,
        };
        if (!pairs_bounds_raise(rules->bounds, index, least, &reason))
            return false;
    }
    return true;
}

static bool fail_window(struct pairs_rules *rules, size_t s, unsigned side, int64_t from,
                        int64_t to)
{
    const struct pairs_reason reason = {
        .rule = PAIRS_OVERLOAD, .side = side, .second = s, .from = from, .to = to};

    return pairs_bounds_fail(rules->bounds, &reason);
}

/* Fills in rules->tallest, of the tasks that start at FROM or above.  */
static void find_tallest(struct pairs_rules *rules, size_t count, int64_t from)
{
    int64_t most = 0;

    for (size_t i = count; i-- > 0;) {
        rules->tallest[i] = most;
        if (rules->rising[i].lo >= from)
            most = max64(most, rules->rising[i].height);
    }
}

/* Overload and edges, of the tasks that start at FROM or above.  */
static bool windows_from(struct pairs_rules *rules, size_t s, unsigned side, size_t count,
                         int64_t from)
{
    const struct pairs_span *rising = rules->rising;
    int64_t sum = from;

    find_tallest(rules, count, from);
    for (size_t i = 0; i < count; i++) {
        if (rising[i].lo < from)
            continue;
        sum = clipped_add(sum, rising[i].height);
        if (sum > rising[i].hi)
            return fail_window(rules, s, side, from, rising[i].hi);
        if (!rules->edges || clipped_add(sum, rules->tallest[i]) <= rising[i].hi)
            continue;
        for (size_t k = i + 1; k < count; k++)
            if (rising[k].lo >= from && rising[k].hi > rising[i].hi &&
                clipped_add(sum, rising[k].height) > rising[i].hi &&
                !put_above(rules, s, side, i, k, from))
                return false;
    }
    return true;
}

static bool windows(struct pairs_rules *rules, size_t s, unsigned side, size_t count)
{
    for (size_t r = count; r-- > 0;) {
        int64_t from = rules->span[rules->by_lo[r]].lo;

        if (r > 0 && rules->span[rules->by_lo[r - 1]].lo == from)
            continue;
        if (!windows_from(rules, s, side, count, from))
            return false;
    }
    return true;
}

/* Raises what task K of section S begins with to START, unless that has risen too often.  */
static bool raise_task(struct pairs_rules *rules, size_t s, size_t k, int64_t start,
                       struct pairs_reason *reason)
{
    const struct pairs_task *task = rules->span[k].task;
    size_t index = pairs_task_index(task, reason->side);
    int64_t value = clipped_sub(start, pairs_task_lo(task, reason->side));

    if (value <= rules->bounds->bound[index] || rules->pushes[index] >= rules->most_pushes)
        return true;
    reason->first = rules->problem->start[s] + k;
    reason->second = s;
    if (!pairs_bounds_raise(rules->bounds, index, value, reason))
        return false;
    rules->pushes[index]++;
    return true;
}

static bool is_below(const struct pairs_rules *rules, size_t s, unsigned side, size_t i, size_t j)
{
    int64_t least;
    size_t index = pairs_rules_order(rules->problem, s, side, i, j, &least);

    return index == SIZE_MAX ? least <= 0 : rules->bounds->bound[index] >= least;
}

static bool piles(struct pairs_rules *rules, size_t s, unsigned side, size_t count)
{
    const struct pairs_span *span = rules->span;

    for (size_t k = 0; k < count; k++) {
        struct pairs_reason reason;
        int64_t end = INT64_MIN, from = 0;

        for (size_t r = 0; r < count; r++) {
            size_t i = rules->by_lo[r];

            if (i == k || !is_below(rules, s, side, i, k))
                continue;
            if (span[i].lo >= end)
                end = from = span[i].lo;
            end = clipped_add(end, span[i].height);
        }
        if (end <= span[k].lo)
            continue;
        reason = (struct pairs_reason){.rule = PAIRS_PILE, .side = side, .from = from};
        if (!raise_task(rules, s, k, end, &reason))
            return false;
    }
    return true;
}

/* The sets are the others that end by TO and whose least end is above the start of K: those
 * with an earlier one would not raise it.  */
static bool not_first(struct pairs_rules *rules, size_t s, unsigned side, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const struct pairs_span *own = &rules->span[k];
        struct pairs_reason reason;
        int64_t sum = own->lo + own->height, end = INT64_MAX;

        for (size_t i = 0; i < count; i++) {
            const struct pairs_span *other = &rules->rising[i];

            if (rules->by_hi[i] == k || other->lo + other->height <= own->lo)
                continue;
            sum = clipped_add(sum, other->height);
            end = min64(end, other->lo + other->height);
            if (sum <= other->hi)
                continue;
            reason = (struct pairs_reason){.rule = PAIRS_NOT_FIRST, .side = side, .to = other->hi};
            if (!raise_task(rules, s, k, end, &reason))
                return false;
            break;
        }
    }
    return true;
}

static bool look_for_overload(struct pairs_rules *rules, size_t s)
{
    int64_t from, to;

    rules->work += (int64_t)pairs_rules_collect(rules->bounds, s, 0, rules->span);
    return !pairs_overload_find(&rules->overload, s, rules->span, &from, &to) ||
           fail_window(rules, s, 0, from, to);
}

bool pairs_rules_look_at(struct pairs_rules *rules, size_t s, bool starts)
{
    if (rules->light)
        return !starts || look_for_overload(rules, s);
    for (unsigned side = 0; side < 2; side++) {
        size_t count = pairs_rules_collect(rules->bounds, s, side, rules->span);

        rules->work += (int64_t)(count * count);
        sort_spans(rules, count);
        if (starts && (side == 0 || rules->edges) && !windows(rules, s, side, count))
            return false;
        if (rules->piles && !piles(rules, s, side, count))
            return false;
        if (starts && rules->not_first && !not_first(rules, s, side, count))
            return false;
    }
    return true;
}
