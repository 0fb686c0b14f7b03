/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/section_problem.h"

#include <assert.h>
#include <string.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/place/sections.h"
#include "lib/problem/instance.h"

static struct section_problem *problem_alloc(size_t n)
{
    struct section_problem *problem = memory_alloc(1, sizeof *problem);

    *problem = (struct section_problem){
        .n = n,
        .size = memory_alloc(n, sizeof *problem->size),
        .alignment = memory_alloc(n, sizeof *problem->alignment),
        .fixed = memory_alloc(n, sizeof *problem->fixed),
        .length = memory_alloc(n, sizeof *problem->length),
        .first = memory_alloc(n, sizeof *problem->first),
        .last = memory_alloc(n, sizeof *problem->last),
        .rank = memory_alloc(n, sizeof *problem->rank),
    };
    return problem;
}

void section_problem_free(struct section_problem *problem)
{
    if (problem == NULL)
        return;
    memory_free(problem->size);
    memory_free(problem->alignment);
    memory_free(problem->fixed);
    holes_clear(&problem->holes);
    memory_free(problem->length);
    memory_free(problem->first);
    memory_free(problem->last);
    memory_free(problem->rank);
    memory_free(problem->start);
    memory_free(problem->member);
    memory_free(problem->total);
    memory_free(problem);
}

static struct sections_span *lifetimes_of(const struct instance *instance)
{
    struct sections_span *span = memory_alloc(instance->n, sizeof *span);

    for (size_t b = 0; b < instance->n; b++)
        span[b] = (struct sections_span){.begin = instance->buffer[b].first,
                                         .end = (int64_t)instance->buffer[b].last + 1};
    return span;
}

int64_t section_incidences(const struct instance *instance)
{
    struct sections_span *span = lifetimes_of(instance);
    int64_t incidences = 0;

    sections_find(span, instance->n);
    for (size_t b = 0; b < instance->n; b++)
        incidences += (int64_t)(span[b].last - span[b].first) + 1;
    memory_free(span);
    return incidences;
}

/* Members and totals of the sections, from first and last.  */
static void fill_sections(struct section_problem *problem)
{
    size_t *next = memory_alloc(problem->sections + 1, sizeof *next);

    problem->start = memory_zalloc(problem->sections + 1, sizeof *problem->start);
    problem->total = memory_zalloc(problem->sections, sizeof *problem->total);
    for (size_t b = 0; b < problem->n; b++)
        for (size_t s = problem->first[b]; s <= problem->last[b]; s++)
            problem->start[s + 1]++;
    for (size_t s = 0; s < problem->sections; s++)
        problem->start[s + 1] += problem->start[s];
    for (size_t s = 0; s < problem->sections; s++)
        next[s] = problem->start[s];
    problem->member = memory_alloc(problem->start[problem->sections], sizeof *problem->member);
    for (size_t b = 0; b < problem->n; b++)
        for (size_t s = problem->first[b]; s <= problem->last[b]; s++) {
            problem->member[next[s]++] = b;
            problem->total[s] += problem->size[b];
        }
    problem->load = 0;
    for (size_t s = 0; s < problem->sections; s++)
        problem->load = max64(problem->load, problem->total[s]);
    memory_free(next);
}

static int64_t fullest_total(const struct section_problem *problem, size_t b)
{
    int64_t fullest = 0;

    for (size_t s = problem->first[b]; s <= problem->last[b]; s++)
        fullest = max64(fullest, problem->total[s]);
    return fullest;
}

/* Areas wrap around where they don't fit, which changes no more than a tie.  */
static uint64_t value_of(const struct section_problem *problem, char key, size_t b)
{
    switch (key) {
    case 'W':
        return problem->length[b];
    case 'A':
        return problem->length[b] * (uint64_t)problem->size[b];
    case 'T':
        return (uint64_t)fullest_total(problem, b);
    default:
        return (uint64_t)problem->size[b];
    }
}

/* The last key first: each sort keeps the order of what is equal.  */
void section_problem_ranks(const struct section_problem *problem, const char *keys, size_t *rank)
{
    struct order_key *key = memory_alloc(problem->n, sizeof *key);

    for (size_t b = 0; b < problem->n; b++)
        key[b].index = b;
    for (size_t k = strlen(keys); k-- > 0;) {
        for (size_t i = 0; i < problem->n; i++) {
            key[i].major = ~value_of(problem, keys[k], key[i].index);
            key[i].minor = 0;
        }
        order_sort(key, problem->n);
    }
    for (size_t i = 0; i < problem->n; i++)
        rank[key[i].index] = i;
    memory_free(key);
}

/* Beside each fixed neighbour of B where that begins, or where B does.  */
static void add_holes(struct section_problem *problem, size_t b)
{
    for (size_t s = problem->first[b]; s <= problem->last[b]; s++)
        for (size_t i = problem->start[s]; i < problem->start[s + 1]; i++) {
            size_t f = problem->member[i];

            if (problem->fixed[f] >= 0 && (s == problem->first[b] || problem->first[f] == s))
                holes_add(&problem->holes,
                          hole_beside(problem->size[b], problem->fixed[f], problem->size[f]));
        }
}

/* Of all buffers but the fixed ones.  */
static void find_holes(struct section_problem *problem)
{
    holes_init(&problem->holes, problem->n);
    for (size_t b = 0; b < problem->n; b++) {
        if (problem->fixed[b] < 0)
            add_holes(problem, b);
        holes_close(&problem->holes);
    }
}

struct section_problem *section_problem_new(const struct instance *instance, int64_t unit)
{
    struct section_problem *problem = problem_alloc(instance->n);
    struct sections_span *span = lifetimes_of(instance);

    assert(unit > 0);
    problem->sections = sections_find(span, instance->n);
    problem->any_fixed = instance->fixed > 0;
    for (size_t b = 0; b < instance->n; b++) {
        int64_t fixed = instance->buffer[b].fixed;

        problem->size[b] = instance->buffer[b].size / unit;
        problem->alignment[b] = max64(1, instance->buffer[b].alignment / unit);
        problem->fixed[b] = fixed < 0 ? -1 : fixed / unit;
        problem->length[b] = lifetime_length(&instance->buffer[b]);
        problem->first[b] = span[b].first;
        problem->last[b] = span[b].last;
    }
    memory_free(span);
    fill_sections(problem);
    if (problem->any_fixed)
        find_holes(problem);
    section_problem_ranks(problem, "WAT", problem->rank);
    CHECK_INVARIANT(section_problem_check(problem));
    return problem;
}

static bool aligned(const struct section_problem *problem)
{
    for (size_t b = 0; b < problem->n; b++)
        if (problem->alignment[b] > 1)
            return true;
    return false;
}

int64_t section_problem_next(const struct section_problem *problem, size_t b, int64_t start)
{
    int64_t alignment = problem->alignment[b];

    return problem->any_fixed ? holes_next(&problem->holes, b, start, alignment)
                              : align_up(start, alignment);
}

int64_t section_problem_weakest(const struct section_problem *problem, size_t b, int64_t least)
{
    int64_t alignment = problem->alignment[b];

    return problem->any_fixed ? holes_weakest(&problem->holes, b, least, alignment)
                              : align_up(least, alignment) - (alignment - 1);
}

/* Whether a buffer in the sections [FROM, TO) is fixed, or kept from somewhere.  */
static bool fixed_within(const struct section_problem *problem, size_t from, size_t to)
{
    for (size_t b = 0; b < problem->n && problem->any_fixed; b++)
        if (problem->last[b] >= from && problem->first[b] < to &&
            (problem->fixed[b] >= 0 || problem->holes.first[b] < problem->holes.first[b + 1]))
            return true;
    return false;
}

/* Buffers MAP[0..n) of PROBLEM have in WINDOW the holes that they have there.  */
static void copy_holes(struct section_problem *window, const struct section_problem *problem,
                       const size_t *map)
{
    const struct holes *holes = &problem->holes;

    holes_init(&window->holes, window->n);
    for (size_t i = 0; i < window->n; i++) {
        for (size_t h = holes->first[map[i]]; h < holes->first[map[i] + 1]; h++)
            holes_add(&window->holes, holes->hole[h]);
        holes_close(&window->holes);
    }
}

struct section_problem *section_problem_window(const struct section_problem *problem, size_t from,
                                               size_t to, size_t *map, int64_t *removed)
{
    struct section_problem *window = problem_alloc(problem->n);
    bool remove;

    assert(from < to && to <= problem->sections);
    if (removed != NULL)
        *removed = 0;
    window->n = 0;
    window->sections = to - from;
    window->any_fixed = fixed_within(problem, from, to);
    /* What is fixed can't be pushed together.  */
    remove = removed != NULL && !window->any_fixed && !aligned(problem);
    for (size_t b = 0; b < problem->n; b++) {
        size_t i = window->n;

        if (problem->last[b] < from || problem->first[b] >= to)
            continue;
        if (remove && problem->first[b] <= from && problem->last[b] + 1 >= to) {
            *removed += problem->size[b];
            continue;
        }
        map[i] = b;
        window->size[i] = problem->size[b];
        window->alignment[i] = problem->alignment[b];
        window->fixed[i] = problem->fixed[b];
        window->length[i] = problem->length[b];
        window->first[i] = problem->first[b] < from ? 0 : problem->first[b] - from;
        window->last[i] = (problem->last[b] >= to ? to - 1 : problem->last[b]) - from;
        window->rank[i] = problem->rank[b];
        window->n++;
    }
    fill_sections(window);
    if (window->any_fixed)
        copy_holes(window, problem, map);
    CHECK_INVARIANT(section_problem_check(window));
    return window;
}
