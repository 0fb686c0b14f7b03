/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a schedule takes when the operators of a step run side by side: the
 * model of Oplachko's thesis (2021), section 4.
 *
 *   tau(G)  = sum of tau(v) + (n - 1) s         one operator after the other
 *   tau'(G) = sum of tau(L) + (steps - 1) s     groups L, a step each
 *   S(G)    = tau(G) / tau'(G)
 *
 * with s the cost of a synchronisation.  (The thesis counts one synchronisation
 * fewer between its layers 0 to D than there are; ours are all counted.)  The
 * thesis measures tau(v) and tau(L) on a device.  Here tau(v) is measured by the
 * user or follows from the operator's work and the machine's rates, and tau(L)
 * from the share of the machine that each operator can fill:
 *
 *   tau(v) = max(MACs / macs_per_s, bytes / bytes_per_s) / u(v)
 *   u(v)   = min(1, output elements / lanes)
 *   tau(L) = max(largest tau(v), sum of u(v) tau(v))
 *
 * so that max tau(v) <= tau(L) <= sum of tau(v), as the thesis assumes: an
 * operator that fills the machine leaves nothing to its neighbours, small ones
 * share it.  Bytes are those that the operator reads and writes, weights too.
 *
 * A processor of several threads, each of which takes whole operators, is another machine; so
 * runtime/regions.h runs a schedule.  A thread that is free takes the longest operator of the step
 * that is left, and at the end of a step the threads wait for each other, unless a single
 * operator took time; one thread waits for nobody:
 *
 *   tau(G)  = sum of tau(v)
 *   tau'(G) = sum of tau(L) + s for each step in which several operators take time, of two threads
 * or more tau(v)  = max(MACs / macs_per_s, bytes / bytes_per_s), by the rates of one thread tau(L)
 * = the largest sum of tau(v) that a thread has taken  */
#ifndef ARENABENCH_LIB_LIFETIMES_TIME_MODEL_H
#define ARENABENCH_LIB_LIFETIMES_TIME_MODEL_H

#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

struct network;
struct schedule;

struct time_model {
    double macs_per_s;  /* multiply-accumulates of the whole machine, or of one thread, a second */
    double bytes_per_s; /* memory, a second */
    double lanes;       /* output elements that fill the machine */
    double sync_s;      /* one synchronisation */
    int threads;        /* that take whole operators; 0: operators share the machine by lanes */
};

/* A stated machine, not a measured one: of the order of a large mobile GPU of
 * 2017 (the thesis ran on one): 1e11 MAC/s, 2e10 B/s, 4096 lanes, 20 us.  */
extern const struct time_model time_model_default;

struct time_figures {
    double serial_s;    /* tau(G) */
    double scheduled_s; /* tau'(G) */
    double speed_up;    /* S(G); 1 for a network without operators */
    int64_t barriers;   /* synchronisations in tau'(G): steps - 1 where operators share by lanes */
};

/* tau(v) of each operator; rates and lanes are above 0.  The caller frees it.  */
double *time_model_times(const struct time_model *model, const struct network *network);

/* TIME: seconds of each operator, measured; NULL: from the model.  Rates and
 * lanes are above 0.  */
struct time_figures time_model_run(const struct time_model *model, const struct network *network,
                                   const struct schedule *schedule, const double *time);

/* Reads the times of NETWORK's operators from a CSV file with the columns `operator` and
 * `time_s`, perhaps among others: every operator once.  Messages call it PATH.  The caller frees
 * the times.  */
double *time_model_read(FILE *in, const char *path, const struct network *network,
                        struct error *error);

#endif
