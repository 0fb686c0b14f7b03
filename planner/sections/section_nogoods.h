/* SPDX-License-Identifier: Apache-2.0 */
/* Nogoods: small sets of buffers that can't be packed.
 *
 * A nogood (E, v) says that no packing of the buffers E within the capacity has every
 * b in E start at v[b] or later.  It speaks of all packings of E, whatever the other
 * buffers do, so it refutes every state in which each b of E starts at v[b] or later,
 * placed or not, in any branch, at this capacity or a smaller one.  (Where some buffers are
 * fixed it speaks of packings with all of these where they are.)
 *
 * The database is a ring: a new one replaces the oldest.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_NOGOODS_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_NOGOODS_H

#include <stddef.h>
#include <stdint.h>

struct section_state;

/* Buffer starts at LEAST or later.  */
struct section_literal {
    size_t buffer;
    int64_t least;
};

struct section_nogood {
    struct section_literal *literal;
    size_t n, room;
};

void section_nogood_add(struct section_nogood *nogood, size_t buffer, int64_t least);

struct section_nogoods {
    struct section_nogood *ring;
    size_t n, next, most;
    int64_t capacity; /* the least one that an entry was found at */
};

void section_nogoods_init(struct section_nogoods *nogoods, size_t most);
void section_nogoods_clear(struct section_nogoods *nogoods);

/* Forgets all when they say nothing about CAPACITY.  */
void section_nogoods_begin(struct section_nogoods *nogoods, int64_t capacity);

/* Keeps a copy of NOGOOD, which refutes STATE and asks no more of any buffer than its
 * floor, without the placed buffers P of it: for the others of E next to a p in P the
 * threshold rises to the end of p.  Why: a packing of the rest with these thresholds,
 * and P where it is placed, would be a packing of E.  */
void section_nogoods_add(struct section_nogoods *nogoods, const struct section_state *state,
                         const struct section_nogood *nogood);

/* One that refutes STATE, or NULL.  */
const struct section_nogood *section_nogoods_find(struct section_nogoods *nogoods,
                                                  const struct section_state *state);

#endif
