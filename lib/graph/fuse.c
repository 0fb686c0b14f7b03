/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/graph/fuse.h"

#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/computation.h"
#include "lib/graph/control.h"
#include "lib/graph/fold.h"
#include "lib/graph/network.h"
#include "lib/graph/reuse.h"

struct fusion {
    const struct network *old;
    size_t *into;            /* the operator that an operator became part of; itself: none */
    size_t *last;            /* the part of an operator whose output is now its output */
    const char **activation; /* fused into an operator, or NULL */
    size_t *norm;            /* that was folded into a layer, or NETWORK_NONE */
};

/* The operator that makes what OP reads first, if that is all that OP needs
 * of it: its only output, read by OP alone.  Or NETWORK_NONE.  */
static size_t sole_producer(const struct network *network, const struct network_op *op)
{
    const struct value *value;

    if (op->inputs == 0 || op->outputs != 1)
        return NETWORK_NONE;
    value = &network->value[op->input[0]];
    if (value->producer == NETWORK_NONE || value->readers != 1 || value->output ||
        network->op[value->producer].outputs != 1)
        return NETWORK_NONE;
    return value->producer;
}

static void join(struct fusion *fusion, size_t first, size_t second)
{
    fusion->into[second] = first;
    fusion->last[first] = second;
}

static bool fold_into_layer(struct fusion *fusion, size_t norm)
{
    const struct network *old = fusion->old;
    size_t producer = sole_producer(old, &old->op[norm]), layer;

    if (producer == NETWORK_NONE)
        return false;
    layer = fusion->into[producer];
    if ((old->op[layer].kind != OP_CONV && old->op[layer].kind != OP_LINEAR) ||
        fusion->activation[layer] != NULL)
        return false;
    join(fusion, layer, norm);
    fusion->norm[layer] = norm;
    return true;
}

static void fold_into_activation(struct fusion *fusion, size_t norm)
{
    const struct network *old = fusion->old;
    const struct value *value;
    size_t reader;

    if (old->op[norm].outputs != 1)
        return;
    value = &old->value[old->op[norm].output[0]];
    if (value->readers != 1)
        return;
    reader = value->reader[0];
    if (old->op[reader].kind != OP_ACTIVATION || sole_producer(old, &old->op[reader]) != norm)
        return;
    join(fusion, norm, reader);
    fusion->activation[norm] = old->op[reader].type;
}

static void fuse_activation(struct fusion *fusion, size_t activation)
{
    const struct network *old = fusion->old;
    size_t producer = sole_producer(old, &old->op[activation]), first;

    if (producer == NETWORK_NONE)
        return;
    first = fusion->into[producer];
    if (old->op[first].kind == OP_ALIAS || old->op[first].control != NULL ||
        fusion->activation[first] != NULL)
        return;
    join(fusion, first, activation);
    fusion->activation[first] = old->op[activation].type;
}

/* Decides what becomes part of what.  File order is topological, so into[]
 * of a producer is final when its reader's turn comes.  */
static void decide(struct fusion *fusion, enum fuse fuse)
{
    const struct network *old = fusion->old;

    for (size_t o = 0; o < old->n_ops; o++) {
        fusion->into[o] = fusion->last[o] = o;
        fusion->activation[o] = old->op[o].activation;
        fusion->norm[o] = NETWORK_NONE;
    }
    for (size_t o = 0; o < old->n_ops; o++)
        if (old->op[o].kind == OP_BATCH_NORM && !fold_into_layer(fusion, o))
            fold_into_activation(fusion, o);
    for (size_t o = 0; o < old->n_ops && fuse == FUSE_ALL; o++)
        if (old->op[o].kind == OP_ACTIVATION && fusion->into[o] == o)
            fuse_activation(fusion, o);
}

/* The bias that a folded normalisation leaves in a layer that had none: one
 * element a channel of RESULT.  */
static size_t add_bias(struct network *network, const struct network *old,
                       const struct network_op *layer, const struct value *result)
{
    char *name = memory_printf("%s.folded_bias", layer->name);
    int axis = layer->kind == OP_CONV ? network_channel_axis(old, layer) : result->rank - 1;
    int64_t channels = result->rank > 0 ? result->dim[axis] : 1;
    size_t bias = network_add_value(network, name, VALUE_WEIGHT, result->dtype, 1, &channels);

    free(name);
    return bias;
}

/* A layer reads its input, its weights and perhaps a bias.  */
static bool has_bias(const struct network_op *layer)
{
    return layer->inputs > 2;
}

/* Operator OP goes on with what ACTIVATION computes, if both are known.  */
static void append_computation(struct network *network, size_t op,
                               const struct network_op *activation)
{
    struct computation *computation = network->op[op].computation;

    if (computation != NULL && activation->computation != NULL)
        computation_append(computation, computation_copy(activation->computation));
    else
        network_set_computation(network, op, NULL);
}

static void copy_op(const struct fusion *fusion, struct network *network, size_t o, size_t *map)
{
    const struct network *old = fusion->old;
    const struct network_op *op = &old->op[o], *last = &old->op[fusion->last[o]];
    size_t *input = memory_alloc(op->inputs + 1, sizeof *input), inputs = op->inputs, copy;

    for (size_t i = 0; i < inputs; i++)
        input[i] = map[op->input[i]];
    if (fusion->norm[o] != NETWORK_NONE && !has_bias(op))
        input[inputs++] = add_bias(network, old, op, &old->value[last->output[0]]);
    copy = network_copy_op(network, op, input, inputs);
    if (fusion->norm[o] != NETWORK_NONE)
        fold_norm(network, copy, old, &old->op[fusion->norm[o]]);
    if (fusion->activation[o] != op->activation) {
        network->op[copy].activation = fusion->activation[o];
        reuse_computes(&network->op[copy]);
        append_computation(network, copy, last);
    }
    for (size_t i = 0; i < op->outputs; i++) {
        const struct value *made = &old->value[last->output[i]];

        map[last->output[i]] = network_copy_output(
            network, copy, made, made->output ? made->name : old->value[op->output[i]].name);
    }
    free(input);
}

/* Copies what stays; MAP[v] becomes the place of value v, if that stays.  */
static struct network *rebuild(const struct fusion *fusion, size_t *map)
{
    const struct network *old = fusion->old;
    struct network *network = network_new(old->name);
    bool *gone = memory_alloc(old->n_ops, sizeof *gone);

    for (size_t o = 0; o < old->n_ops; o++)
        gone[o] = fusion->into[o] != o;
    network_copy_stored(network, old, gone, map); /* not a folded normalisation's parameters */
    for (size_t o = 0; o < old->n_ops; o++)
        if (!gone[o])
            copy_op(fusion, network, o, map);
    free(gone);
    return network;
}

/* FUSE: an enum fuse.  */
static struct network *fuse_network(struct network *network, const void *fuse, size_t *map)
{
    struct fusion fusion = {.old = network};
    struct network *fused;

    fusion.into = memory_alloc(network->n_ops, sizeof *fusion.into);
    fusion.last = memory_alloc(network->n_ops, sizeof *fusion.last);
    fusion.activation = memory_alloc(network->n_ops, sizeof *fusion.activation);
    fusion.norm = memory_alloc(network->n_ops, sizeof *fusion.norm);
    decide(&fusion, *(const enum fuse *)fuse);
    fused = rebuild(&fusion, map);
    free(fusion.into);
    free(fusion.last);
    free(fusion.activation);
    free(fusion.norm);
    network_free(network);
    network_replace_bodies(fused, fuse_network, fuse);
    return fused;
}

struct network *network_fuse(struct network *network, enum fuse fuse)
{
    struct network *fused;
    size_t *map;

    if (fuse == FUSE_NONE)
        return network;
    map = memory_alloc(network->n_values, sizeof *map);
    fused = fuse_network(network, &fuse, map);
    free(map);
    return fused;
}
