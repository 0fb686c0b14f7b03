/* Refutations that can be checked (lib/judge/certificate.h), from the search over the orders of
 * pairs with its plain rules: no learning, no symmetries, nothing that a certificate has
 * no line for.  For small instances.  */
#ifndef ARENABENCH_PLANNER_PAIRS_PIECE_REFUTE_H
#define ARENABENCH_PLANNER_PAIRS_PIECE_REFUTE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

struct instance;

/* What ends a refutation before it is done.  */
struct refute_limits {
    int64_t nodes;                /* choices */
    double deadline;              /* by timer_now */
    bool (*go_on)(void *context); /* asked at each choice; NULL: always */
    void *context;
};

/* Writes to OUT why no plan of INSTANCE has a peak below PEAK bytes.  False with the reason
 * where there is such a plan, or LIMITS end it; what has been written is no certificate
 * then.  */
bool piece_refute(const struct instance *instance, int64_t peak, const struct refute_limits *limits,
                  FILE *out, struct error *error);

#endif
