/* A convolution kernel on one layer, in a process of its own that times
 * batches on request: libraries fix their threads and instruction set for the
 * whole process, and a crash ends only that process.  */
#ifndef ARENABENCH_HARNESS_CONV_SESSION_H
#define ARENABENCH_HARNESS_CONV_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/kernel.h"

struct conv_contestant {
    const struct conv_kernel *kernel; /* NULL: the probe of the peak */
    const char *name;                 /* as the user gave it, without parameters */
    char *params;                     /* the text after the colon, owned */
    enum isa isa;
    int threads;
    bool relu;
};

/* What a session knows before anything is timed.  */
struct conv_facts {
    bool supported; /* else `reason` says why it was skipped */
    bool right;     /* every output looked at is within the bound; else `reason` */
    char reason[1024];
    struct conv_choice choice; /* the texts are static in parent and child alike */
    double max_error;          /* largest distance from the reference */
    int64_t compared;          /* outputs that were looked at */
    int64_t workspace_bytes, packed_bytes;
};

struct conv_session;

/* Starts the process, on processor CPU (< 0: where it likes), and waits until
 * it has made its plan, packed and compared.  Facts say whether it can be
 * timed; a crash makes them unsupported.  NULL when it can't be.  */
struct conv_session *conv_session_start(const struct conv_contestant *contestant,
                                        const struct conv_shape *shape, int cpu,
                                        struct conv_facts *facts);

/* Runs REPEATS times and gives the seconds of one; the probe gives operations a
 * second instead.  False when the process is gone.  */
bool conv_session_time(struct conv_session *session, int64_t repeats, double *result);

void conv_session_end(struct conv_session *session);

#endif
