/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many bytes of each buffer are read and written over its life.
 *
 * Of an instance that says so (buffer.reads, buffer.writes): what it says; one that says when
 * (instance.access) has the whole buffer read or written at each of these steps.
 *
 * Of a network: each operator reads the bytes of each input that it takes once and writes those of
 * each output once; whoever brings an input writes it once.  Nothing is read or written where an
 * operator only passes on bytes that stay where they are (a view in its input's buffer, a part of a
 * concatenation that was made in place).  What an operator does within its caches is not known.  */
#ifndef ARENABENCH_MEMORIES_TRAFFIC_H
#define ARENABENCH_MEMORIES_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct instance;
struct origin;

enum traffic_source {
    TRAFFIC_COUNTED, /* the network's operators */
    TRAFFIC_SAID,    /* the instance says so */
    TRAFFIC_ONCE,    /* neither: each buffer is written once and read once, as a whole */
};

/* One number for each buffer; the caller frees both.  */
struct traffic {
    int64_t *reads, *writes;
    enum traffic_source source;
};

/* False when sums do not fit in 64 bits.  */
bool traffic_find(const struct instance *instance, struct traffic *traffic, struct error *error);
void traffic_clear(struct traffic *traffic);

/* Operator OP (NETWORK_NONE: whoever brings an input) reads or writes so many bytes of BUFFER.
 * False: no more of them.  */
typedef bool traffic_seen(void *context, size_t buffer, size_t op, int64_t reads, int64_t writes);

/* Gives SEE all that is read and written, operator by operator.  False when SEE was.  */
bool traffic_each(const struct origin *origin, traffic_seen *see, void *context);

#endif
