/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ONNX models whole: what is folded, what counts as what, branches and loops.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/control.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/problem/instance.h"
#include "tests/support/onnx_network.h"
#include "tests/support/tap.h"
#include "workloads/readers/onnx/file/model.h"

/* --- folding --- */

static void folding(void)
{
    struct network *network;

    network = onnx_becomes("input x f32 2 3 4\n"
                           "Shape x -> s\n"
                           "init zero i64 = 0\n"
                           "Gather s zero -> n\n"
                           "init axes i64 1 = 0\n"
                           "Unsqueeze n axes -> n1\n"
                           "init rest i64 1 = -1\n"
                           "Concat n1 rest -> target axis=0\n"
                           "Relu x -> r\n"
                           "Reshape r target -> y\n"
                           "output y",
                           NULL, "relu(x)->r reshape(r,!target)->y",
                           "a shape that is worked out from another takes no step");
    if (network == NULL)
        return;
    is_int(network->value[network->op[1].output[0]].dim[1], 12, "and is known");
    is_int((int64_t)network->n_values, 4, "what only folded operators read is gone");
    ok(onnx_value_named(network, "target")->role == VALUE_CONSTANT, "it is a constant, no weight");
    network_free(network);

    network_free(onnx_becomes("init d i64 4 = 4 3 1 1\n"
                              "ConstantOfShape d -> w\n"
                              "Identity w -> w2\n"
                              "input x f32 1 3 5 5\n"
                              "Conv x w2 -> y\n"
                              "output y",
                              NULL, "conv(x,!w2)->y", "weights that operators make of constants"));
    network_free(onnx_becomes("input x f32 3\nRandomNormal -> r shape=3,\nAdd x r -> y\noutput y",
                              NULL, "random()->r add(x,r)->y", "random numbers are no constants"));
    network_free(onnx_becomes("tensor c f32 2 = 1 2\nConstant -> c value=$c\nAbs c -> y\n"
                              "input x f32 1\nRelu x -> z\noutput y\noutput z",
                              NULL, "relu(x)->z", "a network output that is a constant"));
}

/* Where the numbers that an operator goes by are no integers, the file says the shape, and nobody
 * can say the elements.  */
static void declared_constants(void)
{
    static const char *const cases[] = {
        "Tile none r -> t\ninfo t i64 4",
        "Tile pair r -> t\ninfo t i64 3",
        "Tile deep r -> t\ninfo t i64 2",
        "Expand pair r -> t\ninfo t i64 3 3",
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = memory_printf("init none i64 0\ninit r f32 1 = 2\ninit pair i64 2 = 1 2\n"
                                   "init deep i64 1 1 2 = 1 2\n%s\n"
                                   "input x i64 1\nAdd x t -> y\noutput y",
                                   cases[i]);

        network_free(onnx_becomes(text, NULL, "add(x,!t)->y", "a constant, its shape declared"));
        free(text);
    }
}

/* Chains that end as the length of a dimension, each of another fold.  */
static void folded_elements(void)
{
    static const struct {
        const char *text, *what;
        int64_t length;
    } cases[] = {
        {"Range a b a -> s", "3 to 10 by 3: three elements, not a length", 3},
        {"Sub b a -> t\nUnsqueeze t zero -> s\nConstantOfShape s -> s2", "10 - 3", 7},
        {"Div b a -> t\nMul t a -> u\nUnsqueeze u zero -> s\nConstantOfShape s -> s2",
         "10 / 3 * 3, rounded down", 9},
        {"Cast a -> f to=1\nMul f half -> g\nCeil g -> h\nCast h -> i to=7\n"
         "Unsqueeze i zero -> s\nConstantOfShape s -> s2",
         "3 * 0.5, rounded up", 2},
        {"ReduceProd list -> s\nConstantOfShape s -> s2", "2 * 3 * 4", 24},
        {"Slice list one three -> t\nReduceSum t -> s\nConstantOfShape s -> s2", "3 + 4", 7},
        {"Greater a b -> c\nWhere c a b -> t\nUnsqueeze t zero -> s\nConstantOfShape s -> s2",
         "the larger", 10},
        {"Split list -> p q r axis=0\nAdd p r -> s\nConstantOfShape s -> s2", "2 + 4", 6},
        {"Transpose list -> t\nTile t two -> u\nReduceSum u -> s\nConstantOfShape s -> s2",
         "twice 2 + 3 + 4", 18},
        {"Expand zero two -> t\nAdd t list2 -> u\nReduceMax u -> s\nConstantOfShape s -> s2",
         "the largest of 5 and 6", 6},
        {"Add list one -> t\nReduceSum t -> s\nConstantOfShape s -> s2", "3 + 4 + 5", 12},
        {"Size x -> t\nUnsqueeze t zero -> s\nConstantOfShape s -> s2", "5 * 2 elements", 10},
        {"Neg a -> t\nAbs t -> u\nPow u two0 -> v\nMod v b -> w\nUnsqueeze w zero -> s\n"
         "ConstantOfShape s -> s2",
         "(-3)^2 mod 10", 9},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error error = {""};
        const char *last = strstr(cases[i].text, "s2") != NULL ? "s2" : "s";
        char *text = memory_printf("input x f32 5 2\ninit a i64 = 3\ninit b i64 = 10\n"
                                   "init zero i64 1 = 0\ninit half f32 = 0.5\n"
                                   "init list i64 3 = 2 3 4\ninit one i64 1 = 1\n"
                                   "init three i64 1 = 3\ninit two i64 1 = 2\n"
                                   "init list2 i64 2 = 5 6\ninit two0 i64 = 2\n"
                                   "%s\nRelu x -> y\noutput %s\noutput y",
                                   cases[i].text, last);
        struct network *network = onnx_network_of(text, NULL, &error);

        if (ok(network != NULL, "%s%s", cases[i].what, error.text))
            is_int(onnx_value_named(network, last)->dim[0], cases[i].length, "%s", cases[i].what);
        free(text);
        network_free(network);
    }
    onnx_refused("input x f32 5\ninit a i64 1 = 3\ninit n i64 1 = 0\nDiv a n -> s\n"
                 "Expand x s -> y\noutput y",
                 NULL, "depends on the elements of 's'"); /* there is no quotient by 0 */
    onnx_refused("input x f32 5\ninit a i64 1 1 = 5\nMatMul a a -> m\nReduceSum m -> t keepdims=0\n"
                 "Expand x t -> y\noutput y",
                 NULL, "depends on the elements of 't'"); /* products are left to runs */
}

/* Two numbers that are worked out make the network that they make when they are written down.  */
static void as_if_written(void)
{
    static const char *const worked_out[] = {
        "init l i64 2 = 2 1\ninit z i64 = 0\nCumSum l z -> s",
        "init l i64 2 = 2 7\ninit m i64 = 3\nClip l _ m -> s",
        "init l i64 2 = 2 9\ninit i i64 1 1 = 1\ninit u i64 1 = 3\nScatterND l i u -> s",
        "init l i64 3 = 9 2 3\ninit i i64 2 1 = 1 2\nGatherND l i -> s",
        "init l f32 2 = 0.5 0.33\nReciprocal l -> r\nRound r -> t\nCast t -> s to=7",
        "init l f32 2 2 = 1 3 2 4\nReduceMean l -> m axes=1, keepdims=0\nCast m -> s to=7",
        "init l i64 3 = 3 9 2\ninit k i64 1 = 2\nTopK l k -> s _ largest=0",
        "init l f32 4 = 0 0 1 -1\ninit z i64 1 = 0\nNonZero l -> n\nSqueeze n z -> s",
        "init l i64 3 = 9 2 3\ninit c bool 3 = 0 1 1\nCompress l c -> s",
    };
    static const char *const read[] = {"Reshape x s -> y", "Expand e s -> y", "Tile e s -> y",
                                       "ConstantOfShape s -> y", "Resize e _ _ s -> y"};

    for (size_t w = 0; w < sizeof worked_out / sizeof worked_out[0]; w++)
        for (size_t r = 0; r < sizeof read / sizeof read[0]; r++) {
            struct error error = {""};
            char *text = memory_printf("input x f32 6\ninput e f32 1 1\n%s\n%s\nRelu x -> a\n"
                                       "output y\noutput a",
                                       worked_out[w], read[r]);
            char *plain = memory_printf("input x f32 6\ninput e f32 1 1\ninit s i64 2 = 2 3\n%s\n"
                                        "Relu x -> a\noutput y\noutput a",
                                        read[r]);
            struct network *wanted = onnx_network_of(plain, NULL, &error);
            char *operators = onnx_operators(wanted);
            struct network *network = onnx_becomes(text, NULL, operators, worked_out[w]);
            const struct value *y = network == NULL ? NULL : onnx_value_named(network, "y");

            ok(y != NULL && y->rank == 2 && y->dim[0] == 2 && y->dim[1] == 3, "%s: 2 x 3", read[r]);
            network_free(network);
            network_free(wanted);
            free(operators);
            free(plain);
            free(text);
        }
}

/* --- roles and names --- */

static void roles(void)
{
    struct network *network = onnx_becomes(
        "input x f32 1 3 4 4\n"
        "input w f32 5 3 1 1\n"
        "init w f32 5 3 1 1\n"
        "init g f32 5\ninit m f32 5\n"
        "Conv x w -> c\n"
        "BatchNormalization c g g m m -> n\n"
        "Dropout n -> d mask\n"
        "Relu d -> y\n"
        "output y",
        NULL, "conv(x,!w)->c batch_norm(c,!g,!g,!m,!m)->n dropout(n)->d,mask relu(d)->y",
        "initializers among the inputs");

    if (network == NULL)
        return;
    ok(onnx_value_named(network, "w")->role == VALUE_WEIGHT &&
           onnx_value_named(network, "g")->role == VALUE_WEIGHT &&
           onnx_value_named(network, "m")->role == VALUE_STATISTIC,
       "weights and statistics");
    ok(onnx_value_named(network, "mask")->optional && network->op[2].kind == OP_ALIAS,
       "inference dropout is an alias, its mask optional");
    is_int(network_parameters(network), 5 * 3 + 5, "parameters");
    is_int(network_macs(network), 5 * 4 * 4 * 3, "multiply-accumulates");
    is_int(network->op[0].conv.k, 5, "the shape for convolution kernels");
    network_free(network);

    network =
        onnx_becomes("input x f32 4\nDropout x -> d mask\nNot mask -> y\nRelu d -> z\n"
                     "output y\noutput z",
                     NULL, "dropout(x)->d,mask not(mask)->y relu(d)->z", "a mask that is read");
    if (network != NULL)
        ok(network->op[0].kind == OP_OTHER, "makes it no alias");
    network_free(network);
    network = onnx_becomes("node n\nRelu x -> a\nnode n\nRelu a -> b\nRelu b -> c\ninput x f32 1\n"
                           "output c",
                           NULL, "relu(x)->a relu(a)->b relu(b)->c", "node names that come twice");
    if (network != NULL)
        is_text(network->op[1].name, "n.1", "get a number");
    network_free(network);
}

/* Lifetimes by the counting rules, worked out by hand: steps relu 0, flatten 1,
 * lstm 2 ...  */
static void lifetimes(void)
{
    struct error error = {""};
    struct network *network = onnx_network_of("input x f32 2 3\n"
                                              "Relu x -> a\n"
                                              "init s i64 3 = 2 1 3\n"
                                              "Reshape a s -> b\n"
                                              "init w f32 1 5 3\ninit r f32 1 5 5\n"
                                              "RNN b w r -> all last\n"
                                              "Tanh last -> t\n"
                                              "output t",
                                              NULL, &error);
    struct lifetime_options options = {.io = IO_NONE};
    struct instance *instance;

    if (!ok(network != NULL, "a model with a recurrent layer%s", error.text))
        return;
    instance = lifetimes_instance(network, schedule_file_order(network), &options, &error);
    is_int((int64_t)instance->n, 3, "a, b and last: nobody reads all, which is optional");
    is_text(instance->buffer[2].id, "last", "the last state");
    is_int(instance->buffer[2].size, 1 * 1 * 5 * 4, "its bytes");
    ok(instance->buffer[0].begin == 0 && instance->buffer[0].end == 2 &&
           instance->buffer[2].begin == 2 && instance->buffer[2].end == 4,
       "lifetimes");
    instance_free(instance);
}

/* --- unknown operators --- */

static void unknown_operators(void)
{
    onnx_refused("opset 0\ninput x f32 3\nRelu x -> y\noutput y", NULL,
                 "node 'y' (Relu): the version of the standard operators is missing");
    network_free(onnx_becomes("opset 0\ninput x f32 3\ndomain own\nF x -> y\noutput y f32 3", NULL,
                              "other(x)->y", "a model without standard operators"));
    onnx_refused("input x f32 3\nSequenceConstruct x x -> s\noutput s", NULL,
                 "node 's' (SequenceConstruct): it makes a sequence, and only dense tensors have a "
                 "size before a run");
    onnx_refused(
        "input n f32\ninput d f32\nRange d n d -> r\nRelu r -> y\noutput y", NULL,
        "which only a run knows, and the file does not declare it (value_info); its most can "
        "be given, as in model.onnx:r=100; values "
        "that can be given: n, d");
    onnx_refused("input x f32 3\nnode here\nFrobnicate x -> y\noutput y", NULL,
                 "node 'here' (Frobnicate): unknown operator");
    onnx_refused("input x f32 3\ndomain com.example\nRelu x -> y\noutput y", NULL,
                 "node 'y' (com.example.Relu): unknown operator");
    network_free(onnx_becomes("input x f32 3\nFrobnicate x -> z w\nRelu z -> y\ninfo z f16 4 5\n"
                              "info w i8 2\noutput y",
                              NULL, "other(x)->z,w relu(z)->y",
                              "an unknown operator with its shapes"));
    onnx_refused("input x f32 3\nFrobnicate x -> z w\nRelu z -> y\ninfo z f16 4 5\noutput y", NULL,
                 "does not declare");
    network_free(onnx_becomes("input x f32 n\nFrobnicate x -> y\noutput y f32 n 2", "n=3",
                              "other(x)->y", "declared with a symbolic dimension"));
}

/* --- branches and loops --- */

#define BRANCHES                                                             \
    "graph t\nAdd x x -> out\noutput out\nend\n"                             \
    "graph e\ninit three f32 4 = 3 3 3 3\nMul x three -> m\nRelu m -> out\n" \
    "output out\nend\n"

static void branches(void)
{
    struct network *network;

    network_free(onnx_becomes("input x f32 4\ninit c bool = 1\n" BRANCHES
                              "If c -> y then_branch=@t else_branch=@e\noutput y",
                              NULL, "add(x,x)->y", "a condition that is true: its branch"));
    network_free(onnx_becomes("input x f32 4\ninit c bool = 0\n" BRANCHES
                              "If c -> y then_branch=@t else_branch=@e\n"
                              "If c -> z then_branch=@t else_branch=@e\nAdd y z -> out\noutput out",
                              NULL,
                              "mul(x,!three)->m relu(m)->out mul(x,!three.4)->m.5 relu(m.5)->out.6 "
                              "add(out,out.6)->out.7",
                              "two that are false: names stay unique"));
    network = onnx_becomes("input x f32 4\ninput c bool\n" BRANCHES
                           "If c -> y then_branch=@t else_branch=@e\noutput y",
                           NULL, "if(c,x)->y", "a condition that only a run knows");
    if (network != NULL) {
        const struct control *control = network->op[0].control;
        char *inside = onnx_operators(control->body[1].network);

        ok(network->op[0].kind == OP_BRANCH && control->bodies == 2 &&
               control->body[0].inputs == 1 && control->body[0].input[0].slot == 1,
           "both branches capture x");
        is_text(inside, "mul(x,!three)->m relu(m)->out", "the second branch");
        free(inside);
    }
    network_free(network);
    network = onnx_becomes("input x f32 4\ninit k bool = 1\ninput c bool\n" BRANCHES
                           "If k -> p then_branch=@t else_branch=@e\n"
                           "If k -> q then_branch=@e else_branch=@t\n"
                           "graph f\nSub p q -> f1\noutput f1\nend\n"
                           "graph g\nSub q p -> g1\noutput g1\nend\n"
                           "If c -> y then_branch=@f else_branch=@g\n"
                           "If c -> z then_branch=@g else_branch=@f\noutput y\noutput z",
                           NULL,
                           "add(x,x)->out mul(x,!three)->m relu(m)->out.5 if(c,out,out.5)->y "
                           "if(c,out.5,out)->z",
                           "captures of values that had one name");
    network_free(network);
    network_free(onnx_becomes("input x f32 4\ninput q f32 4\ninput c bool\n"
                              "graph f\nSub x q -> f1\noutput f1\nend\n"
                              "graph g\nRelu q -> g1\noutput g1\nend\n"
                              "If c -> y then_branch=@f else_branch=@f\n"
                              "If c -> z then_branch=@g else_branch=@g\noutput y\noutput z",
                              NULL, "if(c,x,q)->y if(c,q)->z",
                              "each captures what it reads itself"));
    onnx_refused("input x f32 4\ninput c bool\ngraph t\nRelu x -> o\noutput o\nend\n"
                 "graph e\nCast x -> o to=10\noutput o\nend\n"
                 "If c -> y then_branch=@t else_branch=@e\noutput y",
                 NULL, "different shapes or types");
    onnx_refused("input x f32 4\ninput c bool\nIf c -> y\noutput y", NULL,
                 "no sub-graph 'then_branch'");
}

static void loops(void)
{
    static const char *const body = "graph b\ninput i i64\ninput c bool\ninput v f32 3\n"
                                    "Add v x -> w\nIdentity c -> d\nRelu w -> s\n"
                                    "output d\noutput w\noutput s\nend\ninput x f32 3\n";
    char *text =
        memory_printf("%sinit n i64 = 5\nLoop n _ x -> y z body=@b\noutput y\noutput z", body);
    struct network *network = onnx_becomes(text, NULL, "loop(!n,x,x)->y,z", "five iterations");
    const struct control *control;

    free(text);
    if (network == NULL)
        return;
    control = network->op[0].control;
    ok(network->op[0].kind == OP_LOOP && control->trips == 5 && !control->may_stop,
       "which nothing can stop");
    is_int(onnx_value_named(network, "z")->dim[0], 5, "what is stacked up");
    is_int((int64_t)control->body[0].inputs, 4, "a counter, a condition, a carried value, x");
    ok(control->body[0].input[0].kind == ENTRY_COUNTER &&
           control->body[0].input[1].kind == ENTRY_CARRIED &&
           control->body[0].input[1].slot == NETWORK_NONE && control->body[0].input[2].slot == 1 &&
           control->body[0].input[3].slot == 2 && control->body[0].input[3].kind == ENTRY_CAPTURE,
       "and where they come from");
    network_free(network);

    text = memory_printf("%sinput n i64\ninput k bool\nLoop n k x -> y _ body=@b\noutput y", body);
    onnx_refused(text, NULL, "give a number, as in model.onnx:n=8");
    network = onnx_becomes(text, "n=4", "loop(!n,k,x,x)->y", "a trip count that is given");
    if (network != NULL)
        ok(network->op[0].control->trips == 4 && network->op[0].control->may_stop &&
               network->op[0].control->body[0].outputs == 1,
           "with a condition that may end it");
    network_free(network);
    free(text);
    onnx_refused("graph b\ninput i i64\ninput c bool\ninput v f32 3\nConcat v v -> w axis=0\n"
                 "output c\noutput w\nend\ninput x f32 3\ninit n i64 = 5\n"
                 "Loop n _ x -> y body=@b\noutput y",
                 NULL, "'v' has another shape or type after an iteration");
    onnx_refused("graph b\ninput i i64\ninput c bool\noutput c\nend\ninput x f32 3\n"
                 "init n i64 = 5\nLoop n _ x -> y body=@b\noutput y",
                 NULL, "sub-graph 'body' has 2 inputs and 1 outputs, expected 3 and at least 2");
}

/* A slice that moves with the iteration, whose length is known all the same.  */
static void moving_slices(void)
{
    struct network *network = onnx_becomes("graph b\ninput i i64\ninput c bool\ninput v f32 1\n"
                                           "init one i64 = 1\ninit zero i64 1 = 0\nAdd i one -> e\n"
                                           "Unsqueeze i zero -> s1\nUnsqueeze e zero -> e1\n"
                                           "Slice x s1 e1 -> part\nAdd v part -> w\n"
                                           "output c\noutput w\nend\n"
                                           "input x f32 9\ninput v0 f32 1\ninit n i64 = 9\n"
                                           "Loop n _ v0 -> y body=@b\noutput y",
                                           NULL, "loop(!n,v0,x)->y", "an element an iteration");

    if (network != NULL)
        is_int(onnx_value_named(network->op[0].control->body[0].network, "part")->dim[0], 1,
               "of length 1");
    network_free(network);
}

static void scans(void)
{
    static const char *const body = "graph b\ninput h f32 2\ninput s f32 2 3\n"
                                    "ReduceSum s axes -> t keepdims=0\nAdd h t -> h2\n"
                                    "Mul h2 h2 -> q\noutput h2\noutput q\nend\n";
    char *text = memory_printf("%sinput h f32 2\ninput x f32 2 7 3\ninit axes i64 1 = 1\n"
                               "Scan h x -> y z body=@b num_scan_inputs=1 scan_input_axes=1, "
                               "scan_output_axes=1, scan_output_directions=1,\noutput y\noutput z",
                               body);
    struct network *network = onnx_becomes(text, NULL, "scan(h,x,!axes)->y,z", "a scan");

    if (network != NULL) {
        const struct control *control = network->op[0].control;

        is_int(control->trips, 7, "as long as what it goes through");
        ok(control->body[0].input[1].kind == ENTRY_SLICE && control->body[0].input[1].axis == 1 &&
               control->body[0].output[1].reverse,
           "along its axes, backwards");
        is_int(onnx_value_named(network, "z")->dim[1], 7, "what is stacked up");
    }
    network_free(network);
    free(text);
}

int main(void)
{
    if (!onnx_available()) {
        tap_skip(1, "built without protobuf-c and onnx.proto");
        return tap_done();
    }
    folding();
    declared_constants();
    folded_elements();
    as_if_written();
    roles();
    lifetimes();
    unknown_operators();
    branches();
    loops();
    moving_slices();
    scans();
    return tap_done();
}
