/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where processes run on machines that have more than a few equal processors: which of them share a
 * core, and which are near which memory (a node).  libhwloc says so; without it each processor
 * counts as a core of its own, and all memory as equally near.  */
#ifndef ARENABENCH_HARNESS_IO_PLACEMENT_H
#define ARENABENCH_HARNESS_IO_PLACEMENT_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

/* A processor.  NODE and CORE are numbers that others of the same node and core have too; THREAD
 * counts from 0 among those of a core that may be used.  */
struct placement_spot {
    int processor, node, core, thread;
};

/* The processors of ALLOWED, by node, core and number, so that near ones are beside one another;
 * their COUNT.  The caller frees them.  */
struct placement_spot *placement_find(const cpu_set_t *allowed, size_t *count);

/* Chooses THREADS of the spots, at most COUNT: each on a core of its own as long as there are such,
 * all of one node if one has so many cores, or else node by node.  Returns of how many nodes they
 * are.  */
size_t placement_choose(const struct placement_spot *spot, size_t count, size_t threads,
                        cpu_set_t *chosen);

/* Share SHARE, counted from 0, of SHARES: equal as far as possible, and of near processors.  Shares
 * have none in common as long as there are enough of them.  */
void placement_share(const struct placement_spot *spot, size_t count, size_t share, size_t shares,
                     cpu_set_t *chosen);

/* Keeps this process, and all threads that it starts, on THREADS processors as placement_choose has
 * them.  If these are of several nodes, memory that it takes from now on is spread over those page
 * by page, for what one thread writes first all will read.  False where that can't be done: there
 * are not so many processors, for one.  */
bool placement_bind(size_t threads);

/* Keeps this process on such a share of the processors that it may use.  False where that can't be
 * done.  */
bool placement_bind_share(size_t share, size_t shares);

/* "1 node, 2 cores, 4 processors": those that this process may use.  The caller frees it.  */
char *placement_text(void);

#endif
