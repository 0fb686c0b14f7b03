/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What planners round where they ship (align=native), each by hand.  */
#include <config.h>

#include "harness/run/runner.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/instances.h"
#include "tests/support/runs.h"
#include "tests/support/tap.h"

/* With align=native, or not.  */
static struct run_result *run(const char *spec, const struct instance *instance, bool native)
{
    return spec_run(spec, instance, &(struct run_limits){.time_s = 20, .native = native});
}

static void offsets_are(const char *spec, const struct instance *instance, bool native,
                        const int64_t *offset, int64_t peak)
{
    struct run_result *result = run(spec, instance, native);

    if (result->plan == NULL) {
        ok(false, "%s: %s: %s", spec, outcome_name(result->outcome), result->reason);
        return;
    }
    for (size_t b = 0; b < instance->n; b++)
        is_int(result->plan->offset[b], offset[b], "%s: %s", spec, instance->buffer[b].id);
    is_int(result->plan->peak, peak, "%s: peak", spec);
}

/* Addresses are multiples of 64, sizes are as they are.  b lies above a and its 24 bytes of
 * padding.  When a is dead, c takes its place; what is left of that begins at 20, and has
 * nothing from 64 on for d.  interval-move rounds sizes up and puts the next of two that meet
 * below the other, which it moves up where that costs no more than to lie on top: b below a,
 * c beside a, d below b.  pushdown looks at alignments only when it knows the order: d fits
 * into the other 20 bytes below b, and so moves it up.  */
static void test_megengine(void)
{
    struct instance *instance = instance_of_rows("a 0 2 40; b 1 3 50; c 2 4 20; d 2 4 20");

    offsets_are("megengine-pushdown", instance, false, (const int64_t[]){0, 40, 0, 20}, 90);
    offsets_are("megengine-best-fit", instance, true, (const int64_t[]){0, 64, 0, 128}, 148);
    offsets_are("megengine-interval-move", instance, true, (const int64_t[]){128, 64, 128, 0}, 168);
    offsets_are("megengine-pushdown", instance, true, (const int64_t[]){0, 128, 0, 64}, 178);
    instance_free(instance);
}

/* Sizes are multiples of 64: those of 60 and 30 bytes share the 128 of the first, one behind
 * the other; one of 70 would not.  */
static void test_nnc(void)
{
    struct instance *instance = instance_of_rows("a 0 2 100; b 3 5 60; c 3 5 30");

    offsets_are("nnc:order=steps", instance, false, (const int64_t[]){0, 0, 60}, 100);
    offsets_are("nnc:order=steps", instance, true, (const int64_t[]){0, 0, 64}, 128);
    instance_free(instance);
}

/* Three buffers of one byte that are alive together: the peak says to what sizes or offsets are
 * rounded.  */
static void test_roundings(void)
{
    static const struct {
        const char *solver;
        int64_t peak;
    } row[] = {
        {"bfc", 513},
        {"executorch", 48},
        {"ggml", 65},
        {"inductor", 129},
        {"glow", 129},
        {"iree", 192},
        {"megengine-best-fit", 129},
        {"megengine-interval-move", 129},
        {"megengine-pushdown", 129},
        {"nnc:order=steps", 192},
        {"onednn", 129},
        {"onnxruntime", 768},
        {"openvino", 96},
        {"pytorch-caching", 1025},
        {"somas", 1536},
        {"static-runtime", 192},
        {"tflite-arena", 129},
        {"tflm", 48},
        {"tinygrad", 513},
        {"tvm-conflicts", 33},
        {"tvm-hill-climb", 33},
        {"tvm-size", 33},
        {"vela-greedy", 33},
        {"vela-hill-climb", 33},
        {"xla-area", 129},
        {"xla-search", 129},
        {"xla-spatial", 129},
        {"xla-temporal", 129},
        {"xnnpack", 192},
    };
    struct instance *instance = instance_of_rows("a 0 2 1; b 0 2 1; c 0 2 1");

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct run_result *result = run(row[i].solver, instance, true);

        is_int(result->plan != NULL ? result->plan->peak : -1, row[i].peak, "%s: three bytes",
               row[i].solver);
    }
    instance_free(instance);
}

/* Upstream's tflm counts in 32 bits: a load that fits is taken, the next one is not.  */
static void test_refusal(void)
{
    for (int64_t more = 0; more < 2; more++) {
        struct instance *instance = instance_new("2 GiB");
        struct run_result *result;

        instance_add(instance, "a", 0, 2, INT32_MAX + more, 1);
        result = run("tflm", sealed(instance), false);
        is_text(outcome_name(result->outcome), more == 0 ? "optimal" : "skipped",
                "tflm: a load of 2^31 - %d bytes: %s", (int)(1 - more), result->reason);
        instance_free(instance);
    }
}

/* A planner that looks at the graph sees it under native alignment too.  */
static void test_graph(void)
{
    struct instance *instance = instance_of("alexnet:align=native");
    struct run_result *result = run("nnc", instance, true);

    is_text(outcome_name(result->outcome), "optimal", "nnc on a network: %s", result->reason);
    ok(result->rounded, "... whose sizes it rounds");
    instance_free(instance);
}

int main(void)
{
    test_megengine();
    test_nnc();
    test_graph();
    test_roundings();
    test_refusal();
    return tap_done();
}
