/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What placement.c asks the system for: nodes_hwloc.c, or nodes_absent.c without libhwloc.  */
#ifndef ARENABENCH_HARNESS_IO_NODES_H
#define ARENABENCH_HARNESS_IO_NODES_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

#include "harness/io/placement.h"

/* Node and core of each of the COUNT spots, whose processors are known.  False, with nothing
 * changed, where that is not known of all.  */
bool nodes_find(struct placement_spot *spot, size_t count);

/* Spreads memory that this process takes from now on over the nodes of the processors.  */
bool nodes_interleave(const cpu_set_t *processors);

#endif
