/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training graphs of every network of the zoo.  */
#include <config.h>

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"
#include "workloads/workload.h"

/* NULL, after a diagnostic, where it cannot be made; *LOOP: because of a loop.  */
static struct network *network_with(const char *name, const char *params, bool *loop)
{
    char *spec = memory_printf("%s:%s", name, params);
    struct error error = {""};
    struct network *network = network_from(spec, &error);

    *loop = strstr(error.text, "no gradient through a loop") != NULL;
    if (network == NULL)
        tap_diag("%s: %s", spec, error.text);
    free(spec);
    return network;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

/* The text without ".again".  */
static uint64_t hash_name(const char *name)
{
    uint64_t hash = 1;

    while (*name != '\0')
        if (strncmp(name, ".again", 6) == 0)
            name += 6;
        else
            hash = mix(hash, (uint64_t)(unsigned char)*name++);
    return hash;
}

/* What each value is, as a term: its operator's name, which output, the terms of
 * what that reads.  A value made again is the same term.  */
static uint64_t *terms(const struct network *network)
{
    uint64_t *term = memory_alloc(network->n_values, sizeof *term);

    for (size_t v = 0; v < network->n_values; v++)
        term[v] = hash_name(network->value[v].name);
    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];
        uint64_t hash = hash_name(op->name);

        for (size_t i = 0; i < op->inputs; i++)
            hash = mix(hash, term[op->input[i]]);
        for (size_t i = 0; i < op->outputs; i++)
            term[op->output[i]] = mix(hash, i);
    }
    return term;
}

/* The terms of all updates together.  */
static uint64_t meaning(const struct network *network)
{
    uint64_t *term = terms(network), all = 0;

    for (size_t v = 0; v < network->n_values; v++)
        if (network->value[v].rank == 1 && network->value[v].dim[0] == 0)
            all += term[v];
    free(term);
    return all;
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);

    return length >= tail && strcmp(name + length - tail, end) == 0;
}

/* Elements of the gradients that updates read; the shapes must agree.  */
static int64_t updated(const struct network *network, size_t *agree)
{
    int64_t elements = 0;

    *agree = 0;
    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];
        const struct value *weight, *gradient;

        if (!ends_with(op->name, ".update"))
            continue;
        weight = &network->value[op->input[0]];
        gradient = &network->value[op->input[1]];
        elements += value_elements(gradient);
        *agree += weight->rank == gradient->rank &&
                  memcmp(weight->dim, gradient->dim, (size_t)weight->rank * sizeof(int64_t)) == 0;
    }
    return elements;
}

static size_t weights(const struct network *network)
{
    size_t count = 0;

    for (size_t v = 0; v < network->n_values; v++)
        count += network->value[v].role == VALUE_WEIGHT;
    return count;
}

/* Work of the forward operators that do not read network inputs first: their
 * gradients of the input.  */
static int64_t first_layers(const struct network *network)
{
    int64_t macs = 0;

    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];
        size_t from = op->input[0];
        const struct value *x = &network->value[from];

        /* Through splits of the input.  */
        if (x->producer != NETWORK_NONE && network->op[x->producer].kind == OP_SPLIT)
            x = &network->value[network->op[x->producer].input[0]];
        if (x->role == VALUE_INPUT)
            macs += op->macs;
    }
    return macs;
}

static void checkpoints(const char *name, const struct network *plain,
                        const struct network *trained)
{
    static const char *const options[] = {"train,checkpoint=1", "train,checkpoint=5",
                                          "train,checkpoint=sqrt,update=ready",
                                          "train,checkpoint=100000"};
    uint64_t want = meaning(trained);

    for (size_t i = 0; i < 4; i++) {
        bool loop;
        struct network *again = network_with(name, options[i], &loop);
        int64_t more = network_macs(again) - network_macs(trained);

        ok(meaning(again) == want, "%s:%s: the same weights", name, options[i]);
        ok(more >= 0 && more <= network_macs(plain), "%s:%s: at most one more forward pass", name,
           options[i]);
        ok(i < 3 || again->n_ops == trained->n_ops, "%s:%s: one segment is none", name, options[i]);
        network_free(again);
    }
}

static void all(const char *name)
{
    bool loop;
    struct network *plain = network_with(name, "", &loop);
    struct network *trained = network_with(name, "train", &loop);
    size_t agree;

    ok(trained != NULL || loop, "%s is trained, or has a loop", name);
    if (trained != NULL) {
        is_int(updated(trained, &agree), network_parameters(plain),
               "%s: every weight is updated once", name);
        is_int((int64_t)agree, (int64_t)weights(plain), "%s: by a gradient of its shape", name);
        is_int(network_macs(trained), 3 * network_macs(plain) - first_layers(plain),
               "%s: three times the work but for the input's gradients", name);
        checkpoints(name, plain, trained);
    }
    network_free(plain);
    network_free(trained);
}

static int64_t load_of(const char *name, const char *params)
{
    char *spec = memory_printf("%s:%s", name, params);
    struct instance *instance = instance_of(spec);
    int64_t load = instance->load;

    instance_free(instance);
    free(spec);
    return load;
}

/* On real networks, enough images for activations to be what counts.  */
static void checkpoints_help(void)
{
    static const char *const name[] = {"resnet50", "vgg16", "mobilenet_v2", "gpt2", "unet"};

    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        int64_t plain = load_of(name[i], "train,update=ready,batch=16");
        int64_t less = load_of(name[i], "train,update=ready,batch=16,checkpoint=sqrt");

        ok(less > 0 && less < plain, "%s: load %" PRId64 " with checkpoints, %" PRId64 " without",
           name[i], less, plain);
    }
}

/* --- what is refused --- */

static void is_refused(const char *spec, const char *want)
{
    struct error error = {""};
    struct network *network = network_from(spec, &error);

    ok(network == NULL && strstr(error.text, want) != NULL, "%s: %s", spec, error.text);
    network_free(network);
}

static void refusals(void)
{
    is_refused("alexnet:train=rmsprop", "expected one of off|sgd|momentum|adam");
    is_refused("alexnet:checkpoint=4", "train= is off");
    is_refused("alexnet:update=ready", "train= is off");
    is_refused("alexnet:train,checkpoint=0", "expected off, sqrt or a number of operators from 1");
    is_refused("alexnet:train,checkpoint=", "expected off, sqrt or a number of operators from 1");
    is_refused("alexnet:train,fuse=all", "fuse= is for inference");
    is_refused("alexnet:train,dtype=i8", "no trained weight leads to an output");
}

int main(void)
{
    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (size_t m = 0; network_registry[f]->model[m].name != NULL; m++)
            all(network_registry[f]->model[m].name);
    checkpoints_help();
    refusals();
    return tap_done();
}
