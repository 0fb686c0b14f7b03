/* Certificates (lib/judge/certificate.h) from what the search over orders of pairs refutes.  */
#ifndef ARENABENCH_HARNESS_CLI_CERTIFY_H
#define ARENABENCH_HARNESS_CLI_CERTIFY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"
#include "planner/pairs/pairs_refute.h"

struct instance;

/* Writes to OUT why no plan of INSTANCE has a peak below PEAK bytes.  False with the reason, and
 * nothing written, where there is such a plan, or LIMITS end it.  */
bool certify(const struct instance *instance, int64_t peak, const struct refute_limits *limits,
             FILE *out, struct error *error);

#endif
