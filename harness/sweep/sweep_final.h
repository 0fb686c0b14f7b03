/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The final of a layer: its best settings, what was chosen for it, and the
 * libraries once more, all in the same interleaved rounds.  */
#ifndef ARENABENCH_HARNESS_SWEEP_SWEEP_FINAL_H
#define ARENABENCH_HARNESS_SWEEP_SWEEP_FINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/sweep/conv_record.h"

/* Plays the final of the layer WORKLOAD on ISA with THREADS, when some of its
 * tasks are FRESH or there has been none.  */
bool sweep_final(struct conv_run *run, size_t workload, enum isa isa, int threads, bool fresh);

#endif
