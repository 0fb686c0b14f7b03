/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes alive while a network runs, kept up to date operator by operator:
 * what orders that save memory are chosen by.
 *
 * Under the counting rules (lib/lifetimes/lifetimes.h) a group of values, a value or
 * with alias=on a value and its pure aliases, is in memory from the step of the
 * operator that makes it through the last step that reads it; what is stored,
 * and what is a network output, to the end.  So the bytes alive at a step
 * depend only on the set of operators that ran before it.  */
#ifndef ARENABENCH_LIB_LIFETIMES_LIVE_H
#define ARENABENCH_LIB_LIFETIMES_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/lifetimes/counting.h"

struct network;

struct live {
    size_t n_ops, n_groups;    /* a group has the index of its first value */
    int64_t *size;             /* bytes of each group; 0: it does not count */
    size_t *readers;           /* operators that read it and have not run */
    bool *kept;                /* it is never given back */
    bool *run;                 /* operators that ran */
    size_t ran;                /* how many */
    int64_t bytes;             /* alive between two operators */
    int64_t unread;            /* network inputs that nobody reads: alive at the first step only */
    size_t *first_read, *read; /* read[first_read[o]..first_read[o+1]): the groups o reads, once */
    size_t *first_made, *made; /* likewise the groups that begin with an output of o */
    size_t *first_need, *need; /* likewise the operators that read an output of o, once */
    size_t *waits;             /* operators that have to run before o and have not */
};

/* Before the first operator.  NULL when the sizes add up to more than fits.
 * The caller frees it.  */
struct live *live_new(const struct network *network, const struct lifetime_options *options,
                      struct error *error);
void live_free(struct live *live);

/* Bytes alive while O runs, if it runs next, and by how much its step changes
 * what is alive afterwards.  */
int64_t live_during(const struct live *live, size_t o);
int64_t live_change(const struct live *live, size_t o);

/* Runs O, which waits for nothing.  */
void live_run(struct live *live, size_t o);

/* Takes back the COUNT operators of ORDER, which ran last.  */
void live_undo_all(struct live *live, const size_t *order, size_t count);

/* The largest live_during of running all operators in ORDER, from the start:
 * the load.  LIVE is before the first operator, and is so again.  */
int64_t live_load(struct live *live, const size_t *order);

#endif
