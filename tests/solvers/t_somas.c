/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SOMAS: its passes by hand, buffer for buffer against a plain version with lists of
 * footprints and intervals, and the rule that picks the winner.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/golden.h"
#include "tests/support/instances.h"
#include "tests/oracles/plain_planners.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/same_plans.h"
#include "tests/support/tap.h"

/* The drawing in somas.c.  */
static const struct golden_row shared[] = {
    {"x", 0, 1, 6, 0}, {"z", 1, 2, 5, 0}, {"w", 1, 2, 5, 6}, {"y", 0, 1, 4, 6}};
static const struct golden_row single[] = {
    {"x", 0, 1, 6, 0}, {"z", 1, 2, 5, 0}, {"w", 1, 2, 5, 5}, {"y", 0, 1, 4, 6}};

static void drawing(void)
{
    golden_by_hand("somas:space=shared", shared, 4);
    golden_by_hand("somas:space=single", single, 4);
    golden_by_hand("somas", shared, 4); /* one byte is no reason to give footprints up */
}

/* Peaks 11 and 10 times a size: a single space wins above 100 MiB only.  */
static void winner(void)
{
    const int64_t mebi = INT64_C(1) << 20;
    struct instance *instance = golden_rows(shared, 4, 100 * mebi);

    is_int(run_solver_peak("somas", instance), 1100 * mebi, "100 MiB less are not enough");
    instance_free(instance);
    instance = golden_rows(shared, 4, 100 * mebi + 1);
    is_int(run_solver_peak("somas", instance), 1000 * mebi + 10, "a few bytes more are");
    instance_free(instance);
}

/* f founds a footprint that nobody else fits in, g the one behind it, [50, 86); there
 * a stands at 50, b at 62, c at 71, d at 79 and, when e comes, the 12 bytes of a and the
 * 8 of c are free.  As shipped, footprints after the first always take the tightest.  */
static void later_footprints(void)
{
    static const struct golden_row best[] = {
        {"f", 0, 3, 50, 0}, {"g", 0, 1, 36, 50}, {"a", 1, 2, 12, 50}, {"b", 1, 3, 9, 62},
        {"c", 1, 2, 8, 71}, {"d", 1, 3, 7, 79},  {"e", 2, 3, 6, 71}};
    static const struct golden_row lowest[] = {
        {"f", 0, 3, 50, 0}, {"g", 0, 1, 36, 50}, {"a", 1, 2, 12, 50}, {"b", 1, 3, 9, 62},
        {"c", 1, 2, 8, 71}, {"d", 1, 3, 7, 79},  {"e", 2, 3, 6, 50}};

    golden_by_hand("somas:space=shared,fit=best", best, 7);
    golden_by_hand("somas:space=shared,fit=lowest", best, 7);
    golden_by_hand("somas:space=shared,fit=lowest,later=same", lowest, 7);
    golden_by_hand("somas:space=single,fit=best", best, 7);
    golden_by_hand("somas:space=single,fit=lowest", lowest, 7);
}

/* Outputs of the network come before larger buffers.  */
static void outputs_first(void)
{
    struct instance *instance = instance_of("squeezenet1_1:io=outputs");
    struct plan *plan;
    const struct origin *origin = instance->origin;
    int seen = 0;

    plan = solver_plan("somas:space=single,fit=lowest", instance, 1);
    for (size_t v = 0; v < origin->network->n_values; v++)
        if (origin->buffer[v] != SIZE_MAX && origin->network->value[v].output) {
            is_int(plan->offset[origin->buffer[v]], 0, "the network's output was placed first");
            seen++;
        }
    is_int(seen, 1, "it has one");
    plan_free(plan);
    instance_free(instance);
}

/* --- the plain version --- */

struct interval {
    int64_t lower, upper;
};

struct slot {
    int64_t start;
    struct slot *next;
    size_t count;
    size_t *member;
};

static struct slot *slot_new(int64_t start, size_t n)
{
    struct slot *slot = memory_zalloc(1, sizeof *slot);

    slot->start = start;
    slot->member = memory_alloc(n, sizeof *slot->member);
    return slot;
}

static int compare(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;

    return ORDER(x->lower, y->lower) ?: ORDER(x->upper, y->upper);
}

struct candidate {
    bool found;
    int64_t offset, rest;
};

static void consider(struct candidate *best, int64_t from, int64_t to, const struct buffer *buffer,
                     bool lowest)
{
    int64_t offset = align_up(from, buffer->alignment), rest = to - offset - buffer->size;
    bool better = lowest ? offset < best->offset || (offset == best->offset && rest < best->rest)
                         : rest < best->rest || (rest == best->rest && offset < best->offset);

    if (rest >= 0 && (!best->found || better))
        *best = (struct candidate){true, offset, rest};
}

static bool plain_find(const struct instance *instance, const struct slot *slot, bool limited,
                       bool lowest, size_t b, struct plan *plan)
{
    const struct buffer *buffer = &instance->buffer[b];
    struct interval *taken = memory_alloc(slot->count, sizeof *taken);
    struct candidate best = {false, 0, 0};
    int64_t top = slot->start;
    size_t count = 0;

    for (size_t i = 0; i < slot->count; i++) {
        size_t m = slot->member[i];

        if (buffers_overlap_in_time(buffer, &instance->buffer[m]))
            taken[count++] =
                (struct interval){plan->offset[m], plan->offset[m] + instance->buffer[m].size};
    }
    if (limited && buffers_overlap_in_time(buffer, &instance->buffer[slot->member[0]])) {
        free(taken);
        return false;
    }
    qsort(taken, count, sizeof *taken, compare);
    for (size_t i = 0; i < count; i++) {
        if (taken[i].lower > top)
            consider(&best, top, taken[i].lower, buffer, lowest);
        top = max64(top, taken[i].upper);
    }
    consider(&best, top, limited ? slot->next->start : INT64_MAX, buffer, lowest);
    free(taken);
    if (best.found)
        plan->offset[b] = best.offset;
    return best.found;
}

static void plain_pass(const struct instance *instance, bool limited, bool lowest, bool later,
                       struct plan *plan)
{
    struct slot *row = slot_new(0, instance->n), *next;
    size_t *order = plain_order(instance, plain_larger, false);

    for (size_t i = 0; i < instance->n; i++) {
        size_t b = order[i];
        struct slot *slot = row;

        while (slot->next != NULL &&
               !plain_find(instance, slot, limited, slot == row ? lowest : later, b, plan))
            slot = slot->next;
        if (slot->next == NULL) {
            plan->offset[b] = align_up(slot->start, instance->buffer[b].alignment);
            slot->next = slot_new(plan->offset[b] + instance->buffer[b].size, instance->n);
        }
        slot->member[slot->count++] = b;
    }
    for (; row != NULL; row = next) {
        next = row->next;
        free(row->member);
        free(row);
    }
    free(order);
    plan->peak = plan_peak(instance, plan);
}

static const struct pass {
    const char *spec;
    bool limited, lowest, later;
} passes[] = {
    {"somas:space=shared,fit=best", true, false, false},
    {"somas:space=shared,fit=lowest", true, true, false},
    {"somas:space=shared,fit=lowest,later=same", true, true, true},
    {"somas:space=single,fit=best", false, false, false},
    {"somas:space=single,fit=lowest", false, true, true},
};
enum { PASSES = sizeof passes / sizeof passes[0] };

static bool same(const struct instance *instance, const struct pass *pass)
{
    struct plan *fast = solver_plan(pass->spec, instance, 1), *plain = plan_new(instance);
    bool good;

    plain_pass(instance, pass->limited, pass->lowest, pass->later, plain);
    good = same_plan(pass->spec, instance, fast, plain);
    plan_free(fast);
    plan_free(plain);
    return good;
}

static void random_ones(void)
{
    struct rng *rng = rng_new(512);
    int rounds = tap_tier(20, 120), good[PASSES] = {0}, best = 0, winners = 0;

    for (int round = 0; round < rounds; round++)
        for (size_t kind = 0; kind < RANDOM_KINDS; kind++) {
            struct instance *instance =
                random_instance(rng, (enum random_kind)kind, (size_t)rng_range(rng, 0, 60));
            int64_t least_shared, least_single, most = INT64_C(100) << 20;

            for (size_t p = 0; p < PASSES; p++)
                good[p] += same(instance, &passes[p]);
            least_shared = run_solver_peak("somas:space=shared", instance);
            least_single = run_solver_peak("somas:space=single", instance);
            best += least_single == min64(run_solver_peak(passes[3].spec, instance),
                                          run_solver_peak(passes[4].spec, instance));
            winners += run_solver_peak("somas", instance) ==
                       (least_shared - least_single > most ? least_single : least_shared);
            instance_free(instance);
        }
    for (size_t p = 0; p < PASSES; p++)
        is_int(good[p], rounds * RANDOM_KINDS, "%s gives the plain version's offsets",
               passes[p].spec);
    is_int(best, rounds * RANDOM_KINDS, "in one space the better fit is taken");
    is_int(winners, rounds * RANDOM_KINDS, "the winner is picked by its rule");
    rng_free(rng);
}

int main(void)
{
    drawing();
    winner();
    later_footprints();
    outputs_first();
    random_ones();
    return tap_done();
}
