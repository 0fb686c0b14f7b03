/* Instances: load, width, pieces, faults, ids.  */
#include <config.h>

#include "lib/instance.h"

#include <stdlib.h>
#include <string.h>

#include "lib/plan.h"
#include "tests/tap.h"

static void rectangles(void)
{
    struct instance *instance = instance_new("three");
    struct error error;

    /* a and b touch at step 2: half-open, so they are never alive together.  */
    instance_add(instance, "a", 0, 2, 10, 1);
    instance_add(instance, "b", 2, 4, 7, 1);
    instance_add(instance, "c", 1, 3, 5, 1);
    instance_add(instance, "nothing", 0, 9, 0, 1);
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
    const struct piece chain[] = {{0, 3, 0, 8, true}, {2, 5, 0, 4, true}};
    struct instance *instance = instance_new("pieces"), *joined;
    struct error error;

    instance_add_pieces(instance, "chain", chain, 2, 1);
    instance_add(instance, "late", 3, 5, 6, 1);
    ok(instance_seal(instance, NULL, &error), "pieces seal");
    is_int(instance->load, 10, "load speaks of pieces (4 + 6 at step 3)");
    is_int(instance->width, 2, "a chain is one buffer");
    ok(instance->shapes, "not a rectangle");
    joined = instance_joined(instance);
    is_int(joined->load, 14, "load of the bounding rectangles");
    instance_free(joined);
    instance_free(instance);
}

static void faults(void)
{
    static const struct {
        int64_t begin, end, size, alignment;
        const char *what;
    } bad[] = {
        {3, 3, 1, 1, "is empty"}, {4, 3, 1, 1, "is empty"},          {0, 1, -5, 1, "is negative"},
        {0, 1, 1, 0, "below 1"},  {0, 1, INT64_MAX, 1, "overflows"}, {5, 5, 0, 1, "is empty"},
    };
    struct instance_fault fault;
    struct error error;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct instance *instance = instance_new("bad");

        instance_add(instance, "good", 0, 1, 1, 1);
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
    struct error error;
    char *id;

    instance_add(instance, "x", 0, 1, 1, 1);
    instance_add(instance, "y", 0, 1, 1, 1);
    instance_add(instance, "x", 0, 1, 1, 1);
    instance_add(instance, "x_2", 0, 1, 1, 1);
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
    struct instance *instance = instance_new("objects");
    struct error error;
    struct plan *plan, *copy;

    instance_add(instance, "a", 0, 2, 10, 1);
    instance_add(instance, "b", 2, 4, 7, 8);
    instance_add(instance, "c", 1, 3, 5, 8);
    instance_seal(instance, NULL, &error);
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

int main(void)
{
    rectangles();
    pieces();
    faults();
    duplicate_ids();
    objects();
    return tap_done();
}
