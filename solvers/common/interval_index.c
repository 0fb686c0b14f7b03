/* A tree over the buffers by begin.  Those that begin before END are a prefix; of
 * these the ones that end after BEGIN are found by going down only where the latest
 * end is late enough.  */
#include <config.h>

#include "solvers/common/interval_index.h"

#include <stdlib.h>

#include "lib/checked.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "solvers/common/order.h"

enum { MOST_LEVELS = 65 };

void interval_index_init(struct interval_index *index, const struct instance *instance)
{
    struct order_key *key = memory_alloc(instance->n, sizeof *key);

    index->instance = instance;
    for (index->leaves = 1; index->leaves < instance->n;)
        index->leaves *= 2;
    index->by_begin = memory_alloc(instance->n, sizeof *index->by_begin);
    index->place = memory_alloc(instance->n, sizeof *index->place);
    index->latest = memory_alloc(2 * index->leaves, sizeof *index->latest);
    for (size_t b = 0; b < instance->n; b++)
        key[b] = (struct order_key){key_ascending(instance->buffer[b].begin), 0, b};
    order_sort(key, instance->n);
    for (size_t i = 0; i < instance->n; i++) {
        index->by_begin[i] = key[i].index;
        index->place[key[i].index] = i;
    }
    for (size_t v = 0; v < 2 * index->leaves; v++)
        index->latest[v] = INT64_MIN;
    free(key);
}

void interval_index_clear(struct interval_index *index)
{
    free(index->by_begin);
    free(index->place);
    free(index->latest);
}

void interval_index_add(struct interval_index *index, size_t b)
{
    int64_t end = index->instance->buffer[b].end;

    for (size_t v = index->leaves + index->place[b]; v >= 1 && index->latest[v] < end; v /= 2)
        index->latest[v] = end;
}

void interval_index_remove(struct interval_index *index, size_t b)
{
    size_t v = index->leaves + index->place[b];

    index->latest[v] = INT64_MIN;
    for (v /= 2; v >= 1; v /= 2)
        index->latest[v] = max64(index->latest[2 * v], index->latest[2 * v + 1]);
}

size_t interval_index_find(const struct interval_index *index, int64_t begin, int64_t end,
                           size_t *found)
{
    size_t stack[MOST_LEVELS], depth = 0, count = 0;

    stack[depth++] = 1;
    while (depth > 0) {
        size_t v = stack[--depth];

        if (index->latest[v] <= begin)
            continue;
        if (v < index->leaves) {
            stack[depth++] = 2 * v + 1;
            stack[depth++] = 2 * v;
            continue;
        }
        /* By begin: all that follow begin too late when this one does.  */
        if (index->instance->buffer[index->by_begin[v - index->leaves]].begin >= end)
            break;
        found[count++] = index->by_begin[v - index->leaves];
    }
    return count;
}
