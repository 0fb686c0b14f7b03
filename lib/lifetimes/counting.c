/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/lifetimes/counting.h"

#include "lib/base/memory.h"
#include "lib/graph/network.h"

/* Root of each value's group.  File order is topological, so the root of an
 * operator's input is known when the operator's turn comes.  */
size_t *lifetime_roots(const struct network *network, bool alias)
{
    size_t *root = memory_alloc(network->n_values, sizeof *root);

    for (size_t v = 0; v < network->n_values; v++)
        root[v] = v;
    for (size_t o = 0; o < network->n_ops && alias; o++) {
        const struct network_op *op = &network->op[o];

        if (op->kind == OP_ALIAS)
            for (size_t i = 0; i < op->outputs; i++)
                root[op->output[i]] = root[op->input[0]];
    }
    return root;
}

void lifetime_roles_add(struct lifetime_roles *roles, const struct value *value)
{
    if (value->optional && value->readers == 0 && !value->output)
        return;
    roles->alive = true;
    if (value->role == VALUE_INPUT)
        roles->input = true;
    else if (value->role != VALUE_ACTIVATION)
        roles->stored = true;
    if (value->output)
        roles->output = true;
}

bool lifetime_counts(const struct lifetime_roles *roles, const struct lifetime_options *options)
{
    bool inputs = options->io == IO_INPUTS || options->io == IO_BOTH;
    bool outputs = options->io == IO_OUTPUTS || options->io == IO_BOTH;

    if (!roles->alive)
        return false;
    if (!roles->input && !roles->output && !roles->stored)
        return true;
    return (roles->input && inputs) || (roles->output && outputs) ||
           (roles->stored && options->weights);
}
