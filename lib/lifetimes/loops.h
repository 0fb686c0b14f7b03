/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a network with loops and branches to an instance: loops without copies.
 *
 * Time is laid out flat: a loop takes a step to enter, the steps of its body as
 * many times as the body is unrolled, and a step to leave; branches follow one
 * another.  After the last copy of the body the loop begins again with the
 * first one, so what is carried on lives through the end of these steps and
 * again from their beginning: its buffer has two pieces.
 *
 * A carried value "x <= y" needs no memory of its own.  In iteration t it is
 * where y was made in iteration t - 1, and a multi-view tensor finds it there:
 * a table of regions of which number t modulo the repeat length is used, with
 * regions of their own for the first iterations where the initial value lies
 * elsewhere.  This works as long as y is not made again, by the same copy of
 * the body, before it is read for the last time; a body unrolled often enough
 * has a copy for each of those that are needed at the same time.  Where it does
 * not work the value is copied at the end of every iteration.
 *
 * Source: L. Liu, "The NNC tensor allocation algorithm" (libnnc, doc/nnc-alloc.rst); unrolling so
 * that values outlive an iteration without copies is M. Lam's modulo variable
 * expansion (PLDI 1988), from which the least factor follows.  */
#ifndef ARENABENCH_LIB_LIFETIMES_LOOPS_H
#define ARENABENCH_LIB_LIFETIMES_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/error.h"

struct instance;
struct lifetime_options;
struct loop_layout;
struct nest;
struct network;
struct schedule;

enum loop_treatment {
    LOOPS_COPY,    /* every carried value is copied at the end of each iteration */
    LOOPS_COALLOC, /* no unrolling: those that cannot share memory with their next value are copied
                    */
    LOOPS_UNROLL,  /* unrolled by the least factor after which nothing is copied */
};

/* How a loop's memory is planned.  */
enum loop_subgraphs {
    SUBGRAPHS_FLAT,    /* all buffers together */
    SUBGRAPHS_BUFFERS, /* the planner plans each body by itself, innermost first, and its buffers
                          with what is around the loop (loop_layout_nest) */
    SUBGRAPHS_BLOCK,   /* laid out here, apart (first fit, larger buffers first), as one buffer of
                          the network around it */
};

struct loop_options {
    enum loop_treatment treatment;
    int64_t unroll; /* LOOPS_UNROLL: copies of every loop's body, but no more than it has
                       iterations; what still cannot share is copied.  0: the least factor */
    enum loop_subgraphs subgraphs;
};

/* What moving data costs, in bytes of a whole run.  */
struct loop_copies {
    int64_t entry; /* initial values, once an execution of a loop */
    int64_t turn;  /* at the end, or the beginning, of iterations and at the end of branches */
    int64_t exit;  /* final values, once an execution */
};

/* Whether some operator has a sub-graph.  */
bool network_has_loops(const struct network *network);

/* Like lifetimes_instance: takes over NETWORK and SCHEDULE, which has one
 * operator a step; bodies run in file order.  The instance has no origin but a
 * loop layout, which knows where every value lies in every iteration.  */
struct instance *loops_instance(struct network *network, struct schedule *schedule,
                                const struct lifetime_options *lifetimes,
                                const struct loop_options *options, struct error *error);

/* Of a layout: what is copied in a run, the largest unroll factor of a loop, and
 * the most iterations of a body in a run.  */
struct loop_copies loop_layout_copies(const struct loop_layout *layout);
int64_t loop_layout_unroll(const struct loop_layout *layout);
double loop_layout_trips(const struct loop_layout *layout);

/* Which buffers of its instance belong to which loop, where their sub-graphs are planned apart,
 * all buffers having one alignment; NULL: they are not.  LAYOUT may be NULL.  */
const struct nest *loop_layout_nest(const struct loop_layout *layout);

#endif
