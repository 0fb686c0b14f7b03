/* SPDX-License-Identifier: Apache-2.0 */
/* States that were refuted: the set of placed buffers and the tops of the
 * sections that still have members to place.  Postponements are left out: they
 * only take away placements that were refuted, so a refuted state has no
 * completion at all, whichever way it is reached, at this capacity or a smaller
 * one.  Keys are kept whole and compared whole: a hash alone would prove nothing.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_MEMO_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct section_state;

struct section_memo {
    size_t key_words; /* 32 bits each */
    uint32_t *key;    /* of the entries, one after the other */
    uint32_t *scratch;
    size_t entries, key_capacity, most_entries;
    uint64_t *hash;
    size_t hash_capacity;
    size_t *slot;     /* open addressing: entry + 1; 0: free */
    size_t slots;     /* a power of two */
    int64_t capacity; /* the least one that an entry was refuted at */
};

/* For states of one problem; at most BYTES, then all is forgotten.  */
void section_memo_init(struct section_memo *memo, const struct section_state *state, size_t bytes);
void section_memo_clear(struct section_memo *memo);

/* Forgets what says nothing about CAPACITY.  */
void section_memo_begin(struct section_memo *memo, int64_t capacity);

bool section_memo_has(struct section_memo *memo, const struct section_state *state);
void section_memo_add(struct section_memo *memo, const struct section_state *state);

#endif
