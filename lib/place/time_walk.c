/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/place/time_walk.h"

#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/problem/instance.h"

void time_walk_init(struct time_walk *walk, const struct instance *instance, const size_t *equal)
{
    size_t n = instance->n;

    *walk = (struct time_walk){.instance = instance,
                               .begin = memory_alloc(n, sizeof *walk->begin),
                               .end = memory_alloc(n, sizeof *walk->end)};
    for (size_t i = 0; i < n; i++) {
        size_t b = equal == NULL ? i : equal[i];

        walk->begin[i] = (struct order_key){instance->buffer[b].first, 0, b};
    }
    order_sort(walk->begin, n);
    for (size_t i = 0; i < n; i++) {
        size_t b = walk->begin[i].index;

        walk->end[i] = (struct order_key){key_ascending(instance->buffer[b].end), 0, b};
    }
    order_sort(walk->end, n);
    for (size_t i = 0; i < n; i++) /* what is compared is the axis */
        walk->end[i].major = instance->buffer[walk->end[i].index].last;
}

void time_walk_clear(struct time_walk *walk)
{
    memory_free(walk->begin);
    memory_free(walk->end);
}

bool time_walk_next(struct time_walk *walk, size_t *b)
{
    if (walk->begun == walk->instance->n)
        return false;
    *b = walk->begin[walk->begun++].index;
    return true;
}

/* The one that has just begun goes on, so there always is another end.  */
bool time_walk_ended(struct time_walk *walk, size_t *b)
{
    if (walk->end[walk->ended].major >= walk->begin[walk->begun - 1].major)
        return false;
    *b = walk->end[walk->ended++].index;
    return true;
}

size_t time_moments(const struct instance *instance, size_t *begin, size_t *end)
{
    size_t n = instance->n, count = 0;
    struct order_key *time = memory_alloc(2 * n, sizeof *time);

    for (size_t b = 0; b < n; b++) {
        time[b] = (struct order_key){key_ascending(instance->buffer[b].begin), 0, b};
        time[n + b] = (struct order_key){key_ascending(instance->buffer[b].end), 0, n + b};
    }
    order_sort(time, 2 * n);
    for (size_t i = 0; i < 2 * n; i++) {
        count += i == 0 || time[i].major != time[i - 1].major;
        *(time[i].index < n ? &begin[time[i].index] : &end[time[i].index - n]) = count - 1;
    }
    memory_free(time);
    return count;
}
