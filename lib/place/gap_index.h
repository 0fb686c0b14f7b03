/* SPDX-License-Identifier: Apache-2.0 */
/* Free addresses during a lifetime, for planners that use gaps again.
 *
 * The gap scan of the published planners walks the placed buffers that overlap
 * the new one in time, by ascending offset, and looks at the gaps between
 * them.  What it finds depends only on which addresses are in use at some step
 * of the new buffer's life; this index keeps just that.  */
#ifndef ARENABENCH_LIB_PLACE_GAP_INDEX_H
#define ARENABENCH_LIB_PLACE_GAP_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/order.h"

struct buffer;
struct instance;
struct plan;
struct work_limit;

/* Addresses [lo, hi), in bytes.  */
struct span {
    int64_t lo, hi;
};

/* Spans in ascending order.  */
struct span_list {
    struct span *span;
    size_t count, room;
};

enum gap_fit {
    FIT_BEST,  /* the smallest gap that is large enough, the lowest of equal ones */
    FIT_FIRST, /* the lowest gap that is large enough */

    /* As FIT_BEST in TFLite's memory arena: a gap is compared without the padding
     * below its aligned start, but remembered with it, so a later gap that is up to that
     * padding worse replaces it.  */
    FIT_UNEVEN,
};

/* Places the buffers of an instance without fixed offsets in the order of KEY[0..n), each in a gap
 * or, where none is large enough, on top of the highest placed buffer that overlaps it in time;
 * fills in offsets and peak.  A gap starts at the buffer's own alignment.  */
void gap_place(const struct instance *instance, const struct order_key *key, enum gap_fit fit,
               struct plan *plan);

/* The same for KEY[FIXED..n) alone, within LIMIT (NULL: none): the buffers before these have their
 * offsets.  All that have fixed ones are among them (fixed_first in lib/place/orders.h).  False:
 * the limit was not enough, and what PLAN holds is none.  */
bool gap_place_until(const struct instance *instance, const struct order_key *key, size_t fixed,
                     enum gap_fit fit, struct work_limit *limit, struct plan *plan);

/* The same with a rule of the planner's own: CHOOSE returns where BUFFER goes,
 * given the GAPS of its size or more (disjoint, ascending, the last one endless),
 * measured before any alignment.  Holes that no buffer fits in are not gaps.  */
typedef int64_t gap_rule(const struct span_list *gaps, const struct buffer *buffer,
                         const void *context);
void gap_place_by(const struct instance *instance, const struct order_key *key, gap_rule *choose,
                  const void *context, struct plan *plan);

#endif
