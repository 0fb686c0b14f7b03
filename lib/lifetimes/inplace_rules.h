/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules by which values that are chunks already come to share a buffer: see
 * lib/lifetimes/inplace.h.  */
#ifndef ARENABENCH_LIB_LIFETIMES_INPLACE_RULES_H
#define ARENABENCH_LIB_LIFETIMES_INPLACE_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/lifetimes/counting.h"

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

/* The rules: fill in dest, offset and src of the chunks.  */
void inplace_megengine(struct places *places, const struct network *network,
                       const struct schedule *schedule);
void inplace_nnc(struct places *places, const struct network *network,
                 const struct schedule *schedule);

/* Concatenation into place: fills in whole and offset.  */
void inplace_concat(struct places *places, const struct network *network);

#endif
