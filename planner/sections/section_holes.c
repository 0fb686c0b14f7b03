/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/section_holes.h"

#include "lib/base/bisect.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "planner/sections/section_problem.h"

struct holes {
    struct section_hole *hole;
    size_t count, capacity;
};

static void add_hole(struct holes *holes, const struct section_problem *problem, size_t b, size_t f)
{
    if (problem->fixed[f] < 0)
        return;
    holes->hole = memory_grow(holes->hole, &holes->capacity, holes->count + 1, sizeof *holes->hole);
    holes->hole[holes->count++] = (struct section_hole){problem->fixed[f] - problem->size[b],
                                                        problem->fixed[f] + problem->size[f]};
}

static int compare_holes(const void *p, const void *q)
{
    const struct section_hole *x = p, *y = q;

    return ORDER(x->below, y->below) ?: ORDER(x->above, y->above);
}

/* Sorts the holes from FROM on and joins those that overlap.  What only touch leave a number
 * between them.  */
static void join_holes(struct holes *holes, size_t from)
{
    size_t kept = from;

    if (holes->count > from)
        sort_stable(holes->hole + from, holes->count - from, sizeof *holes->hole, compare_holes);
    for (size_t i = from; i < holes->count; i++)
        if (kept > from && holes->hole[i].below < holes->hole[kept - 1].above)
            holes->hole[kept - 1].above = max64(holes->hole[kept - 1].above, holes->hole[i].above);
        else
            holes->hole[kept++] = holes->hole[i];
    holes->count = kept;
}

void section_holes_find(struct section_problem *problem)
{
    struct holes holes = {NULL, 0, 0};

    problem->first_hole = memory_zalloc(problem->n + 1, sizeof *problem->first_hole);
    for (size_t b = 0; b < problem->n; b++) {
        size_t from = holes.count;

        /* Each neighbour where it begins, or where B does.  */
        for (size_t s = problem->first[b]; s <= problem->last[b] && problem->fixed[b] < 0; s++)
            for (size_t i = problem->start[s]; i < problem->start[s + 1]; i++)
                if (s == problem->first[b] || problem->first[problem->member[i]] == s)
                    add_hole(&holes, problem, b, problem->member[i]);
        join_holes(&holes, from);
        problem->first_hole[b + 1] = holes.count;
    }
    problem->hole = holes.hole;
}

/* The hole of B that START is in; NULL: none.  */
static const struct section_hole *hole_at(const struct section_problem *problem, size_t b,
                                          int64_t start)
{
    size_t first = problem->first_hole[b], last = problem->first_hole[b + 1];
    size_t at = BISECT(i, first, last, problem->hole[i].above <= start);

    return at < last && problem->hole[at].below < start ? &problem->hole[at] : NULL;
}

int64_t section_holes_next(const struct section_problem *problem, size_t b, int64_t start)
{
    int64_t alignment = problem->alignment[b];
    const struct section_hole *hole;

    start = align_up(start, alignment);
    while ((hole = hole_at(problem, b, start)) != NULL)
        start = align_up(hole->above, alignment);
    return start;
}

int64_t section_holes_weakest(const struct section_problem *problem, size_t b, int64_t least)
{
    int64_t alignment = problem->alignment[b];
    int64_t before = section_holes_next(problem, b, max64(0, least)) - 1;

    /* The last start before that is no answer.  */
    while (before >= 0) {
        const struct section_hole *hole;

        before -= before % alignment;
        hole = hole_at(problem, b, before);
        if (hole == NULL)
            return before + 1;
        before = hole->below;
    }
    return 0;
}
