/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting the time axis where nothing is alive: the parts can be planned one
 * by one, and the peak of the whole is the largest of theirs.  */
#ifndef ARENABENCH_LIB_PLACE_TIME_PARTS_H
#define ARENABENCH_LIB_PLACE_TIME_PARTS_H

#include <stddef.h>
#include <stdint.h>

struct instance;
struct plan;

/* Fills in PART, one number a buffer from 0 in the order of time, and returns
 * the number of parts.  O(n).  */
size_t time_parts(const struct instance *instance, size_t *part);

/* PEAK[p] = the peak of PLAN over the buffers of part p.  */
void time_parts_peaks(const struct instance *instance, const size_t *part, size_t parts,
                      const struct plan *plan, int64_t *peak);

#endif
