/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The depthwise tiles with filters 5 wide, of one instruction set.  */
#include <config.h>

#define KERNEL_TILE depthwise5
#define KERNEL_TAPS 5
#define KERNEL_GROUPED 0
#include "kernels/mgemm/rows_tile.h"
