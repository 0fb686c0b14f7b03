/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a value holds, apart from any memory: the meaning that the replay of
 * loops compares memory with.  */
#ifndef ARENABENCH_LIB_JUDGE_LOOP_CONTENT_H
#define ARENABENCH_LIB_JUDGE_LOOP_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct content;

/* Contents go all at once.  */
struct content_pool {
    struct content *last;
    uint64_t made;
};

void content_pool_clear(struct content_pool *pool);

/* What an operator made just now: like nothing else.  */
const struct content *content_made(struct content_pool *pool);

/* Slice NUMBER of TRIPS of WHOLE; STRETCH: cells of its contiguous stretches.  */
const struct content *content_slice(struct content_pool *pool, const struct content *whole,
                                    int64_t trips, int64_t number, int64_t stretch);

/* A stack of TRIPS slices, which are put in one by one.  */
struct content *content_stack(struct content_pool *pool, int64_t trips, int64_t stretch);
void content_put(struct content *stack, int64_t number, const struct content *slice);

/* The word in a cell of CONTENT.  False: it is in a slice that was never put
 * in, and can be anything.  */
bool content_word(const struct content *content, int64_t cell, uint64_t *word);

#endif
