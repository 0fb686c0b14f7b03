/* The table of known optima: what is read and written, how bounds are merged, and that
 * the project's own table is about the instances that it names.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/options.h"
#include "harness/store/optima.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
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

/* Names of the table are workloads with ';' for ','.  The stored checksum is the
 * instance's, and its bounds are possible.  */
static bool is_right(const struct optimum *row)
{
    char *spec = memory_strdup(row->name);
    struct instance *instance;
    struct error error;
    bool right = false;

    for (char *at = spec; *at != '\0'; at++)
        if (*at == ';')
            *at = ',';
    instance = instance_from(spec, &error);
    if (instance != NULL)
        right = instance_checksum(instance) == row->checksum && row->lower >= instance->load &&
                row->lower <= row->upper;
    if (!right)
        tap_diag("%s: %016" PRIx64, spec, row->checksum);
    instance_free(instance);
    free(spec);
    return right;
}

static void the_table(void)
{
    char *path = share_path("results/reference/optima.csv");
    FILE *in = fopen(path, "r");
    struct optima optima = {0};
    struct error error = {""};
    int tried = 0, right = 0, proven = 0;
    size_t stride = (size_t)tap_tier(12, 3);

    if (!ok(in != NULL && optima_read(&optima, in, path, &error), "the project's table: %s",
            error.text)) {
        free(path);
        return;
    }
    fclose(in);
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
    optima_clear(&optima);
    free(path);
}

int main(void)
{
    merging();
    any_order();
    the_table();
    return tap_done();
}
