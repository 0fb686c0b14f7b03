/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops over tensors whose elements lie at strides: broadcasting, permutations, blocks of a
 * tensor.  Neighbouring dimensions that all operands pass alike become one, so that what is
 * left innermost is long.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_STRIDED_H
#define ARENABENCH_RUNTIME_OPERATORS_STRIDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/operators/operator.h"

#define STRIDED_RANK (2 * NETWORK_MAX_RANK)
#define STRIDED_OPERANDS 4

/* Elements that are moved whatever they are, by their size; of 16 bytes, complex numbers.  */
typedef uint8_t __attribute__((may_alias)) element_1;
typedef uint16_t __attribute__((may_alias)) element_2;
typedef uint32_t __attribute__((may_alias)) element_4;
typedef uint64_t __attribute__((may_alias)) element_8;
typedef struct {
    uint64_t half[2];
} __attribute__((may_alias)) element_16;

struct strided {
    /* Filled in by the caller; strided_start merges dimensions.  Strides are in elements.  */
    int rank, operands;
    int64_t extent[STRIDED_RANK];
    int64_t stride[STRIDED_OPERANDS][STRIDED_RANK];

    /* The present run: its length, and for each operand its first element's index and the
     * stride.  */
    int64_t run, at[STRIDED_OPERANDS], step[STRIDED_OPERANDS];

    int64_t index[STRIDED_RANK]; /* private */
};

/* Goes through all runs:
 * for (bool more = strided_start(&loops); more; more = strided_next(&loops)).  */
bool strided_start(struct strided *loops);
bool strided_next(struct strided *loops);

/* The strides of a tensor without gaps.  */
void strided_dense(int rank, const int64_t *dim, int64_t *stride);

/* Loops over OUTPUT's elements, which is operand 0, and INPUTS that are broadcast to it as numpy
 * does.  */
void strided_broadcast(struct strided *loops, const struct tensor *output,
                       const struct tensor *const *input, int inputs);

/* Copies operand 1 to operand 0, elements of SIZE bytes that begin at FROM and TO.  A run that
 * lies at its place already is not touched.  */
void strided_copy(struct strided *loops, size_t size, void *to, const void *from);

/* The same where both are without gaps.  */
void dense_copy(const struct tensor *to, const struct tensor *from);

#endif
