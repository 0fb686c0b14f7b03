/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/minimalloc/minimalloc_problem.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/base/params.h"
#include "lib/place/sections.h"
#include "lib/problem/instance.h"
#include "lib/problem/pieces.h"
#include "lib/problem/plan.h"

/* A span with its steps, before there are sections.  */
struct timed_span {
    size_t buffer;
    int64_t begin, end, lo, hi;
};

struct timed_spans {
    struct timed_span *span; /* by buffer, then time */
    size_t count, capacity;
};

void minimalloc_problem_free(struct minimalloc_problem *problem)
{
    if (problem == NULL)
        return;
    free(problem->start);
    free(problem->member);
    free(problem->total);
    free(problem->first);
    free(problem->last);
    free(problem->span_start);
    free(problem->span);
    free(problem->near_start);
    free(problem->near);
    free(problem);
}

/* --- spans --- */

static void add_span(struct timed_spans *spans, struct timed_span next)
{
    struct timed_span *last = spans->count > 0 ? &spans->span[spans->count - 1] : NULL;

    if (last != NULL && last->buffer == next.buffer && last->begin == next.begin) {
        last->lo = min64(last->lo, next.lo);
        last->hi = max64(last->hi, next.hi);
        return;
    }
    spans->span = memory_grow(spans->span, &spans->capacity, spans->count + 1, sizeof *spans->span);
    spans->span[spans->count++] = next;
}

static void collect_spans(struct timed_spans *spans, const struct instance *instance)
{
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        const struct piece *piece = &instance->piece[buffer->first_piece];
        struct piece *disjoint = NULL;
        size_t count = buffer->pieces;

        if (count > 1) {
            count = pieces_disjoint(piece, count, &disjoint);
            piece = disjoint;
        }
        for (size_t i = 0; i < count; i++)
            add_span(spans, (struct timed_span){b, piece[i].begin, piece[i].end, piece[i].lo,
                                                piece[i].hi});
        free(disjoint);
    }
}

/* --- sections --- */

static void find_sections(struct minimalloc_problem *problem, const struct timed_spans *spans)
{
    struct sections_span *span = memory_alloc(spans->count, sizeof *span);

    for (size_t i = 0; i < spans->count; i++)
        span[i] = (struct sections_span){.begin = spans->span[i].begin, .end = spans->span[i].end};
    problem->sections = sections_find(span, spans->count);
    for (size_t i = 0; i < spans->count; i++) {
        problem->span[i].first = span[i].first;
        problem->span[i].last = span[i].last;
    }
    free(span);
}

/* Ranges of the buffers; members and totals of the sections.  */
static void fill_sections(struct minimalloc_problem *problem)
{
    size_t *next = memory_alloc(problem->sections + 1, sizeof *next);

    problem->start = memory_zalloc(problem->sections + 1, sizeof *problem->start);
    problem->total = memory_zalloc(problem->sections, sizeof *problem->total);
    for (size_t b = 0; b < problem->n; b++) {
        problem->first[b] = problem->span[problem->span_start[b]].first;
        problem->last[b] = problem->span[problem->span_start[b + 1] - 1].last;
    }
    for (size_t i = 0; i < problem->span_start[problem->n]; i++)
        for (size_t s = problem->span[i].first; s <= problem->span[i].last; s++)
            problem->start[s + 1]++;
    for (size_t s = 0; s < problem->sections; s++)
        problem->start[s + 1] += problem->start[s];
    for (size_t s = 0; s < problem->sections; s++)
        next[s] = problem->start[s];
    problem->member = memory_alloc(problem->start[problem->sections], sizeof *problem->member);
    for (size_t b = 0; b < problem->n; b++)
        for (size_t i = problem->span_start[b]; i < problem->span_start[b + 1]; i++)
            for (size_t s = problem->span[i].first; s <= problem->span[i].last; s++) {
                problem->member[next[s]++] = b;
                problem->total[s] += problem->span[i].hi - problem->span[i].lo;
            }
    free(next);
}

static void fill_spans(struct minimalloc_problem *problem, const struct instance *instance)
{
    struct timed_spans spans = {NULL, 0, 0};

    collect_spans(&spans, instance);
    problem->span = memory_alloc(spans.count, sizeof *problem->span);
    problem->span_start = memory_zalloc(problem->n + 1, sizeof *problem->span_start);
    for (size_t i = 0; i < spans.count; i++) {
        problem->span[i] = (struct minimalloc_span){0, 0, spans.span[i].lo, spans.span[i].hi};
        problem->span_start[spans.span[i].buffer + 1] = i + 1;
    }
    find_sections(problem, &spans);
    free(spans.span);
    fill_sections(problem);
}

/* --- pairs --- */

/* The largest distance that LOWER keeps UPPER away, over the sections that both use;
 * false if there is none.  */
static bool effective_size(const struct minimalloc_problem *problem, size_t lower, size_t upper,
                           int64_t *effective)
{
    size_t i = problem->span_start[lower], k = problem->span_start[upper];
    bool meet = false;

    while (i < problem->span_start[lower + 1] && k < problem->span_start[upper + 1]) {
        const struct minimalloc_span *a = &problem->span[i], *b = &problem->span[k];

        if (a->first <= b->last && b->first <= a->last) {
            *effective = meet ? max64(*effective, a->hi - b->lo) : a->hi - b->lo;
            meet = true;
        }
        if (a->last <= b->last)
            i++;
        else
            k++;
    }
    return meet;
}

/* Calls that count (NEXT NULL) or fill in the pairs of A and B.  */
static void add_pair(struct minimalloc_problem *problem, size_t a, size_t b, size_t *next)
{
    int64_t a_below, b_below;

    if (!effective_size(problem, a, b, &a_below) || !effective_size(problem, b, a, &b_below))
        return;
    if (next == NULL) {
        problem->near_start[a + 1]++;
        problem->near_start[b + 1]++;
        return;
    }
    problem->near[next[a]++] = (struct minimalloc_near){b, a_below};
    problem->near[next[b]++] = (struct minimalloc_near){a, b_below};
}

/* Goes through the buffers by first section; ACTIVE are those before whose last
 * section is not over.  */
static void each_pair(struct minimalloc_problem *problem, const struct order_key *by_first,
                      size_t *active, size_t *next)
{
    size_t count = 0;

    for (size_t i = 0; i < problem->n; i++) {
        size_t b = by_first[i].index, kept = 0;

        for (size_t k = 0; k < count; k++) {
            if (problem->last[active[k]] < problem->first[b])
                continue;
            add_pair(problem, active[k], b, next);
            active[kept++] = active[k];
        }
        active[kept++] = b;
        count = kept;
    }
}

static void fill_pairs(struct minimalloc_problem *problem)
{
    struct order_key *by_first = memory_alloc(problem->n, sizeof *by_first);
    size_t *active = memory_alloc(problem->n, sizeof *active);
    size_t *next = memory_alloc(problem->n, sizeof *next);

    for (size_t b = 0; b < problem->n; b++)
        by_first[b] = (struct order_key){problem->first[b], 0, b};
    order_sort(by_first, problem->n);
    problem->near_start = memory_zalloc(problem->n + 1, sizeof *problem->near_start);
    each_pair(problem, by_first, active, NULL);
    for (size_t b = 0; b < problem->n; b++) {
        next[b] = problem->near_start[b];
        problem->near_start[b + 1] += problem->near_start[b];
    }
    problem->near = memory_alloc(problem->near_start[problem->n], sizeof *problem->near);
    each_pair(problem, by_first, active, next);
    free(by_first);
    free(active);
    free(next);
}

struct minimalloc_problem *minimalloc_problem_new(const struct instance *instance)
{
    struct minimalloc_problem *problem = memory_alloc(1, sizeof *problem);

    *problem = (struct minimalloc_problem){
        .instance = instance,
        .n = instance->n,
        .first = memory_alloc(instance->n, sizeof *problem->first),
        .last = memory_alloc(instance->n, sizeof *problem->last),
    };
    fill_spans(problem, instance);
    fill_pairs(problem);
    return problem;
}

/* --- interchangeable buffers --- */

static bool are_twins(const struct buffer *a, const struct buffer *b)
{
    return a->pieces == 1 && b->pieces == 1 && a->begin == b->begin && a->end == b->end &&
           a->size == b->size && a->alignment == b->alignment;
}

uint32_t *minimalloc_twins(const struct minimalloc_problem *problem)
{
    size_t n = problem->n;
    const struct buffer *buffer = problem->instance->buffer;
    struct order_key *key = memory_alloc(n, sizeof *key);
    uint32_t *twin = memory_alloc(n, sizeof *twin);

    for (size_t b = 0; b < n; b++) {
        twin[b] = MINIMALLOC_NO_TWIN;
        key[b] = (struct order_key){(uint64_t)buffer[b].size, (uint64_t)buffer[b].alignment, b};
    }
    order_sort(key, n);
    for (size_t i = 0; i < n; i++) {
        key[i].major = key_ascending(buffer[key[i].index].begin);
        key[i].minor = key_ascending(buffer[key[i].index].end);
    }
    order_sort(key, n); /* stable */
    for (size_t i = 1; i < n; i++)
        if (are_twins(&buffer[key[i - 1].index], &buffer[key[i].index]))
            twin[key[i].index] = (uint32_t)key[i - 1].index;
    free(key);
    return twin;
}

/* --- keys --- */

static int64_t fullest_section(const struct minimalloc_problem *problem, size_t b,
                               const int64_t *total)
{
    int64_t fullest = 0;

    for (size_t i = problem->span_start[b]; i < problem->span_start[b + 1]; i++)
        for (size_t s = problem->span[i].first; s <= problem->span[i].last; s++)
            fullest = max64(fullest, total[s]);
    return fullest;
}

/* The upper half of A * B, by halves of 32 bits.  */
static uint64_t upper_product(uint64_t a, uint64_t b)
{
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t middle = a_high * b_low + (a_low * b_low >> 32);

    return a_high * b_high + (middle >> 32) + (((uint32_t)middle + a_low * b_high) >> 32);
}

/* The key of buffer B by LETTER, of 128 bits in KEY[0] (the upper ones) and KEY[1];
 * TOTAL are the totals of the sections.  */
static void find_key(const struct minimalloc_problem *problem, char letter, size_t b,
                     const int64_t *total, uint64_t key[2])
{
    const struct buffer *buffer = &problem->instance->buffer[b];
    uint64_t length = lifetime_length(buffer), size = (uint64_t)buffer->size;

    assert(b < problem->n);
    key[0] = UINT64_MAX; /* only areas have an upper half */
    switch (letter) {
    case 'A':
        key[0] = ~upper_product(length, size);
        key[1] = ~(length * size);
        break;
    case 'C':
        key[1] = ~(uint64_t)(problem->last[b] - problem->first[b]);
        break;
    case 'L':
        key[1] = key_descending(buffer->begin);
        break;
    case 'O':
        key[1] = ~(uint64_t)(problem->near_start[b + 1] - problem->near_start[b]);
        break;
    case 'T':
        key[1] = key_descending(fullest_section(problem, b, total));
        break;
    case 'U':
        key[1] = key_descending(buffer->end);
        break;
    case 'W':
        key[1] = ~length;
        break;
    default:
        key[1] = key_descending(buffer->size);
    }
}

/* By the last letter first, each time stably.  */
void minimalloc_sort(const struct minimalloc_problem *problem, const char *letters,
                     const int64_t *total, struct order_key *key, size_t count)
{
    for (size_t letter = strlen(letters); letter-- > 0;) {
        for (size_t i = 0; i < count; i++) {
            uint64_t parts[2];

            find_key(problem, letters[letter], key[i].index, total, parts);
            key[i].major = parts[0];
            key[i].minor = parts[1];
        }
        order_sort(key, count);
    }
}

int64_t minimalloc_peak(const struct minimalloc_problem *problem, const int64_t *offset)
{
    int64_t peak = 0;

    for (size_t b = 0; b < problem->n; b++)
        peak = max64(peak, offset[b] + problem->instance->buffer[b].size);
    return peak;
}

bool minimalloc_takes(const struct instance *instance, const struct params *params,
                      struct plan *plan)
{
    int64_t pairs = instance_overlapping_pairs(instance), most = params_int(params, "max-pairs");

    if (pairs > most)
        snprintf(plan->note, sizeof plan->note,
                 "no search: %" PRId64 " overlapping pairs, more than max-pairs=%" PRId64, pairs,
                 most);
    return pairs <= most;
}
