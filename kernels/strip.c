/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/strip.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"

/* a / b rounded up and down, b > 0.  */
static int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b > 0);
}

static int64_t divide_down(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

void axis_taps(const struct axis *axis, int64_t out, int64_t *low, int64_t *high)
{
    int64_t from = out * axis->stride - axis->pad; /* where tap 0 falls */

    *low = min64(max64(0, divide_up(-from, axis->dilation)), axis->taps);
    *high = min64(axis->taps, divide_down(axis->length - 1 - from, axis->dilation) + 1);
    if (*high < *low)
        *high = *low;
}

/* The taps of the tile at SEGMENT->q, and a mask for each of them at the end of
 * the strip's masks.  */
static void find_taps(struct strip *strip, const struct axis *axis, struct strip_segment *segment)
{
    const uint32_t all = (uint32_t)((UINT64_C(1) << segment->width) - 1);
    int64_t low, high, from = axis->taps, to = 0;
    uint32_t *mask;

    strip->mask = memory_grow(strip->mask, &strip->mask_capacity, strip->masks + (size_t)axis->taps,
                              sizeof *strip->mask);
    mask = &strip->mask[strip->masks];
    memset(mask, 0, (size_t)axis->taps * sizeof *mask);
    for (int64_t i = 0; i < segment->width; i++) {
        axis_taps(axis, segment->q + i, &low, &high);
        if (low == high)
            continue;
        from = min64(from, low);
        to = max64(to, high);
        for (int64_t tap = low; tap < high; tap++)
            mask[tap] |= UINT32_C(1) << i;
    }
    segment->tap = min64(from, to);
    segment->taps = to - segment->tap;
    memmove(mask, mask + segment->tap, (size_t)segment->taps * sizeof *mask);
    segment->mask = (int64_t)strip->masks;
    segment->whole = true;
    for (int64_t tap = 0; tap < segment->taps; tap++)
        segment->whole = segment->whole && mask[tap] == all;
}

static bool alike(const struct strip *strip, const struct strip_segment *a,
                  const struct strip_segment *b)
{
    return a->width == b->width && a->tap == b->tap && a->taps == b->taps &&
           memcmp(&strip->mask[a->mask], &strip->mask[b->mask],
                  (size_t)a->taps * sizeof *strip->mask) == 0;
}

static void add_tile(struct strip *strip, const struct axis *axis, int64_t q, int64_t width,
                     bool merge)
{
    struct strip_segment tile = {.q = q, .width = width, .tiles = 1};
    struct strip_segment *last = strip->segments > 0 ? &strip->segment[strip->segments - 1] : NULL;

    find_taps(strip, axis, &tile);
    if (merge && last != NULL && alike(strip, last, &tile)) {
        last->tiles++;
        return;
    }
    strip->segment = memory_grow(strip->segment, &strip->segment_capacity, strip->segments + 1,
                                 sizeof *strip->segment);
    strip->segment[strip->segments++] = tile;
    strip->masks += (size_t)tile.taps;
}

/* The tiles stand side by side, and each knows which taps hit real input for which outputs.  */
static void check_strip(const struct strip *strip, const struct axis *axis, int64_t width,
                        int64_t widest)
{
    int64_t q = 0;

    for (size_t i = 0; i < strip->segments; i++) {
        const struct strip_segment *segment = &strip->segment[i];

        CHECK(segment->q == q && segment->width > 0 && segment->width <= widest, "strip",
              "a tile begins where the one before it ends, and is no wider than the widest");
        for (int64_t at = q; at < q + segment->width * segment->tiles; at++)
            for (int64_t tap = 0; tap < axis->taps; tap++) {
                int64_t input = at * axis->stride - axis->pad + tap * axis->dilation;
                int64_t own = tap - segment->tap;
                bool hit = own >= 0 && own < segment->taps &&
                           (strip_masks(strip, segment)[own] >> (at - q) % segment->width & 1);

                CHECK(hit == (input >= 0 && input < axis->length), "strip",
                      "a mask says for which outputs a tap hits real input");
            }
        q += segment->width * segment->tiles;
    }
    CHECK(q == width, "strip", "the tiles cover the axis");
}

void strip_make(struct strip *strip, const struct axis *axis, int64_t width, int64_t widest,
                bool merge)
{
    int64_t tiles = divide_up(width, widest), wider = width % tiles;

    assert(width > 0 && widest > 0 && widest <= STRIP_WIDEST && axis->stride > 0);
    memset(strip, 0, sizeof *strip);
    for (int64_t i = 0, q = 0; i < tiles; i++) {
        int64_t w = width / tiles + (i < wider);

        add_tile(strip, axis, q, w, merge);
        q += w;
    }
    CHECK_INVARIANT(check_strip(strip, axis, width, widest));
}

void strip_free(struct strip *strip)
{
    free(strip->segment);
    free(strip->mask);
    memset(strip, 0, sizeof *strip);
}

const uint32_t *strip_masks(const struct strip *strip, const struct strip_segment *segment)
{
    return &strip->mask[segment->mask];
}

int64_t strip_hits(const struct strip *strip, const struct strip_segment *segment)
{
    int64_t hits = 0;

    for (int64_t tap = 0; tap < segment->taps; tap++)
        hits += __builtin_popcount(strip->mask[segment->mask + tap]);
    return hits;
}
