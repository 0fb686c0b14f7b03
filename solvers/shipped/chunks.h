/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory chunks as MegEngine's planners see them: an interval of steps, a size,
 * and perhaps the chunk whose place it overwrites.
 *
 * A buffer whose pieces are one overwrite chain, the first piece spanning the
 * buffer, gives one chunk a piece.  Any other buffer (idle for a while, views
 * placed in it) is one chunk, its bounding rectangle: MegEngine has no word for
 * it.  */
#ifndef ARENABENCH_SOLVERS_SHIPPED_CHUNKS_H
#define ARENABENCH_SOLVERS_SHIPPED_CHUNKS_H

#include <stddef.h>
#include <stdint.h>

struct instance;
struct plan;

#define CHUNK_NONE SIZE_MAX

/* What MegEngine asks of addresses where it runs on x86, in bytes (dnn/src/x86/handle.cpp; 32
 * on ARM, on CUDA what textures ask for).  It adds no padding to sizes there.  */
#define MEGENGINE_ALIGNMENT 64

struct chunk {
    size_t buffer;
    int64_t begin, end, size;
    int64_t offset;  /* from the start of its root, which is that of the buffer */
    size_t root;     /* the chunk at the start of the chain; itself, where it is that */
    size_t over, by; /* the chunk that it overwrites, that overwrites it; or CHUNK_NONE */
    int64_t address; /* the planner fills it in, at least for roots */
    size_t number;   /* of its interval, or of its buffer's first one (lib/problem/intervals.h) */
};

struct chunks {
    size_t n;
    struct chunk *chunk; /* in the order of buffers and pieces; the links of a chain ascend */
    int64_t alignment; /* of every root: the largest one of the instance, which all others divide */
};

void chunks_init(struct chunks *chunks, const struct instance *instance);
void chunks_clear(struct chunks *chunks);

/* Offsets and peak from the addresses of the roots.  */
void chunks_to_plan(const struct chunks *chunks, const struct instance *instance,
                    struct plan *plan);

/* Who allocates and frees in MegEngine's walk through time.  */
struct chunk_walker {
    void (*alloc)(void *context, size_t chunk);     /* a root */
    void (*overwrite)(void *context, size_t chunk); /* takes over its `over`, which is freed */
    void (*free)(void *context, size_t chunk);
    void *context;
};

/* At each step, in order: frees the chunks that ended, but for those that were
 * overwritten; allocates the roots that begin; then the others that begin.
 * Chunks of one step by number.  O(n log n).  */
void chunks_walk(const struct chunks *chunks, const struct chunk_walker *walker);

#endif
