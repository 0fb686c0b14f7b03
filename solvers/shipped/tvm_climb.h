/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order that tvm-hill-climb (solvers/tvm-hill-climb.c) goes through, and the swaps that it
 * tries, drawn as upstream draws them.  Whoever places in that order and judges it is elsewhere. */
#ifndef ARENABENCH_SOLVERS_SHIPPED_TVM_CLIMB_H
#define ARENABENCH_SOLVERS_SHIPPED_TVM_CLIMB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/order.h"

struct instance;

struct prefix_counts {
    size_t limit;
    size_t *count; /* entry i, from 1: of the i & -i numbers that end with i - 1 */
};

struct tvm_climb {
    const struct instance *instance;
    struct order_key *key;             /* the order: key[p].index is placed as number p, */
    size_t *position;                  /* and this is its inverse */
    bool *at_top;                      /* the caller's: buffers that end at the accepted peak */
    uint32_t random;                   /* state of rand_r */
    size_t swapped[2];                 /* positions that changed places last */
    size_t *first_level;               /* scratch: buffers, */
    uint64_t *second_level;            /* how often the buffer at position p is in level 2, */
    struct prefix_counts begun, ended; /* and for counting that: buffers by first and last step */
};

/* From KEY on, which belongs to CLIMB then; RANDOM is where rand_r starts.  */
void tvm_climb_init(struct tvm_climb *climb, const struct instance *instance, struct order_key *key,
                    uint32_t random);
void tvm_climb_clear(struct tvm_climb *climb);

/* Whether attempt number ATTEMPT, from 0, is accepted: its peak is PEAK, that of the one accepted
 * last ACCEPTED.  May draw.  */
bool tvm_climb_accepts(struct tvm_climb *climb, int64_t peak, int64_t accepted, uint64_t attempt);
/* Takes the last swap back, once more where there was none since.  */
void tvm_climb_undo(struct tvm_climb *climb);
/* Draws a buffer of AT_TOP, of which there is one at least, and swaps.  */
void tvm_climb_propose(struct tvm_climb *climb);

#endif
