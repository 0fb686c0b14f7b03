/* SPDX-License-Identifier: Apache-2.0 */
/* What the library can do and does not offer: certificates of what is refuted, which are written by
 * the harness's code.  */
#ifndef ARENABENCH_PLANNER_LIBRARY_PROVE_LOGGED_H
#define ARENABENCH_PLANNER_LIBRARY_PROVE_LOGGED_H

#include "planner/arenaplan.h"

struct proof_sink;

/* As arenaplan_prove.  SINK (planner/pairs/proof_sink.h) gets a certificate of each bound that is
 * proven, the last one behind the others; what proves is then what can write them.  It is called in
 * the scope of the call's memory.  NULL: as without.  */
enum arenaplan_status arenaplan_prove_logged(const struct arenaplan_problem *problem,
                                             const struct arenaplan_options *options,
                                             const struct proof_sink *sink, int64_t *offset,
                                             struct arenaplan_result *result);

#endif
