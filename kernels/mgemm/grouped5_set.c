/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tiles for groups of few channels with filters 5 wide, of one instruction set.  */
#include <config.h>

#define KERNEL_TILE grouped5
#define KERNEL_TAPS 5
#define KERNEL_GROUPED 1
#include "kernels/mgemm/rows_tile.h"
