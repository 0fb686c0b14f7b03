/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the checker of certificates says to texts: ones by hand, and those of instances whose
 * optimum is known, as they are and tampered with.  */
#ifndef ARENABENCH_TESTS_SUPPORT_CERTIFICATE_CASE_H
#define ARENABENCH_TESTS_SUPPORT_CERTIFICATE_CASE_H

#include <stdint.h>

struct error;
struct instance;
struct rng;

/* The bound that TEXT proves of INSTANCE; -1: it is refused.  */
int64_t certificate_bound(const struct instance *instance, const char *text, struct error *error);

/* The same of the lines BODY under a head for CAPACITY, steps from 0 to 5 and unit 1.  */
int64_t certificate_judged(const struct instance *instance, int64_t capacity, const char *body,
                           struct error *error);

/* Tests that these are refused, with WHY in the reason.  */
void certificate_refused(const struct instance *instance, int64_t capacity, const char *body,
                         const char *why);

/* Begins as 0, but for the times.  */
struct certificate_tally {
    int times; /* that each is tampered with; 0: 20 */
    int rounds, accepted, above, one_more, tampered, kept, believed, lies;
};

/* The certificate of INSTANCE, whose best plan has the peak OPTIMUM.  */
void certificate_tally_try(const struct instance *instance, int64_t optimum, struct rng *rng,
                           struct certificate_tally *tally);

/* ROUNDS of what DRAW draws, of the optimum that OPTIMUM finds, with their report.  */
void certificate_tally_rounds(uint32_t seed, int rounds, struct instance *(*draw)(struct rng *rng),
                              int64_t (*optimum)(const struct instance *instance),
                              const char *what);

/* Tests that all were accepted, and none that was tampered with for more than is true.  */
void certificate_tally_report(const struct certificate_tally *tally, const char *what);

#endif
