/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tflite-gpu-size-distance: the GPU delegate's shared objects, by size and then by how
 * near in time an object was used.
 *
 * The k-th positional maximum is the largest size that is k-th at some step: no plan of
 * objects can have a smaller k-th object.  A buffer's position is the last positional
 * maximum that is at least its size.  Its distance to an object is the number of steps
 * from the last use of one tenant to the first use of the other, the least over the
 * tenants; endless if one meets it.  Again and again the buffer with the least position
 * goes next; of these the one with the least distance to any object; then the largest,
 * then the first of the input.  It joins that object, which may grow, or opens one.
 *
 *     a  80 bytes  [ 0,  2)     positional maxima 80, 60: a is at position 0, the others
 *     b  60 bytes  [ 4,  8)     at 1.  a opens object 0; then c, at distance 1, goes
 *     c  50 bytes  [ 2,  6)     before b, at distance 3, though b is larger, and joins
 *     d  60 bytes  [10, 12)     it; d joins it at distance 5; b, which meets c, opens
 *     e  60 bytes  [10, 12)     object 1, and e joins that at distance 3
 *
 * Where two objects are as near, the one that was found first stays the best, until a
 * new tenant rules it out; then the first of the nearest is.  (A comment upstream
 * promises the largest; the code does not do that.)
 *
 * Source: TensorFlow Lite, delegates/gpu/common/memory_management,
 * greedy_by_size_assignment, GreedyBySizeDistPriorityAssignment (GREEDY_BY_SIZE for
 * objects); Pisarchyk and Lee 2020, Greedy by Size Improved.
 * Complexity: O(n^2 + n * objects) with memory for each buffer and object there; here
 * O(n^2) with a small constant and a bit for each buffer and object
 * (solvers/shipped/delegate_size_distance.c).
 * Guarantee: none is known but peak <= sum of the sizes plus padding.
 * Differences: lifetimes are half-open (theirs include the last task); the objects are
 * stacked in the order of opening, each at a multiple of its tenants' alignments.  */
#include <config.h>

#include "lib/problem/plan.h"
#include "solvers/fit/alignment.h"
#include "solvers/fit/ties.h"
#include "solvers/shipped/delegate_objects.h"
#include "solvers/solver.h"

static const struct param params[] = {TIES_PARAM, PARAM_END};

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    delegate_by_size_distance(instance, env, plan);
    return OUTCOME_FEASIBLE;
}

const struct solver solver_tflite_gpu_size_distance = {
    .name = "tflite-gpu-size-distance",
    .title = "TFLite GPU, by size and distance",
    .source = "Pisarchyk and Lee 2020; TFLite GPU delegate, GREEDY_BY_SIZE",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED,
    .layout = LAYOUT_OBJECTS,
    .params = params,
    .applicable = alignment_applicable,
    .solve = solve,
};
