/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the bounds that follow from W apply, and the reason when they don't; products and sizes
 * at the end of 64 bits.  */
#include <config.h>

#include "lib/judge/bounds.h"

#include <string.h>

#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/network_text.h"
#include "tests/support/tap.h"

static void says_why(struct instance *instance, bool applies, const char *word, const char *what)
{
    struct bounds bounds;
    struct error error = {""};

    if (instance == NULL || !bounds_compute(instance, &bounds, &error)) {
        ok(false, "%s: computed", what);
        return;
    }
    ok(bounds.applicable == applies && strstr(bounds.reason, word) != NULL, "%s: %s", what,
       bounds.applicable ? "applies" : bounds.reason);
    instance_free(instance);
}

#define FIRST_TWO "in:1; a:4 = f(in); b:5 = f(a); "

static const char three_in_a_row[] = FIRST_TWO "c!:6 = f(b)";

static const struct {
    const char *network;
    struct lifetime_options options;
    bool applies;
    const char *word, *what;
} cases[] = {
    {"in:1; a:4 = f(in); b!:5 = f(a); c:6 = f(b)",
     {0},
     true,
     "",
     "the last value is read by nobody"},
    {three_in_a_row, {0}, true, "", "a network output"},
    {three_in_a_row, {.io = IO_OUTPUTS}, false, "network output", "io=outputs"},
    {three_in_a_row, {.io = IO_INPUTS}, false, "network input", "io=inputs"},
    {"in:1; a:4 = f(in); b:5 second!:3 = f(a); c!:6 = f(b)", {0}, true, "", "two outputs"},
    {FIRST_TWO "c!:6 = f(b); d!:1 = f(in)", {0}, false, "isolated", "an isolated operator"},
    {FIRST_TWO "c!:6 = f(b); d:1 = f(a); e:1 = f(a)", {0}, true, "", "an unread value"},
    {"in:1; a:4 = f(in); b:4 = alias(a); c!:6 = f(b)",
     {.alias = true},
     false,
     "shares a buffer",
     "alias=on"},
    {"in:1; a:4 = f(in); b:5 = f(in); c:9 = concat(a, b); d!:3 = f(c)",
     {.place = true},
     false,
     "not rectangles",
     "concat=place"},
    {"in*:1; a:4 = f(in); b:5 = f(a); c!:6 = f(b)",
     {.weights = true},
     false,
     "stored",
     "weights=on"},
    {"in:1; a:2305843009213693952 = f(in); b!:1 = f(a); c!:1 = f(a)",
     {0},
     false,
     "64 bits",
     "2 W 2^61 bytes"},
};

static struct instance *lives(const char *network, const struct lifetime_options *options)
{
    return lifetimes_of(network_of_text("case", network), NULL, options);
}

/* Edges that lead to the step of their operator, or before it: none may.  */
static void shared_steps(void)
{
    static const int64_t steps[][3] = {{0, 0, 1}, {0, 1, 1}, {1, 0, 2}, {0, 1, 2}};

    for (size_t i = 0; i < 4; i++) {
        struct instance *instance = lives(three_in_a_row, &(struct lifetime_options){0});

        memcpy(instance->origin->schedule->step, steps[i], sizeof steps[i]);
        says_why(instance, i == 3, i == 3 ? "" : "shares a step", "steps of three in a row");
    }
}

static void conditions(void)
{
    struct instance *fixed = lives(three_in_a_row, &(struct lifetime_options){0});
    struct error error = {""};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        says_why(lives(cases[i].network, &cases[i].options), cases[i].applies, cases[i].word,
                 cases[i].what);
    shared_steps();
    instance_fix(fixed, 0, 0);
    instance_seal(fixed, NULL, &error);
    says_why(fixed, false, "offsets are fixed", "a fixed buffer");
    says_why(instance_of_rows("a 0 1 1"), false, "no graph", "no network");
}

static void products(void)
{
    struct instance *instance = instance_new("products");
    struct bounds bounds;
    struct error error = {""};

    rows_add(instance, "a 0 2 10 8; b 1 3 4 12");
    ok(instance_seal(instance, NULL, &error) && bounds_compute(instance, &bounds, &error),
       "two buffers");
    is_int(bounds.width_bound, 2 * 24, "max_size is padded to a multiple of all alignments");
    is_int(bounds.max_size, 10, "but reported as it is");
    is_int(bounds.w2_bound, -1, "no W without a graph");
    instance_free(instance);
    instance = instance_new("large");
    instance_add(instance, "a", 0, 2, (int64_t)1 << 61, 1);
    instance_add(instance, "b", 1, 3, (int64_t)1 << 61, 1);
    instance_add(instance, "c", 1, 3, (int64_t)1 << 61, 1);
    rows_add(instance, "d 1 3 1");
    ok(instance_seal(instance, NULL, &error) && bounds_compute(instance, &bounds, &error),
       "large buffers");
    is_int(bounds.width_bound, -1, "a product that does not fit is none");
    instance_free(instance);
    instance = instance_new("multiples");
    instance_add(instance, "a", 0, 1, 1, INT64_C(1) << 61);
    instance_add(instance, "b", 1, 2, 1, 3 * INT64_C(1) << 59);
    ok(instance_seal(instance, NULL, &error) && bounds_compute(instance, &bounds, &error),
       "large alignments");
    is_int(bounds.width_bound, 3 * INT64_C(1) << 61, "of which the common multiple fits");
    instance_free(instance);
    instance = instance_new("no multiple");
    instance_add(instance, "a", 0, 1, 1, INT64_C(1) << 60);
    instance_add(instance, "b", 1, 2, 1, (INT64_C(1) << 60) + 1);
    ok(instance_seal(instance, NULL, &error) && bounds_compute(instance, &bounds, &error),
       "larger ones");
    is_int(bounds.width_bound, -1, "of which it does not");
    instance_free(instance);
}

/* Two buffers that are alive at the same steps, though never both in use: their
 * pieces have width 1, path-cover stacks their rectangles.  */
static void idle_buffers(void)
{
    struct instance *instance = instance_new("idle");
    struct bounds bounds;

    rows_add(instance, "a 0 1 0-8 + 3 4 0-8; b 1 3 8");
    instance_seal(instance, NULL, NULL);
    bounds_compute(instance, &bounds, NULL);
    is_int(bounds.width, 1, "one is in use at a time");
    is_int(bounds.width_bound, 2 * 8, "the bound for planners of rectangles counts both");
    instance_free(instance);
}

int main(void)
{
    conditions();
    idle_buffers();
    products();
    return tap_done();
}
