/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The column of gaps: buffers that are idle or partly used for a while.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "tests/support/instances.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"

#define HEADER "id,lower,upper,size,gaps\n"

static struct instance *read_text(const char *text, struct error *error)
{
    FILE *in = scratch_text(text);
    struct instance *instance = instance_csv_read(in, "x.csv", NULL, error);

    fclose(in);
    return instance;
}

/* The pieces of the first buffer as text, "[begin,end)lo-hi ...".  */
static char *describe(const struct instance *instance)
{
    char *text = memory_strdup("");

    for (size_t p = 0; p < instance->buffer[0].pieces; p++) {
        const struct piece *piece = &instance->piece[p];

        text = memory_append(text, "%s[%" PRId64 ",%" PRId64 ")%" PRId64 "-%" PRId64,
                             p == 0 ? "" : " ", piece->begin, piece->end, piece->lo, piece->hi);
    }
    return text;
}

/* What a row means, and how it is written again.  */
static void meanings(void)
{
    static const struct {
        const char *what, *row, *pieces, *again;
    } cases[] = {
        {"no gap", "a,0,9,8,\n", "[0,9)0-8", "id,lower,upper,size\na,0,9,8\n"},
        {"idle", "a,0,9,8,2-4\n", "[0,2)0-8 [4,9)0-8", HEADER "a,0,9,8,2-4\n"},
        {"partly used", "a,0,9,8,2-4@1:5\n", "[0,2)0-8 [2,4)1-5 [4,9)0-8",
         HEADER "a,0,9,8,2-4@1:5\n"},
        {"several, in any order", "a,0,9,8, 6-7  2-4@0:5\n", "[0,2)0-8 [2,4)0-5 [4,6)0-8 [7,9)0-8",
         HEADER "a,0,9,8,2-4@0:5 6-7\n"},
        {"neighbours with the same bytes", "a,0,9,8,2-4@0:5 4-6@0:5\n",
         "[0,2)0-8 [2,6)0-5 [6,9)0-8", HEADER "a,0,9,8,2-6@0:5\n"},
        {"neighbours with others", "a,0,9,8,2-4@0:5 4-6@0:6\n",
         "[0,2)0-8 [2,4)0-5 [4,6)0-6 [6,9)0-8", HEADER "a,0,9,8,2-4@0:5 4-6@0:6\n"},
        {"all bytes are no gap", "a,0,9,8,2-4@0:8\n", "[0,9)0-8", "id,lower,upper,size\na,0,9,8\n"},
        {"idle at both ends", "a,0,9,8,0-1 8-9\n", "[1,8)0-8", "id,lower,upper,size\na,1,8,8\n"},
        {"never whole", "a,0,9,8,0-9@2:4\n", "[0,9)2-4", HEADER "a,0,9,8,0-9@2:4\n"},
        {"steps below zero", "a,-9,-1,8,-8--4@1:5\n", "[-9,-8)0-8 [-8,-4)1-5 [-4,-1)0-8",
         HEADER "a,-9,-1,8,-8--4@1:5\n"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error error = {""};
        char *text = memory_printf("%s%s", HEADER, cases[i].row), *got;
        struct instance *instance = read_text(text, &error);

        free(text);
        if (!ok(instance != NULL, "%s%s", cases[i].what, error.text))
            continue;
        got = describe(instance);
        is_text(got, cases[i].pieces, "%s: pieces", cases[i].what);
        is_int(instance->buffer[0].size, 8, "%s: its size", cases[i].what);
        free(got);
        got = csv_of(instance);
        is_text(got, cases[i].again, "%s: written again", cases[i].what);
        free(got);
        instance_free(instance);
    }
}

static void inclusive(void)
{
    struct instance *instance = read_text("id,lower,end,size,gaps\na,0,8,8,2-3 5-6@0:4\n", NULL);
    char *got = describe(instance);

    is_text(got, "[0,2)0-8 [4,5)0-8 [5,7)0-4 [7,9)0-8", "under `end` gaps end with a last step");
    free(got);
    instance_free(instance);
    instance =
        read_text("id,lower,upper,size,alignment,gaps\na,0,9,8,4,2-4\nb,0,1,0,1,0-1\n", NULL);
    is_int((int64_t)instance->n_empty, 1, "a buffer of size 0 may be idle all the time");
    got = csv_of(instance);
    is_text(got, "id,lower,upper,size,alignment,gaps\na,0,9,8,4,2-4\nb,0,1,0,1,\n", "all columns");
    free(got);
    instance_free(instance);
}

static void refused(void)
{
    static const struct {
        const char *row, *place, *what;
    } bad[] = {
        {"a,0,9,8,2\n", "x.csv:2:9: ", "expected LO-HI"},
        {"a,0,9,8,-\n", "x.csv:2:9: ", "expected LO-HI"},
        {"a,0,9,8,2-\n", "x.csv:2:11: ", "gap to ''"},
        {"a,0,9,8,2-x\n", "x.csv:2:11: ", "gap to 'x'"},
        {"a,0,9,8,2-99999999999999999999\n", "x.csv:2:11: ", "fits in 64 bits"},
        {"a,0,9,8,2-4@\n", "x.csv:2:13: ", "expected FROM:TO"},
        {"a,0,9,8,2-4@1\n", "x.csv:2:13: ", "expected FROM:TO"},
        {"a,0,9,8,2-4@1:5:6\n", "x.csv:2:15: ", "gap to '5:6'"},
        {"a,0,9,8,2-4@1:5@2:3\n", "x.csv:2:15: ", "gap to '5@2:3'"},
        {"a,1,9,8,0-2\n", "x.csv:2:9: ", "inside the lifetime [1, 9)"},
        {"a,1,9,8,8-10\n", "x.csv:2:9: ", "inside the lifetime [1, 9)"},
        {"a,1,9,8,4-4\n", "x.csv:2:9: ", "inside the lifetime [1, 9)"},
        {"a,1,9,8,4-2\n", "x.csv:2:9: ", "inside the lifetime [1, 9)"},
        {"a,0,9,8,2-4@5:5\n", "x.csv:2:13: ", "some of the 8"},
        {"a,0,9,8,2-4@-1:5\n", "x.csv:2:13: ", "some of the 8"},
        {"a,0,9,8,2-4@4:9\n", "x.csv:2:13: ", "some of the 8"},
        {"a,0,9,8,5-7 2-4 3-6\n", "x.csv:2:17: ", "overlaps the one from 2"},
        {"a,0,9,8,0-4 4-9\n", "x.csv:2:9: ", "leave nothing"},
        {"a,0,9,0,2-4@0:1\n", "x.csv:2:13: ", "some of the 0"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct error error = {""};
        char *text = memory_printf("%s%s", HEADER, bad[i].row);

        ok(read_text(text, &error) == NULL, "refused: %s", bad[i].row);
        ok(strncmp(error.text, bad[i].place, strlen(bad[i].place)) == 0 &&
               strstr(error.text, bad[i].what) != NULL,
           "says where and what: %s", error.text);
        free(text);
    }
}

/* Pieces that a cell can't say: two stretches of bytes at a time.  */
static void holes(void)
{
    struct instance *instance = instance_new("holes"), *again;
    char *got;

    rows_add(instance, "a 0 2 0-8 + 2 4 0-2 + 2 5 6-8; b 0 3 1");
    instance_seal(instance, NULL, NULL);
    is_int((int64_t)instance_csv_widened(instance), 1, "one buffer has a hole");
    got = csv_of(instance);
    is_text(got, HEADER "a,0,5,8,4-5@6:8\nb,0,3,1,\n", "it is written without");
    again = read_text(got, NULL);
    is_int((int64_t)instance_csv_widened(again), 0, "and then has none");
    free(got);
    instance_free(again);
    instance_free(instance);
}

/* Random pieces, those of one time together without holes: reading what was
 * written and writing that again changes nothing, nor do load and width.  */
static void round_trip(void)
{
    struct rng *rng = rng_new(5);
    int cases = tap_tier(200, 2000), bad = 0;

    for (int i = 0; i < cases; i++) {
        struct instance *instance = instance_new("random"), *again;
        char *text, *text_again;

        for (int64_t b = rng_range(rng, 1, 6); b-- > 0;) {
            struct piece piece[6];
            size_t count = 0;
            int64_t at = rng_range(rng, -5, 5);

            for (int64_t p = rng_range(rng, 1, 6); p-- > 0; at += rng_range(rng, 1, 3)) {
                int64_t lo = rng_range(rng, 0, 4);

                piece[count++] = (struct piece){at, at + rng_range(rng, 1, 3), lo,
                                                lo + rng_range(rng, 1, 4), true};
                at = piece[count - 1].end - 1;
            }
            add_shape(instance, piece, count, rng_range(rng, 1, 2));
        }
        instance_seal(instance, NULL, NULL);
        text = csv_of(instance);
        again = read_text(text, NULL);
        text_again = csv_of(again);
        bad += strcmp(text, text_again) != 0 || again->width != instance->width ||
               again->load != instance->load || again->n != instance->n;
        free(text);
        free(text_again);
        instance_free(again);
        instance_free(instance);
    }
    is_int(bad, 0, "what was written reads back the same");
    rng_free(rng);
}

int main(void)
{
    meanings();
    inclusive();
    refused();
    holes();
    round_trip();
    return tap_done();
}
