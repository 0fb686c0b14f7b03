/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network that runs: its operators, one after the other as the schedule has them, on values that
 * lie where they were put.
 *
 * An operator whose output lies on its input because it is a view of it, or whose input lies in its
 * output because it was made there, has nothing to do with it (struct op_reuse,
 * lib/graph/network.h): whether that is so is seen from the addresses.  Convolutions run on a
 * kernel, in whose layout values lie where that is possible (layouts.h).  */
#ifndef ARENABENCH_RUNTIME_RUN_H
#define ARENABENCH_RUNTIME_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/isa.h"
#include "lib/base/error.h"

struct conv_kernel;
struct elements;
struct instance;
struct network;
struct plan;
struct pool;
struct run_memory;
struct run_traffic;
struct schedule;

struct run;

/* What is done around the operators of a run in which values move from place to place: not with
 * kernels, groups or streams.  Each has CONTEXT, and writes where values lie
 * into MEMORY->value.  */
struct run_hooks {
    void *context;
    /* Where they lie before the inputs are written, and after the run.  */
    void (*begin)(void *context, const struct run_memory *memory);
    void (*end)(void *context, const struct run_memory *memory);
    /* Where operator OP finds its values, and puts them.  */
    void (*place)(void *context, const struct run_memory *memory, size_t op);
    /* Moves what moves at OP, before it or AFTER it, and adds that to TRAFFIC, if it is not NULL.
     */
    void (*move)(void *context, const struct run_memory *memory, size_t op, bool after,
                 struct run_traffic *traffic);
};

struct run_options {
    const struct conv_kernel *kernel; /* of convolutions; NULL: operators like the others */
    enum isa isa;                     /* of the kernel */
    int threads; /* of the kernel, and of operators that lie in its blocks; 1 to as many as there
                    are processors */
    bool groups; /* instead the operators of a step run at once, each on one of the threads */
    const size_t
        *stream;         /* instead each operator runs on the thread of its stream (stream_steps.h):
                          * one an operator, of no more streams than threads; NULL: there are none.
                          * With one thread it is not looked at.  Read by run_new only.  */
    const size_t *after; /* with STREAM: one that each operator waits for besides those that make
                          * what it reads, or NETWORK_NONE; NULL: none does.  Borrowed.  */
    const double *time; /* with groups: seconds of each operator, the longest of a step first; NULL:
                           as modelled.  Read by run_new only.  */
    int64_t *found;     /* instead of an error where an operator finds another length
                         * than its output has, which then is zeros: that length, one an
                         * operator, else untouched; NULL: it is an error */
    struct elements *const *given; /* what inputs are, one a value of the network, NULL for those
                                    * that are drawn (inputs.h); NULL: all are */
    const struct run_hooks *hooks; /* NULL: values stay where they are */
    struct pool *pool;             /* of so many threads, for runs in turn; NULL: one of its own */
};

/* What a run is made of, the bodies of loops and branches included; counted before it.  */
struct run_facts {
    size_t operators;        /* each once, however often it is run */
    size_t idle;             /* of these, views and what was made in its place: nothing is run */
    size_t convolutions;     /* and fully connected layers, on the kernel */
    size_t others;           /* of these, those that the kernel does not take */
    char reason[160];        /* why the first of them is not */
    int64_t scratch_bytes;   /* for changes of layout, beside the arena */
    int64_t workspace_bytes; /* the kernels' own, beside both: the largest of one */
    int64_t body_bytes;      /* of values in bodies and what these carry on, beside the arena */
    int64_t weight_bytes;    /* packed for the kernels */
    /* Written by changes of layout, by operators that only move, and into bodies and out of them:
     * of a loop in all iterations that it can have, of branches by the one that writes most.  */
    int64_t copied_bytes;
};

/* How one operator is done.  */
struct run_operator {
    const char *how;      /* "kernel", "blocks", "plain", "bodies", or "nothing": all is there */
    int64_t copied_bytes; /* as in struct run_facts */
};

/* Whether all operators of NETWORK can be run; else all words of those that cannot, with their
 * numbers and the reason of the first.  */
bool run_check(const struct network *network, struct error *error);

/* A run of NETWORK, which passed run_check and whose stored values, but an optimiser's state, have
 * elements.  All but OPTIONS are borrowed until run_free.  NULL with a message, also where SCHEDULE
 * updates a weight before its last reader.  */
struct run *run_new(const struct network *network, const struct schedule *schedule,
                    const struct run_memory *memory, const struct run_options *options,
                    struct error *error);
void run_free(struct run *run);

struct run_facts run_facts(const struct run *run);
/* One an operator, in the network's order; the caller frees it.  */
struct run_operator *run_operators(const struct run *run);

/* Runs all operators once: one after the other, or with groups as regions.h has it.  What the
 * inputs hold is the caller's to write before; in an arena that is once for each run, since others
 * may lie there after their last reader.  A training graph goes on with the weights that the run
 * before left.  */
bool run_once(struct run *run, struct error *error);

/* The same, and the seconds of each operator are added to SECONDS, one an operator in the network's
 * order.  */
bool run_timed(struct run *run, double *seconds, struct error *error);

/* From now on what is read and written is added to TRAFFIC; NULL: no more.  Not with groups or
 * streams.  */
void run_count(struct run *run, struct run_traffic *traffic);

/* The whole of it, as what a timed run depends on beside its plan and its kernel.  */
struct runner {
    const char *name;
    struct run_memory *(*memory)(const struct instance *instance, const struct plan *plan,
                                 struct error *error);
    struct run *(*make)(const struct network *network, const struct schedule *schedule,
                        const struct run_memory *memory, const struct run_options *options,
                        struct error *error);
    bool (*time)(struct run *run, double *seconds, struct error *error);
};

/* Written by the build, as conv_kernel_registry; one row and a NULL.  */
struct runner_entry {
    const struct runner *runner;
    const char *checksum; /* of all that makes it */
};
extern const struct runner_entry runner_registry[];

#endif
