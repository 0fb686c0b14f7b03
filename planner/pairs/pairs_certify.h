/* Certificates (lib/judge/certificate.h) of what the search over orders of pairs refutes.  */
#ifndef ARENABENCH_PLANNER_PAIRS_PAIRS_CERTIFY_H
#define ARENABENCH_PLANNER_PAIRS_PAIRS_CERTIFY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

struct instance;
struct refute_limits;

/* Writes to OUT why no plan of INSTANCE has a peak below PEAK bytes; what OUT could not take is
 * the caller's to find.  False with the reason, and nothing written, where there is such a plan,
 * or LIMITS end the search.  */
bool pairs_certify(const struct instance *instance, int64_t peak,
                   const struct refute_limits *limits, FILE *out, struct error *error);

#endif
