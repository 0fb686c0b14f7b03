/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of a few elements by insertion, then merges from the bottom up.  */
#include <config.h>

#include "lib/base/sort.h"

#include <string.h>

#include "lib/base/memory.h"

enum { RUN = 8, LARGE = 256 };

struct sort {
    size_t size;
    int (*compare)(const void *, const void *);
};

/* SPARE has room for one element.  */
static void insert(const struct sort *sort, char *base, size_t count, char *spare)
{
    size_t size = sort->size;

    for (size_t i = 1; i < count; i++) {
        size_t at = i;

        while (at > 0 && sort->compare(base + (at - 1) * size, base + i * size) > 0)
            at--;
        if (at == i)
            continue;
        memcpy(spare, base + i * size, size);
        memmove(base + (at + 1) * size, base + at * size, (i - at) * size);
        memcpy(base + at * size, spare, size);
    }
}

/* Merges FROM[0..middle) and FROM[middle..count) to TO.  */
static void merge(const struct sort *sort, const char *from, size_t middle, size_t count, char *to)
{
    const char *a = from, *a_end = from + middle * sort->size, *b = a_end,
               *b_end = from + count * sort->size;

    for (; a < a_end && b < b_end; to += sort->size) {
        const char **next = sort->compare(a, b) <= 0 ? &a : &b;

        memcpy(to, *next, sort->size);
        *next += sort->size;
    }
    memcpy(to, a, (size_t)(a_end - a));
    memcpy(to + (a_end - a), b, (size_t)(b_end - b));
}

void sort_stable(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    struct sort sort = {size, compare};
    char *from = base, *spare, *to, one[LARGE];

    if (count <= RUN && size <= LARGE) {
        insert(&sort, from, count, one);
        return;
    }
    to = spare = memory_alloc(count, size);
    for (size_t i = 0; i < count; i += RUN)
        insert(&sort, from + i * size, count - i < RUN ? count - i : (size_t)RUN, spare);
    for (size_t run = RUN; run < count; run *= 2) {
        char *swap = from;

        for (size_t i = 0; i < count; i += 2 * run) {
            size_t left = count - i;

            merge(&sort, from + i * size, left < run ? left : run, left < 2 * run ? left : 2 * run,
                  to + i * size);
        }
        from = to;
        to = swap;
    }
    if (from != base)
        memcpy(base, from, count * size);
    memory_free(spare);
}
