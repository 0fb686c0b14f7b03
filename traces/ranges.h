/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges of addresses that don't overlap, in order.  */
#ifndef ARENABENCH_TRACES_RANGES_H
#define ARENABENCH_TRACES_RANGES_H

#include <stddef.h>
#include <stdint.h>

/* Its last byte is LAST, so that one may end where addresses end.  */
struct range {
    uint64_t low, last;
    size_t value; /* the caller's */
};

struct range_chunk;

/* All zero: none.  A change takes time for a chunk and, now and then, for the list of chunks.  */
struct ranges {
    size_t count; /* of the ranges */
    size_t chunks, chunks_room, lows_room;
    struct range_chunk **chunk; /* in order, none empty */
    uint64_t *low;              /* where the first range of each begins */
};

void ranges_clear(struct ranges *ranges);

/* The lowest range that has a byte of [LOW, LAST]; NULL: none has.  Good until the next change. */
const struct range *ranges_meeting(const struct ranges *ranges, uint64_t low, uint64_t last);

/* The highest range; NULL where there is none.  */
const struct range *ranges_highest(const struct ranges *ranges);

/* Adds a range that meets none; takes the one that begins at LOW away, if there is one.  */
void ranges_add(struct ranges *ranges, struct range range);
void ranges_remove(struct ranges *ranges, uint64_t low);

/* Adds [LOW, LAST], joined with all that it meets or touches, as one range of value 0.  */
void ranges_cover(struct ranges *ranges, uint64_t low, uint64_t last);

/* Copies them in order into INTO, which has room for COUNT.  */
void ranges_list(const struct ranges *ranges, struct range *into);

#endif
