/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/oracles/plain_planners.h"
#include "tests/oracles/plain_tflite.h"

static void place(const struct instance *instance, plain_before *before, bool reversed,
                  plain_fit *fit, struct plan *plan)
{
    size_t *order = plain_order(instance, before, reversed);

    plain_place(instance, order, fit, plan);
    free(order);
}

/* --- TensorFlow Lite's arena, IREE --- */

static bool whole_run(const struct instance *instance, size_t b)
{
    for (size_t i = 0; i < instance->n; i++)
        if (instance->buffer[i].begin < instance->buffer[b].begin ||
            instance->buffer[i].end > instance->buffer[b].end)
            return false;
    return true;
}

/* Whole-run buffers by index, then size descending, then begin.  O(n) a call.  */
static bool arena_before(const struct instance *instance, size_t a, size_t b)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];
    bool whole_x = whole_run(instance, a), whole_y = whole_run(instance, b);

    if (whole_x || whole_y)
        return whole_x && (!whole_y || a < b);
    return x->size != y->size ? x->size > y->size : x->begin < y->begin;
}

static int64_t uneven(const struct instance *instance, const struct plan *plan,
                      const size_t *placed, size_t count, size_t b)
{
    const struct buffer *buffer = &instance->buffer[b];
    int64_t current = 0, best_offset = -1, best_fit = INT64_MAX;

    for (size_t i = 0; i < count; i++) {
        int64_t offset = plan->offset[placed[i]];
        int64_t aligned = align_up(current, buffer->alignment);

        if (aligned + buffer->size <= offset && offset - aligned < best_fit) {
            best_offset = aligned;
            best_fit = offset - current;
        }
        current = max64(current, offset + instance->buffer[placed[i]].size);
    }
    return best_offset >= 0 ? best_offset : align_up(current, buffer->alignment);
}

void plain_tflite_arena(const struct instance *instance, struct plan *plan)
{
    place(instance, arena_before, false, uneven, plan);
}

void plain_tflite_arena_corrected(const struct instance *instance, struct plan *plan)
{
    place(instance, arena_before, false, plain_best, plan);
}

/* IREE: of equal offsets the one that was placed last comes first in the scan.  */
static int64_t last_first(const struct instance *instance, const struct plan *plan,
                          const size_t *placed, size_t count, size_t b)
{
    size_t *turned = memory_alloc(count, sizeof *turned);
    int64_t offset;

    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && plan->offset[placed[end]] == plan->offset[placed[i]];)
            end++;
        for (size_t j = i; j < end; j++)
            turned[j] = placed[i + end - 1 - j];
    }
    offset = uneven(instance, plan, turned, count, b);
    free(turned);
    return offset;
}

static bool begins_then_ends(const struct instance *instance, size_t a, size_t b)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];

    return x->begin != y->begin ? x->begin < y->begin : x->end < y->end;
}

void plain_iree(const struct instance *instance, struct plan *plan)
{
    place(instance, begins_then_ends, false, last_first, plan);
}

void plain_iree_given(const struct instance *instance, struct plan *plan)
{
    place(instance, NULL, false, last_first, plan);
}

/* --- TensorFlow Lite Micro --- */

static int64_t candidate(const struct instance *instance, const struct plan *plan,
                         const size_t *placed, size_t count, size_t b)
{
    const struct buffer *buffer = &instance->buffer[b];
    int64_t offset = 0;

    for (size_t i = 0; i < count; i++) {
        if (plan->offset[placed[i]] - offset >= buffer->size)
            break;
        offset = max64(offset, align_up(plan->offset[placed[i]] + instance->buffer[placed[i]].size,
                                        buffer->alignment));
    }
    return offset;
}

void plain_tflm(const struct instance *instance, struct plan *plan)
{
    place(instance, plain_larger, true, candidate, plan);
}

/* --- XNNPACK --- */

struct block {
    int64_t start, end;
};

/* The live blocks, of which PLACED has the starts in order, where they touch or
 * overlap joined to one.  */
static size_t coalesce(const struct instance *instance, const struct plan *plan,
                       const size_t *placed, size_t count, struct block *block)
{
    size_t blocks = 0;

    for (size_t i = 0; i < count; i++) {
        int64_t start = plan->offset[placed[i]], end = start + instance->buffer[placed[i]].size;

        if (blocks > 0 && start <= block[blocks - 1].end)
            block[blocks - 1].end = max64(block[blocks - 1].end, end);
        else
            block[blocks++] = (struct block){start, end};
    }
    return blocks;
}

static int64_t between_blocks(const struct instance *instance, const struct plan *plan,
                              const size_t *placed, size_t count, size_t b, bool leading)
{
    const struct buffer *buffer = &instance->buffer[b];
    struct block *block = memory_alloc(count, sizeof *block);
    size_t blocks = coalesce(instance, plan, placed, count, block);
    int64_t smallest = INT64_MAX;
    int64_t offset = blocks == 0 ? 0 : align_up(block[blocks - 1].end, buffer->alignment);

    if (leading && blocks > 0 && block[0].start >= buffer->size) {
        smallest = block[0].start;
        offset = 0;
    }
    for (size_t i = 0; i + 1 < blocks; i++) {
        int64_t start = align_up(block[i].end, buffer->alignment);
        int64_t gap = block[i + 1].start - start;

        if (gap >= buffer->size && gap < smallest) {
            smallest = gap;
            offset = start;
        }
    }
    free(block);
    return offset;
}

static int64_t leading_skip(const struct instance *instance, const struct plan *plan,
                            const size_t *placed, size_t count, size_t b)
{
    if (count == 1) /* its shortcut for a single live block */
        return align_up(plan->offset[placed[0]] + instance->buffer[placed[0]].size,
                        instance->buffer[b].alignment);
    return between_blocks(instance, plan, placed, count, b, false);
}

static int64_t leading_use(const struct instance *instance, const struct plan *plan,
                           const size_t *placed, size_t count, size_t b)
{
    return between_blocks(instance, plan, placed, count, b, true);
}

void plain_xnnpack(const struct instance *instance, struct plan *plan)
{
    place(instance, plain_larger, false, leading_use, plan);
}

void plain_xnnpack_skip(const struct instance *instance, struct plan *plan)
{
    place(instance, plain_larger, false, leading_skip, plan);
}

/* --- ONNX Runtime --- */

/* The trace: the blocks that are live, by offset.  */
struct trace {
    size_t *live;
    size_t count;
    int64_t top; /* the highest so far */
};

static void free_ended(struct trace *trace, const struct instance *instance, int64_t now)
{
    size_t kept = 0;

    for (size_t i = 0; i < trace->count; i++)
        if (instance->buffer[trace->live[i]].end > now)
            trace->live[kept++] = trace->live[i];
    trace->count = kept;
}

static int64_t allocate(const struct trace *trace, const struct instance *instance,
                        const struct plan *plan, const struct buffer *buffer, bool fit_top)
{
    int64_t current = 0, waste = INT64_MAX, best = -1;

    for (size_t i = 0; i < trace->count; i++) {
        int64_t offset = plan->offset[trace->live[i]];

        if (offset - current >= buffer->size && offset - current - buffer->size < waste) {
            waste = offset - current - buffer->size;
            best = current;
        }
        current = align_up(offset + instance->buffer[trace->live[i]].size, buffer->alignment);
    }
    if (fit_top && trace->top - current >= buffer->size &&
        trace->top - current - buffer->size < waste)
        best = current;
    return best >= 0 ? best : current;
}

static void replay(const struct instance *instance, struct plan *plan, bool fit_top)
{
    size_t *order = plain_order(instance, plain_earlier, false);
    struct trace trace = {memory_alloc(instance->n, sizeof(size_t)), 0, 0};

    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[order[i]];
        int64_t offset;
        size_t at;

        free_ended(&trace, instance, buffer->begin);
        offset = allocate(&trace, instance, plan, buffer, fit_top);
        plan->offset[order[i]] = offset;
        trace.top = max64(trace.top, offset + buffer->size);
        for (at = trace.count++; at > 0 && plan->offset[trace.live[at - 1]] > offset; at--)
            trace.live[at] = trace.live[at - 1];
        trace.live[at] = order[i];
    }
    plan->peak = trace.top;
    free(trace.live);
    free(order);
}

void plain_onnxruntime(const struct instance *instance, struct plan *plan)
{
    replay(instance, plan, true);
}

void plain_onnxruntime_append(const struct instance *instance, struct plan *plan)
{
    replay(instance, plan, false);
}
