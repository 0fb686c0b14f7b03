/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instances: load, width, pieces, faults, ids.  */
#include <config.h>

#include "lib/problem/instance.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "lib/judge/verify.h"
#include "lib/problem/plan.h"
#include "tests/support/instances.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

static void rectangles(void)
{
    struct instance *instance = instance_new("three");
    struct error error = {""};

    /* a and b touch at step 2: half-open, so they are never alive together.  */
    rows_add(instance, "a 0 2 10; b 2 4 7; c 1 3 5; nothing 0 9 0");
    ok(instance_seal(instance, NULL, &error), "a plain instance seals");
    is_int(instance->load, 15, "load of touching buffers");
    is_int(instance->width, 2, "width");
    is_int(instance->total, 22, "sum of the sizes");
    is_int((int64_t)instance->n_empty, 1, "size 0 takes no part");
    is_int(instance_overlapping_pairs(instance), 2, "overlapping pairs");
    ok(!instance->shapes, "all rectangles");
    instance_free(instance);
}

static void pieces(void)
{
    /* An overwrite chain: 8 bytes in [0, 3), then 4 of them in [2, 5).  Step 2
     * is shared by both links and counts once.  */
    struct instance *instance = instance_new("pieces"), *joined;
    struct error error = {""};

    rows_add(instance, "chain 0 3 0-8 + 2 5 0-4; late 3 5 6");
    ok(instance_seal(instance, NULL, &error), "pieces seal");
    is_int(instance->load, 10, "load speaks of pieces (4 + 6 at step 3)");
    is_int(instance->width, 2, "a chain is one buffer");
    ok(instance->shapes, "not a rectangle");
    joined = instance_joined(instance);
    is_int(joined->load, 14, "load of the bounding rectangles");
    instance_free(joined);
    instance_free(instance);
}

static void rounding(void)
{
    struct instance *instance = instance_new("rounding"), *rounded;
    struct error error = {""};

    rows_add(instance, "a 0 2 1 4; b 1 3 64 12");
    instance_add(instance, "huge", 5, 6, INT64_MAX / 2 - 200, 1);
    ok(instance_seal(instance, NULL, &error), "seals");
    rounded = instance_rounded(instance, 64, 8, &error);
    is_int(rounded->buffer[0].size, 64, "a size is rounded up");
    is_int(rounded->buffer[1].size, 64, "a multiple stays");
    is_int(rounded->buffer[0].alignment, 8, "8 serves 4 and 8");
    is_int(rounded->buffer[1].alignment, 24, "24 serves 12 and 8");
    instance_free(rounded);
    rounded = instance_rounded(instance, 0, 0, &error);
    is_int((int64_t)(instance_checksum(rounded) - instance_checksum(instance)), 0,
           "nothing to round: the same");
    instance_free(rounded);
    rounded = instance_rounded(instance, INT64_MAX / 2 + 1, 1, &error);
    ok(rounded == NULL && error.text[0] != '\0', "sums that overflow: %s", error.text);
    instance_free(rounded);
    instance_free(instance);
}

static void faults(void)
{
    static const struct {
        int64_t begin, end, size, alignment;
        const char *what;
    } bad[] = {
        {3, 3, 1, 1, "is empty"},
        {4, 3, 1, 1, "is empty"},
        {0, 1, -5, 1, "is negative"},
        {0, 1, 1, 0, "below 1"},
        {0, 1, INT64_MAX, 1, "overflows"},
        {5, 5, 0, 1, "is empty"},
        /* Up to step 1 these are 2^63 steps, of which the opposite would fit.  */
        {INT64_MIN + 1, 0, 1, 1, "longer than 64 bits can say"},
    };
    struct instance_fault fault;
    struct error error = {""};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct instance *instance = instance_new("bad");

        rows_add(instance, "good 0 1 1");
        instance_add(instance, "bad", bad[i].begin, bad[i].end, bad[i].size, bad[i].alignment);
        ok(!instance_seal(instance, &fault, &error) && strstr(error.text, bad[i].what) != NULL,
           "refused: %s", bad[i].what);
        is_int((int64_t)fault.index, bad[i].size == 0 ? 0 : 1, "the fault is the second row");
        instance_free(instance);
    }
}

static void duplicate_ids(void)
{
    struct instance *instance = instance_new("twice");
    struct instance_fault fault;
    struct error error = {""};
    char *id;

    rows_add(instance, "x 0 1 1; y 0 1 1; x 0 1 1; x_2 0 1 1");
    ok(!instance_seal(instance, &fault, &error), "a repeated id is refused");
    is_int((int64_t)fault.index, 2, "at its second place");
    is_int((int64_t)fault.other, 0, "naming its first");
    instance_make_ids_unique(instance);
    ok(instance_seal(instance, NULL, &error), "suffixes make ids unique");
    is_text(instance->buffer[0].id, "x", "the first keeps its id");
    is_text(instance->buffer[2].id, "x_3", "a taken suffix is passed over");
    instance_free(instance);
    id = instance_clean_id("a b,c\"d/e:f.g-h_1");
    is_text(id, "a_b_c_d/e:f.g-h_1", "characters outside the set become '_'");
    free(id);
}

static void objects(void)
{
    struct instance *instance = instance_of_rows("a 0 2 10; b 2 4 7 8; c 1 3 5 8");
    struct plan *plan, *copy;
    plan = plan_new(instance);
    plan_use_objects(plan, LAYOUT_OBJECTS);
    plan->objects = 2;
    plan->object[0] = plan->object[1] = 0;
    plan->object[2] = 1;
    plan_stack_objects(instance, plan);
    is_int(plan->object_size[0], 10, "an object is as large as its largest tenant");
    is_int(plan->offset[2], 16, "the second object starts aligned");
    is_int(plan->peak, 21, "peak of the stacked objects");
    copy = plan_new(instance);
    plan_copy(copy, plan);
    ok(copy->offset != plan->offset && copy->object[2] == 1 && copy->peak == 21, "plan_copy");
    plan_free(copy);
    plan_free(plan);
    instance_free(instance);
}

/* Objects whose tenants' alignments have a common multiple near 2^62: four
 * of them do not fit, which is for the verifier to say.  */
static void objects_too_high(void)
{
    struct instance *instance = instance_new("multiples");
    struct error error = {""};
    struct plan *plan;

    for (int64_t b = 0; b < 8; b++) {
        char id[] = {(char)('a' + b), '\0'};
        int64_t begin = b % 2;

        instance_add(instance, id, begin, begin + 1, 1,
                     b % 2 == 0 ? INT64_C(2147483647) : INT64_C(2147483648));
    }
    ok(instance_seal(instance, NULL, &error), "alignments that are small in sum (%s)", error.text);
    plan = plan_new(instance);
    plan_use_objects(plan, LAYOUT_OBJECTS);
    plan->objects = 4;
    for (size_t b = 0; b < 8; b++)
        plan->object[b] = b / 2;
    plan_stack_objects(instance, plan);
    is_int(plan->offset[2], INT64_C(2147483647) << 31, "the second object starts at a multiple");
    ok(!verify_plan(instance, plan, &error), "objects that do not fit are refused: %s", error.text);
    plan_free(plan);
    instance_free(instance);
}

/* A copy that keeps some buffers, and what the checksum tells apart.  */
static void copies(void)
{
    const size_t keep[] = {2, 0};
    struct instance *instance = instance_new("copies"), *same, *subset;

    rows_add(instance, "a 0 2 10; b 2 4 7 8; c 1 3 5 8; none 1 3 0");
    sealed(instance);
    same = instance_joined(instance);
    subset = instance_subset(instance, keep, 2);
    ok(instance_checksum(same) == instance_checksum(instance) && same->n_empty == 1,
       "joining rectangles changes nothing");
    is_text(subset->buffer[0].id, "c", "a subset is in the order asked for");
    is_int(subset->load, 15, "and is sealed: load");
    is_int(subset->max_alignment, 8, "largest alignment");
    ok(instance_checksum(subset) != instance_checksum(instance), "other buffers, other checksum");
    instance_free(subset);
    subset = instance_subset(instance, (const size_t[]){0, 2, 1}, 3);
    ok(instance_checksum(subset) != instance_checksum(instance), "so does their order");
    instance_free(subset);
    instance_free(same);
    instance_free(instance);
}

/* Load, width and pairs against their definitions, step by step.  */
/* The order of the file goes with the pieces.  */
static void numbers(void)
{
    struct instance *instance = instance_new("numbers"), *subset;
    uint64_t unnumbered;

    rows_add(instance, "a 0 1 1; b 0 1 1; c 0 1 1");
    instance = sealed(instance);
    unnumbered = instance_checksum(instance);
    instance_number_pieces(instance, (const size_t[]){1, 2, 0});
    ok(instance_checksum(instance) != unnumbered, "another order of the file, other checksum");
    subset = instance_subset(instance, (const size_t[]){2, 0}, 2);
    ok(subset->number != NULL && subset->number[0] == 0 && subset->number[1] == 1,
       "a subset keeps the order of the file");
    instance_free(subset);
    instance_free(instance);
}

static void random_loads(void)
{
    int agreed = 0, runs = tap_tier(300, 3000);
    struct rng *rng = rng_new(11);

    for (int run = 0; run < runs; run++) {
        struct instance *instance = random_instance(
            rng, run % 2 == 0 ? RANDOM_UNIFORM : RANDOM_TIES, (size_t)rng_range(rng, 0, 12));
        int64_t load = 0, width = 0, pairs = 0;

        for (int64_t step = 0; step < 64; step++) {
            int64_t bytes = 0, count = 0;

            for (size_t b = 0; b < instance->n; b++)
                if (instance->buffer[b].begin <= step && step < instance->buffer[b].end) {
                    bytes += instance->buffer[b].size;
                    count++;
                }
            load = max64(load, bytes);
            width = max64(width, count);
        }
        for (size_t i = 0; i < instance->n; i++)
            for (size_t j = 0; j < i; j++)
                pairs += buffers_overlap_in_time(&instance->buffer[i], &instance->buffer[j]);
        agreed += load == instance->load && width == instance->width &&
                  pairs == instance_overlapping_pairs(instance);
        instance_free(instance);
    }
    is_int(agreed, runs, "load, width and pairs of %d random instances", runs);
    rng_free(rng);
}

int main(void)
{
    rectangles();
    pieces();
    rounding();
    faults();
    duplicate_ids();
    objects();
    objects_too_high();
    copies();
    numbers();
    random_loads();
    return tap_done();
}
