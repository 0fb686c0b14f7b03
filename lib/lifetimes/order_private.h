/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ARENABENCH_LIB_LIFETIMES_ORDER_PRIVATE_H
#define ARENABENCH_LIB_LIFETIMES_ORDER_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct live;

/* Writes to ORDER, which holds some order already, one with the smallest load,
 * if that is below the load BEST of the one there.  LIVE is before the first
 * operator, and is so again.  */
bool order_optimal(struct live *live, size_t *order, int64_t best, const char *name,
                   struct error *error);

#endif
