/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tiles for groups that lie across vectors with filters 3 wide, of one instruction set.  */
#include <config.h>

#define KERNEL_TILE split3
#define KERNEL_TAPS 3
#define KERNEL_GROUPED 2
#include "kernels/mgemm/rows_tile.h"
