/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two contestants on one instance: whether they give the same.  */
#ifndef ARENABENCH_HARNESS_RUN_DUEL_H
#define ARENABENCH_HARNESS_RUN_DUEL_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/run/runner.h"

struct instance;

enum duel_what {
    DUEL_OFFSETS, /* of every buffer */
    DUEL_PEAK,
    DUEL_OBJECTS, /* which buffers begin at a common offset, wherever that is */
};

/* The last that applies.  */
enum duel_verdict {
    DUEL_SAME,
    DUEL_DIFFERENT,
    DUEL_FAILED,  /* one has no valid plan: it crashed, or the verifier refused the plan */
    DUEL_CUT,     /* a limit ended one of them: there is nothing to compare */
    DUEL_REFUSED, /* one does not take the instance */
    DUEL_VERDICTS
};

struct duel_rules {
    const struct contestant *contestant; /* two */
    enum duel_what what;
    uint32_t seed;
    const struct run_limits *limits; /* of each run */
    const struct watch *watch;       /* of each run; or NULL */
};

struct duel {
    enum duel_verdict verdict;
    struct run_result result[2];
};

/* The caller clears DUEL.  */
void duel_run(const struct duel_rules *rules, const struct instance *instance, struct duel *duel);
void duel_clear(struct duel *duel);

/* Whether RESULT has no valid plan.  */
bool duel_lost(const struct run_result *result);

/* Whether both ended in the same way: of those that failed, by the same contestants.  */
bool duel_ends_like(const struct duel *duel, const struct duel *other);

#endif
