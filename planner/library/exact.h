/* SPDX-License-Identifier: Apache-2.0 */
/* Optimal offsets: the exact search, whoever asks for it.
 *
 * The planner section-first (planner/dives/section_plan.h) makes the first plan; most instances
 * end there, at the load.  Otherwise each part of the time axis (lib/place/part_runs.h) has a
 * lower bound, at first its load, and an upper bound, at first that plan or the best greedy one.
 * They are closed by searches in turn (planner/sections/section_minimise.h): some look for
 * packings, others refute capacities.
 *
 * With pieces or alignments a proof comes soon or hardly ever: there the planner has turns beside
 * the searches, and with more than a few buffers most of a time limit.  With a limit of work it has
 * the last word, so that no plan is above the one that it makes with that limit.
 *
 * A part with buffers of several pieces, which may interlock, is decided by the orders of its pairs
 * alone.  With a limit, parts of more than a million incidences are left to the planner, which may
 * reach the load.  Fixed offsets are least and latest starts to all of these.  */
#ifndef ARENABENCH_PLANNER_LIBRARY_EXACT_H
#define ARENABENCH_PLANNER_LIBRARY_EXACT_H

#include <stddef.h>
#include <stdint.h>

struct instance;
struct plan;
struct solver_env;

struct exact_options {
    uint32_t without; /* WITHOUT_... (prove_with.h) */
    size_t nogoods;   /* kept at once */
    double deadline;  /* by timer_now */

    /* Capacity in bytes, no less than the load: only whether there is a plan within it is asked,
     * and the bound is told when it is above; -1: the optimum.  */
    int64_t capacity;
};

/* Fills in PLAN (offsets, peak, nodes, lower_bound); limits, seed, and who is told, are ENV's.  A
 * limit ends it with both bounds as they are: a limit refutes nothing.  */
void exact_plan(const struct instance *instance, const struct solver_env *env,
                const struct exact_options *options, struct plan *plan);

#endif
