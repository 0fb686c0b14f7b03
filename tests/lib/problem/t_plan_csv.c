/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans as CSV: which are plans of an instance, what is refused and where the
 * message points, and that what was written reads back the same.  */
#include <config.h>

#include "lib/problem/plan_csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/instances.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"

#define HEADER "id,lower,upper,size,offset\n"

static struct instance *three_and_nothing(void)
{
    return instance_of_rows("a 0 2 10; b 2 4 7; nothing 0 9 0; c 1 3 5");
}

static struct plan *read_text(const char *text, const struct instance *instance,
                              struct error *error)
{
    FILE *in = scratch_text(text);
    struct plan *plan = plan_csv_read(in, "p.csv", instance, error);

    fclose(in);
    return plan;
}

/* Each text puts a at 0, b at 1 and c at 10.  */
static void accepted(void)
{
    static const struct {
        const char *what, *text;
    } good[] = {
        {"the plain form", HEADER "a,0,2,10,0\nb,2,4,7,1\nc,1,3,5,10\n"},
        {"with its empty buffer", HEADER "a,0,2,10,0\nb,2,4,7,1\nc,1,3,5,10\nnothing,0,9,0,77\n"},
        {"in any order", HEADER "c,1,3,5,10\nnothing,0,9,0,0\na,0,2,10,0\nb,2,4,7,1\n"},
        {"ids and offsets alone", "offset,buffer\n1,b\n0,a\n10,c\n"},
        {"inclusive ends", "id,begin,end,size,offset\na,0,1,10,0\nb,2,3,7,1\nc,1,2,5,10\n"},
        {"with alignment and hint, as MiniMalloc writes it",
         "id,lower,upper,size,alignment,hint,offset\n"
         "a,0,2,10,1,-1,0\nb,2,4,7,1,-1,1\nc,1,3,5,1,-1,10\n"},
        {"CRLF and a byte-order mark", "\xEF\xBB\xBFid,offset\r\na,0\r\nb,1\r\nc,10\r\n\r\n"},
    };
    struct instance *instance = three_and_nothing();

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct error error = {""};
        struct plan *plan = read_text(good[i].text, instance, &error);

        if (!ok(plan != NULL && plan->offset[0] == 0 && plan->offset[1] == 1 &&
                    plan->offset[2] == 10 && plan->peak == 15 && plan->layout == LAYOUT_ARENA,
                "accepted: %s", good[i].what))
            tap_diag("%s", error.text);
        plan_free(plan);
    }
    instance_free(instance);
}

static void refused(void)
{
    static const struct {
        const char *text, *place, *what;
    } bad[] = {
        {"", "p.csv:1:1: ", "no header"},
        {"id,lower,upper,size\na,0,2,10\n", "p.csv:1:20: ", "no column 'offset'"},
        {"lower,upper,size,offset\n", "p.csv:1:24: ", "no column 'id'"},
        {"id,offset,gaps\n", "p.csv:2:1: ", "without the buffer 'a' (missing: 3)"},
        {"id,offset,color\n", "p.csv:1:11: ", "unknown column"},
        {"id,offset,offset\n", "p.csv:1:11: ", "repeats"},
        {"id,offset\n", "p.csv:2:1: ", "without the buffer 'a' (missing: 3)"},
        {"id,offset\na,0\nc,10\n", "p.csv:4:1: ", "without the buffer 'b' (missing: 1)"},
        {"id,offset\na,0\nc,10\n\n\n", "p.csv:4:1: ", "without the buffer 'b' (missing: 1)"},
        {"id,offset\na,0\nb,1\nd,10\n", "p.csv:4:1: ", "no buffer 'd'"},
        {"id,offset\na,0\nb,1\nc,10\n, 3\n", "p.csv:5:1: ", "no buffer ''"},
        {"id,offset\na,0\nb,1\na,10\n", "p.csv:4:1: ", "'a' is already in line 2"},
        {"id,offset\nnothing,0\nb,1\nnothing,10\n", "p.csv:4:1: ", "already in line 2"},
        {"id,offset\na,zero\n", "p.csv:2:3: ", "offset 'zero'"},
        {"id,offset\na,\n", "p.csv:2:3: ", "offset ''"},
        {"id,offset\na,9223372036854775808\n", "p.csv:2:3: ", "64 bits"},
        {"id,offset\na,9223372036854775800\n", "p.csv:2:3: ", "overflows"},
        {"id,offset\na,0\n\nb,1\n", "p.csv:4:1: ", "data after the empty line 3"},
        {HEADER "a,1,2,10,0\n", "p.csv:2:3: ", "not a plan of this instance: the begin of 'a'"},
        {HEADER "a,0,3,10,0\n", "p.csv:2:5: ", "the half-open end of 'a' is 3; expected 2"},
        {"id,lower,end,size,offset\na,0,2,10,0\n", "p.csv:2:5: ", "end of 'a' is 3; expected 2"},
        {HEADER "a,0,2,11,0\n", "p.csv:2:7: ", "the size of 'a' is 11; expected 10"},
        {HEADER "nothing,0,9,1,0\n", "p.csv:2:13: ", "the size of 'nothing' is 1"},
        {HEADER "a,0,2,10\n", "p.csv:2:9: ", "4 cells; expected 5"},
    };
    struct instance *instance = three_and_nothing();

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct error error = {""};
        struct plan *plan = read_text(bad[i].text, instance, &error);

        if (!ok(plan == NULL && strncmp(error.text, bad[i].place, strlen(bad[i].place)) == 0 &&
                    strstr(error.text, bad[i].what) != NULL,
                "refused at %s%s", bad[i].place, bad[i].what))
            tap_diag("%s", error.text);
        plan_free(plan);
    }
    instance_free(instance);
}

static void extremes(void)
{
    struct instance *instance = three_and_nothing(), *none = instance_new("none");
    struct plan *plan =
        read_text("id,offset\na,-9223372036854775808\nb,-1\nc,-5\n", instance, NULL);

    ok(plan != NULL && plan->offset[0] == INT64_MIN,
       "negative offsets are the verifier's business");
    is_int(plan != NULL ? plan->peak : -1, 6, "the peak is computed from what is there");
    plan_free(plan);
    sealed(none);
    plan = read_text("id,offset\n", none, NULL);
    ok(plan != NULL && plan->peak == 0, "the plan of an empty instance");
    plan_free(plan);
    instance_free(none);
    instance_free(instance);
}

static void written(void)
{
    struct instance *instance = three_and_nothing();
    struct plan *plan = read_text("id,offset\nc,10\na,0\nb,1\n", instance, NULL);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    ok(plan_csv_write(out, instance, plan), "written");
    fclose(out);
    is_text(text, HEADER "a,0,2,10,0\nb,2,4,7,1\nc,1,3,5,10\nnothing,0,9,0,0\n",
            "in the instance's order, empty buffers last at 0");
    free(text);
    plan_free(plan);
    instance_free(instance);
}

/* Random offsets, rows shuffled, survive the way out and in.  */
static void round_trip(void)
{
    struct rng *rng = rng_new(3);
    int bad = 0;

    for (int i = 0; i < tap_tier(50, 500); i++) {
        struct instance *instance = instance_new("random");
        int64_t n = rng_range(rng, 0, 30);
        struct plan *plan, *again;
        FILE *file = tmpfile();

        for (int64_t b = 0; b < n; b++) {
            char *id = memory_printf("t%d", (int)((b * 17) % 31));

            instance_add(instance, id, b, b + 3, rng_range(rng, 0, 4), 1);
            free(id);
        }
        sealed(instance);
        plan = plan_new(instance);
        for (size_t b = 0; b < instance->n; b++)
            plan->offset[b] = rng_range(rng, -5, INT64_C(1) << 40);
        plan->peak = plan_peak(instance, plan);
        bad += !plan_csv_write(file, instance, plan);
        rewind(file);
        again = plan_csv_read(file, "again.csv", instance, NULL);
        bad += again == NULL || again->peak != plan->peak ||
               memcmp(again->offset, plan->offset, plan->n * sizeof *plan->offset) != 0;
        fclose(file);
        plan_free(again);
        plan_free(plan);
        instance_free(instance);
    }
    is_int(bad, 0, "what was written reads back the same");
    rng_free(rng);
}

int main(void)
{
    accepted();
    refused();
    extremes();
    written();
    round_trip();
    return tap_done();
}
