/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of buffers beside an instance, as CSV: kind,a,b,cost, where the kind is apart, exclusive,
 * together, or reuse, which alone has a cost.  */
#ifndef ARENABENCH_LIB_PROBLEM_PAIRS_CSV_H
#define ARENABENCH_LIB_PROBLEM_PAIRS_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"
#include "lib/problem/conflicts.h"

struct instance;

/* Two buffers that pay COST when they share a byte: in full, however many.  */
struct reuse_cost {
    size_t a, b;
    int64_t cost; /* 0 or more */
};

struct pairs {
    size_t n_pairs;
    struct conflict_pair *pair;
    size_t n_costs;
    struct reuse_cost *cost;
};

void pairs_clear(struct pairs *pairs);

/* The pairs in IN, which messages call PATH, of the buffers of INSTANCE.  False with a message that
 * has a place and names both buffers, also where another row says the contrary of the same two.
 * What contradicts itself by way of buffers that are together is for who applies them.  PAIRS can
 * be cleared in any case.  */
bool pairs_csv_read(FILE *in, const char *path, const struct instance *instance,
                    struct pairs *pairs, struct error *error);

/* What pairs_csv_read reads as the same.  False: it could not be written.  */
bool pairs_csv_write(FILE *out, const struct instance *instance, const struct pairs *pairs);

#endif
