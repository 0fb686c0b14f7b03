/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/graph/train_compute.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/computation.h"
#include "lib/graph/network.h"

/* FORMAT has the name without the dot that own operators' names begin with.  */
static struct computation *derive(const struct computation *from, const char *format, size_t inputs,
                                  size_t outputs)
{
    const char *bare = from->name[0] == '.' ? from->name + 1 : from->name;
    char *name = memory_printf(".%s%s", bare, format);
    struct computation *computation = computation_derive(from, name, inputs, outputs);

    free(name);
    return computation;
}

/* What goes on in place after FORWARD has no gradient here: fusing is for inference.  */
static bool is_known(const struct computation *forward)
{
    return forward != NULL && forward->then == NULL;
}

struct computation *train_compute_norm(const struct computation *inference)
{
    struct computation *computation;

    if (!is_known(inference) || inference->inputs < 3)
        return NULL;
    computation = derive(inference, "", 3, 3);
    for (size_t i = 0; i < 3; i++) {
        computation->input[i] = inference->input[i];
        computation->output[i] = i;
    }
    return computation;
}

/* --- losses --- */

enum { SCORES, LABELS };   /* inputs of a loss */
enum { MEAN, LOGARITHMS }; /* outputs */

struct computation *train_compute_loss(bool likelihood, int axis)
{
    struct computation *computation = computation_new(
        likelihood ? ".LikelihoodLoss" : ".CrossEntropyLoss", 1, 2, likelihood ? 1 : 2);

    computation_set_integer(computation, "axis", axis);
    return computation;
}

struct computation *train_compute_loss_gradient(const struct computation *loss)
{
    size_t outputs = loss->outputs, inputs = loss->inputs;
    struct computation *computation = derive(loss, "Grad", 2 * outputs + inputs, inputs);

    computation->input[outputs > LOGARITHMS ? outputs + inputs + LOGARITHMS : outputs + SCORES] = 0;
    computation->input[outputs + LABELS] = 1;
    computation->output[SCORES] = 0;
    return computation;
}

/* --- gradients --- */

/* What SLOT of the forward operator is in PLACE, which has COUNT of them; those of training, that
 * PLACE does not know, are left out.  */
static size_t look_up(const size_t *place, size_t count, size_t slot)
{
    return slot < count ? place[slot] : NETWORK_NONE;
}

struct computation *train_compute_gradient(const struct computation *forward,
                                           const struct train_places *places)
{
    struct computation *computation;
    size_t outputs, inputs, wanted = 0, named = 0;

    if (!is_known(forward))
        return NULL;
    outputs = forward->outputs;
    inputs = forward->inputs;
    computation = derive(forward, "Grad", 2 * outputs + inputs, inputs);
    for (size_t i = 0; i < outputs; i++) {
        size_t slot = forward->output[i];

        computation->input[i] = look_up(places->gradient, places->outputs, slot);
        computation->input[outputs + inputs + i] = look_up(places->output, places->outputs, slot);
    }
    for (size_t i = 0; i < inputs; i++) {
        computation->input[outputs + i] = look_up(places->input, places->inputs, forward->input[i]);
        computation->output[i] = look_up(places->made, places->inputs, forward->input[i]);
        named += computation->output[i] != NETWORK_NONE;
    }
    for (size_t i = 0; i < places->inputs; i++)
        wanted += places->made[i] != NETWORK_NONE;
    if (named == wanted)
        return computation;
    computation_free(computation);
    return NULL;
}

/* --- optimisers --- */

enum { WEIGHT, GRADIENT, STATE }; /* inputs of an update */

static const char *const optimisers[] = {".Sgd", ".Momentum", ".Adam"};

/* The rates are those that frameworks and the papers begin with (Adam: Kingma and Ba, ICLR 2015).
 */
struct computation *train_compute_update(enum optimizer optimizer)
{
    size_t states = (size_t)optimizer;
    struct computation *computation = computation_new(optimisers[optimizer], 1, STATE + states, 1);

    computation_set_real(computation, "rate", optimizer == OPTIMIZER_ADAM ? 1e-3 : 1e-2);
    if (optimizer == OPTIMIZER_MOMENTUM)
        computation_set_real(computation, "momentum", 0.9);
    if (optimizer != OPTIMIZER_ADAM)
        return computation;
    computation_set_real(computation, "beta1", 0.9);
    computation_set_real(computation, "beta2", 0.999);
    computation_set_real(computation, "epsilon", 1e-8);
    return computation;
}

bool train_updates(const struct network_op *op, size_t slot)
{
    if (op->computation == NULL || slot == GRADIENT)
        return false;
    for (size_t i = 0; i < sizeof optimisers / sizeof optimisers[0]; i++)
        if (strcmp(op->computation->name, optimisers[i]) == 0)
            return true;
    return false;
}

bool train_is_state(const struct network_op *op, size_t slot)
{
    return slot >= STATE && train_updates(op, slot);
}
