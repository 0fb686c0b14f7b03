/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/place/sections.h"

#include <stdbool.h>

#include "lib/base/memory.h"
#include "lib/base/order.h"

static struct order_key *by_begin(const struct sections_span *span, size_t n)
{
    struct order_key *key = memory_alloc(n, sizeof *key);

    for (size_t i = 0; i < n; i++)
        key[i] = (struct order_key){key_ascending(span[i].begin), 0, i};
    order_sort(key, n);
    return key;
}

/* A section closes at an end that follows a begin: the set alive just before it is in no
 * larger one.  Ends come before begins of the same step.  */
size_t sections_find(struct sections_span *span, size_t n)
{
    struct order_key *begins = by_begin(span, n), *ends = memory_alloc(n, sizeof *ends);
    size_t began = 0, sections = 0;
    bool grown = false;

    for (size_t i = 0; i < n; i++)
        ends[i] = (struct order_key){key_ascending(span[i].end), 0, i};
    order_sort(ends, n);
    for (size_t ended = 0; ended < n; ended++) {
        for (; began < n && begins[began].major < ends[ended].major; grown = true)
            span[begins[began++].index].first = sections;
        sections += grown;
        grown = false;
        span[ends[ended].index].last = sections - 1;
    }
    memory_free(begins);
    memory_free(ends);
    return sections;
}

size_t *sections_list(const struct sections_span *span, size_t n, size_t count, size_t **member)
{
    size_t *start = memory_zalloc(count + 2, sizeof *start);
    struct order_key *key = by_begin(span, n);

    /* start[s + 2] counts what is in section s; start[s + 1] is where its next member goes, and
     * in the end where it ends.  */
    for (size_t i = 0; i < n; i++)
        for (size_t s = span[i].first; s <= span[i].last; s++)
            start[s + 2]++;
    for (size_t s = 2; s <= count; s++)
        start[s] += start[s - 1];
    *member = memory_alloc(n == 0 ? 0 : start[count] + start[count + 1], sizeof **member);
    for (size_t k = 0; k < n; k++) {
        size_t i = key[k].index;

        for (size_t s = span[i].first; s <= span[i].last; s++)
            (*member)[start[s + 1]++] = i;
    }
    memory_free(key);
    return start;
}
