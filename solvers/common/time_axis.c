#include <config.h>

#include "solvers/common/time_axis.h"

#include <stdint.h>
#include <stdlib.h>

#include "lib/instance.h"
#include "lib/memory.h"
#include "solvers/common/order.h"

void time_axis_init(struct time_axis *axis, const struct instance *instance)
{
    size_t n = instance->n, steps = 0;
    struct order_key *begin = memory_alloc(n, sizeof *begin);
    struct order_key *end = memory_alloc(n, sizeof *end);

    axis->first = memory_alloc(n, sizeof *axis->first);
    axis->last = memory_alloc(n, sizeof *axis->last);
    for (size_t b = 0; b < n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        begin[b] = (struct order_key){key_ascending(buffer->begin), 0, b};
        end[b] = (struct order_key){key_ascending(buffer->end), 0, b};
    }
    order_sort(begin, n);
    order_sort(end, n);
    /* Going through the ends as well: the last step of a buffer is the number
     * of distinct begins before its end, less one.  */
    for (size_t i = 0, ended = 0; i <= n; i++) {
        while (ended < n && (i == n || end[ended].major <= begin[i].major))
            axis->last[end[ended++].index] = steps - 1;
        if (i == n)
            break;
        if (i == 0 || begin[i].major != begin[i - 1].major)
            steps++;
        axis->first[begin[i].index] = steps - 1;
    }
    axis->steps = steps;
    free(begin);
    free(end);
}

void time_axis_clear(struct time_axis *axis)
{
    free(axis->first);
    free(axis->last);
    *axis = (struct time_axis){0};
}
