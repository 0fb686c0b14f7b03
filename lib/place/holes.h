/* SPDX-License-Identifier: Apache-2.0 */
/* Where buffers can't start because of what is fixed beside them: a static fact, as alignment is.
 *
 *      +----+          b, 3 high, beside f at [5, 7): o(b) can't lie strictly between 2 and 7,
 *    7 +----+          so what starts at 3 or later starts at 7 or later.
 *      |  f |  +---+
 *    5 +----+  | b |
 *    2         +---+
 *
 * Whatever raises a start raises it past such a hole, and whoever asks why (section_explain.h) asks
 * for no more than that it is in the hole.  */
#ifndef ARENABENCH_LIB_PLACE_HOLES_H
#define ARENABENCH_LIB_PLACE_HOLES_H

#include <stddef.h>
#include <stdint.h>

/* A start does not lie strictly between.  */
struct hole {
    int64_t below, above;
};

/* Of buffers, or of classes of them, that come one after the other.  */
struct holes {
    size_t n, *first;  /* buffer b < n has hole[first[b]..first[b + 1]), ascending, none of which */
    struct hole *hole; /* overlap */
    size_t count, room;
};

/* None, with room for N buffers.  */
void holes_init(struct holes *holes, size_t n);
void holes_clear(struct holes *holes);

/* One more hole of buffer holes->n.  */
void holes_add(struct holes *holes, struct hole hole);

/* These were all of buffer holes->n.  O(h log h) for h holes.  */
void holes_close(struct holes *holes);

/* The hole of what is SIZE high beside what is fixed at FIXED and is HEIGHT high.  */
static inline struct hole hole_beside(int64_t size, int64_t fixed, int64_t height)
{
    return (struct hole){fixed - size, fixed + height};
}

/* The least multiple of ALIGNMENT from START on that is in no hole of buffer B.  */
int64_t holes_next(const struct holes *holes, size_t b, int64_t start, int64_t alignment);

/* The least value for which that is LEAST or more.  */
int64_t holes_weakest(const struct holes *holes, size_t b, int64_t least, int64_t alignment);

#endif
