/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/disjunctive/pairs_overload.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "planner/disjunctive/pairs_rules.h"

/* The end of no task: sums of it and a height stay below all others.  */
#define NOWHERE (INT64_MIN / 2)

static size_t leaves_of(size_t count)
{
    size_t leaves = 1;

    while (leaves < count)
        leaves *= 2;
    return leaves;
}

void pairs_overload_init(struct pairs_overload *overload, const struct pairs_problem *problem)
{
    size_t tasks = problem->start[problem->sections];
    size_t nodes = 2 * leaves_of(problem->most_tasks);

    *overload = (struct pairs_overload){
        .problem = problem,
        .by_lo = memory_alloc(tasks, sizeof *overload->by_lo),
        .by_hi = memory_alloc(tasks, sizeof *overload->by_hi),
        .rank = memory_alloc(problem->most_tasks, sizeof *overload->rank),
        .height = memory_alloc(nodes, sizeof *overload->height),
        .end = memory_alloc(nodes, sizeof *overload->end),
    };
    for (size_t s = 0; s < problem->sections; s++)
        for (size_t t = problem->start[s]; t < problem->start[s + 1]; t++)
            overload->by_lo[t] = overload->by_hi[t] = t - problem->start[s];
}

void pairs_overload_clear(struct pairs_overload *overload)
{
    memory_free(overload->by_lo);
    memory_free(overload->by_hi);
    memory_free(overload->rank);
    memory_free(overload->height);
    memory_free(overload->end);
}

static void sort(size_t *by_lo, size_t *by_hi, const struct pairs_span *span, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        size_t low = by_lo[i], high = by_hi[i], k = i;

        for (; k > 0 && span[by_lo[k - 1]].lo > span[low].lo; k--)
            by_lo[k] = by_lo[k - 1];
        by_lo[k] = low;
        for (k = i; k > 0 && span[by_hi[k - 1]].hi > span[high].hi; k--)
            by_hi[k] = by_hi[k - 1];
        by_hi[k] = high;
    }
}

/* Takes the task of SPAN into the tree.  */
static void take(struct pairs_overload *overload, size_t leaf, const struct pairs_span *span)
{
    int64_t *height = overload->height, *end = overload->end;

    height[leaf] = span->height;
    end[leaf] = clipped_add(span->lo, span->height);
    for (size_t node = leaf / 2; node > 0; node /= 2) {
        size_t left = 2 * node, right = left + 1;

        height[node] = clipped_add(height[left], height[right]);
        end[node] = max64(end[right], clipped_add(end[left], height[right]));
    }
}

/* The rank of the task from whose start on the root's end is reached.  */
static size_t first_task(const struct pairs_overload *overload, size_t leaves)
{
    size_t node = 1;

    while (node < leaves)
        node = 2 * node + (overload->end[2 * node + 1] == overload->end[node]);
    return node - leaves;
}

bool pairs_overload_find(struct pairs_overload *overload, size_t s, const struct pairs_span *span,
                         int64_t *from, int64_t *to)
{
    size_t first = overload->problem->start[s], count = overload->problem->start[s + 1] - first;
    size_t *by_lo = overload->by_lo + first, *by_hi = overload->by_hi + first;
    size_t leaves = leaves_of(count);

    sort(by_lo, by_hi, span, count);
    for (size_t i = 0; i < count; i++)
        overload->rank[by_lo[i]] = i;
    for (size_t node = 0; node < 2 * leaves; node++) {
        overload->height[node] = 0;
        overload->end[node] = NOWHERE;
    }
    for (size_t i = 0; i < count; i++) {
        const struct pairs_span *own = &span[by_hi[i]];

        take(overload, leaves + overload->rank[by_hi[i]], own);
        if (overload->end[1] <= own->hi)
            continue;
        *from = span[by_lo[first_task(overload, leaves)]].lo;
        *to = own->hi;
        return true;
    }
    return false;
}
