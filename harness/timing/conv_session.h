/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A convolution kernel in a process of its own that times batches on request:
 * libraries fix their threads and instruction set for the whole process, and a
 * crash ends only that process.
 *
 * A session outlives layers, and the end of its process: the next layer that is
 * prepared gets a new one.  */
#ifndef ARENABENCH_HARNESS_TIMING_CONV_SESSION_H
#define ARENABENCH_HARNESS_TIMING_CONV_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/timing/conv_protocol.h"

struct conv_session;

/* No process is started yet.  The caller frees it with conv_session_free, which
 * accepts NULL.  */
struct conv_session *conv_session_new(const struct conv_setup *setup);
void conv_session_free(struct conv_session *session);

/* Makes a plan for SHAPE with PARAMS ("" for the probe), packs, runs once and
 * compares.  The plan stays in SLOT until another takes its place or another
 * shape is prepared, which clears all slots.  True when it can be timed; FACTS
 * says why not.  */
bool conv_session_prepare(struct conv_session *session, int slot, const struct conv_shape *shape,
                          const char *params, bool relu, struct conv_facts *facts);

/* Runs the plan in SLOT REPEATS times, after a quarter as many runs to warm up
 * where REPEATS is above 1, and gives the seconds of one; the probe gives operations a second
 * instead.  When that fails the process is gone, with all slots, and FACTS has
 * the end and the reason.  */
bool conv_session_time(struct conv_session *session, int slot, int64_t repeats, double *result,
                       struct conv_facts *facts);

#endif
