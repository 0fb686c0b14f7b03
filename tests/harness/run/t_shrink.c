/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instances made smaller: the property stays, and nothing that is left is superfluous.  */
#include <config.h>

#include "harness/run/shrink.h"

#include <string.h>

#include "harness/run/random_rows.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* A property, and how often it was asked for.  */
struct asked {
    shrink_test *has;
    int times;
};

static bool ask(void *context, const struct instance *instance)
{
    struct asked *asked = context;

    asked->times++;
    return asked->has(NULL, instance);
}

static bool load_above_1000(void *context, const struct instance *instance)
{
    (void)context;
    return instance->load > 1000 && instance->width >= 2;
}

static bool aligned_to_16(void *context, const struct instance *instance)
{
    (void)context;
    return instance->max_alignment >= 16;
}

static bool never(void *context, const struct instance *instance)
{
    (void)context;
    (void)instance;
    return false;
}

static bool above_the_load(void *context, const struct instance *instance)
{
    (void)context;
    return run_solver_peak("first-fit-by-size", instance) > instance->load;
}

static struct instance *drawn(int64_t index)
{
    static const struct random_rows rows = {.buffers = 30, .alignment = 64};
    struct rng *rng = rng_new((uint32_t)index + 1);
    struct instance *instance = random_rows_draw(&rows, rng, index);

    rng_free(rng);
    return instance;
}

/* The first random instance that has the property, made smaller.  */
static struct instance *shrunk(shrink_test *has)
{
    for (int64_t index = 0;; index++) {
        struct instance *instance = drawn(index), *small = NULL;
        struct asked asked = {has, 0};

        if (instance->n > 8 && has(NULL, instance))
            small = shrink_instance(instance, ask, &asked);
        instance_free(instance);
        if (small != NULL)
            return small;
    }
}

static void to_the_least(void)
{
    struct instance *small = shrunk(load_above_1000);

    is_int((int64_t)small->n, 2, "a width of 2 needs two buffers");
    is_int(small->total, 1001, "a load above 1000 needs 1001 bytes");
    ok(small->buffer[0].end - small->buffer[0].begin == 1 &&
           small->buffer[1].end - small->buffer[1].begin == 1,
       "and one step");
    is_int(small->max_alignment, 1, "and no alignments");
    instance_free(small);
    small = shrunk(aligned_to_16);
    ok(small->n == 1 && small->total == 1 && small->max_alignment == 16,
       "an alignment of 16 needs a byte: %zu buffers, alignment %d", small->n,
       (int)small->max_alignment);
    ok(small->buffer[0].begin == 0 && small->buffer[0].end == 1, "in step 0");
    instance_free(small);
}

/* Without buffer I, or with BYTES less in it.  */
static struct instance *less(const struct instance *instance, size_t i, int64_t bytes)
{
    struct instance *smaller = instance_new("less");

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        if (b != i || bytes > 0)
            instance_add(smaller, buffer->id, buffer->begin, buffer->end,
                         buffer->size - (b == i ? bytes : 0), buffer->alignment);
    }
    return sealed(smaller);
}

/* Whether SMALL has the property no more without any of its buffers, or a byte of one.  */
static bool all_needed(const struct instance *small)
{
    for (size_t i = 0; i < small->n; i++)
        for (int64_t bytes = 0; bytes <= (small->buffer[i].size > 1); bytes++) {
            struct instance *smaller = less(small, i, bytes);
            bool still = above_the_load(NULL, smaller);

            instance_free(smaller);
            if (still)
                return false;
        }
    return true;
}

static void nothing_superfluous(void)
{
    int shrinkable = 0, good = 0;

    for (int64_t index = 0; index < tap_tier(20, 100); index++) {
        struct instance *instance = drawn(index), *small;
        struct asked asked = {above_the_load, 0};

        if (above_the_load(NULL, instance)) {
            small = shrink_instance(instance, ask, &asked);
            shrinkable++;
            good += above_the_load(NULL, small) && all_needed(small);
            instance_free(small);
        }
        instance_free(instance);
    }
    ok(shrinkable > 0, "%d instances whose plan is above the load", shrinkable);
    is_int(good, shrinkable, "each buffer and byte that is left is needed");
}

static void unchanged(void)
{
    struct instance *instance = drawn(0);
    struct asked asked = {never, 0};
    struct instance *same = shrink_instance(instance, ask, &asked);

    ok(instance_checksum(same) == instance_checksum(instance) &&
           strcmp(same->name, instance->name) == 0,
       "where no smaller one has the property the instance stays");
    ok(asked.times > 0 && asked.times < 20000, "and the search ends (%d questions)", asked.times);
    instance_free(same);
    instance_free(instance);
}

int main(void)
{
    to_the_least();
    nothing_superfluous();
    unchanged();
    return tap_done();
}
