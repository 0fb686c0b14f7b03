/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/greedy/time_axis.h"

#include "lib/base/bisect.h"
#include "lib/base/check.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "planner/greedy/order.h"

/* The last of the distinct begins STEP[from..steps) that is before END; the
 * one at FROM is.  Doubling strides first: most lives are short.  */
static size_t last_before(const int64_t *step, size_t steps, size_t from, int64_t end)
{
    size_t low = from, high = from + 1, stride = 1;

    while (high < steps && step[high] < end) {
        low = high;
        high = steps - high > stride ? high + stride : steps;
        stride *= 2;
    }
    return BISECT(i, low + 1, high, step[i] < end) - 1;
}

/* STEP[0..steps) are the begins, each once.  */
static void check_axis(const struct time_axis *axis, const struct instance *instance,
                       const int64_t *step)
{
    for (size_t s = 1; s < axis->steps; s++)
        CHECK(step[s - 1] < step[s], "time axis", "steps ascend");
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        CHECK(axis->first[b] <= axis->last[b] && axis->last[b] < axis->steps, "time axis",
              "a buffer lives at some step");
        CHECK(step[axis->first[b]] == buffer->begin, "time axis", "its first step is its begin");
        CHECK(step[axis->last[b]] < buffer->end, "time axis", "its last step is before its end");
        CHECK(axis->last[b] + 1 == axis->steps || step[axis->last[b] + 1] >= buffer->end,
              "time axis", "the step after its last one is not before its end");
    }
}

/* What is sorted is freed before there is room for the steps.  */
void time_axis_init(struct time_axis *axis, const struct instance *instance)
{
    size_t n = instance->n, steps = 0;
    struct order_key *begin;
    int64_t *step;

    if (n > UINT32_MAX)
        memory_exhausted();
    begin = memory_alloc(n, sizeof *begin);
    for (size_t b = 0; b < n; b++)
        begin[b] = (struct order_key){key_ascending(instance->buffer[b].begin), 0, b};
    order_sort(begin, n);
    axis->first = memory_alloc(n, sizeof *axis->first);
    axis->last = memory_alloc(n, sizeof *axis->last);
    for (size_t i = 0; i < n; i++) {
        steps += i == 0 || begin[i].major != begin[i - 1].major;
        axis->first[begin[i].index] = (uint32_t)(steps - 1);
    }
    memory_free(begin);
    step = memory_alloc(steps, sizeof *step);
    for (size_t b = 0; b < n; b++)
        step[axis->first[b]] = instance->buffer[b].begin;
    for (size_t b = 0; b < n; b++)
        axis->last[b] = (uint32_t)last_before(step, steps, axis->first[b], instance->buffer[b].end);
    axis->steps = steps;
    CHECK_INVARIANT(check_axis(axis, instance, step));
    memory_free(step);
}

void time_axis_clear(struct time_axis *axis)
{
    memory_free(axis->first);
    memory_free(axis->last);
    *axis = (struct time_axis){0};
}
