/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/place/aligned_bound.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/base/timer.h"
#include "lib/place/dsa_pieces.h"
#include "lib/place/sections.h"
#include "lib/problem/instance.h"

/* Of a section so many are stacked.  */
enum { MOST_STACKED = 16 };
/* ... and so many alignments are rounded up to.  */
enum { MOST_ALIGNMENTS = 64 };
#define MOST_INCIDENCES 1000000
/* Sets that are gone on from between two looks at the clock.  */
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
    int64_t *reached; /* the least end of a stack of each set; INT64_MAX: none was stacked yet */
    int64_t *above;   /* what the blocks that are not in it take at least */
    uint32_t *set;    /* those that were stacked, in order of how many blocks they have */
    size_t sets;
    int64_t common;             /* divides where each block begins */
    int64_t take[MOST_STACKED]; /* what each block takes of a stack that goes on, at least */
    int64_t pad;                /* no more of that is above the topmost one */
    int64_t work;               /* sets that may be gone on from, still */
    double deadline;
};

/* Memory for all sets, which is not asked for where greedy stacks are enough.  */
static void begin_sets(struct search *search)
{
    size_t sets = (size_t)1 << MOST_STACKED;

    search->reached = memory_alloc(sets, sizeof *search->reached);
    search->above = memory_alloc(sets, sizeof *search->above);
    search->set = memory_alloc(sets, sizeof *search->set);
    for (size_t set = 0; set < sets; set++)
        search->reached[set] = INT64_MAX;
}

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

/* Begins with the set of no block.  */
static void begin_stack(struct search *search, const struct stack *stack)
{
    search->common = common_of(stack);
    search->pad = 0;
    search->above[0] = 0;
    for (size_t i = 0; i < stack->n; i++) {
        const struct block *block = &stack->block[i];
        int64_t end = align_up(block->hi, search->common);

        search->take[i] = end - block->lo;
        search->above[0] += search->take[i];
        search->pad = max64(search->pad, end - block->hi);
    }
    search->reached[0] = 0;
    search->set[0] = 0;
    search->sets = 1;
}

/* No stack of all blocks that begins with SET ends lower.  */
static int64_t lowest_with(const struct search *search, uint32_t set)
{
    return align_up(search->reached[set], search->common) + search->above[set] - search->pad;
}

/* Puts each block that is not in SET on the lowest stack of it.  */
static void go_on(struct search *search, const struct stack *stack, uint32_t set)
{
    for (uint32_t i = 0; i < stack->n; i++) {
        uint32_t with = set | UINT32_C(1) << i;

        if (with == set)
            continue;
        if (search->reached[with] == INT64_MAX) {
            search->above[with] = search->above[set] - search->take[i];
            search->set[search->sets++] = with;
        }
        search->reached[with] =
            min64(search->reached[with], put_on(&stack->block[i], search->reached[set]));
    }
}

/* The least end of a STACK of all blocks that is below BEST, if there is one; 0 if all work is
 * spent before that is known.  */
static int64_t search_sets(struct search *search, const struct stack *stack, int64_t best)
{
    uint32_t all = (UINT32_C(1) << stack->n) - 1;

    begin_stack(search, stack);
    for (size_t i = 0; i < search->sets; i++) {
        uint32_t set = search->set[i];

        if (set == all)
            best = min64(best, search->reached[all]);
        else if (lowest_with(search, set) < best) {
            if (is_spent(search)) {
                best = 0;
                break;
            }
            search->work--;
            go_on(search, stack, set);
        }
    }
    for (size_t i = 0; i < search->sets; i++)
        search->reached[search->set[i]] = INT64_MAX;
    return best;
}

/* The least end of a STACK of all blocks, or ENOUGH if that is not above it or all work is
 * spent.  */
static int64_t least_end(struct search *search, const struct stack *stack, int64_t enough)
{
    int64_t best = stack->greedy;

    for (size_t i = 1; i < stack->n && best > enough; i++)
        best = min64(best, stack_greedily(stack, i));
    if (best <= enough)
        return enough;
    if (search->reached == NULL)
        begin_sets(search);
    return max64(enough, search_sets(search, stack, best));
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
    struct stack stack = {.n = n < MOST_STACKED ? n : (size_t)MOST_STACKED};

    assert(n > 0); /* no section is empty */
    for (size_t i = 0; i < stack.n; i++)
        stack.block[i] = sections->block[sections->key[i].index];
    stack.greedy = stack_greedily(&stack, 0);
    return stack;
}

/* The sections that there is time to look at in PROMISE, the highest greedy stack first; returns
 * how many.  *BOUND: raised to what the coarse ones of each take.  */
static size_t sort_sections(struct sections *sections, double deadline, int64_t *bound,
                            struct order_key *promise)
{
    size_t count = 0;

    for (size_t s = 0; s < sections->count && timer_now() < deadline; s++) {
        sort_members(sections, s);
        *bound = max64(*bound, most_coarse_total(sections, s));
        promise[count++] = (struct order_key){key_descending(stack_of(sections, s).greedy), 0, s};
    }
    order_sort(promise, count);
    return count;
}

/* At least BOUND, in units.  */
static int64_t bound_of(struct sections *sections, int64_t bound, int64_t work, double deadline)
{
    struct order_key *promise = memory_alloc(sections->count, sizeof *promise);
    size_t count = sort_sections(sections, deadline, &bound, promise);
    struct search search = {.work = work, .deadline = deadline};

    for (size_t i = 0; i < count && search.work > 0 && timer_now() < deadline; i++) {
        struct stack stack;

        sort_members(sections, promise[i].index);
        stack = stack_of(sections, promise[i].index);
        if (stack.greedy <= bound)
            break;
        bound = least_end(&search, &stack, bound);
    }
    memory_free(search.reached);
    memory_free(search.above);
    memory_free(search.set);
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
