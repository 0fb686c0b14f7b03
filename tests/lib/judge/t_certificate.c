/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Certificates: those of random instances are accepted, one byte more is refused, and
 * whatever is done to their text, nothing that is not true is believed.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/certificate.h"
#include "lib/judge/certificate_writer.h"
#include "lib/problem/instance.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/certificate_case.h"
#include "tests/support/certificates.h"
#include "tests/support/instances.h"
#include "tests/support/piece_case.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* --- by hand --- */

/* The gap gadget: buffers 1 to 7 with load 4 and optimum 5.  */
static void by_hand(void)
{
    struct instance *g = gap_gadget(1);
    struct error error = {""};

    is_int(certificate_judged(g, 3, "overload 0 0 3\n", &error), 4, "the load is a bound");
    is_int(certificate_judged(g, 1, "", &error), 2, "and so is a size");
    is_int(certificate_judged(g, 3, "nogood\noverload 0 0 3\nlearned\n", &error), 4,
           "a nogood of nothing");
    certificate_refused(g, 4, "overload 0 0 4\n", "not more than there is room for");
    certificate_refused(g, 4, "overload 0 4 0\n", "not more than there is room for");
    certificate_refused(g, 4, "", "does not contradict itself");
    certificate_refused(g, 4, "nogood\n", "does not contradict itself");
    certificate_refused(g, 3, "nogood\noverload 0 0 3\n", "does not contradict itself");
    certificate_refused(g, 4, "nogood\nif 0 1 1\nlearned\n", "do not contradict what is known");
    certificate_refused(g, 4, "learned\n", "expected `nogood`");
    certificate_refused(g, 4, "nogood\nnogood\n", "expected `learned`");
    certificate_refused(g, 4, "if 0 1 1\n", "right after");
    certificate_refused(g, 4, "nogood\nsum 0 1 2\nif 0 1 1\n", "right after");
    certificate_refused(g, 4, "nogood\nif 1 7 1\n", "alive together");
    certificate_refused(g, 4, "nogood\nif 1 1 1\n", "alive together");
    certificate_refused(g, 4, "sum 0 1 7\n", "alive together");
    certificate_refused(g, 4, "sum 0 1 8\n", "alive together");
    certificate_refused(g, 4, "sum 0 1 -1\n", "alive together");
    certificate_refused(g, 4, "cycle 1 2\n", "not more than 0");
    certificate_refused(g, 4, "cycle 1 7\n", "alive with the next");
    certificate_refused(g, 4, "cycle 1\n", "expected a word");
    certificate_refused(g, 4, "above 0 0 4 1 0 2 2 0 2\n", "room for both");
    certificate_refused(g, 4, "above 0 1 4 1 0 2 2 0 2\n", "first buffer may lie outside");
    certificate_refused(g, 4, "above 0 0 3 1 0 2 2 0 2\n", "second buffer may lie outside");
    certificate_refused(g, 4, "above 0 0 4 1 0 3 2 0 2\n", "use these bytes");
    certificate_refused(g, 4, "above 0 0 4 1 0 2 1 0 2\n", "use these bytes");
    certificate_refused(g, 4, "above 9 0 4 1 0 2 2 0 2\n", "use these bytes");
    certificate_refused(g, 4, "pile 0 0 1 0 2\n", "nothing is known");
    certificate_refused(g, 4, "not-low 0 2 4 1 0 2\n", "can lie below");
    certificate_refused(g, 4, "use 1\n", "no such nogood");
    certificate_refused(g, 4, "forget 1\n", "no such nogood");
    certificate_refused(g, 4, "nogood\nif 0 1 9\nif 0 2 9\nlearned\nuse 1\n",
                        "more than one literal");
    certificate_refused(g, 4, "nogood\nif 0 1 9\nlearned\nforget 1\nuse 1\n", "no such nogood");
    certificate_refused(g, 4, "twins 1 2\n", "that are the same");
    certificate_refused(g, 4, "sum 0 1 2\nmirror 1 2\n", "before all other lines");
    certificate_refused(g, 4, "mirror 1 2\nmirror 1 2\n", "one pair");
    certificate_refused(g, 4, "mirror 1 7\n", "one pair");
    certificate_refused(g, 3, "overload 0 0 3 \n", "expected a word");
    certificate_refused(g, 3, "overload 0 0 03\n", "expected a word");
    certificate_refused(g, 3, "overload 0 0 -0\n", "expected a word");
    certificate_refused(g, 3, "overload 0 0 9223372036854775808\n", "expected a word");
    certificate_refused(g, 3, "overload 0 0\n", "expected a word");
    certificate_refused(g, 3, "overload 0 0 2305843009213693953\n",
                        "expected a word"); /* 2^61 + 1 */
    certificate_refused(g, 3, "overload 0 0 -2305843009213693953\n", "expected a word");
    certificate_refused(g, 3, "overload 0 0 00\n", "expected a word");
    certificate_refused(g, 3, "overload 0 0 -\n", "expected a word");
    certificate_refused(g, 3, "overload 0 0 a\n", "expected a word");
    certificate_refused(g, 3, "overload 0 0,3\n", "expected a word");
    certificate_refused(g, 3, "use 0\n", "no such nogood");
    certificate_refused(g, 3, "nogood\nif 0 1 9\nlearned\nuse -1\n", "no such nogood");
    certificate_refused(g, 3, "nogood\nif 0 1 9\nlearned\nuse 2\n", "no such nogood");
    certificate_refused(g, 3, "over 0 0 3\n", "expected a word");
    certificate_refused(g, -1, "", "a number of bytes");
    ok(certificate_bound(g, "arenabench certificate 1\n", &error) < 0, "another version: %s",
       error.text);
    ok(certificate_bound(g, CERTIFICATE_TITLE "\ninstance 0000000000000000\n", &error) < 0 &&
           strstr(error.text, "not of this instance") != NULL,
       "another instance");
    instance_free(g);
}

/* A certificate that ends too early, wherever that is, or too late; and heads.  */
static void whole_texts(void)
{
    static const char *const heads[] = {
        "capacity 3\nsteps 0 5\nunit 0\n",      "capacity 3\nsteps 0 5\nunit -1\n",
        "capacity 3\nsteps 0 5\nunit 1 1\n",    "capacity 3\nsteps 0\nunit 1\n",
        "capacity 3\nunit 1\nsteps 0 5\n",      "capacity\nsteps 0 5\nunit 1\n",
        "capacity x\nsteps 0 5\nunit 1\n",      "capacity 3\nsteps 0 5\nunit 2305843009213693953\n",
        "capacity 3\nsteps 0 5\nunit 1\nend\n", "capacity 3\nsteps 5 0\nunit 1\n",
    };
    struct instance *g = gap_gadget(1);
    struct error error = {""};
    char *text =
        memory_printf(CERTIFICATE_TITLE "\ninstance %016" PRIx64
                                        "\ncapacity 3\nsteps 0 5\nunit 1\noverload 0 0 3\n",
                      instance_checksum(g));
    char *whole = certificate_summed(text), *more = memory_printf("%s\n", whole);
    size_t length = strlen(whole), refusals = 0;

    ok(certificate_bound(g, whole, &error) == 4, "a whole one is accepted");
    ok(certificate_bound(g, more, &error) < 0 && strstr(error.text, "nothing after") != NULL,
       "one with a line more is not: %s", error.text);
    for (size_t end = length - 1; end > 0; end--) {
        whole[end] = '\0';
        refusals += certificate_bound(g, whole, &error) < 0;
    }
    is_int((int64_t)refusals, (int64_t)length - 1, "nor is any beginning of it");
    free(text);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        text = memory_printf(CERTIFICATE_TITLE "\ninstance %016" PRIx64 "\n%soverload 0 0 3\n",
                             instance_checksum(g), heads[i]);
        free(whole);
        whole = certificate_summed(text);
        ok(certificate_bound(g, whole, &error) < 0, "a wrong head: %s", error.text);
        free(text);
    }
    free(whole);
    free(more);
    instance_free(g);
}

/* Numbers that sums of four of are still numbers: 2^61 - 1.  */
static void largest(void)
{
    for (int64_t more = 0; more <= 1; more++) {
        struct instance *instance = instance_new("large");
        struct error error = {""};

        instance_add(instance, "a", 0, 1, CERTIFICATE_MOST + more, 1);
        ok(certificate_possible(sealed(instance), &error) == (more == 0), "the largest size%s %s",
           more == 0 ? "" : ", and one more", error.text);
        instance_free(instance);
    }
}

/* Equal buffers in another order, and symmetries that are none.  */
static void by_hand_symmetries(void)
{
    static const struct piece stairs[] = {{0, 1, 0, 1, false}, {1, 2, 0, 2, false}};
    struct instance *s = instance_of_rows("a 0 2 2; b 0 2 2; c 0 2 1; d 0 2 3");
    struct error error = {""};

    is_int(certificate_judged(s, 7, "twins 1 2\nmirror 3 4\noverload 0 0 7\n", &error), 8,
           "symmetries");
    certificate_refused(s, 7, "twins 2 1\n", "in order");
    certificate_refused(s, 7, "mirror 3 4\ntwins 1 2\n", "before the mirror");
    certificate_refused(s, 7, "twins 1 2\nmirror 1 3\n", "without twins");
    certificate_refused(s, 7, "twins 1 3\n", "that are the same");
    instance_free(s);
    s = instance_new("padded");
    instance_add_pieces(s, "a", stairs, 2, 1);
    s->buffer[instance_add_pieces(s, "b", stairs, 2, 1)].size++;
    sealed(s);
    certificate_refused(s, 3, "twins 1 2\n", "that are the same");
    instance_free(s);
    s = instance_of_rows("a 0 2 2; b 0 3 2; c 0 2 2 2; d 0 1 0-2 + 1 2 0-1; e 0 1 0-2 + 1 2 1-2");
    certificate_refused(s, 3, "twins 1 2\n", "that are the same"); /* in another time */
    certificate_refused(s, 3, "twins 1 3\n", "that are the same"); /* aligned */
    certificate_refused(s, 3, "twins 1 4\n", "that are the same"); /* other bytes */
    certificate_refused(s, 3, "twins 4 5\n", "that are the same"); /* as many bytes, but others */
    certificate_refused(s, 3, "twins 0 1\n", "in order");
    certificate_refused(s, 3, "twins 1 9\n", "in order");
    certificate_refused(s, 3, "mirror 1 2\n", "upside down"); /* c is aligned */
    certificate_refused(s, 3, "mirror 0 2\n", "one pair");
    certificate_refused(s, 3, "mirror 1 0\n", "one pair");
    instance_free(s);
    s = instance_of_rows("a 0 1 0-1 + 1 2 0-2; b 0 2 2");
    certificate_refused(s, 3, "mirror 1 2\n", "upside down");
    instance_free(s);
}

/* --- random ones --- */

/* Few steps, sizes with a common factor, some alignments that do not divide them, some with a
 * buffer that is far larger than all others: cycles of orders climb slowly beside it.  */
static struct instance *rectangles(struct rng *rng)
{
    struct instance *instance = instance_new("rectangles");
    size_t n = (size_t)rng_range(rng, 2, 7);
    int64_t unit = rng_range(rng, 0, 1) == 0 ? 1 : 6;

    for (size_t b = 0; b < n; b++) {
        int64_t begin = rng_range(rng, 0, 5);

        add_buffer(instance, begin, rng_range(rng, begin + 1, 6), unit * rng_range(rng, 1, 7),
                   rng_range(rng, 1, 3) == 1 ? rng_range(rng, 1, 4) : 1);
    }
    if (rng_range(rng, 1, 4) == 1)
        rows_add(instance, "large 0 6 120000000");
    return sealed(instance);
}

/* Many with optima above the load.  */
static struct instance *gadgets(struct rng *rng)
{
    return gadget_and_others(rng, rng_range(rng, 0, 6));
}

static int64_t proven(const struct instance *instance)
{
    return run_solver_peak("branch-and-bound", instance);
}

/* Long ones: thousands of steps, of which most tampering hits one that is needed.  */
static void of_long(void)
{
    struct rng *rng = rng_new(84);
    struct certificate_tally tally = {.times = tap_tier(50, 1100)};

    for (int seed = 1; seed <= 20; seed++) {
        char *spec = memory_printf("tight:seed=%d", seed);
        struct instance *instance = instance_of(spec);
        int64_t optimum = run_solver_peak("branch-and-bound", instance);

        if (optimum > instance->load)
            certificate_tally_try(instance, optimum, rng, &tally);
        instance_free(instance);
        free(spec);
    }
    certificate_tally_report(&tally, "long");
    ok(tally.rounds > 5, "of %d long ones", tally.rounds);
    rng_free(rng);
}

/* Parts of the time axis: the second one refutes the capacity, with its own unit.  */
static void of_parts(void)
{
    struct instance *instance = instance_new("parts");
    struct error error = {""};
    char *text;

    rows_add(instance, "before -9 -1 3");
    add_gadget(instance, 0, 0, 2);
    rows_add(instance, "after 7 9 1");
    sealed(instance);
    text = certificate_text(instance, 10, &error);
    is_int(text != NULL ? certificate_bound(instance, text, &error) : -1, 10,
           "of one part of several %s", error.text);
    ok(text != NULL && strstr(text, "\nsteps 0 5\nunit 2\n") != NULL, "which it names");
    free(text);
    ok(certificate_text(instance, 11, &error) == NULL, "none of more: %s", error.text);
    instance_free(instance);
}

/* The load takes one line, however large the instance is, and no pair is looked at.  */
static void of_large(void)
{
    struct instance *instance = instance_of("uniform:n=20000");
    struct error error = {""};
    char *text = certificate_text(instance, instance->load, &error);

    is_int(text != NULL ? certificate_bound(instance, text, &error) : -1, instance->load,
           "of the load of 20,000 buffers %s", error.text);
    ok(text != NULL && strlen(text) < 200, "a line");
    free(text);
    instance_free(instance);
}

/* Numbers that have no room in a certificate: none is written, and the reason is told.  */
static void of_huge(void)
{
    static const struct {
        int64_t begin, end, size, fixed;
    } huge[] = {{0, 2, INT64_MAX / 4 + 1, -1},
                {0, 2, 1, INT64_MAX / 4},
                {-INT64_MAX / 4 - 2, 2, 1, -1},
                {0, INT64_MAX / 4 + 1, 1, -1}};

    for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
        struct instance *instance = instance_new("huge");
        struct error error = {""};
        char *text;

        instance_add(instance, "a", huge[i].begin, huge[i].end, huge[i].size, 1);
        instance_fix(instance, 0, huge[i].fixed);
        text = certificate_text(sealed(instance), instance->load, &error);
        ok(text == NULL && strstr(error.text, "below 2^61") != NULL, "huge: %s", error.text);
        free(text);
        instance_free(instance);
    }
}

int main(void)
{
    by_hand();
    by_hand_symmetries();
    largest();
    whole_texts();
    certificate_tally_rounds(81, tap_tier(200, 1500), piece_case_random, piece_case_optimum,
                             "pieces");
    certificate_tally_rounds(87, tap_tier(150, 1000), rectangles, brute_force_optimum,
                             "rectangles");
    certificate_tally_rounds(83, tap_tier(50, 300), gadgets, proven, "gadgets");
    of_long();
    of_parts();
    of_large();
    of_huge();
    return tap_done();
}
