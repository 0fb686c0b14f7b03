/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which buffers can't lie at the same bytes, where one clock does not say it all.
 *
 * Two buffers conflict when they may be in use at once: when their lifetimes overlap, or a pair
 * says that they are apart (two streams without an order, a pipeline's stages), but not when a pair
 * says that they exclude each other (two branches of which one runs).  A buffer that is together
 * with another lies at the same offset, and the two never conflict.
 *
 * Any such graph is that of an instance with pieces, in which a step is no time but a set of
 * buffers that conflict with one another.  So all that knows pieces solves it, bounds it, judges it
 * and certifies it, without a line of its own:
 *
 *   - A step of the clock stays as it is, where all that live then conflict.  Where some of them
 *     exclude each other, a clique of them stays, the larger ones first.
 *   - What conflicts and meets at none of these steps meets at one more, behind all times.  Such a
 *     step is a clique, too, grown from the largest buffers, so that few are needed and their
 *     loads are high.
 *
 * The load of the instance is a bound, as that of any clique.  A partial order of events needs
 * nothing else: number them by any order that extends it; two lifetimes that overlap there and are
 * ordered otherwise are exclusive, two that do not overlap and are not ordered are apart.  */
#ifndef ARENABENCH_LIB_PROBLEM_CONFLICTS_H
#define ARENABENCH_LIB_PROBLEM_CONFLICTS_H

#include <stddef.h>

#include "lib/base/error.h"

struct instance;

enum conflict_kind { CONFLICT_APART, CONFLICT_EXCLUSIVE, CONFLICT_TOGETHER };

struct conflict_pair {
    enum conflict_kind kind;
    size_t a, b; /* buffers */
};

/* The most buffers that pairs are applied to: a bit for each two of them is kept.  */
enum { CONFLICTS_MOST_BUFFERS = 1 << 15 };

/* "apart", "exclusive" or "together".  */
const char *conflict_kind_name(enum conflict_kind kind);

/* The instance in which the buffers of PLAIN, which is sealed, has no overwrites and keeps its
 * origin, conflict as its lifetimes and the COUNT PAIRS say.  Buffers that are together are one,
 * with the id of the first, an alignment that fits all, and each with its own size.
 * BUFFER_OF[0..PLAIN->n) receives which buffer of the result each one is; a plan gives it that
 * one's offset.  Lifetimes are as in PLAIN, but for those steps behind all others.  NULL with a
 * message that names both where a pair is of one buffer, or says what another one contradicts, or
 * where buffers that are together have different fixed offsets.  The caller frees it. O(n s (n / 64
 * + w)) for s steps and width w.  */
struct instance *conflicts_apply(const struct instance *plain, const struct conflict_pair *pair,
                                 size_t count, size_t *buffer_of, struct error *error);

#endif
