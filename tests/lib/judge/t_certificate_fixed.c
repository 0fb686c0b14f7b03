/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Certificates of instances with fixed offsets: what a line says of one must be the instance's, and
 * a log is of no other offsets.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/certificate.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/certificate_case.h"
#include "tests/support/certificates.h"
#include "tests/support/fixed_case.h"
#include "tests/support/instances.h"
#include "tests/support/piece_case.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

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

    rows_add(instance, "a 0 2 2; b 0 2 3; c 0 2 3; d 0 2 2");
    instance_fix(instance, 0, offset);
    return sealed(instance);
}

/* What is fixed is known where it is named, if the instance has it there.  */
static void by_hand_fixed(void)
{
    struct instance *p = pinned(4);
    struct error error = {""};

    is_int(certificate_judged(p, 5, "fixed 1 4\n", &error), 6,
           "the end of a fixed buffer is a bound");
    ok(certificate_judged(p, 6, "fixed 1 4\n", &error) < 0, "a byte above it is not: %s",
       error.text);
    is_int(certificate_judged(p, 9, "overload 0 0 9\n", &error), 10, "it need not be named");
    is_int(certificate_judged(p, 9, "twins 2 3\nfixed 1 4\noverload 0 0 9\n", &error), 10,
           "others may be twins");
    certificate_refused(p, 5, "fixed 1 3\n", "has not fixed it there");
    certificate_refused(p, 5, "fixed 1 -1\n", "has not fixed it there");
    certificate_refused(p, 5, "fixed 2 4\n", "has not fixed it there");
    certificate_refused(p, 5, "fixed 2 -1\n", "has not fixed it there");
    certificate_refused(p, 5, "fixed 0 0\n", "expected a buffer");
    certificate_refused(p, 5, "fixed -1 4\n", "expected a buffer");
    certificate_refused(p, 5, "fixed 5 4\n", "expected a buffer");
    certificate_refused(p, 5, "fixed 1\n", "word with its numbers");
    certificate_refused(p, 9, "sum 0 1 2\nfixed 1 4\n", "before all other lines");
    certificate_refused(p, 9, "nogood\nfixed 1 4\n", "before all other lines");
    certificate_refused(p, 9, "twins 1 4\n", "that are the same");
    certificate_refused(p, 9, "fixed 1 4\ntwins 1 4\n", "that are the same");
    certificate_refused(p, 9, "mirror 1 2\n", "upside down");
    certificate_refused(p, 9, "fixed 1 4\nmirror 2 4\n", "upside down");
    instance_free(p);
}

/* The unit divides what is named, and what is not lies anywhere.  */
static void by_hand_units(void)
{
    struct instance *instance = instance_new("units");
    struct error error = {""};
    char *text, *whole;

    rows_add(instance, "a 0 5 4; b 0 5 4");
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
            is_int(certificate_bound(instance, whole, &error), 10, "an offset in units");
        else
            ok(certificate_bound(instance, whole, &error) < 0 &&
                   strstr(error.text, "there") != NULL,
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

    ok(text != NULL && certificate_bound(p, text, &error) == 11,
       "above the load beside what is fixed: %s", error.text);
    ok(strstr(text, "\nunit 1\nfixed 1 4\n") != NULL, "which stands in it");
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        char *of_other = made_of(other[i], text);

        ok(certificate_bound(other[i], text, &error) < 0 &&
               strstr(error.text, "not of this") != NULL,
           "another offset is another instance");
        ok(certificate_bound(other[i], of_other, &error) < 0 &&
               strstr(error.text, "fixed it") != NULL,
           "with its checksum: %s", error.text);
        free(of_other);
    }
    without = memory_printf("%.*s%s", (int)(strstr(text, "fixed 1 4\n") - text), text,
                            strstr(text, "fixed 1 4\n") + strlen("fixed 1 4\n"));
    free(text);
    text = certificate_summed(without);
    ok(certificate_bound(p, text, &error) < 0, "without that line the rest does not follow: %s",
       error.text);
    free(text);
    free(without);
    instance_free(p);
    instance_free(lower);
    instance_free(higher);
    instance_free(open);
}

/* The log of INSTANCE is none of OTHER, which has one of its fixed buffers elsewhere, unless it
 * does without that one; then it is right.  */
static bool is_bound_to(const struct instance *instance, const struct instance *other, size_t moved,
                        int64_t optimum, int *names)
{
    struct error error = {""};
    char *text = certificate_text(instance, optimum, &error);
    char *of_other = made_of(other, text), *line = memory_printf("\nfixed %zu ", moved + 1);
    int64_t bound = certificate_bound(other, of_other, &error);
    bool is_named = strstr(text, line) != NULL;
    bool good = certificate_bound(other, text, &error) < 0 &&
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
    struct certificate_tally tally = {0};
    int others = 0, bound = 0, names = 0;

    for (int round = 0; round < tap_tier(30, 200); round++) {
        struct instance *instance = fixed_case_random(rng, pieces), *other;
        int64_t optimum = piece_case_optimum(instance);
        size_t moved;

        certificate_tally_try(instance, optimum, rng, &tally);
        other = fixed_case_moved(rng, instance, &moved);
        if (other != NULL) {
            others++;
            bound += is_bound_to(instance, other, moved, optimum, &names);
            instance_free(other);
        }
        instance_free(instance);
    }
    certificate_tally_report(&tally, pieces ? "fixed pieces" : "fixed rectangles");
    is_int(bound, others, "of %d with another offset the log is of none", others);
    ok(names > others / 2, "which %d of them name", names);
    rng_free(rng);
}

/* The same with some buffers where a plan has them, one of them perhaps elsewhere.  */
static void of_long_fixed(void)
{
    struct rng *rng = rng_new(87);
    struct certificate_tally tally = {.times = tap_tier(10, 80)};

    for (int seed = 1; seed <= tap_tier(4, 12); seed++) {
        char *spec = memory_printf("tight:seed=%d", seed);
        struct instance *all = instance_of(spec);
        struct plan *plan = solver_plan("section-first:nodes=2000", all, 1);
        struct instance *instance = fixed_case_of_plan(rng, all, plan);
        int64_t optimum = run_solver_peak("branch-and-bound", instance);

        if (optimum > instance->load)
            certificate_tally_try(instance, optimum, rng, &tally);
        instance_free(instance);
        plan_free(plan);
        instance_free(all);
        free(spec);
    }
    certificate_tally_report(&tally, "long fixed");
    ok(tally.rounds > 3, "of %d long ones", tally.rounds);
    rng_free(rng);
}

int main(void)
{
    by_hand_fixed();
    by_hand_units();
    other_offsets();
    of_fixed(false, 85);
    of_fixed(true, 86);
    of_long_fixed();
    return tap_done();
}
