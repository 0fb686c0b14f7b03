/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values in blocks that begin at the same address, a concatenation and its first part, and an
 * operator that reads both plain: each is converted for itself.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "runtime/compare.h"
#include "runtime/memory.h"
#include "runtime/run.h"
#include "tests/support/onnx_network.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"
#include "workloads/readers/onnx/file/model.h"

/* Stored tensor NAME, 32 x 8 x 1 x 1.  */
static void add_weights(FILE *text, struct rng *rng, const char *name)
{
    fprintf(text, "init %s f32 32 8 1 1 =", name);
    for (int i = 0; i < 32 * 8; i++)
        fprintf(text, " %.3f", 0.5 * rng_unit(rng) - 0.25);
    fputc('\n', text);
}

/* Images of two columns, which are points as well.  The caller frees it.  */
static char *model_text(void)
{
    struct rng *rng = rng_new(1);
    size_t length;
    char *model;
    FILE *text = memory_stream(&model, &length);

    fputs("opset 16\ninput x f32 1 8 4 2\n", text);
    add_weights(text, rng, "u");
    add_weights(text, rng, "v");
    fputs("Conv x u -> part\nConv x v -> other\nConcat part other -> whole axis=1\n"
          "GridSample part whole -> sampled\noutput sampled\n",
          text);
    memory_stream_close(text);
    rng_free(rng);
    return model;
}

static struct instance *read_model(void)
{
    const struct lifetime_options options = {.place = true, .alignment = 64};
    char *text = model_text();
    struct error error = {""};
    struct network *network = onnx_runnable_of(text, &error);

    free(text);
    if (network == NULL) {
        tap_diag("%s", error.text);
        abort();
    }
    return lifetimes_instance(network, schedule_file_order(network), &options, &error);
}

/* The bytes that the last operator converts in a run on MEMORY.  */
static int64_t converted(const struct instance *instance, const struct run_memory *memory,
                         const struct run_options *options)
{
    const struct origin *origin = instance->origin;
    struct error error = {""};
    struct run *run = run_new(origin->network, origin->schedule, memory, options, &error);
    struct run_operator *how;
    int64_t bytes;

    if (run == NULL) {
        tap_diag("%s", error.text);
        abort();
    }
    how = run_operators(run);
    bytes = how[origin->network->n_ops - 1].copied_bytes;
    free(how);
    run_free(run);
    return bytes;
}

static size_t find_value(const struct network *network, const char *name)
{
    size_t v = 0;

    while (strcmp(network->value[v].name, name) != 0)
        v++;
    return v;
}

int main(void)
{
    struct run_options options = {.kernel = conv_kernel_find("mgemm"), .threads = 1};
    struct run_memory *plain, *planned;
    const struct origin *origin;
    struct instance *instance;
    struct plan *plan;
    struct error error = {""};

    if (!onnx_available()) {
        tap_skip(1, "built without protobuf-c and onnx.proto");
        return tap_done();
    }
    isa_default(&options.isa, NULL);
    instance = read_model();
    origin = instance->origin;
    plan = solver_plan("greedy-by-size", instance, 1);
    plain = run_apart(origin->network, origin->schedule, &options, &error);
    planned = run_planned(instance, plan, &options, &error);
    if (plain == NULL || planned == NULL) {
        tap_diag("%s", error.text);
        abort();
    }
    ok(planned->value[find_value(origin->network, "part")] ==
           planned->value[find_value(origin->network, "whole")],
       "a concatenation begins with its first part");
    /* 32 and 64 channels of 4 x 2 pixels.  */
    is_int(converted(instance, plain, &options), 3072, "both lie in blocks, and are read plain");
    is_int(converted(instance, planned, &options), 3072, "in the arena too");
    ok(run_differs(origin->network, plain, planned) == NULL,
       "what is made of both is the same as where they lie apart");
    run_memory_free(planned);
    run_memory_free(plain);
    plan_free(plan);
    instance_free(instance);
    return tap_done();
}
