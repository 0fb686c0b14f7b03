/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfc: best fit with coalescing, TensorFlow's allocator and ONNX Runtime's arena.
 *
 * In the order of the trace, the smallest free chunk that is large enough takes a buffer, the
 * lowest of equal ones.  The chunk is split only if it is at least twice as large as the request,
 * or if the rest is large (split=, 128 MiB); else all of it is handed out, and the rest is lost
 * until it comes back.  What is freed is joined with free neighbours at once.
 *
 *   step 0   a [0, 1) 6 bytes at 0, b [0, 3) 1 byte at 6
 *   step 1   c [1, 2) 4 bytes: a's chunk of 6, all of it; d [1, 3) 2 bytes finds none, goes to 7
 *   step 2   e [2, 3) 3 bytes: that chunk of 6 is split, e at 0; f [2, 3) 3 bytes takes the rest, 3
 *
 * Memory is one region without a limit, as where TensorFlow takes all of a device at once.  With
 * region=2MiB it grows: a region is made when no chunk is large enough, each twice as large as the
 * last one, or as often doubled as the request needs.  Chunks of two regions are never joined.
 * The regions lie end to end in the order in which they were made.
 *
 * Source: TensorFlow and XLA, xla/tsl/framework/bfc_allocator.cc; ONNX Runtime's
 * core/framework/bfc_arena.cc is the same, with a first region of 1 MiB (unit=256,region=1MiB).
 * Its bins of powers of two are a way to search: a chunk in a lower bin than the request's is too
 * small.  O(log(free chunks)) an event.
 * Guarantee: none is known but, with one region, peak <= sum of the rounded sizes: only what is
 * carved off the top raises it.
 * Differences: upstream's unit is 256 bytes (unit=256, or align=native); here it is the alignment,
 * so that small sizes differ.  No limit of memory, so no region is given back, and none smaller
 * than asked for.  Time stamps, which hold freed chunks back, regions that join (some of
 * TensorFlow's sources of memory can) and its mode with two ends (long lives from below, others
 * from above, since 2026) are left out; so is ONNX Runtime's other strategy, regions as large as
 * the request.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/block_heap.h"
#include "solvers/fit/events.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

enum { LEAST_CHUNK = 256 };

static const struct param params[] = {
    {"unit", PARAM_BYTES, "0", NULL, 0, 1 << 30,
     "the unit of sizes in bytes, rounded up to the alignment; 0: the alignment; upstream: 256"},
    {"split", PARAM_BYTES, "128MiB", NULL, 0, 0x1p40,
     "the rest in bytes from which on a chunk is split, whatever the request"},
    {"region", PARAM_BYTES, "0", NULL, 0, 0x1p40,
     "the bytes of the first region; 0: there is one, without a limit; upstream: 2MiB, 1MiB"},
    TIES_PARAM,
    PARAM_END,
};

/* All in units.  */
struct arena {
    struct block_heap heap;
    uint64_t split;
    uint64_t region; /* the least size of the next one */
    uint64_t top;    /* the end of the last one */
};

static size_t new_region(struct arena *arena, uint64_t size)
{
    uint64_t region = arena->region;

    while (region < size)
        region *= 2;
    arena->region = region == arena->region ? 2 * region : region;
    arena->top += region;
    return block_heap_add(&arena->heap, 0, arena->top - region, region);
}

static size_t allocate(struct arena *arena, uint64_t size)
{
    size_t chunk = block_heap_find(&arena->heap, 0, size, 0);
    uint64_t rest;

    if (chunk == BLOCK_NONE)
        chunk = new_region(arena, size);
    block_heap_take(&arena->heap, chunk);
    rest = arena->heap.block[chunk].size - size;
    if (rest >= size || rest >= arena->split)
        block_heap_split(&arena->heap, chunk, size);
    return chunk;
}

/* Without a limit the top chunk always has twice what is asked for: what is below it is no more
 * than the other sizes together.  */
static void arena_init(struct arena *arena, const struct instance *instance,
                       const struct params *given, int64_t unit)
{
    uint64_t split = block_units(params_int(given, "split"), unit);
    uint64_t total = 0;

    for (size_t b = 0; b < instance->n; b++)
        total += block_units(instance->buffer[b].size, unit);
    *arena = (struct arena){.split = split > 0 ? split : 1,
                            .region = block_units(params_int(given, "region"), unit)};
    if (arena->region == 0)
        arena->region = 2 * total;
    block_heap_init(&arena->heap);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    int64_t unit = block_unit(instance, env->params);
    size_t *chunk_of = memory_alloc(instance->n, sizeof *chunk_of);
    struct order_key *event = events_sort(instance, env);
    struct arena arena;

    arena_init(&arena, instance, env->params, unit);
    for (size_t e = 0; e < 2 * instance->n; e++) {
        size_t b = event_buffer(event[e]);

        if (!event_begins(event[e])) {
            block_heap_release(&arena.heap, chunk_of[b]);
            continue;
        }
        chunk_of[b] = allocate(&arena, block_units(instance->buffer[b].size, unit));
        plan->offset[b] = (int64_t)arena.heap.block[chunk_of[b]].start * unit;
    }
    plan->peak = plan_peak(instance, plan);
    block_heap_clear(&arena.heap);
    free(event);
    free(chunk_of);
    return OUTCOME_FEASIBLE;
}

/* A region with twice the bytes of all buffers never runs out, and no more than two have the same
 * size, so all regions together have no more than 16 times these bytes or the first one's.  */
static bool applicable(const struct instance *instance, const struct params *given,
                       struct error *reason)
{
    int64_t most = params_int(given, "region") > 0 ? INT64_MAX / 64 : INT64_MAX - 1;
    int64_t padding = capped_mul((int64_t)instance->n, block_unit(instance, given));

    if (capped_add(instance->total, padding) > most)
        return error_set(reason, "sizes that sum up to more than %" PRId64 " bytes", most);
    return alignment_applicable(instance, given, reason);
}

const struct solver solver_bfc = {
    .name = "bfc",
    .title = "BFC, TensorFlow and ONNX Runtime",
    .source = "TensorFlow, tsl/framework/bfc_allocator.cc",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_INPUT_ORDER | SOLVER_SHIPPED | SOLVER_ONLINE,
    .layout = LAYOUT_ARENA,
    .native = {.offset = LEAST_CHUNK},
    .params = params,
    .applicable = applicable,
    .solve = solve,
};
