#include <config.h>

#include "kernels/model/machine.h"

#include <math.h>
#include <string.h>

struct machine machine_known(enum isa isa)
{
    struct machine machine;

    memset(&machine, 0, sizeof machine);
    machine.vector = isa_vector(isa);
#ifdef __aarch64__
    machine.registers = 32;
    machine.fused = true;
#else
    machine.registers = isa == ISA_AVX512 ? 32 : 16;
    machine.fused = isa != ISA_GENERIC;
#endif
    return machine;
}

double machine_read(const struct machine *machine, double working_set)
{
    const double at = log2(fmax(working_set, 1.0)) - MACHINE_SMALLEST;
    const int below = (int)floor(fmin(fmax(at, 0.0), MACHINE_SIZES - 2));
    const double share = fmin(fmax(at - below, 0.0), 1.0);

    return machine->read_s[below] * (1.0 - share) + machine->read_s[below + 1] * share;
}
