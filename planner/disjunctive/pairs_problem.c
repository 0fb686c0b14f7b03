/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/disjunctive/pairs_problem.h"

#include <assert.h>
#include <math.h>

#include "lib/base/bisect.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/place/dsa_pieces.h"
#include "lib/problem/instance.h"
#include "planner/disjunctive/pairs_bars.h"

struct building {
    struct pairs_problem *problem;
    double deadline; /* by timer_now */
    bool late;       /* which is over: there will be no problem */
    size_t work;     /* since the clock was looked at */
    size_t pieces;
    struct dsa_piece *piece; /* by buffer */
};

/* Places between two looks at the clock: a millisecond or two.  */
enum { LOOK_WORK = 200000 };

static bool is_late(struct building *at, size_t work)
{
    at->work += work;
    if (at->work < LOOK_WORK)
        return at->late;
    at->work = 0;
    at->late = at->late || timer_now() >= at->deadline;
    return at->late;
}

/* --- pairs --- */

static void find_pairs(struct building *at)
{
    struct pairs_problem *problem = at->problem;
    struct pairs_bar *bar;
    size_t bars = pairs_bars_find(at->piece, at->pieces, false, at->deadline, &bar);

    at->late = bars == SIZE_MAX;
    problem->gaps = at->late ? 0 : bars;
    problem->pair = memory_alloc(problem->gaps, sizeof *problem->pair);
    problem->gap = memory_alloc(problem->gaps, sizeof *problem->gap);
    for (size_t g = 0; g < problem->gaps; g++) {
        if (g == 0 || bar[g - 1].a != bar[g].a || bar[g - 1].b != bar[g].b)
            problem->pair[problem->pairs++] = (struct pairs_pair){bar[g].a, bar[g].b, g, 0};
        problem->pair[problem->pairs - 1].gaps++;
        problem->gap[g] = (struct pairs_gap){bar[g].below, bar[g].above};
    }
    memory_free(bar);
}

static void find_adjacent(struct pairs_problem *problem)
{
    size_t n = problem->n, *next = memory_alloc(n + 1, sizeof *next);

    problem->first = memory_zalloc(n + 1, sizeof *problem->first);
    problem->adjacent = memory_alloc(2 * problem->pairs, sizeof *problem->adjacent);
    for (size_t p = 0; p < problem->pairs; p++) {
        problem->first[problem->pair[p].a + 1]++;
        problem->first[problem->pair[p].b + 1]++;
    }
    for (size_t b = 0; b < n; b++)
        problem->first[b + 1] += problem->first[b];
    for (size_t b = 0; b < n; b++)
        next[b] = problem->first[b];
    for (size_t p = 0; p < problem->pairs; p++) {
        problem->adjacent[next[problem->pair[p].a]++] = p;
        problem->adjacent[next[problem->pair[p].b]++] = p;
    }
    memory_free(next);
}

/* --- sections --- */

static void find_sections(struct building *at)
{
    struct pairs_problem *problem = at->problem;
    size_t *member;

    problem->start = dsa_pieces_sections(at->piece, at->pieces, &problem->sections, &member);
    problem->task = memory_alloc(problem->start[problem->sections], sizeof *problem->task);
    problem->step = memory_alloc(problem->sections, sizeof *problem->step);
    for (size_t s = 0; s < problem->sections; s++) {
        size_t end = problem->start[s + 1], count = end - problem->start[s];

        for (size_t t = problem->start[s]; t < end; t++) {
            const struct dsa_piece *piece = &at->piece[member[t]];

            problem->task[t] = (struct pairs_task){piece->buffer, piece->lo, piece->hi};
        }
        problem->step[s] = at->piece[member[end - 1]].begin;
        problem->most_tasks = count > problem->most_tasks ? count : problem->most_tasks;
    }
    memory_free(member);
}

/* The sections of each buffer, each once.  */
static void find_incidences(struct pairs_problem *problem)
{
    size_t n = problem->n, *next = memory_alloc(n + 1, sizeof *next);
    size_t *seen = memory_alloc(n, sizeof *seen);

    problem->first_section = memory_zalloc(n + 1, sizeof *problem->first_section);
    problem->section = memory_alloc(problem->start[problem->sections], sizeof *problem->section);
    for (int round = 0; round < 2; round++) {
        for (size_t b = 0; b < n; b++) {
            seen[b] = SIZE_MAX;
            next[b] = problem->first_section[b];
        }
        for (size_t s = 0; s < problem->sections; s++)
            for (size_t t = problem->start[s]; t < problem->start[s + 1]; t++) {
                size_t b = problem->task[t].buffer;

                if (seen[b] == s)
                    continue;
                seen[b] = s;
                if (round == 0)
                    problem->first_section[b + 1]++;
                else
                    problem->section[next[b]++] = s;
            }
        for (size_t b = 0; b < n && round == 0; b++)
            problem->first_section[b + 1] += problem->first_section[b];
    }
    memory_free(seen);
    memory_free(next);
}

/* --- places of pairs --- */

/* The tasks of each buffer: of buffer b, (*TASK)[first[b]..first[b + 1]).  The caller frees both.
 */
static size_t *find_tasks(const struct pairs_problem *problem, size_t **task)
{
    size_t tasks = problem->start[problem->sections], n = problem->n;
    size_t *first = memory_zalloc(n + 2, sizeof *first);

    *task = memory_alloc(tasks, sizeof **task);
    for (size_t t = 0; t < tasks; t++)
        first[problem->task[t].buffer + 2]++;
    for (size_t b = 2; b < n + 2; b++)
        first[b] += first[b - 1];
    for (size_t t = 0; t < tasks; t++)
        (*task)[first[problem->task[t].buffer + 1]++] = t;
    return first;
}

/* Fills in the rows of the tasks of buffer A.  PAIR has, for each buffer, SIZE_MAX.  */
static void fill_rows(struct pairs_problem *problem, size_t a, const size_t *task, size_t tasks,
                      const size_t *section, size_t *pair)
{
    for (size_t i = problem->first[a]; i < problem->first[a + 1]; i++) {
        size_t p = problem->adjacent[i];
        const struct pairs_pair *at = &problem->pair[p];

        pair[at->a == a ? at->b : at->a] = 2 * p + (at->b == a);
    }
    for (size_t k = 0; k < tasks; k++) {
        size_t s = section[task[k]], first = problem->start[s];
        size_t count = problem->start[s + 1] - first;
        size_t *row = problem->from + problem->square[s] + (task[k] - first) * count;

        for (size_t j = 0; j < count; j++)
            row[j] = pair[problem->task[first + j].buffer];
    }
    for (size_t i = problem->first[a]; i < problem->first[a + 1]; i++) {
        const struct pairs_pair *at = &problem->pair[problem->adjacent[i]];

        pair[at->a == a ? at->b : at->a] = SIZE_MAX;
    }
}

static void fill_squares(struct building *at)
{
    struct pairs_problem *problem = at->problem;
    size_t *task, *first = find_tasks(problem, &task);
    size_t *section = memory_alloc(problem->start[problem->sections], sizeof *section);
    size_t *pair = memory_alloc(problem->n, sizeof *pair);

    problem->square = memory_zalloc(problem->sections + 1, sizeof *problem->square);
    for (size_t s = 0; s < problem->sections; s++) {
        size_t count = problem->start[s + 1] - problem->start[s];

        problem->square[s + 1] = problem->square[s] + count * count;
        for (size_t t = problem->start[s]; t < problem->start[s + 1]; t++)
            section[t] = s;
    }
    problem->from = memory_alloc(problem->square[problem->sections], sizeof *problem->from);
    for (size_t b = 0; b < problem->n; b++)
        pair[b] = SIZE_MAX;
    for (size_t b = 0;
         b < problem->n && !is_late(at, problem->most_tasks * (first[b + 1] - first[b])); b++)
        fill_rows(problem, b, task + first[b], first[b + 1] - first[b], section, pair);
    memory_free(task);
    memory_free(first);
    memory_free(section);
    memory_free(pair);
}

/* Both rounds go over the squares; the second one knows how many places each pair has.  */
static void find_places(struct building *at)
{
    struct pairs_problem *problem = at->problem;
    size_t *next = memory_zalloc(problem->pairs + 1, sizeof *next);

    problem->first_place = memory_zalloc(problem->pairs + 1, sizeof *problem->first_place);
    for (int round = 0; round < 2; round++) {
        for (size_t s = 0; s < problem->sections; s++) {
            size_t count = problem->start[s + 1] - problem->start[s];

            if (is_late(at, count * count))
                break;
            for (size_t k = 0; k < count * count; k++) {
                size_t from = problem->from[problem->square[s] + k];

                if (from == SIZE_MAX || from % 2 == 1)
                    continue;
                if (round == 0)
                    problem->first_place[from / 2 + 1]++;
                else
                    problem->place[next[from / 2]++] =
                        (struct pairs_place){s, k / count, k % count};
            }
        }
        if (at->late)
            break;
        for (size_t p = 0; p < problem->pairs && round == 0; p++)
            next[p + 1] = problem->first_place[p + 1] += problem->first_place[p];
        if (round == 0)
            problem->place =
                memory_alloc(problem->first_place[problem->pairs], sizeof *problem->place);
    }
    memory_free(next);
}

/* --- twins --- */

/* Where buffer B's pieces begin; piece[0..pieces) is by buffer.  */
static size_t first_piece(const struct building *at, size_t b)
{
    return BISECT(i, 0, at->pieces, at->piece[i].buffer < b);
}

static bool same_buffers(const struct building *at, size_t a, size_t b)
{
    const struct pairs_problem *problem = at->problem;
    size_t i = first_piece(at, a), j = first_piece(at, b), count = first_piece(at, a + 1) - i;

    if (problem->fixed[a] >= 0 || problem->fixed[b] >= 0 || problem->size[a] != problem->size[b] ||
        problem->alignment[a] != problem->alignment[b] || first_piece(at, b + 1) - j != count)
        return false;
    for (size_t k = 0; k < count; k++) {
        const struct dsa_piece *x = &at->piece[i + k], *y = &at->piece[j + k];

        if (x->begin != y->begin || x->end != y->end || x->lo != y->lo || x->hi != y->hi)
            return false;
    }
    return true;
}

/* Twins are alive together, so they are pairs; those of b stand by ascending a.  */
static void find_twins(struct building *at)
{
    struct pairs_problem *problem = at->problem;

    problem->twin = memory_alloc(problem->n, sizeof *problem->twin);
    for (size_t b = 0; b < problem->n; b++)
        problem->twin[b] = SIZE_MAX;
    for (size_t p = 0; p < problem->pairs; p++) {
        const struct pairs_pair *pair = &problem->pair[p];

        if (same_buffers(at, pair->a, pair->b))
            problem->twin[pair->b] = pair->a;
    }
}

/* Whether each buffer is the same upside down, and can go where that is.  */
static bool is_symmetric(const struct building *at)
{
    for (size_t i = 0; i < at->pieces; i++) {
        const struct dsa_piece *piece = &at->piece[i];

        if (piece->lo + piece->hi != at->problem->size[piece->buffer] ||
            at->problem->alignment[piece->buffer] > 1 || at->problem->fixed[piece->buffer] >= 0)
            return false;
    }
    return true;
}

/* False: it is late.  */
static bool find_all(struct building *at)
{
    struct pairs_problem *problem = at->problem;

    find_pairs(at);
    if (at->late)
        return false;
    find_adjacent(problem);
    find_sections(at);
    find_incidences(problem);
    fill_squares(at);
    if (at->late)
        return false;
    find_places(at);
    if (at->late)
        return false;
    find_twins(at);
    problem->symmetric = is_symmetric(at);
    return true;
}

struct pairs_problem *pairs_problem_new(const struct instance *instance, int64_t unit)
{
    return pairs_problem_new_until(instance, unit, INFINITY);
}

struct pairs_problem *pairs_problem_new_until(const struct instance *instance, int64_t unit,
                                              double deadline)
{
    struct pairs_problem *problem = memory_zalloc(1, sizeof *problem);
    struct building at = {.problem = problem, .deadline = deadline};
    size_t n = instance->n;

    assert(unit > 0);
    problem->n = n;
    problem->unit = unit;
    problem->size = memory_alloc(n, sizeof *problem->size);
    problem->alignment = memory_alloc(n, sizeof *problem->alignment);
    problem->fixed = memory_alloc(n, sizeof *problem->fixed);
    for (size_t b = 0; b < n; b++) {
        problem->size[b] = instance->buffer[b].size / unit;
        problem->alignment[b] = max64(1, instance->buffer[b].alignment / unit);
        problem->fixed[b] = instance->buffer[b].fixed < 0 ? -1 : instance->buffer[b].fixed / unit;
    }
    at.pieces = dsa_pieces_find(instance, unit, &at.piece);
    if (!find_all(&at)) {
        pairs_problem_free(problem);
        problem = NULL;
    }
    memory_free(at.piece);
    return problem;
}

void pairs_problem_free(struct pairs_problem *problem)
{
    if (problem == NULL)
        return;
    memory_free(problem->size);
    memory_free(problem->alignment);
    memory_free(problem->fixed);
    memory_free(problem->twin);
    memory_free(problem->pair);
    memory_free(problem->gap);
    memory_free(problem->first);
    memory_free(problem->adjacent);
    memory_free(problem->start);
    memory_free(problem->task);
    memory_free(problem->step);
    memory_free(problem->first_section);
    memory_free(problem->section);
    memory_free(problem->first_place);
    memory_free(problem->place);
    memory_free(problem->square);
    memory_free(problem->from);
    memory_free(problem);
}
