/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of known optima: what is read and written, how bounds are merged, and that
 * the project's own table is about the instances that it names.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/options.h"
#include "harness/store/optima.h"
#include "harness/store/optima_certify.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/certificate.h"
#include "lib/problem/instance.h"
#include "tests/support/certificate_case.h"
#include "tests/support/certificates.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

static char text_a[] = "a", text_b[] = "b", text_c[] = "c";

static struct optimum entry(uint64_t checksum, int64_t lower, int64_t upper, char *by)
{
    return (struct optimum){checksum, text_c, lower, upper, by, by};
}

static void merging(void)
{
    struct optima optima = {0};
    struct error error = {""};
    struct optimum first = entry(7, 10, 20, text_a), better = entry(7, 12, 18, text_b);
    struct optimum worse = entry(7, 11, 19, text_c), crossing = entry(7, 19, 30, text_c);
    const struct optimum *row;

    ok(optima_merge(&optima, &first, &error) && optima_merge(&optima, &better, &error),
       "better bounds are taken");
    row = optima_find(&optima, 7);
    ok(row != NULL && row->lower == 12 && row->upper == 18 && strcmp(row->lower_by, "b") == 0,
       "with who proved them");
    ok(optima_merge(&optima, &worse, &error) && row->lower == 12 && row->upper == 18 &&
           strcmp(row->upper_by, "b") == 0,
       "worse ones change nothing");
    ok(!optima_merge(&optima, &crossing, &error) && row->lower == 12 && row->upper == 18 &&
           strstr(error.text, "19 contradicts a verified peak of 18") != NULL,
       "bounds that cross are refused: %s", error.text);
    optima_clear(&optima);
}

/* However entries come in, the highest lower and the lowest upper bound stay.  */
static void any_order(void)
{
    struct rng *rng = rng_new(71);
    int rounds = 200, good = 0;

    for (int round = 0; round < rounds; round++) {
        struct optima optima = {0};
        int64_t lower[8], upper[8];
        bool same = true;

        for (size_t i = 0; i < 8; i++) {
            lower[i] = -1;
            upper[i] = INT64_MAX;
        }
        for (int step = 0; step < 40; step++) {
            size_t i = (size_t)rng_range(rng, 0, 7);
            struct optimum new =
                entry(i * 3, rng_range(rng, 0, 50), rng_range(rng, 50, 99), text_a);

            same = same && optima_merge(&optima, &new, NULL);
            lower[i] = max64(lower[i], new.lower);
            upper[i] = min64(upper[i], new.upper);
        }
        for (size_t i = 0; i < 8; i++) {
            const struct optimum *row = optima_find(&optima, i * 3);

            same = same &&
                   (row == NULL ? lower[i] < 0 : row->lower == lower[i] && row->upper == upper[i]);
        }
        good += same;
        optima_clear(&optima);
    }
    is_int(good, rounds, "entries come in any order");
    rng_free(rng);
}

/* Names of the table are workloads with ';' for ','.  */
static char *spec_of(const struct optimum *row)
{
    char *spec = memory_strdup(row->name);

    for (char *at = spec; *at != '\0'; at++)
        if (*at == ';')
            *at = ',';
    return spec;
}

/* The stored checksum is the instance's, and its bounds are possible.  */
static bool is_right(const struct optimum *row)
{
    char *spec = spec_of(row);
    struct error error = {""};
    struct instance *instance = instance_from(spec, &error);
    bool right = false;

    if (instance != NULL)
        right = instance_checksum(instance) == row->checksum && row->lower >= instance->load &&
                row->lower <= row->upper;
    if (!right)
        tap_diag("%s: %016" PRIx64, spec, row->checksum);
    instance_free(instance);
    free(spec);
    return right;
}

/* A bound that a certificate proves is there for who proves it again.  */
static bool is_certified(const struct optimum *row)
{
    char *spec = spec_of(row);
    struct instance *instance = instance_of(spec);
    struct error error = {""};
    char *text = certificate_text(instance, row->lower, &error);
    const int64_t bound = text != NULL ? certificate_bound(instance, text, &error) : -1;

    if (bound < row->lower)
        tap_diag("%s: %s", spec, error.text);
    free(text);
    free(spec);
    instance_free(instance);
    return bound >= row->lower;
}

static void certified_entries(const struct optima *optima)
{
    int tried = 0, right = 0, above = 0, certified = 0;
    size_t stride = (size_t)tap_tier(4, 1);

    for (size_t i = 0; i < optima->count; i++) {
        const struct optimum *row = &optima->row[i];

        above += strcmp(row->lower_by, "load") != 0;
        if (strcmp(row->lower_by, OPTIMA_BY_CERTIFICATE) != 0)
            continue;
        certified++;
        if (row->name[0] == '\0' || (size_t)certified % stride != 0)
            continue;
        tried++;
        right += is_certified(row);
    }
    is_int(certified, above, "all bounds above the load have certificates");
    is_int(right, tried, "which %d of them show again", tried);
}

static void certifying(void)
{
    struct optima optima = {0};
    struct error error = {""};
    struct optimum proven = entry(7, 12, 18, text_a), load = entry(8, 5, 5, text_b);
    const struct optimum *row;
    char by_load[] = "load";

    load.lower_by = by_load;
    if (!optima_merge(&optima, &proven, &error) || !optima_merge(&optima, &load, &error))
        abort();
    row = optima_find(&optima, 7);
    ok(optima_certify(&optima, 7, 11, &error) && row->lower == 12 && row->lower_by[0] == 'a',
       "a certificate of less changes nothing");
    ok(optima_certify(&optima, 7, 12, &error) && row->lower == 12 &&
           strcmp(row->lower_by, OPTIMA_BY_CERTIFICATE) == 0,
       "one of the bound is named");
    ok(optima_certify(&optima, 7, 14, &error) && row->lower == 14 && row->upper == 18,
       "one of more raises it");
    ok(!optima_certify(&optima, 7, 19, &error) && row->lower == 14 &&
           strstr(error.text, "19 contradicts a verified peak of 18") != NULL,
       "one of too much is refused: %s", error.text);
    ok(!optima_certify(&optima, 9, 1, &error), "and one of what is not there: %s", error.text);
    ok(optima_certify(&optima, 8, 5, &error) &&
           strcmp(optima_find(&optima, 8)->lower_by, "load") == 0,
       "the load needs none");
    optima_clear(&optima);
}

static void the_table(void)
{
    char *path = share_path("results/reference/optima.csv");
    struct optima optima;
    struct error error = {""};
    int tried = 0, right = 0, proven = 0;
    size_t stride = (size_t)tap_tier(12, 3);

    if (!ok(optima_open(&optima, path, false, &error), "the project's table: %s", error.text)) {
        free(path);
        return;
    }
    ok(optima.count > 300, "has %zu entries", optima.count);
    for (size_t i = 0; i < optima.count; i++) {
        proven += optima.row[i].lower == optima.row[i].upper;
        if (optima.row[i].name[0] == '\0' || i % stride != 0)
            continue;
        tried++;
        right += is_right(&optima.row[i]);
    }
    ok(proven > (int)optima.count * 9 / 10, "of which %d are optima", proven);
    is_int(right, tried, "and is about the instances that it names");
    certified_entries(&optima);
    optima_clear(&optima);
    free(path);
}

int main(void)
{
    merging();
    any_order();
    certifying();
    the_table();
    return tap_done();
}
