/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The depthwise tiles with filters 1 wide, of one instruction set.  */
#include <config.h>

#define KERNEL_TILE depthwise1
#define KERNEL_TAPS 1
#define KERNEL_GROUPED 0
#include "kernels/mgemm/rows_tile.h"
