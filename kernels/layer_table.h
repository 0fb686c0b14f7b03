/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers in a table of columns, as collections of many models have them.  */
#ifndef ARENABENCH_KERNELS_LAYER_TABLE_H
#define ARENABENCH_KERNELS_LAYER_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "kernels/layer.h"
#include "lib/base/error.h"

/* Adds the layers of a CSV file with the columns c, h, w, k, r, s, stride_h, stride_w, pad_h,
 * pad_w, dilation_h, dilation_w and groups, in any order, among others.  Padding is the same at
 * both ends.  A row whose column `transposed` is not False, 0 or empty is refused.  Messages call
 * the file PATH.  */
bool layer_table_read(struct layer_list *list, FILE *in, const char *path, struct error *error);

#endif
