/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In which layout each value of a run lies.
 *
 * Kernels want channels in blocks (kernels/layout.h).  A value whose channels fill whole blocks is
 * as large as without them, so it may lie so in its place, and what computes element by element,
 * normalises, pools or joins channels works on it as it is.  All else sees plain values: what is in
 * blocks is converted for it in scratch memory beside the arena.  */
#ifndef ARENABENCH_RUNTIME_LAYOUTS_H
#define ARENABENCH_RUNTIME_LAYOUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct network;
struct network_op;
struct run_memory;

struct layouts {
    int64_t *block; /* of each value: channels that lie side by side; 1: plain */
    bool *blocked;  /* whether an operator, no kernel's, works on blocks */
};

/* OUTPUT_BLOCK[o] is the block that operator o's kernel writes, 0 where it has no kernel.  */
struct layouts layouts_choose(const struct network *network, const struct run_memory *memory,
                              const int64_t *output_block);
/* The block that OP, which works on blocks, finds its images in.  */
int64_t layouts_block(const struct layouts *layouts, const struct network *network,
                      const struct network_op *op);
void layouts_clear(struct layouts *layouts);

/* Whether OUTPUT lies on INPUT as a part of it: a view, or what was made in its place.  REUSE is an
 * index of OP's facts.  */
bool layouts_shares(const struct run_memory *memory, const struct network_op *op, size_t reuse);

#endif
