/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tiles for groups of few channels with filters 3 wide, of one instruction set.  */
#include <config.h>

#define KERNEL_TAPS 3
#include "kernels/mgemm/grouped_tile.h"
