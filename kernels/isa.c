/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/isa.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int vector;
} isas[ISA_COUNT] = {
    [ISA_GENERIC] = {"generic", 4},
    [ISA_AVX2] = {"avx2", 8},
    [ISA_AVX512] = {"avx512", 16},
};

const char *isa_name(enum isa isa)
{
    return isas[isa].name;
}

int isa_vector(enum isa isa)
{
    return isas[isa].vector;
}

bool isa_available(enum isa isa)
{
#ifdef HAVE_X86_KERNELS
    __builtin_cpu_init();
    if (isa == ISA_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (isa == ISA_AVX512)
        return __builtin_cpu_supports("avx512f");
#endif
    return isa == ISA_GENERIC;
}

int isa_registers(enum isa isa)
{
#ifdef __aarch64__
    (void)isa;
    return 32;
#else
    return isa == ISA_AVX512 ? 32 : 16;
#endif
}

bool isa_fused(enum isa isa)
{
#ifdef __aarch64__
    (void)isa;
    return true;
#else
    return isa != ISA_GENERIC;
#endif
}

static enum isa best(void)
{
    enum isa isa = ISA_COUNT - 1;

    while (!isa_available(isa))
        isa--;
    return isa;
}

bool isa_parse(const char *text, enum isa *isa, struct error *error)
{
    if (strcmp(text, "best") == 0) {
        *isa = best();
        return true;
    }
    for (enum isa i = 0; i < ISA_COUNT; i++)
        if (strcmp(text, isas[i].name) == 0) {
            if (!isa_available(i))
                return error_set(error, "this machine or this build lacks the instruction set %s",
                                 text);
            *isa = i;
            return true;
        }
    return error_set(error, "unknown instruction set '%s'; expected best, generic, avx2 or avx512",
                     text);
}

bool isa_default(enum isa *isa, struct error *error)
{
    const char *text = getenv("ARENABENCH_ISA");

    if (text == NULL || text[0] == '\0')
        text = "best";
    else if (!isa_parse(text, isa, error))
        return error_prefix(error, "ARENABENCH_ISA");
    return isa_parse(text, isa, error);
}
