/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ONNX models read for runs: the elements of what is stored, what operators compute, and what is
 * refused because no run could have it.  */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/graph/computation.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "runtime/operators/cast.h"
#include "runtime/run.h"
#include "tests/support/onnx_network.h"
#include "tests/support/tap.h"
#include "workloads/readers/onnx/file/model.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* --- what is stored --- */

/* The first two elements of the stored value w.  */
static void check_stored(void)
{
    static const struct {
        const char *text;
        double first, second;
    } table[] = {
        {"input x f32 2\ninit w f32 2 = 0.5 -3\nAdd x w -> y\noutput y\n", 0.5, -3},
        {"input x f32 2\ninit w f32 2 raw 00 00 00 3f 00 00 40 c0\nAdd x w -> y\noutput y\n", 0.5,
         -3},
        {"input x f32 2\ninit w f32 2 raw 00 00 c0 7f 00 00 80 7f\nAdd x w -> y\noutput y\n",
         (double)NAN, (double)INFINITY},
        {"input x i64 2\ninit w i64 2 = -1 4\nAdd x w -> y\noutput y\n", -1, 4},
        {"input x i64 2\ninit w i64 2 raw ff ff ff ff ff ff ff ff 04 00 00 00 00 00 00 00\n"
         "Add x w -> y\noutput y\n",
         -1, 4},
        {"input x u8 2\ninit w u8 2 = 1 255\nAdd x w -> y\noutput y\n", 1, 255},
        {"input x i8 2\ninit w i8 2 raw 01 ff\nAdd x w -> y\noutput y\n", 1, -1},
        {"input x f16 2\ninit w f16 2 = 14336 -15360\nAdd x w -> y\noutput y\n", 0.5, -4},
        {"input x f16 2\ninit w f16 2 raw 00 38 00 c4\nAdd x w -> y\noutput y\n", 0.5, -4},
        {"input x bool 2\ninit w bool 2 raw 00 07\nAnd x w -> y\noutput y\n", 0, 1},
        /* Made by a node, from a tensor as an attribute.  */
        {"input x f32 2\ninit s i64 1 = 2\ntensor v f32 1 = 0.5\nConstantOfShape s -> w value=$v\n"
         "Add x w -> y\noutput y\n",
         0.5, 0.5},
        {"input x f16 2\ninit s i64 1 = 2\ntensor v f16 1 = 14336\n"
         "ConstantOfShape s -> w value=$v\nAdd x w -> y\noutput y\n",
         0.5, 0.5},
        {"input x bf16 2\ninit s i64 1 = 2\ntensor v bf16 1 = 16256\n"
         "ConstantOfShape s -> w value=$v\nIdentity w -> v\nWhere c x w -> y\ninput c bool 2\n"
         "output y\n",
         1, 1},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct error error = {""};
        struct network *network = onnx_runnable_of(table[i].text, &error);
        const struct value *value = network == NULL ? NULL : onnx_value_named(network, "w");
        double got[2] = {0, 0};
        const struct tensor to = {.dtype = DTYPE_F64, .rank = 1, .dim = {2}, .data = got};

        if (value != NULL && value->elements != NULL)
            cast_elements(&to, &(struct tensor){.dtype = value->dtype,
                                                .rank = 1,
                                                .dim = {2},
                                                .data = value->elements->data});
        ok((got[0] == table[i].first || (isnan(got[0]) && isnan(table[i].first))) &&
               got[1] == table[i].second,
           "elements %zu are %g and %g %s", i, got[0], got[1], error.text);
        network_free(network);
    }
}

/* --- what is refused --- */

static void check_refused(void)
{
    static const struct {
        const char *stored, *message;
    } table[] = {
        {"init w f32 2", "model.onnx: node 'y' (Add): 'w': the file does not have its 2 elements"},
        {"init w f32 2 external", "'w': its elements are in another file"},
        {"init w f32 2 = 1", "'w': its data are not 2 elements of its type"},
        {"init w f32 2 = 1 2 3", "'w': its data are not 2 elements of its type"},
        {"init w i64 2 = 1 2 3", "'w': its data are not 2 elements of its type"},
        {"init w f32 2 raw 00 00 80 3f 00 00 80", "'w': 7 bytes of data, expected 8"},
        {"init w f32 2 raw 00 00 80 3f 00 00 80 3f 00", "'w': 9 bytes of data, expected 8"},
        {"init w f32 -2 = 1 2", "initializer 'w': "},
        {"init w f32 4611686018427387904 4 = 1", "initializer 'w': "},
        {"init w f32 4611686018427387904 = 1", "initializer 'w': "},
        {"init w string 2", "initializer 'w': strings have no fixed size"},
        {"init w f32 2 2 2 2 2 2 2 2 2 = 1", "initializer 'w': "},
        {"init s i64 1 = 3\ntensor v f32 1 external\nConstantOfShape s -> w value=$v",
         "node 'y' (Add): 'w': its elements are not known"},
        {"input s i64 1\ninfo w f32 2\ntensor v f32 1 external\nConstantOfShape s -> w value=$v",
         "node 'w' (ConstantOfShape): attribute 'value': its elements are in another file"},
        {"init s i64 1 = 3\ntensor v f32 2 = 1\nConstantOfShape s -> w value=$v", "'w'"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        char text[256];
        struct error error = {""};
        struct network *network;

        snprintf(text, sizeof text, "input x f32 1\n%s\nAdd x w -> y\noutput y f32 2\n",
                 table[i].stored);
        network = onnx_runnable_of(text, &error);
        ok(network == NULL && strncmp(error.text, "model.onnx: ", 12) == 0 &&
               strstr(error.text, table[i].message) != NULL,
           "%s: %s", table[i].message, error.text);
        network_free(network);
    }
}

/* An output that is stored, of which nothing is known.  */
static void check_unknown_output(void)
{
    struct error error = {""};
    struct network *network = onnx_runnable_of("input x f32 2\ninit w f32 2 external\nRelu x -> y\n"
                                               "output y\noutput w\n",
                                               &error);

    ok(network == NULL &&
           strstr(error.text, "model.onnx: output: 'w': its elements are in") != NULL,
       "%s", error.text);
    network_free(network);
}

/* What can be read, but not run: named before anything is allocated.  */
static void check_not_run(void)
{
    static const struct {
        const char *text, *message;
    } table[] = {
        {"input x f32 2\ninfo y f32 2\nFooBar x -> y\nFooBar y -> z\nRelu z -> w\ninfo z f32 2\n"
         "output w\n",
         "2 of 3 operators cannot be run: other (2)"},
        {"input x f32 2 3\ninput w f32 4 3\ninfo y f32 2 4\n.Linear x w -> y\noutput y\n",
         "nothing says what it computes"},
        {"input x f32 2\ninfo y f32 2\ndomain mine\nSoftmaxCrossEntropyLoss x x -> y\noutput y\n",
         "nothing says what it computes"},
        /* Shapes that only the file declares have to fit all the same.  */
        {"input x f32 2 3\ninput t i64 2\ninfo y f32 5\nSoftmaxCrossEntropyLoss x t -> y\n"
         "output y\n",
         "SoftmaxCrossEntropyLoss: "},
        {"input x f32 2\nSoftmax x -> y foo=1\noutput y\n",
         "Softmax: attribute 'foo' is not known here"},
        {"input x f32 2 3\ninput i i64 2\ninfo y f32 2 9\nExpand x i -> y\noutput y\n", "Expand: "},
        {"input x c64 2\nNeg x -> y\noutput y\n", "Neg: "},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct error error = {""};
        struct network *network = onnx_runnable_of(table[i].text, &error);

        ok(network != NULL && !run_check(network, &error) &&
               strstr(error.text, table[i].message) != NULL,
           "%s: %s", table[i].message, error.text);
        network_free(network);
    }
}

/* An operator of which only the file knows the shapes computes something all the same.  */
static void check_declared(void)
{
    struct error error = {""};
    struct network *network =
        onnx_runnable_of("input x f32 2 3\ninput t i64 2\ninfo y f32\n"
                         "SoftmaxCrossEntropyLoss x t -> y reduction=\"sum\"\n"
                         "output y f32\n",
                         &error);
    const struct computation *computation = network == NULL ? NULL : network->op[0].computation;

    ok(computation != NULL && strcmp(computation->name, "SoftmaxCrossEntropyLoss") == 0 &&
           computation_text_is(computation, "reduction", "sum", false) &&
           run_check(network, &error),
       "a loss is run %s", error.text);
    network_free(network);
}

/* Nodes on constants are folded, where anybody can say what they make.  */
static void check_folded(void)
{
    static const struct {
        const char *what, *text;
        size_t operators; /* beside an addition */
    } table[] = {
        {"another shape", "init w f32 2 = 1 2\ninit s i64 2 = 1 2\nReshape w s -> v", 0},
        {"another type, that of an input", "init w i64 2 = 1 2\nCastLike w x -> v", 0},
        {"training, which draws numbers",
         "init w f32 2 = 1 2\ninit r f32 = 0.5\ninit t bool = 1\nDropout w r t -> v", 1},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        char text[256];
        struct error error = {""};
        struct network *network;

        snprintf(text, sizeof text, "input x f32 1 2\n%s\nAdd x v -> y\noutput y\n", table[i].text);
        network = onnx_runnable_of(text, &error);
        ok(network != NULL && network->n_ops == table[i].operators + 1, "%s of a constant %s",
           table[i].what, error.text);
        network_free(network);
    }
}

/* A small file that asks for 4 GiB is refused, not made.  */
static void check_large(void)
{
    struct error error = {""};
    struct network *network = onnx_runnable_of("init s i64 1 = 1073741824\ninput x f32 1\n"
                                               "ConstantOfShape s -> w\nAdd x w -> y\noutput y\n",
                                               &error);

    ok(network == NULL && strstr(error.text, "'w': its elements are not known") != NULL, "%s",
       error.text);
    network_free(network);
}

int main(void)
{
    if (!onnx_available()) {
        tap_skip(1, "built without protobuf-c and onnx.proto");
        return tap_done();
    }
    check_stored();
    check_refused();
    check_unknown_output();
    check_not_run();
    check_declared();
    check_folded();
    check_large();
    return tap_done();
}
