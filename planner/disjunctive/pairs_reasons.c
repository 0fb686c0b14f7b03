/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/disjunctive/pairs_reasons.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/wide.h"
#include "planner/disjunctive/pairs_rules.h"

void pairs_reasons_init(struct pairs_reasons *reasons, const struct pairs_bounds *bounds,
                        const struct pairs_nogoods *nogoods)
{
    const struct pairs_problem *problem = bounds->problem;
    size_t most = problem->most_tasks;

    *reasons = (struct pairs_reasons){
        .bounds = bounds,
        .nogoods = nogoods,
        .span = memory_alloc(most, sizeof *reasons->span),
        .member = memory_alloc(most, sizeof *reasons->member),
        .cost = memory_alloc(most, sizeof *reasons->cost),
    };
}

void pairs_reasons_clear(struct pairs_reasons *reasons)
{
    memory_free(reasons->span);
    memory_free(reasons->member);
    memory_free(reasons->cost);
    memory_free(reasons->literals.literal);
}

static void add(struct pairs_reasons *reasons, size_t index, int64_t least)
{
    struct pairs_literals *literals = &reasons->literals;

    literals->literal = memory_grow(literals->literal, &literals->capacity, literals->n + 1,
                                    sizeof *literals->literal);
    literals->literal[literals->n++] = (struct pairs_literal){index, least};
}

/* How late (INDEX, LEAST) came to hold; 0: at the root.  */
static size_t age(const struct pairs_reasons *reasons, size_t index, int64_t least)
{
    size_t r = pairs_bounds_rise(reasons->bounds, index, least);

    return r == SIZE_MAX ? 0 : r + 1;
}

static size_t later(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Slacks may not fit into 64 bits: what is cut off is not used, and needs not be.  */

/* --- sums --- */

/* The least that a bound may be, SLACK below what it is, at no more cost than a rise that
 * is as early as possible; what is left stays in *SLACK.  */
static int64_t weaken(const struct pairs_reasons *reasons, size_t index, int64_t *slack)
{
    const struct pairs_bounds *bounds = reasons->bounds;
    int64_t now = bounds->bound[index], value = now;
    size_t r = bounds->last[index];

    while (r != SIZE_MAX && bounds->rise[r].old >= clipped_sub(now, *slack)) {
        value = bounds->rise[r].old;
        r = bounds->rise[r].before;
    }
    *slack -= now - value;
    return value;
}

static void explain_sum(struct pairs_reasons *reasons, const struct pairs_reason *reason,
                        int64_t least)
{
    const struct pairs_bounds *bounds = reasons->bounds;
    size_t first = reason->first, second = reason->second, other;
    struct wide sum = wide_add(wide_of(bounds->bound[first]), bounds->bound[second]);
    int64_t slack = wide_clip(wide_sub(sum, least)), value;

    if (age(reasons, first, bounds->bound[first]) < age(reasons, second, bounds->bound[second])) {
        other = first;
        first = second;
        second = other;
    }
    value = weaken(reasons, first, &slack);
    add(reasons, second, weaken(reasons, second, &slack));
    add(reasons, first, clipped_sub(value, slack));
}

/* --- sets of tasks of a section --- */

/* Leaves tasks out of reasons->member[0..COUNT) while the SLACK is enough for their height,
 * but not the task KEEP: the ones that cost most first.  Returns how many are left.  */
static size_t leave_out(struct pairs_reasons *reasons, size_t count, size_t keep, int64_t *slack)
{
    for (;;) {
        size_t worst = SIZE_MAX;

        for (size_t i = 0; i < count; i++) {
            size_t k = reasons->member[i];

            if (k != keep && reasons->span[k].height <= *slack && reasons->cost[k] > 0 &&
                (worst == SIZE_MAX || reasons->cost[k] > reasons->cost[reasons->member[worst]]))
                worst = i;
        }
        if (worst == SIZE_MAX || count == 1)
            return count;
        *slack -= reasons->span[reasons->member[worst]].height;
        reasons->member[worst] = reasons->member[--count];
    }
}

static size_t start_age(const struct pairs_reasons *reasons, unsigned side, size_t k, int64_t from)
{
    const struct pairs_task *task = reasons->span[k].task;

    return age(reasons, pairs_task_index(task, side), clipped_sub(from, pairs_task_lo(task, side)));
}

static size_t end_age(const struct pairs_reasons *reasons, unsigned side, size_t k, int64_t to)
{
    const struct pairs_task *task = reasons->span[k].task;

    return age(reasons, pairs_task_index(task, side) ^ 1,
               clipped_sub(pairs_task_hi(task, side), to));
}

static void add_start(struct pairs_reasons *reasons, unsigned side, size_t k, int64_t from)
{
    const struct pairs_task *task = reasons->span[k].task;

    add(reasons, pairs_task_index(task, side), clipped_sub(from, pairs_task_lo(task, side)));
}

static void add_end(struct pairs_reasons *reasons, unsigned side, size_t k, int64_t to)
{
    const struct pairs_task *task = reasons->span[k].task;

    add(reasons, pairs_task_index(task, side) ^ 1, clipped_sub(pairs_task_hi(task, side), to));
}

/* All of the COUNT members, and task KEEP, start at FROM or above; KEEP apart, they end at TO
 * or below.  The SLACK goes to the side that has more to gain.  */
static void add_window(struct pairs_reasons *reasons, unsigned side, size_t count, size_t keep,
                       int64_t from, int64_t to, int64_t slack)
{
    size_t low = 0, high = 0;

    for (size_t i = 0; i < count; i++) {
        size_t k = reasons->member[i];

        low += start_age(reasons, side, k, from) -
               start_age(reasons, side, k, clipped_sub(from, slack));
        high += end_age(reasons, side, k, to) - end_age(reasons, side, k, clipped_add(to, slack));
    }
    if (keep != SIZE_MAX)
        low += start_age(reasons, side, keep, from) -
               start_age(reasons, side, keep, clipped_sub(from, slack));
    if (low >= high)
        from = clipped_sub(from, slack);
    else
        to = clipped_add(to, slack);
    for (size_t i = 0; i < count; i++) {
        add_start(reasons, side, reasons->member[i], from);
        add_end(reasons, side, reasons->member[i], to);
    }
    if (keep != SIZE_MAX)
        add_start(reasons, side, keep, from);
    reasons->from = from;
    reasons->to = to;
}

/* Overload; with EDGE, of the tasks between and task FIRST, which may end higher.  */
static void explain_window(struct pairs_reasons *reasons, const struct pairs_reason *reason,
                           bool edge)
{
    size_t s = reason->second, begin = reasons->bounds->problem->start[s], members = 0;
    size_t count = pairs_rules_collect(reasons->bounds, s, reason->side, reasons->span);
    size_t own = edge ? reason->first - begin : SIZE_MAX;
    size_t other = edge ? reason->third - begin : SIZE_MAX;
    struct wide sum = wide_sub(wide_sub(wide_of(reason->from), reason->to), 1);
    int64_t slack;

    if (edge)
        sum = wide_add(sum, reasons->span[own].height);
    for (size_t k = 0; k < count; k++) {
        const struct pairs_span *span = &reasons->span[k];

        if (k == own || span->lo < reason->from || span->hi > reason->to)
            continue;
        reasons->member[members++] = k;
        reasons->cost[k] = later(start_age(reasons, reason->side, k, reason->from),
                                 end_age(reasons, reason->side, k, reason->to));
        sum = wide_add(sum, span->height);
    }
    slack = wide_clip(sum);
    members = leave_out(reasons, members, other, &slack);
    add_window(reasons, reason->side, members, own, reason->from, reason->to, slack);
}

/* The tasks of the set end at START or above, each by itself.  */
static void explain_not_first(struct pairs_reasons *reasons, const struct pairs_reason *reason,
                              int64_t least)
{
    size_t s = reason->second, own = reason->first - reasons->bounds->problem->start[s];
    size_t count = pairs_rules_collect(reasons->bounds, s, reason->side, reasons->span);
    const struct pairs_span *task = &reasons->span[own];
    int64_t start = least + pairs_task_lo(task->task, reason->side), to = reason->to;
    struct wide sum = wide_sub(wide_sub(wide_add(wide_of(task->lo), task->height), to), 1);
    int64_t slack;
    size_t members = 0;

    for (size_t k = 0; k < count; k++) {
        const struct pairs_span *span = &reasons->span[k];

        if (k == own || span->lo + span->height < start || span->hi > to)
            continue;
        reasons->member[members++] = k;
        reasons->cost[k] =
            later(start_age(reasons, reason->side, k, clipped_sub(start, span->height)),
                  end_age(reasons, reason->side, k, to));
        sum = wide_add(sum, span->height);
    }
    slack = wide_clip(sum);
    members = leave_out(reasons, members, SIZE_MAX, &slack);
    if (start_age(reasons, reason->side, own, clipped_sub(task->lo, slack)) <
        start_age(reasons, reason->side, own, task->lo)) {
        add_start(reasons, reason->side, own, clipped_sub(task->lo, slack));
    } else {
        add_start(reasons, reason->side, own, task->lo);
        to = clipped_add(to, slack);
    }
    for (size_t i = 0; i < members; i++) {
        size_t k = reasons->member[i];

        add_start(reasons, reason->side, k, clipped_sub(start, reasons->span[k].height));
        add_end(reasons, reason->side, k, to);
    }
    reasons->from = start;
    reasons->to = to;
}

static void explain_pile(struct pairs_reasons *reasons, const struct pairs_reason *reason,
                         int64_t least)
{
    const struct pairs_problem *problem = reasons->bounds->problem;
    size_t s = reason->second, own = reason->first - problem->start[s], members = 0;
    size_t count = pairs_rules_collect(reasons->bounds, s, reason->side, reasons->span);
    struct wide sum = wide_sub(wide_sub(wide_of(reason->from), least),
                               pairs_task_lo(reasons->span[own].task, reason->side));
    int64_t slack;

    for (size_t k = 0; k < count; k++) {
        int64_t order;
        size_t index = pairs_rules_order(problem, s, reason->side, k, own, &order);

        if (k == own || reasons->span[k].lo < reason->from ||
            (index == SIZE_MAX ? order > 0 : reasons->bounds->bound[index] < order))
            continue;
        reasons->member[members++] = k;
        reasons->cost[k] = later(start_age(reasons, reason->side, k, reason->from),
                                 index == SIZE_MAX ? 0 : age(reasons, index, order));
        sum = wide_add(sum, reasons->span[k].height);
    }
    slack = wide_clip(sum);
    members = leave_out(reasons, members, SIZE_MAX, &slack);
    reasons->from = clipped_sub(reason->from, slack);
    for (size_t i = 0; i < members; i++) {
        size_t k = reasons->member[i];
        int64_t order;
        size_t index = pairs_rules_order(problem, s, reason->side, k, own, &order);

        add_start(reasons, reason->side, k, reasons->from);
        if (index != SIZE_MAX)
            add(reasons, index, order);
    }
}

/* --- the others --- */

/* All literals of the nogood but the one that is refuted.  */
static void explain_nogood(struct pairs_reasons *reasons, size_t k, size_t index)
{
    const struct pairs_nogood *nogood = &reasons->nogoods->nogood[k];

    for (size_t i = nogood->first; i < nogood->first + nogood->n; i++) {
        const struct pairs_literal *literal = &reasons->nogoods->literal[i];

        if (literal->index != (index ^ 1))
            add(reasons, literal->index, literal->least);
    }
}

static void explain_cycle(struct pairs_reasons *reasons, size_t first)
{
    const struct pairs_bounds *bounds = reasons->bounds;
    size_t index = first;

    do {
        const struct pairs_reason *reason = &bounds->rise[bounds->last[index]].reason;

        add(reasons, reason->second, bounds->bound[reason->second]);
        index = reason->first;
    } while (index != first);
}

void pairs_reasons_explain(struct pairs_reasons *reasons, const struct pairs_reason *reason,
                           size_t index, int64_t least)
{
    reasons->literals.n = 0;
    if (index != SIZE_MAX)
        least = pairs_bounds_weakest(reasons->bounds, index, least);
    switch (reason->rule) {
    case PAIRS_CHOICE:
        break;
    case PAIRS_SUM:
        explain_sum(reasons, reason, least);
        break;
    case PAIRS_CLAUSE:
        explain_nogood(reasons, reason->first, index);
        break;
    case PAIRS_NOT_FIRST:
        explain_not_first(reasons, reason, least);
        break;
    case PAIRS_PILE:
        explain_pile(reasons, reason, least);
        break;
    case PAIRS_EDGE:
        explain_window(reasons, reason, true);
        break;
    case PAIRS_OVERLOAD:
        explain_window(reasons, reason, false);
        break;
    case PAIRS_CYCLE:
        explain_cycle(reasons, reason->first);
        break;
    }
}
