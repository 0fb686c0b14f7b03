/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/graph/expand.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/computation.h"
#include "lib/graph/control.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "lib/graph/reuse.h"

/* Convolutions whose weights are not stored (made by other operators, or brought
 * into a sub-graph) stay.  */
static bool expands(const struct network *network, const struct network_op *op)
{
    if (op->kind != OP_CONV || op->conv.groups <= 1 || op->conv.groups == op->conv.c)
        return false;
    if (op->inputs < 2 || op->outputs != 1)
        return false;
    for (size_t i = 1; i < op->inputs; i++)
        if (network->value[op->input[i]].role == VALUE_ACTIVATION ||
            network->value[op->input[i]].role == VALUE_INPUT)
            return false;
    return true;
}

/* A part of VALUE, one of COUNT along dimension AXIS, with a name of its own.  */
static struct value part_of(const struct value *value, int axis, int64_t count, char *name)
{
    struct value part = *value;

    part.name = name;
    part.dim[axis] /= count;
    part.output = false;
    part.elements = NULL;
    return part;
}

/* Part number GROUP of the elements of WHOLE, if they are known, for value PART of NETWORK.  */
static void cut_elements(struct network *network, size_t part, const struct value *whole,
                         int64_t group)
{
    struct elements *elements;
    size_t bytes = (size_t)value_bytes(&network->value[part]);

    if (whole->elements == NULL)
        return;
    elements = elements_new(bytes);
    if (bytes > 0)
        memcpy(elements->data, (const char *)whole->elements->data + (size_t)group * bytes, bytes);
    network_set_elements(network, part, elements);
}

/* Operator OP computes what convolution WHOLE does, of one group.  */
static void compute_one_group(struct network *network, size_t op, const struct computation *whole)
{
    struct computation *computation = computation_copy(whole);

    computation_set_integer(computation, "group", 1);
    network_set_computation(network, op, computation);
}

/* Operator OP is what NAME of the standard set does along AXIS.  */
static void compute_along(struct network *network, size_t op, const char *name, int axis)
{
    struct computation *computation =
        computation_new(name, 13, network->op[op].inputs, network->op[op].outputs);

    computation_set_integer(computation, "axis", axis);
    network_set_computation(network, op, computation);
}

/* Convolution number GROUP of OP, reading X.  Returns its value.  */
static size_t add_group(const struct network *old, const struct network_op *op,
                        struct network *network, int64_t group, size_t x)
{
    struct network_op part = *op;
    size_t *input = memory_alloc(op->inputs, sizeof *input), copy, result;
    struct value value;
    int64_t groups = op->conv.groups;

    input[0] = x;
    for (size_t i = 1; i < op->inputs; i++) {
        /* Weights and bias have the output channels first.  */
        value = part_of(&old->value[op->input[i]], 0, groups,
                        memory_printf("%s.%" PRId64, old->value[op->input[i]].name, group));
        input[i] = network_copy_value(network, &value);
        cut_elements(network, input[i], &old->value[op->input[i]], group);
        free(value.name);
    }
    part.name = memory_printf("%s.%" PRId64, op->name, group);
    part.conv.c /= groups;
    part.conv.k /= groups;
    part.conv.groups = 1;
    part.macs = conv_shape_macs(&part.conv);
    part.reuses = 0;
    value = part_of(&old->value[op->output[0]], network_channel_axis(old, op), groups, part.name);
    copy = network_copy_op(network, &part, input, op->inputs);
    result = network_copy_output(network, copy, &value, value.name);
    if (op->computation != NULL)
        compute_one_group(network, copy, op->computation);
    free(part.name);
    free(input);
    return result;
}

static void expand_op(const struct network *old, const struct network_op *op,
                      struct network *network, size_t *map)
{
    size_t groups = (size_t)op->conv.groups, join;
    size_t *part = memory_alloc(groups, sizeof *part);
    char *name = memory_printf("%s.split", op->name);
    size_t split = network_add_op(network, name, OP_SPLIT, "split", &map[op->input[0]], 1);

    for (size_t g = 0; g < groups; g++) {
        struct value value = part_of(&old->value[op->input[0]], network_channel_axis(old, op),
                                     op->conv.groups, memory_printf("%s.%zu", name, g));

        part[g] = network_copy_output(network, split, &value, value.name);
        free(value.name);
    }
    compute_along(network, split, "Split", network_channel_axis(old, op));
    reuse_infer(network, split);
    for (size_t g = 0; g < groups; g++)
        part[g] = add_group(old, op, network, (int64_t)g, part[g]);
    join = network_add_op(network, op->name, OP_CONCAT, "concat", part, groups);
    map[op->output[0]] = network_copy_output(network, join, &old->value[op->output[0]],
                                             old->value[op->output[0]].name);
    compute_along(network, join, "Concat", network_channel_axis(old, op));
    reuse_infer(network, join);
    free(name);
    free(part);
}

static void copy_op(const struct network *old, const struct network_op *op, struct network *network,
                    size_t *map)
{
    size_t *input = memory_alloc(op->inputs, sizeof *input), copy;

    for (size_t i = 0; i < op->inputs; i++)
        input[i] = map[op->input[i]];
    copy = network_copy_op(network, op, input, op->inputs);
    for (size_t i = 0; i < op->outputs; i++)
        map[op->output[i]] = network_copy_output(network, copy, &old->value[op->output[i]],
                                                 old->value[op->output[i]].name);
    free(input);
}

/* MAP[v] becomes the place of value v, if that stays.  */
static struct network *expand_network(struct network *network, const void *context, size_t *map)
{
    struct network *expanded = network_new(network->name);
    bool *expand = memory_alloc(network->n_ops, sizeof *expand);

    for (size_t o = 0; o < network->n_ops; o++)
        expand[o] = expands(network, &network->op[o]);
    network_copy_stored(expanded, network, expand, map); /* their weights are cut up */
    for (size_t o = 0; o < network->n_ops; o++)
        if (expand[o])
            expand_op(network, &network->op[o], expanded, map);
        else
            copy_op(network, &network->op[o], expanded, map);
    free(expand);
    network_free(network);
    network_replace_bodies(expanded, expand_network, context);
    return expanded;
}

int64_t network_expanded_groups(const struct network *network)
{
    int64_t groups = 0;

    for (size_t o = 0; o < network->n_ops; o++)
        if (expands(network, &network->op[o]) &&
            !checked_add(groups, network->op[o].conv.groups, &groups))
            return INT64_MAX;
    return groups;
}

struct network *network_expand_groups(struct network *network)
{
    size_t *map = memory_alloc(network->n_values, sizeof *map);
    struct network *expanded = expand_network(network, NULL, map);

    free(map);
    return expanded;
}
