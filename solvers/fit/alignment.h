/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planners that have one alignment for the whole arena.  */
#ifndef ARENABENCH_SOLVERS_FIT_ALIGNMENT_H
#define ARENABENCH_SOLVERS_FIT_ALIGNMENT_H

#include <stdbool.h>

#include "lib/base/error.h"

struct instance;
struct params;

/* Whether the largest alignment of INSTANCE serves all buffers: the others
 * divide it, and each tensor inside a buffer starts at a multiple of it.  */
bool alignment_serves_all(const struct instance *instance, struct error *reason);

/* The same for the `applicable` of a solver that has no other condition.  */
bool alignment_applicable(const struct instance *instance, const struct params *params,
                          struct error *reason);

#endif
