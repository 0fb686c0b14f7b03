/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convolution kernels side by side on one layer, in interleaved rounds.  */
#ifndef ARENABENCH_HARNESS_TIMING_CONV_BENCH_H
#define ARENABENCH_HARNESS_TIMING_CONV_BENCH_H

#include <stddef.h>

#include "harness/timing/conv_session.h"

/* The sessions of a run: one for each kernel, instruction set and number of
 * threads that is asked for, and one for each probe of the peak.  */
struct conv_sessions;

/* COMPARE_MACS and PATIENCE_S as in struct conv_setup.  The sessions with one
 * thread share a processor.  */
struct conv_sessions *conv_sessions_new(int64_t compare_macs, double patience_s);
void conv_sessions_free(struct conv_sessions *sessions);
/* KERNEL NULL: the probe.  It belongs to SESSIONS.  */
struct conv_session *conv_sessions_get(struct conv_sessions *sessions,
                                       const struct conv_kernel *kernel, enum isa isa, int threads);

/* The processor that they share, the last one that this process may use; -1: unknown.  */
int conv_sessions_processor(const struct conv_sessions *sessions);

/* Seconds of one turn, and how often to run what takes ONCE seconds in it.  */
extern const double conv_turn;
int64_t conv_turn_repeats(double once);

/* What goes on in a run, for who looks on.  */
struct conv_moment {
    /* Set by who starts the contest.  */
    size_t before, all; /* contestants of earlier calls, and of all */
    double best_s;      /* the shortest mean time so far; 0: none yet */

    /* Kept up by conv_bench.  */
    const char *name;   /* of who was prepared last; NULL: nobody yet */
    enum isa isa;       /* its instruction set */
    size_t first, last; /* the numbers, from 1, of the call's first one, and of that one */
    int round;          /* 0: they are prepared */
    const char *best;   /* the name of the best */
};

/* WATCH looks on from now on, and MOMENT says what it sees; both outlive SESSIONS.
 * The probes and plans that WATCH ends have CONV_END_STOPPED.  */
void conv_sessions_watch(struct conv_sessions *sessions, const struct watch *watch,
                         struct conv_moment *moment);

struct conv_contestant {
    const struct conv_kernel *kernel;
    const char *name; /* as the user gave it, without parameters */
    char *params;     /* the text after the colon, owned */
    enum isa isa;
    int threads;
    bool relu;
};

struct conv_result {
    struct conv_facts facts;
    double time_s; /* median of the rounds */
    double peak;   /* operations a second of the probe, median of the same rounds */
    double *round; /* seconds, one a round; the caller frees it */
    int disturbed; /* rounds in which the probe was more than 15 % under its median */
};

/* Prepares SHAPE for every contestant, then times each for about a millisecond
 * in turn, ROUNDS times, a probe of the peak beside each instruction set.
 * RESULT[i] is contestant i's; its round is NULL where it was not timed to the
 * end.  At most CONV_SLOTS contestants may share a session.  */
void conv_bench(struct conv_sessions *sessions, const struct conv_contestant *contestant,
                size_t count, const struct conv_shape *shape, int rounds,
                struct conv_result *result);

#endif
