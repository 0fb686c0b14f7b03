/* SPDX-License-Identifier: Apache-2.0 */
/* Free addresses during a lifetime, where few buffers meet in time: a list of the
 * placed buffers for each stretch of the time axis.
 *
 * A stretch is about as long as a buffer lives on average, so a lifetime reaches into
 * one or two, and what it has to look at lies in one place in memory.  Stretch after stretch takes
 * its entries out of the gaps that are left, of which there are few.  The cost of a
 * placement is the number of buffers in these stretches, which is little on the
 * lifetimes of networks and too much where lifetimes are long: lib/place/gap_index.c has
 * a tree for these.  */
#ifndef ARENABENCH_LIB_PLACE_GAP_BUCKETS_H
#define ARENABENCH_LIB_PLACE_GAP_BUCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/place/address_set.h"

struct buffer;
struct gap_placed;
struct instance;

/* A placed buffer: its steps, both inclusive, and its addresses.  */
struct bucket_entry {
    uint32_t first, last;
    int64_t lo, hi;
};

struct gap_buckets {
    unsigned shift;             /* a stretch is so long, in steps: 2 to that power */
    size_t buckets;             /* stretches */
    size_t *start;              /* room of bucket k: entry[start[k]..start[k + 1]) */
    uint32_t *count;            /* entries in bucket k, by ascending lo */
    struct bucket_entry *entry; /* a buffer is in each bucket that it reaches into */
    struct span_list spare;     /* scratch */
};

/* Room for the buffers of INSTANCE.  False, and all zero, where a placement would
 * look at more than 2,000 buffers on average.  */
bool gap_buckets_init(struct gap_buckets *buckets, const struct instance *instance);
void gap_buckets_clear(struct gap_buckets *buckets);

/* Writes to GAPS the gaps that stay free during the life of BUFFER and are as large, ascending; the
 * last one is endless.  Returns how many entries and gaps it looked at.  */
int64_t gap_buckets_find(struct gap_buckets *buckets, const struct buffer *buffer,
                         struct span_list *gaps);

/* BUFFER lies at [LO, HI).  */
void gap_buckets_add(struct gap_buckets *buckets, const struct buffer *buffer, int64_t lo,
                     int64_t hi);

/* For builds with checks: each buffer of PLACED, and no other, is in all its buckets.  */
void gap_buckets_check(const struct gap_buckets *buckets, const struct gap_placed *placed);

/* Asks memory for what a find for BUFFER will read: where its buckets are, and with
 * ENTRIES, once that has come, what is in them.  */
void gap_buckets_fetch(const struct gap_buckets *buckets, const struct buffer *buffer,
                       bool entries);

#endif
