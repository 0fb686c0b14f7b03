/* SPDX-License-Identifier: Apache-2.0 */
/* What a sweep over the steps of an instance tells: load, width, overlapping
 * pairs.  */
#include <config.h>

#include "lib/problem/instance_private.h"

#include <stdbool.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/problem/instance.h"
#include "lib/problem/pieces.h"

struct load_event {
    int64_t time;
    int64_t bytes; /* change of the bytes in use */
    int64_t count; /* change of the number of live buffers */
};

/* At one time what ends comes first: the running sum then never exceeds the
 * load, which fits.  */
static int compare_events(const void *a, const void *b)
{
    const struct load_event *x = a, *y = b;

    return ORDER(x->time, y->time) ?: ORDER(x->bytes, y->bytes);
}

/* Adds the two events of a rectangle that COUNTS as a live buffer or not.  */
static size_t add_events(struct load_event *event, size_t events, const struct piece *piece,
                         bool counts)
{
    event[events] = (struct load_event){piece->begin, piece->hi - piece->lo, counts};
    event[events + 1] = (struct load_event){piece->end, piece->lo - piece->hi, -(int64_t)counts};
    return events + 2;
}

/* All events of the instance, in no order.  Of the disjoint rectangles of one
 * buffer that live at the same steps only the first counts for the width.  */
static size_t collect_events(const struct instance *instance, struct load_event **events)
{
    struct load_event *event = NULL;
    size_t capacity = 0, count = 0;

    event = memory_grow(event, &capacity, 2 * instance->pieces, sizeof *event);
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        const struct piece *piece = &instance->piece[buffer->first_piece];
        struct piece *disjoint;
        size_t pieces;

        if (buffer->pieces == 1) {
            event = memory_grow(event, &capacity, count + 2, sizeof *event);
            count = add_events(event, count, piece, true);
            continue;
        }
        pieces = pieces_disjoint(piece, buffer->pieces, &disjoint);
        event = memory_grow(event, &capacity, count + 2 * pieces, sizeof *event);
        for (size_t i = 0; i < pieces; i++)
            count = add_events(event, count, &disjoint[i],
                               i == 0 || disjoint[i].begin != disjoint[i - 1].begin);
        memory_free(disjoint);
    }
    *events = event;
    return count;
}

void instance_compute_load(struct instance *instance)
{
    struct load_event *event;
    size_t events = collect_events(instance, &event);
    int64_t load = 0, width = 0;

    sort_stable(event, events, sizeof *event, compare_events);
    for (size_t i = 0; i < events;) {
        int64_t time = event[i].time;

        for (; i < events && event[i].time == time; i++) {
            load += event[i].bytes;
            width += event[i].count;
        }
        instance->load = max64(instance->load, load);
        instance->width = max64(instance->width, width);
    }
    for (size_t b = 0; b < instance->n && instance->fixed > 0; b++)
        if (instance->buffer[b].fixed >= 0)
            instance->load =
                max64(instance->load, instance->buffer[b].fixed + instance->buffer[b].size);
    memory_free(event);
}

int64_t instance_overlapping_pairs(const struct instance *instance)
{
    size_t n = instance->n, ended = 0;
    int64_t *begin = memory_alloc(n, sizeof *begin), *end = memory_alloc(n, sizeof *end);
    int64_t pairs = 0;

    for (size_t b = 0; b < n; b++) {
        begin[b] = instance->buffer[b].begin;
        end[b] = instance->buffer[b].end;
    }
    sort_stable(begin, n, sizeof *begin, compare64);
    sort_stable(end, n, sizeof *end, compare64);
    for (size_t i = 0; i < n; i++) {
        while (end[ended] <= begin[i])
            ended++;
        pairs += (int64_t)(i - ended); /* those that are still alive */
    }
    memory_free(begin);
    memory_free(end);
    return pairs;
}
