/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated annealing over orders, by GSL's gsl_siman.  The only file that uses it.  */
#ifndef ARENABENCH_SOLVERS_SEARCH_GSL_ANNEAL_H
#define ARENABENCH_SOLVERS_SEARCH_GSL_ANNEAL_H

#include <stddef.h>
#include <stdint.h>

struct rng;

/* What is to become small; INFINITY: no order is to be accepted any more.  */
typedef double anneal_energy(void *context, const uint32_t *order);

struct anneal_schedule {
    double start, stop; /* temperatures, in units of energy; START > STOP > 0 */
    double cooling;     /* each is the one before divided by this; above 1 */
    int steps;          /* energies at each, at least 1 */
};

/* One run from ORDER[0..n), n >= 2; it is the best order met afterwards.  A step moves
 * one entry to another place, or two entries to each other's.  GSL can't be stopped: once
 * ENERGY has returned INFINITY, what is left of the run are turns in which nothing happens, and
 * ENERGY is not asked any more.  */
void gsl_anneal(uint32_t *order, size_t n, anneal_energy *energy, void *context,
                const struct anneal_schedule *schedule, struct rng *rng);

#endif
