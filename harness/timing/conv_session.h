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

#include "kernels/kernel.h"

struct watch;

/* What holds for all layers of a session.  */
struct conv_setup {
    const struct conv_kernel *kernel; /* NULL: the probe of the peak */
    enum isa isa;
    int threads;
    int cpu;                   /* the processor it is pinned to; < 0: where it likes */
    int64_t compare_macs;      /* multiply-adds that the reference of a layer may take */
    double patience_s;         /* for an answer; a process that is silent for longer hangs */
    const struct watch *watch; /* NULL: nobody looks on */
};

/* The tensors of SHAPE fit into the machine's memory, EXTRA floats beside them;
 * else false with a message.  */
bool conv_fits(const struct conv_shape *shape, double extra, struct error *error);

/* Plans that a session keeps at a time, all of one layer.  */
enum { CONV_SLOTS = 12 };

/* How preparing or timing ended.  */
enum conv_end {
    CONV_END_GOOD,
    CONV_END_SKIPPED, /* the kernel can't do it */
    CONV_END_WRONG,   /* an output is further from the reference than it may be */
    CONV_END_CRASHED,
    CONV_END_HUNG,
    CONV_END_MEMORY,
    CONV_END_GONE,    /* the process ended before, for the sake of another plan */
    CONV_END_STOPPED, /* the watch wanted no more */
};

/* What a session knows before anything is timed.  */
struct conv_facts {
    enum conv_end end;
    char reason[1024];         /* where it did not end well */
    struct conv_choice choice; /* the texts are static in parent and child alike */
    char library[96];          /* name and version, or empty */
    double max_error;          /* largest distance from the reference */
    int64_t compared;          /* outputs that were looked at */
    int64_t workspace_bytes, packed_bytes;
    double pack_s;    /* packing the weights once, into memory that was touched before */
    double convert_s; /* the input from NCHW and the output to it; 0: the plan takes NCHW */
};

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
