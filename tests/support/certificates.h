/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Certificates (lib/judge/certificate.h) as texts, and what happens to them on the way.  The
 * caller frees each.  */
#ifndef ARENABENCH_TESTS_SUPPORT_CERTIFICATES_H
#define ARENABENCH_TESTS_SUPPORT_CERTIFICATES_H

#include <stdint.h>

struct error;
struct instance;
struct rng;

/* That no plan is below PEAK; NULL where there is one.  */
char *certificate_text(const struct instance *instance, int64_t peak, struct error *error);

/* TEXT with another last line: as if it had been written so.  */
char *certificate_summed(const char *text);

/* TEXT with one digit changed, or without one line.  */
char *certificate_tampered(const char *text, struct rng *rng);

#endif
