/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/seeded.h"

#include <math.h>
#include <string.h>

#include "lib/base/checksum.h"
#include "lib/base/rng.h"
#include "lib/graph/computation.h"
#include "lib/graph/control.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"

/* Uniform in [low, high).  */
struct range {
    double low, high;
};

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static bool is_norm(const char *name)
{
    static const char *const norms[] = {"BatchNormalization", "LayerNormalization", NULL};

    return is_one_of(name, norms);
}

/* The terms of a sum that weights of VALUE's shape make in operator NAME; 0: it makes none.  */
static int64_t terms_of(const char *name, const struct value *value)
{
    static const char *const rows[] = {"Conv", ".Linear", ".Cell", NULL};
    static const char *const columns[] = {"ConvTranspose", "MatMul", NULL};
    int64_t all = value_elements(value);

    if (value->rank < 2 || all == 0)
        return 0;
    if (is_one_of(name, rows))
        return all / value->dim[0];
    return is_one_of(name, columns) ? value->dim[strcmp(name, "MatMul") == 0 ? value->rank - 2 : 0]
                                    : 0;
}

/* What VALUE, input I of operator NAME, is drawn from.  */
static struct range range_of(const char *name, size_t i, const struct value *value)
{
    enum { FACTOR = 1, VARIANCE = 4 };
    int64_t terms = terms_of(name, value);
    double limit = 0.1;

    if (is_norm(name))
        return i == FACTOR || i == VARIANCE ? (struct range){0.5, 1.5} : (struct range){-0.5, 0.5};
    if (terms > 0)
        limit = sqrt(6.0 / (double)terms);
    else if (strcmp(name, "Gather") == 0)
        limit = 1.0;
    return (struct range){-limit, limit};
}

/* The same for the same name, whatever else the network holds.  */
static void draw(struct network *network, size_t v, struct range range)
{
    const struct value *value = &network->value[v];
    uint64_t sum = checksum_bytes(CHECKSUM_START, value->name, strlen(value->name));
    struct elements *elements = elements_new((size_t)value_bytes(value));
    struct rng *rng = rng_new((uint32_t)(sum ^ sum >> 32) | 1U);
    int64_t count = value_elements(value);
    float *data = elements->data;

    for (int64_t i = 0; i < count; i++)
        data[i] = (float)(range.low + (range.high - range.low) * rng_unit(rng));
    rng_free(rng);
    network_set_elements(network, v, elements);
}

static bool wants(const struct value *value)
{
    return (value->role == VALUE_WEIGHT || value->role == VALUE_STATISTIC) &&
           value->elements == NULL && value->dtype == DTYPE_F32;
}

static void seed_inputs(struct network *network, const struct network_op *op)
{
    const struct computation *computation = op->computation;

    for (size_t i = 0; computation != NULL && i < computation->inputs; i++) {
        size_t slot = computation->input[i];

        if (slot != NETWORK_NONE && wants(&network->value[op->input[slot]]))
            draw(network, op->input[slot],
                 range_of(computation->name, i, &network->value[op->input[slot]]));
    }
}

void seed_weights(struct network *network)
{
    for (size_t o = 0; o < network->n_ops; o++) {
        struct control *control = network->op[o].control;

        seed_inputs(network, &network->op[o]);
        for (size_t i = 0; control != NULL && i < control->bodies; i++)
            seed_weights(control->body[i].network);
    }
}
