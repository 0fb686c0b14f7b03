/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/problem/plan.h"

#include <assert.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"

struct plan *plan_new(const struct instance *instance)
{
    struct plan *plan = memory_zalloc(1, sizeof *plan);

    plan->n = instance->n;
    plan->offset = memory_zalloc(plan->n, sizeof *plan->offset);
    return plan;
}

void plan_free(struct plan *plan)
{
    if (plan == NULL)
        return;
    memory_free(plan->offset);
    memory_free(plan->object);
    memory_free(plan->object_size);
    memory_free(plan);
}

void plan_use_objects(struct plan *plan, enum layout layout)
{
    plan->layout = layout;
    if (plan->object == NULL) {
        plan->object = memory_zalloc(plan->n, sizeof *plan->object);
        plan->object_size = memory_zalloc(plan->n, sizeof *plan->object_size);
    }
}

void plan_copy(struct plan *to, const struct plan *from)
{
    int64_t *offset = to->offset;
    size_t *object;
    int64_t *object_size;

    assert(to->n == from->n);
    memcpy(offset, from->offset, from->n * sizeof *offset);
    if (from->object != NULL) {
        plan_use_objects(to, from->layout);
        memcpy(to->object, from->object, from->n * sizeof *from->object);
        memcpy(to->object_size, from->object_size, from->objects * sizeof *from->object_size);
    }
    object = to->object;
    object_size = to->object_size;
    *to = *from;
    to->offset = offset;
    to->object = object;
    to->object_size = object_size;
}

int64_t plan_peak(const struct instance *instance, const struct plan *plan)
{
    int64_t peak = 0;

    assert(plan->n == instance->n);
    for (size_t b = 0; b < instance->n; b++)
        peak = max64(peak, plan->offset[b] + instance->buffer[b].size);
    return peak;
}

/* A start that suits both alignments.  Where the least common multiple does not
 * fit (alignments are any numbers), 0 is the only offset that suits, and the
 * verifier refuses what can't be helped.  */
static int64_t common_multiple(int64_t a, int64_t b)
{
    int64_t multiple;

    return checked_lcm(a, b, &multiple) ? multiple : max64(a, b);
}

/* Puts an object on *TOP and returns where it starts.  One that does not fit
 * in 64 bits starts at 0, for the verifier to refuse: sealing an instance makes
 * sure of sums of alignments, not of their multiples.  */
static int64_t stack_object(int64_t *top, int64_t alignment, int64_t size)
{
    int64_t rest = *top % alignment, start = *top;

    if (rest != 0 && !checked_add(start, alignment - rest, &start))
        return 0;
    return checked_add(start, size, top) ? start : 0;
}

void plan_stack_objects(const struct instance *instance, struct plan *plan)
{
    int64_t *alignment = memory_alloc(plan->objects, sizeof *alignment);
    int64_t *start = memory_alloc(plan->objects, sizeof *start);
    int64_t top = 0;

    assert(plan->n == instance->n && plan->object != NULL && plan->objects <= plan->n);
    for (size_t o = 0; o < plan->objects; o++) {
        plan->object_size[o] = 0;
        alignment[o] = 1;
    }
    for (size_t b = 0; b < plan->n; b++) {
        size_t o = plan->object[b];

        plan->object_size[o] = max64(plan->object_size[o], instance->buffer[b].size);
        alignment[o] = common_multiple(alignment[o], instance->buffer[b].alignment);
    }
    for (size_t o = 0; o < plan->objects; o++)
        start[o] = stack_object(&top, alignment[o], plan->object_size[o]);
    for (size_t b = 0; b < plan->n; b++)
        plan->offset[b] = start[plan->object[b]];
    plan->peak = plan_peak(instance, plan);
    memory_free(start);
    memory_free(alignment);
}

static const char *const layout_names[] = {"arena", "objects", "separate"};
static const char *const outcome_names[] = {"invalid", "optimal",  "timeout",  "memout",
                                            "crashed", "feasible", "measured", "skipped"};

const char *layout_name(enum layout layout)
{
    return layout_names[layout];
}

const char *outcome_name(enum outcome outcome)
{
    return outcome_names[outcome];
}

bool outcome_from_name(const char *name, enum outcome *outcome)
{
    for (size_t i = 0; i < sizeof outcome_names / sizeof outcome_names[0]; i++)
        if (strcmp(name, outcome_names[i]) == 0) {
            *outcome = (enum outcome)i;
            return true;
        }
    return false;
}
