/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters that make a training graph of a network.  */
#ifndef ARENABENCH_WORKLOADS_TRAINING_H
#define ARENABENCH_WORKLOADS_TRAINING_H

#include <stdbool.h>

#include "lib/base/error.h"
#include "lib/base/params.h"

struct network;
struct workload;

/* Whether WORKLOAD has these parameters: rewrite_params are among its.  */
bool training_goes_with(const struct workload *workload);

/* Checks train, update and checkpoint among PARAMS, and what goes with them.  */
bool training_check(const struct params *params, struct error *error);

/* Takes over NETWORK; returns it, or its training graph where PARAMS, which were
 * checked, ask for it, or NULL with a message.  */
struct network *training_apply(struct network *network, const struct params *params,
                               struct error *error);

#endif
