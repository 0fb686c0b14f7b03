/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training graphs, small ones, operator by operator.  */
#include <config.h>

#include "lib/graph/train.h"
#include "lib/lifetimes/origin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/problem/instance.h"
#include "tests/support/tap.h"
#include "workloads/builder/builder.h"

static const struct train_options sgd = {.optimizer = OPTIMIZER_SGD};

/* --- operator by operator --- */

/* One line an operator: "name: inputs -> outputs".  */
static char *listing(const struct network *network)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = memory_stream(&text, &length);

    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];

        fprintf(out, "%s:", op->name);
        for (size_t i = 0; i < op->inputs; i++)
            fprintf(out, " %s", network->value[op->input[i]].name);
        fprintf(out, " ->");
        for (size_t i = 0; i < op->outputs; i++)
            fprintf(out, " %s", network->value[op->output[i]].name);
        fprintf(out, "\n");
    }
    memory_stream_close(out);
    return text;
}

static struct network *finish(struct builder *b, size_t x)
{
    struct error error = {{0}};
    struct network *network;

    builder_output(b, x);
    network = builder_finish(b, &error);
    if (network == NULL)
        tap_diag("%s", error.text);
    return network;
}

static struct network *train(struct network *network, const struct train_options *options)
{
    struct error error = {{0}};

    network = network_train(network, options, &error);
    if (!ok(network != NULL, "a training graph"))
        tap_diag("%s", error.text);
    return network;
}

static void is_listing(struct network *network, const char *want, const char *what)
{
    char *got = listing(network);

    is_text(got, want, "%s", what);
    free(got);
    network_free(network);
}

static size_t image(struct builder *b)
{
    return builder_input(b, "x", 4, (const int64_t[]){1, 1, 2, 2});
}

/* A convolution 1x1 with two channels, ReLU, three classes.  */
static struct network *chain(void)
{
    struct builder *b = builder_new("chain", DTYPE_F32);
    size_t x = builder_conv(b, "conv", image(b), 2, .r = 1, .bias = true);

    x = builder_relu(b, "relu", x);
    return finish(b, builder_linear(b, "fc", x, 3));
}

#define CHAIN_BACKWARD                                              \
    "conv: x conv.weight conv.bias -> conv\n"                       \
    "relu: conv -> relu\n"                                          \
    "fc: relu fc.weight fc.bias -> fc\n"                            \
    "loss: fc labels -> loss loss.log_softmax\n"                    \
    "fc.loss_grad: loss.log_softmax labels -> fc.grad\n"            \
    "fc.grad_weight: fc.grad relu -> fc.weight.grad fc.bias.grad\n" \
    "fc.grad_input: fc.grad fc.weight -> relu.grad\n"

static void chains(void)
{
    const struct train_options adam = {.optimizer = OPTIMIZER_ADAM, .eager = true};

    is_listing(train(chain(), &sgd),
               CHAIN_BACKWARD
               "relu.grad: relu.grad relu -> conv.grad\n"
               "conv.grad_weight: conv.grad x -> conv.weight.grad conv.bias.grad\n"
               "conv.weight.update: conv.weight conv.weight.grad -> conv.weight.update\n"
               "conv.bias.update: conv.bias conv.bias.grad -> conv.bias.update\n"
               "fc.weight.update: fc.weight fc.weight.grad -> fc.weight.update\n"
               "fc.bias.update: fc.bias fc.bias.grad -> fc.bias.update\n",
               "convolution, relu, fully connected");
    is_listing(train(chain(), &adam),
               CHAIN_BACKWARD
               "fc.weight.update: fc.weight fc.weight.grad fc.weight.exp_avg fc.weight.exp_avg_sq "
               "-> fc.weight.update\n"
               "fc.bias.update: fc.bias fc.bias.grad fc.bias.exp_avg fc.bias.exp_avg_sq "
               "-> fc.bias.update\n"
               "relu.grad: relu.grad relu -> conv.grad\n"
               "conv.grad_weight: conv.grad x -> conv.weight.grad conv.bias.grad\n"
               "conv.weight.update: conv.weight conv.weight.grad conv.weight.exp_avg "
               "conv.weight.exp_avg_sq -> conv.weight.update\n"
               "conv.bias.update: conv.bias conv.bias.grad conv.bias.exp_avg conv.bias.exp_avg_sq "
               "-> conv.bias.update\n",
               "Adam, each weight as soon as it can be");
}

/* What the gradients read of the forward pass: statistics, a mask, both sides
 * of a maximum; a sum passes its gradient on; two readers are added up; a
 * softmax at the end is the loss's own.  */
static void rules(void)
{
    struct builder *b = builder_new("residual", DTYPE_F32);
    size_t x = builder_conv(b, "a", image(b), 2, .r = 1), y;

    y = builder_batch_norm(b, "n", x);
    y = builder_activation(b, "s", "swish", y);
    y = builder_max_pool(b, "m", y, .r = 1);
    x = builder_add(b, "add", y, x);
    x = builder_softmax(b, "p", builder_reshape(b, "r", x, 2, (const int64_t[]){1, 8}));
    is_listing(train(finish(b, x), &sgd),
               "a: x a.weight -> a\n"
               "n: a n.weight n.bias n.running_mean n.running_var -> n n.mean n.rstd\n"
               "s: n -> s\n"
               "m: s -> m\n"
               "add: m a -> add\n"
               "r: add -> r\n"
               "p: r -> p\n"
               "loss: p labels -> loss\n"
               "p.loss_grad: p labels -> p.grad\n"
               "p.grad: p.grad p -> r.grad\n"
               "r.grad: r.grad -> add.grad\n"
               "m.grad: add.grad s m -> s.grad\n"
               "s.grad: s.grad n -> n.grad\n"
               "n.grad: n.grad a n.weight n.mean n.rstd -> a.grad n.weight.grad n.bias.grad\n"
               "a.grad.sum2: add.grad a.grad -> a.grad.sum2\n"
               "a.grad_weight: a.grad.sum2 x -> a.weight.grad\n"
               "a.weight.update: a.weight a.weight.grad -> a.weight.update\n"
               "n.weight.update: n.weight n.weight.grad -> n.weight.update\n"
               "n.bias.update: n.bias n.bias.grad -> n.bias.update\n",
               "normalisation, swish, max pool, sum, reshape, softmax");
}

/* Products, joins and cuts; a weight with two readers; dropout.  */
static void more_rules(void)
{
    struct builder *b = builder_new("product", DTYPE_F32);
    struct network *network;
    size_t table = builder_weight(b, "t", 2, (const int64_t[]){5, 4}), part[2], x;

    x = builder_embedding(b, "e", builder_tokens(b, "ids", 1, 3), table);
    builder_split(b, "s", x, 2, part, 2);
    part[0] = builder_mul(b, "m", part[0], part[1]);
    x = builder_concat_axis(b, "c", 2, part, 2);
    x = builder_reshape(b, "d", x, 3, (const int64_t[]){1, 3, 4});
    network = finish(b, builder_dense_with(b, "l", x, table));
    network->op[4].type = "dropout";
    is_listing(train(network, &sgd),
               "e: t ids -> e\n"
               "s: e -> s.0 s.1\n"
               "m: s.0 s.1 -> m\n"
               "c: m s.1 -> c\n"
               "d: c -> d d.mask\n"
               "l: d t -> l\n"
               "loss: l labels -> loss loss.log_softmax\n"
               "l.loss_grad: loss.log_softmax labels -> l.grad\n"
               "l.grad_weight: l.grad d -> t.grad\n"
               "l.grad_input: l.grad t -> d.grad\n"
               "d.grad: d.grad d.mask -> c.grad\n"
               "c.grad: c.grad -> m.grad s.1.grad\n"
               "m.grad_first: m.grad s.1 -> s.0.grad\n"
               "m.grad_second: m.grad s.0 -> s.1.grad.1\n"
               "s.1.grad.sum3: s.1.grad s.1.grad.1 -> s.1.grad.sum3\n"
               "s.grad: s.0.grad s.1.grad.sum3 -> e.grad\n"
               "e.grad: e.grad ids -> t.grad.1\n"
               "t.grad.sum3: t.grad t.grad.1 -> t.grad.sum3\n"
               "t.update: t t.grad.sum3 -> t.update\n",
               "gather, split, product, concatenation, dropout, a tied weight");
}

/* A repeated input gets a sum; LRN and softmax; matrices.  */
static void broadcasts(void)
{
    struct builder *b = builder_new("broadcast", DTYPE_F32);
    size_t x = builder_input(b, "x", 3, (const int64_t[]){1, 3, 4}), y;

    y = builder_dense(b, "q", x, 4);
    x = builder_matmul(b, "s", y, x, true);
    x = builder_softmax(b, "p", builder_scale(b, "c", x, 1.0, 0.0));
    x = builder_matmul(b, "o", x, y, false);
    x = builder_add_positions(b, "a", x, builder_weight(b, "w", 2, (const int64_t[]){3, 4}));
    x = builder_layer_norm(b, "n", x);
    is_listing(train(finish(b, x), &sgd),
               "q: x q.weight q.bias -> q\n"
               "s: q x -> s\n"
               "c: s -> c\n"
               "p: c -> p\n"
               "o: p q -> o\n"
               "a: o w -> a\n"
               "n: a n.weight n.bias -> n n.mean n.rstd\n"
               "loss: n labels -> loss loss.log_softmax\n"
               "n.loss_grad: loss.log_softmax labels -> n.grad\n"
               "n.grad: n.grad a n.weight n.mean n.rstd -> a.grad n.weight.grad n.bias.grad\n"
               "a.grad: a.grad -> w.grad\n"
               "o.grad_first: a.grad q -> p.grad\n"
               "o.grad_second: a.grad p -> q.grad\n"
               "p.grad: p.grad p -> c.grad\n"
               "c.grad: c.grad -> s.grad\n"
               "s.grad_first: s.grad x -> q.grad.1\n"
               "q.grad.sum3: q.grad q.grad.1 -> q.grad.sum3\n"
               "q.grad_weight: q.grad.sum3 x -> q.weight.grad q.bias.grad\n"
               "q.weight.update: q.weight q.weight.grad -> q.weight.update\n"
               "q.bias.update: q.bias q.bias.grad -> q.bias.update\n"
               "w.update: w w.grad -> w.update\n"
               "n.weight.update: n.weight n.weight.grad -> n.weight.update\n"
               "n.bias.update: n.bias n.bias.grad -> n.bias.update\n",
               "attention");
}

/* Backward of a convolution and an operator of KIND and TYPE behind it.  */
static bool gradient_reads(enum op_kind kind, const char *type, const char *reads)
{
    struct builder *b = builder_new("one", DTYPE_F32);
    size_t x = builder_relu(b, "u", builder_conv(b, "c", image(b), 2, .r = 1));
    struct network *network = finish(b, x);
    char *text, line[64];
    bool found;

    network->op[network->n_ops - 1].kind = kind;
    network->op[network->n_ops - 1].type = type;
    network = train(network, &sgd);
    text = listing(network);
    snprintf(line, sizeof line, "\nu.grad: %s -> c.grad\n", reads);
    found = strstr(text, line) != NULL;
    if (!found)
        tap_diag("%s: %s", type, text);
    free(text);
    network_free(network);
    return found;
}

/* What only moves elements, adds them up or repeats them needs none of them backward; a local
 * response normalisation needs its input and its output.  */
static void movers(void)
{
    static const char *const words[] = {"transpose", "slice",      "upsample", "resize",
                                        "pad",       "expand",     "tile",     "reduce_mean",
                                        "mean",      "reduce_sum", "crop",     "shuffle_channel",
                                        "cast",      "interp"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ok(gradient_reads(OP_OTHER, words[i], "u.grad"), "%s: the gradient alone", words[i]);
    ok(gradient_reads(OP_OTHER, "unknown", "u.grad c u"), "unknown: all");
    ok(gradient_reads(OP_LRN, "lrn", "u.grad c u"), "lrn: input and output");
    ok(gradient_reads(OP_SOFTMAX, "softmax", "u.grad u"), "softmax: output");
}

/* Segments of two operators: c1 r1 | c2 r2 | c3 r3.  */
static void segments(void)
{
    const struct train_options two = {.segment = 2};
    struct builder *b = builder_new("segments", DTYPE_F32);
    size_t x = image(b);

    for (int i = 1; i <= 3; i++) {
        builder_push(b, "%d", i);
        x = builder_conv(b, "c", x, 2, .r = 1);
        x = builder_relu(b, "r", x);
        builder_pop(b);
    }
    is_listing(train(finish(b, x), &two),
               "1c: x 1c.weight -> 1c\n"
               "1r: 1c -> 1r\n"
               "2c: 1r 2c.weight -> 2c\n"
               "2r: 2c -> 2r\n"
               "3c: 2r 3c.weight -> 3c\n"
               "3r: 3c -> 3r\n"
               "loss: 3r labels -> loss loss.log_softmax\n"
               "3r.loss_grad: loss.log_softmax labels -> 3r.grad\n"
               "3r.grad: 3r.grad 3r -> 3c.grad\n"
               "3c.grad_weight: 3c.grad 2r -> 3c.weight.grad\n"
               "3c.grad_input: 3c.grad 3c.weight -> 2r.grad\n"
               "2r.grad: 2r.grad 2r -> 2c.grad\n"
               "2c.grad_weight: 2c.grad 1r -> 2c.weight.grad\n"
               "2c.grad_input: 2c.grad 2c.weight -> 1r.grad\n"
               "1r.grad: 1r.grad 1r -> 1c.grad\n"
               "1c.grad_weight: 1c.grad x -> 1c.weight.grad\n"
               "1c.weight.update: 1c.weight 1c.weight.grad -> 1c.weight.update\n"
               "2c.weight.update: 2c.weight 2c.weight.grad -> 2c.weight.update\n"
               "3c.weight.update: 3c.weight 3c.weight.grad -> 3c.weight.update\n",
               "nothing is made again that nobody reads");
}

/* The same with segments that hold what backward needs: c1 r1 c2 r2 | ...  */
static void made_again(void)
{
    const struct train_options four = {.segment = 4};
    struct builder *b = builder_new("again", DTYPE_F32);
    size_t x = image(b);
    struct network *network;
    char *text;

    for (int i = 1; i <= 3; i++) {
        builder_push(b, "%d", i);
        x = builder_conv(b, "c", x, 2, .r = 1);
        x = builder_batch_norm(b, "n", x);
        x = builder_relu(b, "r", x);
        builder_pop(b);
    }
    network = train(finish(b, x), &four);
    text = listing(network);
    /* Segments 1c 1n 1r 2c | 2n 2r 3c 3n | 3r; 2c and 3n are kept.  */
    ok(strstr(text, "3r.grad: 3r.grad 3r -> 3n.grad\n"
                    "2n.again: 2c 2n.weight 2n.bias 2n.running_mean 2n.running_var -> "
                    "2n.again 2n.again.mean 2n.again.rstd\n"
                    "2r.again: 2n.again -> 2r.again\n"
                    "3c.again: 2r.again 3c.weight -> 3c.again\n"
                    "3n.grad: 3n.grad 3c.again 3n.weight 3n.mean 3n.rstd -> "
                    "3c.grad 3n.weight.grad 3n.bias.grad\n") != NULL,
       "the second segment is made again, from what the first one left");
    ok(strstr(text, "2n.grad: 2n.grad 2c 2n.weight 2n.again.mean 2n.again.rstd -> ") != NULL,
       "statistics too");
    ok(strstr(text, "2c.grad_input: 2c.grad 2c.weight -> 1r.grad\n"
                    "1r.grad: 1r.grad 1r.again -> 1n.grad\n") != NULL,
       "and the first one");
    if (!strstr(text, "1c.again: x 1c.weight -> 1c.again\n"))
        tap_diag("%s", text);
    ok(strstr(text, "2c.again") == NULL, "what is kept is not");
    free(text);
    network_free(network);
}

/* The same of LENGTH layers of one operator, the first of which is read again at the end where
 * FAR says so, in segments of K: how many of each segment are made again.  */
static void is_cut(int length, bool far, int64_t k, bool output, const char *want)
{
    const struct train_options options = {.segment = k};
    struct builder *b = builder_new("cut", DTYPE_F32);
    size_t x = builder_conv(b, "c", image(b), 1, .r = 1), first = x;
    char *again = memory_strdup("");
    struct network *network;

    for (int i = 1; i < length; i++) {
        builder_push(b, "%d", i);
        x = builder_activation(b, "t", "tanh", x);
        builder_pop(b);
        if (output && i == 1)
            builder_output(b, x);
    }
    if (far)
        x = builder_add(b, "add", x, first);
    network = train(finish(b, x), &options);
    for (size_t o = 0; o < network->n_ops; o++) {
        const char *dot = strstr(network->op[o].name, ".again");

        if (dot != NULL)
            again = memory_append(again, "%.*s ", (int)(dot - network->op[o].name),
                                  network->op[o].name);
    }
    is_text(again, want, "made again of %d operators in segments of %d", length, (int)k);
    free(again);
    network_free(network);
}

/* A segment ends where one value goes on, as soon as it has its length; where more do, when it has
 * twice as many; what is kept is the last of each, and an output.  */
static void cuts(void)
{
    is_cut(7, false, 3, false, "3t 4t c 1t ");
    is_cut(6, false, 3, false, "c 1t ");
    is_cut(4, false, 3, false, "c 1t ");
    is_cut(3, false, 3, false, "");
    is_cut(7, false, 1, false, "");
    is_cut(7, true, 1, false, "5t 3t 1t ");
    is_cut(8, true, 3, false, "1t 2t 3t 4t ");
    is_cut(7, true, 2, false, "1t 2t ");
    is_cut(7, false, 3, true, "2t 3t 4t ");
}

/* Without segments all is kept, an output that nobody reads but its own gradient as well.  */
static void whole(void)
{
    struct builder *b = builder_new("whole", DTYPE_F32);
    size_t part[2];
    struct network *network;
    char *text;

    builder_split(b, "s", builder_conv(b, "c", image(b), 2, .r = 1), 1, part, 2);
    network = finish(b, builder_relu(b, "r", part[0]));
    network->op[1].kind = OP_OTHER;
    network->op[1].type = "unknown";
    network = train(network, &sgd);
    text = listing(network);
    ok(strstr(text, "s.grad: s.0.grad") != NULL && strstr(text, ".again") == NULL,
       "without segments nothing is made again");
    free(text);
    network_free(network);
}

/* --- lifetimes --- */

static struct instance *instance_of(struct network *network)
{
    struct lifetime_options options = {.io = IO_NONE};
    struct error error = {""};

    return lifetimes_instance(network, schedule_file_order(network), &options, &error);
}

static const struct buffer *buffer_of(const struct instance *instance, const char *id)
{
    for (size_t i = 0; i < instance->n; i++)
        if (strcmp(instance->buffer[i].id, id) == 0)
            return &instance->buffer[i];
    return NULL;
}

/* The chain's thirteen operators by hand: what the backward pass reads lives on
 * into it.  */
static void lifetimes(void)
{
    static const struct {
        const char *id;
        int64_t begin, end, size;
    } row[] = {
        {"conv", 0, 2, 32},
        {"relu", 1, 8, 32},
        {"fc", 2, 4, 12},
        {"loss.log_softmax", 3, 5, 12},
        {"fc.grad", 4, 7, 12},
        {"fc.weight.grad", 5, 12, 96},
        {"fc.bias.grad", 5, 13, 12},
        {"relu.grad", 6, 8, 32},
        {"conv.grad", 7, 9, 32},
        {"conv.weight.grad", 8, 10, 8},
        {"conv.bias.grad", 8, 11, 8},
    };
    struct instance *instance = instance_of(train(chain(), &sgd));

    is_int((int64_t)instance->n, (int64_t)(sizeof row / sizeof row[0]),
           "tokens of updates and the loss take no part");
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const struct buffer *buffer = buffer_of(instance, row[i].id);

        if (!ok(buffer != NULL, "there is %s", row[i].id))
            continue;
        is_int(buffer->begin, row[i].begin, "%s: begin", row[i].id);
        is_int(buffer->end, row[i].end, "%s: end", row[i].id);
        is_int(buffer->size, row[i].size, "%s: size", row[i].id);
    }
    is_int(instance->load, 32 + 96 + 12 + 32 + 32, "the load is in the gradient of relu");
    instance_free(instance);
}

/* 64 equal layers whose gradients read their outputs: without checkpoints all
 * live to the loss; with segments of 8, seven borders and one segment do.  */
static void sublinear(void)
{
    const int layers = 64;
    const int64_t size = 256 * 4;
    int64_t load[3], macs[3];

    for (int run = 0; run < 3; run++) {
        const struct train_options options = {
            .eager = true, .segment = (int64_t[]){0, TRAIN_SEGMENT_SQRT, 8}[run]};
        struct builder *b = builder_new("deep", DTYPE_F32);
        size_t x = builder_input(b, "x", 4, (const int64_t[]){1, 1, 16, 16});
        struct instance *instance;

        x = builder_conv(b, "conv", x, 1, .r = 1);
        for (int i = 1; i < layers; i++) {
            builder_push(b, "%d", i);
            x = builder_activation(b, "tanh", "tanh", x);
            builder_pop(b);
        }
        instance = instance_of(train(finish(b, x), &options));
        macs[run] = network_macs(instance->origin->network);
        load[run] = instance->load;
        instance_free(instance);
    }
    /* The last segment's 8 values, 7 borders; then the gradients of the loss.  */
    is_int(load[0], (64 + 1) * size, "all outputs but the first, log-probabilities, a gradient");
    ok(load[1] <= (7 + 8 + 3) * size, "checkpoints: %" PRId64 " of at most %" PRId64, load[1],
       (7 + 8 + 3) * size);
    is_int(load[2], load[1], "sqrt is 8 here");
    is_int(macs[0], 2 * 256, "forward and the weight's gradient");
    is_int(macs[1], 3 * 256, "the first segment is made again from the input on");
}

int main(void)
{
    chains();
    rules();
    more_rules();
    broadcasts();
    movers();
    segments();
    made_again();
    cuts();
    whole();
    lifetimes();
    sublinear();
    return tap_done();
}
