/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The network that an instance came from, and where its values lie.  */
#ifndef ARENABENCH_LIB_LIFETIMES_ORIGIN_H
#define ARENABENCH_LIB_LIFETIMES_ORIGIN_H

#include <stddef.h>
#include <stdint.h>

struct instance;
struct network;
struct schedule;

/* For planners that need the graph, and for the replay.  */
struct origin {
    struct network *network;
    struct schedule *schedule;
    size_t *value; /* value[b]: the value that buffer b is named after and as large as */

    /* Where each value of the network lies: bytes [place, place + its size) of a
     * buffer, SIZE_MAX for one that has none.  Values share bytes where one
     * is a view of the other, overwrites it, or was placed into it.  */
    size_t *buffer;
    int64_t *place;

    /* On which stream each operator runs, how long all do one after the other, and until when on
     * streams; NULL: there is one clock, and the
     * schedule says all (lib/lifetimes/streams.h).  */
    size_t *stream;
    size_t *after; /* with it: of each operator, one that it waits for beside its inputs' */
    double serial_s, makespan_s;
};

/* Takes over NETWORK and SCHEDULE and VALUE (one entry a buffer).  Every buffer then holds its
 * value from its first byte on, and nothing else.  */
void instance_set_origin(struct instance *instance, struct network *network,
                         struct schedule *schedule, size_t *value);

/* Takes over BUFFER and PLACE, which replace where the origin's values lie.  */
void instance_set_places(struct instance *instance, size_t *buffer, int64_t *place);

#endif
