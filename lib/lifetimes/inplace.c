/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/lifetimes/inplace.h"

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"

/* --- chunks --- */

static size_t add_chunk(struct places *places, const struct network *network, size_t value)
{
    places->chunk[places->n] = (struct chunk){
        .value = value,
        .size = value_bytes(&network->value[value]),
        .dest = SIZE_MAX,
        .src = SIZE_MAX,
        .whole = SIZE_MAX,
    };
    return places->n++;
}

/* The fact that makes output slot OUTPUT of OP a view, or NULL.  A network
 * output is copied: it is the caller's memory.  */
static const struct op_reuse *find_view(const struct network *network, const struct network_op *op,
                                        size_t output)
{
    if (network->value[op->output[output]].output)
        return NULL;
    for (size_t i = 0; i < op->reuses; i++)
        if (op->reuse[i].kind == REUSE_FORWARD && op->reuse[i].output == output)
            return &op->reuse[i];
    return NULL;
}

/* File order is topological, so the chunk of an operator's input is known when
 * the operator's turn comes.  */
static void find_chunks(struct places *places, const struct network *network,
                        const struct lifetime_options *options)
{
    for (size_t v = 0; v < network->n_values; v++)
        if (network->value[v].producer == NETWORK_NONE)
            places->chunk_of[v] = add_chunk(places, network, v);
    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];

        for (size_t i = 0; i < op->outputs; i++) {
            size_t v = op->output[i], source = NETWORK_NONE;
            int64_t offset = 0;

            if (op->kind == OP_ALIAS) {
                source = options->alias ? op->input[0] : NETWORK_NONE;
            } else if (options->inplace != INPLACE_OFF) {
                const struct op_reuse *view = find_view(network, op, i);

                source = view != NULL ? op->input[view->input] : NETWORK_NONE;
                offset = view != NULL ? view->offset : 0;
            }
            if (source == NETWORK_NONE) {
                places->chunk_of[v] = add_chunk(places, network, v);
            } else {
                places->chunk_of[v] = places->chunk_of[source];
                places->offset[v] = places->offset[source] + offset;
            }
        }
    }
}

/* Lists the values of each chunk, the first of them first.  */
static void list_values(struct places *places, const struct network *network)
{
    size_t *last = memory_alloc(places->n, sizeof *last);

    for (size_t c = 0; c < places->n; c++)
        last[c] = places->chunk[c].value;
    for (size_t v = 0; v < network->n_values; v++)
        places->next[v] = NETWORK_NONE;
    for (size_t v = 0; v < network->n_values; v++) {
        size_t c = places->chunk_of[v];

        if (v == places->chunk[c].value)
            continue;
        places->next[last[c]] = v;
        last[c] = v;
    }
    free(last);
}

/* Widens CHUNK by the lifetime of VALUE under SCHEDULE.  */
static void hold(struct chunk *chunk, const struct value *value, const struct schedule *schedule)
{
    int64_t begin = 0, end, whole = max64(schedule->steps, 1);
    struct lifetime_roles roles = {0};

    lifetime_roles_add(&roles, value);
    if (!roles.alive)
        return;
    if (value->producer != NETWORK_NONE)
        begin = schedule->step[value->producer];
    end = begin + 1;
    for (size_t i = 0; i < value->readers; i++)
        end = max64(end, schedule->step[value->reader[i]] + 1);
    if (roles.stored || roles.output)
        end = whole;
    if (chunk->begin == chunk->end) {
        chunk->begin = begin;
        chunk->end = end;
    } else {
        chunk->begin = min64(chunk->begin, begin);
        chunk->end = max64(chunk->end, end);
    }
    lifetime_roles_add(&chunk->roles, value);
}

/* --- buffers --- */

/* The chunk that C lies in, or SIZE_MAX.  */
static size_t holder(const struct chunk *chunk)
{
    return chunk->dest != SIZE_MAX ? chunk->dest : chunk->whole;
}

/* Fills in roots and places.  Chains can be as long as the network, so the way
 * to the root is remembered in PATH instead of on the stack.  */
static void find_roots(struct places *places)
{
    size_t *path = memory_alloc(places->n, sizeof *path);
    bool *known = memory_zalloc(places->n, sizeof *known);

    for (size_t start = 0; start < places->n; start++) {
        size_t length = 0, c;

        for (c = start; !known[c]; c = holder(&places->chunk[c])) {
            path[length++] = c;
            if (holder(&places->chunk[c]) == SIZE_MAX)
                break;
        }
        while (length > 0) {
            struct chunk *chunk = &places->chunk[path[--length]];
            size_t in = holder(chunk);

            chunk->root = in == SIZE_MAX ? path[length] : places->chunk[in].root;
            chunk->place = in == SIZE_MAX ? 0 : places->chunk[in].place + chunk->offset;
            known[path[length]] = true;
        }
    }
    free(known);
    free(path);
}

void places_find(struct places *places, const struct network *network,
                 const struct schedule *schedule, const struct lifetime_options *options)
{
    *places = (struct places){
        .chunk = memory_alloc(network->n_values, sizeof *places->chunk),
        .chunk_of = memory_alloc(network->n_values, sizeof *places->chunk_of),
        .offset = memory_zalloc(network->n_values, sizeof *places->offset),
        .next = memory_alloc(network->n_values, sizeof *places->next),
    };
    find_chunks(places, network, options);
    list_values(places, network);
    for (size_t v = 0; v < network->n_values; v++)
        hold(&places->chunk[places->chunk_of[v]], &network->value[v], schedule);
    for (size_t c = 0; c < places->n; c++)
        places->chunk[c].counts = lifetime_counts(&places->chunk[c].roles, options);
    if (options->inplace == INPLACE_MEGENGINE)
        inplace_megengine(places, network, schedule);
    if (options->inplace == INPLACE_NNC)
        inplace_nnc(places, network, schedule);
    if (options->place)
        inplace_concat(places, network);
    find_roots(places);
}

void places_clear(struct places *places)
{
    free(places->chunk);
    free(places->chunk_of);
    free(places->offset);
    free(places->next);
    *places = (struct places){0};
}
