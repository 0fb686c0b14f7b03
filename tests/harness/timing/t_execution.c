/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an execution takes for right: networks whose outputs are NaN in single precision, in double,
 * in both or in neither; and what it counts.  */
#include <config.h>

#include "harness/timing/execution.h"

#include <math.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"
#include "workloads/builder/builder.h"

/* 1e30 x squared SQUARES times, minus itself: of infinities that is NaN.  */
static struct instance *difference(int squares)
{
    struct builder *b = builder_new("difference", DTYPE_F32);
    const struct lifetime_options options = {.io = IO_BOTH, .alignment = 4};
    struct error error = {""};
    struct network *network;
    size_t x = builder_input(b, "x", 2, (const int64_t[]){1, 16});

    x = builder_scale(b, "large", x, 1e30, 0.0);
    for (int i = 0; i < squares; i++) {
        builder_push(b, "square%d.", i);
        x = builder_mul(b, "mul", x, x);
        builder_pop(b);
    }
    builder_output(b, builder_add(b, "difference", x, builder_scale(b, "minus", x, -1.0, 0.0)));
    network = builder_finish(b, &error);
    if (network == NULL)
        tap_bail(error.text);
    return lifetimes_instance(network, schedule_file_order(network), &options, &error);
}

/* The caller clears it.  */
static struct execution executed(const struct instance *instance, bool wide)
{
    struct plan *plan = solver_plan("greedy-by-size", instance, 1);
    const struct execution_request request = {
        .instance = instance, .plan = plan, .options = {.threads = 1}, .rounds = 1, .wide = wide};
    struct execution execution;
    struct error error = {""};

    if (!execution_make(&execution, &request, &error))
        tap_bail(error.text);
    plan_free(plan);
    return execution;
}

/* (1e30)^2 is infinite in single precision, (1e30)^16 in double.  */
static void test_double(void)
{
    static const struct {
        const char *what;
        int squares;
        bool right;
    } rows[] = {
        {"numbers in both", 0, true},
        {"NaN in single precision only", 1, false},
        {"NaN in both", 4, true},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct instance *instance = difference(rows[i].squares);
        struct execution alone = executed(instance, false), both = executed(instance, true);
        struct error error = {""};

        ok(execution_right(&alone, &error), "%s: right as long as nothing is in double %s",
           rows[i].what, error.text);
        ok(execution_right(&both, &error) == rows[i].right, "%s: %s beside a run in double %s",
           rows[i].what, rows[i].right ? "right" : "wrong", error.text);
        ok((strstr(error.text, "has NaN") == NULL) == rows[i].right, "%s: said only if it is wrong",
           rows[i].what);
        execution_clear(&both);
        execution_clear(&alone);
        instance_free(instance);
    }
}

/* What else is wrong.  */
static void test_verdicts(void)
{
    struct instance *instance = difference(0);
    struct execution execution = executed(instance, true);
    struct error error = {""};

    execution.distance = execution.bound;
    ok(execution_right(&execution, &error), "as far from double as the bound is right");
    execution.distance = nextafter(execution.bound, INFINITY);
    ok(!execution_right(&execution, &error) && strstr(error.text, "from those in double") != NULL,
       "farther is wrong: %s", error.text);
    execution.wide = false;
    ok(execution_right(&execution, &error), "unless nothing was run in double");
    execution.differs = "y";
    ok(!execution_right(&execution, &error) && strstr(error.text, "'y' differs") != NULL,
       "another output than outside the arena is wrong: %s", error.text);
    execution_clear(&execution);
    instance_free(instance);
}

/* Weights in the body of a loop are stored bytes like others: those of Zaremba's medium model are
 * 10000 words of 650 units, and the same again with a bias, and two layers of 4 x 650 sums of 1300
 * products with theirs.  */
static void test_stored(void)
{
    struct instance *instance = runnable_of("lstm_lm:seq=2");
    struct execution execution = executed(instance, false);

    is_int(execution.stored_bytes, 4 * (10000 * 650 + 10000 * (650 + 1) + 2 * 2600 * (1300 + 1)),
           "the weights of a loop's body are stored");
    execution_clear(&execution);
    instance_free(instance);
}

int main(void)
{
    test_stored();
    test_double();
    test_verdicts();
    return tap_done();
}
