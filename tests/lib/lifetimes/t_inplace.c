/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What shares memory in place: each rule on little graphs worked out by hand.  */
#include <config.h>

#include "lib/lifetimes/inplace.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/graph/reuse.h"
#include "lib/graph/schedule.h"
#include "lib/judge/verify.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/origin.h"
#include "lib/lifetimes/overwrite.h"
#include "lib/problem/instance.h"
#include "lib/problem/intervals.h"
#include "lib/problem/plan.h"
#include "tests/support/network_text.h"
#include "tests/support/tap.h"

/* The instance as text: for each buffer its id and pieces "[begin,end)lo-hi".  */
static char *describe(const struct instance *instance)
{
    char *text = memory_strdup("");

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        text = memory_append(text, "%s%s", b == 0 ? "" : " ", buffer->id);
        for (size_t p = 0; p < buffer->pieces; p++) {
            const struct piece *piece = &instance->piece[buffer->first_piece + p];

            text = memory_append(text, "%s[%" PRId64 ",%" PRId64 ")%" PRId64 "-%" PRId64,
                                 p == 0 ? "" : "+", piece->begin, piece->end, piece->lo, piece->hi);
        }
    }
    return text;
}

/* With every buffer above the one before it, nothing but the sharing itself
 * can go wrong.  */
static void replays(const struct instance *instance, const char *what)
{
    struct plan *plan = plan_new(instance);
    struct error error = {""};
    int64_t top = 0;

    for (size_t b = 0; b < instance->n; b++) {
        plan->offset[b] = top;
        top += instance->buffer[b].size;
    }
    plan->peak = top;
    ok(verify_plan(instance, plan, &error) && verify_replay(instance, plan, NULL, &error),
       "%s: it runs%s", what, error.text);
    plan_free(plan);
}

static void is_shared_under(struct network *network, struct schedule *schedule,
                            const struct lifetime_options *options, const char *want,
                            const char *what)
{
    struct instance *instance = lifetimes_of(network, schedule, options);
    char *got = describe(instance);

    is_text(got, want, "%s", what);
    replays(instance, what);
    free(got);
    instance_free(instance);
}

static const struct lifetime_options off = {.inplace = INPLACE_OFF},
                                     megengine = {.inplace = INPLACE_MEGENGINE},
                                     nnc = {.inplace = INPLACE_NNC},
                                     both = {.inplace = INPLACE_MEGENGINE, .io = IO_BOTH},
                                     outputs = {.inplace = INPLACE_MEGENGINE, .io = IO_OUTPUTS},
                                     alias = {.inplace = INPLACE_MEGENGINE, .alias = true},
                                     nnc_alias = {.inplace = INPLACE_NNC, .alias = true},
                                     place = {.place = true},
                                     placed = {.inplace = INPLACE_MEGENGINE, .place = true};

/* Operators run in the order in which they stand, one a step.  */
static const char chain[] = "x:8; a:8 = f(x); r:8 = relu(a); s:8 = relu(r); y!:8 = f(s)";
static const char residual[] = "x:8; a:8 = f(x); b:8 = f(a); c:8 = mixed(b, a); y!:8 = f(c)";
static const char swapped[] = "x:8; a:8 = f(x); b:8 = f(a); c:8 = mixed(a, b); y!:8 = f(c)";
static const char read_later[] = "x:8; a:8 = f(x); b:8 = relu(a); c:4 = f(a); y!:8 = f(b, c)";
static const char read_before[] = "x:8; a:8 = f(x); b:4 = f(a); c:8 = relu(a); y!:8 = f(b, c)";
static const char normalised[] = "x:8; a:8 = f(x); n:8 = batch_norm(a); s:8 = softmax(n);"
                                 " r:8 = relu(s); y!:8 = f(r)";
static const char sum[] = "x:8; a:8 = f(x); b:8 = f(x); c:8 = add(a, b); y!:8 = f(c, a)";
static const char product[] = "x:8; a:8 = f(x); b:8 = f(x); c:8 = mul(a, b); y!:8 = f(c, a)";
static const char turned_sum[] = "x:8; a:8 = f(x); b:8 = f(a); c:8 = add(b, a); y!:8 = f(c)";
static const char difference[] = "x:8; a:8 = f(x); b:8 = f(a); c:8 = sub(b, a); y!:8 = f(c)";
static const char broadcast[] = "x:8; a:4 = f(x); b:8 = f(x); c:8 = mul(a, b); y!:8 = f(c)";
static const char broadcast_sum[] = "x:8; a:4 = f(x); b:8 = f(x); c:8 = add(a, b); y!:8 = f(c)";
static const char doubled[] = "x:8; a:8 = f(x); r:8 = mixed(a, a); y!:8 = f(r)";
static const char ends[] = "x:8; r:8 = relu(x); y!:8 = relu(r)";
static const char read_output[] = "x:8; r!:8 = relu(x); y!:8 = relu(r)";
static const char halves[] = "x:8; a:12 = f(x); low:4 high:8 = split(a); r:4 = relu(low);"
                             " s:8 = relu(high); y!:8 = f(r, s)";
static const char reshaped[] = "x:8; a:8 = f(x); flat:2x4 = alias(a); r:2x4 = relu(flat);"
                               " y!:8 = f(r)";
static const char join[] = "x:8; a:4 = f(x); b:8 = f(x); c:12 = concat(a, b); r:12 = relu(c);"
                           " y!:8 = f(r)";
static const char join_read[] = "x:8; a:4 = f(x); b:8 = f(x); c:12 = concat(a, b);"
                                " r:12 = relu(c); y!:8 = f(r, a)";
static const char dense[] = "x:8; a:4 = f(x); b:2 = f(a); ab:6 = concat(a, b); c:3 = f(ab);"
                            " abc:9 = concat(ab, c); y!:8 = f(abc)";
static const char twice[] = "x:8; a:4 = f(x); r:4 = relu(a); b:2 = f(x); ab:6 = concat(r, b);"
                            " bb:8 = concat(b, b, r); y!:8 = f(ab, bb)";
static const char turned[] = "x:8; p:4 q:8 = f(x); c:12 = concat(q, p); y!:8 = f(c)";

static const struct {
    const char *network;
    const struct lifetime_options *options;
    const char *want, *what;
} cases[] = {
    {chain, &off, "a[0,2)0-8 r[1,3)0-8 s[2,4)0-8", "off: three buffers"},
    {chain, &megengine, "a[0,2)0-8+[1,3)0-8+[2,4)0-8", "megengine: a chain is one"},
    {chain, &nnc, "a[0,2)0-8+[1,3)0-8+[2,4)0-8", "nnc: a chain is one"},

    {residual, &megengine, "a[0,3)0-8 b[1,3)0-8+[2,4)0-8",
     "megengine: a sum overwrites its first input"},
    {swapped, &megengine, "a[0,3)0-8+[2,4)0-8 b[1,3)0-8",
     "megengine: the first in the order of the inputs"},
    {swapped, &nnc, "a[0,3)0-8+[2,4)0-8 b[1,3)0-8",
     "nnc: the other reader of the shortcut comes before the sum in every order"},
    {read_later, &megengine, "a[0,3)0-8 b[1,4)0-8 c[2,4)0-4",
     "megengine: what is read later is not overwritten"},
    {read_later, &nnc, "a[0,3)0-8 b[1,4)0-8 c[2,4)0-4", "nnc: the same"},
    {read_before, &megengine, "a[0,3)0-8+[2,4)0-8 b[1,4)0-4",
     "megengine: the last reader in this order may"},
    {read_before, &nnc, "a[0,3)0-8 b[1,4)0-4 c[2,4)0-8",
     "nnc: it is not the last one in every order"},

    {normalised, &megengine, "a[0,2)0-8 n[1,3)0-8 s[2,4)0-8+[3,5)0-8",
     "megengine: neither a normalised map nor softmax is in place"},
    {normalised, &nnc, "a[0,2)0-8 n[1,3)0-8+[2,4)0-8+[3,5)0-8",
     "nnc: softmax is, a normalised map is not"},
    {sum, &nnc, "a[0,4)0-8 b[1,3)0-8+[2,4)0-8", "nnc: a sum of equal shapes may take any input"},
    {product, &nnc, "a[0,4)0-8 b[1,3)0-8 c[2,4)0-8", "nnc: a product only that of its slot"},
    {product, &megengine, "a[0,4)0-8 b[1,3)0-8+[2,4)0-8", "megengine: a product too may take any"},
    {turned_sum, &megengine, "a[0,3)0-8+[2,4)0-8 b[1,3)0-8",
     "megengine: the inputs of a sum are sorted, the first that was made is taken"},
    {difference, &megengine, "a[0,3)0-8 b[1,3)0-8+[2,4)0-8",
     "megengine: those of a difference are not"},

    {broadcast, &megengine, "a[0,3)0-4 b[1,3)0-8+[2,4)0-8",
     "megengine: any input of the output's shape"},
    {broadcast, &nnc, "a[0,3)0-4 b[1,3)0-8 c[2,4)0-8", "nnc: only the input in the output's slot"},
    {broadcast_sum, &nnc, "a[0,3)0-4 b[1,3)0-8 c[2,4)0-8",
     "nnc: a sum that broadcasts is like a product"},
    {doubled, &megengine, "a[0,2)0-8+[1,3)0-8", "megengine: a value added to itself"},
    {doubled, &nnc, "a[0,2)0-8+[1,3)0-8", "nnc: a value added to itself"},

    /* Network inputs and outputs belong to the caller unless they count.  */
    {ends, &megengine, "r[0,2)0-8", "what the arena does not hold is left alone"},
    {ends, &both, "x[0,1)0-8+[0,2)0-8+[1,2)0-8", "what it holds is not"},
    {read_output, &outputs, "r[0,2)0-8 y[1,2)0-8", "outputs are never overwritten"},

    {halves, &off, "a[0,2)0-12 low[1,3)0-4 high[1,4)0-8 r[2,5)0-4 s[3,5)0-8",
     "off: a split copies"},
    {halves, &megengine, "a[0,4)0-12+[3,5)4-12 r[2,5)0-4",
     "megengine: the last reader overwrites the part that it reads"},
    {halves, &nnc, "a[0,4)0-12 r[2,5)0-4 s[3,5)0-8",
     "nnc: no reader of the tensor is the last in every order"},

    {reshaped, &megengine, "a[0,2)0-8 flat[1,3)0-8+[2,4)0-8",
     "alias=off: a reshape copies, its output can be overwritten"},
    {reshaped, &alias, "a[0,3)0-8+[2,4)0-8", "alias=on: it is the same chunk"},
    {reshaped, &nnc_alias, "a[0,3)0-8+[2,4)0-8",
     "nnc: the dimensions of the view count, not of what it is a view of"},

    {join, &place, "c[0,3)0-4+[1,3)4-12+[2,4)0-12 r[3,5)0-12",
     "parts lie in their whole from their birth on"},
    {dense, &place, "abc[0,3)0-4+[1,3)4-6+[2,5)0-6+[3,5)6-9+[4,6)0-9", "wholes within wholes"},
    {twice, &place, "a[0,2)0-4 bb[1,5)4-8+[2,5)0-2+[4,6)0-8 ab[3,6)0-6",
     "a part of several lies in the last, once"},
    {turned, &place, "c[0,2)0-8+[0,2)8-12+[1,3)0-12",
     "pieces that are born together, from the bottom up"},
    {join, &placed, "c[0,3)0-4+[1,3)4-12+[2,4)0-12+[3,5)0-12", "a whole may be overwritten"},
    {join_read, &placed, "a[0,5)0-4 c[1,3)4-12+[2,4)0-12+[3,5)0-12",
     "not with a part in it that is read later"},
    {twice, &placed, "bb[0,2)4-8+[1,5)4-8+[2,5)0-2+[4,6)0-8 ab[3,6)0-6", "a chain moves as one"},
};

/* C of read_later, which stands behind B, runs before it.  */
static void other_order(const struct lifetime_options *options, const char *want, const char *what)
{
    struct network *network = network_of_text("later", read_later);
    struct schedule *schedule = schedule_file_order(network);

    schedule->step[1] = 2;
    schedule->step[2] = 1;
    is_shared_under(network, schedule, options, want, what);
}

/* The pieces stand by buffer; planners that take intervals one at a time get them by begin,
 * then end, and with equal ones as they stand.  */
static void numbers(void)
{
    struct instance *instance = lifetimes_of(network_of_text("sum", turned_sum), NULL, &megengine);
    size_t *number = intervals_number(instance);

    ok(instance->pieces == 3 && number[0] == 0 && number[1] == 2 && number[2] == 1,
       "a[0,3)+[2,4) b[1,3): the second piece of a comes last");
    free(number);
    instance_free(instance);
}

/* The example of the MegEngine article: chunk 2, 10 MiB, is written over chunk 1,
 * 20 MiB, at 6 MiB; 6 MiB before it and 4 MiB behind it are free then.
 * step 0: a = f(x); 1: a is cut at 6 and 16; 2: r = relu(the middle); 3: y = f(r).  */
static void article(const struct lifetime_options *options, const char *what)
{
    struct network *network = network_of_text(
        "article", "x:8; a:20 = f(x); slice:10 = slice(a); r:10 = relu(slice); y!:8 = f(r)");

    ok(reuse_slice(network, 1, 0, 0, &(const int64_t){6}), "the middle is a slice");
    is_shared_under(network, NULL, options, "a[0,3)0-20+[2,4)6-16", what);
}

/* Two overwriters wish for one chunk: the larger gets it.  step 0: a = f(x), 12
 * bytes; 1: cut into 4 and 8; 2: one step runs r = relu(low) and s = relu(high).  */
static void larger_overwriter(void)
{
    struct overwrite_interval interval[] = {
        {0, 3, 12, SIZE_MAX, 0, SIZE_MAX}, {2, 4, 4, SIZE_MAX, 0, SIZE_MAX},
        {2, 5, 8, SIZE_MAX, 0, SIZE_MAX},  {2, 5, 8, SIZE_MAX, 0, SIZE_MAX},
        {1, 5, 2, SIZE_MAX, 0, SIZE_MAX},  {0, 3, 9, SIZE_MAX, 0, SIZE_MAX}};
    const struct overwrite_wish wish[] = {{4, 0, 0}, {1, 0, 0}, {2, 0, 4},
                                          {3, 0, 4}, {2, 5, 0}, {1, 5, 1}};

    overwrite_choose(interval, wish, 6);
    ok(interval[4].dest == SIZE_MAX, "one that does not begin at the last step is refused");
    ok(interval[0].src == 2 && interval[2].dest == 0 && interval[2].offset == 4,
       "the larger one replaces the smaller");
    ok(interval[3].dest == SIZE_MAX, "an equally large one does not");
    ok(interval[5].src == 1 && interval[1].dest == 5 && interval[1].offset == 1,
       "an overwriter has one wish granted; one that was replaced may have another");
}

/* Operators of one step run at once: nobody overwrites what another one reads.
 * step 0: a; 1: b = relu(a) and c = f(a); 2: y.  */
static void shared_steps(void)
{
    struct network *network = network_of_text("before", read_before);
    struct schedule *schedule = schedule_file_order(network);

    schedule->serial = false;
    schedule->step[2] = 1;
    schedule->step[3] = 2;
    schedule->steps = 3;
    is_shared_under(network, schedule, &megengine, "a[0,2)0-8 b[1,3)0-4 c[1,3)0-8",
                    "a step in which somebody else reads it");
}

/* Sharing that the graph does not allow is seen by the replay.  */
static void replay_judges(void)
{
    struct error error = {""};
    struct instance *instance = lifetimes_of(network_of_text("later", read_later), NULL, &off);
    const size_t values = instance->origin->network->n_values;
    size_t *buffer = memory_alloc(values, sizeof *buffer);
    struct plan *plan = plan_new(instance);

    for (size_t v = 0; v < values; v++)
        buffer[v] = instance->origin->buffer[v];
    buffer[2] = buffer[1]; /* b over a, which c reads later */
    instance_set_places(instance, buffer, memory_zalloc(values, sizeof(int64_t)));
    plan->offset[1] = 8;
    plan->offset[2] = 16;
    ok(!verify_replay(instance, plan, NULL, &error), "overwritten too early: %s", error.text);
    plan_free(plan);
    instance_free(instance);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        is_shared_under(network_of_text("case", cases[i].network), NULL, cases[i].options,
                        cases[i].want, cases[i].what);
    other_order(&megengine, "a[0,3)0-8+[2,4)0-8 c[1,4)0-4",
                "megengine: what counts is the order in which operators run");
    other_order(&nnc, "a[0,3)0-8 b[2,4)0-8 c[1,4)0-4", "nnc: what counts is the graph");
    article(&megengine, "megengine: a view keeps all of it, an overwriter only its part");
    article(&nnc, "nnc: what counts are the dimensions of the view");
    numbers();
    larger_overwriter();
    shared_steps();
    replay_judges();
    return tap_done();
}
