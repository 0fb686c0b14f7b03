/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/graph/fetch.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/computation.h"
#include "lib/graph/network.h"

static const char fetch_type[] = "fetch";

bool network_op_fetches(const struct network_op *op)
{
    return strcmp(op->type, fetch_type) == 0;
}

static bool is_fetched(const struct value *value)
{
    return value->producer == NETWORK_NONE &&
           (value->role == VALUE_WEIGHT || value->role == VALUE_STATISTIC);
}

/* A copy of the stored VALUE, which is STORED in NETWORK, for operator READER.  */
static size_t add_fetch(struct network *network, const struct value *value, size_t stored,
                        const struct network_op *reader)
{
    char *name = memory_printf("%s.fetch.%s", reader->name, value->name);
    size_t op = network_add_op(network, name, OP_OTHER, fetch_type, &stored, 1);
    size_t copy = network_add_output(network, op, name, value->dtype, value->rank, value->dim);

    if (reader->computation != NULL)
        network_set_computation(network, op, computation_new("Identity", 13, 1, 1));
    free(name);
    return copy;
}

static void copy_op(const struct network *old, const struct network_op *op, struct network *network,
                    size_t *map)
{
    size_t *input = memory_alloc(op->inputs, sizeof *input), copy;

    for (size_t i = 0; i < op->inputs; i++) {
        const struct value *value = &old->value[op->input[i]];

        input[i] = is_fetched(value) && op->control == NULL
                       ? add_fetch(network, value, map[op->input[i]], op)
                       : map[op->input[i]];
    }
    copy = network_copy_op(network, op, input, op->inputs);
    for (size_t o = 0; o < op->outputs; o++) {
        const struct value *value = &old->value[op->output[o]];

        map[op->output[o]] = network_copy_output(network, copy, value, value->name);
    }
    free(input);
}

struct network *network_fetch_weights(struct network *old)
{
    struct network *network = network_new(old->name);
    size_t *map = memory_alloc(old->n_values, sizeof *map);
    bool *gone = memory_zalloc(old->n_ops, sizeof *gone);

    network_copy_stored(network, old, gone, map);
    for (size_t o = 0; o < old->n_ops; o++)
        copy_op(old, &old->op[o], network, map);
    network_make_names_unique(network);
    free(gone);
    free(map);
    network_free(old);
    return network;
}
