/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What planners round where they ship (align=native), each by hand.  */
#include <config.h>

#include <stdlib.h>

#include "harness/run/runner.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

static struct run_result run(const char *spec, const struct instance *instance)
{
    const struct run_limits limits = {.time_s = 20};
    struct contestant contestant;
    struct run_result result;
    struct error error;

    if (!contestant_parse(&contestant, spec, &error)) {
        tap_diag("%s", error.text);
        abort();
    }
    run_solver(instance, &contestant, 1, &limits, &result);
    contestant_clear(&contestant);
    return result;
}

static void offsets_are(const char *spec, const struct instance *instance, const int64_t *offset,
                        int64_t peak)
{
    struct run_result result = run(spec, instance);

    if (result.plan == NULL) {
        ok(false, "%s: %s: %s", spec, outcome_name(result.outcome), result.reason);
        return;
    }
    for (size_t b = 0; b < instance->n; b++)
        is_int(result.plan->offset[b], offset[b], "%s: %s", spec, instance->buffer[b].id);
    is_int(result.plan->peak, peak, "%s: peak", spec);
    run_result_clear(&result);
}

/* Addresses are multiples of 64, sizes are as they are.  b lies above a and its 24 bytes of
 * padding.  When a is dead, c takes its place; what is left of that begins at 20, and has
 * nothing from 64 on for d.  interval-move rounds sizes up and puts the next of two that meet
 * below the other, which it moves up where that costs no more than to lie on top: b below a,
 * c beside a, d below b.  pushdown looks at alignments only when it knows the order: d fits
 * into the other 20 bytes below b, and so moves it up.  */
static void test_megengine(void)
{
    struct instance *instance = instance_new("aligned");

    instance_add(instance, "a", 0, 2, 40, 1);
    instance_add(instance, "b", 1, 3, 50, 1);
    instance_add(instance, "c", 2, 4, 20, 1);
    instance_add(instance, "d", 2, 4, 20, 1);
    sealed(instance);
    offsets_are("megengine-pushdown", instance, (const int64_t[]){0, 40, 0, 20}, 90);
    instance->native = true;
    offsets_are("megengine-best-fit", instance, (const int64_t[]){0, 64, 0, 128}, 148);
    offsets_are("megengine-interval-move", instance, (const int64_t[]){128, 64, 128, 0}, 168);
    offsets_are("megengine-pushdown", instance, (const int64_t[]){0, 128, 0, 64}, 178);
    instance_free(instance);
}

/* Sizes are multiples of 64: those of 60 and 30 bytes share the 128 of the first, one behind
 * the other; one of 70 would not.  */
static void test_nnc(void)
{
    struct instance *instance = instance_new("rounded");

    instance_add(instance, "a", 0, 2, 100, 1);
    instance_add(instance, "b", 3, 5, 60, 1);
    instance_add(instance, "c", 3, 5, 30, 1);
    sealed(instance);
    offsets_are("nnc:order=steps", instance, (const int64_t[]){0, 0, 60}, 100);
    instance->native = true;
    offsets_are("nnc:order=steps", instance, (const int64_t[]){0, 0, 64}, 128);
    instance_free(instance);
}

/* A planner that looks at the graph sees it under native alignment too.  */
static void test_graph(void)
{
    struct instance *instance = instance_of("alexnet:align=native");
    struct run_result result = run("nnc", instance);

    is_text(outcome_name(result.outcome), "optimal", "nnc on a network: %s", result.reason);
    ok(result.rounded, "... whose sizes it rounds");
    run_result_clear(&result);
    instance_free(instance);
}

int main(void)
{
    test_megengine();
    test_nnc();
    test_graph();
    return tap_done();
}
