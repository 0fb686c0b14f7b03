/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/oracles/plain_shipped.h"

#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/oracles/plain_planners.h"

static int64_t end_of(const struct instance *instance, const struct plan *plan, size_t b)
{
    return plan->offset[b] + instance->buffer[b].size;
}

static bool openvino_before(const struct instance *instance, size_t a, size_t b)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];

    if (x->size != y->size)
        return x->size > y->size;
    return x->begin != y->begin ? x->begin < y->begin : x->end < y->end;
}

/* Lifts buffer B above all of PLACED[0..count) that it meets, until a pass lifts it no more.  */
static void lift(const struct instance *instance, const size_t *placed, size_t count, size_t b,
                 struct plan *plan)
{
    const struct buffer *buffer = instance->buffer;
    bool lifted = true;

    plan->offset[b] = 0;
    while (lifted) {
        lifted = false;
        for (size_t i = 0; i < count; i++) {
            size_t other = placed[i];

            if (!buffers_overlap_in_time(&buffer[other], &buffer[b]) ||
                end_of(instance, plan, other) <= plan->offset[b] ||
                end_of(instance, plan, b) <= plan->offset[other])
                continue;
            plan->offset[b] = align_up(end_of(instance, plan, other), buffer[b].alignment);
            lifted = true;
        }
    }
}

void plain_openvino(const struct instance *instance, struct plan *plan)
{
    size_t *order = plain_order(instance, openvino_before, false);

    for (size_t i = 0; i < instance->n; i++)
        lift(instance, order, i, order[i], plan);
    plan->peak = plan_peak(instance, plan);
    free(order);
}

struct plain_slot {
    int64_t offset, begin, end;
};

/* In the order in which they were made.  */
struct plain_slots {
    struct plain_slot *slot;
    size_t count, capacity;
};

static void put_slot(struct plain_slots *slots, int64_t offset, int64_t begin, int64_t end)
{
    slots->slot = memory_grow(slots->slot, &slots->capacity, slots->count + 1, sizeof *slots->slot);
    slots->slot[slots->count++] = (struct plain_slot){offset, begin, end};
}

static struct plain_slot take_slot(struct plain_slots *slots)
{
    struct plain_slot lowest;
    size_t at = 0;

    for (size_t i = 1; i < slots->count; i++)
        if (slots->slot[i].offset < slots->slot[at].offset)
            at = i;
    lowest = slots->slot[at];
    slots->count--;
    for (size_t i = at; i < slots->count; i++)
        slots->slot[i] = slots->slot[i + 1];
    return lowest;
}

static bool in_slot(const struct buffer *buffer, const struct plain_slot *slot)
{
    return buffer->begin < slot->end && slot->begin < buffer->end;
}

/* Whether BUFFER meets FIRST and none of the others.  */
static bool in_it_alone(const struct buffer *buffer, const struct plain_slot *first,
                        const struct plain_slots *others)
{
    if (!in_slot(buffer, first))
        return false;
    for (size_t i = 0; i < others->count; i++)
        if (in_slot(buffer, &others->slot[i]))
            return false;
    return true;
}

static void split_slot(struct plain_slots *slots, const struct plain_slot *slot,
                       const struct buffer *buffer, int64_t top)
{
    put_slot(slots, top, max64(slot->begin, buffer->begin), min64(slot->end, buffer->end));
    if (slot->begin < buffer->begin)
        put_slot(slots, slot->offset, slot->begin, buffer->end);
    if (buffer->end < slot->end)
        put_slot(slots, slot->offset, buffer->begin, slot->end);
}

static void triton_guess(const struct instance *instance, const size_t *order, struct plan *plan)
{
    struct plain_slots slots = {0};
    bool *placed = memory_zalloc(instance->n, sizeof *placed);

    put_slot(&slots, 0, INT64_MIN, INT64_MAX);
    for (size_t left = instance->n; left > 0;) {
        struct plain_slot slot = take_slot(&slots);
        size_t i = 0, b;

        while (i < instance->n &&
               (placed[order[i]] || !in_it_alone(&instance->buffer[order[i]], &slot, &slots)))
            i++;
        if (i == instance->n)
            continue;
        b = order[i];
        plan->offset[b] = align_up(slot.offset, instance->buffer[b].alignment);
        split_slot(&slots, &slot, &instance->buffer[b], end_of(instance, plan, b));
        placed[b] = true;
        left--;
    }
    free(placed);
    free(slots.slot);
}

/* NEAR[a * n + b]: they overlap.  Whether any do.  */
static bool interfere(const struct instance *instance, const struct plan *plan, bool *near)
{
    bool any = false;

    for (size_t a = 0; a < instance->n; a++)
        for (size_t b = 0; b < instance->n; b++) {
            near[a * instance->n + b] =
                a != b && buffers_overlap_in_time(&instance->buffer[a], &instance->buffer[b]) &&
                plan->offset[a] < end_of(instance, plan, b) &&
                plan->offset[b] < end_of(instance, plan, a);
            any = any || near[a * instance->n + b];
        }
    return any;
}

/* COLOUR[b] is below 0 for one that has none.  */
static int least_colour(size_t n, const bool *near, const int *colour, size_t b)
{
    for (int least = 0;; least++) {
        size_t other = 0;

        while (other < n && !(near[b * n + other] && colour[other] == least))
            other++;
        if (other == n)
            return least;
    }
}

void plain_triton(const struct instance *instance, struct plan *plan)
{
    size_t n = instance->n, *order = plain_order(instance, plain_larger, false);
    bool *near = memory_alloc(n * n, sizeof *near);
    int *colour = memory_alloc(n, sizeof *colour);

    triton_guess(instance, order, plan);
    while (interfere(instance, plan, near)) {
        for (size_t b = 0; b < n; b++)
            colour[b] = -1;
        for (size_t i = 0; i < n; i++)
            colour[order[i]] = least_colour(n, near, colour, order[i]);
        for (size_t i = 0; i < n; i++) {
            size_t b = order[i];
            int64_t top = 0;

            for (size_t other = 0; other < n; other++)
                if (near[b * n + other])
                    top = max64(top, end_of(instance, plan, other));
            if (colour[b] != 0)
                plan->offset[b] = align_up(top, instance->buffer[b].alignment);
        }
    }
    plan->peak = plan_peak(instance, plan);
    free(order);
    free(near);
    free(colour);
}

static bool earlier(const struct instance *instance, size_t a, size_t b)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];

    return x->begin != y->begin ? x->begin < y->begin : x->end < y->end;
}

/* Version 1.  */
void plain_nntrainer(const struct instance *instance, struct plan *plan)
{
    const struct buffer *buffer = instance->buffer;
    size_t *order = plain_order(instance, earlier, false), count = 0;
    size_t *stack = memory_alloc(instance->n, sizeof *stack);

    for (size_t i = 0; i < instance->n; i++) {
        size_t b = order[i], at;

        while (count > 0 && buffer[stack[count - 1]].end <= buffer[b].begin)
            count--;
        for (at = count; at > 0; at--)
            if (buffer[stack[at - 1]].end <= buffer[b].begin &&
                buffer[stack[at - 1]].size == buffer[b].size)
                break;
        if (at > 0 && plan->offset[stack[at - 1]] % buffer[b].alignment == 0) {
            plan->offset[b] = plan->offset[stack[at - 1]];
            stack[at - 1] = b;
            continue;
        }
        plan->offset[b] =
            align_up(count > 0 ? end_of(instance, plan, stack[count - 1]) : 0, buffer[b].alignment);
        stack[count++] = b;
    }
    plan->peak = plan_peak(instance, plan);
    free(stack);
    free(order);
}
