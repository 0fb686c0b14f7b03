/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the values of a network lie while it runs: in a planned arena or several, or each in memory
 * of its own.  */
#ifndef ARENABENCH_RUNTIME_MEMORY_H
#define ARENABENCH_RUNTIME_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct instance;
struct network;
struct plan;

/* On both sides of an arena lie as many bytes that nobody may write.  Kernels may read past the
 * end of what they are given by so many (kernels/kernel.h), so there are more behind.  */
#define RUN_CANARY 128

struct run_arena {
    unsigned char *data;
    int64_t bytes;
};

struct run_memory {
    void **value; /* one a value of the network, never NULL */
    size_t arenas;
    struct run_arena *arena;
    int64_t own_bytes; /* of values that are in no arena and are made or given in a run */
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

/* Where buffers lie: each at an offset in one of several arenas.  */
struct run_places {
    size_t arenas;
    const int64_t *bytes;  /* of each arena */
    const size_t *arena;   /* of each buffer */
    const int64_t *offset; /* likewise */
};

/* As run_memory_planned, with the buffers at PLACES.  */
struct run_memory *run_memory_placed(const struct instance *instance,
                                     const struct run_places *places, struct error *error);

/* The arena that ADDRESS lies in; memory->arenas: none.  */
size_t run_memory_arena(const struct run_memory *memory, const void *address);

void run_memory_free(struct run_memory *memory);

/* Whether nobody has written beside an arena.  */
bool run_memory_intact(const struct run_memory *memory);

#endif
