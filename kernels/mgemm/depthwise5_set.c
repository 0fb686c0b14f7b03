/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The depthwise tiles for filters 5 wide, of one instruction set.  */
#include <config.h>

#define KERNEL_TAPS 5
#include "kernels/mgemm/depthwise_rows_tile.h"
