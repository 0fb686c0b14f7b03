/* Loops and branches that run: small ones whose results are known by hand, planned and not, and
 * what is refused.  */
#include <config.h>

#include <string.h>

#include "lib/base/params.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "runtime/memory.h"
#include "runtime/run.h"
#include "tests/support/onnx_text.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"
#include "workloads/readers/onnx/file/model.h"
#include "workloads/readers/onnx/onnx.h"

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
    const struct params params = {0};
    struct wire wire = onnx_from_text(e->text);
    struct network *network =
        onnx_runnable_network(wire.data, wire.size, "model.onnx", &params, error);

    wire_clear(&wire);
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

int main(void)
{
    if (!onnx_available()) {
        tap_skip(1, "built without protobuf-c and onnx.proto");
        return tap_done();
    }
    for (size_t i = 0; i < COUNT(examples); i++)
        check_example(&examples[i]);
    return tap_done();
}
