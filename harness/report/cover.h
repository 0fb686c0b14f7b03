/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fewest kernel instances with which every layer stays near its best.  */
#ifndef ARENABENCH_HARNESS_REPORT_COVER_H
#define ARENABENCH_HARNESS_REPORT_COVER_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"

struct store;

/* The smallest set of ITEMS of which each of LAYERS has at least one, as an integer
 * program: minimise sum x_i, for each layer sum over its items x_i >= 1.
 * SERVES[layer * items + item] says which.  Fills CHOSEN, one a item, and returns how
 * many; 0: some layer has none, or nothing was found in SECONDS (0: no limit).  *PROVEN:
 * there is no smaller set.  */
size_t cover_solve(const bool *serves, size_t layers, size_t items, double seconds, bool *chosen,
                   bool *proven);

/* Makes the temporary table cover (experiment, isa, percent, instances, layers, of,
 * proven, chosen): the fewest instances that keep every layer within so many per cent
 * of the time of its best setting, out of how many.  Reads conv_setting.  */
bool cover_add(struct store *store, struct error *error);

#endif
