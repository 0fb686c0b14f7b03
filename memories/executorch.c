/* SPDX-License-Identifier: GPL-3.0-or-later */
/* executorch: banks of objects, as ExecuTorch's banked greedy planner fills them.
 *
 * Sizes descending; of equal ones the last goes first.  A buffer looks at one bank after the other.
 * In a bank it goes to the start of the first object (in the order of opening) none of whose
 * tenants meets it in time; else on top of the tenants that it meets, in the first object where it
 * fits there; else it opens an object of its size, if the bank has room for one more.  No bank:
 * there is no split.  Objects of a bank are stacked.  Costs are not looked at.
 *
 * Source: ExecuTorch, pull request 21821 (August 2026), exir/banked_memory_planning.py.  O(n^2).
 * With one bank it is solvers/executorch.c.  Guarantee: none.
 * Differences: lifetimes are half-open; buffers that are pinned to a bank are those that may lie in
 * one memory alone, and do not go first; sizes are rounded up to the memory's alignment.  */
#include <config.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/memory.h"
#include "memories/split.h"
#include "memories/splitter.h"

struct object {
    size_t bank, first; /* the tenant that came last; SIZE_MAX: none */
    int64_t size, start;
};

struct banks {
    const struct split_problem *problem;
    struct split *split;
    struct object *object;
    size_t objects;
    size_t *object_of, *next; /* of each buffer: its object, and the tenant before it */
    int64_t *used;            /* of each bank */
};

/* The top of those in OBJECT that buffer B meets; 0: it meets none.  */
static int64_t top_beside(const struct banks *banks, const struct object *object, size_t b)
{
    const struct buffer *buffer = banks->problem->instance->buffer;
    int64_t top = 0;

    for (size_t t = object->first; t != SIZE_MAX; t = banks->next[t])
        if (buffers_conflict(&buffer[t], &buffer[b]))
            top = max64(top, banks->split->offset[t] + buffer[t].size);
    return top;
}

static void enter(struct banks *banks, size_t b, size_t o, int64_t offset)
{
    struct object *object = &banks->object[o];

    banks->split->memory[b] = object->bank;
    banks->split->offset[b] = offset;
    banks->object_of[b] = o;
    banks->next[b] = object->first;
    object->first = b;
}

/* Buffer B, of SIZE bytes with what rounding adds, to an object of bank M that is there.  */
static bool enter_old(struct banks *banks, size_t b, size_t m, int64_t size, int64_t alignment)
{
    size_t best = SIZE_MAX;
    int64_t offset = 0;

    for (size_t o = 0; o < banks->objects; o++) {
        const struct object *object = &banks->object[o];
        int64_t top;

        if (object->bank != m || object->size < size)
            continue;
        top = capped_align(top_beside(banks, object, b), alignment);
        if (top == 0) {
            enter(banks, b, o, 0);
            return true;
        }
        if (best == SIZE_MAX && top <= object->size - size) {
            best = o;
            offset = top;
        }
    }
    if (best != SIZE_MAX)
        enter(banks, b, best, offset);
    return best != SIZE_MAX;
}

static bool enter_bank(struct banks *banks, size_t b, size_t m)
{
    const struct split_problem *problem = banks->problem;
    const struct buffer *buffer = &problem->instance->buffer[b];
    const int64_t alignment = memory_alignment(&problem->memory[m], buffer->alignment);
    const int64_t size = capped_align(buffer->size, alignment);
    const int64_t start = capped_align(banks->used[m], alignment);

    if (problem->cost[b * problem->memories + m] == SPLIT_NEVER)
        return false;
    if (enter_old(banks, b, m, size, alignment))
        return true;
    if (size > problem->memory[m].capacity - start)
        return false;
    banks->object[banks->objects++] = (struct object){m, SIZE_MAX, size, start};
    banks->used[m] = start + size;
    enter(banks, b, banks->objects - 1, 0);
    return true;
}

static bool fill(struct banks *banks, const struct split_limits *limits, struct error *reason)
{
    const struct split_problem *problem = banks->problem;
    const size_t n = problem->instance->n;
    struct order_key *key = memory_alloc(n, sizeof *key);
    bool good = true;

    for (size_t i = 0; i < n; i++)
        key[i] = (struct order_key){key_descending(problem->instance->buffer[n - 1 - i].size), 0,
                                    n - 1 - i};
    order_sort(key, n);
    for (size_t i = 0; i < n && good; i++) {
        size_t m = 0, b = key[i].index;

        while (m < problem->memories && !enter_bank(banks, b, m))
            m++;
        if (m == problem->memories)
            good = error_set(reason, "no bank has room for buffer '%s'",
                             problem->instance->buffer[b].id);
        else if (timer_now() > limits->deadline)
            good = error_set(reason, "the limit ended it");
    }
    memory_free(key);
    return good;
}

static bool solve(const struct split_problem *problem, const struct split_limits *limits,
                  struct split *split, struct split_result *result, struct error *reason)
{
    const size_t n = problem->instance->n;
    struct banks banks = {
        .problem = problem,
        .split = split,
        .object = memory_alloc(n, sizeof *banks.object),
        .object_of = memory_alloc(n, sizeof *banks.object_of),
        .next = memory_alloc(n, sizeof *banks.next),
        .used = memory_zalloc(problem->memories, sizeof *banks.used),
    };
    const bool good = fill(&banks, limits, reason);

    (void)result;
    for (size_t b = 0; b < n && good; b++)
        split->offset[b] += banks.object[banks.object_of[b]].start;
    if (good)
        split->cost = split_cost(problem, split);
    memory_free(banks.object);
    memory_free(banks.object_of);
    memory_free(banks.next);
    memory_free(banks.used);
    return good;
}

const struct splitter splitter_executorch = {
    .name = "executorch",
    .title = "ExecuTorch, greedy with banks",
    .source = "ExecuTorch, banked_memory_planning.py",
    .kind = SPLITTER_SHIPPED,
    .solve = solve,
};
