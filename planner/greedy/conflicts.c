/* SPDX-License-Identifier: Apache-2.0 */
/* Of n buffers, those that begin after b's last step and those that end before
 * its first one do not meet it, and none does both.  On the time axis, which
 * keeps the steps at which some buffer begins, both are sums over a prefix.  */
#include <config.h>

#include "planner/greedy/conflicts.h"

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "planner/greedy/time_axis.h"

size_t *conflict_counts(const struct instance *instance)
{
    size_t n = instance->n, *count = memory_alloc(n, sizeof *count);
    struct time_axis axis;
    size_t *begun, *ended; /* before step s: entry s; a step is one of the axis */

    time_axis_init(&axis, instance);
    begun = memory_zalloc(axis.steps + 1, sizeof *begun);
    ended = memory_zalloc(axis.steps + 1, sizeof *ended);
    for (size_t b = 0; b < n; b++) {
        begun[axis.first[b] + 1]++;
        ended[axis.last[b] + 1]++;
    }
    for (size_t s = 0; s < axis.steps; s++) {
        begun[s + 1] += begun[s];
        ended[s + 1] += ended[s];
    }
    for (size_t b = 0; b < n; b++)
        count[b] = begun[axis.last[b] + 1] - ended[axis.first[b]] - 1;
    memory_free(begun);
    memory_free(ended);
    time_axis_clear(&axis);
    return count;
}
