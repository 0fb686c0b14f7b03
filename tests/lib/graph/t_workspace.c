/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workspaces: both formulas by hand, and what they add to a hand-made network.  */
#include <config.h>

#include "lib/graph/workspace.h"

#include <inttypes.h>
#include <stdlib.h>

#include "kernels/layer.h"
#include "lib/base/memory.h"
#include "lib/graph/control.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/loops.h"
#include "lib/lifetimes/time_model.h"
#include "lib/problem/instance.h"
#include "tests/support/tap.h"
#include "workloads/builder/builder.h"

/* --- formulas --- */

static void formulas(void)
{
    static const struct {
        const char *layer;
        int64_t im2col, winograd; /* bytes; -1: not done */
    } cases[] = {
        /* 3 channels x 9 taps x 25 pixels; 2 x 2 tiles of 36 of 3 + 4 channels.  */
        {"c=3,h=5,w=5,k=4,r=3,s=3,stride=1,pad=1", 2700, 4032},
        {"n=8,c=3,h=5,w=5,k=4,r=3,s=3,stride=1,pad=1", 2700, 4032},
        /* 4 x 4 pixels are one tile.  */
        {"c=3,h=6,w=6,k=4,r=3,s=3,stride=1,pad=0", 1728, 1008},
        /* 2 channels of 4 are in a group.  */
        {"c=4,h=5,w=5,k=4,r=3,s=3,stride=1,pad=1,groups=2", 1800, -1},
        {"c=3,h=5,w=5,k=4,r=3,s=3,stride=2,pad=1", 3 * 9 * 9 * 4, -1},
        {"c=3,h=7,w=7,k=4,r=3,s=3,stride=1,pad=2,dilation=2", 3 * 9 * 49 * 4, -1},
        {"c=3,h=7,w=5,k=4,r=3,s=3,stride=1,pad=2x1,dilation=2x1", 3 * 9 * 35 * 4, -1},
        {"c=3,h=5,w=7,k=4,r=3,s=3,stride=1,pad=1x2,dilation=1x2", 3 * 9 * 35 * 4, -1},
        {"c=2,h=4,w=9,k=1,r=1,s=7,stride=1,pad=0x3", 2 * 7 * 36 * 4, -1},
        {"c=2,h=4,w=9,k=1,r=3,s=3,stride=1,pad=0x1x0x2", 2 * 9 * 3 * 9 * 4, 36 * 3 * 3 * 4},
        /* The input serves as it is.  */
        {"c=8,h=5,w=5,k=4,r=1,s=1,stride=1,pad=0", 0, -1},
        {"c=8,h=1,w=1,k=4,r=1,s=1,stride=2,pad=0", 0, -1},
        /* It does not: pixels are left out, or zeros stand around it.  */
        {"c=8,h=5,w=5,k=4,r=1,s=1,stride=2,pad=0", 8 * 9 * 4, -1},
        {"c=8,h=5,w=5,k=4,r=1,s=1,stride=1,pad=1", 8 * 49 * 4, -1},
        {"c=2,h=1073741824,w=1073741824,k=1,r=1,s=1,stride=1,pad=1", -1, -1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error error = {""};
        struct conv_shape shape;
        int64_t bytes;

        if (!ok(layer_parse(cases[i].layer, &shape, &error), "a layer%s", error.text))
            continue;
        ok(workspace_formula("im2col", &shape, 1, &bytes, NULL, &error), "im2col is a formula");
        is_int(bytes, cases[i].im2col, "im2col of %s", cases[i].layer);
        ok(workspace_formula("winograd", &shape, 1, &bytes, NULL, &error), "winograd is one");
        is_int(bytes, cases[i].winograd, "winograd of %s", cases[i].layer);
    }
}

static void unknown(void)
{
    struct error error = {""};

    ok(!workspace_is_formula("mgemm"), "a kernel is no formula");
    ok(!workspace_formula("fft", NULL, 0, NULL, NULL, &error), "an unknown one is refused");
    is_text(error.text, "no formula 'fft'; expected im2col or winograd", "and named");
}

/* --- a network --- */

/* Two images of 3 x 5 x 5: a filter of 3 x 3, ReLU, one of a pixel, one a channel.  */
static struct network *small(enum dtype dtype)
{
    struct builder *b = builder_new("small", dtype);
    struct network *network;
    struct error error = {""};
    size_t x = builder_input(b, "x", 4, (const int64_t[]){2, 3, 5, 5});

    x = builder_conv(b, "conv", x, 4, .r = 3, .pad = 1);
    x = builder_relu(b, "relu", x);
    x = builder_conv(b, "point", x, 8, .r = 1);
    x = builder_depthwise(b, "depth", x, .r = 3, .pad = 1);
    builder_output(b, x);
    network = builder_finish(b, &error);
    if (network == NULL)
        abort();
    return network;
}

/* "id[begin,end)size/alignment ..." of all buffers.  */
static char *describe(const struct instance *instance)
{
    char *text = memory_strdup("");

    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *b = &instance->buffer[i];

        text = memory_append(text, "%s%s[%" PRId64 ",%" PRId64 ")%" PRId64 "/%" PRId64,
                             i == 0 ? "" : " ", b->id, b->begin, b->end, b->size, b->alignment);
    }
    return text;
}

/* The buffers under ALIGNMENT of NETWORK, which it takes over.  */
static void has_buffers(struct network *network, int64_t alignment, const char *want)
{
    struct lifetime_options options = {.alignment = alignment};
    struct error error = {""};
    struct instance *instance =
        lifetimes_instance(network, schedule_file_order(network), &options, &error);
    char *got;

    if (!ok(instance != NULL, "an instance%s", error.text))
        return;
    got = describe(instance);
    is_text(got, want, "its buffers");
    free(got);
    instance_free(instance);
}

static void by_hand(void)
{
    struct network *network = small(DTYPE_F32), *copy;
    struct workspace_count count;
    struct error error = {""};

    ok(workspace_add(network, "im2col", workspace_formula, &count, &error), "im2col%s", error.text);
    is_int((int64_t)count.convolutions, 3, "it has three convolutions");
    is_int((int64_t)count.refused, 0, "of which it does all");
    ok(network_check(network, &error), "still a network%s", error.text);
    copy = network_copy(network);
    has_buffers(network, 0,
                "conv[0,2)800/1 conv.workspace[0,1)2700/64 relu[1,3)800/1 point[2,4)1600/1 "
                "depth.workspace[3,4)900/64");
    has_buffers(copy, 48,
                "conv[0,2)800/48 conv.workspace[0,1)2700/192 relu[1,3)800/48 point[2,4)1600/48 "
                "depth.workspace[3,4)900/192");
}

static void left_out(void)
{
    struct network *network = small(DTYPE_F32);
    struct workspace_count count;
    struct error error = {""};

    ok(workspace_add(network, "winograd", workspace_formula, &count, &error), "winograd");
    is_int((int64_t)count.convolutions, 3, "all three are counted");
    is_int((int64_t)count.refused, 2, "of which it does one");
    is_text(count.first.text,
            "'point': expected a filter of 3 x 3, stride 1, no dilation, one group", "why not");
    has_buffers(network, 1,
                "conv[0,2)800/1 conv.workspace[0,1)4032/64 relu[1,3)800/1 point[2,4)1600/1");

    network = small(DTYPE_F16);
    ok(workspace_add(network, "im2col", workspace_formula, &count, &error), "halves");
    is_int((int64_t)count.refused, 3, "are nothing for kernels of f32");
    is_text(count.first.text, "'conv': its elements are f16, expected f32", "which is said");
    has_buffers(network, 1, "conv[0,2)400/1 relu[1,3)400/1 point[2,4)800/1");
}

/* Traffic of the network's values is the model's, that of a workspace is not.  */
static void modelled_time(void)
{
    struct network *network = small(DTYPE_F32);
    struct schedule *schedule = schedule_file_order(network);
    struct time_figures before = time_model_run(&time_model_default, network, schedule, NULL),
                        after;
    struct workspace_count count;
    struct error error = {""};

    workspace_add(network, "im2col", workspace_formula, &count, &error);
    after = time_model_run(&time_model_default, network, schedule, NULL);
    ok(!(after.serial_s < before.serial_s || after.serial_s > before.serial_s),
       "the modelled time is what it was");
    schedule_free(schedule);
    network_free(network);
}

/* --- corners --- */

static bool ask_in_vain(const char *method, const struct conv_shape *shape, size_t count,
                        int64_t *bytes, struct error *reason, struct error *error)
{
    (void)shape, (void)count, (void)bytes, (void)reason;
    return error_set(error, "nobody knows %s", method);
}

static void failing(void)
{
    struct network *network = small(DTYPE_F32);
    size_t values = network->n_values;
    struct workspace_count count;
    struct error error = {""};

    ok(!workspace_add(network, "fft", ask_in_vain, &count, &error), "a method that nobody knows");
    is_text(error.text, "nobody knows fft", "is an error");
    is_int((int64_t)network->n_values, (int64_t)values, "and adds nothing");
    network_free(network);
}

/* A convolution as small's first, which reads X; it has the name of its workspace.  */
static size_t add_conv(struct network *network, const char *name, size_t x)
{
    size_t op = network_add_op(network, name, OP_CONV, "conv", &x, 1);
    struct error error = {""};

    if (!layer_parse("n=2,c=3,h=5,w=5,k=3,r=3,s=3,stride=1,pad=1", &network->op[op].conv, &error))
        abort();
    return network_add_output(network, op, name, DTYPE_F32, 4, (const int64_t[]){2, 3, 5, 5});
}

static size_t add_input(struct network *network)
{
    return network_add_value(network, "x", VALUE_INPUT, DTYPE_F32, 4,
                             (const int64_t[]){2, 3, 5, 5});
}

static void equal_names(void)
{
    struct network *network = network_new("names");
    struct workspace_count count;
    struct error error = {""};
    size_t x = add_conv(network, "c", add_input(network));

    network_mark_output(network, add_conv(network, "c.workspace", x));
    workspace_add(network, "im2col", workspace_formula, &count, &error);
    ok(network_check(network, &error), "values of a workspace's name are told apart%s", error.text);
    network_free(network);
}

/* The buffers of NETWORK, which has a loop and is taken over.  */
static void has_loop_buffers(struct network *network, const char *want)
{
    const struct lifetime_options lifetimes = {.io = IO_BOTH};
    const struct loop_options options = {.treatment = LOOPS_COPY};
    struct error error = {""};
    struct instance *instance =
        loops_instance(network, schedule_file_order(network), &lifetimes, &options, &error);
    char *got;

    if (!ok(instance != NULL, "an instance%s", error.text))
        return;
    got = describe(instance);
    is_text(got, want, "the buffers of the loop");
    free(got);
    instance_free(instance);
}

/* y = conv(x), five times; x <= y.  */
static void bodies(void)
{
    struct network *network = network_new("loop"), *body = network_new("body");
    struct control *control = control_new(true, 5, 1);
    size_t x = add_input(network), in = add_input(body), y = add_conv(body, "conv", in), op;
    struct workspace_count count;
    struct error error = {""};

    body_set_network(&control->body[0], body);
    body_add_input(&control->body[0],
                   (struct body_input){.kind = ENTRY_CARRIED, .value = in, .slot = 0, .next = y});
    body_add_output(&control->body[0], (struct body_output){.value = y, .slot = 0});
    op = network_add_op(network, "loop", OP_LOOP, "loop", &x, 1);
    y = network_add_output(network, op, "y", DTYPE_F32, 4, (const int64_t[]){2, 3, 5, 5});
    network_set_control(network, op, control);
    network_mark_output(network, y);

    ok(workspace_add(network, "im2col", workspace_formula, &count, &error), "in a body too");
    is_int((int64_t)count.convolutions, 1, "there is one");
    ok(network_check(network, &error), "still a network%s", error.text);
    body = network->op[op].control->body[0].network;
    ok(body->value[body->n_values - 1].workspace &&
           value_bytes(&body->value[body->n_values - 1]) == 2700,
       "which has its workspace");
    /* A step to enter, the convolution, one to copy y to x, one to leave.  */
    has_loop_buffers(network,
                     "x[0,1)600/1 loop/x[0,3)600/1 y[1,4)600/1 loop/conv.workspace[1,2)2700/1");
}

int main(void)
{
    formulas();
    unknown();
    by_hand();
    left_out();
    modelled_time();
    failing();
    equal_names();
    bodies();
    return tap_done();
}
