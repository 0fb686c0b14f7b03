/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every kernel on every instruction set of the machine against the reference:
 * all shapes of a table, and random ones.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "tests/support/conv_case.h"
#include "tests/support/tap.h"

#define SQUARE(stride, pad, dilation) stride, stride, pad, pad, pad, pad, dilation, dilation

static const struct conv_shape shapes[] = {
    /* n, c, h, w, k, r, s, stride, padding, dilation, groups */
    {1, 16, 7, 7, 32, 3, 3, SQUARE(1, 1, 1), 1},
    {1, 16, 14, 14, 32, 3, 3, SQUARE(1, 1, 1), 1},
    {2, 19, 9, 29, 37, 3, 3, SQUARE(1, 1, 1), 1},
    {1, 17, 9, 13, 255, 1, 1, SQUARE(1, 0, 1), 1},
    {2, 33, 17, 21, 20, 1, 1, SQUARE(1, 0, 1), 1},
    {1, 8, 5, 5, 8, 1, 1, SQUARE(2, 0, 1), 1},
    {1, 5, 6, 7, 9, 1, 1, SQUARE(1, 2, 1), 1},
    {1, 3, 31, 33, 20, 7, 7, SQUARE(2, 3, 1), 1},
    {2, 3, 13, 15, 16, 3, 3, SQUARE(1, 1, 1), 1},
    {1, 3, 27, 29, 12, 11, 11, SQUARE(4, 2, 1), 1},
    {1, 1, 9, 9, 6, 5, 5, SQUARE(1, 2, 1), 1},
    {1, 20, 16, 15, 24, 3, 3, SQUARE(2, 1, 1), 1},
    {1, 20, 16, 15, 24, 3, 3, SQUARE(3, 1, 1), 1},
    {1, 12, 12, 13, 16, 5, 3, SQUARE(1, 1, 2), 1},
    {1, 12, 17, 17, 20, 1, 7, 1, 1, 0, 0, 3, 3, 1, 1, 1},
    {1, 12, 17, 17, 20, 7, 1, 1, 1, 3, 3, 0, 0, 1, 1, 1},
    {1, 10, 11, 12, 18, 3, 3, 2, 1, 0, 1, 2, 0, 1, 2, 1},
    {1, 6, 2, 2, 10, 3, 3, SQUARE(1, 3, 1), 1},
    {1, 6, 1, 1, 10, 3, 3, SQUARE(1, 4, 3), 1},
    {1, 4, 3, 40, 8, 3, 3, 1, 1, 1, 1, 20, 20, 1, 7, 1},
    {1, 32, 9, 9, 32, 3, 3, SQUARE(1, 1, 1), 2},
    {1, 12, 9, 9, 24, 3, 3, SQUARE(1, 1, 1), 3},
    {1, 20, 8, 8, 10, 3, 3, SQUARE(2, 1, 1), 5},
    {2, 16, 7, 9, 16, 3, 3, SQUARE(1, 1, 1), 16},
    {1, 13, 12, 11, 13, 3, 3, SQUARE(2, 1, 1), 13},
    {1, 16, 14, 14, 16, 3, 3, SQUARE(1, 1, 1), 16},
    {1, 9, 15, 15, 18, 3, 3, SQUARE(1, 1, 1), 9},
    {1, 5, 10, 10, 15, 5, 5, SQUARE(1, 2, 1), 5},
    {1, 32, 23, 25, 32, 3, 3, SQUARE(2, 1, 1), 32},
    {1, 8, 9, 9, 32, 3, 3, SQUARE(1, 1, 2), 8},
};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Libraries need not support every shape.  */
static bool check(const struct conv_case *test, const struct conv_kernel *kernel, const char *text,
                  enum isa isa, int threads)
{
    struct error message = {""};
    enum conv_verdict verdict = conv_case_run(test, kernel, text, isa, threads, &message);
    char *name;

    if (verdict == CONV_RIGHT || (verdict == CONV_UNSUPPORTED && kernel->library))
        return true;
    name = conv_case_name(&test->shape);
    tap_diag("%s:%s, %s, %s%s: %s", kernel->name, text, isa_name(isa), name,
             verdict == CONV_WRONG ? " is wrong" : " is not supported", message.text);
    free(name);
    return false;
}

/* A library takes the instruction set it is first asked for: the best.  */
static bool wanted(const struct conv_kernel *kernel, enum isa isa)
{
    struct error error = {""};
    enum isa best;

    isa_parse("best", &best, &error);
    return isa_available(isa) && (kernel->isas & 1U << isa) != 0 &&
           (!kernel->library || isa == best);
}

/* The kernels' own choice of parameters.  */
static void test_table(void)
{
    for (size_t i = 0; i < SHAPES; i++) {
        struct conv_case *test = conv_case_new(&shapes[i], i % 3 == 1, (uint32_t)i + 1);
        char *name = conv_case_name(&shapes[i]);
        bool good = true;

        for (size_t k = 0; conv_kernel_registry[k].kernel != NULL; k++)
            for (enum isa isa = 0; isa < ISA_COUNT; isa++)
                if (wanted(conv_kernel_registry[k].kernel, isa))
                    good = check(test, conv_kernel_registry[k].kernel, "", isa, 1) && good;
        ok(good, "right on every instruction set: %s", name);
        free(name);
        conv_case_free(test);
    }
}

static struct conv_shape random_shape(struct rng *rng)
{
    int64_t groups = rng_range(rng, 0, 3) == 0 ? rng_range(rng, 2, 12) : 1;
    struct conv_shape s = {
        .n = rng_range(rng, 1, 2),
        .c = groups * rng_range(rng, 1, groups > 1 ? 6 : 40),
        .h = rng_range(rng, 1, 20),
        .w = rng_range(rng, 1, 34),
        .k = groups * rng_range(rng, 1, groups > 1 ? 9 : 70),
        .r = rng_range(rng, 1, 5),
        .s = rng_range(rng, 1, 5),
        .stride_h = rng_range(rng, 1, 3),
        .stride_w = rng_range(rng, 1, 3),
        .pad_top = rng_range(rng, 0, 3),
        .pad_bottom = rng_range(rng, 0, 3),
        .pad_left = rng_range(rng, 0, 5),
        .pad_right = rng_range(rng, 0, 5),
        .dilation_h = rng_range(rng, 1, 2),
        .dilation_w = rng_range(rng, 1, 3),
        .groups = groups,
    };

    if (groups > 1 && rng_range(rng, 0, 1) == 0)
        s.c = groups; /* depthwise */
    return s;
}

static char *random_params(struct rng *rng, enum isa isa)
{
    static const char *const order[] = {"auto", "tile-co", "co-tile"};
    static const char *const hfil[] = {"auto", "inside", "outside"};
    int64_t co = rng_range(rng, 1, 4) * isa_vector(isa);
    int64_t blocked = rng_range(rng, 0, 3) > 0;

    return memory_printf("co=%" PRId64 ",ci=%d,order=%s,hfil=%s,cco=%" PRId64 ",wo=%" PRId64
                         ",rows=%" PRId64 ",cci=%" PRId64,
                         co, blocked ? isa_vector(isa) : 1, order[rng_range(rng, 0, 2)],
                         hfil[rng_range(rng, 0, 2)], co * rng_range(rng, 1, 3),
                         rng_range(rng, 0, 3), rng_range(rng, 0, 2), rng_range(rng, 0, 24));
}

/* Random shapes with the kernels' own choice and with random parameters; the
 * latter need not be supported, but must not be wrong.  */
static void test_random(void)
{
    struct rng *rng = rng_new(4711);
    int wrong = 0, supported = 0;
    const int rounds = tap_tier(40, 250);

    for (int i = 0; i < rounds; i++) {
        struct conv_shape shape = random_shape(rng);
        struct error error = {""};
        struct conv_case *test;

        if (!conv_shape_check(&shape, &error))
            continue;
        test = conv_case_new(&shape, i % 2 == 0, (uint32_t)i + 1);
        for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
            const struct conv_kernel *kernel = conv_kernel_find("mgemm");
            char *text = random_params(rng, isa);
            enum conv_verdict verdict = CONV_UNSUPPORTED;

            if (isa_available(isa)) {
                wrong += !check(test, kernel, "", isa, 1);
                verdict = conv_case_run(test, kernel, text, isa, 1, &error);
            }
            if (verdict == CONV_WRONG)
                wrong += !check(test, kernel, text, isa, 1);
            supported += verdict == CONV_RIGHT;
            free(text);
        }
        conv_case_free(test);
    }
    rng_free(rng);
    is_int(wrong, 0, "random shapes and parameters");
    ok(supported > rounds / 4, "of which many are supported (%d)", supported);
}

/* A kernel whose library is not built in is told from a name that nobody knows.  */
static void test_unknown(void)
{
    struct error error = {""};

    for (const struct conv_peer *peer = conv_peers; peer->name != NULL; peer++)
        ok(!conv_kernel_unknown(peer->name, &error) &&
               (strstr(error.text, "not built in: ") != NULL) == (peer->absent != NULL),
           "%s", error.text);
    ok(!conv_kernel_unknown("mgem", &error) && strstr(error.text, "mgemm") != NULL, "%s",
       error.text);
}

int main(void)
{
    test_unknown();
    test_table();
    test_random();
    return tap_done();
}
