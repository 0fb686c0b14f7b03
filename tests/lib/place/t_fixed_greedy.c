/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Greedy plans around fixed buffers: against first fit written plainly, and the verifier.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/verify.h"
#include "lib/place/best_greedy.h"
#include "lib/place/shape_fit.h"
#include "lib/place/time_parts.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/fixed_case.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

/* Whether A at X and B at Y share a step and a byte, as rectangles.  */
static bool meet(const struct buffer *a, int64_t x, const struct buffer *b, int64_t y)
{
    return buffers_overlap_in_time(a, b) && x < y + b->size && y < x + a->size;
}

static bool fits(const struct instance *instance, const bool *placed, const int64_t *offset,
                 size_t b, int64_t at)
{
    for (size_t a = 0; a < instance->n; a++)
        if (placed[a] && meet(&instance->buffer[b], at, &instance->buffer[a], offset[a]))
            return false;
    return true;
}

/* The lowest free offset is 0 or where something ends, aligned.  */
static int64_t lowest(const struct instance *instance, const bool *placed, const int64_t *offset,
                      size_t b)
{
    int64_t alignment = instance->buffer[b].alignment, least = INT64_MAX;

    if (fits(instance, placed, offset, b, 0))
        return 0;
    for (size_t a = 0; a < instance->n; a++) {
        int64_t at;

        if (!placed[a])
            continue;
        at = align_up(offset[a] + instance->buffer[a].size, alignment);
        if (at < least && fits(instance, placed, offset, b, at))
            least = at;
    }
    return least;
}

/* The largest that is not placed; ties to the longer life, then the index.  */
static size_t next_by_size(const struct instance *instance, const bool *placed)
{
    size_t best = SIZE_MAX;

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *own = &instance->buffer[b];
        const struct buffer *other = best != SIZE_MAX ? &instance->buffer[best] : NULL;

        if (placed[b])
            continue;
        if (other == NULL || own->size > other->size ||
            (own->size == other->size && own->end - own->begin > other->end - other->begin))
            best = b;
    }
    return best;
}

static bool first_fit_is_plain(const struct instance *instance)
{
    bool *placed = memory_zalloc(instance->n, sizeof *placed), same = true;
    int64_t *offset = memory_zalloc(instance->n, sizeof *offset);
    struct plan *plan = plan_new(instance);
    size_t b;

    greedy_plan(instance, 0, NULL, plan);
    for (b = 0; b < instance->n; b++)
        if (instance->buffer[b].fixed >= 0) {
            placed[b] = true;
            offset[b] = instance->buffer[b].fixed;
        }
    while ((b = next_by_size(instance, placed)) != SIZE_MAX) {
        offset[b] = lowest(instance, placed, offset, b);
        placed[b] = true;
    }
    for (b = 0; b < instance->n; b++)
        same = same && offset[b] == plan->offset[b];
    plan_free(plan);
    free(offset);
    free(placed);
    return same;
}

static bool all_valid(const struct instance *instance)
{
    size_t *part = memory_alloc(instance->n, sizeof *part);
    size_t parts = time_parts(instance, part), plans = greedy_plans();
    struct plan *plan = plan_new(instance), *best = plan_new(instance);
    struct error error = {""};
    bool good = plans > 1;

    best_greedy(instance, part, parts, INFINITY, best);
    good = good && verify_plan(instance, best, &error);
    for (size_t p = 0; p < plans && good; p++) {
        greedy_plan(instance, p, NULL, plan);
        good = verify_plan(instance, plan, &error) && plan->peak >= best->peak;
    }
    shape_place_best(instance, plan);
    good = good && verify_plan(instance, plan, &error);
    if (!good)
        tap_diag("%s of %zu: %s", instance->name, instance->n, error.text);
    plan_free(plan);
    plan_free(best);
    free(part);
    return good;
}

/* INSTANCE's buffers, some of them fixed.  */
static struct instance *fix_some(struct rng *rng, const struct instance *instance)
{
    struct instance *copy = instance_new(instance->name);
    int64_t high = rng_range(rng, 0, 1) == 0 ? instance->load / 2 : instance->load;

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        instance_add(copy, buffer->id, buffer->begin, buffer->end, buffer->size, buffer->alignment);
    }
    fixed_case_fix(rng, copy, (size_t)rng_range(rng, 1, 1 + (int64_t)instance->n / 3), high);
    return copy;
}

static void random_rectangles(void)
{
    struct rng *rng = rng_new(281);
    int64_t rounds = tap_tier(10, 150);

    for (enum random_kind kind = 0; kind < RANDOM_KINDS; kind++) {
        int64_t plain = 0, valid = 0, tried = 0;

        for (int64_t r = 0; r < rounds; r++) {
            struct instance *all = random_instance(rng, kind, (size_t)(1 + r % 60));
            struct instance *instance = fix_some(rng, all);

            /* Huge sizes leave no room above what is fixed.  */
            if (instance_seal(instance, NULL, NULL)) {
                tried++;
                plain += first_fit_is_plain(instance);
                valid += all_valid(instance);
            }
            instance_free(instance);
            instance_free(all);
        }
        is_int(plain, tried, "%s: first fit by size is the plain one", random_kind_name(kind));
        is_int(valid, tried, "%s: all plans are valid, and none below the best",
               random_kind_name(kind));
        ok(tried > rounds / 4, "%d of %d could be made", (int)tried, (int)rounds);
    }
    rng_free(rng);
}

static void random_pieces(void)
{
    struct rng *rng = rng_new(282);
    int rounds = tap_tier(200, 4000), valid = 0;

    for (int r = 0; r < rounds; r++) {
        struct instance *instance = fixed_case_random(rng, true);

        valid += all_valid(instance);
        instance_free(instance);
    }
    is_int(valid, rounds, "pieces: all plans are valid");
    rng_free(rng);
}

/* More buffers than all orders are tried for, on few steps and on many.  */
static void many(void)
{
    const enum random_kind last = tap_tier(RANDOM_UNIFORM, RANDOM_CHAIN);
    struct rng *rng = rng_new(283);

    for (enum random_kind kind = RANDOM_UNIFORM; kind <= last; kind++) {
        struct instance *all = random_instance(rng, kind, 5100);
        struct instance *instance = sealed(fix_some(rng, all));

        ok(all_valid(instance), "many buffers: all plans are valid");
        ok(instance->fixed > 100, "%zu of them fixed", instance->fixed);
        instance_free(instance);
        instance_free(all);
    }
    rng_free(rng);
}

int main(void)
{
    random_rectangles();
    random_pieces();
    many();
    return tap_done();
}
