/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of bench_exact.  Each prints its figures and which goals are met.  */
#ifndef ARENABENCH_TESTS_BENCH_BENCH_EXACT_H
#define ARENABENCH_TESTS_BENCH_BENCH_EXACT_H

#include <stddef.h>
#include <stdint.h>

struct instance;

/* How much is measured.  Seeds count twice, once in each direction of time.  */
struct exact_effort {
    uint32_t seeds, tight_seeds, hard_seeds, open_seeds, uniform_seeds, large_seeds;
    int baselines;          /* runs of the baseline on each instance */
    double limit_s, open_s; /* of a run; on instances whose optimum is not known */
    double minimiser_s;     /* of the baseline as a minimiser, which has no goal */
    double patience_s;      /* for all runs of one instance; the rest is not begun */
};

extern const char exact_ours[];

/* What the runs of one instance come to: those that were begun.  */
struct exact_summary {
    double median, slowest;
    size_t runs, proven;
    int64_t peak, bound; /* the least and the largest */
};

/* Ours with SEEDS seeds in both directions.  */
struct exact_summary exact_measure(const struct instance *instance, uint32_t seeds, double limit_s,
                                   double patience_s);

void exact_accelerators(const struct exact_effort *effort);
/* WANTED: the beginning of the names that are; NULL: all.  */
void exact_tight(const struct exact_effort *effort, const char *wanted);
void exact_large(const struct exact_effort *effort);
void exact_others(const struct exact_effort *effort);

#endif
