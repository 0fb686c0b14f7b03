/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/fit/hops.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"

/* Operators of each buffer, in one array.  */
struct ends {
    size_t *first; /* ends of buffer b: op[first[b]..first[b+1]) */
    size_t *op;
};

struct hops {
    const struct instance *instance;
    size_t n_ops;
    int32_t *distance; /* [from * n_ops + to]: longest path, 0: none; NULL: by steps */
    /* The operators of a buffer without another of it before them (after them).
     * None where the buffer is there from the start (to the end).  */
    struct ends heads, tails;
};

/* Longest paths between all pairs.  File order is topological, so the paths
 * that end in an operator follow from those that end in its predecessors.  */
static void find_distances(struct hops *hops, const struct network *network)
{
    size_t n = network->n_ops;

    hops->distance = memory_zalloc(n * n, sizeof *hops->distance);
    for (size_t o = 0; o < n; o++)
        for (size_t i = 0; i < network->op[o].inputs; i++) {
            size_t producer = network->value[network->op[o].input[i]].producer;

            if (producer == NETWORK_NONE)
                continue;
            for (size_t from = 0; from < producer; from++) {
                int32_t through = hops->distance[from * n + producer];

                if (through > 0 && through + 1 > hops->distance[from * n + o])
                    hops->distance[from * n + o] = through + 1;
            }
            if (hops->distance[producer * n + o] == 0)
                hops->distance[producer * n + o] = 1;
        }
}

/* The operators that touch the values of one buffer.  */
struct users {
    size_t *op;
    size_t count, capacity;
    bool from_start, to_end;
};

static void add_user(struct users *users, size_t op)
{
    users->op = memory_grow(users->op, &users->capacity, users->count + 1, sizeof *users->op);
    users->op[users->count++] = op;
}

static void add_value(struct users *users, const struct value *value)
{
    if (value->producer == NETWORK_NONE)
        users->from_start = true;
    else
        add_user(users, value->producer);
    if (value->output || (value->role != VALUE_ACTIVATION && value->role != VALUE_INPUT))
        users->to_end = true;
    for (size_t r = 0; r < value->readers; r++)
        add_user(users, value->reader[r]);
}

/* Whether no other user comes before (BEFORE) or after operator O; an operator
 * that was met already is left out.  */
static bool is_end(const struct hops *hops, const struct users *users, size_t i, bool before)
{
    size_t o = users->op[i];

    for (size_t k = 0; k < users->count; k++) {
        size_t other = users->op[k];

        if (other == o
                ? k < i
                : hops->distance[before ? other * hops->n_ops + o : o * hops->n_ops + other] > 0)
            return false;
    }
    return true;
}

static void add_ends(struct hops *hops, size_t b, const struct users *users, struct ends *ends,
                     bool before, size_t *capacity)
{
    size_t at = ends->first[b];

    for (size_t i = 0; i < users->count; i++)
        if (is_end(hops, users, i, before)) {
            ends->op = memory_grow(ends->op, capacity, at + 1, sizeof *ends->op);
            ends->op[at++] = users->op[i];
        }
    if (before ? users->from_start : users->to_end)
        at = ends->first[b];
    ends->first[b + 1] = at;
}

/* Values by buffer, then heads and tails of each.  */
static void find_ends(struct hops *hops, const struct origin *origin)
{
    const struct network *network = origin->network;
    size_t n = hops->instance->n, head_capacity = 0, tail_capacity = 0;
    struct users *users = memory_zalloc(n, sizeof *users);

    for (size_t v = 0; v < network->n_values; v++)
        if (origin->buffer[v] != SIZE_MAX)
            add_value(&users[origin->buffer[v]], &network->value[v]);
    hops->heads.first = memory_zalloc(n + 1, sizeof *hops->heads.first);
    hops->tails.first = memory_zalloc(n + 1, sizeof *hops->tails.first);
    for (size_t b = 0; b < n; b++) {
        add_ends(hops, b, &users[b], &hops->heads, true, &head_capacity);
        add_ends(hops, b, &users[b], &hops->tails, false, &tail_capacity);
        free(users[b].op);
    }
    free(users);
}

struct hops *hops_new(const struct instance *instance, bool by_graph)
{
    struct hops *hops = memory_alloc(1, sizeof *hops);

    *hops = (struct hops){.instance = instance};
    if (by_graph) {
        hops->n_ops = instance->origin->network->n_ops;
        find_distances(hops, instance->origin->network);
        find_ends(hops, instance->origin);
    }
    return hops;
}

void hops_free(struct hops *hops)
{
    if (hops == NULL)
        return;
    free(hops->distance);
    free(hops->heads.first);
    free(hops->heads.op);
    free(hops->tails.first);
    free(hops->tails.op);
    free(hops);
}

int64_t hops_after(const struct hops *hops, size_t a, size_t b)
{
    const struct buffer *x = &hops->instance->buffer[a], *y = &hops->instance->buffer[b];
    int32_t longest = 0;

    if (hops->distance == NULL)
        return x->begin < y->end ? 0 : x->begin - (y->end - 1);
    for (size_t i = hops->heads.first[a]; i < hops->heads.first[a + 1]; i++)
        for (size_t k = hops->tails.first[b]; k < hops->tails.first[b + 1]; k++) {
            int32_t distance = hops->distance[hops->tails.op[k] * hops->n_ops + hops->heads.op[i]];

            if (distance == 0)
                return 0;
            longest = distance > longest ? distance : longest;
        }
    return longest;
}

int64_t hops_limit(const struct hops *hops)
{
    int64_t begin = INT64_MAX, end = INT64_MIN;

    if (hops->distance != NULL)
        return (int64_t)hops->n_ops;
    for (size_t b = 0; b < hops->instance->n; b++) {
        const struct buffer *buffer = &hops->instance->buffer[b];

        begin = buffer->begin < begin ? buffer->begin : begin;
        end = buffer->end > end ? buffer->end : end;
    }
    return end > begin ? end - begin : 1;
}
