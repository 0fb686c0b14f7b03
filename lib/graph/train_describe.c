/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a gradient's operator computes, from what the forward operator does.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/computation.h"
#include "lib/graph/train_compute.h"
#include "lib/graph/train_private.h"

/* The next of the operator's slots, if it has one for this.  */
static size_t number(bool chosen, size_t *next)
{
    return chosen ? (*next)++ : NETWORK_NONE;
}

/* In the order in which the operator reads and makes: the gradients of outputs first, then inputs,
 * then outputs.  */
static struct train_places find_places(const struct training *t, size_t o,
                                       const struct train_step *step)
{
    const struct network_op *op = &t->old->op[o], *copy = &t->network->op[t->at[o]];
    struct train_places places = {
        .inputs = op->inputs,
        .outputs = copy->outputs,
        .gradient = memory_alloc(copy->outputs, sizeof *places.gradient),
        .input = memory_alloc(op->inputs, sizeof *places.input),
        .output = memory_alloc(copy->outputs, sizeof *places.output),
        .made = memory_alloc(op->inputs, sizeof *places.made),
    };
    size_t read = 0, made = 0;

    for (size_t i = 0; i < copy->outputs; i++)
        places.gradient[i] =
            number(i < op->outputs && t->gradient[op->output[i]] != NETWORK_NONE, &read);
    for (size_t i = 0; i < op->inputs; i++) {
        places.input[i] = number(slot_in(step->inputs, i), &read);
        places.made[i] = number(slot_in(step->makes, i) && t->needed[op->input[i]], &made);
    }
    for (size_t i = 0; i < copy->outputs; i++)
        places.output[i] = number(slot_in(step->outputs, i), &read);
    return places;
}

/* How many elements the parts of a concatenation or split have: those without a gradient are
 * nowhere else.  */
static void set_parts(struct computation *computation, const struct network *network,
                      const size_t *part, const size_t *slot, size_t count)
{
    int64_t *elements = memory_alloc(count, sizeof *elements);

    for (size_t i = 0; i < count; i++)
        elements[i] = slot[i] == NETWORK_NONE ? 0 : value_elements(&network->value[part[slot[i]]]);
    computation_set_integers(computation, "elements", elements, count);
    free(elements);
}

void training_describe(struct training *t, size_t o, const struct train_step *step, size_t gradient)
{
    const struct network_op *op = &t->old->op[o];
    const struct computation *forward = t->network->op[t->at[o]].computation;
    struct computation *computation;
    struct train_places places;

    if (step->replaces || op->activation != NULL)
        return;
    if (step->kind == OP_ALIAS) {
        network_set_computation(t->network, gradient, computation_new("Reshape", 13, 1, 1));
        return;
    }
    places = find_places(t, o, step);
    computation = train_compute_gradient(forward, &places);
    if (computation != NULL && op->kind == OP_CONCAT)
        set_parts(computation, t->old, op->input, forward->input, forward->inputs);
    if (computation != NULL && op->kind == OP_SPLIT)
        set_parts(computation, t->old, op->output, forward->output, forward->outputs);
    network_set_computation(t->network, gradient, computation);
    free(places.gradient);
    free(places.input);
    free(places.output);
    free(places.made);
}
