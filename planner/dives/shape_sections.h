/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers of several pieces as sections: the maximal sets of pieces that are alive together.
 *
 * A buffer has a part in each section that one of its pieces lives in: the bytes from LO to HI
 * of its own, of which SIZE are in use (fewer than HI - LO where its pieces leave a hole).
 * A rectangle has the same part in a contiguous range of sections; a buffer whose size
 * changes has different ones, and one that is idle for a while is missing in between.
 * Bytes count in units.  */
#ifndef ARENABENCH_PLANNER_DIVES_SHAPE_SECTIONS_H
#define ARENABENCH_PLANNER_DIVES_SHAPE_SECTIONS_H

#include <stddef.h>
#include <stdint.h>

struct instance;

struct shape_part {
    uint32_t other; /* its section, or its buffer, whichever it is not listed by */
    int64_t lo, hi, size;
};

/* What another buffer keeps a buffer from: the other's start less its own can't lie strictly
 * between BELOW and ABOVE.  Two rectangles have one such gap, buffers that can interlock several.
 */
struct shape_gap {
    uint32_t other;
    int64_t below, above;
};

struct shape_sections {
    size_t n, sections;
    int64_t *size, *alignment; /* of each buffer */
    int64_t *fixed;            /* where each starts, -1: anywhere */
    size_t n_fixed;
    uint32_t *rank; /* of each buffer by lifetime in sections, then area, descending */
    size_t *first;  /* buffer b: part[first[b]..first[b + 1]), by section */
    struct shape_part *part;
    size_t *start; /* section s: member[start[s]..start[s + 1]), by buffer */
    struct shape_part *member;
    int64_t *total; /* of the sizes in each section */
    size_t *beside; /* buffer b: gap[beside[b]..beside[b + 1]), by the other one, then ascending */
    struct shape_gap *gap;
};

/* The sections of INSTANCE's pieces, in UNITs (dsa_unit).  NULL where there are more than MOST
 * incidences of pieces and sections, or pairs of buffers alive together.  The caller frees it; NULL
 * is accepted.  O(p log p) for p pieces and pairs of them that are alive together.  */
struct shape_sections *shape_sections_new(const struct instance *instance, int64_t unit,
                                          size_t most);
void shape_sections_free(struct shape_sections *shapes);

#endif
