/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the bytes of each buffer are read and written.
 *
 * Of a network: at the step of each operator that does so; whoever brings an input writes it at the
 * buffer's first step.  An instance may say the steps (instance.access), which share the bytes that
 * are read or written over its life (traffic.h) evenly.  Where it does not, the buffer is written
 * at its first step and read at its last.  */
#ifndef ARENABENCH_MEMORIES_ACCESSES_H
#define ARENABENCH_MEMORIES_ACCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct split_problem;

/* All that is read and written of a buffer at one step.  One that writes changes the buffer.  */
struct access {
    int64_t step, reads, writes;
};

/* Those of buffer b, by step, are access[first[b]] .. access[first[b + 1]]: one at least, the first
 * of which makes the buffer.  */
struct accesses {
    size_t *first;
    struct access *access;
};

/* False where steps say nothing: of several streams, or of pairs of buffers.  The caller clears
 * ACCESSES.  */
bool accesses_find(const struct split_problem *problem, struct accesses *accesses,
                   struct error *error);
void accesses_clear(struct accesses *accesses);

#endif
