/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/shipped/chunks.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/problem/instance.h"
#include "lib/problem/intervals.h"
#include "lib/problem/plan.h"

/* The piece that each piece overwrites, or CHUNK_NONE.  */
static size_t *find_links(const struct instance *instance)
{
    size_t *over = memory_alloc(instance->pieces, sizeof *over);

    for (size_t p = 0; p < instance->pieces; p++)
        over[p] = CHUNK_NONE;
    for (size_t i = 0; i < instance->n_overwrites; i++)
        over[instance->overwrite[i].by] = instance->overwrite[i].of;
    return over;
}

/* Whether the pieces are links of one chain, in their order, below a first one
 * that spans the buffer.  */
static bool is_chain(const struct instance *instance, const struct buffer *buffer,
                     const size_t *over)
{
    const struct piece *root = &instance->piece[buffer->first_piece];

    if (root->lo != 0 || root->hi != buffer->size)
        return false;
    for (size_t i = 1; i < buffer->pieces; i++)
        if (over[buffer->first_piece + i] != buffer->first_piece + i - 1)
            return false;
    return true;
}

/* A chunk whose number is NUMBER.  */
static void add_chunk(struct chunks *chunks, size_t number, struct chunk chunk)
{
    chunk.by = CHUNK_NONE;
    chunk.address = -1;
    chunk.number = number;
    if (chunk.over != CHUNK_NONE)
        chunks->chunk[chunk.over].by = chunks->n;
    chunks->chunk[chunks->n++] = chunk;
}

void chunks_init(struct chunks *chunks, const struct instance *instance)
{
    size_t *over = find_links(instance), *number = intervals_number(instance);

    *chunks = (struct chunks){
        .chunk = memory_alloc(instance->pieces, sizeof *chunks->chunk),
        .alignment = instance->max_alignment,
    };
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        size_t root = chunks->n;

        if (!is_chain(instance, buffer, over)) {
            add_chunk(chunks, number[buffer->first_piece],
                      (struct chunk){.buffer = b,
                                     .begin = buffer->begin,
                                     .end = buffer->end,
                                     .size = buffer->size,
                                     .root = root,
                                     .over = CHUNK_NONE});
            continue;
        }
        for (size_t i = 0; i < buffer->pieces; i++) {
            const struct piece *piece = &instance->piece[buffer->first_piece + i];

            add_chunk(chunks, number[buffer->first_piece + i],
                      (struct chunk){.buffer = b,
                                     .begin = piece->begin,
                                     .end = piece->end,
                                     .size = piece->hi - piece->lo,
                                     .offset = piece->lo,
                                     .root = root,
                                     .over = i == 0 ? CHUNK_NONE : chunks->n - 1});
        }
    }
    free(over);
    free(number);
}

void chunks_clear(struct chunks *chunks)
{
    free(chunks->chunk);
    *chunks = (struct chunks){0};
}

void chunks_to_plan(const struct chunks *chunks, const struct instance *instance, struct plan *plan)
{
    for (size_t c = 0; c < chunks->n; c++)
        if (chunks->chunk[c].root == c)
            plan->offset[chunks->chunk[c].buffer] = chunks->chunk[c].address;
    plan->peak = plan_peak(instance, plan);
}

/* Calls what happens at STEP: the frees from *FREED on, the allocations from
 * *ALLOCATED on.  */
static void walk_step(const struct chunks *chunks, const struct chunk_walker *walker, int64_t step,
                      const struct order_key *ends, size_t *freed, const struct order_key *begins,
                      size_t *allocated)
{
    size_t first = *allocated;

    for (; *freed < chunks->n && ends[*freed].major == key_ascending(step); (*freed)++)
        if (chunks->chunk[ends[*freed].index].by == CHUNK_NONE)
            walker->free(walker->context, ends[*freed].index);
    for (; *allocated < chunks->n && begins[*allocated].major == key_ascending(step);
         (*allocated)++)
        if (chunks->chunk[begins[*allocated].index].over == CHUNK_NONE)
            walker->alloc(walker->context, begins[*allocated].index);
    for (size_t i = first; i < *allocated; i++)
        if (chunks->chunk[begins[i].index].over != CHUNK_NONE)
            walker->overwrite(walker->context, begins[i].index);
}

void chunks_walk(const struct chunks *chunks, const struct chunk_walker *walker)
{
    struct order_key *begins = memory_alloc(chunks->n, sizeof *begins);
    struct order_key *ends = memory_alloc(chunks->n, sizeof *ends);
    size_t freed = 0, allocated = 0;

    for (size_t c = 0; c < chunks->n; c++) {
        begins[c] =
            (struct order_key){key_ascending(chunks->chunk[c].begin), chunks->chunk[c].number, c};
        ends[c] =
            (struct order_key){key_ascending(chunks->chunk[c].end), chunks->chunk[c].number, c};
    }
    order_sort(begins, chunks->n);
    order_sort(ends, chunks->n);
    while (freed < chunks->n) {
        bool end_first = allocated == chunks->n || ends[freed].major <= begins[allocated].major;
        size_t c = end_first ? ends[freed].index : begins[allocated].index;

        walk_step(chunks, walker, end_first ? chunks->chunk[c].end : chunks->chunk[c].begin, ends,
                  &freed, begins, &allocated);
    }
    free(begins);
    free(ends);
}
