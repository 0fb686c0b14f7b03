/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators on streams, each of them a thread's: one after the other on a stream, in the order of
 * the schedule; before each the stream waits for the operators of others that make what it reads
 * (lib/lifetimes/streams.h says which values may lie where then).  */
#ifndef ARENABENCH_RUNTIME_STREAM_STEPS_H
#define ARENABENCH_RUNTIME_STREAM_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct network;
struct pool;
struct run_memory;
struct step;

struct stream_steps;

/* STEP[0..n_ops) in the order of the schedule, STREAM[o] that of operator o of NETWORK; AFTER as in
 * struct run_options.  All are
 * borrowed until stream_steps_free, but for STREAM; kernels among the steps use no pool.  NULL with
 * a message where POOL has fewer threads than there are streams.  */
struct stream_steps *stream_steps_new(const struct network *network, const size_t *stream,
                                      const size_t *after, const struct step *step,
                                      const struct run_memory *memory, struct pool *pool,
                                      struct error *error);
void stream_steps_free(struct stream_steps *steps);

/* Of all streams together.  */
int64_t stream_steps_scratch_bytes(const struct stream_steps *steps);

/* Runs all operators once; adds the seconds of each, without what it waits, to SECONDS, which has
 * one an operator in the network's order, unless that is NULL.  After a failure no operator begins.
 */
bool stream_steps_run(struct stream_steps *steps, double *seconds, struct error *error);

#endif
