/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/shapes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"

struct shape shape_of(const struct value *value)
{
    struct shape shape = {.rank = value->rank};

    memcpy(shape.dim, value->dim, sizeof shape.dim);
    return shape;
}

bool shape_equal(const struct shape *a, const struct shape *b)
{
    return a->rank == b->rank && memcmp(a->dim, b->dim, (size_t)a->rank * sizeof a->dim[0]) == 0;
}

char *shape_text(const struct shape *shape)
{
    size_t length;
    char *text;
    FILE *out;

    if (shape->rank == 0)
        return memory_strdup("scalar");
    out = memory_stream(&text, &length);
    for (int i = 0; i < shape->rank; i++)
        fprintf(out, "%s%" PRId64, i == 0 ? "" : "x", shape->dim[i]);
    memory_stream_close(out);
    return text;
}

bool shape_elements(const struct shape *shape, int64_t *elements, struct error *error)
{
    int64_t product = 1;
    bool empty = false;

    if (shape->rank < 0 || shape->rank > NETWORK_MAX_RANK)
        return error_set(error, "%d dimensions, expected at most %d", shape->rank,
                         NETWORK_MAX_RANK);
    for (int i = 0; i < shape->rank; i++) {
        if (shape->dim[i] < 0)
            return error_set(error, "dimension %d is %" PRId64, i, shape->dim[i]);
        empty = empty || shape->dim[i] == 0;
    }
    for (int i = 0; i < shape->rank && !empty; i++)
        if (!checked_mul(product, shape->dim[i], &product))
            return error_set(error, "the number of elements overflows 64 bits");
    *elements = empty ? 0 : product;
    return true;
}

/* What every function ends with.  */
static bool good(const struct shape *shape, struct error *error)
{
    int64_t elements;

    return shape_elements(shape, &elements, error);
}

/* Sets ERROR to "WHAT A and B" with both shapes.  */
static bool misfit(const char *what, const struct shape *a, const struct shape *b,
                   struct error *error)
{
    char *first = shape_text(a), *second = shape_text(b);

    error_set(error, "%s %s and %s", what, first, second);
    free(first);
    free(second);
    return false;
}

bool shape_axis(int64_t axis, int rank, int *index, struct error *error)
{
    if (axis < -rank || axis >= rank)
        return error_set(error, "axis %" PRId64 " of %d dimensions", axis, rank);
    *index = (int)(axis < 0 ? axis + rank : axis);
    return true;
}

bool shape_broadcast(const struct shape *a, const struct shape *b, struct shape *result,
                     struct error *error)
{
    struct shape joint = {.rank = a->rank > b->rank ? a->rank : b->rank};

    for (int i = 1; i <= joint.rank; i++) {
        int64_t x = i <= a->rank ? a->dim[a->rank - i] : 1;
        int64_t y = i <= b->rank ? b->dim[b->rank - i] : 1;

        if (x != y && x != 1 && y != 1)
            return misfit("cannot broadcast", a, b, error);
        joint.dim[joint.rank - i] = x == 1 ? y : x;
    }
    *result = joint;
    return good(result, error);
}

bool shape_concat(const struct shape *shape, size_t count, int axis, struct shape *result,
                  struct error *error)
{
    struct shape joint = shape[0];

    if (axis < 0 || axis >= joint.rank)
        return error_set(error, "axis %d of %d dimensions", axis, joint.rank);
    for (size_t i = 1; i < count; i++) {
        struct shape next = shape[i];

        if (next.rank != joint.rank)
            return misfit("cannot join", &joint, &next, error);
        if (!checked_add(joint.dim[axis], next.dim[axis], &joint.dim[axis]))
            return error_set(error, "dimension %d overflows 64 bits", axis);
        next.dim[axis] = joint.dim[axis];
        if (!shape_equal(&joint, &next))
            return misfit("cannot join", &shape[0], &shape[i], error);
    }
    *result = joint;
    return good(result, error);
}

bool shape_reshape(const struct shape *shape, const int64_t *wanted, size_t count, bool zero_copies,
                   struct shape *result, struct error *error)
{
    struct shape made = {.rank = (int)count};
    int64_t elements, known;
    int open = -1;

    if (count > NETWORK_MAX_RANK)
        return error_set(error, "%zu dimensions, expected at most %d", count, NETWORK_MAX_RANK);
    for (int i = 0; i < made.rank; i++) {
        made.dim[i] = wanted[i];
        if (wanted[i] == -1 && open >= 0)
            return error_set(error, "two dimensions are -1");
        if (wanted[i] == -1) {
            open = i;
            made.dim[i] = 1;
        } else if (wanted[i] == 0 && zero_copies) {
            if (i >= shape->rank)
                return error_set(error, "dimension %d is copied from an input of %d", i,
                                 shape->rank);
            made.dim[i] = shape->dim[i];
        }
    }
    if (!shape_elements(shape, &elements, error) || !shape_elements(&made, &known, error))
        return false;
    if (open >= 0 && known > 0 && elements % known == 0)
        made.dim[open] = elements / known;
    else if (open >= 0 || known != elements)
        return misfit("different numbers of elements:", shape, &made, error);
    *result = made;
    return true;
}

bool shape_flatten(const struct shape *shape, int axis, struct shape *result, struct error *error)
{
    struct shape front = {.rank = axis}, back = {.rank = shape->rank - axis};
    int64_t first, second;

    if (axis < 0 || axis > shape->rank)
        return error_set(error, "axis %d of %d dimensions", axis, shape->rank);
    memcpy(front.dim, shape->dim, (size_t)front.rank * sizeof front.dim[0]);
    memcpy(back.dim, shape->dim + axis, (size_t)back.rank * sizeof back.dim[0]);
    if (!shape_elements(&front, &first, error) || !shape_elements(&back, &second, error))
        return false;
    *result = (struct shape){.rank = 2, .dim = {first, second}};
    return good(result, error);
}

bool shape_transpose(const struct shape *shape, const int64_t *order, size_t count,
                     struct shape *result, struct error *error)
{
    struct shape made = {.rank = shape->rank};
    bool used[NETWORK_MAX_RANK] = {false};

    if (count != (size_t)shape->rank)
        return error_set(error, "an order of %zu for %d dimensions", count, shape->rank);
    for (int i = 0; i < made.rank; i++) {
        if (order[i] < 0 || order[i] >= made.rank || used[order[i]])
            return error_set(error, "the order of the dimensions is not a permutation");
        used[order[i]] = true;
        made.dim[i] = shape->dim[order[i]];
    }
    *result = made;
    return good(result, error);
}

bool shape_matmul(const struct shape *a, const struct shape *b, struct shape *result,
                  struct error *error)
{
    struct shape left = *a, right = *b, made;
    int64_t rows, columns;

    if (a->rank == 0 || b->rank == 0)
        return misfit("cannot multiply", a, b, error);
    if (a->rank == 1)
        left = (struct shape){.rank = 2, .dim = {1, a->dim[0]}};
    if (b->rank == 1)
        right = (struct shape){.rank = 2, .dim = {b->dim[0], 1}};
    if (left.dim[left.rank - 1] != right.dim[right.rank - 2])
        return misfit("cannot multiply", a, b, error);
    rows = left.dim[left.rank - 2];
    columns = right.dim[right.rank - 1];
    left.rank -= 2;
    right.rank -= 2;
    if (!shape_broadcast(&left, &right, &made, error))
        return misfit("cannot multiply", a, b, error);
    if (a->rank > 1)
        made.dim[made.rank++] = rows;
    if (b->rank > 1)
        made.dim[made.rank++] = columns;
    *result = made;
    return good(result, error);
}

/* Sets MARKED[i] for each of AXES; each may come once.  */
static bool mark_axes(const int64_t *axes, size_t count, int rank, bool *marked,
                      struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        int index = 0;

        if (!shape_axis(axes[i], rank, &index, error))
            return false;
        if (marked[index])
            return error_set(error, "axis %" PRId64 " twice", axes[i]);
        marked[index] = true;
    }
    return true;
}

bool shape_reduce(const struct shape *shape, const int64_t *axes, size_t count, bool keep,
                  struct shape *result, struct error *error)
{
    bool marked[NETWORK_MAX_RANK] = {false};
    struct shape made = {.rank = 0};

    if (!mark_axes(axes, count, shape->rank, marked, error))
        return false;
    for (int i = 0; i < shape->rank; i++)
        if (count > 0 && !marked[i])
            made.dim[made.rank++] = shape->dim[i];
        else if (keep)
            made.dim[made.rank++] = 1;
    *result = made;
    return good(result, error);
}

bool shape_squeeze(const struct shape *shape, const int64_t *axes, size_t count,
                   struct shape *result, struct error *error)
{
    bool marked[NETWORK_MAX_RANK] = {false};
    struct shape made = {.rank = 0};

    if (!mark_axes(axes, count, shape->rank, marked, error))
        return false;
    for (int i = 0; i < shape->rank; i++) {
        if (marked[i] && shape->dim[i] != 1)
            return error_set(error, "dimension %d is %" PRId64 ", expected 1", i, shape->dim[i]);
        if (count == 0 ? shape->dim[i] != 1 : !marked[i])
            made.dim[made.rank++] = shape->dim[i];
    }
    *result = made;
    return good(result, error);
}

bool shape_unsqueeze(const struct shape *shape, const int64_t *axes, size_t count,
                     struct shape *result, struct error *error)
{
    bool marked[NETWORK_MAX_RANK] = {false};
    struct shape made;
    int from = 0;

    if (count > (size_t)(NETWORK_MAX_RANK - shape->rank))
        return error_set(error, "%zu more than %d dimensions, expected at most %d", count,
                         shape->rank, NETWORK_MAX_RANK);
    made.rank = shape->rank + (int)count;
    if (!mark_axes(axes, count, made.rank, marked, error))
        return false;
    for (int i = 0; i < made.rank; i++)
        made.dim[i] = marked[i] ? 1 : shape->dim[from++];
    *result = made;
    return good(result, error);
}

/* POSITION counted from the end if negative, cut to [LOW, HIGH].  */
static int64_t place(int64_t position, int64_t length, int64_t low, int64_t high)
{
    if (position < 0)
        position += length; /* a negative and a positive number: no overflow */
    return max64(low, min64(position, high));
}

bool shape_slice(int64_t length, int64_t start, int64_t end, int64_t step, int64_t *result,
                 struct error *error)
{
    if (step == 0 || step == INT64_MIN || length < 0)
        return error_set(error, "a slice of %" PRId64 " with step %" PRId64, length, step);
    if (step > 0) {
        start = place(start, length, 0, length);
        end = place(end, length, 0, length);
        *result = start < end ? (end - start - 1) / step + 1 : 0;
    } else {
        start = place(start, length, -1, length - 1);
        end = place(end, length, -1, length - 1);
        *result = start > end ? (start - end - 1) / -step + 1 : 0;
    }
    return true;
}

bool shape_pad(const struct shape *shape, const int64_t *before, const int64_t *after,
               struct shape *result, struct error *error)
{
    struct shape made = *shape;

    for (int i = 0; i < made.rank; i++)
        if (!checked_add(made.dim[i], before[i], &made.dim[i]) ||
            !checked_add(made.dim[i], after[i], &made.dim[i]))
            return error_set(error, "dimension %d with padding overflows 64 bits", i);
    *result = made;
    return good(result, error);
}
