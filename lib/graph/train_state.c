/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked of a training graph while it grows: where the values of the forward
 * pass are, and which gradients there are to be.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/train_private.h"

size_t training_now(const struct training *t, size_t v)
{
    size_t producer = t->old->value[v].producer;

    return producer == NETWORK_NONE ? t->stored[v]
                                    : t->network->op[t->at[producer]].output[t->slot[v]];
}

void training_copy(struct training *t, size_t o, const char *name)
{
    const bool first = t->at[o] == NETWORK_NONE;
    struct network_op op = t->old->op[o];
    size_t *input = memory_alloc(op.inputs, sizeof *input);

    for (size_t i = 0; i < op.inputs; i++)
        input[i] = training_now(t, op.input[i]);
    op.name = memory_strdup(name);
    t->at[o] = network_copy_op(t->network, &op, input, op.inputs);
    for (size_t i = 0; i < op.outputs; i++) {
        struct value value = t->old->value[op.output[i]];
        char *again = memory_printf("%s.again", value.name);

        value.output = false; /* only the loss is */
        network_copy_output(t->network, t->at[o], &value, first ? value.name : again);
        free(again);
    }
    train_forward(t->network, t->at[o]);
    free(op.name);
    free(input);
}

bool training_wants(const struct training *t, size_t o, const struct train_step *step)
{
    const struct network_op *op = &t->old->op[o];

    for (size_t i = 0; i < op->inputs; i++)
        if (slot_in(step->makes, i) && t->needed[op->input[i]])
            return true;
    return false;
}
