/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs of reuse that others have reached, to stand beside ours: the table that dsa-solver's
 * results make.  */
#ifndef ARENABENCH_HAZARDS_KNOWN_H
#define ARENABENCH_HAZARDS_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

struct known_cost {
    char *file;
    int64_t cost; /* -1: no plan that fits is known */
};

struct known_costs {
    struct known_cost *row;
    size_t count;
};

/* Reads CSV with the columns `file` and `best_cost`, perhaps among others; an empty cost is none.
 * Messages call it PATH.  KNOWN can be cleared in any case.  */
bool known_costs_read(FILE *in, const char *path, struct known_costs *known, struct error *error);
void known_costs_clear(struct known_costs *known);

/* The row whose file is the end of PATH, from its begin or behind a '/'; NULL: there is none.  */
const struct known_cost *known_cost_of(const struct known_costs *known, const char *path);

#endif
