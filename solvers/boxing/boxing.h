/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boxing: jobs of few heights are put into boxes of one height, boxes into larger boxes,
 * until all are equal and can be put into rows.
 *
 * After A. Buchsbaum, H. Karloff, C. Kenyon, N. Reingold, M. Thorup, "OPT versus LOAD in
 * dynamic storage allocation", 2004, as idealloc does it (C. Lamprakos et al.,
 * arXiv 2504.04874): Lemma 1 and Theorem 2 box jobs of nearly equal heights, Corollary 15
 * jobs of any heights that are small beside the box, and Theorem 16's first phase,
 * repeated ("rogue"), leaves an instance with a small ratio of heights.
 *
 *       +-----------------+         a box: as high as h jobs, alive while any of
 *     h |  job  |   job   |         them is; jobs that end where others begin may
 *       |     job    | job|         share a row of it
 *       +-----------------+
 *
 * Lifetimes are open intervals (birth, death), so that jobs that touch share rows.
 * Every order here is total: by birth after what the text names, then by number.  */
#ifndef ARENABENCH_SOLVERS_BOXING_BOXING_H
#define ARENABENCH_SOLVERS_BOXING_BOXING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rng;

struct box_job {
    int64_t height;
    int64_t birth, death;
    size_t first, count; /* content[first .. first+count) are inside; count 0: an original */
};

struct boxing {
    size_t jobs, job_room;
    struct box_job *job; /* the originals, then the boxes */
    size_t contents, content_room;
    uint32_t *content; /* jobs */
    size_t originals;
    struct rng *rng; /* for critical points; the caller's */
};

/* A growing list of jobs.  */
struct job_list {
    size_t count, room;
    uint32_t *job;
};

void boxing_init(struct boxing *boxing, struct rng *rng);
void boxing_clear(struct boxing *boxing);

/* The originals come first, one by one.  BIRTH and DEATH differ by 2 at least, and all
 * are even.  */
void boxing_add(struct boxing *boxing, int64_t height, int64_t birth, int64_t death);

/* Forgets all boxes, and leaves the originals in LIST.  */
void boxing_restart(struct boxing *boxing, struct job_list *list);

void job_list_add(struct job_list *list, uint32_t job);
void job_list_clear(struct job_list *list);

/* A new box of HEIGHT around JOB[0..count), count >= 1; returns it.  */
uint32_t boxing_box(struct boxing *boxing, const uint32_t *job, size_t count, int64_t height);

/* Sorts by birth.  */
void boxing_sort_by_birth(const struct boxing *boxing, uint32_t *job, size_t count);

/* Colours the interval graph: each job, in the order of birth, gets the lowest row that is
 * free.  ROW[i] is that of JOB[i]; the result is the number of rows, which is the width.
 * JOB is sorted by birth afterwards.  */
size_t boxing_rows(const struct boxing *boxing, uint32_t *job, size_t count, uint32_t *row);

/* Theorem 2: boxes JOB[0..count), each at most HEIGHT / h high, into boxes of HEIGHT,
 * which are added to BOXES.  */
void boxing_theorem2(struct boxing *boxing, uint32_t *job, size_t count, size_t h, int64_t height,
                     double epsilon, struct job_list *boxes);

/* Corollary 15: boxes of HEIGHT, in place of the jobs in LIST, for each bucket of heights up
 * to a power of 1 + EPSILON.  No job is higher than HEIGHT / (1 + EPSILON).  */
void boxing_corollary15(struct boxing *boxing, struct job_list *list, double height,
                        double epsilon);

/* What an epsilon means for an instance.  */
struct boxing_scale {
    double r;      /* largest height / least height */
    double mu;     /* epsilon / lg^2 r */
    double height; /* of the boxes for small jobs */
    double small;  /* up to this height a job is small */
    bool safe;     /* there are small jobs, and mu is small enough */
};

struct boxing_scale boxing_scale(const struct boxing *boxing, const struct job_list *list,
                                 double epsilon);

/* (sqrt 5 - 1) / 2: a mu above it could ask for boxes that a job does not fit in.  */
extern const double boxing_mu_limit;

/* The variant of Theorem 16: boxes the small jobs of LIST as long as that is safe.  */
void boxing_rogue(struct boxing *boxing, struct job_list *list, double epsilon);

/* Loose offsets of the originals, LOOSE[job], for the boxes of LIST, all of one height:
 * rows of boxes, and inside each the contents, in rows where they are equally high, at
 * the same offset where no two overlap, and else in rows for each height, descending.
 * The last need not fit into the box: the offsets are an order, not a plan.  */
void boxing_unbox(const struct boxing *boxing, const struct job_list *list, double *loose);

#endif
