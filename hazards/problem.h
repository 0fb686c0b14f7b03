/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planning where one clock is not enough: pairs of buffers that are apart, exclusive or together,
 * and pairs whose sharing of bytes costs something: a synchronisation, a stall.  All buffers have
 * to fit into their pools; of all plans that fit, one that pays least is wanted.
 *
 * Source of the model: T. Boehnlein, dsa-solver, docs/structured_problem_schema_v1.md (2026), whose
 * files json.h reads.  */
#ifndef ARENABENCH_HAZARDS_PROBLEM_H
#define ARENABENCH_HAZARDS_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/problem/conflicts.h"
#include "lib/problem/pairs_csv.h"

struct instance;

struct hazard_range {
    int64_t begin, end; /* bytes, that nobody may use */
};

struct hazard_pool {
    int64_t id;       /* in files */
    char *name;       /* owned; never NULL */
    int64_t capacity; /* bytes; INT64_MAX: no limit */
    size_t n_reserved;
    struct hazard_range *reserved;
};

/* What is wanted of a plan that fits.  */
enum hazard_objective {
    HAZARD_PEAK, /* the least sum of the pools' peaks */
    HAZARD_COST, /* the least cost of reuse */
};

struct hazard_problem {
    char *name;
    struct instance *plain; /* sealed: sizes, alignments, lifetimes, fixed offsets, ids */
    size_t *pool;           /* of each of its buffers, an index */
    int64_t *number;        /* of each of its buffers, in files; NULL: by its index */
    char **label;           /* the same: its name; NULL, for one or all: its id */
    char *profile;          /* what JSON calls it; NULL: nothing */
    uint64_t fingerprint;   /* by which dsa-solver knows the file again; 0: none was read */
    size_t n_pools;
    struct hazard_pool *pools;
    size_t n_pairs;
    struct conflict_pair *pair;
    size_t n_costs;
    struct reuse_cost *cost;
    enum hazard_objective objective;
};

/* Frees all that it holds; zeros are nothing.  */
void hazard_problem_clear(struct hazard_problem *problem);

/* Where the highest reserved range of POOL ends, 0 without one; and how high all of pool P ends, by
 * OFFSET of all buffers, reserved ranges counted.  */
int64_t hazard_reserved_end(const struct hazard_pool *pool);
int64_t hazard_pool_peak(const struct hazard_problem *problem, size_t p, const int64_t *offset);

/* What a plan is worth.  */
struct hazard_value {
    int64_t overflow; /* bytes above the pools' capacities, in all */
    int64_t cost;     /* of reuse */
    int64_t peak;     /* the sum of the pools' peaks, reserved ranges counted */
};

/* Judges OFFSET[b] for all buffers, by the definition alone, pair by pair: false with a message
 * that names both when two that conflict overlap, or an offset is none.  A plan that does not fit
 * is told by VALUE.  O(n^2).  */
bool hazard_verify(const struct hazard_problem *problem, const int64_t *offset,
                   struct hazard_value *value, struct error *error);

#endif
