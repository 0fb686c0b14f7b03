/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/fit/alignment.h"

#include <inttypes.h>

#include "lib/problem/instance.h"

bool alignment_serves_all(const struct instance *instance, struct error *reason)
{
    for (size_t b = 0; b < instance->n; b++)
        if (instance->max_alignment % instance->buffer[b].alignment != 0)
            return error_set(reason,
                             "one alignment for all is needed, and %" PRId64
                             " is not a multiple of %" PRId64,
                             instance->max_alignment, instance->buffer[b].alignment);
    for (size_t p = 0; p < instance->pieces; p++)
        if (instance->piece[p].tensor && instance->piece[p].lo % instance->max_alignment != 0)
            return error_set(reason,
                             "a tensor %" PRId64 " bytes into its buffer keeps it from "
                             "an alignment of %" PRId64,
                             instance->piece[p].lo, instance->max_alignment);
    return true;
}

bool alignment_applicable(const struct instance *instance, const struct params *params,
                          struct error *reason)
{
    (void)params;
    return alignment_serves_all(instance, reason);
}
