/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A processor's constants, from times.  */
#ifndef ARENABENCH_KERNELS_MODEL_MACHINE_CALIBRATE_H
#define ARENABENCH_KERNELS_MODEL_MACHINE_CALIBRATE_H

#include <stdbool.h>

#include "kernels/model/machine.h"

struct machine_times;

/* Measures for about SECONDS.  False with a message when threads can't be, or a plan
 * that is timed.  */
bool machine_measure(struct machine *machine, enum isa isa, double seconds, struct error *error);

/* The constants that follow from what was timed (kernels/model/machine_times.h).  What noise
 * has turned about is put right: nothing takes less than no time, waiting no less than
 * not waiting, reading from a larger set no less than from a smaller one.  */
struct machine machine_derive(enum isa isa, const struct machine_times *times);

#endif
