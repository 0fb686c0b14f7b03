/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic storage allocation with buffers of several pieces, seen as differences.
 *
 * Two buffers a, b that are alive together are a pair with d = x_b - x_a.  Each two of
 * their pieces (lib/place/dsa_pieces.h) that share a step forbid an open interval
 * of d, and the union of these intervals is a list of gaps in what d may be: none of
 * them, one for two rectangles, several where the buffers can interlock.
 *
 *      step 0: a [0, 1)   b [0, 3)     forbids -3 < d < 1
 *      step 1: a [0, 3)   b [2, 3)     forbids -3 < d < 1
 *      step 2: a [0, 1)   b [5, 6)     forbids -6 < d < -4: d = -4, -3 are left between
 *
 * Bytes count in units.  */
#ifndef ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_PROBLEM_H
#define ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct instance;

struct pairs_gap {
    int64_t below, above; /* d can't lie strictly between them */
};

struct pairs_pair {
    size_t a, b; /* a < b */
    size_t gap, gaps;
};

/* A piece in a section.  */
struct pairs_task {
    size_t buffer;
    int64_t lo, hi;
};

/* Where two buffers of a pair meet: tasks A and B of a section, counted from its first.  */
struct pairs_place {
    size_t section, a, b;
};

struct pairs_problem {
    size_t n;
    int64_t unit; /* bytes */
    int64_t *size, *alignment;
    int64_t *fixed; /* the offset of each, -1: any */
    size_t *twin;   /* the buffer before it that it can be swapped with, SIZE_MAX: none */
    bool symmetric; /* a packing turned upside down is a packing */
    size_t pairs, gaps;
    struct pairs_pair *pair; /* by a, then b */
    struct pairs_gap *gap;   /* of one pair: ascending, disjoint */
    size_t *first;           /* pairs of buffer b: adjacent[first[b]..first[b + 1]) */
    size_t *adjacent;
    size_t sections;   /* the maximal sets of pieces alive at one step */
    size_t *start;     /* of section s: task[start[s]..start[s + 1]) */
    size_t most_tasks; /* of one section */
    struct pairs_task *task;
    int64_t *step;         /* a step of each section */
    size_t *first_section; /* of buffer b: section[first_section[b]..first_section[b + 1]) */
    size_t *section;
    size_t *first_place; /* of pair p: place[first_place[p]..first_place[p + 1]) */
    struct pairs_place *place;
    size_t *square; /* of section s: from[square[s]..square[s + 1]), tasks x tasks */
    size_t *from;   /* task i to task j: 2 pair if i's buffer is its a, 2 pair + 1 if its b,
                     * SIZE_MAX if both are of one buffer */
};

/* The problem of INSTANCE; UNIT is dsa_unit or divides it.  The caller frees it.
 * O(pieces log pieces + pairs log pairs + sum of the squares of the sections).  */
struct pairs_problem *pairs_problem_new(const struct instance *instance, int64_t unit);

/* The same, but NULL once timer_now() has passed DEADLINE.  */
struct pairs_problem *pairs_problem_new_until(const struct instance *instance, int64_t unit,
                                              double deadline);
void pairs_problem_free(struct pairs_problem *problem);

#endif
