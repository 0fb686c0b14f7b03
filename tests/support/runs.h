/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs by the harness, in processes of their own.  What they come to belongs to this file, and
 * stays until the next run.  */
#ifndef ARENABENCH_TESTS_SUPPORT_RUNS_H
#define ARENABENCH_TESTS_SUPPORT_RUNS_H

#include <stdint.h>

#include "harness/run/runner.h"

struct instance;

/* SOLVER, which need not be registered, without parameters.  */
struct run_result *fake_run(const struct solver *solver, const struct instance *instance,
                            uint32_t seed, const struct run_limits *limits);

/* SPEC (contestant_parse), with seed 1; one that is none ends the program.  */
struct run_result *spec_run(const char *spec, const struct instance *instance,
                            const struct run_limits *limits);

/* The contestant that is called so; the caller clears it.  None ends the program.  */
struct contestant contestant_of(const char *spec);

/* One assertion, called WHAT: RESULT's outcome is WANT.  */
void is_outcome(const struct run_result *result, enum outcome want, const char *what);

#endif
