/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MegEngine's dump of intervals: numbers apart by blanks and line ends.
 *
 *   n                      how many intervals follow
 *   begin end size         each: in use in the steps [begin, end), bytes
 *   m                      how many wishes to overwrite follow
 *   src dest offset        each: interval SRC, which begins while DEST is in use,
 *                          may lie in it, OFFSET bytes from its start
 *
 * Intervals are counted from 0.  Which wishes are granted is MegEngine's rule
 * (lib/lifetimes/overwrite.h).  Intervals that overwrite one another are one buffer of
 * several pieces, called by the number of the first; overwriters need not be
 * aligned.  */
#ifndef ARENABENCH_WORKLOADS_READERS_MEGENGINE_DUMP_H
#define ARENABENCH_WORKLOADS_READERS_MEGENGINE_DUMP_H

#include <stddef.h>

#include "lib/base/error.h"

struct instance;

/* Reads TEXT[0..length), the file PATH, into a sealed instance called NAME, or
 * returns NULL with a message that begins with the place.  Memory is linear in
 * LENGTH.  */
struct instance *megengine_dump_read(const char *text, size_t length, const char *path,
                                     const char *name, struct error *error);

#endif
