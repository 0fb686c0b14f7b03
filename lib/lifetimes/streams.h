/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network on several streams, as devices have them: the operators of a stream run one after the
 * other, those of two streams as they come, but for events: an operator waits for those whose
 * values it reads.
 *
 * One operator happens before another when it stands before it on one stream, or makes what that
 * reads, or by several such steps.  A buffer is dead before another is born when all operators that
 * use the one happen before all that use the other.  Else the two may be in use at once, and
 * conflict, whatever the order in which somebody would run them one by one says.  */
#ifndef ARENABENCH_LIB_LIFETIMES_STREAMS_H
#define ARENABENCH_LIB_LIFETIMES_STREAMS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/lifetimes/counting.h"
#include "lib/lifetimes/time_model.h"

struct instance;
struct network;
struct origin;
struct schedule;

struct streams {
    size_t count;   /* that have an operator */
    size_t *stream; /* of each operator */
    /* The operators one by one, in the order in which they begin: one that agrees with the streams
     * and the events.  */
    struct schedule *schedule;
    size_t *after; /* of each operator: one that has to end before it begins, besides those whose
                      values it reads, or NETWORK_NONE */
    double serial_s, makespan_s; /* all times added up; until the last operator ends */
};

/* In place of a number of streams: each branch has its own.  */
enum { STREAMS_BRANCHES = 0 };

/* What is wanted of streams.  */
struct stream_wish {
    size_t count; /* streams at most, or STREAMS_BRANCHES */
    /* Fetches (lib/graph/fetch.h) have a stream more, the first, which is the copy engine.  It runs
     * at most so many of the other operators ahead: a fetch waits for the operator that is AHEAD +
     * 1 before its reader in the file, the fetches not counted.  */
    size_t ahead;
};

/* List scheduling on at most COUNT streams (Graham, Bounds on multiprocessing timing anomalies,
 * SIAM Journal on Applied Mathematics 17, 1969): of the operators that wait for nothing, the one
 * with the longest path to the end, by SECONDS of each, goes where it begins first; of such streams
 * to that of the operator that it waited for, if that is one, else to the first.
 *
 * With STREAMS_BRANCHES it goes on with a stream that ends with an operator whose values it reads,
 * the one that ends last, or has one of its own: as many streams as a greedy cover of the graph by
 * paths has paths.
 *
 * An operator with loops or branches is one operator.  O(n (n + COUNT)).  */
void streams_assign(struct streams *streams, const struct network *network, const double *seconds,
                    struct stream_wish wish);
void streams_clear(struct streams *streams);

/* BEFORE[x], words of 64 operators, of operator x: those that happen before it.  *WORDS each.  The
 * caller frees it.  */
uint64_t *streams_before(const struct streams *streams, const struct network *network,
                         size_t *words);

/* As lifetimes_instance on the streams of WISH, with buffers that may be in
 * use at once apart (lib/problem/conflicts.h).  MEASURED are the seconds of each operator; NULL:
 * those of time_model_default, where each stream has the rates of the whole machine.  Takes over
 * NETWORK, which is freed on failure too.  NULL with a message also where something is overwritten
 * in place.  */
struct instance *streams_instance(struct network *network, struct stream_wish wish,
                                  const double *measured, const struct lifetime_options *options,
                                  struct error *error);

/* How long ORIGIN's network takes by the model, on streams or in the steps of its schedule.  */
struct time_figures streams_times(const struct origin *origin);

#endif
