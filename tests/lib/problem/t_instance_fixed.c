/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instances with fixed offsets: what is refused, load, checksum, copies.  */
#include <config.h>

#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/support/fixed_case.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

/* in [0, 2), fixed; free [0, 4); out [2, 4), fixed.  */
static struct instance *pinned(int64_t in, int64_t out)
{
    struct instance *instance = instance_new("pinned");

    rows_add(instance, "in 0 2 8 16; free 0 4 5 4; out 2 4 8");
    instance_fix(instance, 0, in);
    instance_fix(instance, 2, out);
    return instance;
}

static void loads(void)
{
    struct instance *instance = sealed(pinned(0, 3));

    is_int((int64_t)instance->fixed, 2, "fixed buffers are counted");
    is_int(instance->load, 13, "the load is the largest sum");
    is_int(instance->max_alignment, 4, "a fixed buffer is not aligned");
    instance_free(instance);
    instance = sealed(pinned(0, 33));
    is_int(instance->load, 41, "or the largest end of a fixed buffer");
    instance_free(instance);
}

static void refused(struct instance *instance, size_t index, const char *what)
{
    struct instance_fault fault;
    struct error error = {""};

    ok(!instance_seal(instance, &fault, &error) && strstr(error.text, what) != NULL, "refused: %s",
       error.text);
    is_int((int64_t)fault.index, (int64_t)index, "which is that row's fault");
    instance_free(instance);
}

static void faults(void)
{
    struct instance *instance = pinned(0, 7);
    struct instance_fault fault;

    refused(pinned(-2, 0), 0, "'in': fixed offset -2 is negative");
    refused(pinned(0, INT64_MAX - 7), 2,
            "'out': fixed offset 9223372036854775800 + size overflows");
    refused(pinned(0, INT64_MAX - 20), 0, "above the fixed ones, overflows 64 bits");
    rows_add(instance, "other 1 3 1");
    instance_fix(instance, 3, 7);
    ok(!instance_seal(instance, &fault, NULL), "two fixed buffers overlap");
    is_int((int64_t)fault.below, 0, "the fault names the other one");
    is_int((int64_t)fault.other, -1, "which has another id");
    refused(instance, 3,
            "'in' at [0, 8) and 'other' at [7, 8), whose offsets are fixed, overlap at step 1");
}

/* Which pairs of fixed buffers overlap, against the definition.  */
static void random_overlaps(void)
{
    struct rng *rng = rng_new(28);
    int runs = tap_tier(3000, 30000), agreed = 0, valid = 0;

    for (int run = 0; run < runs; run++) {
        struct instance *instance = instance_new("random");
        size_t n = (size_t)rng_range(rng, 1, 12);
        struct instance_fault fault;
        bool good;

        for (size_t b = 0; b < n; b++) {
            size_t count = (size_t)rng_range(rng, 1, 3);
            struct piece piece[3];

            for (size_t i = 0; i < count; i++) {
                int64_t begin = rng_range(rng, 0, 9), lo = rng_range(rng, 0, 2);

                piece[i] = (struct piece){begin, begin + rng_range(rng, 1, 3), lo, lo + 1, false};
            }
            add_shape(instance, piece, count, 1);
            if (rng_range(rng, 0, 2) > 0)
                instance_fix(instance, b, rng_range(rng, 0, 20));
        }
        good = instance_seal(instance, &fault, NULL);
        valid += good;
        agreed += good != fixed_case_overlaps(instance) &&
                  (good || (fault.below < fault.index && fault.index < n));
        instance_free(instance);
    }
    is_int(agreed, runs, "overlaps of %d random instances", runs);
    ok(valid > runs / 10 && valid < runs * 9 / 10, "%d of them have none", valid);
    rng_free(rng);
}

static void checksums(void)
{
    struct instance *plain = instance_new("plain"), *instance = sealed(pinned(0, 3));
    uint64_t without;

    rows_add(plain, "in 0 2 8; free 0 4 5 4; out 2 4 8");
    without = instance_checksum(sealed(plain));
    ok(instance_checksum(instance) != without, "a fixed offset changes the checksum");
    instance->buffer[2].fixed = 4;
    ok(instance_checksum(instance) != without, "and another one");
    instance->buffer[0].fixed = instance->buffer[2].fixed = -1;
    ok(instance_checksum(instance) == without, "without any it is what it was");
    instance_free(plain);
    instance_free(instance);
}

/* Two hooks that interlock, so that their rectangles overlap.  */
static struct instance *hooks(void)
{
    struct instance *instance = instance_new("hooks");

    rows_add(instance, "a 0 1 0-1 + 1 2 0-3; b 0 1 0-3 + 1 2 2-3");
    instance_fix(instance, 0, 2);
    instance_fix(instance, 1, 3);
    return instance;
}

static void copies(void)
{
    struct instance *instance = sealed(pinned(1, 3)), *copy;
    struct error error = {""};

    copy = instance_subset(instance, (const size_t[]){2, 1}, 2);
    is_int(copy->buffer[0].fixed, 3, "a subset keeps the offset");
    is_int(copy->buffer[1].fixed, -1, "and what has none");
    is_int((int64_t)copy->fixed, 1, "and counts them");
    instance_free(copy);
    copy = instance_joined(instance);
    ok(instance_checksum(copy) == instance_checksum(instance), "so do rectangles around buffers");
    instance_free(copy);
    copy = instance_rounded(instance, 16, 8, &error);
    is_int(copy->buffer[0].size, 8, "rounding leaves fixed buffers alone: size");
    is_int(copy->buffer[0].fixed, 1, "offset");
    is_int(copy->buffer[0].alignment, 1, "alignment");
    is_int(copy->buffer[1].size, 16, "and rounds the others");
    instance_free(copy);
    instance_free(instance);
    instance = sealed(hooks());
    ok(instance->load == 6, "fixed buffers may interlock");
    ok(instance_joined(instance) == NULL, "their rectangles may not");
    ok(instance_rounded(instance, 4, 1, &error) == NULL &&
           strstr(error.text, "'a' at [2, 5) and 'b' at [3, 6)") != NULL,
       "rounded: %s", error.text);
    instance_free(instance);
}

int main(void)
{
    loads();
    faults();
    random_overlaps();
    checksums();
    copies();
    return tap_done();
}
