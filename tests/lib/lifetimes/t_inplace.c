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
#include "tests/support/tap.h"

/* Values of one dimension: SIZE bytes.  */
static size_t input(struct network *network, const char *name, int64_t size)
{
    return network_add_value(network, name, VALUE_INPUT, DTYPE_I8, 1, &size);
}

static size_t op(struct network *network, const char *name, enum op_kind kind, const char *type,
                 int64_t size, size_t count, const size_t *from)
{
    size_t index = network_add_op(network, name, kind, type, from, count), value;

    value = network_add_output(network, index, name, DTYPE_I8, 1, &size);
    reuse_infer(network, index);
    return value;
}
#define TYPED(network, name, kind, type, size, ...)                                       \
    op(network, name, kind, type, size, sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t), \
       (const size_t[]){__VA_ARGS__})
#define OP(network, name, kind, size, ...) TYPED(network, name, kind, "test", size, __VA_ARGS__)

/* Cuts X in two, called LOW and HIGH.  */
static void cut(struct network *network, size_t x, const char *low, int64_t low_size,
                const char *high, int64_t high_size, size_t part[2])
{
    size_t index = network_add_op(network, low, OP_SPLIT, "split", &x, 1);

    part[0] = network_add_output(network, index, low, DTYPE_I8, 1, &low_size);
    part[1] = network_add_output(network, index, high, DTYPE_I8, 1, &high_size);
    reuse_infer(network, index);
}

/* The instance as text: for each buffer its id and pieces "[begin,end)lo-hi".  */
static char *describe(const struct instance *instance)
{
    char *text = memory_strdup("");

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        char *longer = memory_printf("%s%s%s", text, b == 0 ? "" : " ", buffer->id);

        free(text);
        text = longer;
        for (size_t p = 0; p < buffer->pieces; p++) {
            const struct piece *piece = &instance->piece[buffer->first_piece + p];

            longer =
                memory_printf("%s%s[%" PRId64 ",%" PRId64 ")%" PRId64 "-%" PRId64, text,
                              p == 0 ? "" : "+", piece->begin, piece->end, piece->lo, piece->hi);
            free(text);
            text = longer;
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
                            struct lifetime_options options, const char *want, const char *what)
{
    struct error error = {""};
    struct instance *instance = lifetimes_instance(network, schedule, &options, &error);
    char *got;

    if (!ok(instance != NULL, "%s: an instance%s", what, error.text))
        return;
    got = describe(instance);
    is_text(got, want, "%s", what);
    replays(instance, what);
    free(got);
    instance_free(instance);
}

static void is_shared(struct network *network, struct lifetime_options options, const char *want,
                      const char *what)
{
    is_shared_under(network, schedule_file_order(network), options, want, what);
}

static const struct lifetime_options off = {.inplace = INPLACE_OFF},
                                     megengine = {.inplace = INPLACE_MEGENGINE},
                                     nnc = {.inplace = INPLACE_NNC};

/* step 0: a = f(x); 1: r = relu(a); 2: s = relu(r); 3: y = f(s).  */
static struct network *chain(void)
{
    struct network *network = network_new("chain");
    size_t a = OP(network, "a", OP_OTHER, 8, input(network, "x", 8));
    size_t r = OP(network, "r", OP_ACTIVATION, 8, a);
    size_t s = OP(network, "s", OP_ACTIVATION, 8, r);

    network_mark_output(network, OP(network, "y", OP_OTHER, 8, s));
    return network;
}

static void chains(void)
{
    is_shared(chain(), off, "a[0,2)0-8 r[1,3)0-8 s[2,4)0-8", "off: three buffers");
    is_shared(chain(), megengine, "a[0,2)0-8+[1,3)0-8+[2,4)0-8", "megengine: a chain is one");
    is_shared(chain(), nnc, "a[0,2)0-8+[1,3)0-8+[2,4)0-8", "nnc: a chain is one");
}

/* A residual block: 0: a = f(x); 1: b = f(a); 2: c = b + a or a + b; 3: y = f(c).  */
static struct network *residual(bool swapped)
{
    struct network *network = network_new("residual");
    size_t a = OP(network, "a", OP_OTHER, 8, input(network, "x", 8));
    size_t b = OP(network, "b", OP_OTHER, 8, a), c;

    c = swapped ? OP(network, "c", OP_ELEMENTWISE, 8, a, b)
                : OP(network, "c", OP_ELEMENTWISE, 8, b, a);
    network_mark_output(network, OP(network, "y", OP_OTHER, 8, c));
    return network;
}

/* step 0: a = f(x); 1: b = relu(a); 2: c = f(a); 3: y = f(b, c).  */
static struct network *read_later(void)
{
    struct network *network = network_new("later");
    size_t a = OP(network, "a", OP_OTHER, 8, input(network, "x", 8));
    size_t b = OP(network, "b", OP_ACTIVATION, 8, a), c = OP(network, "c", OP_OTHER, 4, a);

    network_mark_output(network, OP(network, "y", OP_OTHER, 8, b, c));
    return network;
}

/* step 0: a = f(x); 1: b = f(a); 2: c = relu(a); 3: y = f(b, c).  */
static struct network *read_before_in_this_order(void)
{
    struct network *network = network_new("order");
    size_t a = OP(network, "a", OP_OTHER, 8, input(network, "x", 8));
    size_t b = OP(network, "b", OP_OTHER, 4, a), c = OP(network, "c", OP_ACTIVATION, 8, a);

    network_mark_output(network, OP(network, "y", OP_OTHER, 8, b, c));
    return network;
}

/* file order: a, b = relu(a), c = f(a), y; C runs before B.  */
static void other_order(void)
{
    struct network *network = read_later();
    struct schedule *schedule = schedule_file_order(network);

    schedule->step[1] = 2;
    schedule->step[2] = 1;
    is_shared_under(network, schedule, megengine, "a[0,3)0-8+[2,4)0-8 c[1,4)0-4",
                    "megengine: what counts is the order in which operators run");
    network = read_later();
    schedule = schedule_file_order(network);
    schedule->step[1] = 2;
    schedule->step[2] = 1;
    is_shared_under(network, schedule, nnc, "a[0,3)0-8 b[2,4)0-8 c[1,4)0-4",
                    "nnc: what counts is the graph");
}

static void last_readers(void)
{
    is_shared(residual(false), megengine, "a[0,3)0-8 b[1,3)0-8+[2,4)0-8",
              "megengine: a sum overwrites its first input");
    is_shared(residual(true), megengine, "a[0,3)0-8+[2,4)0-8 b[1,3)0-8",
              "megengine: the first in the order of the inputs");
    is_shared(residual(true), nnc, "a[0,3)0-8+[2,4)0-8 b[1,3)0-8",
              "nnc: the other reader of the shortcut comes before the sum in every order");
    is_shared(read_later(), megengine, "a[0,3)0-8 b[1,4)0-8 c[2,4)0-4",
              "megengine: what is read later is not overwritten");
    is_shared(read_later(), nnc, "a[0,3)0-8 b[1,4)0-8 c[2,4)0-4", "nnc: the same");
    is_shared(read_before_in_this_order(), megengine, "a[0,3)0-8+[2,4)0-8 b[1,4)0-4",
              "megengine: the last reader in this order may");
    is_shared(read_before_in_this_order(), nnc, "a[0,3)0-8 b[1,4)0-4 c[2,4)0-8",
              "nnc: it is not the last one in every order");
}

/* step 0: a = f(x), 4 bytes; 1: b = f(x), 8 bytes; 2: c = a TYPE b, where A is
 * broadcast; 3: y = f(c).  */
static struct network *broadcast(const char *type)
{
    struct network *network = network_new("broadcast");
    size_t x = input(network, "x", 8), a = OP(network, "a", OP_OTHER, 4, x);
    size_t b = OP(network, "b", OP_OTHER, 8, x);
    size_t c = TYPED(network, "c", OP_ELEMENTWISE, type, 8, a, b);

    network_mark_output(network, OP(network, "y", OP_OTHER, 8, c));
    return network;
}

/* step 0: a = f(x); 1: r = a + a; 2: y = f(r).  */
static struct network *doubled(void)
{
    struct network *network = network_new("doubled");
    size_t a = OP(network, "a", OP_OTHER, 8, input(network, "x", 8));

    network_mark_output(network,
                        OP(network, "y", OP_OTHER, 8, OP(network, "r", OP_ELEMENTWISE, 8, a, a)));
    return network;
}

/* step 0: a = f(x); 1: b = f(x); 2: c = a TYPE b; 3: y = f(c, a).  */
static struct network *joined_by(const char *type)
{
    struct network *network = network_new(type);
    size_t x = input(network, "x", 8), a = OP(network, "a", OP_OTHER, 8, x);
    size_t b = OP(network, "b", OP_OTHER, 8, x);
    size_t c = TYPED(network, "c", OP_ELEMENTWISE, type, 8, a, b);

    network_mark_output(network, OP(network, "y", OP_OTHER, 8, c, a));
    return network;
}

/* step 0: a = f(x); 1: b = f(a); 2: c = b TYPE a; 3: y = f(c).  */
static struct network *turned(const char *type)
{
    struct network *network = network_new(type);
    size_t a = OP(network, "a", OP_OTHER, 8, input(network, "x", 8));
    size_t b = OP(network, "b", OP_OTHER, 8, a);
    size_t c = TYPED(network, "c", OP_ELEMENTWISE, type, 8, b, a);

    network_mark_output(network, OP(network, "y", OP_OTHER, 8, c));
    return network;
}

/* step 0: a = f(x); 1: n = a normalised; 2: s = softmax(n); 3: r = relu(s); 4: y = f(r).  */
static struct network *normalised(void)
{
    struct network *network = network_new("normalised");
    size_t a = OP(network, "a", OP_OTHER, 8, input(network, "x", 8));
    size_t n = OP(network, "n", OP_BATCH_NORM, 8, a), s = OP(network, "s", OP_SOFTMAX, 8, n);

    network_mark_output(network,
                        OP(network, "y", OP_OTHER, 8, OP(network, "r", OP_ACTIVATION, 8, s)));
    return network;
}

static void kinds(void)
{
    is_shared(normalised(), megengine, "a[0,2)0-8 n[1,3)0-8 s[2,4)0-8+[3,5)0-8",
              "megengine: neither a normalised map nor softmax is in place");
    is_shared(normalised(), nnc, "a[0,2)0-8 n[1,3)0-8+[2,4)0-8+[3,5)0-8",
              "nnc: softmax is, a normalised map is not");
    is_shared(joined_by("add"), nnc, "a[0,4)0-8 b[1,3)0-8+[2,4)0-8",
              "nnc: a sum of equal shapes may take any input");
    is_shared(joined_by("mul"), nnc, "a[0,4)0-8 b[1,3)0-8 c[2,4)0-8",
              "nnc: a product only that of its slot");
    is_shared(joined_by("mul"), megengine, "a[0,4)0-8 b[1,3)0-8+[2,4)0-8",
              "megengine: a product too may take any");
    is_shared(turned("add"), megengine, "a[0,3)0-8+[2,4)0-8 b[1,3)0-8",
              "megengine: the inputs of a sum are sorted, the first that was made is taken");
    is_shared(turned("sub"), megengine, "a[0,3)0-8 b[1,3)0-8+[2,4)0-8",
              "megengine: those of a difference are not");
}

/* The pieces stand by buffer; planners that take intervals one at a time get them by begin,
 * then end, and with equal ones as they stand.  */
static void numbers(void)
{
    struct network *network = turned("add");
    struct error error = {""};
    struct instance *instance =
        lifetimes_instance(network, schedule_file_order(network), &megengine, &error);
    size_t *number = intervals_number(instance);

    ok(instance->pieces == 3 && number[0] == 0 && number[1] == 2 && number[2] == 1,
       "a[0,3)+[2,4) b[1,3): the second piece of a comes last");
    free(number);
    instance_free(instance);
}

static void slots(void)
{
    is_shared(broadcast("mul"), megengine, "a[0,3)0-4 b[1,3)0-8+[2,4)0-8",
              "megengine: any input of the output's shape");
    is_shared(broadcast("mul"), nnc, "a[0,3)0-4 b[1,3)0-8 c[2,4)0-8",
              "nnc: only the input in the output's slot");
    is_shared(broadcast("add"), nnc, "a[0,3)0-4 b[1,3)0-8 c[2,4)0-8",
              "nnc: a sum that broadcasts is like a product");
    is_shared(doubled(), megengine, "a[0,2)0-8+[1,3)0-8", "megengine: a value added to itself");
    is_shared(doubled(), nnc, "a[0,2)0-8+[1,3)0-8", "nnc: a value added to itself");
}

/* Network inputs and outputs belong to the caller unless they count.  */
static void ends(void)
{
    struct network *network = network_new("ends");
    struct lifetime_options both = {.inplace = INPLACE_MEGENGINE, .io = IO_BOTH};
    size_t r;

    r = OP(network, "r", OP_ACTIVATION, 8, input(network, "x", 8));
    network_mark_output(network, OP(network, "y", OP_ACTIVATION, 8, r));
    is_shared(network, megengine, "r[0,2)0-8", "what the arena does not hold is left alone");
    network = network_new("ends");
    r = OP(network, "r", OP_ACTIVATION, 8, input(network, "x", 8));
    network_mark_output(network, OP(network, "y", OP_ACTIVATION, 8, r));
    is_shared(network, both, "x[0,1)0-8+[0,2)0-8+[1,2)0-8", "what it holds is not");
    network = network_new("ends");
    r = OP(network, "r", OP_ACTIVATION, 8, input(network, "x", 8));
    network_mark_output(network, r);
    network_mark_output(network, OP(network, "y", OP_ACTIVATION, 8, r));
    both.io = IO_OUTPUTS;
    is_shared(network, both, "r[0,2)0-8 y[1,2)0-8", "outputs are never overwritten");
}

/* The example of the MegEngine article: chunk 2, 10 MiB, is written over chunk 1,
 * 20 MiB, at 6 MiB; 6 MiB before it and 4 MiB behind it are free then.
 * step 0: a = f(x); 1: a is cut at 6 and 16; 2: r = relu(the middle); 3: y = f(r).  */
static struct network *article(void)
{
    struct network *network = network_new("article");
    size_t a = OP(network, "a", OP_OTHER, 20, input(network, "x", 8)), middle, index, r;
    int64_t ten = 10, six = 6;

    index = network_add_op(network, "slice", OP_OTHER, "slice", &a, 1);
    middle = network_add_output(network, index, "slice", DTYPE_I8, 1, &ten);
    ok(reuse_slice(network, index, 0, 0, &six), "the middle is a slice");
    r = OP(network, "r", OP_ACTIVATION, 10, middle);
    network_mark_output(network, OP(network, "y", OP_OTHER, 8, r));
    return network;
}

static void part_of_a_chunk(void)
{
    is_shared(article(), megengine, "a[0,3)0-20+[2,4)6-16",
              "megengine: a view keeps all of it, an overwriter only its part");
    is_shared(article(), nnc, "a[0,3)0-20+[2,4)6-16",
              "nnc: what counts are the dimensions of the view");
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

/* step 0: a = f(x); 1: cut; 2: r = relu(low); 3: s = relu(high); 4: y = f(r, s).  */
static struct network *halves(void)
{
    struct network *network = network_new("halves");
    size_t a = OP(network, "a", OP_OTHER, 12, input(network, "x", 8)), part[2], r, s;

    cut(network, a, "low", 4, "high", 8, part);
    r = OP(network, "r", OP_ACTIVATION, 4, part[0]);
    s = OP(network, "s", OP_ACTIVATION, 8, part[1]);
    network_mark_output(network, OP(network, "y", OP_OTHER, 8, r, s));
    return network;
}

static void views(void)
{
    is_shared(halves(), off, "a[0,2)0-12 low[1,3)0-4 high[1,4)0-8 r[2,5)0-4 s[3,5)0-8",
              "off: a split copies");
    is_shared(halves(), megengine, "a[0,4)0-12+[3,5)4-12 r[2,5)0-4",
              "megengine: the last reader overwrites the part that it reads");
    is_shared(halves(), nnc, "a[0,4)0-12 r[2,5)0-4 s[3,5)0-8",
              "nnc: no reader of the tensor is the last in every order");
}

/* step 0: a; 1: flat = reshape(a); 2: r = relu(flat); 3: y.  */
static struct network *reshaped(void)
{
    struct network *network = network_new("reshaped");
    size_t a = OP(network, "a", OP_OTHER, 8, input(network, "x", 8)), flat, index;

    index = network_add_op(network, "flat", OP_ALIAS, "reshape", &a, 1);
    flat = network_add_output(network, index, "flat", DTYPE_I8, 2, (const int64_t[]){2, 4});
    reuse_infer(network, index);
    index = network_add_op(network, "r", OP_ACTIVATION, "relu", &flat, 1);
    flat = network_add_output(network, index, "r", DTYPE_I8, 2, (const int64_t[]){2, 4});
    reuse_infer(network, index);
    network_mark_output(network, OP(network, "y", OP_OTHER, 8, flat));
    return network;
}

static void aliases(void)
{
    struct lifetime_options options = megengine;

    is_shared(reshaped(), options, "a[0,2)0-8 flat[1,3)0-8+[2,4)0-8",
              "alias=off: a reshape copies, its output can be overwritten");
    options.alias = true;
    is_shared(reshaped(), options, "a[0,3)0-8+[2,4)0-8", "alias=on: it is the same chunk");
    options.inplace = INPLACE_NNC;
    is_shared(reshaped(), options, "a[0,3)0-8+[2,4)0-8",
              "nnc: the dimensions of the view count, not of what it is a view of");
}

/* Operators of one step run at once: nobody overwrites what another one reads.
 * step 0: a; 1: b = relu(a) and c = f(a); 2: y.  */
static void shared_steps(void)
{
    struct network *network = read_before_in_this_order();
    struct schedule *schedule = schedule_file_order(network);

    schedule->serial = false;
    schedule->step[2] = 1;
    schedule->step[3] = 2;
    schedule->steps = 3;
    is_shared_under(network, schedule, megengine, "a[0,2)0-8 b[1,3)0-4 c[1,3)0-8",
                    "a step in which somebody else reads it");
}

/* step 0: a; 1: b; 2: c = concat(a, b); 3: r = relu(c); 4: y = f(r), or f(r, a).  */
static struct network *join(bool read_later_too)
{
    struct network *network = network_new("join");
    size_t x = input(network, "x", 8), a = OP(network, "a", OP_OTHER, 4, x);
    size_t b = OP(network, "b", OP_OTHER, 8, x), c = OP(network, "c", OP_CONCAT, 12, a, b);
    size_t r = OP(network, "r", OP_ACTIVATION, 12, c);

    network_mark_output(network, read_later_too ? OP(network, "y", OP_OTHER, 8, r, a)
                                                : OP(network, "y", OP_OTHER, 8, r));
    return network;
}

/* A dense block: 0: a; 1: b = f(a); 2: ab = concat(a, b); 3: c = f(ab);
 * 4: abc = concat(ab, c); 5: y.  */
static struct network *nested(void)
{
    struct network *network = network_new("nested");
    size_t a = OP(network, "a", OP_OTHER, 4, input(network, "x", 8));
    size_t b = OP(network, "b", OP_OTHER, 2, a), ab = OP(network, "ab", OP_CONCAT, 6, a, b);
    size_t c = OP(network, "c", OP_OTHER, 3, ab), abc = OP(network, "abc", OP_CONCAT, 9, ab, c);

    network_mark_output(network, OP(network, "y", OP_OTHER, 8, abc));
    return network;
}

/* 0: a; 1: r = relu(a); 2: b; 3: ab = concat(r, b); 4: bb = concat(b, b, r); 5: y.  */
static struct network *twice(void)
{
    struct network *network = network_new("twice");
    size_t x = input(network, "x", 8), a = OP(network, "a", OP_OTHER, 4, x);
    size_t r = OP(network, "r", OP_ACTIVATION, 4, a), b = OP(network, "b", OP_OTHER, 2, x);
    size_t ab = OP(network, "ab", OP_CONCAT, 6, r, b),
           bb = OP(network, "bb", OP_CONCAT, 8, b, b, r);

    network_mark_output(network, OP(network, "y", OP_OTHER, 8, ab, bb));
    return network;
}

/* 0: p and q; 1: c = concat(q, p); 2: y.  */
static struct network *turned_around(void)
{
    struct network *network = network_new("turned_around");
    size_t x = input(network, "x", 8), made[2];
    size_t both = network_add_op(network, "both", OP_OTHER, "op", &x, 1);

    made[1] = network_add_output(network, both, "p", DTYPE_I8, 1, &(const int64_t){4});
    made[0] = network_add_output(network, both, "q", DTYPE_I8, 1, &(const int64_t){8});
    network_mark_output(
        network, OP(network, "y", OP_OTHER, 8, OP(network, "c", OP_CONCAT, 12, made[0], made[1])));
    return network;
}

static void concatenations(void)
{
    struct lifetime_options place = {.place = true};

    is_shared(join(false), place, "c[0,3)0-4+[1,3)4-12+[2,4)0-12 r[3,5)0-12",
              "parts lie in their whole from their birth on");
    is_shared(nested(), place, "abc[0,3)0-4+[1,3)4-6+[2,5)0-6+[3,5)6-9+[4,6)0-9",
              "wholes within wholes");
    is_shared(twice(), place, "a[0,2)0-4 bb[1,5)4-8+[2,5)0-2+[4,6)0-8 ab[3,6)0-6",
              "a part of several lies in the last, once");
    is_shared(turned_around(), place, "c[0,2)0-8+[0,2)8-12+[1,3)0-12",
              "pieces that are born together, from the bottom up");
    place.inplace = INPLACE_MEGENGINE;
    is_shared(join(false), place, "c[0,3)0-4+[1,3)4-12+[2,4)0-12+[3,5)0-12",
              "a whole may be overwritten");
    is_shared(join(true), place, "a[0,5)0-4 c[1,3)4-12+[2,4)0-12+[3,5)0-12",
              "not with a part in it that is read later");
    is_shared(twice(), place, "bb[0,2)4-8+[1,5)4-8+[2,5)0-2+[4,6)0-8 ab[3,6)0-6",
              "a chain moves as one");
}

/* Sharing that the graph does not allow is seen by the replay.  */
static void replay_judges(void)
{
    struct error error = {""};
    struct network *network = read_later();
    struct instance *instance =
        lifetimes_instance(network, schedule_file_order(network), &off, &error);
    size_t *buffer = memory_alloc(network->n_values, sizeof *buffer);
    int64_t *place = memory_zalloc(network->n_values, sizeof *place);
    struct plan *plan = plan_new(instance);

    for (size_t v = 0; v < network->n_values; v++)
        buffer[v] = instance->origin->buffer[v];
    buffer[2] = buffer[1]; /* b over a, which c reads later */
    instance_set_places(instance, buffer, place);
    plan->offset[0] = 0;
    plan->offset[1] = 8;
    plan->offset[2] = 16;
    ok(!verify_replay(instance, plan, NULL, &error), "overwritten too early: %s", error.text);
    plan_free(plan);
    instance_free(instance);
}

int main(void)
{
    chains();
    last_readers();
    other_order();
    numbers();
    slots();
    kinds();
    ends();
    part_of_a_chunk();
    larger_overwriter();
    views();
    aliases();
    shared_steps();
    concatenations();
    replay_judges();
    return tap_done();
}
