/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops and branches that run: small ones whose results are known by hand, planned and not, what is
 * refused, and what is counted of them.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "runtime/compare.h"
#include "runtime/memory.h"
#include "runtime/run.h"
#include "tests/support/instances.h"
#include "tests/support/onnx_network.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"
#include "workloads/readers/onnx/file/model.h"

#define MOST 16
#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* --- models --- */

/* Two numbers that are each other's next ones.  */
#define PAIR                                                                       \
    "graph b\ninput i i64\ninput c bool\ninput p f32\ninput q f32\nAdd p q -> s\n" \
    "output c\noutput q\noutput s\nend\n"

/* The same, and the sum of each iteration.  */
#define STACKED                                                                    \
    "graph b\ninput i i64\ninput c bool\ninput p f32\ninput q f32\nAdd p q -> s\n" \
    "output c\noutput q\noutput s\noutput s\nend\n"                                \
    "input n i64\ninput x f32\ninput y f32\ninfo z f32 4\n"                        \
    "Loop n _ x y -> a e z body=@b\noutput z\n"

/* A sum so far, and that of each iteration.  */
#define SUMS                                                                 \
    "graph b\ninput h f32 2\ninput x f32 2\nAdd h x -> t\nIdentity t -> u\n" \
    "output t\noutput u\nend\ninput h f32 2\ninput x f32 3 2\n"

/* Doubled until it is no longer below 20.  */
#define DOUBLED                                                                      \
    "graph b\ninput i i64\ninput c bool\ninput v f32\nAdd v v -> w\nLess w m -> d\n" \
    "output d\noutput w\nend\ninit m f32 = 20\n"

#define BRANCHES                                                                   \
    "graph t\nAdd x x -> u\noutput u\nend\ngraph e\nMul x x -> w\noutput w\nend\n" \
    "input k bool\ninput x f32 1 1 2 2\nIf k -> y then_branch=@t else_branch=@e\n" \
    "Neg y -> z\noutput z\n"

/* The same of captured values that are no images: they are read where they lie.  */
#define BRANCHES_ON(type)                                                                   \
    "graph t\nAdd x x -> u\noutput u\nend\ngraph e\nMul x x -> w\noutput w\nend\n"          \
    "input k bool\ninput x " type "\nIf k -> y then_branch=@t else_branch=@e\nNeg y -> z\n" \
    "output z\n"

/* Each of three turns adds a captured number four times, and the turn's own.  */
#define NESTED                                                                                \
    "graph inner\ninput i i64\ninput c bool\ninput v f32\nAdd v a -> w\noutput c\noutput w\n" \
    "end\n"                                                                                   \
    "graph outer\ninput j i64\ninput c bool\ninput v f32\ninit four i64 = 4\n"                \
    "Loop four _ v -> w body=@inner\nCast j -> f to=1\nAdd w f -> r\noutput c\noutput r\n"    \
    "end\ninput v f32\ninput a f32\ninit three i64 = 3\n"                                     \
    "Loop three _ v -> y body=@outer\noutput y\n"

struct example {
    const char *what, *text;
    double input[MOST]; /* of all inputs, one after the other */
    double output[MOST];
    const char *message; /* NULL: it runs */
};

static const struct example examples[] = {
    {"Fibonacci",
     PAIR "input x f32\ninput y f32\ninit n i64 = 10\nLoop n _ x y -> a z body=@b\n"
          "output a\noutput z\n",
     {0, 1},
     {55, 89},
     NULL},
    {"what is swapped",
     "graph b\ninput i i64\ninput c bool\ninput p f32\ninput q f32\noutput c\noutput q\noutput p\n"
     "end\ninput x f32\ninput y f32\ninit n i64 = 4\nLoop n _ x y -> a z body=@b\noutput a\n"
     "output z\n",
     {1, 2},
     {1, 2},
     NULL},
    {"a scan",
     SUMS "Scan h x -> t u body=@b num_scan_inputs=1\noutput t\noutput u\n",
     {10, 20, 1, 2, 3, 4, 5, 6},
     {19, 32, 11, 22, 14, 26, 19, 32},
     NULL},
    {"a scan backwards",
     SUMS "Scan h x -> t u body=@b num_scan_inputs=1 scan_input_directions=1, "
          "scan_output_directions=1,\noutput t\noutput u\n",
     {10, 20, 1, 2, 3, 4, 5, 6},
     {19, 32, 19, 32, 18, 30, 15, 26},
     NULL},
    {"a scan of columns",
     "graph b\ninput h f32 2\ninput x f32 2\nAdd h x -> t\nIdentity t -> u\noutput t\noutput u\n"
     "end\ninput h f32 2\ninput x f32 2 3\nScan h x -> t u body=@b num_scan_inputs=1 "
     "scan_input_axes=1, scan_output_axes=1,\noutput t\noutput u\n",
     {10, 20, 1, 3, 5, 2, 4, 6},
     {19, 32, 11, 14, 19, 22, 26, 32},
     NULL},
    {"until a condition",
     DOUBLED "input x f32\ninit n i64 = 10\nLoop n _ x -> y body=@b\noutput y\n",
     {1},
     {32},
     NULL},
    {"until a count before it",
     DOUBLED "input x f32\ninit n i64 = 3\nLoop n _ x -> y body=@b\noutput y\n",
     {1},
     {8},
     NULL},
    {"one branch", BRANCHES, {1, 1, 3, 5, 7}, {-2, -6, -10, -14}, NULL},
    {"the other", BRANCHES, {0, 1, 3, 5, 7}, {-1, -9, -25, -49}, NULL},
    {"a loop in a loop", NESTED, {100, 0.5}, {109}, NULL},
    {"no iteration",
     DOUBLED "input k bool\ninput x f32\ninit n i64 = 3\nLoop n k x -> y body=@b\noutput y\n",
     {0, 1},
     {0},
     "it has no iteration"},
    /* What is stacked up has room for as many as the file says.  */
    {"as many as are stacked up", STACKED, {4, 0, 1}, {1, 2, 3, 5}, NULL},
    {"fewer than are stacked up",
     STACKED,
     {3, 0, 1},
     {0},
     "it ended after 3 iterations, and was read for 4"},
    {"more than are stacked up", STACKED, {5, 0, 1}, {0}, "it goes on after 4 iterations"},
};

/* --- running --- */

static double take(const double **from)
{
    return *(*from)++;
}

static void give_inputs(const struct network *network, const struct run_memory *memory,
                        const double *number)
{
    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];

        for (int64_t i = 0; value->role == VALUE_INPUT && i < value_elements(value); i++)
            if (value->dtype == DTYPE_F32)
                ((float *)memory->value[v])[i] = (float)take(&number);
            else if (value->dtype == DTYPE_BOOL)
                ((bool *)memory->value[v])[i] = take(&number) != 0;
            else
                ((int64_t *)memory->value[v])[i] = (int64_t)take(&number);
    }
}

static bool same_outputs(const struct network *network, const struct run_memory *memory,
                         const double *number)
{
    for (size_t v = 0; v < network->n_values; v++)
        for (int64_t i = 0; network->value[v].output && i < value_elements(&network->value[v]); i++)
            if ((double)((float *)memory->value[v])[i] != take(&number))
                return false;
    return true;
}

static bool runs(const struct example *e, const struct instance *instance,
                 struct run_memory *memory, struct error *error)
{
    const struct origin *origin = instance->origin;
    struct run *run = run_new(origin->network, origin->schedule, memory,
                              &(struct run_options){.threads = 1}, error);
    bool good = run != NULL;

    /* Twice: nothing of the first run may be left.  */
    for (int i = 0; good && i < 2; i++) {
        give_inputs(origin->network, memory, e->input);
        good = run_once(run, error);
    }
    run_free(run);
    return good && same_outputs(origin->network, memory, e->output);
}

static struct instance *read_example(const struct example *e, struct error *error)
{
    const struct lifetime_options options = {
        .io = IO_BOTH, .alias = true, .inplace = INPLACE_NNC, .place = true, .alignment = 8};
    struct network *network = onnx_runnable_of(e->text, error);

    if (network == NULL || !run_check(network, error)) {
        network_free(network);
        return NULL;
    }
    return lifetimes_instance(network, schedule_file_order(network), &options, error);
}

static void check_example(const struct example *e)
{
    struct error error = {""};
    struct instance *instance = read_example(e, &error);
    struct run_memory *plain, *planned;
    struct plan *plan;

    if (instance == NULL) {
        ok(false, "%s: %s", e->what, error.text);
        return;
    }
    plain = run_memory_plain(instance->origin->network);
    if (e->message != NULL) {
        ok(!runs(e, instance, plain, &error) && strstr(error.text, e->message) != NULL, "%s: %s",
           e->what, error.text);
    } else {
        ok(runs(e, instance, plain, &error), "%s %s", e->what, error.text);
        plan = solver_plan("section-first", instance, 1);
        planned = run_memory_planned(instance, plan, &error);
        ok(planned != NULL && runs(e, instance, planned, &error) && run_memory_intact(planned),
           "%s in an arena %s", e->what, error.text);
        run_memory_free(planned);
        plan_free(plan);
    }
    run_memory_free(plain);
    instance_free(instance);
}

/* --- what is counted --- */

/* The facts of a run with each value in memory of its own.  */
static struct run_facts facts_of(const struct instance *instance, const char *kernel)
{
    const struct origin *origin = instance->origin;
    struct run_options options = {.threads = 1};
    struct run_memory *memory = run_memory_plain(origin->network);
    struct run_facts facts;
    struct error error = {""};
    struct run *run;

    if (kernel != NULL)
        options.kernel = conv_kernel_find(kernel);
    run = run_new(origin->network, origin->schedule, memory, &options, &error);
    if (run == NULL) {
        tap_diag("%s", error.text);
        abort();
    }
    facts = run_facts(run);
    run_free(run);
    run_memory_free(memory);
    return facts;
}

/* A branch reads its image, 16 bytes, in memory of its own and hands on another one, whichever it
 * is.  The inner loop has 4 turns: a condition of one byte that it begins with itself goes in 3
 * times and out 4 times, a number of 4 bytes 4 times each, and leaves: 43.  That in 3 turns of the
 * outer one, whose condition and number make 5 + 24 and which leaves 4.  */
static void test_nested_facts(void)
{
    static const struct {
        const char *what, *text;
        size_t operators;
        int64_t body, copied;
        double roundings;
    } rows[] = {
        {"a branch", BRANCHES, 4, 64, 32, 2},
        {"a branch on integers", BRANCHES_ON("i64 1 1 2 2"), 4, 64, 32, 2},
        {"a branch on three dimensions", BRANCHES_ON("f32 1 2 2"), 4, 32, 16, 2},
        /* Values of the inner body but what it captures, 8 + 1 + 4 + 4, and what it carries, 1 + 4;
         * of the outer one 8 + 1 + 4, those of its operators 4 + 4 + 4, and 1 + 4 carried.  */
        {"a loop in a loop", NESTED, 5, 52, 162, 3 * (4 + 2)},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct example example = {.what = rows[i].what, .text = rows[i].text};
        struct error error = {""};
        struct instance *instance = read_example(&example, &error);
        struct run_facts facts = facts_of(instance, NULL);

        is_int((int64_t)facts.operators, (int64_t)rows[i].operators, "%s: operators", rows[i].what);
        is_int(facts.body_bytes, rows[i].body, "%s: values of its own", rows[i].what);
        is_int(facts.copied_bytes, rows[i].copied, "%s: what is copied", rows[i].what);
        ok(run_distance_bound(instance->origin->network) == ldexp(5.0 * rows[i].roundings, -24),
           "%s: five roundings for each operator that is run", rows[i].what);
        instance_free(instance);
    }
}

/* Floats of two sentences, and of what is made of a word: 650 units, joined to 1300; 2600 gates. */
enum { UNITS = 2 * 650 * 4, JOINED = 2 * UNITS, GATES = 4 * UNITS };

/* Three words of two sentences.  An iteration joins and splits in each of two layers, and takes a
 * word in; four states go in and out; what the upper layer makes is stacked up.  */
static void test_language_model(void)
{
    const int64_t turn = 2 * (JOINED + GATES) + UNITS + 4 * 2 * UNITS + UNITS;
    struct instance *instance = runnable_of("lstm_lm:seq=3,batch=2");
    struct run_facts facts = facts_of(instance, NULL);

    is_int((int64_t)facts.operators, 3 + 2 * 12, "operators of a language model");
    is_int(facts.copied_bytes, 3 * turn, "what it copies");
    /* A word; of a layer two states, joined, all gates, each split off and after its activation,
     * and five products and sums; the states once more, as they are carried on.  */
    is_int(facts.body_bytes, UNITS + 2 * (2 * UNITS + JOINED + 3 * GATES + 5 * UNITS) + 4 * UNITS,
           "its values of its own");

    if (conv_kernel_find("im2col-openblas") == NULL) {
        tap_skip(4, "built without OpenBLAS");
    } else {
        const int64_t scores = 10000 * (650 + 1) * 4, layer = 2600 * (1300 + 1) * 4;
        /* In scratch memory rows of both layouts, with 64 bytes behind each, at multiples of 64. */
        const int64_t inside = 10496 + 20864, outside = 15680 + 240064;

        facts = facts_of(instance, "im2col-openblas");
        is_int((int64_t)facts.convolutions, 3, "its products on a kernel");
        is_int(facts.weight_bytes, scores + 2 * layer, "what is packed for them");
        is_int(facts.scratch_bytes, inside + outside, "scratch memory");
        is_int(facts.copied_bytes,
               3 * (turn + 2 * (JOINED + GATES)) + 3 * UNITS + 3 * 2 * 10000 * 4,
               "what is copied, with rows before and after each product");
    }
    instance_free(instance);
}

int main(void)
{
    test_language_model();
    if (!onnx_available()) {
        tap_skip(1, "built without protobuf-c and onnx.proto");
        return tap_done();
    }
    for (size_t i = 0; i < COUNT(examples); i++)
        check_example(&examples[i]);
    test_nested_facts();
    return tap_done();
}
