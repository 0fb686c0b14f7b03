/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes an instance as MegEngine's dump of intervals (dump.h), the format in which
 * overwrites survive a file.  */
#ifndef ARENABENCH_WORKLOADS_READERS_MEGENGINE_DUMP_WRITE_H
#define ARENABENCH_WORKLOADS_READERS_MEGENGINE_DUMP_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/base/error.h"

struct instance;

/* Whether the format can hold it: its steps are 0 and above.  */
bool megengine_dump_writable(const struct instance *instance, struct error *error);

/* An interval for each link of a chain of overwrites, in the order in which planners get
 * them (lib/problem/intervals.h), so that what is read back has the same buffers, pieces and
 * overwrites, and MegEngine's planners lay it out in the same way; its ids are numbers.  False on
 * an output error, with errno.  INSTANCE is sealed and writable.  */
bool megengine_dump_write(FILE *out, const struct instance *instance);

/* What a dump can't say.  A plan for what is written is a plan for the instance, but for
 * alignments, fixed offsets and empty buffers.  */
struct megengine_dump_losses {
    size_t joined;  /* buffers of several pieces that are no chain: as bounding rectangles */
    size_t empty;   /* of size 0: left out */
    bool alignment; /* MegEngine has one for all, which is not in the file */
    bool fixed;     /* offsets that are fixed */
};
struct megengine_dump_losses megengine_dump_losses(const struct instance *instance);

#endif
