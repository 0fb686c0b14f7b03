/* SPDX-License-Identifier: Apache-2.0 */
/* What follows from a partial packing, section by section until nothing changes.
 * Starts and ends are the least possible ones, so each rule holds in every
 * completion.  With limit = capacity - total of the section:
 *
 *   fail       All members start above the limit.  Some member is the lowest, and the
 *              others lie above it, so that the last one would end above the capacity.
 *   not first  A member b starts above the limit, so it is not the lowest: it starts
 *              no earlier than the least end of the others.  With subsets: among b and
 *              the others but some of total size T, b is still not the lowest if it
 *              starts above limit + T; so the others with the least ends are left out
 *              as long as it does, and b starts at the least end of those that remain.
 *   only       All but one member f start above the limit: f is the lowest, and the
 *              others start at its end or later.
 *   too late   A member that can't start before its latest start, or where it is fixed: fails.
 *
 * When a section fails its weight grows.  After many looks (most_looks of the state) starts rise
 * no more and what is dirty is looked at only once: no conclusion is needed to be right.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_RULES_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_RULES_H

#include <stdbool.h>

struct section_state;

/* Until no section is dirty.  False with state->conflict when the state fails; it has
 * to be undone then.  */
bool section_rules_apply(struct section_state *state);

#endif
