/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an allocator did, as it was recorded: allocations and releases in their order, with the
 * addresses that it chose.
 *
 * Time is the number of the event, from 1: a block is alive from its allocation to just before
 * its release.  What was there before the first event begins at 0; what was never released ends
 * behind the last event.  Blocks of different pools never share memory, whatever their addresses:
 * a device's memory, a pool of the allocator's, a stream, whose work a recording does not order
 * with that of others.  */
#ifndef ARENABENCH_TRACES_TRACE_H
#define ARENABENCH_TRACES_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"
#include "traces/ranges.h"

struct instance;
struct plan;

struct trace_block {
    uint64_t address;
    int64_t size;       /* bytes that were asked for, above 0 */
    int64_t begin, end; /* events, half-open */
};

struct trace_pool {
    char *name;
    size_t n;
    struct trace_block *block; /* by begin, those of before first */
    size_t before, after;      /* blocks that were there before the first event, after the last */
    size_t empty;              /* allocations of no bytes, which are no blocks */
    size_t unknown;            /* releases of what was there before, of a size that nobody knows */
    size_t lost;               /* releases that are missing: something else was allocated there */
    size_t n_used;
    struct range *used;    /* the addresses that some block ever had, in order, joined */
    int64_t used_bytes;    /* and how many: INT64_MAX where they don't fit */
    int64_t most_reserved; /* bytes that the allocator had from below at most; -1: not recorded */
};

struct trace {
    char *name; /* of the file, without folders */
    int64_t events;
    size_t n_pools;
    struct trace_pool *pool; /* in the order in which they come in the file */
};

/* What a recording can be in.  */
enum { TRACE_POOLS = 1000 };

/* Reads the recording in IN, which messages call PATH, in the format that its first characters
 * say: JSON of PyTorch's, glibc's mtrace, or CSV.  NULL with a message that says where and what
 * was expected.  The caller frees it with trace_free.  */
struct trace *trace_read(FILE *in, const char *path, struct error *error);
void trace_free(struct trace *trace);

/* The blocks of POOL as an instance: what a plan has to place.  NULL with a message where sizes
 * sum up to too much.  The caller frees it.  */
struct instance *trace_instance(const struct trace *trace, size_t pool, struct error *error);

/* Where the blocks of POOL were, as a plan of trace_instance's, from the lowest address on; CLOSED:
 * without the stretches that no block ever had, which is a plan too.  NULL with a message where
 * the addresses are further apart than offsets can be.  The caller frees it.  */
struct plan *trace_plan(const struct trace *trace, size_t pool, const struct instance *instance,
                        bool closed, struct error *error);

/* Bytes in use after an event of a pool.  */
struct trace_sample {
    int64_t event;
    int64_t alive; /* the sum of sizes */
    int64_t top;   /* where the highest block ends in the plan */
};

/* Samples of PLAN, which is one of trace_plan's, at event 0 and each one that changes POOL; *COUNT
 * of them, which the caller frees.  */
struct trace_sample *trace_samples(const struct trace *trace, size_t pool, const struct plan *plan,
                                   size_t *count);

#endif
