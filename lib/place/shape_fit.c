/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/place/shape_fit.h"

#include <assert.h>
#include <math.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/base/timer.h"
#include "lib/place/orders.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

/* Buffers and offsets that are looked at between two looks at the clock: a millisecond or two.  */
enum { LOOK_WORK = 20000 };

/* Offsets that a buffer can't have: the open interval (lo, hi).  */
struct bar {
    int64_t lo, hi;
};

struct bars {
    struct bar *bar;
    size_t count, capacity;
};

static int compare_bars(const void *a, const void *b)
{
    const struct bar *x = a, *y = b;

    return ORDER(x->lo, y->lo) ?: ORDER(x->hi, y->hi);
}

/* What the buffer OTHER at OFFSET keeps buffer B from.  */
static void add_bars(struct bars *bars, const struct instance *instance, const struct buffer *b,
                     const struct buffer *other, int64_t offset)
{
    if (!buffers_conflict(b, other))
        return;
    for (size_t i = 0; i < b->pieces; i++)
        for (size_t k = 0; k < other->pieces; k++) {
            const struct piece *own = &instance->piece[b->first_piece + i];
            const struct piece *its = &instance->piece[other->first_piece + k];

            if (own->end <= its->begin || its->end <= own->begin)
                continue;
            bars->bar = memory_grow(bars->bar, &bars->capacity, bars->count + 1, sizeof *bars->bar);
            bars->bar[bars->count++] =
                (struct bar){offset + its->lo - own->hi, offset + its->hi - own->lo};
        }
}

static int64_t lowest(const struct bars *bars, int64_t alignment)
{
    int64_t at = 0;

    for (size_t i = 0; i < bars->count; i++)
        if (bars->bar[i].lo < at && at < bars->bar[i].hi)
            at = align_up(bars->bar[i].hi, alignment);
    return at;
}

/* What is placed before KEY[K], and what is fixed anywhere, which is placed, too.  */
static void find_bars(struct bars *bars, const struct instance *instance,
                      const struct order_key *key, size_t k, const struct plan *plan)
{
    size_t last = instance->fixed > 0 ? instance->n : k;

    bars->count = 0;
    for (size_t i = 0; i < last; i++) {
        const struct buffer *other = &instance->buffer[key[i].index];

        if (i < k || other->fixed >= 0)
            add_bars(bars, instance, &instance->buffer[key[k].index], other,
                     other->fixed >= 0 ? other->fixed : plan->offset[key[i].index]);
    }
}

bool shape_place_until(const struct instance *instance, const struct order_key *key,
                       double deadline, struct plan *plan)
{
    struct bars bars = {NULL, 0, 0};
    size_t work = 0;
    bool late = false;

    assert(plan->n == instance->n);
    for (size_t k = 0; k < instance->n && !late; k++) {
        const struct buffer *b = &instance->buffer[key[k].index];

        if (b->fixed >= 0) {
            plan->offset[key[k].index] = b->fixed;
            continue;
        }
        find_bars(&bars, instance, key, k, plan);
        if (bars.count > 0)
            sort_stable(bars.bar, bars.count, sizeof *bars.bar, compare_bars);
        plan->offset[key[k].index] = lowest(&bars, b->alignment);
        work += k + bars.count;
        late = work >= LOOK_WORK && timer_now() >= deadline;
        work = work >= LOOK_WORK ? 0 : work;
    }
    memory_free(bars.bar);
    if (late)
        return false;
    plan->peak = plan_peak(instance, plan);
    CHECK_INVARIANT(plan_check(instance, plan));
    return true;
}

void shape_place(const struct instance *instance, const struct order_key *key, struct plan *plan)
{
    (void)shape_place_until(instance, key, INFINITY, plan);
}

bool shape_place_best_until(const struct instance *instance, double deadline, struct plan *plan)
{
    static const enum greedy_measure orders[] = {BY_SIZE, BY_AREA, BY_LENGTH, BY_BEGIN};
    struct order_key *key = memory_alloc(instance->n, sizeof *key);
    struct plan *trial = plan_new(instance);
    bool planned = false;

    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        greedy_order(instance, orders[o], BY_SIZE, NULL, key);
        if (!shape_place_until(instance, key, deadline, trial))
            break;
        if (!planned || trial->peak < plan->peak)
            plan_copy(plan, trial);
        planned = true;
        if (plan->peak == instance->load)
            break;
    }
    plan_free(trial);
    memory_free(key);
    return planned;
}

void shape_place_best(const struct instance *instance, struct plan *plan)
{
    (void)shape_place_best_until(instance, INFINITY, plan);
}
