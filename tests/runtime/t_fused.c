/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network computes what it did before batch normalisations were folded into its layers and
 * activations fused with them: outputs of ONNX models beside those of the plain network, and their
 * names.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/fuse.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "runtime/inputs.h"
#include "runtime/memory.h"
#include "runtime/run.h"
#include "tests/support/onnx_network.h"
#include "tests/support/tap.h"
#include "tests/support/worst.h"
#include "workloads/readers/onnx/file/model.h"

/* The largest difference, for outputs of up to some tens.  */
#define MOST 1e-4

/* Scale, shift, mean and variance of 2, 4 and 6 channels.  */
#define NORM2 "init s f32 2 = 3 -1\ninit t f32 2 = 1 2\ninit m f32 2 = 2 5\ninit v f32 2 = 4 9\n"
#define NORM6                                                                                \
    "init s f32 6 = 1 2 3 -4 5 6\ninit t f32 6 = 4 -5 6 1 2 3\ninit m f32 6 = 1 0 1 2 3 4\n" \
    "init v f32 6 = 1 4 1 9 2 3\n"
#define BY(x, y) "BatchNormalization " x " s t m v -> " y "\n"
#define W12 "1 -2 3 4 -5 6 7 8 -9 1 2 3"
#define W48 W12 " 4 5 -6 7 8 9 1 2 3 4 5 6 " W12 " 1 1 -2 2 3 3 4 4 5 -5 6 6"

static const struct {
    const char *what, *text;
    size_t folded, fused; /* operators with fuse=bn and fuse=all; plain: one more each */
} table[] = {
    {"a convolution",
     NORM6 "input x f32 1 2 3 3\ninit w f32 6 2 1 1 = " W12
           "\nConv x w -> c\n" BY("c", "n") "Relu n -> y\noutput y\n",
     2, 1},
    {"one of groups, with a bias",
     NORM6 "input x f32 1 4 3 3\ninit w f32 6 2 2 2 = " W48
           "\ninit b f32 6 = 1 2 3 4 5 6\nConv x w b -> c group=2\n" BY(
               "c", "n") "Relu n -> y\noutput y\n",
     2, 1},
    {"a transposed convolution",
     NORM6 "input x f32 1 2 3 3\ninit w f32 2 6 2 2 = " W48
           "\nConvTranspose x w -> c strides=2,2\n" BY("c", "n") "Relu n -> y\noutput y\n",
     2, 1},
    {"one of groups, with a bias, which are not square",
     NORM6 "input x f32 2 4 3 3\ninit w f32 4 3 2 2 = " W48
           "\ninit b f32 6 = 1 2 3 4 5 6\nConvTranspose x w b -> c strides=2,1 group=2\n" BY(
               "c", "n") "Relu n -> y\noutput y\n",
     2, 1},
    {"a product",
     NORM2 "input x f32 3 6\ninit w f32 6 2 = " W12
           "\nGemm x w -> c\n" BY("c", "n") "Relu n -> y\noutput y\n",
     2, 1},
    {"a product with a transposed matrix and a bias",
     NORM2
     "input x f32 3 6\ninit w f32 2 6 = " W12
     "\ninit b f32 2 = 5 -6\nGemm x w b -> c transB=1\n" BY("c", "n") "Relu n -> y\noutput y\n",
     2, 1},
};

/* The run's one output, as it was asked for; the caller frees it.  NULL where there is no run.  */
static float *output_of(const struct network *network, int64_t *count)
{
    struct schedule *schedule = schedule_file_order(network);
    struct run_memory *memory = run_memory_plain(network);
    struct run_inputs *inputs = run_inputs_new(network, NULL);
    struct error error = {""};
    struct run *run =
        run_new(network, schedule, memory, &(struct run_options){.threads = 1}, &error);
    float *output = NULL;

    run_inputs_write(inputs, memory);
    if (!ok(run != NULL && run_check(network, &error) && run_once(run, &error), "it runs %s",
            error.text))
        network = NULL;
    for (size_t v = 0; network != NULL && v < network->n_values; v++) {
        if (!network->value[v].output)
            continue;
        *count = value_elements(&network->value[v]);
        output = memory_copy(memory->value[v], (size_t)*count, sizeof *output);
        is_text(network->value[v].name, "y", "its output is called");
    }
    run_free(run);
    run_inputs_free(inputs);
    run_memory_free(memory);
    schedule_free(schedule);
    return output;
}

static void check(size_t which, enum fuse fuse, const float *plain, int64_t count)
{
    struct error error = {""};
    struct network *network = network_fuse(onnx_runnable_of(table[which].text, &error), fuse);
    size_t want = fuse == FUSE_BN ? table[which].folded : table[which].fused;
    int64_t same = 0;
    float *output = output_of(network, &same);
    double worst = same == count && output != NULL ? 0.0 : INFINITY;

    is_int((int64_t)network->n_ops, (int64_t)want, "%s: operators", table[which].what);
    for (int64_t i = 0; output != NULL && i < same; i++)
        worst = worst_of_two(worst, fabs((double)output[i] - (double)plain[i]));
    ok(worst <= MOST, "%s: within %g of the plain network's", table[which].what, worst);
    free(output);
    network_free(network);
}

int main(void)
{
    if (!onnx_available())
        tap_skip(1, "built without protobuf-c and onnx.proto");
    for (size_t i = 0; onnx_available() && i < sizeof table / sizeof table[0]; i++) {
        struct error error = {""};
        struct network *network = onnx_runnable_of(table[i].text, &error);
        int64_t count = 0;
        float *plain = network == NULL ? NULL : output_of(network, &count);

        if (ok(plain != NULL && network->n_ops == 3, "%s %s", table[i].what, error.text)) {
            check(i, FUSE_BN, plain, count);
            check(i, FUSE_ALL, plain, count);
        }
        free(plain);
        network_free(network);
    }
    return tap_done();
}
