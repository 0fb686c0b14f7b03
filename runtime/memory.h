/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the values of a network lie while it runs: in a planned arena, or each in memory of its
 * own.  */
#ifndef ARENABENCH_RUNTIME_MEMORY_H
#define ARENABENCH_RUNTIME_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct instance;
struct network;
struct plan;

/* On both sides of the arena lie as many bytes that nobody may write.  Kernels may read past the
 * end of what they are given by so many (kernels/kernel.h), so there are more behind.  */
#define RUN_CANARY 128

struct run_memory {
    void **value;         /* one a value of the network, never NULL */
    unsigned char *arena; /* NULL: there is none */
    int64_t arena_bytes;
    int64_t own_bytes; /* of values that are not in the arena and are made or given in a run */
    size_t blocks, capacity;
    void **block; /* private */
};

/* Each value in memory of its own.  Stored values lie where their elements are; those that a run
 * changes (changes.h) in a copy, which own_bytes does not count.  */
struct run_memory *run_memory_plain(const struct network *network);

/* The same, but value V lies at GIVEN[V] where that is not NULL.  */
struct run_memory *run_memory_beside(const struct network *network, void *const *given);

/* The values that INSTANCE, which has an origin, counts lie where PLAN, a valid one, puts them;
 * the others in memory of their own.  NULL with a message where there is not so much memory, or
 * an element would lie at an address that its type does not allow.  */
struct run_memory *run_memory_planned(const struct instance *instance, const struct plan *plan,
                                      struct error *error);

void run_memory_free(struct run_memory *memory);

/* Whether nobody has written beside the arena.  */
bool run_memory_intact(const struct run_memory *memory);

#endif
