/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instances as CSV with fixed offsets: what is read and refused, and written again.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "tests/support/fixed_case.h"
#include "tests/support/instances.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"

static struct instance *read_text(const char *text, struct error *error)
{
    FILE *in = scratch_text(text);
    struct instance *instance = instance_csv_read_fixed(in, "x.csv", NULL, error);

    fclose(in);
    return instance;
}

#define HEADER "id,lower,upper,size,offset\n"

static void accepted(void)
{
    static const struct {
        const char *text;
        int64_t fixed, load, alignment;
    } good[] = {
        {HEADER "a,3,7,5,9\n", 9, 14, 1},
        {HEADER "a,3,7,5,0\n", 0, 5, 1},
        {HEADER "a,3,7,5,\n", -1, 5, 1},
        {HEADER "a,3,7,5, \n", -1, 5, 1},
        {"offset,size,alignment,end,begin,id\n9,5,64,6,3,a\n", 9, 14, 1},
        {"offset,size,alignment,end,begin,id\n,5,64,6,3,a\n", -1, 5, 64},
        {"id,lower,upper,size,offset,gaps\na,3,7,5,9,4-5@0:2\n", 9, 14, 1},
    };

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct error error = {""};
        struct instance *instance = read_text(good[i].text, &error);
        const struct buffer *a = instance != NULL ? instance->buffer : NULL;

        ok(a != NULL && instance->n == 1 && a->begin == 3 && a->end == 7 && a->size == 5 &&
               a->fixed == good[i].fixed && a->alignment == good[i].alignment &&
               instance->load == good[i].load,
           "row %zu: %s", i, error.text);
        instance_free(instance);
    }
}

static void refused(void)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"id,lower,upper,size\na,3,7,5\n", "x.csv:1:20: no column 'offset'"},
        {HEADER "a,3,7,5,-1\n", "x.csv:2:9: offset '-1'"},
        {HEADER "a,3,7,5,x\n", "x.csv:2:9: offset 'x'; expected a whole number"},
        {HEADER "a,3,7,5,9223372036854775808\n", "x.csv:2:9: offset"},
        {HEADER "a,3,7,5,9223372036854775807\n", "x.csv:2:1: buffer 'a': fixed offset"},
        {HEADER "a,3,7,5\n", "x.csv:2:8: 4 cells; expected 5"},
        {HEADER "a,0,2,5,3\ne,0,9,0,5\nb,1,3,4,\nc,1,2,1,7\n",
         "x.csv:5:1: buffers 'a' at [3, 8) and 'c' at [7, 8), whose offsets are fixed, overlap at "
         "step 1"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct error error = {""};
        struct instance *instance = read_text(bad[i].text, &error);

        ok(instance == NULL && strncmp(error.text, bad[i].message, strlen(bad[i].message)) == 0,
           "%s", error.text);
        instance_free(instance);
    }
}

static void writing(void)
{
    struct instance *instance = read_text(
        "size,offset,alignment,upper,id,begin\n0,3,1,2,e,1\n5,7,8,9,a,3\n6,,16,9,b,3\n", NULL);
    char *text = csv_of(instance);

    is_text(text, "id,lower,upper,size,alignment,offset\na,3,9,5,1,7\nb,3,9,6,16,\ne,1,2,0,1,\n",
            "offsets of those that are fixed");
    free(text);
    instance_free(instance);
}

static void round_trip(void)
{
    struct rng *rng = rng_new(3);
    int runs = tap_tier(300, 3000), same = 0;

    for (int i = 0; i < runs; i++) {
        struct instance *instance = fixed_case_random(rng, i % 2 == 1), *again = NULL;
        size_t widened = instance_csv_widened(instance);
        char *text = csv_of(instance);
        bool good = true;

        again = read_text(text, NULL);
        /* What is written as in use, too, may overlap where buffers interlock.  */
        if (again == NULL)
            good = good && widened > 0;
        for (size_t b = 0; again != NULL && b < instance->n; b++)
            good = good && again->buffer[b].fixed == instance->buffer[b].fixed &&
                   again->buffer[b].size == instance->buffer[b].size &&
                   again->buffer[b].alignment == instance->buffer[b].alignment &&
                   again->buffer[b].begin == instance->buffer[b].begin;
        same += good;
        free(text);
        instance_free(again);
        instance_free(instance);
    }
    is_int(same, runs, "what was written reads back the same");
    rng_free(rng);
}

int main(void)
{
    accepted();
    refused();
    writing();
    round_trip();
    return tap_done();
}
