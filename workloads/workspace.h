/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameter workspace=, applied.  */
#ifndef ARENABENCH_WORKLOADS_WORKSPACE_H
#define ARENABENCH_WORKLOADS_WORKSPACE_H

#include <stdbool.h>

#include "lib/base/error.h"

struct network;
struct workload;

/* Adds to NETWORK, which is WORKLOAD's, what its convolutions ask for (lib/graph/workspace.h).
 * A notice on standard error says how many the method does not do: these get none.  False with a
 * message where nobody knows the method.  */
bool workspace_apply(const struct workload *workload, struct network *network, struct error *error);

#endif
