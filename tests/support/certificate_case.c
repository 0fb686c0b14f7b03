/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/certificate_case.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/certificate.h"
#include "lib/problem/instance.h"
#include "tests/support/certificates.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"

int64_t certificate_bound(const struct instance *instance, const char *text, struct error *error)
{
    FILE *in = scratch_text(text);
    struct certificate certificate;
    bool good = certificate_check(in, "text", instance, &certificate, error);

    fclose(in);
    return good ? certificate.capacity + 1 : -1;
}

int64_t certificate_judged(const struct instance *instance, int64_t capacity, const char *body,
                           struct error *error)
{
    char *text = memory_printf(CERTIFICATE_TITLE "\ninstance %016" PRIx64 "\ncapacity %" PRId64
                                                 "\nsteps 0 5\nunit 1\n%s",
                               instance_checksum(instance), capacity, body);
    char *whole = certificate_summed(text);
    int64_t bound = certificate_bound(instance, whole, error);

    free(whole);
    free(text);
    return bound;
}

void certificate_refused(const struct instance *instance, int64_t capacity, const char *body,
                         const char *why)
{
    struct error error = {""};
    int64_t bound = certificate_judged(instance, capacity, body, &error);

    ok(bound < 0 && strstr(error.text, why) != NULL, "refused: %s", error.text);
}

enum { TAMPERED = 20 };

/* As it is, and as if it had been written so.  */
static void tamper(const struct instance *instance, int64_t optimum, const char *text,
                   struct rng *rng, struct certificate_tally *tally)
{
    char *copy = certificate_tampered(text, rng), *whole = certificate_summed(copy);
    struct error error = {""};
    int64_t bound = certificate_bound(instance, whole, &error);

    if (strcmp(copy, text) != 0) {
        tally->tampered++;
        tally->kept += certificate_bound(instance, copy, &error) >= 0;
        tally->believed += bound >= 0;
        tally->lies += bound > optimum;
    }
    free(copy);
    free(whole);
}

void certificate_tally_try(const struct instance *instance, int64_t optimum, struct rng *rng,
                           struct certificate_tally *tally)
{
    struct error error = {""};
    char *text = certificate_text(instance, optimum, &error);
    int64_t bound = text != NULL ? certificate_bound(instance, text, &error) : -1;

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

void certificate_tally_report(const struct certificate_tally *tally, const char *what)
{
    is_int(tally->accepted, tally->rounds, "%s: the certificate of the optimum is accepted", what);
    ok(tally->above > 0, "%d optima are above the load", tally->above);
    is_int(tally->one_more, tally->rounds, "there is none of one byte more");
    is_int(tally->kept, 0, "of %d tampered ones none is accepted", tally->tampered);
    is_int(tally->lies, 0, "with the right checksum %d still prove something, but nothing untrue",
           tally->believed);
}

void certificate_tally_rounds(uint32_t seed, int rounds, struct instance *(*draw)(struct rng *rng),
                              int64_t (*optimum)(const struct instance *instance), const char *what)
{
    struct rng *rng = rng_new(seed);
    struct certificate_tally tally = {0};

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = draw(rng);

        certificate_tally_try(instance, optimum(instance), rng, &tally);
        instance_free(instance);
    }
    certificate_tally_report(&tally, what);
    rng_free(rng);
}
