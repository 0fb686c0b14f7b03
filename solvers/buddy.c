/* SPDX-License-Identifier: GPL-3.0-or-later */
/* buddy: the binary buddy system.
 *
 * In the order of the trace, each request gets a block of the next power of two of units, from the
 * smallest free block that is large enough, the lowest of equal ones, which is halved until it
 * fits.  A block that comes back is joined with its buddy, the other half of the block that both
 * came from, if that is free, and so on upwards.  Memory is a power of two of units, and is doubled
 * when no block is large enough.
 *
 *   step 0   a [0, 2) 1: memory of 1, a at 0; b [0, 1) 3: memory is doubled to 2, 4 and 8, b at 4
 *   step 1   b's block of 4 is free, as is [1, 2) and [2, 4); c [1, 3) 2 at 2; d [1, 2) 1 at 1
 *   step 2   a and d come back as [0, 2), which c keeps from being joined; e [2, 3) 4 at 4
 *
 * Source: K. C. Knowlton, "A fast storage allocator", Communications of the ACM 8, 1965; D. E.
 * Knuth, The Art of Computer Programming, volume 1, 2.5, algorithms R and S.  O(log(memory)) an
 * event.
 * Guarantee: none beside memory <= 4 x buffers x largest size: memory is doubled for 2^k units only
 * where each aligned stretch of 2^k has something alive.
 * Differences: Knuth's lists give the block that came back last, here it is the lowest one; his
 * memory has a fixed size.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/block_heap.h"
#include "solvers/fit/events.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

static const struct param params[] = {
    {"unit", PARAM_BYTES, "0", NULL, 0, 1 << 30,
     "the smallest block in bytes, rounded up to the alignment; 0: the alignment"},
    TIES_PARAM,
    PARAM_END,
};

#define NO_NODE UINT32_MAX

/* A block that is free, in use, or halved.  */
struct node {
    uint32_t half[2]; /* the lower and the upper one; NO_NODE: it is not halved */
    uint64_t free;    /* bit K: it has a free block of 2^K units, or is one */
};

struct buddies {
    struct node *node;
    size_t count, capacity;
    uint32_t root, spare; /* spare: a node that is not in use, its half[0] the next one */
    unsigned order;       /* the memory has 2^order units */
};

static uint32_t new_node(struct buddies *buddies, uint64_t free)
{
    uint32_t at = buddies->spare;

    if (at != NO_NODE) {
        buddies->spare = buddies->node[at].half[0];
    } else {
        buddies->node = memory_grow(buddies->node, &buddies->capacity, buddies->count + 1,
                                    sizeof *buddies->node);
        at = (uint32_t)buddies->count++;
    }
    buddies->node[at] = (struct node){{NO_NODE, NO_NODE}, free};
    return at;
}

static void drop_node(struct buddies *buddies, uint32_t at)
{
    buddies->node[at].half[0] = buddies->spare;
    buddies->spare = at;
}

/* What AT, a halved block of 2^ORDER, has free: its halves become one where both are free.  */
static void look_at_halves(struct buddies *buddies, uint32_t at, unsigned order)
{
    struct node *node = &buddies->node[at];
    const uint64_t half = UINT64_C(1) << (order - 1);
    const uint32_t low = node->half[0], high = node->half[1];

    node->free = buddies->node[low].free | buddies->node[high].free;
    if (buddies->node[low].free != half || buddies->node[high].free != half)
        return;
    node->half[0] = node->half[1] = NO_NODE;
    node->free = 2 * half;
    drop_node(buddies, low);
    drop_node(buddies, high);
}

/* The memory that was there becomes the lower half.  */
static void double_memory(struct buddies *buddies)
{
    const uint32_t low = buddies->root;
    const uint32_t high = new_node(buddies, UINT64_C(1) << buddies->order);

    buddies->root = new_node(buddies, 0);
    buddies->node[buddies->root].half[0] = low;
    buddies->node[buddies->root].half[1] = high;
    look_at_halves(buddies, buddies->root, ++buddies->order);
}

/* Hands out the lowest of the smallest blocks of 2^ORDER units or more in AT, a block of 2^SIZE
 * that has one; returns where it starts in AT.  */
static uint64_t take(struct buddies *buddies, uint32_t at, unsigned size, unsigned order)
{
    const uint64_t enough = buddies->node[at].free & ~UINT64_C(0) << order;
    const uint64_t smallest = enough & -enough;
    uint64_t start;
    int half = 0;

    if (size == order) {
        buddies->node[at].free = 0;
        return 0;
    }
    if (smallest == UINT64_C(1) << size) {
        for (int i = 0; i < 2; i++) {
            const uint32_t part = new_node(buddies, smallest / 2);

            buddies->node[at].half[i] = part;
        }
    } else {
        half = (buddies->node[buddies->node[at].half[0]].free & smallest) == 0;
    }
    start = take(buddies, buddies->node[at].half[half], size - 1, order);
    look_at_halves(buddies, at, size);
    return start + (half == 1 ? UINT64_C(1) << (size - 1) : 0);
}

/* Takes back the block of 2^ORDER at START of AT, a block of 2^SIZE.  */
static void give_back(struct buddies *buddies, uint32_t at, unsigned size, uint64_t start,
                      unsigned order)
{
    const uint64_t middle = size == 0 ? 0 : UINT64_C(1) << (size - 1);

    if (size == order) {
        buddies->node[at].free = UINT64_C(1) << order;
        return;
    }
    give_back(buddies, buddies->node[at].half[start >= middle], size - 1,
              start >= middle ? start - middle : start, order);
    look_at_halves(buddies, at, size);
}

/* The least K with 2^K >= UNITS >= 1.  */
static unsigned order_of(uint64_t units)
{
    return units == 1 ? 0 : 64 - (unsigned)__builtin_clzll(units - 1);
}

static uint64_t allocate(struct buddies *buddies, unsigned order)
{
    while (buddies->node[buddies->root].free >> order == 0)
        double_memory(buddies);
    return take(buddies, buddies->root, buddies->order, order);
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    const int64_t unit = block_unit(instance, env->params);
    struct order_key *event = events_sort(instance, env);
    struct buddies buddies = {.spare = NO_NODE};

    buddies.root = new_node(&buddies, 1);
    for (size_t e = 0; e < 2 * instance->n; e++) {
        const size_t b = event_buffer(event[e]);
        const unsigned order = order_of(block_units(instance->buffer[b].size, unit));

        if (event_begins(event[e]))
            plan->offset[b] = (int64_t)allocate(&buddies, order) * unit;
        else
            give_back(&buddies, buddies.root, buddies.order, (uint64_t)(plan->offset[b] / unit),
                      order);
    }
    plan->peak = plan_peak(instance, plan);
    free(buddies.node);
    free(event);
    return OUTCOME_FEASIBLE;
}

/* A block has less than twice its size.  */
static bool applicable(const struct instance *instance, const struct params *given,
                       struct error *reason)
{
    const int64_t unit = block_unit(instance, given);
    const int64_t largest = capped_mul(2, capped_align(instance->max_size, unit));

    if (instance->n > 0 && capped_mul(4 * (int64_t)instance->n, largest) == INT64_MAX)
        return error_set(
            reason, "blocks of powers of two that may need more than %" PRId64 " bytes", INT64_MAX);
    return alignment_applicable(instance, given, reason);
}

const struct solver solver_buddy = {
    .name = "buddy",
    .title = "Buddy system",
    .source = "Knowlton 1965; Knuth, TAOCP 1, 2.5",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_INPUT_ORDER | SOLVER_ONLINE,
    .layout = LAYOUT_ARENA,
    .params = params,
    .applicable = applicable,
    .solve = solve,
};
