#include <config.h>

#include "solvers/fit/busy_objects.h"

#include <stdlib.h>

#include "lib/base/memory.h"

static bool before(struct busy_object a, struct busy_object b)
{
    return a.end != b.end ? a.end < b.end : a.object < b.object;
}

void busy_objects_clear(struct busy_objects *busy)
{
    free(busy->entry);
    *busy = (struct busy_objects){0};
}

void busy_objects_add(struct busy_objects *busy, int64_t end, size_t object)
{
    struct busy_object added = {end, object};
    size_t at = busy->count;

    busy->entry = memory_grow(busy->entry, &busy->capacity, ++busy->count, sizeof *busy->entry);
    for (; at > 0 && before(added, busy->entry[(at - 1) / 2]); at = (at - 1) / 2)
        busy->entry[at] = busy->entry[(at - 1) / 2];
    busy->entry[at] = added;
}

bool busy_objects_take(struct busy_objects *busy, int64_t now, size_t *object)
{
    struct busy_object last;
    size_t at = 0, child;

    if (busy->count == 0 || busy->entry[0].end > now)
        return false;
    *object = busy->entry[0].object;
    last = busy->entry[--busy->count];
    for (; (child = 2 * at + 1) < busy->count; at = child) {
        if (child + 1 < busy->count && before(busy->entry[child + 1], busy->entry[child]))
            child++;
        if (!before(busy->entry[child], last))
            break;
        busy->entry[at] = busy->entry[child];
    }
    busy->entry[at] = last;
    return true;
}
