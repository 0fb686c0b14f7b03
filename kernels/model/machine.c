/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/model/machine.h"

#include <math.h>
#include <string.h>

struct machine machine_known(enum isa isa)
{
    struct machine machine;

    memset(&machine, 0, sizeof machine);
    machine.vector = isa_vector(isa);
    machine.registers = isa_registers(isa);
    machine.fused = isa_fused(isa);
    return machine;
}

double machine_read(const struct machine *machine, double working_set)
{
    const double at = log2(fmax(working_set, 1.0)) - MACHINE_SMALLEST;
    const int below = (int)floor(fmin(fmax(at, 0.0), MACHINE_SIZES - 2));
    const double share = fmin(fmax(at - below, 0.0), 1.0);

    return machine->read_s[below] * (1.0 - share) + machine->read_s[below + 1] * share;
}
