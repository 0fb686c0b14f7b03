/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a network and a schedule to an instance: the counting rules.
 *
 *   begin = step(producer), end = 1 + max(step(producer), step(consumers)).
 *
 * A network input lives from 0 to its last reader, an output to the end of
 * the schedule, a weight for the whole schedule.  Values that do not count
 * under the options are left out; so are unread optional outputs and values
 * of size 0.  What shares memory in place becomes one buffer of several pieces
 * (lib/lifetimes/inplace.h).  */
#ifndef ARENABENCH_LIB_LIFETIMES_LIFETIMES_H
#define ARENABENCH_LIB_LIFETIMES_LIFETIMES_H

#include "lib/base/error.h"
#include "lib/lifetimes/counting.h"

struct instance;
struct network;
struct schedule;

/* Takes over NETWORK and SCHEDULE, which become the instance's origin (they
 * are freed on failure too).  Returns a sealed instance, or NULL, also where a
 * tensor lies within a buffer so that no offset aligns both.  */
struct instance *lifetimes_instance(struct network *network, struct schedule *schedule,
                                    const struct lifetime_options *options, struct error *error);

#endif
