/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dynamic storage allocation as MiniMalloc sees it: sections, and for each two
 * buffers that are alive together how far the one keeps the other away.  */
#ifndef ARENABENCH_SOLVERS_MINIMALLOC_MINIMALLOC_PROBLEM_H
#define ARENABENCH_SOLVERS_MINIMALLOC_MINIMALLOC_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct instance;
struct order_key;
struct params;
struct plan;

/* A stretch of time in which a buffer uses the same bytes [lo, hi) from its offset
 * on; bytes between two that are in use count as used.  */
struct minimalloc_span {
    size_t first, last; /* sections, both inclusive */
    int64_t lo, hi;
};

/* BUFFER, placed above this one, starts EFFECTIVE bytes or more above its offset.  */
struct minimalloc_near {
    size_t buffer;
    int64_t effective;
};

struct minimalloc_problem {
    const struct instance *instance; /* not owned */
    size_t n;

    /* A section is a largest set of buffers alive together, in the order of time.  The
     * members of section s are member[start[s]..start[s + 1]).  */
    size_t sections;
    size_t *start, *member;
    int64_t *total; /* of the bytes in use */

    size_t *first, *last; /* sections of each buffer, gaps included, both inclusive */
    size_t *span_start;   /* spans of buffer b: span[span_start[b]..span_start[b + 1]) */
    struct minimalloc_span *span;
    size_t *near_start; /* near[near_start[b]..near_start[b + 1]) */
    struct minimalloc_near *near;
};

/* The caller frees it; INSTANCE has to outlive it.  O(n log n + incidences of
 * buffers and sections + overlapping pairs) time and memory.  */
struct minimalloc_problem *minimalloc_problem_new(const struct instance *instance);
void minimalloc_problem_free(struct minimalloc_problem *problem);

/* No buffer.  */
#define MINIMALLOC_NO_TWIN UINT32_MAX

/* Of each buffer the last one before it that is interchangeable with it (one piece, same life,
 * size and alignment), or MINIMALLOC_NO_TWIN.  The caller frees it.  O(n log n).  */
uint32_t *minimalloc_twins(const struct minimalloc_problem *problem);

/* The letters of an order, each a descending key of buffers: A area, C sections,
 * L begin, O overlapping buffers, T the fullest section, U end, W lifetime, Z size.  */
#define MINIMALLOC_ORDER_LETTERS "ACLOTUWZ"

/* Sorts KEY[0..COUNT), whose indices are buffers, by LETTERS, the first one first; equal ones stay
 * as they come.  */
void minimalloc_sort(const struct minimalloc_problem *problem, const char *letters,
                     const int64_t *total, struct order_key *key, size_t count);

/* The highest end of the buffers at OFFSET.  */
int64_t minimalloc_peak(const struct minimalloc_problem *problem, const int64_t *offset);

/* Memory grows with the pairs, of 16 bytes each, twice.  */
#define MINIMALLOC_PAIRS_PARAM                                    \
    {                                                             \
        "max-pairs", PARAM_INT, "4000000", NULL, 0.0, 50000000.0, \
            "overlapping pairs beyond which nothing is searched"  \
    }

/* False, with a note in PLAN, if INSTANCE has more pairs than that.  */
bool minimalloc_takes(const struct instance *instance, const struct params *params,
                      struct plan *plan);

#endif
