/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The built-in networks, run: in their planned arena they give byte for byte what they give with
 * each value in memory of its own, with all that may lie in place, small ones without, too; what
 * convolutions are on a kernel, what is folded and what is computed in single precision is as near
 * to the plain run in double as the bound says.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "kernels/pool.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "runtime/compare.h"
#include "runtime/memory.h"
#include "runtime/run.h"
#include "runtime/wide.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"
#include "workloads/workload.h"

#define IN_PLACE "fuse=all,alias=on,inplace=nnc,concat=place"

/* One thread; KERNEL may be NULL.  */
static struct run_options options_of(const char *kernel)
{
    struct run_options options = {.threads = 1};
    struct error error = {""};

    if (kernel == NULL)
        return options;
    options.kernel = conv_kernel_find(kernel);
    if (!isa_default(&options.isa, &error) || options.kernel == NULL)
        abort();
    return options;
}

/* Says which output differs, where first, and in how many of its bytes.  */
static void say_difference(const struct network *network, const struct run_memory *a,
                           const struct run_memory *b)
{
    for (size_t v = 0; v < network->n_values; v++) {
        const size_t bytes = (size_t)value_bytes(&network->value[v]);
        const unsigned char *x = a->value[v], *y = b->value[v];
        size_t count = 0, first = 0;

        if (!network->value[v].output)
            continue;
        for (size_t i = bytes; i-- > 0;)
            if (x[i] != y[i]) {
                count++;
                first = i;
            }
        if (count > 0)
            tap_diag("output '%s': %zu of %zu bytes differ, the first is %zu",
                     network->value[v].name, count, bytes, first);
    }
}

/* Which of the two runs was another one when it failed: each is repeated.  */
static void say_failure(const struct instance *instance, const struct plan *plan,
                        const struct run_options *alone, const struct run_options *shared,
                        const struct run_memory *plain, const struct run_memory *planned)
{
    const struct origin *origin = instance->origin;
    struct error error = {""};
    struct run_memory *again = run_apart(origin->network, origin->schedule, alone, &error);
    struct run_memory *planned_again = run_planned(instance, plan, shared, &error);

    tap_diag("%s: beside the arena %s was written", instance->name,
             run_memory_intact(planned) ? "nothing" : "something");
    say_difference(origin->network, plain, planned);
    if (again != NULL && planned_again != NULL)
        tap_diag(
            "repeated: outside %s, in the arena %s, which are %s",
            run_differs(origin->network, plain, again) == NULL ? "the same" : "another",
            run_differs(origin->network, planned, planned_again) == NULL ? "the same" : "another",
            run_differs(origin->network, again, planned_again) == NULL ? "equal" : "not equal");
    for (size_t b = 0; b < instance->n; b++)
        tap_diag("%s at %" PRId64, instance->buffer[b].id, plan->offset[b]);
    run_memory_free(planned_again);
    run_memory_free(again);
}

/* Whether INSTANCE in the arena that SOLVER plans gives, on so many threads, what it gives outside
 * on one.  */
static bool same_as_plain(const struct instance *instance, const char *solver, const char *kernel,
                          int threads)
{
    const struct origin *origin = instance->origin;
    const struct solver_limits limits = {.seed = 1, .seconds = 0.1};
    const struct run_options options = options_of(kernel);
    struct run_options shared = options;
    struct run_memory *plain, *planned = NULL;
    struct plan *plan = plan_new(instance);
    struct error error = {""};
    bool same;

    shared.threads = threads;
    if (!solver_run_into(solver, instance, &limits, plan).valid)
        abort();
    plain = run_apart(origin->network, origin->schedule, &options, &error);
    if (plain != NULL)
        planned = run_planned(instance, plan, &shared, &error);
    same = planned != NULL && run_differs(origin->network, plain, planned) == NULL &&
           run_memory_intact(planned);
    if (planned == NULL)
        tap_diag("%s: %s", instance->name, error.text);
    else if (!same)
        say_failure(instance, plan, &options, &shared, plain, planned);
    run_memory_free(planned);
    run_memory_free(plain);
    plan_free(plan);
    return same;
}

static void look_at(const char *name, const char *params, int threads)
{
    char *spec = memory_printf("%s%s%s", name, params[0] == '\0' ? "" : ":", params);
    struct instance *instance = runnable_of(spec);
    struct error error = {""};
    bool good = run_check(instance->origin->network, &error) &&
                same_as_plain(instance, "section-first", "mgemm", threads);

    if (error.text[0] != '\0')
        tap_diag("%s", error.text);
    ok(good, "%s gives the same in its planned arena, on %d threads, as outside", spec, threads);
    instance_free(instance);
    free(spec);
}

static bool is_small(const char *name)
{
    static const char *const small[] = {"squeezenet1_1", "mobilenet_v3_small",
                                        "shufflenet_v2_x1_0"};

    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
        if (strcmp(name, small[i]) == 0)
            return true;
    return false;
}

static void test_all(void)
{
    const int threads = pool_processors() < 2 ? 1 : 2;

    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (size_t m = 0; network_registry[f]->model[m].name != NULL; m++) {
            const char *name = network_registry[f]->model[m].name;

            if (tap_tier(0, 1) == 0 && !is_small(name))
                continue;
            if (is_small(name))
                look_at(name, "", 1);
            look_at(name, IN_PLACE, threads);
        }
}

/* Other planners, other layouts of what is shared.  */
static void test_planners(void)
{
    static const char *const solvers[] = {"naive", "tflite-arena", "tflite-gpu-equality",
                                          "path-cover"};
    struct instance *instance = runnable_of("mobilenet_v3_small:alias=on,inplace=nnc");

    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++) {
        ok(same_as_plain(instance, solvers[i], "mgemm", 1), "the same in the arena of %s",
           solvers[i]);
        ok(same_as_plain(instance, solvers[i], NULL, 1), "and without kernels");
    }
    instance_free(instance);
}

/* --- single precision, folding, kernels --- */

/* EXACT, a run of WIDE, as one of NETWORK: both have one output, which has another number where
 * operators are gone.  The caller frees its values.  */
static struct run_memory in_order_of(const struct network *network, const struct network *wide,
                                     const struct run_memory *exact)
{
    struct run_memory in_order = *exact;

    in_order.value = memory_zalloc(network->n_values, sizeof *in_order.value);
    for (size_t v = 0; v < network->n_values; v++)
        for (size_t w = 0; w < wide->n_values; w++)
            if (wide->value[w].output && network->value[v].output)
                in_order.value[v] = exact->value[w];
    return in_order;
}

/* How far INSTANCE, run with OPTIONS, is from UNCHANGED in double.  */
static double distance_from(const struct instance *instance, const struct run_options *options,
                            const struct instance *unchanged)
{
    const struct origin *origin = instance->origin;
    const struct run_options plain = {.threads = 1};
    struct network *wide = network_widened(unchanged->origin->network);
    struct error error = {""};
    struct run_memory *narrow = run_apart(origin->network, origin->schedule, options, &error);
    struct run_memory *exact = run_apart(wide, unchanged->origin->schedule, &plain, &error);
    struct run_memory in_order;
    double distance;

    if (narrow == NULL || exact == NULL) {
        tap_diag("%s: %s", instance->name, error.text);
        abort();
    }
    in_order = in_order_of(origin->network, wide, exact);
    distance = run_distance(origin->network, narrow, &in_order);
    free(in_order.value);
    run_memory_free(exact);
    run_memory_free(narrow);
    network_free(wide);
    return distance;
}

static void test_precision(const char *name)
{
    static const struct {
        const char *params, *kernel, *what;
    } runs[] = {
        {"", NULL, "operators alone"},        {"", "mgemm", "kernels"},
        {"fuse=all", NULL, "what is folded"}, {"grouped=expand", NULL, "groups one by one"},
        {"batch=2", "mgemm", "two images"},
    };

    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char *spec = memory_printf("%s:%s", name, runs[i].params);
        char *plain_spec = memory_printf("%s%s", name, i == 4 ? ":batch=2" : "");
        struct instance *instance = runnable_of(spec), *unchanged = runnable_of(plain_spec);
        const struct run_options options = options_of(runs[i].kernel);
        double bound = run_distance_bound(unchanged->origin->network);
        double distance = distance_from(instance, &options, unchanged);

        ok(distance > 0.0 && distance <= bound, "%s, %s: %g from double, bound %g", name,
           runs[i].what, distance, bound);
        instance_free(unchanged);
        instance_free(instance);
        free(plain_spec);
        free(spec);
    }
}

/* --- what cannot be --- */

static void test_too_large(void)
{
    struct instance *instance = runnable_of("squeezenet1_1:batch=100000000");
    struct error error = {""};
    struct plan *plan = solver_plan("greedy-by-size", instance, 1);
    struct run_memory *memory = run_memory_planned(instance, plan, &error);

    ok(memory == NULL && strstr(error.text, "bytes of memory") != NULL,
       "an arena larger than the machine's memory is refused: %s", error.text);
    run_memory_free(memory);
    plan_free(plan);
    instance_free(instance);
}

static void test_no_numbers(void)
{
    struct instance *instance = runnable_of("squeezenet1_1:alias=on,inplace=nnc");
    struct network *network = instance->origin->network;
    size_t changed = 0;

    for (size_t v = 0; v < network->n_values; v++)
        if (network->value[v].role == VALUE_WEIGHT && network->value[v].elements != NULL) {
            memset(network->value[v].elements->data, 0xff, network->value[v].elements->bytes);
            changed++;
        }
    ok(changed > 0 && same_as_plain(instance, "section-first", "mgemm", 1),
       "weights that are no numbers are run like others");
    instance_free(instance);
}

static void test_types(void)
{
    struct instance *instance = runnable_of("squeezenet1_1:dtype=i8");
    struct error error = {""};

    ok(!run_check(instance->origin->network, &error) &&
           strstr(error.text, "cannot be run: Conv (26)") != NULL,
       "operators of other types are named, with their number: %s", error.text);
    instance_free(instance);
}

int main(void)
{
    test_all();
    test_planners();
    test_precision("squeezenet1_1");
    if (tap_tier(0, 1) != 0)
        test_precision("shufflenet_v2_x1_0");
    test_too_large();
    test_no_numbers();
    test_types();
    return tap_done();
}
