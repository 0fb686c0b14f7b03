/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/onnx_network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "tests/support/onnx_text.h"
#include "tests/support/tap.h"
#include "workloads/readers/onnx/onnx.h"

struct network *onnx_network_of(const char *text, const char *given, struct error *error)
{
    const struct param *table = onnx_params;
    struct params params;
    struct wire wire = onnx_from_text(text);
    struct network *network = NULL;
    bool good = params_parse(&params, "model.onnx", given, &table, 1, error);

    if (good) {
        network = onnx_network(wire.data, wire.size, "model.onnx", &params, error);
        params_clear(&params);
    }
    wire_clear(&wire);
    return network;
}

struct network *onnx_runnable_of(const char *text, struct error *error)
{
    const struct params params = {0};
    struct wire wire = onnx_from_text(text);
    struct network *network =
        onnx_runnable_network(wire.data, wire.size, "model.onnx", &params, error);

    wire_clear(&wire);
    return network;
}

char *onnx_operators(const struct network *network)
{
    char *text;
    size_t length;
    FILE *out = memory_stream(&text, &length);

    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];

        fprintf(out, "%s%s(", o == 0 ? "" : " ", op->type);
        for (size_t i = 0; i < op->inputs; i++) {
            const struct value *value = &network->value[op->input[i]];
            bool stored = value->role != VALUE_ACTIVATION && value->role != VALUE_INPUT;

            fprintf(out, "%s%s%s", i == 0 ? "" : ",", stored ? "!" : "", value->name);
        }
        fputs(")->", out);
        for (size_t i = 0; i < op->outputs; i++)
            fprintf(out, "%s%s", i == 0 ? "" : ",", network->value[op->output[i]].name);
    }
    memory_stream_close(out);
    return text;
}

struct network *onnx_becomes(const char *text, const char *given, const char *wanted,
                             const char *what)
{
    struct error error = {""};
    struct network *network = onnx_network_of(text, given, &error);
    char *made = network == NULL ? memory_strdup(error.text) : onnx_operators(network);

    is_text(made, wanted, "%s", what);
    free(made);
    return network;
}

void onnx_refused(const char *text, const char *given, const char *message)
{
    struct error error = {""};
    struct network *network = onnx_network_of(text, given, &error);

    ok(network == NULL && strstr(error.text, message) != NULL, "refused: %s", error.text);
    network_free(network);
}

const struct value *onnx_value_named(const struct network *network, const char *name)
{
    for (size_t v = 0; v < network->n_values; v++)
        if (strcmp(network->value[v].name, name) == 0)
            return &network->value[v];
    return NULL;
}
