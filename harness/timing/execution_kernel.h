/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel that runs a network's convolutions, by the name that people give it.  */
#ifndef ARENABENCH_HARNESS_TIMING_EXECUTION_KERNEL_H
#define ARENABENCH_HARNESS_TIMING_EXECUTION_KERNEL_H

#include <stdbool.h>

#include "lib/base/error.h"

struct conv_kernel_entry;

struct execution_kernel {
    const struct conv_kernel_entry *entry; /* NULL: none, or it is absent */
    const char *absent;                    /* why a library is not here; NULL: it is, or none is */
};

/* NAME: "none" (convolutions are operators like the others), a kernel's, a library's, or what a
 * kernel's name begins with up to a hyphen ("im2col").  False with a message for another.  */
bool execution_kernel_find(const char *name, struct execution_kernel *kernel, struct error *error);

#endif
