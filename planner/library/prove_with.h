/* SPDX-License-Identifier: Apache-2.0 */
/* What the library can do and does not offer: certificates of what is refuted, which are written by
 * the harness's code, and the exact search with one technique or another left out, for experiments
 * on what each is worth.  */
#ifndef ARENABENCH_PLANNER_LIBRARY_PROVE_WITH_H
#define ARENABENCH_PLANNER_LIBRARY_PROVE_WITH_H

#include <stddef.h>
#include <stdint.h>

#include "planner/arenaplan.h"

struct proof_sink;

/* Bits of what is left out.  Answers stay right.  */
enum {
    WITHOUT_PLANNER = 0x01,       /* dives, before and beside it */
    WITHOUT_LEARNING = 0x02,      /* nogoods and jumping back */
    WITHOUT_NOT_FIRST = 0x04,     /* a member that can't be the lowest */
    WITHOUT_SUBSETS = 0x08,       /* the same by subsets of the others */
    WITHOUT_DECOMPOSITION = 0x10, /* parts, one by one */
    WITHOUT_DISJUNCTIVE = 0x20,   /* the disjunctive search */
};

/* How the exact search goes about it.  */
struct prove_extras {
    /* Gets a certificate of each bound that is proven, the last one behind the others
     * (planner/disjunctive/proof_sink.h): what proves is then what can write them.  It is called in
     * the scope of the call's memory.  NULL: nobody asks.  */
    const struct proof_sink *sink;
    uint32_t without; /* WITHOUT_... */
    size_t nogoods;   /* kept at once */
};

#define PROVE_USUAL       \
    (struct prove_extras) \
    {                     \
        NULL, 0, 200      \
    }

/* As arenaplan_prove and arenaplan_fits, which do it with PROVE_USUAL.  */
enum arenaplan_status arenaplan_prove_with(const struct arenaplan_problem *problem,
                                           const struct arenaplan_options *options,
                                           struct prove_extras extras, int64_t *offset,
                                           struct arenaplan_result *result);
enum arenaplan_status arenaplan_fits_with(const struct arenaplan_problem *problem, int64_t capacity,
                                          const struct arenaplan_options *options,
                                          struct prove_extras extras, int64_t *offset,
                                          struct arenaplan_result *result);

#endif
