/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/operators/strided.h"

#include <string.h>

void strided_dense(int rank, const int64_t *dim, int64_t *stride)
{
    int64_t elements = 1;

    for (int d = rank - 1; d >= 0; d--) {
        stride[d] = elements;
        elements *= dim[d];
    }
}

/* --- merging --- */

static bool follows(const struct strided *loops, int outer, int inner)
{
    for (int k = 0; k < loops->operands; k++)
        if (loops->stride[k][outer] != loops->stride[k][inner] * loops->extent[inner])
            return false;
    return true;
}

static void take(struct strided *loops, int to, int from)
{
    loops->extent[to] = loops->extent[from];
    for (int k = 0; k < loops->operands; k++)
        loops->stride[k][to] = loops->stride[k][from];
}

/* Leaves out dimensions of 1 and joins neighbours, from the innermost outwards; they stay at
 * the end of the arrays until all are done.  */
static void merge(struct strided *loops)
{
    int first = loops->rank; /* of those that are kept */

    for (int d = loops->rank - 1; d >= 0; d--) {
        if (loops->extent[d] == 1)
            continue;
        if (first < loops->rank && follows(loops, d, first))
            loops->extent[first] *= loops->extent[d];
        else
            take(loops, --first, d);
    }
    for (int d = first; d < loops->rank; d++)
        take(loops, d - first, d);
    loops->rank -= first;
}

bool strided_start(struct strided *loops)
{
    for (int d = 0; d < loops->rank; d++)
        if (loops->extent[d] == 0)
            return false;
    merge(loops);
    if (loops->rank == 0) {
        loops->extent[0] = loops->rank = 1;
        for (int k = 0; k < loops->operands; k++)
            loops->stride[k][0] = 1;
    }
    loops->run = loops->extent[loops->rank - 1];
    for (int k = 0; k < loops->operands; k++) {
        loops->step[k] = loops->stride[k][loops->rank - 1];
        loops->at[k] = 0;
    }
    memset(loops->index, 0, sizeof loops->index);
    return true;
}

bool strided_next(struct strided *loops)
{
    for (int d = loops->rank - 2; d >= 0; d--) {
        bool back = ++loops->index[d] == loops->extent[d];

        for (int k = 0; k < loops->operands; k++)
            loops->at[k] +=
                back ? -(loops->extent[d] - 1) * loops->stride[k][d] : loops->stride[k][d];
        if (!back)
            return true;
        loops->index[d] = 0;
    }
    return false;
}

/* --- broadcasting --- */

void strided_broadcast(struct strided *loops, const struct tensor *output,
                       const struct tensor *const *input, int inputs)
{
    loops->rank = output->rank;
    loops->operands = 1 + inputs;
    memcpy(loops->extent, output->dim, (size_t)output->rank * sizeof *output->dim);
    strided_dense(output->rank, output->dim, loops->stride[0]);
    for (int k = 0; k < inputs; k++) {
        int missing = output->rank - input[k]->rank;
        int64_t *stride = loops->stride[1 + k];

        for (int d = 0; d < missing; d++)
            stride[d] = 0;
        strided_dense(input[k]->rank, input[k]->dim, stride + missing);
        for (int d = missing; d < output->rank; d++)
            if (input[k]->dim[d - missing] == 1)
                stride[d] = 0;
    }
}

/* --- copying --- */

#define COPY_RUN(name, type)                                                     \
    static void name(int64_t count, char *to, int64_t to_step, const char *from, \
                     int64_t from_step)                                          \
    {                                                                            \
        type *out = (type *)(void *)to;                                          \
        const type *in = (const type *)(const void *)from;                       \
                                                                                 \
        for (int64_t i = 0; i < count; i++)                                      \
            out[i * to_step] = in[i * from_step];                                \
    }
COPY_RUN(copy_1, element_1)
COPY_RUN(copy_2, element_2)
COPY_RUN(copy_4, element_4)
COPY_RUN(copy_8, element_8)
COPY_RUN(copy_16, element_16)

typedef void copy_run(int64_t count, char *to, int64_t to_step, const char *from,
                      int64_t from_step);

static copy_run *copy_of(size_t size)
{
    switch (size) {
    case 1:
        return copy_1;
    case 2:
        return copy_2;
    case 4:
        return copy_4;
    case 8:
        return copy_8;
    default:
        return copy_16;
    }
}

void strided_copy(struct strided *loops, size_t size, void *to, const void *from)
{
    copy_run *copy = copy_of(size);
    int64_t bytes = (int64_t)size;

    for (bool more = strided_start(loops); more; more = strided_next(loops)) {
        char *out = (char *)to + loops->at[0] * bytes;
        const char *in = (const char *)from + loops->at[1] * bytes;

        if (loops->step[0] != 1 || loops->step[1] != 1)
            copy(loops->run, out, loops->step[0], in, loops->step[1]);
        else if (out != in)
            memmove(out, in, (size_t)(loops->run * bytes));
    }
}

void dense_copy(const struct tensor *to, const struct tensor *from)
{
    size_t bytes = (size_t)tensor_elements(to) * dtype_size(to->dtype);

    if (bytes > 0 && to->data != from->data)
        memmove(to->data, from->data, bytes);
}
