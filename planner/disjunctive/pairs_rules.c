/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/disjunctive/pairs_rules.h"

#include <math.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"

/* The clock is read once in so much work.  */
#define CLOCK_WORK 20000

/* Looking at so many watched nogoods is work for one.  */
#define WATCHES_A_WORK 2

void pairs_rules_init(struct pairs_rules *rules, struct pairs_bounds *bounds,
                      struct pairs_nogoods *nogoods)
{
    const struct pairs_problem *problem = bounds->problem;
    size_t most = problem->most_tasks;

    *rules = (struct pairs_rules){
        .problem = problem,
        .bounds = bounds,
        .nogoods = nogoods,
        .edges = true,
        .piles = true,
        .not_first = true,
        .triangles = true,
        .dirty = memory_alloc(problem->sections, sizeof *rules->dirty),
        .dirt = memory_zalloc(problem->sections, sizeof *rules->dirt),
        .raises = memory_zalloc(bounds->count, sizeof *rules->raises),
        .most_pushes = UINT32_MAX,
        .pushes = memory_zalloc(2 * problem->n, sizeof *rules->pushes),
        .span = memory_alloc(most, sizeof *rules->span),
        .by_lo = memory_alloc(most, sizeof *rules->by_lo),
        .by_hi = memory_alloc(most, sizeof *rules->by_hi),
        .rising = memory_alloc(most, sizeof *rules->rising),
        .tallest = memory_alloc(most, sizeof *rules->tallest),
        .work_end = INT64_MAX,
        .deadline = INFINITY,
    };
    for (size_t b = 0; b < problem->n; b++)
        rules->aligned = rules->aligned || problem->alignment[b] > 1;
}

void pairs_rules_clear(struct pairs_rules *rules)
{
    memory_free(rules->dirty);
    memory_free(rules->dirt);
    memory_free(rules->raises);
    memory_free(rules->pushes);
    memory_free(rules->span);
    memory_free(rules->by_lo);
    memory_free(rules->by_hi);
    memory_free(rules->rising);
    memory_free(rules->tallest);
    pairs_overload_clear(&rules->overload);
}

void pairs_rules_set_light(struct pairs_rules *rules, bool light)
{
    if (light && rules->overload.problem == NULL)
        pairs_overload_init(&rules->overload, rules->problem);
    rules->light = light;
}

static void touch(struct pairs_rules *rules, size_t s, enum pairs_dirt dirt)
{
    if (rules->dirt[s] == PAIRS_CLEAN)
        rules->dirty[rules->dirties++] = s;
    if (rules->dirt[s] < dirt)
        rules->dirt[s] = dirt;
}

/* --- sums --- */

/* Cycles of pairs whose differences add up to more than 0 would raise starts for ever, in
 * steps that can be small beside the capacity.  Each start that a sum raised last stands on
 * another by a difference; where the chain runs into itself, it has such a cycle, as the last
 * of its starts that rose has not yet raised the next one.  With alignments the cycle may be one
 * of 0 or less that only rises because of them, and comes to an end.  */
static size_t find_cycle(const struct pairs_rules *rules, size_t index)
{
    const struct pairs_bounds *bounds = rules->bounds;

    for (size_t steps = 0; steps <= rules->problem->n; steps++) {
        size_t r = bounds->last[index];

        if (r == SIZE_MAX || bounds->rise[r].reason.rule != PAIRS_SUM)
            return SIZE_MAX;
        index = bounds->rise[r].reason.first;
    }
    return index;
}

/* Whether the differences of the cycle through the start INDEX add up to more than 0.  */
static bool cycle_rises(const struct pairs_bounds *bounds, size_t index)
{
    size_t first = index;
    int64_t sum = 0;

    do {
        const struct pairs_reason *reason = &bounds->rise[bounds->last[index]].reason;

        sum = clipped_add(sum, bounds->bound[reason->second]);
        index = reason->first;
    } while (index != first);
    return sum > 0;
}

/* A start rises to the sum of START and DIFFERENCE.  */
static bool raise_start(struct pairs_rules *rules, size_t index, size_t start, size_t difference)
{
    struct pairs_bounds *bounds = rules->bounds;
    int64_t value = clipped_add(bounds->bound[start], bounds->bound[difference]);
    struct pairs_reason reason;

    if (value <= bounds->bound[index])
        return true;
    reason = (struct pairs_reason){.rule = PAIRS_SUM, .first = start, .second = difference};
    if (!pairs_bounds_raise(bounds, index, value, &reason))
        return false;
    if (++rules->raises[index] > rules->problem->n) {
        size_t on = find_cycle(rules, index);

        reason = (struct pairs_reason){.rule = PAIRS_CYCLE, .first = on};
        if (on != SIZE_MAX && (!rules->aligned || cycle_rises(bounds, on)))
            return pairs_bounds_fail(bounds, &reason);
    }
    return true;
}

/* A difference of FIRST plus SECOND or more decides on gaps.  */
static bool cross(struct pairs_rules *rules, size_t index, size_t first, size_t second)
{
    struct pairs_bounds *bounds = rules->bounds;
    int64_t value = clipped_add(bounds->bound[first], bounds->bound[second]), above = INT64_MIN;
    const struct pairs_pair *pair;
    struct pairs_reason reason;

    if (value <= bounds->bound[index])
        return true;
    pair = &rules->problem->pair[index / 2 - rules->problem->n];
    for (size_t g = pair->gap; g < pair->gap + pair->gaps; g++) {
        const struct pairs_gap *gap = &rules->problem->gap[g];

        if (index % 2 == 0 && value > gap->below)
            above = gap->above;
        else if (index % 2 == 1 && value > -gap->above)
            above = max64(above, -gap->below);
    }
    if (above <= bounds->bound[index])
        return true;
    reason = (struct pairs_reason){.rule = PAIRS_SUM, .first = first, .second = second};
    return pairs_bounds_raise(bounds, index, above, &reason);
}

/* A start has risen: those of the buffers above, and differences.  */
static bool follow_start(struct pairs_rules *rules, size_t index)
{
    const struct pairs_problem *problem = rules->problem;
    size_t b = index / 2, side = index % 2;

    for (size_t i = problem->first[b]; i < problem->first[b + 1]; i++) {
        size_t p = problem->adjacent[i];
        const struct pairs_pair *pair = &problem->pair[p];
        size_t c = pair->a == b ? pair->b : pair->a;
        /* From b to c, or downwards: from c to b.  */
        size_t up = (2 * (problem->n + p) + (pair->a != b)) ^ side;

        if (!raise_start(rules, 2 * c + side, index, up) ||
            !cross(rules, up ^ 1, index, (2 * c + side) ^ 1))
            return false;
    }
    return true;
}

/* The difference UP, from b to c, has risen: those to and from a third buffer of a section.  */
static bool follow_triangles(struct pairs_rules *rules, size_t up)
{
    const struct pairs_problem *problem = rules->problem;
    size_t p = up / 2 - problem->n, base = 2 * problem->n;

    for (size_t k = problem->first_place[p]; k < problem->first_place[p + 1]; k++) {
        const struct pairs_place *place = &problem->place[k];
        size_t s = place->section, count = problem->start[s + 1] - problem->start[s];
        const size_t *from_b =
            problem->from + problem->square[s] + (up % 2 == 0 ? place->a : place->b) * count;
        const size_t *from_c =
            problem->from + problem->square[s] + (up % 2 == 0 ? place->b : place->a) * count;

        for (size_t i = 0; i < count; i++) {
            if (from_b[i] == SIZE_MAX || from_c[i] == SIZE_MAX)
                continue;
            if (!cross(rules, base + from_b[i], up, base + from_c[i]) ||
                !cross(rules, (base + from_c[i]) ^ 1, up, (base + from_b[i]) ^ 1))
                return false;
        }
    }
    return true;
}

static bool follow_difference(struct pairs_rules *rules, size_t up)
{
    const struct pairs_problem *problem = rules->problem;
    size_t p = up / 2 - problem->n;
    const struct pairs_pair *pair = &problem->pair[p];
    size_t b = up % 2 == 0 ? pair->a : pair->b, c = up % 2 == 0 ? pair->b : pair->a;

    for (size_t k = problem->first_place[p]; k < problem->first_place[p + 1]; k++)
        touch(rules, problem->place[k].section, PAIRS_ORDERS);
    return raise_start(rules, 2 * c, 2 * b, up) && raise_start(rules, 2 * b + 1, 2 * c + 1, up) &&
           (!rules->triangles || rules->light || follow_triangles(rules, up));
}

/* --- the fixpoint --- */

void pairs_rules_reset(struct pairs_rules *rules)
{
    rules->stopped = false;
    rules->head = 0;
    rules->fresh = true;
    for (size_t s = 0; s < rules->problem->sections; s++)
        touch(rules, s, PAIRS_STARTS);
}

static bool follow_rise(struct pairs_rules *rules, size_t r)
{
    const struct pairs_problem *problem = rules->problem;
    size_t index = rules->bounds->rise[r].index, b = index / 2;

    rules->work += 1 + (int64_t)(rules->nogoods->watches[index].n / WATCHES_A_WORK);
    if (!pairs_nogoods_follow(rules->nogoods, rules->bounds, r))
        return false;
    if (index >= 2 * problem->n)
        return follow_difference(rules, index);
    for (size_t i = problem->first_section[b]; i < problem->first_section[b + 1]; i++)
        touch(rules, problem->section[i], PAIRS_STARTS);
    rules->work += (int64_t)(problem->first[b + 1] - problem->first[b]);
    return follow_start(rules, index);
}

static bool is_spent(struct pairs_rules *rules)
{
    if (rules->work >= rules->work_end)
        return true;
    if (rules->work < rules->clock)
        return false;
    rules->clock = rules->work + CLOCK_WORK;
    return timer_now() >= rules->deadline;
}

static bool follow(struct pairs_rules *rules)
{
    for (size_t i = 0; i < 2 * rules->problem->n && rules->fresh; i++)
        if (!follow_start(rules, i))
            return false;
    rules->fresh = false;
    while (!(rules->stopped = is_spent(rules))) {
        if (rules->head < rules->bounds->rises) {
            if (!follow_rise(rules, rules->head++))
                return false;
        } else if (rules->dirties > 0) {
            size_t s = rules->dirty[--rules->dirties];

            enum pairs_dirt dirt = rules->dirt[s];

            rules->dirt[s] = PAIRS_CLEAN;
            if (!pairs_rules_look_at(rules, s, dirt == PAIRS_STARTS))
                return false;
        } else {
            return true;
        }
    }
    return true;
}

bool pairs_rules_follow(struct pairs_rules *rules)
{
    const struct pairs_bounds *bounds = rules->bounds;
    size_t from = rules->head;
    bool open, waiting;

    rules->stopped = false;
    open = follow(rules);
    waiting = rules->stopped && bounds->levels == 0;
    while (!waiting && rules->dirties > 0)
        rules->dirt[rules->dirty[--rules->dirties]] = PAIRS_CLEAN;
    for (size_t r = from; r < bounds->rises; r++) {
        size_t index = bounds->rise[r].index;

        rules->raises[index] = 0;
        if (index < 2 * rules->problem->n)
            rules->pushes[index] = 0;
    }
    if (rules->stopped)
        return true;
    rules->head = bounds->rises;
    if (open)
        CHECK_INVARIANT(pairs_bounds_check_orders(bounds));
    return open;
}
