/* Which values of a network share memory: pure aliases, views, overwrites, and
 * concatenations into place.
 *
 * Values that share by being the same bytes (pure aliases with alias=on; other
 * views, where a rule is chosen) are one chunk, alive for the hull of their
 * lifetimes.  A chunk may overwrite another one or a part of it, and a chunk
 * may lie in the chunk of the concatenation that it is a part of.  What is
 * joined in these two ways has one offset: it is one buffer, and each chunk is
 * one of its pieces.
 *
 * inplace=megengine, as its memory planner does it (the article; seq_mem_opt.cpp,
 * static_mem_alloc/impl.cpp): operators in the order in which they run; each
 * output that may overwrite an input of its operator wishes to, input by input;
 * lib/lifetimes/overwrite.h grants it.
 *
 * inplace=nnc, as ccv's compiler folds tensors (ccv_nnc_symbolic_graph_compile.c):
 * operators in file order; an output is folded into the input of the same slot
 * if the operator is the last reader of the input in every order that the
 * graph allows, and both have the same dimensions (those of what the input is a
 * view of, or was folded into, count).
 *
 * Both leave alone what does not count (the arena does not hold it), what is
 * stored, and network outputs, which nobody may overwrite; in a schedule where
 * operators share steps an overwriter has to be its step's only user of what it
 * overwrites.  An input that shares only some bytes with another input of the
 * operator is left alone.
 *
 * concat=place, which is ours: going through concatenations from the last to
 * the first, each part that is one stretch of the whole lies there from its
 * birth on, unless it lies in a later one, is overwritten, is part of a larger
 * buffer, or is still read when the whole is overwritten.  Nothing but
 * intermediates is placed.  */
#ifndef ARENABENCH_LIB_LIFETIMES_INPLACE_H
#define ARENABENCH_LIB_LIFETIMES_INPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/lifetimes/lifetimes.h"

struct network;
struct schedule;

struct chunk {
    size_t value;       /* its first value, which covers it */
    int64_t size;       /* bytes */
    int64_t begin, end; /* hull of its values' lifetimes; equal: nothing of it is alive */
    struct lifetime_roles roles;
    bool counts;
    size_t dest;    /* the chunk that it overwrites; SIZE_MAX: none */
    size_t src;     /* the chunk that overwrites it; SIZE_MAX: none */
    size_t whole;   /* the chunk of a concatenation that it lies in; SIZE_MAX: none */
    int64_t offset; /* where in `dest` or `whole` */
    size_t root;    /* the chunk that its buffer is as large as */
    int64_t place;  /* where in the root */
};

struct places {
    size_t n;
    struct chunk *chunk; /* by first value: what is stored, then in file order */
    size_t *chunk_of;    /* of each value */
    int64_t *offset;     /* of each value in its chunk */
    size_t *next;        /* the next value of the same chunk; NETWORK_NONE: none */
};

/* Both have been checked.  The caller clears PLACES.  */
void places_find(struct places *places, const struct network *network,
                 const struct schedule *schedule, const struct lifetime_options *options);
void places_clear(struct places *places);

#endif
