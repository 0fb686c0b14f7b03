/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Certificates: those of random instances are accepted, one byte more is refused, and
 * whatever is done to their text, nothing that is not true is believed.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/certificate.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/certificates.h"
#include "tests/support/fixed_case.h"
#include "tests/support/instances.h"
#include "tests/support/piece_case.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* The bound that TEXT proves of INSTANCE; -1: it is refused.  */
static int64_t proven(const struct instance *instance, const char *text, struct error *error)
{
    FILE *in = fmemopen((void *)text, strlen(text), "r");
    struct certificate certificate;
    bool good = in != NULL && certificate_check(in, "text", instance, &certificate, error);

    if (in != NULL)
        fclose(in);
    return good ? certificate.capacity + 1 : -1;
}

/* --- by hand --- */

/* Checks the lines BODY under a head for CAPACITY.  */
static int64_t judge(const struct instance *instance, int64_t capacity, const char *body,
                     struct error *error)
{
    char *text = memory_printf(CERTIFICATE_TITLE "\ninstance %016" PRIx64 "\ncapacity %" PRId64
                                                 "\nsteps 0 5\nunit 1\n%s",
                               instance_checksum(instance), capacity, body);
    char *whole = certificate_summed(text);
    int64_t bound = proven(instance, whole, error);

    free(whole);
    free(text);
    return bound;
}

static void refused(const struct instance *instance, int64_t capacity, const char *body,
                    const char *why)
{
    struct error error = {""};
    int64_t bound = judge(instance, capacity, body, &error);

    ok(bound < 0 && strstr(error.text, why) != NULL, "refused: %s", error.text);
}

/* The gap gadget: buffers 1 to 7 with load 4 and optimum 5.  */
static void by_hand(void)
{
    struct instance *g = gap_gadget(1);
    struct error error = {""};

    is_int(judge(g, 3, "overload 0 0 3\n", &error), 4, "the load is a bound");
    is_int(judge(g, 1, "", &error), 2, "and so is a size");
    is_int(judge(g, 3, "nogood\noverload 0 0 3\nlearned\n", &error), 4, "a nogood of nothing");
    refused(g, 4, "overload 0 0 4\n", "not more than there is room for");
    refused(g, 4, "overload 0 4 0\n", "not more than there is room for");
    refused(g, 4, "", "does not contradict itself");
    refused(g, 4, "nogood\n", "does not contradict itself");
    refused(g, 3, "nogood\noverload 0 0 3\n", "does not contradict itself");
    refused(g, 4, "nogood\nif 0 1 1\nlearned\n", "do not contradict what is known");
    refused(g, 4, "learned\n", "expected `nogood`");
    refused(g, 4, "nogood\nnogood\n", "expected `learned`");
    refused(g, 4, "if 0 1 1\n", "right after");
    refused(g, 4, "nogood\nsum 0 1 2\nif 0 1 1\n", "right after");
    refused(g, 4, "nogood\nif 1 7 1\n", "alive together");
    refused(g, 4, "nogood\nif 1 1 1\n", "alive together");
    refused(g, 4, "sum 0 1 7\n", "alive together");
    refused(g, 4, "sum 0 1 8\n", "alive together");
    refused(g, 4, "sum 0 1 -1\n", "alive together");
    refused(g, 4, "circle 1 2\n", "not more than 0");
    refused(g, 4, "circle 1 7\n", "alive with the next");
    refused(g, 4, "circle 1\n", "expected a word");
    refused(g, 4, "above 0 0 4 1 0 2 2 0 2\n", "room for both");
    refused(g, 4, "above 0 1 4 1 0 2 2 0 2\n", "first buffer may lie outside");
    refused(g, 4, "above 0 0 3 1 0 2 2 0 2\n", "second buffer may lie outside");
    refused(g, 4, "above 0 0 4 1 0 3 2 0 2\n", "use these bytes");
    refused(g, 4, "above 0 0 4 1 0 2 1 0 2\n", "use these bytes");
    refused(g, 4, "above 9 0 4 1 0 2 2 0 2\n", "use these bytes");
    refused(g, 4, "pile 0 0 1 0 2\n", "nothing is known");
    refused(g, 4, "not-low 0 2 4 1 0 2\n", "can lie below");
    refused(g, 4, "use 1\n", "no such nogood");
    refused(g, 4, "forget 1\n", "no such nogood");
    refused(g, 4, "nogood\nif 0 1 9\nif 0 2 9\nlearned\nuse 1\n", "more than one literal");
    refused(g, 4, "nogood\nif 0 1 9\nlearned\nforget 1\nuse 1\n", "no such nogood");
    refused(g, 4, "twins 1 2\n", "that are the same");
    refused(g, 4, "sum 0 1 2\nmirror 1 2\n", "before all other lines");
    refused(g, 4, "mirror 1 2\nmirror 1 2\n", "one pair");
    refused(g, 4, "mirror 1 7\n", "one pair");
    refused(g, 3, "overload 0 0 3 \n", "expected a word");
    refused(g, 3, "overload 0 0 03\n", "expected a word");
    refused(g, 3, "overload 0 0 -0\n", "expected a word");
    refused(g, 3, "overload 0 0 9223372036854775808\n", "expected a word");
    refused(g, 3, "overload 0 0\n", "expected a word");
    refused(g, 3, "overload 0 0 2305843009213693953\n", "expected a word"); /* 2^61 + 1 */
    refused(g, 3, "overload 0 0 -2305843009213693953\n", "expected a word");
    refused(g, 3, "overload 0 0 00\n", "expected a word");
    refused(g, 3, "overload 0 0 -\n", "expected a word");
    refused(g, 3, "overload 0 0 a\n", "expected a word");
    refused(g, 3, "overload 0 0,3\n", "expected a word");
    refused(g, 3, "use 0\n", "no such nogood");
    refused(g, 3, "nogood\nif 0 1 9\nlearned\nuse -1\n", "no such nogood");
    refused(g, 3, "nogood\nif 0 1 9\nlearned\nuse 2\n", "no such nogood");
    refused(g, 3, "over 0 0 3\n", "expected a word");
    refused(g, -1, "", "a number of bytes");
    ok(proven(g, "arenabench certificate 1\n", &error) < 0, "another version: %s", error.text);
    ok(proven(g, CERTIFICATE_TITLE "\ninstance 0000000000000000\n", &error) < 0 &&
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

    ok(proven(g, whole, &error) == 4, "a whole one is accepted");
    ok(proven(g, more, &error) < 0 && strstr(error.text, "nothing after") != NULL,
       "one with a line more is not: %s", error.text);
    for (size_t end = length - 1; end > 0; end--) {
        whole[end] = '\0';
        refusals += proven(g, whole, &error) < 0;
    }
    is_int((int64_t)refusals, (int64_t)length - 1, "nor is any beginning of it");
    free(text);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        text = memory_printf(CERTIFICATE_TITLE "\ninstance %016" PRIx64 "\n%soverload 0 0 3\n",
                             instance_checksum(g), heads[i]);
        free(whole);
        whole = certificate_summed(text);
        ok(proven(g, whole, &error) < 0, "a wrong head: %s", error.text);
        free(text);
    }
    free(whole);
    free(more);
    instance_free(g);
}

/* Equal buffers in another order, and symmetries that are none.  */
static void by_hand_symmetries(void)
{
    static const struct piece stairs[] = {{0, 1, 0, 1, false}, {1, 2, 0, 2, false}};
    struct instance *s = instance_new("symmetries");
    struct error error = {""};

    instance_add(s, "a", 0, 2, 2, 1);
    instance_add(s, "b", 0, 2, 2, 1);
    instance_add(s, "c", 0, 2, 1, 1);
    instance_add(s, "d", 0, 2, 3, 1);
    sealed(s);
    is_int(judge(s, 7, "twins 1 2\nmirror 3 4\noverload 0 0 7\n", &error), 8, "symmetries");
    refused(s, 7, "twins 2 1\n", "in order");
    refused(s, 7, "mirror 3 4\ntwins 1 2\n", "before the mirror");
    refused(s, 7, "twins 1 2\nmirror 1 3\n", "without twins");
    refused(s, 7, "twins 1 3\n", "that are the same");
    instance_free(s);
    s = instance_new("padded");
    instance_add_pieces(s, "a", stairs, 2, 1);
    s->buffer[instance_add_pieces(s, "b", stairs, 2, 1)].size++;
    sealed(s);
    refused(s, 3, "twins 1 2\n", "that are the same");
    instance_free(s);
    s = instance_new("almost");
    instance_add(s, "a", 0, 2, 2, 1);
    instance_add(s, "b", 0, 3, 2, 1);
    instance_add(s, "c", 0, 2, 2, 2);
    instance_add_pieces(s, "d", (const struct piece[]){{0, 1, 0, 2, false}, {1, 2, 0, 1, false}}, 2,
                        1);
    instance_add_pieces(s, "e", (const struct piece[]){{0, 1, 0, 2, false}, {1, 2, 1, 2, false}}, 2,
                        1);
    sealed(s);
    refused(s, 3, "twins 1 2\n", "that are the same"); /* in another time */
    refused(s, 3, "twins 1 3\n", "that are the same"); /* aligned */
    refused(s, 3, "twins 1 4\n", "that are the same"); /* other bytes */
    refused(s, 3, "twins 4 5\n", "that are the same"); /* as many bytes, but others */
    refused(s, 3, "twins 0 1\n", "in order");
    refused(s, 3, "twins 1 9\n", "in order");
    refused(s, 3, "mirror 1 2\n", "upside down"); /* c is aligned */
    refused(s, 3, "mirror 0 2\n", "one pair");
    refused(s, 3, "mirror 1 0\n", "one pair");
    instance_free(s);
    s = instance_new("stairs");
    instance_add_pieces(s, "a", stairs, 2, 1);
    instance_add(s, "b", 0, 2, 2, 1);
    sealed(s);
    refused(s, 3, "mirror 1 2\n", "upside down");
    instance_free(s);
}

/* TEXT as if it had been written of OTHER.  */
static char *made_of(const struct instance *other, const char *text)
{
    const char *checksum = strstr(text, "\ninstance ") + strlen("\ninstance ");
    char *body = memory_printf("%.*s%016" PRIx64 "%s", (int)(checksum - text), text,
                               instance_checksum(other), strchr(checksum, '\n'));
    char *whole = certificate_summed(body);

    free(body);
    return whole;
}

/* Buffer a lies at OFFSET:
 *
 *      6 +-------+   b and c have 3 bytes and d has 2, of which 3 fit below a that lies at 4, and 5
 *        |   a   |   go above: up to 11, and there are 10 bytes
 *      4 +-------+  */
static struct instance *pinned(int64_t offset)
{
    struct instance *instance = instance_new("pinned");

    instance_add(instance, "a", 0, 2, 2, 1);
    instance_add(instance, "b", 0, 2, 3, 1);
    instance_add(instance, "c", 0, 2, 3, 1);
    instance_add(instance, "d", 0, 2, 2, 1);
    instance_fix(instance, 0, offset);
    return sealed(instance);
}

/* What is fixed is known where it is named, if the instance has it there.  */
static void by_hand_fixed(void)
{
    struct instance *p = pinned(4);
    struct error error = {""};

    is_int(judge(p, 5, "fixed 1 4\n", &error), 6, "the end of a fixed buffer is a bound");
    ok(judge(p, 6, "fixed 1 4\n", &error) < 0, "a byte above it is not: %s", error.text);
    is_int(judge(p, 9, "overload 0 0 9\n", &error), 10, "it need not be named");
    is_int(judge(p, 9, "twins 2 3\nfixed 1 4\noverload 0 0 9\n", &error), 10,
           "others may be twins");
    refused(p, 5, "fixed 1 3\n", "has not fixed it there");
    refused(p, 5, "fixed 1 -1\n", "has not fixed it there");
    refused(p, 5, "fixed 2 4\n", "has not fixed it there");
    refused(p, 5, "fixed 2 -1\n", "has not fixed it there");
    refused(p, 5, "fixed 0 0\n", "expected a buffer");
    refused(p, 5, "fixed -1 4\n", "expected a buffer");
    refused(p, 5, "fixed 5 4\n", "expected a buffer");
    refused(p, 5, "fixed 1\n", "word with its numbers");
    refused(p, 9, "sum 0 1 2\nfixed 1 4\n", "before all other lines");
    refused(p, 9, "nogood\nfixed 1 4\n", "before all other lines");
    refused(p, 9, "twins 1 4\n", "that are the same");
    refused(p, 9, "fixed 1 4\ntwins 1 4\n", "that are the same");
    refused(p, 9, "mirror 1 2\n", "upside down");
    refused(p, 9, "fixed 1 4\nmirror 2 4\n", "upside down");
    instance_free(p);
}

/* The unit divides what is named, and what is not lies anywhere.  */
static void by_hand_units(void)
{
    struct instance *instance = instance_new("units");
    struct error error = {""};
    char *text, *whole;

    instance_add(instance, "a", 0, 5, 4, 1);
    instance_add(instance, "b", 0, 5, 4, 1);
    instance_fix(instance, 0, 6);
    instance_fix(instance, 1, 11);
    sealed(instance);
    for (int line = 0; line < 3; line++) {
        static const char *const body[] = {"fixed 1 3\n", "fixed 2 5\n", "fixed 2 6\n"};

        text = memory_printf(CERTIFICATE_TITLE "\ninstance %016" PRIx64
                                               "\ncapacity 9\nsteps 0 5\nunit 2\n%s",
                             instance_checksum(instance), body[line]);
        whole = certificate_summed(text);
        if (line == 0)
            is_int(proven(instance, whole, &error), 10, "an offset in units");
        else
            ok(proven(instance, whole, &error) < 0 && strstr(error.text, "there") != NULL,
               "one that is none: %s", error.text);
        free(text);
        free(whole);
    }
    instance_free(instance);
}

/* A log of one offset is none of another one, nor of no offset.  */
static void other_offsets(void)
{
    struct instance *p = pinned(4), *lower = pinned(3), *higher = pinned(5), *open = pinned(-1);
    const struct instance *const other[] = {lower, higher, open};
    struct error error = {""};
    char *text = certificate_text(p, 11, &error), *without;

    ok(text != NULL && proven(p, text, &error) == 11, "above the load beside what is fixed: %s",
       error.text);
    ok(strstr(text, "\nunit 1\nfixed 1 4\n") != NULL, "which stands in it");
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        char *of_other = made_of(other[i], text);

        ok(proven(other[i], text, &error) < 0 && strstr(error.text, "not of this") != NULL,
           "another offset is another instance");
        ok(proven(other[i], of_other, &error) < 0 && strstr(error.text, "fixed it") != NULL,
           "with its checksum: %s", error.text);
        free(of_other);
    }
    without = memory_printf("%.*s%s", (int)(strstr(text, "fixed 1 4\n") - text), text,
                            strstr(text, "fixed 1 4\n") + strlen("fixed 1 4\n"));
    free(text);
    text = certificate_summed(without);
    ok(proven(p, text, &error) < 0, "without that line the rest does not follow: %s", error.text);
    free(text);
    free(without);
    instance_free(p);
    instance_free(lower);
    instance_free(higher);
    instance_free(open);
}

/* --- random ones --- */

enum { TAMPERED = 20 };

struct tally {
    int times; /* that each is tampered with; 0: TAMPERED */
    int rounds, accepted, above, one_more, tampered, kept, believed, lies;
};

/* As it is, and as if it had been written so.  */
static void tamper(const struct instance *instance, int64_t optimum, const char *text,
                   struct rng *rng, struct tally *tally)
{
    char *copy = certificate_tampered(text, rng), *whole = certificate_summed(copy);
    struct error error = {""};
    int64_t bound = proven(instance, whole, &error);

    if (strcmp(copy, text) != 0) {
        tally->tampered++;
        tally->kept += proven(instance, copy, &error) >= 0;
        tally->believed += bound >= 0;
        tally->lies += bound > optimum;
    }
    free(copy);
    free(whole);
}

static void try_instance(const struct instance *instance, int64_t optimum, struct rng *rng,
                         struct tally *tally)
{
    struct error error = {""};
    char *text = certificate_text(instance, optimum, &error);
    int64_t bound = text != NULL ? proven(instance, text, &error) : -1;

    tally->rounds++;
    tally->above += optimum > instance->load;
    tally->accepted += bound == optimum;
    if (bound != optimum)
        tap_diag("%s", error.text);
    tally->one_more += certificate_text(instance, optimum + 1, &error) == NULL;
    for (int i = 0; i < (tally->times > 0 ? tally->times : TAMPERED) && text != NULL; i++)
        tamper(instance, optimum, text, rng, tally);
    free(text);
}

static void report(const struct tally *tally, const char *what)
{
    is_int(tally->accepted, tally->rounds, "%s: the certificate of the optimum is accepted", what);
    ok(tally->above > 0, "%d optima are above the load", tally->above);
    is_int(tally->one_more, tally->rounds, "there is none of one byte more");
    is_int(tally->kept, 0, "of %d tampered ones none is accepted", tally->tampered);
    is_int(tally->lies, 0, "with the right checksum %d still prove something, but nothing untrue",
           tally->believed);
}

static void of_pieces(void)
{
    struct rng *rng = rng_new(81);
    struct tally tally = {0};

    for (int round = 0; round < tap_tier(200, 1500); round++) {
        struct instance *instance = piece_case_random(rng);

        try_instance(instance, piece_case_optimum(instance), rng, &tally);
        instance_free(instance);
    }
    report(&tally, "pieces");
    rng_free(rng);
}

/* The log of INSTANCE is none of OTHER, which has one of its fixed buffers elsewhere, unless it
 * does without that one; then it is right.  */
static bool is_bound_to(const struct instance *instance, const struct instance *other, size_t moved,
                        int64_t optimum, int *names)
{
    struct error error = {""};
    char *text = certificate_text(instance, optimum, &error);
    char *of_other = made_of(other, text), *line = memory_printf("\nfixed %zu ", moved + 1);
    int64_t bound = proven(other, of_other, &error);
    bool is_named = strstr(text, line) != NULL;
    bool good = proven(other, text, &error) < 0 &&
                (is_named ? bound < 0 : bound <= piece_case_optimum(other));

    *names += is_named;
    free(text);
    free(of_other);
    free(line);
    return good;
}

static void of_fixed(bool pieces, uint32_t seed)
{
    struct rng *rng = rng_new(seed);
    struct tally tally = {0};
    int others = 0, bound = 0, names = 0;

    for (int round = 0; round < tap_tier(150, 1500); round++) {
        struct instance *instance = fixed_case_random(rng, pieces), *other;
        int64_t optimum = piece_case_optimum(instance);
        size_t moved;

        try_instance(instance, optimum, rng, &tally);
        other = fixed_case_moved(rng, instance, &moved);
        if (other != NULL) {
            others++;
            bound += is_bound_to(instance, other, moved, optimum, &names);
            instance_free(other);
        }
        instance_free(instance);
    }
    report(&tally, pieces ? "fixed pieces" : "fixed rectangles");
    is_int(bound, others, "of %d with another offset the log is of none", others);
    ok(names > others / 2, "which %d of them name", names);
    rng_free(rng);
}

/* Few steps, sizes with a common factor, some alignments that do not divide them, some with a
 * buffer that is far larger than all others: circles of orders climb slowly beside it.  */
static void of_rectangles(void)
{
    struct rng *rng = rng_new(82);
    struct tally tally = {0};

    for (int round = 0; round < tap_tier(150, 1000); round++) {
        struct instance *instance = instance_new("rectangles");
        size_t n = (size_t)rng_range(rng, 2, 7);
        int64_t unit = rng_range(rng, 0, 1) == 0 ? 1 : 6;

        for (size_t b = 0; b < n; b++) {
            int64_t begin = rng_range(rng, 0, 5);
            char id[24];

            snprintf(id, sizeof id, "b%zu", b);
            instance_add(instance, id, begin, rng_range(rng, begin + 1, 6),
                         unit * rng_range(rng, 1, 7),
                         rng_range(rng, 1, 3) == 1 ? rng_range(rng, 1, 4) : 1);
        }
        if (round % 4 == 0)
            instance_add(instance, "large", 0, 6, 120000000, 1);
        sealed(instance);
        try_instance(instance, brute_force_optimum(instance), rng, &tally);
        instance_free(instance);
    }
    report(&tally, "rectangles");
    rng_free(rng);
}

/* Many with optima above the load.  */
static void of_gadgets(void)
{
    struct rng *rng = rng_new(83);
    struct tally tally = {0};

    for (int round = 0; round < tap_tier(50, 300); round++) {
        struct instance *instance = gadget_and_others(rng, rng_range(rng, 0, 6));

        try_instance(instance, run_solver_peak("branch-and-bound", instance), rng, &tally);
        instance_free(instance);
    }
    report(&tally, "gadgets");
    rng_free(rng);
}

/* Long ones: thousands of steps, of which most tampering hits one that is needed.  */
static void of_long(void)
{
    struct rng *rng = rng_new(84);
    struct tally tally = {.times = tap_tier(50, 1100)};

    for (int seed = 1; seed <= 20; seed++) {
        char *spec = memory_printf("tight:seed=%d", seed);
        struct instance *instance = instance_of(spec);
        int64_t optimum = run_solver_peak("branch-and-bound", instance);

        if (optimum > instance->load)
            try_instance(instance, optimum, rng, &tally);
        instance_free(instance);
        free(spec);
    }
    report(&tally, "long");
    ok(tally.rounds > 5, "of %d long ones", tally.rounds);
    rng_free(rng);
}

/* The same with some buffers where a plan has them, one of them perhaps elsewhere.  */
static void of_long_fixed(void)
{
    struct rng *rng = rng_new(87);
    struct tally tally = {.times = tap_tier(20, 500)};

    for (int seed = 1; seed <= 20; seed++) {
        char *spec = memory_printf("tight:seed=%d", seed);
        struct instance *all = instance_of(spec);
        struct plan *plan = solver_plan("section-first:nodes=2000", all, 1);
        struct instance *instance = fixed_case_of_plan(rng, all, plan);
        int64_t optimum = run_solver_peak("branch-and-bound", instance);

        if (optimum > instance->load)
            try_instance(instance, optimum, rng, &tally);
        instance_free(instance);
        plan_free(plan);
        instance_free(all);
        free(spec);
    }
    report(&tally, "long fixed");
    ok(tally.rounds > 5, "of %d long ones", tally.rounds);
    rng_free(rng);
}

/* Parts of the time axis: the second one refutes the capacity, with its own unit.  */
static void of_parts(void)
{
    struct instance *instance = instance_new("parts");
    struct error error = {""};
    char *text;

    instance_add(instance, "before", -9, -1, 3, 1);
    add_gadget(instance, 0, 0, 2);
    instance_add(instance, "after", 7, 9, 1, 1);
    sealed(instance);
    text = certificate_text(instance, 10, &error);
    is_int(text != NULL ? proven(instance, text, &error) : -1, 10, "of one part of several %s",
           error.text);
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

    is_int(text != NULL ? proven(instance, text, &error) : -1, instance->load,
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
    by_hand_fixed();
    by_hand_units();
    other_offsets();
    whole_texts();
    of_pieces();
    of_fixed(false, 85);
    of_fixed(true, 86);
    of_long_fixed();
    of_rectangles();
    of_gadgets();
    of_long();
    of_parts();
    of_large();
    of_huge();
    return tap_done();
}
