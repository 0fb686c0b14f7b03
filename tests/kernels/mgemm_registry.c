/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The registry of kernels where tests/kernels/aarch64.sh and tests/kernels/lowered.sh compile
 * kernels of their own: mgemm, without the peers and without a checksum that counts.  */
#include <config.h>

#include "kernels/kernel.h"

#include <stddef.h>

extern const struct conv_kernel conv_kernel_mgemm;

const struct conv_kernel_entry conv_kernel_registry[] = {
    {&conv_kernel_mgemm, "none"},
    {NULL, NULL},
};
