/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/disjunctive/pairs_bars.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/base/timer.h"
#include "lib/place/dsa_pieces.h"

/* Bars between two looks at the clock: a millisecond or two.  */
enum { LOOK_BARS = 200000 };

struct bars {
    const struct dsa_piece *piece;
    bool both;
    double deadline;
    bool late;
    size_t count, capacity, seen; /* seen: when the clock was looked at */
    struct pairs_bar *bar;
};

static void bars_add(struct bars *bars, const struct dsa_piece *a, const struct dsa_piece *b)
{
    bars->bar = memory_grow(bars->bar, &bars->capacity, bars->count + 1, sizeof *bars->bar);
    bars->bar[bars->count++] =
        (struct pairs_bar){a->buffer, b->buffer, a->lo - b->hi, a->hi - b->lo};
}

static void bars_add_pair(void *context, size_t i, size_t j)
{
    struct bars *bars = context;
    const struct dsa_piece *a = &bars->piece[i], *b = &bars->piece[j];

    if (bars->count - bars->seen >= LOOK_BARS) {
        bars->seen = bars->count;
        bars->late = timer_now() >= bars->deadline;
    }
    if (bars->late)
        return;
    if (bars->both || a->buffer < b->buffer)
        bars_add(bars, a, b);
    if (bars->both || a->buffer > b->buffer)
        bars_add(bars, b, a);
}

static int compare_bars(const void *p, const void *q)
{
    const struct pairs_bar *x = p, *y = q;

    return ORDER(x->a, y->a) ?: ORDER(x->b, y->b) ?: ORDER(x->below, y->below) ?:
           ORDER(x->above, y->above);
}

/* Open intervals that only touch leave a number between them.  */
static size_t join_bars(struct pairs_bar *bar, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        struct pairs_bar *last = &bar[kept - (kept > 0)];

        if (kept > 0 && last->a == bar[i].a && last->b == bar[i].b && bar[i].below < last->above)
            last->above = max64(last->above, bar[i].above);
        else
            bar[kept++] = bar[i];
    }
    return kept;
}

size_t pairs_bars_find(const struct dsa_piece *piece, size_t pieces, bool both, double deadline,
                       struct pairs_bar **bar)
{
    struct bars bars = {.piece = piece, .both = both, .deadline = deadline};

    dsa_pieces_each_pair(piece, pieces, bars_add_pair, &bars);
    *bar = bars.bar;
    if (bars.late)
        return SIZE_MAX;
    if (bars.count > 0)
        sort_stable(bars.bar, bars.count, sizeof *bars.bar, compare_bars);
    return join_bars(bars.bar, bars.count);
}
