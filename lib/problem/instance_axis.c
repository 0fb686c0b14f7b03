/* SPDX-License-Identifier: Apache-2.0 */
/* The axis of an instance, and what a sweep along it tells: load, width, who meets whom.  */
#include <config.h>

#include "lib/problem/instance_private.h"

#include <stdbool.h>

#include "lib/base/bisect.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/problem/instance.h"
#include "lib/problem/pieces.h"

/* The distinct begins of all pieces, ascending; AT[p] is the one of piece p, by its number.  What
 * is sorted is freed before there is room for them.  */
static int64_t *list_steps(const struct instance *instance, uint32_t *at, size_t *count)
{
    size_t pieces = instance->pieces, steps = 0;
    struct order_key *begin = memory_alloc(pieces, sizeof *begin);
    int64_t *step;

    for (size_t p = 0; p < pieces; p++)
        begin[p] = (struct order_key){key_ascending(instance->piece[p].begin), 0, p};
    order_sort(begin, pieces);
    for (size_t i = 0; i < pieces; i++) {
        steps += i == 0 || begin[i].major != begin[i - 1].major;
        at[begin[i].index] = (uint32_t)(steps - 1);
    }
    memory_free(begin);
    step = memory_alloc(steps, sizeof *step);
    for (size_t p = 0; p < pieces; p++)
        step[at[p]] = instance->piece[p].begin;
    *count = steps;
    return step;
}

/* The last of STEP[FROM..STEPS) that is before END; the one at FROM is.  Doubling strides first:
 * most lives are short.  */
static uint32_t last_before(const int64_t *step, size_t steps, size_t from, int64_t end)
{
    size_t low = from, high = from + 1, stride = 1;

    while (high < steps && step[high] < end) {
        low = high;
        high = steps - high > stride ? high + stride : steps;
        stride *= 2;
    }
    return (uint32_t)(BISECT(i, low + 1, high, step[i] < end) - 1);
}

/* What changes at each step, by the differences to the one before.  */
struct changes {
    int64_t *bytes, *buffers;
};

static void add_change(struct changes *changes, size_t first, size_t last, int64_t bytes,
                       bool counts)
{
    changes->bytes[first] += bytes;
    changes->bytes[last + 1] -= bytes;
    changes->buffers[first] += counts;
    changes->buffers[last + 1] -= counts;
}

/* A buffer of several pieces.  One of their disjoint rectangles in which no piece begins has no
 * more bytes than the one before it, and nobody can meet it there first, so it may be left out.  Of
 * those that live at the same steps only the first counts for the width.  */
static void add_rectangles(struct changes *changes, const struct instance *instance,
                           const struct buffer *buffer, const int64_t *step)
{
    struct piece *piece;
    size_t count = pieces_disjoint(&instance->piece[buffer->first_piece], buffer->pieces, &piece);

    for (size_t i = 0; i < count; i++) {
        size_t first = BISECT(s, buffer->first, instance->steps, step[s] < piece[i].begin);

        if (first < instance->steps && step[first] < piece[i].end)
            add_change(changes, first, last_before(step, instance->steps, first, piece[i].end),
                       piece[i].hi - piece[i].lo, i == 0 || piece[i].begin != piece[i - 1].begin);
    }
    memory_free(piece);
}

static void sum_up(struct instance *instance, const struct changes *changes)
{
    int64_t load = 0, width = 0;

    for (size_t s = 0; s < instance->steps; s++) {
        load += changes->bytes[s];
        width += changes->buffers[s];
        instance->load = max64(instance->load, load);
        instance->width = max64(instance->width, width);
    }
    for (size_t b = 0; b < instance->n && instance->fixed > 0; b++)
        if (instance->buffer[b].fixed >= 0)
            instance->load =
                max64(instance->load, instance->buffer[b].fixed + instance->buffer[b].size);
}

void instance_set_axis(struct instance *instance)
{
    uint32_t *at = memory_alloc(instance->pieces, sizeof *at);
    struct changes changes;
    int64_t *step;

    step = list_steps(instance, at, &instance->steps);
    changes.bytes = memory_zalloc(2 * (instance->steps + 1), sizeof *changes.bytes);
    changes.buffers = changes.bytes + instance->steps + 1;
    for (size_t b = 0; b < instance->n; b++) {
        struct buffer *buffer = &instance->buffer[b];

        buffer->first = at[buffer->first_piece];
        for (size_t i = 1; i < buffer->pieces; i++)
            if (at[buffer->first_piece + i] < buffer->first)
                buffer->first = at[buffer->first_piece + i];
        buffer->last = last_before(step, instance->steps, buffer->first, buffer->end);
        if (buffer->pieces == 1)
            add_change(&changes, buffer->first, buffer->last,
                       instance->piece[buffer->first_piece].hi -
                           instance->piece[buffer->first_piece].lo,
                       true);
        else
            add_rectangles(&changes, instance, buffer, step);
    }
    sum_up(instance, &changes);
    memory_free(changes.bytes);
    memory_free(step);
    memory_free(at);
}

void instance_piece_steps(const struct instance *instance, uint32_t *first, uint32_t *last)
{
    size_t steps;
    int64_t *step = list_steps(instance, first, &steps);

    for (size_t p = 0; p < instance->pieces; p++)
        last[p] = last_before(step, steps, first[p], instance->piece[p].end);
    memory_free(step);
}

size_t *instance_conflicts(const struct instance *instance)
{
    size_t n = instance->n, steps = instance->steps, *count = memory_alloc(n, sizeof *count);
    size_t *begun = memory_zalloc(steps + 1, sizeof *begun); /* before step s */
    size_t *ended = memory_zalloc(steps + 1, sizeof *ended);

    for (size_t b = 0; b < n; b++) {
        begun[instance->buffer[b].first + 1]++;
        ended[instance->buffer[b].last + 1]++;
    }
    for (size_t s = 0; s < steps; s++) {
        begun[s + 1] += begun[s];
        ended[s + 1] += ended[s];
    }
    for (size_t b = 0; b < n; b++)
        count[b] = begun[instance->buffer[b].last + 1] - ended[instance->buffer[b].first] - 1;
    memory_free(begun);
    memory_free(ended);
    return count;
}

int64_t instance_overlapping_pairs(const struct instance *instance)
{
    size_t *count = instance_conflicts(instance);
    int64_t twice = 0;

    for (size_t b = 0; b < instance->n; b++)
        twice += (int64_t)count[b];
    memory_free(count);
    return twice / 2;
}
