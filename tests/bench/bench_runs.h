/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instances and runs of planners in this process, for the programs of `make bench`.  */
#ifndef ARENABENCH_TESTS_BENCH_BENCH_RUNS_H
#define ARENABENCH_TESTS_BENCH_BENCH_RUNS_H

#include <stdbool.h>
#include <stdint.h>

struct instance;

struct bench_run {
    double time;  /* of solve(), seconds */
    bool optimal; /* says the solver; the plan is verified */
    int64_t peak, bound;
};

/* NULL, with a message, if there is none.  FILE is in the folder of real inputs.  */
struct instance *bench_load(const char *spec);
struct instance *bench_load_data(const char *file);

/* INSTANCE, of rectangles, in an order drawn by SEED, and in the other direction of
 * time if REVERSE.  */
struct instance *bench_variant(const struct instance *instance, uint32_t seed, bool reverse);

/* SETTING as after the colon of a solver's name; no limit at 0.  Ends the program if the plan is
 * wrong.  */
struct bench_run bench_measure(const char *solver, const char *setting,
                               const struct instance *instance, uint32_t seed, double limit_s);

/* The same, with a limit on NODES too; none at 0.  */
struct bench_run bench_measure_within(const char *solver, const char *setting,
                                      const struct instance *instance, uint32_t seed,
                                      double limit_s, int64_t nodes);

#endif
