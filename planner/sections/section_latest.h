/* What follows from latest starts, section by section, beside section_rules.h.
 *
 * In a section lie unplaced members; a set K of them has the least start e(K), the latest
 * end z(K) and the total size p(K).  For a member b that is not in K:
 *
 *   overload   e(K) + p(K) > z(K): fails.  The first of K starts at e(K) or later, and
 *              the last ends p(K) above that.
 *   below all  e(K) + p(K) + size b > z(K + b): the lowest of K + b is not one of K, or the
 *              last of them ended too late.  So b lies below all of K, and starts
 *              at z(K) - p(K) - size b or earlier.
 *   not last   e(K) + p(K) + size b > the latest end of b: b is not the last of them, so it
 *              lies below one of K and ends at the largest latest start of these or earlier.
 *   above all  e(K + b) + p(K) + size b > z(K): the last of K + b is not one of K, so b lies
 *              above all of K and starts at e(K) + p(K) or later.
 *
 * K is all that start at some e or later (below all, not last), or end at some z or
 * earlier (above all), or both (overload): edge finding (Carlier and Pinson 1989) with an
 * address as time.  O(m * m) for m members, twice that for the overload.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_LATEST_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_LATEST_H

#include <stdbool.h>
#include <stddef.h>

struct section_state;

/* Sections with more unplaced members are left to the other rules.  */
enum { SECTION_LATEST_MOST = 64 };

/* Raises starts and lowers latest starts of the members of section S.  False with
 * state->conflict when the state fails.  */
bool section_latest_apply(struct section_state *state, size_t s);

#endif
