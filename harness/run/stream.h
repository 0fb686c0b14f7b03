/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory that a run's child shares with its parent.
 *
 * The child writes incumbents into two slots in turn and counts one only when
 * it stands there complete, so whenever the child dies, even in the middle of
 * a write, the parent finds the last complete one in the other slot.  The
 * parent reads after the child's end; only stream_started and stream_progress may
 * be asked before.  */
#ifndef ARENABENCH_HARNESS_RUN_STREAM_H
#define ARENABENCH_HARNESS_RUN_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/run/run.h"
#include "lib/problem/plan.h"
#include "lib/problem/search_statistics.h"

struct stream;

/* How far the child came.  */
enum stream_state {
    STREAM_READY,   /* solve() was not called */
    STREAM_STARTED, /* ... has not returned */
    STREAM_ENDED,   /* ... has returned */
};

/* What the child says about its run, beside plan and events.  */
struct stream_report {
    enum stream_state state;
    enum outcome returned; /* by solve(); STREAM_ENDED only */
    double start, end;     /* moments on the monotonic clock; 0: not reached */
    int64_t bound;         /* the best lower bound; 0: none */
    int64_t nodes;
    struct search_statistics statistics;
    char note[sizeof((struct plan *)0)->note];
};

/* Room for plans of N buffers; pages are taken as they are written to.  NULL
 * with errno when there is no memory.  */
struct stream *stream_new(size_t n);
void stream_free(struct stream *stream);

/* The child's side.  An incumbent that is worse than the last one is passed
 * over; so is a bound that is no better.  */
void stream_start(struct stream *stream);
void stream_incumbent(struct stream *stream, const struct plan *plan);
void stream_bound(struct stream *stream, int64_t lower_bound);
/* Where its solver adds what it counts.  */
struct search_statistics *stream_statistics(struct stream *stream);
void stream_end(struct stream *stream, enum outcome returned, const struct plan *plan);

/* The parent's side.  */
double stream_started(const struct stream *stream); /* 0: not yet */
/* The best lower bound so far, and the peak of the last complete incumbent; false:
 * there is none.  */
bool stream_progress(const struct stream *stream, int64_t *bound, int64_t *peak);
void stream_report(const struct stream *stream, struct stream_report *report);

/* The last complete incumbent into PLAN, fresh from plan_new; false: none.  */
bool stream_plan(const struct stream *stream, struct plan *plan);

/* The improvements in order, which the caller frees.  The first and the last
 * ones are kept when there were too many; LOST says so.  */
size_t stream_events(const struct stream *stream, struct run_event **event, bool *lost);

#endif
