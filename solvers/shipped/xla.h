/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the planners of XLA's heap simulator have in common.
 *
 * The simulator replays the program's allocations and frees, each of which moves
 * its clock on by one, and lifetimes are counted in ticks of that clock: a buffer
 * that lives through one step beside many short ones lives longer than in an
 * empty one.  From steps the clock is built again so:
 *
 *   - at each step first the buffers that begin there are allocated, by (begin,
 *     end, number), then those whose last step it is are freed, by the same;
 *   - a buffer's number is that of its value in XLA: here its place in the input,
 *     or in the order of equal ones that the parameter "ties" asks for;
 *   - duration = tick of the free - tick of the allocation.
 *
 *   step    0        1              2            a and b live [0, 2), c [1, 2),
 *   events  a+ b+    c+ a- b- c-    d+ d-        d [2, 3): durations 3, 3, 3, 1
 *   tick    0  1     2  3  4  5     6  7
 *
 * All events differ, so two lifetimes meet in ticks, both ends included, exactly
 * if they share a step.  */
#ifndef ARENABENCH_SOLVERS_SHIPPED_XLA_H
#define ARENABENCH_SOLVERS_SHIPPED_XLA_H

#include <stddef.h>
#include <stdint.h>

#include "lib/place/gap_index.h"

struct instance;
struct plan;
struct solver_env;

enum xla_order {
    XLA_SPATIAL,  /* size, then duration, both descending */
    XLA_TEMPORAL, /* duration, then size, both descending */
    XLA_AREA,     /* size x duration descending: kSpatialTemporal */
};

/* Which gap: an enum gap_fit.  */
#define XLA_FIT_PARAM                                                                  \
    PARAM_ENUM("fit", "best",                                                          \
               "the smallest gap that is large enough, or the lowest (kLowestOffset)", \
               {"best", FIT_BEST}, {"lowest", FIT_FIRST})

/* On processors (cpu_function_runtime); sizes are left as they are.  */
enum { XLA_ALIGNMENT = 64 };

/* Places all buffers; fills in offsets and peak.  ENV has the parameter "ties".
 * O(n log n) and the placement of lib/place/gap_index.c.  */
void xla_place(const struct instance *instance, const struct solver_env *env, enum xla_order order,
               enum gap_fit fit, struct plan *plan);

/* DURATION[b] in ticks; NUMBERED[0..n): the buffers by their numbers.  */
void xla_durations(const struct instance *instance, const size_t *numbered, uint64_t *duration);

#endif
