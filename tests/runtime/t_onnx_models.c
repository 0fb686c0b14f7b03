/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole models of ONNX's own: they run, with the elements of their files and with seeded ones, and
 * what comes out is the same in a planned arena, where all may lie in place that can, as with each
 * value in memory of its own.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "runtime/compare.h"
#include "runtime/memory.h"
#include "runtime/run.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"
#include "tests/support/telling.h"
#include "workloads/readers/onnx/file/model.h"

/* --- elements --- */

static void fill(struct rng *rng, float *element, int64_t count, double middle, double reach)
{
    for (int64_t i = 0; i < count; i++)
        element[i] = (float)(middle + reach * (2.0 * rng_unit(rng) - 1.0));
}

static struct elements *stored_elements(struct rng *rng, const struct value *value)
{
    int64_t count = value_elements(value);
    struct elements *elements = elements_new((size_t)value_bytes(value));
    int64_t sum = value->rank > 1 && value->dim[0] > 0 ? count / value->dim[0] : 1;

    if (value->dtype != DTYPE_F32)
        return elements;
    if (value->role == VALUE_STATISTIC)
        fill(rng, elements->data, count, 1.0, 0.5);
    else
        fill(rng, elements->data, count, 0.0, sqrt(5.0 / (double)(sum > 5 ? sum : 5)));
    return elements;
}

/* Gives the stored f32 values of NETWORK elements so that numbers stay as large as they are from
 * layer to layer: weights around 0 by the number of those that are added up, statistics around 1.
 * Whole numbers that have no elements become 0.  */
static void reseed(struct network *network)
{
    struct rng *rng = rng_new(1);

    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];

        if (value->producer != NETWORK_NONE || value->role == VALUE_INPUT ||
            (value->dtype != DTYPE_F32 && value->elements != NULL))
            continue;
        network_set_elements(network, v, stored_elements(rng, value));
    }
    rng_free(rng);
}

/* --- running --- */

/* Runs both ways; TELLING asks that there is something in what comes out.  */
static void compare(const struct instance *instance, const struct plan *plan, bool telling,
                    const char *what)
{
    const struct origin *origin = instance->origin;
    const struct run_options options = {.threads = 1};
    struct error error = {""};
    struct run_memory *plain = run_apart(origin->network, origin->schedule, &options, &error);
    struct run_memory *planned = run_planned(instance, plan, &options, &error);
    bool good = plain != NULL && planned != NULL;

    ok(good && run_differs(origin->network, plain, planned) == NULL && run_memory_intact(planned),
       "%s, %s: the same in %lld bytes %s", instance->name, what, (long long)plan->peak,
       error.text);
    if (telling)
        ok(good && telling_outputs(origin->network, plain), "%s: there is something in it",
           instance->name);
    run_memory_free(planned);
    run_memory_free(plain);
}

static void check_model(const char *file)
{
    char *spec = memory_printf("data:%s:io=both,alias=on,inplace=nnc,concat=place", file);
    struct error error = {""};
    struct instance *instance = runnable_from(spec, &error);

    ok(instance != NULL && run_check(instance->origin->network, &error), "%s runs %s", file,
       error.text);
    if (instance != NULL) {
        struct plan *plan = solver_plan("section-first", instance, 1);

        compare(instance, plan, false, "elements of the file");
        reseed(instance->origin->network);
        compare(instance, plan, true, "seeded elements");
        plan_free(plan);
    }
    instance_free(instance);
    free(spec);
}

int main(void)
{
    /* The first ones take little time.  */
    static const char *const files[] = {
        "onnx/light_shufflenet.onnx",   "onnx/light_squeezenet.onnx",
        "onnx/light_bvlc_alexnet.onnx", "onnx/light_inception_v2.onnx",
        "onnx/light_resnet50.onnx",
    };
    enum { FILES = sizeof files / sizeof files[0] };

    if (!onnx_available()) {
        tap_skip(1, "built without protobuf-c and onnx.proto");
        return tap_done();
    }
    for (int i = 0; i < tap_tier(2, FILES); i++)
        if (!tap_skip_without(4, files[i]))
            check_model(files[i]);
    return tap_done();
}
