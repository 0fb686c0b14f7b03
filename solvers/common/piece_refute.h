/* Refutations that can be checked (lib/certificate.h), from the search over the orders of
 * pairs with its plain rules: no learning, no symmetries, nothing that a certificate has
 * no line for.  For small instances.  */
#ifndef ARENABENCH_SOLVERS_COMMON_PIECE_REFUTE_H
#define ARENABENCH_SOLVERS_COMMON_PIECE_REFUTE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/error.h"

struct instance;

/* Writes to OUT why no plan of INSTANCE has a peak below PEAK bytes.  False with the reason
 * where there is such a plan, NODES choices do not settle it or timer_now() passes
 * DEADLINE; what has been written is no certificate then.  */
bool piece_refute(const struct instance *instance, int64_t peak, int64_t nodes, double deadline,
                  FILE *out, struct error *error);

#endif
