/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small networks of operators that do nothing, for tests of what their edges say.  */
#ifndef ARENABENCH_TESTS_SUPPORT_DAG_H
#define ARENABENCH_TESTS_SUPPORT_DAG_H

#include <stddef.h>
#include <stdint.h>

#include "lib/lifetimes/lifetimes.h"

struct network;
struct rng;
struct instance;

struct dag {
    struct network *network; /* who makes an instance of it gives it away */
    size_t input;            /* the network's input */
    size_t made[64];         /* the output of each operator */
};

struct dag dag_new(void);

/* An operator with one output of SIZE bytes that reads the outputs of the
 * COUNT earlier operators FROM, or the network's input when there is none.  */
size_t dag_add(struct dag *dag, const size_t *from, size_t count, int64_t size);

/* What nobody reads becomes a network output.  */
void dag_finish(struct dag *dag);

/* The lifetimes of NETWORK, which goes with them, in the order of its operators; NULL, with a
 * diagnostic, when there are none.  */
struct instance *dag_instance(struct network *network, enum io_count io);

/* A network of up to 10 operators, most of which read a weight, with what fetches these before them
 * (lib/graph/fetch.h).  The caller frees it.  */
struct network *dag_draw_fetching(struct rng *rng);

#endif
