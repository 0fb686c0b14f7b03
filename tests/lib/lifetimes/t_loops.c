/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops worked out by hand: what is copied, how often bodies are unrolled, which
 * lifetimes and regions come out; and the unroll factor against brute force.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/rng.h"
#include "lib/judge/verify.h"
#include "lib/lifetimes/loop_layout.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/loop_case.h"
#include "tests/support/tap.h"

static struct instance *treated(struct network *network, enum loop_treatment treatment)
{
    struct loop_options options = {.treatment = treatment};

    return case_instance(network, &options);
}

/* Every plan has to pass; a few are tried.  */
static void plans_pass(const struct instance *instance, const char *what)
{
    struct rng *rng = rng_new(1);
    struct error error = {""};
    bool good = true;

    for (int i = 0; i < 5 && good; i++) {
        struct plan *plan = case_plan(instance, rng);

        good = verify_plan(instance, plan, &error) && verify_replay(instance, plan, NULL, &error);
        plan_free(plan);
    }
    ok(good, "%s: plans verify and replay%s", what, error.text);
    rng_free(rng);
}

static void copies_are(const struct instance *instance, int64_t entry, int64_t turn, int64_t exit,
                       const char *what)
{
    struct loop_copies copies = loop_layout_copies(instance->loops);

    is_int(copies.entry, entry, "%s: bytes copied on entry", what);
    is_int(copies.turn, turn, "%s: bytes copied at the ends of iterations", what);
    is_int(copies.exit, exit, "%s: bytes copied on exit", what);
}

/* Lifetimes as text: "id[begin,end) ..." with one interval a piece, in the order of
 * the buffers.  */
static char *lifetimes(const struct instance *instance)
{
    static char text[2000];
    size_t used = 0;

    text[0] = '\0';
    for (size_t b = 0; b < instance->n; b++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", b == 0 ? "" : " ",
                                 instance->buffer[b].id);
        for (size_t i = 0; i < instance->buffer[b].pieces; i++) {
            const struct piece *piece = &instance->piece[instance->buffer[b].first_piece + i];

            used += (size_t)snprintf(text + used, sizeof text - used, "[%d,%d)", (int)piece->begin,
                                     (int)piece->end);
        }
    }
    return text;
}

/* The regions of VALUE of the loop's body: the names of their tensors' buffers,
 * "first | repeat".  */
static char *regions(const struct instance *instance, size_t value)
{
    static char text[500];
    const struct loop_view *view = &instance->loops->frame[1].view[value];
    size_t used = 0;

    for (size_t i = 0; i < view->first + view->repeat; i++) {
        const struct loop_region *region = &view->region[i];
        const char *name = "-";
        int64_t offset;

        if (region->kind == REGION_TENSOR)
            name = instance->buffer[loop_buffer_of(instance->loops, region->base, &offset)].id;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                 i == view->first ? "| " : "", name);
        used += (size_t)snprintf(text + used, sizeof text - used, " ");
    }
    text[used - 1] = '\0';
    return text;
}

/* --- the document's example: (while ...) { y = f(x) } (x <= y) --- */

static struct network *document(int64_t trips)
{
    struct network *body = network_new("body");
    size_t x = case_input(body, "x", 8);
    size_t y = CASE_OP(body, "y", 8, x);

    return case_loop(body, 1, &y, trips);
}

static void document_example(void)
{
    struct instance *instance = treated(document(5), LOOPS_COPY);

    /* init0; the loop is entered; y; the copy; it is left; end.  What is left, last0,
     * stays where y is.  */
    copies_are(instance, 8, 4 * 8, 0, "x <= y, copied");
    is_text(lifetimes(instance), "init0[0,2) loop/x[1,4) last0[2,6)", "lifetimes when copied");
    plans_pass(instance, "copied");
    instance_free(instance);

    instance = treated(document(5), LOOPS_COALLOC);
    copies_are(instance, 8, 4 * 8, 0, "x is read when y is made, so they cannot share memory");
    instance_free(instance);

    instance = treated(document(5), LOOPS_UNROLL);
    is_int(loop_layout_unroll(instance->loops), 2, "unrolled twice, as in the document");
    copies_are(instance, 0, 0, 0, "unrolled");
    /* init0 is where the second copy's y is: both are x in the first copy.  */
    is_text(lifetimes(instance), "init0[0,4) last0[2,6)", "lifetimes when unrolled");
    is_text(regions(instance, 0), "| init0 last0", "x is in one and the other by turns");
    is_int(instance->load, 16, "two values of 8 bytes at a time");
    plans_pass(instance, "unrolled");
    instance_free(instance);

    instance = treated(document(1), LOOPS_UNROLL);
    is_int(loop_layout_unroll(instance->loops), 1, "one iteration needs no unrolling");
    plans_pass(instance, "one iteration");
    instance_free(instance);
}

/* What a loop needs is one buffer while it runs: x, which is copied, and y. What is
 * left is copied out of it.  */
static void as_a_block(void)
{
    struct loop_options options = {.treatment = LOOPS_COPY, .subgraphs = SUBGRAPHS_BLOCK};
    struct instance *instance = case_instance(document(5), &options);

    is_text(lifetimes(instance), "init0[0,2) loop/block[1,5) last0[4,6)",
            "one buffer for what the loop needs");
    is_int(instance->buffer[1].size, 16, "x, and y when it is made");
    plans_pass(instance, "a block");
    instance_free(instance);
}

/* --- x is not needed any more when y is made --- */

static struct network *two_steps(size_t between)
{
    struct network *body = network_new("body");
    size_t x = case_input(body, "x", 8), y;

    y = CASE_OP(body, "a", 4, x);
    for (size_t i = 0; i < between; i++) {
        const char name[] = {'b', (char)('0' + i), '\0'};

        y = CASE_OP(body, name, 4, y);
    }
    y = CASE_OP(body, "y", 8, y);
    return case_loop(body, 1, &y, 5);
}

static void coallocated(void)
{
    struct instance *instance = treated(two_steps(0), LOOPS_COALLOC);

    copies_are(instance, 0, 0, 0, "x is dead when y is made");
    is_text(lifetimes(instance), "init0[0,6) loop/a[2,4)", "one buffer for all that is carried");
    is_text(regions(instance, 0), "| init0", "no view with more than one region");
    plans_pass(instance, "shared");
    instance_free(instance);
    instance = treated(two_steps(1), LOOPS_COALLOC);
    is_text(lifetimes(instance), "init0[0,3)[4,7) loop/a[2,4) loop/b0[3,5)",
            "idle between the last read of x and y");
    plans_pass(instance, "idle in between");
    instance_free(instance);
    instance = treated(two_steps(0), LOOPS_UNROLL);
    is_int(loop_layout_unroll(instance->loops), 1, "nothing to unroll");
    instance_free(instance);
}

/* --- several carried values --- */

/* COUNT carried values and an operator that reads the first one;
 * value i <= value NEXT[i], COUNT standing for what the operator makes.  */
static struct network *passed(size_t count, const size_t *next, int64_t trips)
{
    struct network *body = network_new("body");
    size_t made[8], read[8];

    for (size_t i = 0; i < count; i++) {
        char name[24];

        snprintf(name, sizeof name, "x%zu", i);
        read[i] = case_input(body, name, 8);
    }
    made[0] = case_op(body, "y", 8, read, 1);
    memcpy(made, next, count * sizeof *next);
    return case_loop(body, count, made, trips);
}

static void factor_is(size_t count, const size_t *next, int64_t factor, const char *what)
{
    struct instance *instance = treated(passed(count, next, 100), LOOPS_UNROLL);

    is_int(loop_layout_unroll(instance->loops), factor, "%s: unroll factor", what);
    is_int(loop_layout_copies(instance->loops).turn, 0, "%s: nothing copied", what);
    plans_pass(instance, what);
    instance_free(instance);
}

static void several(void)
{
    struct instance *instance = treated(passed(2, (const size_t[]){1, 0}, 4), LOOPS_COPY);

    /* Three moves an iteration, one of them to the spare place.  */
    copies_are(instance, 16, 3 * 3 * 8, 0, "a swap");
    plans_pass(instance, "a swap, copied");
    instance_free(instance);
    instance = treated(passed(2, (const size_t[]){1, 0}, 4), LOOPS_COALLOC);
    copies_are(instance, 16, 3 * 3 * 8, 0, "a swap shares nothing");
    instance_free(instance);
    factor_is(2, (const size_t[]){1, 0}, 2, "a swap");
    factor_is(3, (const size_t[]){1, 2, 0}, 3, "a rotation of three");
    factor_is(5, (const size_t[]){1, 0, 3, 4, 2}, 6, "a swap beside a rotation of three");
    factor_is(1, (const size_t[]){0}, 1, "a value that stays");
    factor_is(2, (const size_t[]){1, 2}, 3, "Fibonacci: a <= b <= y, y made from a");
    factor_is(4, (const size_t[]){1, 2, 3, 4}, 5, "x[c] = f(x[c - 4])");
    factor_is(2, (const size_t[]){2, 2}, 2, "two values with one next value");
}

/* --- regions of their own for the first iterations --- */

static void first_regions(void)
{
    struct instance *instance = treated(passed(2, (const size_t[]){2, 2}, 10), LOOPS_UNROLL);

    is_text(regions(instance, 0), "| init0 loop/y:0", "the first of two can start where y ends");
    is_text(regions(instance, 1), "init1 | init0 loop/y:0",
            "the second has a region to start with");
    instance_free(instance);
    instance = treated(passed(3, (const size_t[]){1, 2, 0}, 7), LOOPS_UNROLL);
    is_text(regions(instance, 0), "| init0 init1 init2", "a rotation passes initial values on");
    is_text(regions(instance, 2), "| init2 init0 init1", "from the third one's view");
    /* Iteration 6, the last, passes on what started as 1, 2 and 0.  */
    copies_are(instance, 0, 0, 24, "which are copied out");
    instance_free(instance);
}

/* --- a wrong co-allocation --- */

static void wrong_coallocation(void)
{
    struct instance *instance = treated(document(5), LOOPS_UNROLL);
    struct plan *plan = plan_new(instance);
    struct loop_view *view = &instance->loops->frame[1].view[0];
    struct error error = {""};

    plan->peak = plan_peak(instance, plan);
    ok(!verify_plan(instance, plan, &error), "x and y in one place: %s", error.text);
    ok(!verify_replay(instance, plan, NULL, &error), "the replay says: %s", error.text);
    plan->offset[1] = 8;
    plan->peak = plan_peak(instance, plan);
    ok(verify_replay(instance, plan, NULL, &error), "apart they are right%s", "");
    view->repeat = 1; /* as if the body were not unrolled */
    ok(!verify_replay(instance, plan, NULL, &error), "a view with one region: %s", error.text);
    view->repeat = 2;
    instance->loops->frame[1].copies = 1;
    ok(verify_replay(instance, plan, NULL, &error), "the views alone say where values are%s", "");
    plan_free(plan);
    instance_free(instance);
}

/* --- the unroll factor by brute force --- */

struct body_case {
    size_t carried, ops;
    size_t next[6];   /* below CARRIED: a carried value; else what an operator makes */
    bool reads[6][6]; /* an operator, a carried value */
};

static struct body_case random_body(struct rng *rng)
{
    struct body_case body = {
        (size_t)rng_range(rng, 1, 6), (size_t)rng_range(rng, 1, 4), {0}, {{0}}};

    for (size_t i = 0; i < body.carried; i++)
        body.next[i] = (size_t)rng_range(rng, 0, (int64_t)(body.carried + body.ops) - 1);
    for (size_t o = 0; o < body.ops; o++)
        for (size_t i = 0; i < body.carried; i++)
            body.reads[o][i] = rng_range(rng, 0, 2) == 0;
    return body;
}

static struct network *network_of(const struct body_case *body, int64_t trips)
{
    struct network *network = network_new("body");

    for (size_t i = 0; i < body->carried; i++) {
        char name[24];

        snprintf(name, sizeof name, "x%zu", i);
        case_input(network, name, 8);
    }
    for (size_t o = 0; o < body->ops; o++) {
        size_t read[6], reads = 0;
        char name[24];

        for (size_t i = 0; i < body->carried; i++)
            if (body->reads[o][i])
                read[reads++] = i;
        snprintf(name, sizeof name, "y%zu", o);
        case_op(network, name, 8, read, reads);
    }
    return case_loop(network, body->carried, body->next, trips);
}

/* Runs the loop on K places for what each operator makes; a place remembers the
 * iteration in which it was written.  Carried value I of iteration T is where its
 * next value was in iteration T - 1.  */
static bool found(const struct body_case *body, int64_t written[6][64], size_t k, size_t i,
                  int64_t t)
{
    size_t at = i;

    while (at < body->carried && t > 0) {
        at = body->next[at];
        t--;
    }
    return at < body->carried || written[at - body->carried][(size_t)t % k] == t;
}

/* Carried values that only come from one another are back where they were after
 * K iterations.  */
static bool back_again(const struct body_case *body, size_t k, size_t i)
{
    size_t at = i, cycle[64];

    for (size_t s = 0; s < 12; s++) {
        if (body->next[at] >= body->carried)
            return true;
        at = body->next[at];
    }
    cycle[0] = at; /* on the cycle by now */
    for (size_t s = 0; s < k; s++)
        at = body->next[at];
    return at == cycle[0];
}

static bool works(const struct body_case *body, size_t k)
{
    int64_t written[6][64];

    memset(written, -1, sizeof written);
    for (size_t i = 0; i < body->carried; i++)
        if (!back_again(body, k, i))
            return false;
    for (int64_t t = 0; t < 4 * (int64_t)k + 12; t++) {
        for (size_t o = 0; o < body->ops; o++) {
            written[o][(size_t)t % k] = t;
            for (size_t i = 0; i < body->carried; i++)
                if (body->reads[o][i] && !found(body, written, k, i, t))
                    return false;
        }
        /* At the end every value is there to be passed on.  */
        for (size_t i = 0; i < body->carried; i++)
            if (body->next[i] < body->carried && !found(body, written, k, body->next[i], t))
                return false;
    }
    return true;
}

static void brute_force(void)
{
    struct rng *rng = rng_new(7);
    int same = 0, count = tap_tier(200, 2000), most = 0;

    for (int i = 0; i < count; i++) {
        struct body_case body = random_body(rng);
        struct instance *instance = treated(network_of(&body, 1000), LOOPS_UNROLL);
        size_t k = 1;

        while (!works(&body, k))
            k++;
        same += loop_layout_unroll(instance->loops) == (int64_t)k;
        most = (int)k > most ? (int)k : most;
        instance_free(instance);
    }
    is_int(same, count, "the least factor is what brute force finds");
    ok(most >= 6, "up to %d", most);
    rng_free(rng);
}

int main(void)
{
    document_example();
    as_a_block();
    coallocated();
    several();
    first_regions();
    wrong_coallocation();
    brute_force();
    return tap_done();
}
