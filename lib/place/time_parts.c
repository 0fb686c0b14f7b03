/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/place/time_parts.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

/* A part ends before a step at which nothing goes on that was alive before.  */
size_t time_parts(const struct instance *instance, size_t *part)
{
    size_t *number = memory_zalloc(instance->steps + 1, sizeof *number);
    size_t parts = 0;

    /* First how many live on into each step, by differences.  */
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        number[buffer->first + 1]++;
        number[buffer->last + 1]--; /* wraps around, and back when it is added up */
    }
    for (size_t s = 0, alive = 0; s < instance->steps; s++) {
        alive += number[s];
        parts += alive == 0;
        number[s] = parts - 1;
    }
    for (size_t b = 0; b < instance->n; b++)
        part[b] = number[instance->buffer[b].first];
    memory_free(number);
    return parts;
}

void time_parts_peaks(const struct instance *instance, const size_t *part, size_t parts,
                      const struct plan *plan, int64_t *peak)
{
    for (size_t p = 0; p < parts; p++)
        peak[p] = 0;
    for (size_t b = 0; b < instance->n; b++)
        peak[part[b]] = max64(peak[part[b]], plan->offset[b] + instance->buffer[b].size);
}
