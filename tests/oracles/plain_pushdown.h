/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MegEngine's pushdown written down as it was published: a list of blocks that is scanned,
 * and addresses by recursion.  */
#ifndef ARENABENCH_TESTS_ORACLES_PLAIN_PUSHDOWN_H
#define ARENABENCH_TESTS_ORACLES_PLAIN_PUSHDOWN_H

struct instance;
struct plan;

/* Fills in offsets and peak.  The pieces of a buffer overwrite one another, each the one
 * before it.  O(steps n + n^2).  */
void plain_pushdown(const struct instance *instance, struct plan *plan);

#endif
