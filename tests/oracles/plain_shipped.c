/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/oracles/plain_shipped.h"

#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/oracles/plain_planners.h"

static int64_t end_of(const struct instance *instance, const struct plan *plan, size_t b)
{
    return plan->offset[b] + instance->buffer[b].size;
}

static bool openvino_before(const struct instance *instance, size_t a, size_t b)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];

    if (x->size != y->size)
        return x->size > y->size;
    return x->begin != y->begin ? x->begin < y->begin : x->end < y->end;
}

/* Lifts buffer B above all of PLACED[0..count) that it meets, until a pass lifts it no more.  */
static void lift(const struct instance *instance, const size_t *placed, size_t count, size_t b,
                 struct plan *plan)
{
    const struct buffer *buffer = instance->buffer;
    bool lifted = true;

    plan->offset[b] = 0;
    while (lifted) {
        lifted = false;
        for (size_t i = 0; i < count; i++) {
            size_t other = placed[i];

            if (!buffers_overlap_in_time(&buffer[other], &buffer[b]) ||
                end_of(instance, plan, other) <= plan->offset[b] ||
                end_of(instance, plan, b) <= plan->offset[other])
                continue;
            plan->offset[b] = align_up(end_of(instance, plan, other), buffer[b].alignment);
            lifted = true;
        }
    }
}

void plain_openvino(const struct instance *instance, struct plan *plan)
{
    size_t *order = plain_order(instance, openvino_before, false);

    for (size_t i = 0; i < instance->n; i++)
        lift(instance, order, i, order[i], plan);
    plan->peak = plan_peak(instance, plan);
    free(order);
}
