/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counting rules, each on a little graph worked out by hand.  */
#include <config.h>

#include "lib/lifetimes/lifetimes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "tests/support/tap.h"

/* Values of one dimension: SIZE bytes.  */
static size_t stored(struct network *network, const char *name, enum value_role role, int64_t size)
{
    return network_add_value(network, name, role, DTYPE_I8, 1, &size);
}

/* An operator that reads COUNT values and makes one, both called NAME.  */
static size_t op(struct network *network, const char *name, enum op_kind kind, int64_t size,
                 size_t count, const size_t *input)
{
    size_t index = network_add_op(network, name, kind, "test", input, count);

    return network_add_output(network, index, name, DTYPE_I8, 1, &size);
}
#define OP(network, name, kind, size, ...)                                          \
    op(network, name, kind, size, sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t), \
       (const size_t[]){__VA_ARGS__})

/* The instance as text, "id[begin,end)size ...", in the order of the buffers.  */
static char *describe(const struct instance *instance)
{
    char *text = memory_strdup("");

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        text = memory_append(text, "%s%s[%" PRId64 ",%" PRId64 ")%" PRId64, b == 0 ? "" : " ",
                             buffer->id, buffer->begin, buffer->end, buffer->size);
    }
    return text;
}

static void is_instance_under(struct network *network, struct schedule *schedule,
                              struct lifetime_options options, const char *want, const char *what)
{
    struct error error = {{0}};
    struct instance *instance = lifetimes_instance(network, schedule, &options, &error);
    char *got;

    if (!ok(instance != NULL, "%s: an instance%s", what, error.text))
        return;
    got = describe(instance);
    is_text(got, want, "%s", what);
    is_int((int64_t)instance->n_empty, 0, "%s: no empty buffers", what);
    for (size_t b = 0; b < instance->n; b++)
        is_text(network->value[instance->origin->value[b]].name, instance->buffer[b].id,
                "%s: the origin of %s", what, instance->buffer[b].id);
    free(got);
    instance_free(instance);
}

static void is_instance(struct network *network, struct lifetime_options options, const char *want,
                        const char *what)
{
    is_instance_under(network, schedule_file_order(network), options, want, what);
}

/* step 0: a = f(x, w); 1: b = f(a); 2: c = f(a); 3: d = b + c; 4: y = f(d).  */
static struct network *diamond(void)
{
    struct network *network = network_new("diamond");
    size_t x = stored(network, "x", VALUE_INPUT, 7), w = stored(network, "w", VALUE_WEIGHT, 5), a,
           b, c, d;

    a = OP(network, "a", OP_CONV, 1, x, w);
    b = OP(network, "b", OP_OTHER, 2, a);
    c = OP(network, "c", OP_OTHER, 3, a);
    d = OP(network, "d", OP_ELEMENTWISE, 4, b, c);
    network_mark_output(network, OP(network, "y", OP_OTHER, 6, d));
    return network;
}

static void options(void)
{
    const char *inner = "a[0,3)1 b[1,4)2 c[2,4)3 d[3,5)4";
    char want[200];

    is_instance(diamond(), (struct lifetime_options){.io = IO_NONE}, inner, "diamond, io=none");
    snprintf(want, sizeof want, "x[0,1)7 %s", inner);
    is_instance(diamond(), (struct lifetime_options){.io = IO_INPUTS}, want, "diamond, io=inputs");
    snprintf(want, sizeof want, "%s y[4,5)6", inner);
    is_instance(diamond(), (struct lifetime_options){.io = IO_OUTPUTS}, want,
                "diamond, io=outputs");
    snprintf(want, sizeof want, "x[0,1)7 %s y[4,5)6", inner);
    is_instance(diamond(), (struct lifetime_options){.io = IO_BOTH}, want, "diamond, io=both");
    snprintf(want, sizeof want, "w[0,5)5 %s", inner);
    is_instance(diamond(), (struct lifetime_options){.weights = true}, want, "diamond, weights=on");
}

/* A network output that something reads is still no intermediate, and lives to
 * the end of the schedule.  */
static struct network *early_output(void)
{
    struct network *network = network_new("early");
    size_t x = stored(network, "x", VALUE_INPUT, 1), a, b;

    a = OP(network, "a", OP_OTHER, 2, x);
    b = OP(network, "b", OP_OTHER, 3, a, x);
    OP(network, "c", OP_OTHER, 4, b);
    network_mark_output(network, a);
    network_mark_output(network, OP(network, "d", OP_OTHER, 5, b));
    return network;
}

static void outputs(void)
{
    is_instance(early_output(), (struct lifetime_options){.io = IO_NONE}, "b[1,4)3 c[2,3)4",
                "an output that is read does not count; what nobody reads lives for its step");
    is_instance(early_output(), (struct lifetime_options){.io = IO_BOTH},
                "x[0,2)1 a[0,4)2 b[1,4)3 c[2,3)4 d[3,4)5", "an output lives to the end");
}

/* The operator makes a value and a mask.  */
static struct network *with_mask(bool optional, bool read)
{
    struct network *network = network_new("mask");
    size_t x = stored(network, "x", VALUE_INPUT, 1), a, mask, b;
    size_t drop = network_add_op(network, "drop", OP_OTHER, "test", &x, 1);

    a = network_add_output(network, drop, "a", DTYPE_I8, 1, (const int64_t[]){2});
    mask = network_add_output(network, drop, "mask", DTYPE_I8, 1, (const int64_t[]){3});
    network->value[mask].optional = optional;
    b = read ? OP(network, "b", OP_OTHER, 4, a, mask) : OP(network, "b", OP_OTHER, 4, a);
    network_mark_output(network, OP(network, "y", OP_OTHER, 5, b));
    return network;
}

static void unread(void)
{
    const struct lifetime_options none = {.io = IO_NONE};
    struct network *network = network_new("empty");
    size_t x = stored(network, "x", VALUE_INPUT, 1), a;

    is_instance(with_mask(true, false), none, "a[0,2)2 b[1,3)4", "an unread mask is dropped");
    is_instance(with_mask(true, true), none, "a[0,2)2 mask[0,2)3 b[1,3)4", "a read mask counts");
    is_instance(with_mask(false, false), none, "a[0,2)2 mask[0,1)3 b[1,3)4",
                "another unread value lives for its own step");
    a = OP(network, "a", OP_OTHER, 0, x);
    network_mark_output(network, OP(network, "y", OP_OTHER, 5, a));
    is_instance(network, none, "", "values of size 0 take no part");
}

/* x -> r1 (alias) -> a -> r2 (alias) -> b, c -> r3 (alias, output).  */
static struct network *aliases(void)
{
    struct network *network = network_new("aliases");
    size_t x = stored(network, "x", VALUE_INPUT, 8), r1, a, r2, b, c;

    r1 = OP(network, "r1", OP_ALIAS, 8, x);
    a = OP(network, "a", OP_OTHER, 4, r1);
    r2 = OP(network, "r2", OP_ALIAS, 4, a);
    b = OP(network, "b", OP_OTHER, 2, r2);
    c = OP(network, "c", OP_ELEMENTWISE, 3, b, r2);
    network_mark_output(network, OP(network, "r3", OP_ALIAS, 3, c));
    return network;
}

static void alias_rules(void)
{
    is_instance(aliases(), (struct lifetime_options){.alias = false},
                "r1[0,2)8 a[1,3)4 r2[2,5)4 b[3,5)2 c[4,6)3", "aliases with steps and buffers");
    is_instance(aliases(), (struct lifetime_options){.alias = true}, "a[1,5)4 b[3,5)2",
                "groups at an input and at an output are no intermediates; steps stay");
    is_instance(aliases(), (struct lifetime_options){.alias = true, .io = IO_INPUTS},
                "x[0,2)8 a[1,5)4 b[3,5)2", "a group that starts at an input is an input");
    is_instance(aliases(), (struct lifetime_options){.alias = true, .io = IO_OUTPUTS},
                "a[1,5)4 b[3,5)2 c[4,6)3", "a group that holds an output is an output");
    is_instance(aliases(), (struct lifetime_options){.io = IO_BOTH},
                "x[0,1)8 r1[0,2)8 a[1,3)4 r2[2,5)4 b[3,5)2 c[4,6)3 r3[5,6)3", "alias=off, io=both");
}

/* An alias with two outputs (ncnn's split), one of which nobody reads, and a
 * chain of aliases.  */
static void alias_chains(void)
{
    struct network *network = network_new("split");
    size_t x = stored(network, "x", VALUE_INPUT, 1), a, s[2], split, r, b;

    a = OP(network, "a", OP_OTHER, 4, x);
    split = network_add_op(network, "split", OP_ALIAS, "split", &a, 1);
    s[0] = network_add_output(network, split, "s0", DTYPE_I8, 1, (const int64_t[]){4});
    s[1] = network_add_output(network, split, "s1", DTYPE_I8, 1, (const int64_t[]){4});
    r = OP(network, "r", OP_ALIAS, 4, s[0]);
    b = OP(network, "b", OP_OTHER, 2, r);
    b = OP(network, "b2", OP_OTHER, 2, b);
    network_mark_output(network, OP(network, "y", OP_OTHER, 5, b));
    (void)s[1];
    is_instance(network, (struct lifetime_options){.alias = true}, "a[0,4)4 b[3,5)2 b2[4,6)2",
                "a group is the hull of its members");
    /* An alias of a weight is the weight's memory.  */
    network = network_new("weight");
    x = stored(network, "x", VALUE_INPUT, 1);
    r = OP(network, "r", OP_ALIAS, 9, stored(network, "w", VALUE_WEIGHT, 9));
    a = OP(network, "a", OP_OTHER, 2, x, r);
    network_mark_output(network, OP(network, "y", OP_OTHER, 5, a));
    is_instance(network, (struct lifetime_options){.alias = true, .weights = true},
                "w[0,3)9 a[1,3)2", "a group that starts at a weight is the weight");
}

static void input_as_output(void)
{
    for (enum io_count io = IO_NONE; io <= IO_BOTH; io++) {
        struct network *network = network_new("through");
        size_t x = stored(network, "x", VALUE_INPUT, 1);

        network_mark_output(network, x);
        network_mark_output(network,
                            OP(network, "y", OP_OTHER, 2, OP(network, "a", OP_OTHER, 3, x)));
        is_instance(network, (struct lifetime_options){.io = io},
                    io == IO_NONE     ? "a[0,2)3"
                    : io == IO_INPUTS ? "x[0,2)1 a[0,2)3"
                                      : "x[0,2)1 a[0,2)3 y[1,2)2",
                    "an input that is an output counts as either, and lives to the end");
    }
}

/* Independent operators may share a step; the order of the buffers stays.  */
static void shared_steps(void)
{
    struct network *network = diamond();
    struct schedule *schedule = schedule_file_order(network);
    const int64_t step[] = {0, 1, 1, 2, 3};

    memcpy(schedule->step, step, sizeof step);
    schedule->steps = 4;
    schedule->serial = false;
    is_instance_under(network, schedule, (struct lifetime_options){.io = IO_NONE},
                      "a[0,2)1 b[1,3)2 c[1,3)3 d[2,4)4", "operators that share a step");
}

/* Ids are clean and unique; weights stand before what operators make.  */
static void ids(void)
{
    struct network *network = network_new("ids");
    size_t x = stored(network, "x", VALUE_INPUT, 1), a, b;
    struct instance *instance;
    struct error error = {""};

    a = OP(network, "a b", OP_OTHER, 1, x);
    b = OP(network, "a,b", OP_OTHER, 1, a);
    network_mark_output(network,
                        OP(network, "y", OP_OTHER, 1, b, stored(network, "w", VALUE_WEIGHT, 1)));
    instance = lifetimes_instance(network, schedule_file_order(network),
                                  &(struct lifetime_options){.weights = true}, &error);
    is_int((int64_t)instance->n, 3, "a weight and two intermediates");
    is_text(instance->buffer[0].id, "w", "what is there from the start comes first");
    is_text(instance->buffer[1].id, "a_b", "a clean id");
    is_text(instance->buffer[2].id, "a_b_2", "a unique id");
    instance_free(instance);
}

static void refusals(void)
{
    struct network *network = diamond();
    struct schedule *schedule = schedule_file_order(network);
    struct error error = {""};
    const struct lifetime_options none = {.io = IO_NONE};
    int64_t huge = INT64_MAX - 3;
    size_t x;

    schedule->step[3] = 0;
    ok(lifetimes_instance(network, schedule, &none, &error) == NULL &&
           strstr(error.text, "reads what 'b'") != NULL,
       "an impossible schedule is refused: %s", error.text);
    network = network_new("huge");
    x = stored(network, "x", VALUE_INPUT, 1);
    for (int i = 0; i < 2; i++) {
        char name[16];

        snprintf(name, sizeof name, "v%d", i);
        x = OP(network, name, OP_OTHER, huge, x);
    }
    network_mark_output(network, OP(network, "y", OP_OTHER, 1, x));
    ok(lifetimes_instance(network, schedule_file_order(network), &none, &error) == NULL &&
           strstr(error.text, "overflows") != NULL,
       "sizes whose sum overflows are refused: %s", error.text);
}

/* 0 -> m (two f32) -> b (COUNT i8) -> w (two f64) -> y: the alignments of m, b and w.  */
static void elements(int64_t count, bool asked, int64_t alignment, const int64_t want[3])
{
    const int64_t two[] = {2};
    static const enum dtype type[] = {DTYPE_F32, DTYPE_I8, DTYPE_F64, DTYPE_I8};
    const int64_t *length[] = {two, &count, two, two};
    struct network *network = network_new("elements");
    struct lifetime_options options = {.alignment = alignment, .elements = asked};
    size_t last = stored(network, "x", VALUE_INPUT, 8);
    struct instance *instance;
    struct error error = {""};

    for (size_t i = 0; i < 4; i++) {
        const char name[] = {"mbwy"[i], '\0'};
        size_t index = network_add_op(network, name, OP_OTHER, "test", &last, 1);

        last = network_add_output(network, index, name, type[i], 1, length[i]);
    }
    network_mark_output(network, last);
    instance = lifetimes_instance(network, schedule_file_order(network), &options, &error);
    if (!ok(instance != NULL && instance->n == 3, "elements %s", error.text))
        return;
    for (size_t b = 0; b < 3; b++)
        is_int(instance->buffer[b].alignment, want[b],
               "%s of %" PRId64 " bytes between, at %" PRId64, instance->buffer[b].id, count,
               alignment);
    instance_free(instance);
}

static void element_alignments(void)
{
    elements(3, true, 1, (const int64_t[]){4, 1, 8});
    elements(4, true, 1, (const int64_t[]){4, 1, 8});
    elements(3, true, 6, (const int64_t[]){12, 6, 24});
    elements(3, false, 1, (const int64_t[]){1, 1, 1});
    elements(3, false, 6, (const int64_t[]){6, 6, 6});
    elements(8, true, 1, (const int64_t[]){1, 1, 1}); /* sizes see to it */
}

int main(void)
{
    element_alignments();
    options();
    outputs();
    unread();
    alias_rules();
    alias_chains();
    input_as_output();
    shared_steps();
    ids();
    refusals();
    return tap_done();
}
