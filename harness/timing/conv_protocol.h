/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a session and the process behind it tell each other.  */
#ifndef ARENABENCH_HARNESS_TIMING_CONV_PROTOCOL_H
#define ARENABENCH_HARNESS_TIMING_CONV_PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/kernel.h"

struct watch;

/* What holds for all layers of a session.  */
struct conv_setup {
    const struct conv_kernel *kernel; /* NULL: the probe of the peak */
    enum isa isa;
    int threads;
    int cpu;                   /* that one thread is pinned to */
    int64_t compare_macs;      /* multiply-adds that the reference of a layer may take */
    double patience_s;         /* for an answer; a process that is silent for longer hangs */
    const struct watch *watch; /* NULL: nobody looks on */
};

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

/* Messages to the process, each with an order, and its answers: struct conv_facts to the first,
 * a double to the other.  */
enum conv_message { CONV_PREPARE, CONV_TIME, CONV_ANSWER };

struct conv_order {
    int slot;
    int64_t repeats; /* CONV_TIME */
    struct conv_shape shape;
    bool relu;
    char params[]; /* CONV_PREPARE */
};

/* What the process exits with where it ends by itself before its time.  */
enum { CONV_EXIT_MEMORY = 3 };

#endif
