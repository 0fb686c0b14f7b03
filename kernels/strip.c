#include <config.h>

#include "kernels/strip.h"

#include <stdlib.h>
#include <string.h>

#include "lib/checked.h"
#include "lib/memory.h"

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

static void add_call(struct strip *strip, struct strip_call call)
{
    strip->call =
        memory_grow(strip->call, &strip->call_capacity, strip->calls + 1, sizeof *strip->call);
    strip->call[strip->calls++] = call;
}

/* The columns of [Q, Q + WIDTH) where tap TAP hits real input.  */
static struct strip_call tap_columns(const struct axis *axis, int64_t q, int64_t width, int64_t tap)
{
    int64_t at = tap * axis->dilation - axis->pad;
    int64_t low = max64(q, divide_up(-at, axis->stride));
    int64_t high = min64(q + width, divide_down(axis->length - 1 - at, axis->stride) + 1);

    return (struct strip_call){low, max64(0, high - low), tap, 1};
}

/* The calls for the taps [TAP, END), which miss some of the columns.  */
static void add_partial(struct strip *strip, const struct axis *axis, int64_t q, int64_t width,
                        int64_t tap, int64_t end)
{
    while (tap < end) {
        struct strip_call call = tap_columns(axis, q, width, tap);

        for (tap++; tap < end; tap++) {
            struct strip_call next = tap_columns(axis, q, width, tap);

            if (next.q != call.q || next.width != call.width)
                break;
            call.taps++;
        }
        if (call.width > 0)
            add_call(strip, call);
    }
}

static void add_tile(struct strip *strip, const struct axis *axis, int64_t q, int64_t width,
                     bool merge)
{
    struct strip_segment *last = strip->segments > 0 ? &strip->segment[strip->segments - 1] : NULL;
    int64_t low, high, unused;
    bool whole;

    axis_taps(axis, q, &low, &unused);
    axis_taps(axis, q + width - 1, &unused, &high);
    high = max64(low, high);
    whole = low == 0 && high == axis->taps;
    if (merge && whole && last != NULL && last->width == width && last->calls == 1 &&
        strip->call[last->first_call].taps == axis->taps) {
        last->tiles++;
        return;
    }
    strip->segment = memory_grow(strip->segment, &strip->segment_capacity, strip->segments + 1,
                                 sizeof *strip->segment);
    last = &strip->segment[strip->segments++];
    *last = (struct strip_segment){q, width, 1, strip->calls, 0};
    add_call(strip, (struct strip_call){q, width, low, high - low});
    add_partial(strip, axis, q, width, 0, low);
    add_partial(strip, axis, q, width, high, axis->taps);
    last->calls = strip->calls - last->first_call;
}

void strip_make(struct strip *strip, const struct axis *axis, int64_t width, int64_t widest,
                bool merge)
{
    int64_t tiles = divide_up(width, widest), wider = width % tiles;

    memset(strip, 0, sizeof *strip);
    for (int64_t i = 0, q = 0; i < tiles; i++) {
        int64_t w = width / tiles + (i < wider);

        add_tile(strip, axis, q, w, merge);
        q += w;
    }
}

void strip_free(struct strip *strip)
{
    free(strip->segment);
    free(strip->call);
    memset(strip, 0, sizeof *strip);
}
