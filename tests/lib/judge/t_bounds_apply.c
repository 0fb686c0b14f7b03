/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the bounds that follow from W apply, and the reason when they don't; products and sizes
 * at the end of 64 bits.  */
#include <config.h>

#include "lib/judge/bounds.h"

#include <string.h>

#include "lib/graph/network.h"
#include "lib/graph/reuse.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "tests/support/dag.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

static void says_why(struct instance *instance, bool applies, const char *word, const char *what)
{
    struct bounds bounds;
    struct error error = {""};

    if (instance == NULL || !bounds_compute(instance, &bounds, &error)) {
        ok(false, "%s: computed", what);
        return;
    }
    ok(bounds.applicable == applies && strstr(bounds.reason, word) != NULL, "%s: %s", what,
       bounds.applicable ? "applies" : bounds.reason);
    instance_free(instance);
}

static struct dag three_in_a_row(void)
{
    struct dag dag = dag_new();
    size_t first = dag_add(&dag, NULL, 0, 4), second = dag_add(&dag, &first, 1, 5);

    dag_add(&dag, &second, 1, 6);
    return dag;
}

/* Edges that lead to the step of their operator, or before it: none may.  */
static void shared_steps(void)
{
    static const int64_t steps[][3] = {{0, 0, 1}, {0, 1, 1}, {1, 0, 2}, {0, 1, 2}};

    for (size_t i = 0; i < 4; i++) {
        struct dag dag = three_in_a_row();
        struct instance *instance;

        dag_finish(&dag);
        instance = dag_instance(dag.network, IO_NONE);
        memcpy(instance->origin->schedule->step, steps[i], sizeof steps[i]);
        says_why(instance, i == 3, i == 3 ? "" : "shares a step", "steps of three in a row");
    }
}

/* Weights that count, a value that lies in a part of another one, a fixed one, sizes of which 2 W
 * do not fit.  */
static void shapes_and_sizes(void)
{
    const struct lifetime_options place = {.place = true};
    struct dag dag = dag_new();
    struct instance *instance;
    struct error error = {""};
    size_t both[2], last;

    both[0] = dag_add(&dag, NULL, 0, 4);
    both[1] = dag_add(&dag, NULL, 0, 5);
    last = dag_add(&dag, both, 2, 9);
    dag.network->op[last].kind = OP_CONCAT;
    reuse_infer(dag.network, last);
    dag_add(&dag, &last, 1, 3);
    dag_finish(&dag);
    says_why(lifetimes_instance(dag.network, schedule_file_order(dag.network), &place, &error),
             false, "no rectangles", "concat=place");
    dag = three_in_a_row();
    dag.network->value[dag.input].role = VALUE_WEIGHT;
    dag_finish(&dag);
    says_why(lifetimes_instance(dag.network, schedule_file_order(dag.network),
                                &(const struct lifetime_options){.weights = true}, &error),
             false, "stored", "weights=on");
    dag = three_in_a_row();
    dag_finish(&dag);
    instance = dag_instance(dag.network, IO_NONE);
    instance_fix(instance, 0, 0);
    instance_seal(instance, NULL, &error);
    says_why(instance, false, "offsets are fixed", "a fixed buffer");
    dag = dag_new();
    both[0] = dag_add(&dag, NULL, 0, INT64_C(1) << 61);
    dag_add(&dag, both, 1, 1);
    dag_add(&dag, both, 1, 1);
    dag_finish(&dag);
    says_why(dag_instance(dag.network, IO_NONE), false, "64 bits", "2 W 2^61 bytes");
}

static void conditions(void)
{
    const int64_t dim[] = {3};
    struct lifetime_options alias = {.alias = true};
    struct dag dag = three_in_a_row();
    struct instance *plain = instance_new("plain");
    struct error error = {""};
    size_t from = 0;

    network_mark_output(dag.network, dag.made[1]);
    says_why(dag_instance(dag.network, IO_NONE), true, "", "the last value is read by nobody");
    dag = three_in_a_row();
    dag_finish(&dag);
    says_why(dag_instance(dag.network, IO_NONE), true, "", "a network output");
    dag = three_in_a_row();
    dag_finish(&dag);
    says_why(dag_instance(dag.network, IO_OUTPUTS), false, "network output", "io=outputs");
    dag = three_in_a_row();
    dag_finish(&dag);
    says_why(dag_instance(dag.network, IO_INPUTS), false, "network input", "io=inputs");
    dag = three_in_a_row();
    network_add_output(dag.network, 1, "second", DTYPE_I8, 1, dim);
    dag_finish(&dag);
    says_why(dag_instance(dag.network, IO_NONE), true, "", "two outputs");
    dag = three_in_a_row();
    dag_add(&dag, NULL, 0, 1);
    dag_finish(&dag);
    says_why(dag_instance(dag.network, IO_NONE), false, "isolated", "an isolated operator");
    dag = three_in_a_row();
    dag_finish(&dag);
    dag_add(&dag, &from, 1, 1);
    dag_add(&dag, &from, 1, 1);
    says_why(dag_instance(dag.network, IO_NONE), true, "", "an unread value");
    shared_steps();
    shapes_and_sizes();
    dag = three_in_a_row();
    dag.network->op[1].kind = OP_ALIAS;
    dag.network->value[dag.made[1]].dim[0] = 4; /* as large as what it is an alias of */
    dag_finish(&dag);
    says_why(lifetimes_instance(dag.network, schedule_file_order(dag.network), &alias, &error),
             false, "shares a buffer", "alias=on");
    rows_add(plain, "a 0 1 1");
    instance_seal(plain, NULL, &error);
    says_why(plain, false, "no graph", "no network");
}
static void products(void)
{
    struct instance *instance = instance_new("products");
    struct bounds bounds;
    struct error error = {""};

    rows_add(instance, "a 0 2 10 8; b 1 3 4 12");
    ok(instance_seal(instance, NULL, &error) && bounds_compute(instance, &bounds, &error),
       "two buffers");
    is_int(bounds.width_bound, 2 * 24, "max_size is padded to a multiple of all alignments");
    is_int(bounds.max_size, 10, "but reported as it is");
    is_int(bounds.w2_bound, -1, "no W without a graph");
    instance_free(instance);
    instance = instance_new("large");
    instance_add(instance, "a", 0, 2, (int64_t)1 << 61, 1);
    instance_add(instance, "b", 1, 3, (int64_t)1 << 61, 1);
    instance_add(instance, "c", 1, 3, (int64_t)1 << 61, 1);
    rows_add(instance, "d 1 3 1");
    ok(instance_seal(instance, NULL, &error) && bounds_compute(instance, &bounds, &error),
       "large buffers");
    is_int(bounds.width_bound, -1, "a product that does not fit is none");
    instance_free(instance);
    instance = instance_new("multiples");
    instance_add(instance, "a", 0, 1, 1, INT64_C(1) << 61);
    instance_add(instance, "b", 1, 2, 1, 3 * INT64_C(1) << 59);
    ok(instance_seal(instance, NULL, &error) && bounds_compute(instance, &bounds, &error),
       "large alignments");
    is_int(bounds.width_bound, 3 * INT64_C(1) << 61, "of which the common multiple fits");
    instance_free(instance);
    instance = instance_new("no multiple");
    instance_add(instance, "a", 0, 1, 1, INT64_C(1) << 60);
    instance_add(instance, "b", 1, 2, 1, (INT64_C(1) << 60) + 1);
    ok(instance_seal(instance, NULL, &error) && bounds_compute(instance, &bounds, &error),
       "larger ones");
    is_int(bounds.width_bound, -1, "of which it does not");
    instance_free(instance);
}

/* Two buffers that are alive at the same steps, though never both in use: their
 * pieces have width 1, path-cover stacks their rectangles.  */
static void idle_buffers(void)
{
    struct instance *instance = instance_new("idle");
    struct bounds bounds;

    rows_add(instance, "a 0 1 0-8 + 3 4 0-8; b 1 3 8");
    instance_seal(instance, NULL, NULL);
    bounds_compute(instance, &bounds, NULL);
    is_int(bounds.width, 1, "one is in use at a time");
    is_int(bounds.width_bound, 2 * 8, "the bound for planners of rectangles counts both");
    instance_free(instance);
}

int main(void)
{
    conditions();
    idle_buffers();
    products();
    return tap_done();
}
