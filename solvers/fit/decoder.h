/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From an order of the buffers to a plan, many times over: each buffer goes to the
 * lowest place that is free during its life.  What searches over orders call.  */
#ifndef ARENABENCH_SOLVERS_FIT_DECODER_H
#define ARENABENCH_SOLVERS_FIT_DECODER_H

#include <stdint.h>

struct decoder;
struct instance;
struct plan;

/* INSTANCE has to outlive it.  */
struct decoder *decoder_new(const struct instance *instance);
void decoder_free(struct decoder *decoder);

/* Places the buffers in the order of ORDER[0..n), as gap_place with FIT_FIRST does;
 * fills in offsets and peak.  */
void decoder_run(struct decoder *decoder, const uint32_t *order, struct plan *plan);

#endif
