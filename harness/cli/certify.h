/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Certificates of optimality (lib/judge/certificate.h), from the solver's own run, or from what
 * the disjunctive search refutes, written by a process of its own: whatever happens to
 * it is a message.  */
#ifndef ARENABENCH_HARNESS_CLI_CERTIFY_H
#define ARENABENCH_HARNESS_CLI_CERTIFY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

struct instance;
struct output;
struct run_limits;
struct watch;

/* Writes to OUTPUT why no plan of INSTANCE has a peak below PEAK, under LIMITS of time and
 * memory, while WATCH looks on.  PROOF is what the run of a solver has written, which is taken
 * where it says that and stands the check (*TAKEN); NULL: nothing.  False with the reason where it
 * can't; what has been written is no certificate then.  */
bool certify(const struct instance *instance, int64_t peak, FILE *proof,
             const struct run_limits *limits, const struct watch *watch,
             const struct output *output, bool *taken, struct error *error);

#endif
