/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random instances that look for trouble: ties, touching lifetimes, mixed
 * alignments, negative steps, huge sizes.  */
#ifndef ARENABENCH_TESTS_SUPPORT_RANDOM_INSTANCES_H
#define ARENABENCH_TESTS_SUPPORT_RANDOM_INSTANCES_H

#include <stddef.h>
#include <stdint.h>

struct instance;
struct rng;

enum random_kind {
    RANDOM_UNIFORM,  /* any lifetimes in a horizon of 2n, sizes to 1000 */
    RANDOM_CHAIN,    /* lifetimes [i, i + 2), some longer: skips */
    RANDOM_TIES,     /* few different sizes and lifetimes */
    RANDOM_EQUAL,    /* all sizes equal */
    RANDOM_ALIGNED,  /* one alignment for all */
    RANDOM_MIXED,    /* alignments of all sorts, not only powers of two */
    RANDOM_TOUCHING, /* lifetimes end where others begin */
    RANDOM_NEGATIVE, /* steps around 0 and far below */
    RANDOM_HUGE,     /* sizes near 2^62 / n */
    RANDOM_KINDS
};

/* Sealed, of N buffers; the caller frees it.  */
struct instance *random_instance(struct rng *rng, enum random_kind kind, size_t n);

const char *random_kind_name(enum random_kind kind);

/* At most MOST random intervals within STEPS steps while the load stays within CAP, each
 * as high as fits or less: of these, unlike of uniform ones, some have an optimum above
 * the load.  */
struct instance *tight_instance(struct rng *rng, size_t most, int64_t steps, int64_t cap);

/* The gap gadget (instances.h), 1 to 4 times as large, and OTHERS small buffers at the
 * same time: often the optimum is above the load.  */
struct instance *gadget_and_others(struct rng *rng, int64_t others);

/* The same buffers with alignments from 1 to 4.  */
struct instance *random_alignments(struct rng *rng, const struct instance *plain);

#endif
