#include <config.h>

#include "solvers/common/shape_fit.h"

#include <stdlib.h>

#include "lib/checked.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/plan.h"

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

    if (x->lo != y->lo)
        return x->lo < y->lo ? -1 : 1;
    return (x->hi > y->hi) - (x->hi < y->hi);
}

/* What the buffer OTHER at OFFSET keeps buffer B from.  */
static void add_bars(struct bars *bars, const struct instance *instance, const struct buffer *b,
                     const struct buffer *other, int64_t offset)
{
    if (!buffers_overlap_in_time(b, other))
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

void shape_place(const struct instance *instance, const struct order_key *key, struct plan *plan)
{
    struct bars bars = {NULL, 0, 0};

    for (size_t k = 0; k < instance->n; k++) {
        const struct buffer *b = &instance->buffer[key[k].index];

        bars.count = 0;
        for (size_t i = 0; i < k; i++)
            add_bars(&bars, instance, b, &instance->buffer[key[i].index],
                     plan->offset[key[i].index]);
        if (bars.count > 0)
            qsort(bars.bar, bars.count, sizeof *bars.bar, compare_bars);
        plan->offset[key[k].index] = lowest(&bars, b->alignment);
    }
    free(bars.bar);
    plan->peak = plan_peak(instance, plan);
}
