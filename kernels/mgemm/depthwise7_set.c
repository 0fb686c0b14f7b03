/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The depthwise tiles for filters 7 wide, of one instruction set.  */
#include <config.h>

#define KERNEL_TAPS 7
#include "kernels/mgemm/depthwise_rows_tile.h"
