/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/greedy/aligned_bound.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "planner/greedy/dsa_pieces.h"
#include "planner/greedy/order.h"
#include "planner/greedy/sections.h"

/* Of a section so many are stacked.  */
enum { MOST_STACKED = 16 };
/* ... and so many alignments are rounded up to.  */
enum { MOST_ALIGNMENTS = 64 };
#define MOST_INCIDENCES 1000000
/* Stacks between two looks at the clock.  */
#define CLOCK_WORK 1000

/* A piece: its buffer begins at a multiple of the alignment, and LO below it.  In units.  */
struct block {
    int64_t lo, hi, alignment;
};

/* The blocks of a section, or some of them.  */
struct stack {
    struct block block[MOST_STACKED];
    size_t n;
    int64_t greedy; /* end of a stack of them */
};

static int64_t put_on(const struct block *block, int64_t end)
{
    return align_up(max64(0, end - block->lo), block->alignment) + block->hi;
}

static int64_t gap_below(const struct block *block, int64_t end)
{
    return put_on(block, end) - (block->hi - block->lo) - end;
}

/* FIRST, and then each time the one with the least gap, the coarsest of these.  */
static int64_t stack_greedily(const struct stack *stack, size_t first)
{
    bool placed[MOST_STACKED] = {false};
    int64_t end = put_on(&stack->block[first], 0);

    placed[first] = true;
    for (size_t k = 1; k < stack->n; k++) {
        size_t best = SIZE_MAX;

        for (size_t i = 0; i < stack->n; i++)
            if (!placed[i] && (best == SIZE_MAX || gap_below(&stack->block[i], end) <
                                                       gap_below(&stack->block[best], end)))
                best = i;
        placed[best] = true;
        end = put_on(&stack->block[best], end);
    }
    return end;
}

/* --- the least end of all orders --- */

/* A lower stack of the same blocks is never worse to go on from, so of each set of blocks the
 * lowest one is all that has to be known.  */
struct search {
    int64_t *reached; /* the least end of a stack of each set of blocks */
    int64_t *taken;   /* what a set takes at least of a stack that goes on */
    int64_t work;     /* sets that may be gone on from, still */
    double deadline;
};

static bool is_spent(const struct search *search)
{
    return search->work <= 0 || (search->work % CLOCK_WORK == 0 && timer_now() >= search->deadline);
}

/* What divides all alignments of STACK, if it divides where its blocks begin, too.  */
static int64_t common_of(const struct stack *stack)
{
    int64_t common = stack->block[0].alignment, rest = 0;

    for (size_t i = 0; i < stack->n; i++) {
        common = gcd64(common, stack->block[i].alignment);
        rest = gcd64(rest, stack->block[i].lo);
    }
    return rest % common == 0 ? common : 1;
}

/* Puts each block that is not in SET on the lowest stack of it.  */
static void go_on(struct search *search, const struct stack *stack, uint32_t set)
{
    for (uint32_t i = 0; i < stack->n; i++) {
        uint32_t with = set | UINT32_C(1) << i;
        int64_t end;

        if (with == set)
            continue;
        end = put_on(&stack->block[i], search->reached[set]);
        if (end < search->reached[with])
            search->reached[with] = end;
    }
}

/* The least end of a STACK of all blocks, or ENOUGH if that is not above it or all work is spent.
 * What is above a set takes its multiples of the common alignment, all but the topmost one.  */
static int64_t least_end(struct search *search, const struct stack *stack, int64_t enough)
{
    uint32_t all = (UINT32_C(1) << stack->n) - 1;
    int64_t common = common_of(stack), pad = 0, best = stack->greedy, total;

    for (size_t i = 1; i < stack->n && best > enough; i++)
        best = min64(best, stack_greedily(stack, i));
    if (best <= enough)
        return enough;
    search->taken[0] = 0;
    for (uint32_t set = 0; set <= all; set++)
        search->reached[set] = INT64_MAX;
    for (uint32_t i = 0; i < stack->n; i++) {
        const struct block *block = &stack->block[i];
        int64_t take = align_up(block->hi, common) - block->lo;

        pad = max64(pad, align_up(block->hi, common) - block->hi);
        for (uint32_t set = 0; set < UINT32_C(1) << i; set++)
            search->taken[set | UINT32_C(1) << i] = search->taken[set] + take;
    }
    total = search->taken[all];
    search->reached[0] = 0;
    for (uint32_t set = 0; set < all; set++) {
        int64_t end = search->reached[set];

        /* It ends no lower than what was found at once.  */
        if (end == INT64_MAX || align_up(end, common) + total - search->taken[set] - pad >= best)
            continue;
        if (is_spent(search))
            return enough;
        search->work--;
        go_on(search, stack, set);
    }
    return max64(enough, min64(best, search->reached[all]));
}

/* --- sections --- */

struct sections {
    struct block *block; /* of all pieces */
    size_t count;
    size_t *start, *member; /* section s: member[start[s]..start[s + 1]) */
    struct order_key *key;  /* the members of one of them */
};

/* What members of section S take whose alignment is a multiple of ALIGNMENT: of it, too, all but
 * one.  Those that begin above their buffer may lie in what it leaves.  */
static int64_t coarse_total(const struct sections *sections, size_t s, int64_t alignment)
{
    int64_t sum = 0, most = 0;

    for (size_t i = sections->start[s]; i < sections->start[s + 1]; i++) {
        const struct block *block = &sections->block[sections->member[i]];

        if (block->lo > 0 || block->alignment % alignment != 0)
            continue;
        sum = clipped_add(sum, align_up(block->hi, alignment));
        most = max64(most, align_up(block->hi, alignment) - block->hi);
    }
    return sum == INT64_MAX ? 0 : sum - most;
}

/* Over the coarsest alignments of section S.  */
static int64_t most_coarse_total(const struct sections *sections, size_t s)
{
    size_t n = sections->start[s + 1] - sections->start[s], tried = 0;
    int64_t most = 0, last = 0;

    for (size_t i = 0; i < n && tried < MOST_ALIGNMENTS; i++) {
        int64_t alignment = sections->block[sections->key[i].index].alignment;

        if (alignment == last)
            continue;
        most = max64(most, coarse_total(sections, s, alignment));
        last = alignment;
        tried++;
    }
    return most;
}

/* The members of section S as keys, the coarsest alignment first, then the highest.  */
static void sort_members(struct sections *sections, size_t s)
{
    size_t n = sections->start[s + 1] - sections->start[s];

    for (size_t i = 0; i < n; i++) {
        size_t member = sections->member[sections->start[s] + i];
        const struct block *block = &sections->block[member];

        sections->key[i] = (struct order_key){key_descending(block->alignment),
                                              key_descending(block->hi - block->lo), member};
    }
    order_sort(sections->key, n);
}

/* The first of the members of section S, as they are sorted.  */
static struct stack stack_of(const struct sections *sections, size_t s)
{
    size_t n = sections->start[s + 1] - sections->start[s];
    struct stack stack = {.n = n < MOST_STACKED ? n : MOST_STACKED};

    assert(n > 0); /* no section is empty */
    for (size_t i = 0; i < stack.n; i++)
        stack.block[i] = sections->block[sections->key[i].index];
    stack.greedy = stack_greedily(&stack, 0);
    return stack;
}

/* At least BOUND, in units.  */
static int64_t bound_of(struct sections *sections, int64_t bound, int64_t work, double deadline)
{
    struct order_key *promise = memory_alloc(sections->count, sizeof *promise);
    struct search search = {
        .reached = memory_alloc((size_t)1 << MOST_STACKED, sizeof *search.reached),
        .taken = memory_alloc((size_t)1 << MOST_STACKED, sizeof *search.taken),
        .work = work,
        .deadline = deadline,
    };

    for (size_t s = 0; s < sections->count; s++) {
        sort_members(sections, s);
        bound = max64(bound, most_coarse_total(sections, s));
        promise[s] = (struct order_key){key_descending(stack_of(sections, s).greedy), 0, s};
    }
    order_sort(promise, sections->count);
    for (size_t i = 0; i < sections->count && search.work > 0; i++) {
        struct stack stack;

        sort_members(sections, promise[i].index);
        stack = stack_of(sections, promise[i].index);
        if (stack.greedy <= bound)
            break;
        bound = least_end(&search, &stack, bound);
    }
    memory_free(search.reached);
    memory_free(search.taken);
    memory_free(promise);
    return bound;
}

/* Whether ends of stacks are numbers.  */
static bool is_huge(const struct instance *instance)
{
    return instance->max_alignment > INT64_MAX / 4 / MOST_STACKED ||
           instance->total > INT64_MAX / 4 / MOST_STACKED;
}

/* The pieces as blocks, in units.  */
static struct block *blocks_of(const struct instance *instance, int64_t unit,
                               const struct dsa_piece *piece, size_t pieces)
{
    struct block *block = memory_alloc(pieces, sizeof *block);

    for (size_t i = 0; i < pieces; i++)
        block[i] = (struct block){piece[i].lo, piece[i].hi,
                                  max64(1, instance->buffer[piece[i].buffer].alignment / unit)};
    return block;
}

int64_t aligned_bound(const struct instance *instance, int64_t work, double deadline)
{
    int64_t unit = dsa_unit(instance), bound = instance->load;
    struct sections sections = {0};
    struct sections_span *span;
    struct dsa_piece *piece;
    size_t pieces, incidences = 0;

    if (instance->n == 0 || instance->max_alignment <= unit || is_huge(instance))
        return bound;
    pieces = dsa_pieces_find(instance, unit, &piece);
    span = memory_alloc(pieces, sizeof *span);
    for (size_t i = 0; i < pieces; i++)
        span[i] = (struct sections_span){.begin = piece[i].begin, .end = piece[i].end};
    sections.count = sections_find(span, pieces);
    for (size_t i = 0; i < pieces; i++)
        incidences += span[i].last - span[i].first + 1;
    if (incidences <= MOST_INCIDENCES) {
        sections.block = blocks_of(instance, unit, piece, pieces);
        sections.key = memory_alloc(pieces, sizeof *sections.key);
        sections.start = sections_list(span, pieces, sections.count, &sections.member);
        bound = max64(bound, bound_of(&sections, bound / unit, work, deadline) * unit);
        memory_free(sections.start);
        memory_free(sections.member);
        memory_free(sections.key);
        memory_free(sections.block);
    }
    memory_free(span);
    memory_free(piece);
    return bound;
}
