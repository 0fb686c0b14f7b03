/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include <stdbool.h>

#include "lib/base/check.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

static bool pieces_meet(const struct piece *a, int64_t a_offset, const struct piece *b,
                        int64_t b_offset)
{
    return a->begin < b->end && b->begin < a->end && a_offset + a->lo < b_offset + b->hi &&
           b_offset + b->lo < a_offset + a->hi;
}

static bool buffers_meet(const struct instance *instance, const struct plan *plan, size_t a,
                         size_t b)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];

    if (!buffers_overlap_in_time(x, y))
        return false;
    for (size_t i = 0; i < x->pieces; i++)
        for (size_t k = 0; k < y->pieces; k++)
            if (pieces_meet(&instance->piece[x->first_piece + i], plan->offset[a],
                            &instance->piece[y->first_piece + k], plan->offset[b]))
                return true;
    return false;
}

void plan_check(const struct instance *instance, const struct plan *plan)
{
    CHECK(plan->n == instance->n, "plan", "it is one of its instance");
    for (size_t b = 0; b < plan->n; b++) {
        CHECK(plan->offset[b] >= 0, "plan", "offsets start at 0");
        CHECK(plan->offset[b] % instance->buffer[b].alignment == 0, "plan", "offsets are aligned");
        CHECK(instance->buffer[b].fixed < 0 || plan->offset[b] == instance->buffer[b].fixed, "plan",
              "fixed buffers lie where they are fixed");
        if (check_due(b, instance->n))
            for (size_t other = 0; other < instance->n; other++)
                CHECK(other == b || !buffers_meet(instance, plan, b, other), "plan",
                      "no two buffers meet");
    }
    CHECK(plan->peak == plan_peak(instance, plan), "plan", "its peak is its highest end");
}
