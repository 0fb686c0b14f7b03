/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counting rules, each on a little graph worked out by hand.  */
#include <config.h>

#include "lib/lifetimes/lifetimes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "tests/support/network_text.h"
#include "tests/support/tap.h"

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
    struct instance *instance = lifetimes_of(network, schedule, &options);
    char *got = describe(instance);

    is_text(got, want, "%s", what);
    is_int((int64_t)instance->n_empty, 0, "%s: no empty buffers", what);
    for (size_t b = 0; b < instance->n; b++)
        is_text(network->value[instance->origin->value[b]].name, instance->buffer[b].id,
                "%s: the origin of %s", what, instance->buffer[b].id);
    free(got);
    instance_free(instance);
}

/* Operators run in the order in which they stand, one a step.  */
static const char diamond[] = "x:7; w*:5; a:1 = conv(x, w); b:2 = f(a); c:3 = f(a);"
                              " d:4 = mixed(b, c); y!:6 = f(d)";
static const char early[] = "x:1; a!:2 = f(x); b:3 = f(a, x); c:4 = f(b); d!:5 = f(b)";
static const char aliases[] = "x:8; r1:8 = alias(x); a:4 = f(r1); r2:4 = alias(a); b:2 = f(r2);"
                              " c:3 = mixed(b, r2); r3!:3 = alias(c)";
/* An input that is an output counts as either, and lives to the end.  */
static const char through[] = "x!:1; a:3 = f(x); y!:2 = f(a)";

static const struct {
    const char *network;
    struct lifetime_options options;
    const char *want, *what;
} cases[] = {
    {diamond, {.io = IO_NONE}, "a[0,3)1 b[1,4)2 c[2,4)3 d[3,5)4", "diamond, io=none"},
    {diamond, {.io = IO_INPUTS}, "x[0,1)7 a[0,3)1 b[1,4)2 c[2,4)3 d[3,5)4", "diamond, io=inputs"},
    {diamond, {.io = IO_OUTPUTS}, "a[0,3)1 b[1,4)2 c[2,4)3 d[3,5)4 y[4,5)6", "diamond, io=outputs"},
    {diamond,
     {.io = IO_BOTH},
     "x[0,1)7 a[0,3)1 b[1,4)2 c[2,4)3 d[3,5)4 y[4,5)6",
     "diamond, io=both"},
    {diamond, {.weights = true}, "w[0,5)5 a[0,3)1 b[1,4)2 c[2,4)3 d[3,5)4", "diamond, weights=on"},

    {early,
     {.io = IO_NONE},
     "b[1,4)3 c[2,3)4",
     "an output that is read does not count; what nobody reads lives for its step"},
    {early,
     {.io = IO_BOTH},
     "x[0,2)1 a[0,4)2 b[1,4)3 c[2,3)4 d[3,4)5",
     "an output lives to the end"},

    {"x:1; a:2 mask?:3 = f(x); b:4 = f(a); y!:5 = f(b)",
     {.io = IO_NONE},
     "a[0,2)2 b[1,3)4",
     "an unread mask is dropped"},
    {"x:1; a:2 mask?:3 = f(x); b:4 = f(a, mask); y!:5 = f(b)",
     {.io = IO_NONE},
     "a[0,2)2 mask[0,2)3 b[1,3)4",
     "a read mask counts"},
    {"x:1; a:2 mask:3 = f(x); b:4 = f(a); y!:5 = f(b)",
     {.io = IO_NONE},
     "a[0,2)2 mask[0,1)3 b[1,3)4",
     "another unread value lives for its own step"},
    {"x:1; a:0 = f(x); y!:5 = f(a)", {.io = IO_NONE}, "", "values of size 0 take no part"},

    {aliases,
     {.alias = false},
     "r1[0,2)8 a[1,3)4 r2[2,5)4 b[3,5)2 c[4,6)3",
     "aliases with steps and buffers"},
    {aliases,
     {.alias = true},
     "a[1,5)4 b[3,5)2",
     "groups at an input and at an output are no intermediates; steps stay"},
    {aliases,
     {.alias = true, .io = IO_INPUTS},
     "x[0,2)8 a[1,5)4 b[3,5)2",
     "a group that starts at an input is an input"},
    {aliases,
     {.alias = true, .io = IO_OUTPUTS},
     "a[1,5)4 b[3,5)2 c[4,6)3",
     "a group that holds an output is an output"},
    {aliases,
     {.io = IO_BOTH},
     "x[0,1)8 r1[0,2)8 a[1,3)4 r2[2,5)4 b[3,5)2 c[4,6)3 r3[5,6)3",
     "alias=off, io=both"},
    /* An alias with two outputs (ncnn's split), one of which nobody reads, and a chain.  */
    {"x:1; a:4 = f(x); s0:4 s1:4 = alias(a); r:4 = alias(s0); b:2 = f(r); b2:2 = f(b);"
     " y!:5 = f(b2)",
     {.alias = true},
     "a[0,4)4 b[3,5)2 b2[4,6)2",
     "a group is the hull of its members"},
    {"x:1; w*:9; r:9 = alias(w); a:2 = f(x, r); y!:5 = f(a)",
     {.alias = true, .weights = true},
     "w[0,3)9 a[1,3)2",
     "a group that starts at a weight is the weight"},

    {through, {.io = IO_NONE}, "a[0,2)3", "an input that is an output, io=none"},
    {through, {.io = IO_INPUTS}, "x[0,2)1 a[0,2)3", "an input that is an output, io=inputs"},
    {through,
     {.io = IO_OUTPUTS},
     "x[0,2)1 a[0,2)3 y[1,2)2",
     "an input that is an output, io=outputs"},
    {through, {.io = IO_BOTH}, "x[0,2)1 a[0,2)3 y[1,2)2", "an input that is an output, io=both"},
};

/* Independent operators may share a step; the order of the buffers stays.  */
static void shared_steps(void)
{
    struct network *network = network_of_text("diamond", diamond);
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
    struct network *network =
        network_of_text("ids", "x:1; a_b:1 = f(x); a_c:1 = f(a_b); w*:1; y!:1 = f(a_c, w)");
    struct instance *instance;

    memcpy(network->value[1].name, "a b", 3);
    memcpy(network->value[2].name, "a,b", 3);
    instance = lifetimes_of(network, NULL, &(struct lifetime_options){.weights = true});
    is_int((int64_t)instance->n, 3, "a weight and two intermediates");
    is_text(instance->buffer[0].id, "w", "what is there from the start comes first");
    is_text(instance->buffer[1].id, "a_b", "a clean id");
    is_text(instance->buffer[2].id, "a_b_2", "a unique id");
    instance_free(instance);
}

static void refused(struct network *network, struct schedule *schedule, const char *want,
                    const char *what)
{
    const struct lifetime_options none = {.io = IO_NONE};
    struct error error = {""};

    ok(lifetimes_instance(network, schedule, &none, &error) == NULL &&
           strstr(error.text, want) != NULL,
       "%s: %s", what, error.text);
}

static void refusals(void)
{
    struct network *network = network_of_text("diamond", diamond);
    struct schedule *schedule = schedule_file_order(network);

    schedule->step[3] = 0;
    refused(network, schedule, "reads what 'b'", "an impossible schedule is refused");
    network = network_of_text("huge", "x:1; v0:9223372036854775804 = f(x);"
                                      " v1:9223372036854775804 = f(v0); y!:1 = f(v1)");
    refused(network, schedule_file_order(network), "overflows",
            "sizes whose sum overflows are refused");
}

/* 0 -> m (two f32) -> b (COUNT i8) -> w (two f64) -> y: the alignments of m, b and w.  */
static void elements(int64_t count, bool asked, int64_t alignment, const int64_t want[3])
{
    static const enum dtype type[] = {DTYPE_F32, DTYPE_I8, DTYPE_F64};
    const struct lifetime_options options = {.alignment = alignment, .elements = asked};
    struct network *network =
        network_of_text("elements", "x:8; m:2 = f(x); b:1 = f(m); w:2 = f(b); y!:2 = f(w)");
    struct instance *instance;

    network->value[2].dim[0] = count;
    for (size_t i = 0; i < 3; i++)
        network->value[1 + i].dtype = type[i];
    instance = lifetimes_of(network, NULL, &options);
    if (!ok(instance->n == 3, "three buffers"))
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
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        is_instance_under(network_of_text("case", cases[i].network), NULL, cases[i].options,
                          cases[i].want, cases[i].what);
    element_alignments();
    shared_steps();
    ids();
    refusals();
    return tap_done();
}
