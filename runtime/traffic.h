/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that a run reads and writes in each of its arenas, counted step by step from the addresses
 * of the tensors: an operator reads its inputs and writes its outputs once, but for what lies where
 * it has to be already (layouts.h).  */
#ifndef ARENABENCH_RUNTIME_TRAFFIC_H
#define ARENABENCH_RUNTIME_TRAFFIC_H

#include <stdint.h>

struct network;
struct run_memory;
struct step;

/* One number an arena.  */
struct run_traffic {
    int64_t *reads, *writes;
};

/* As zeros, one an arena of MEMORY; the caller clears it.  */
void run_traffic_init(struct run_traffic *traffic, const struct run_memory *memory);
void run_traffic_clear(struct run_traffic *traffic);

/* What is there before a run: inputs, and what is stored in an arena.  */
void run_traffic_begin(struct run_traffic *traffic, const struct run_memory *memory,
                       const struct network *network);

/* STEP is run.  */
void run_traffic_step(struct run_traffic *traffic, const struct run_memory *memory,
                      const struct network *network, const struct step *step);

#endif
