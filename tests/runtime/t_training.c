/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of training that run: gradients against finite differences of the loss, planned arenas
 * against memory of their own, recomputing against keeping, and what updates write.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/graph/train.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "runtime/memory.h"
#include "runtime/run.h"
#include "runtime/wide.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"
#include "tests/support/trained.h"
#include "workloads/builder/builder.h"
#include "workloads/workload.h"

/* --- networks --- */

static struct network *finish(struct builder *b, size_t x)
{
    struct error error = {{0}};
    struct network *network;

    builder_output(b, x);
    network = builder_finish(b, &error);
    if (network == NULL)
        tap_diag("%s", error.text);
    else
        trained_seed(network, 5);
    return network;
}

static struct network *convolutional(enum dtype dtype)
{
    struct builder *b = builder_new("convolutional", dtype);
    size_t x = builder_input(b, "x", 4, (const int64_t[]){3, 2, 10, 10});

    x = builder_conv(b, "conv1", x, 4, .r = 3, .pad = 1, .bias = true);
    x = builder_batch_norm(b, "bn1", x);
    x = builder_relu(b, "relu1", x);
    x = builder_max_pool(b, "pool1", x, .r = 3, .stride = 2, .ceil = true);
    x = builder_lrn(b, "lrn1", x);
    x = builder_conv(b, "conv2", x, 6, .r = 3, .stride = 2, .groups = 2);
    x = builder_activation(b, "leaky2", "leaky_relu", x);
    x = builder_avg_pool(b, "pool2", x, .r = 2, .stride = 1, .pad = 1);
    return finish(b, builder_linear(b, "fc", x, 5));
}

/* Two blocks with shortcuts, of which the second has a convolution.  */
static struct network *residual(enum dtype dtype)
{
    struct builder *b = builder_new("residual", dtype);
    size_t x = builder_input(b, "x", 4, (const int64_t[]){2, 3, 8, 8}), way;

    x = builder_relu(b, "relu0", builder_conv(b, "conv0", x, 4, .r = 3, .pad = 1));
    for (int64_t i = 0; i < 2; i++) {
        builder_push(b, "block%d.", (int)i);
        way = x;
        x = builder_batch_norm(
            b, "bn1", builder_conv(b, "conv1", x, 4 + i * 2, .r = 3, .pad = 1, .stride = 1 + i));
        x = builder_relu(b, "relu1", x);
        x = builder_batch_norm(b, "bn2", builder_conv(b, "conv2", x, 4 + i * 2, .r = 3, .pad = 1));
        if (i == 1)
            way = builder_conv(b, "way", way, 6, .r = 1, .stride = 2);
        x = builder_relu(b, "relu2", builder_add(b, "add", x, way));
        builder_pop(b);
    }
    x = builder_global_avg_pool(b, "pool", x);
    return finish(b, builder_linear(b, "fc", x, 4));
}

/* Channels joined, cut, shuffled and weighed, depthwise convolutions; softmax and its likelihood.
 */
static struct network *mobile(enum dtype dtype)
{
    struct builder *b = builder_new("mobile", dtype);
    size_t x = builder_input(b, "x", 4, (const int64_t[]){2, 3, 6, 6}), part[2], scale;

    x = builder_relu6(b, "relu6", builder_conv(b, "conv", x, 8, .r = 3, .pad = 1));
    builder_split(b, "split", x, 1, part, 2);
    part[0] = builder_depthwise(b, "depthwise", part[0], .r = 3, .pad = 1);
    part[0] = builder_activation(b, "swish", "swish", part[0]);
    x = builder_concat(b, "concat", part, 2);
    x = builder_shuffle(b, "shuffle", x, 2);
    scale = builder_global_avg_pool(b, "squeeze", x);
    scale = builder_conv(b, "weigh", scale, 8, .r = 1, .bias = true);
    x = builder_mul(b, "mul", x, builder_activation(b, "gate", "hard_sigmoid", scale));
    x = builder_activation(b, "hard_swish", "hard_swish", x);
    x = builder_conv_transpose(b, "up", x, 2, 2);
    return finish(b, builder_softmax(b, "softmax", builder_linear(b, "fc", x, 4)));
}

/* Embedding, positions, one head of attention, layers on tokens with the table's weights.  */
static struct network *attention(enum dtype dtype)
{
    struct builder *b = builder_new("attention", dtype);
    size_t table = builder_weight(b, "table", 2, (const int64_t[]){7, 6}), x, q, k, v;
    size_t place = builder_weight(b, "positions", 2, (const int64_t[]){9, 6});

    x = builder_embedding(b, "embedding", builder_tokens(b, "ids", 2, 4), table);
    x = builder_add_positions(b, "place", x, place);
    q = builder_layer_norm(b, "norm1", x);
    k = builder_dense(b, "k", q, 6);
    v = builder_dense(b, "v", q, 6);
    q = builder_scale(b, "scale", builder_dense(b, "q", q, 6), 0.4, 0.0);
    q = builder_causal_mask(b, "mask", builder_matmul(b, "scores", q, k, true));
    q = builder_matmul(b, "heads", builder_softmax(b, "softmax", q), v, false);
    x = builder_add(b, "add", x, q);
    q = builder_activation(b, "gelu", "gelu", builder_dense(b, "wide", x, 8));
    x = builder_layer_norm(b, "norm2", builder_add(b, "add2", x, builder_dense(b, "slim", q, 6)));
    return finish(b, builder_dense_with(b, "logits", x, table));
}

static struct network *(*const networks[])(enum dtype) = {convolutional, residual, mobile,
                                                          attention};
enum { NETWORKS = sizeof networks / sizeof networks[0] };

/* --- gradients --- */

static struct network *train(struct network *network, const struct train_options *options)
{
    struct error error = {{0}};

    network = network_train(network, options, &error);
    if (network == NULL)
        tap_diag("%s", error.text);
    return network;
}

static const struct train_options sgd = {.optimizer = OPTIMIZER_SGD};
static const struct train_options adam = {.optimizer = OPTIMIZER_ADAM};

/* Every weight, up to twelve elements of each.  */
static void differences(struct network *(*make)(enum dtype))
{
    const struct sample sample = {.every = 1, .at_most = 12, .seed = 3, .step = 1e-5};
    struct network *network = train(make(DTYPE_F64), &sgd);
    struct error error = {{0}};
    struct differences found = {0};
    struct trained trained;
    bool good = trained_plain(&trained, network, &error) &&
                trained_differences(&trained, &sample, &found, &error);

    if (!ok(good && found.worst > 0.0 && found.worst < 1e-6 && found.weights > 5,
            "%s: gradients of %d elements of %d weights, within %.1g%s", network->name,
            (int)found.elements, (int)found.weights, found.worst, error.text))
        tap_diag("%.3g at %s", found.worst, found.where);
    trained_clear(&trained);
    network_free(network);
}

/* --- planned and plain, kept and made again --- */

static void same(const struct trained *a, const struct trained *b, const char *name,
                 const char *what)
{
    struct error error = {{0}};
    const char *differs = trained_differs(a, b, &error);

    if (!ok(differs == NULL, "%s: %s", name, what))
        tap_diag("%s", differs);
}

/* INSTANCE's graph where its plan puts it, and in memory of its own.  */
static void planned(const struct instance *instance, const char *solver, const char *what)
{
    const struct network *network = instance->origin->network;
    struct trained plain = {0}, in_arena = {0};
    struct error error = {{0}};

    if (ok(trained_planned(&in_arena, instance, solver, &error) &&
               trained_plain(&plain, network, &error),
           "%s: runs, %s%s", network->name, what, error.text))
        same(&in_arena, &plain, network->name, what);
    trained_clear(&plain);
    trained_clear(&in_arena);
}

static void in_arena(struct network *(*make)(enum dtype), const struct train_options *options,
                     bool weights)
{
    const struct lifetime_options lifetimes = {
        .io = IO_BOTH,
        .weights = weights,
        .alias = true,
        .inplace = INPLACE_NNC,
        .place = true,
        .alignment = 8,
    };
    struct network *network = train(make(DTYPE_F32), options);
    struct error error = {{0}};
    struct instance *instance =
        lifetimes_instance(network, schedule_file_order(network), &lifetimes, &error);

    if (ok(instance != NULL, "lifetimes%s", error.text))
        planned(instance, "section-first", weights ? "planned with its weights" : "planned");
    instance_free(instance);
}

static void made_again(struct network *(*make)(enum dtype))
{
    static const int64_t segment[] = {2, 3, 5, TRAIN_SEGMENT_SQRT};
    struct network *keeping = train(make(DTYPE_F32), &sgd);
    struct error error = {{0}};
    struct trained kept;

    ok(trained_plain(&kept, keeping, &error), "%s runs%s", keeping->name, error.text);
    for (size_t i = 0; i < sizeof segment / sizeof segment[0]; i++) {
        const struct train_options options = {.optimizer = OPTIMIZER_SGD, .segment = segment[i]};
        struct network *making = train(make(DTYPE_F32), &options);
        struct trained made;

        ok(making->n_ops > keeping->n_ops, "%s: segments of %d make values again", keeping->name,
           (int)segment[i]);
        if (ok(trained_plain(&made, making, &error), "%s runs%s", making->name, error.text))
            same(&kept, &made, keeping->name, "the same gradients as without checkpoints");
        trained_clear(&made);
        network_free(making);
        in_arena(make, &options, false);
    }
    trained_clear(&kept);
    network_free(keeping);
}

/* --- networks of the registry --- */

/* A few elements of one weight in EVERY, with a wider bound: among so many units there are some so
 * near to where a slope jumps that a difference steps over it.  */
static void built_in(const char *spec, size_t every)
{
    const struct sample sample = {.every = every, .at_most = 2, .seed = 7, .step = 1e-7};
    struct error error = {{0}};
    struct instance *instance = runnable_from(spec, &error);
    struct differences found = {0};
    struct trained trained;
    struct network *wide;
    bool good;

    if (!ok(instance != NULL, "%s%s", spec, error.text))
        return;
    planned(instance, "greedy-by-size", spec);
    wide = network_widened(instance->origin->network);
    good = trained_plain(&trained, wide, &error) &&
           trained_differences(&trained, &sample, &found, &error);
    if (!ok(good && found.worst > 0.0 && found.worst < 1e-4,
            "%s: gradients of %d elements, within %.1g%s", spec, (int)found.elements, found.worst,
            error.text))
        tap_diag("%.3g at %s", found.worst, found.where);
    trained_clear(&trained);
    network_free(wide);
    instance_free(instance);
}

/* Whether nothing is missing for the training graph of NAME; recurrent networks have none.  */
static void can_be_run(const char *name)
{
    char *spec = memory_printf("%s:train=adam", name);
    struct error error = {{0}};
    struct network *network = network_from(spec, &error);

    ok(network == NULL ? strstr(error.text, "no gradient through a loop") != NULL
                       : run_check(network, &error),
       "%s%s%s", spec, error.text[0] == '\0' ? "" : ": ", error.text);
    network_free(network);
    free(spec);
}

static void registry(void)
{
    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (size_t m = 0; network_registry[f]->model[m].name != NULL; m++)
            can_be_run(network_registry[f]->model[m].name);
}

/* --- updates --- */

static double element(const struct trained *trained, size_t v)
{
    return ((const double *)trained->memory->value[v])[0];
}

/* Two steps by the formulas, with the gradients that they found.  */
static void optimisers(void)
{
    static const char *const name[] = {"sgd", "momentum", "adam"};

    for (int optimizer = OPTIMIZER_SGD; optimizer < OPTIMIZER_NONE; optimizer++) {
        const struct train_options options = {.optimizer = (enum optimizer)optimizer};
        struct network *network = train(residual(DTYPE_F64), &options);
        struct error error = {{0}};
        struct trained trained;
        size_t o = 0, v, g;
        double weight, first = 0.0, second = 0.0;

        while (!trained_update(network, o, &v, &g))
            o++;
        ok(trained_plain(&trained, network, &error), "%s runs%s", name[optimizer], error.text);
        weight = element(&trained, v);
        for (int step = 0; step < 2; step++) {
            double slope;

            if (step == 0)
                trained_loss(&trained, v, 0, 0.0, &error);
            else
                run_once(trained.run, &error);
            slope = element(&trained, g);
            if (optimizer == OPTIMIZER_SGD)
                weight -= 0.01 * slope;
            if (optimizer == OPTIMIZER_MOMENTUM)
                weight -= 0.01 * (first = 0.9 * first + slope);
            if (optimizer == OPTIMIZER_ADAM) {
                first = 0.9 * first + 0.1 * slope;
                second = 0.999 * second + 0.001 * slope * slope;
                weight -= 0.001 * first / (sqrt(second) + 1e-8);
            }
            ok(slope != 0.0 && fabs(element(&trained, v) - weight) < 1e-14, "%s: step %d",
               name[optimizer], step + 1);
        }
        trained_clear(&trained);
        network_free(network);
    }
}

/* What is shared by all runs stays: weights as they were given.  */
static void shared_elements(void)
{
    struct network *network = train(convolutional(DTYPE_F32), &sgd);
    struct error error = {{0}};
    struct trained trained;
    size_t o = 0, v, g, bytes;
    void *before;

    while (!trained_update(network, o, &v, &g))
        o++;
    bytes = network->value[v].elements->bytes;
    before = memory_copy(network->value[v].elements->data, bytes, 1);
    ok(trained_plain(&trained, network, &error) &&
           !isnan(trained_loss(&trained, 0, 0, 0.0, &error)),
       "a step%s", error.text);
    ok(memcmp(network->value[v].elements->data, before, bytes) == 0, "given weights stay");
    ok(memcmp(trained.memory->value[v], before, bytes) != 0, "a run's own change");
    free(before);
    trained_clear(&trained);
    network_free(network);
}

/* Steps that are each fine for what flows, but update a weight first.  */
static void too_early(void)
{
    const struct train_options eager = {.optimizer = OPTIMIZER_SGD, .eager = true};
    struct network *network = train(convolutional(DTYPE_F32), &eager);
    struct schedule *schedule = schedule_file_order(network);
    struct run_memory *memory = run_memory_plain(network);
    const struct run_options options = {.threads = 1};
    struct error error = {{0}};
    struct run *run = run_new(network, schedule, memory, &options, &error);
    size_t o = 0, v, g, last;

    ok(run != NULL, "updates when gradients are there%s", error.text);
    run_free(run);
    while (!trained_update(network, o, &v, &g) || strcmp(network->value[v].name, "fc.weight") != 0)
        o++;
    last = o;
    while (strcmp(network->op[last].name, "fc.grad_input") != 0)
        last--;
    for (size_t i = last; i < o; i++)
        schedule->step[i]++;
    schedule->step[o] = (int64_t)last;
    ok(schedule_check(schedule, network, &error), "what flows allows it%s", error.text);
    run = run_new(network, schedule, memory, &options, &error);
    ok(run == NULL, "an update before the last reader is refused");
    is_text(error.text,
            "'fc.weight' would be updated before operator 'fc.grad_input' reads it: order=file "
            "has updates last",
            "both are named");
    run_free(run);
    run_memory_free(memory);
    schedule_free(schedule);
    network_free(network);
}

static void bad_label(void)
{
    struct network *network = train(convolutional(DTYPE_F32), &sgd);
    struct error error = {{0}};
    struct trained trained;
    size_t labels = 0;

    while (strcmp(network->value[labels].name, "labels") != 0)
        labels++;
    ok(trained_plain(&trained, network, &error), "a run%s", error.text);
    ((int64_t *)trained.memory->value[labels])[0] = 5;
    ((int64_t *)trained.memory->value[labels])[1] = 0;
    ok(!run_once(trained.run, &error), "a label that is no class ends the run");
    is_text(error.text, "operator 'loss': .CrossEntropyLoss: label 5 of 5 classes", "it is named");
    trained_clear(&trained);
    network_free(network);
}

int main(void)
{
    for (size_t i = 0; i < NETWORKS; i++) {
        differences(networks[i]);
        in_arena(networks[i], &sgd, false);
        in_arena(networks[i], &adam, true);
        made_again(networks[i]);
    }
    registry();
    built_in("squeezenet1_1:size=64,train=sgd,inplace=nnc,alias=on,concat=place,alignment=8", 13);
    if (tap_tier(0, 1) != 0) {
        built_in("resnet18:size=32,batch=2,train=sgd,update=ready,inplace=nnc,alias=on", 31);
        built_in("mobilenet_v3_small:size=64,batch=4,train=sgd,checkpoint=sqrt,inplace=nnc", 29);
        built_in("shufflenet_v2_x1_0:size=64,batch=4,train=adam,inplace=megengine,alias=on", 60);
    }
    optimisers();
    shared_elements();
    too_early();
    bad_label();
    return tap_done();
}
