/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/fit/busy_objects.h"

#include <stdlib.h>

#include "lib/base/check.h"
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

static void check_heap(const struct busy_objects *busy)
{
    for (size_t i = 1; i < busy->count; i++)
        CHECK(!before(busy->entry[i], busy->entry[(i - 1) / 2]), "busy objects",
              "no object is free before the one above it in the heap");
}

void busy_objects_add(struct busy_objects *busy, int64_t end, size_t object)
{
    struct busy_object added = {end, object};
    size_t at = busy->count;

    busy->entry = memory_grow(busy->entry, &busy->capacity, ++busy->count, sizeof *busy->entry);
    for (; at > 0 && before(added, busy->entry[(at - 1) / 2]); at = (at - 1) / 2)
        busy->entry[at] = busy->entry[(at - 1) / 2];
    busy->entry[at] = added;
    CHECK_INVARIANT(check_heap(busy));
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
    CHECK_INVARIANT(check_heap(busy));
    return true;
}
