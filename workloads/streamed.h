/* SPDX-License-Identifier: GPL-3.0-or-later */
/* streams= and times=: a network's operators on several streams (lib/lifetimes/streams.h).  */
#ifndef ARENABENCH_WORKLOADS_STREAMED_H
#define ARENABENCH_WORKLOADS_STREAMED_H

#include <stdbool.h>

#include "lib/base/error.h"

struct instance;
struct lifetime_options;
struct network;
struct params;
struct workload;

/* Whether PARAMS, of a network, ask for streams, or have what is for streams alone.  */
bool streamed_wanted(const struct params *params);

/* WORKLOAD, whose network is NETWORK, on the streams that it asks for.  Takes over NETWORK, which
 * is freed on failure too: NULL with a message that names the workload.  */
struct instance *streamed_instance(const struct workload *workload, struct network *network,
                                   const struct lifetime_options *lifetimes, struct error *error);

#endif
