/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shape inference that the readers of model files share.
 *
 * Each function refuses what does not fit with a message without a place: the
 * caller puts file and operator before it.  Dimensions come from files, so
 * nothing is assumed of them; results are at least 0 and their products fit.  */
#ifndef ARENABENCH_WORKLOADS_READERS_SHAPES_H
#define ARENABENCH_WORKLOADS_READERS_SHAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/graph/network.h"

struct shape {
    int rank; /* 0 to NETWORK_MAX_RANK */
    int64_t dim[NETWORK_MAX_RANK];
};

struct shape shape_of(const struct value *value);
bool shape_equal(const struct shape *a, const struct shape *b);

/* "1x3x224x224", "scalar"; the caller frees it.  */
char *shape_text(const struct shape *shape);

/* Checks rank and dimensions, and counts the elements.  */
bool shape_elements(const struct shape *shape, int64_t *elements, struct error *error);

/* AXIS in [-rank, rank) as an index; negative ones count from the end.  */
bool shape_axis(int64_t axis, int rank, int *index, struct error *error);

/* Elementwise operators: dimensions aligned at the last, 1 stretches.  */
bool shape_broadcast(const struct shape *a, const struct shape *b, struct shape *result,
                     struct error *error);

/* Joins COUNT > 0 shapes along AXIS.  */
bool shape_concat(const struct shape *shape, size_t count, int axis, struct shape *result,
                  struct error *error);

/* One -1 in WANTED stands for what is left; 0 for the input's dimension in that
 * place if ZERO_COPIES.  */
bool shape_reshape(const struct shape *shape, const int64_t *wanted, size_t count, bool zero_copies,
                   struct shape *result, struct error *error);

/* Dimensions before AXIS as one, the rest as the other.  AXIS in [0, rank].  */
bool shape_flatten(const struct shape *shape, int axis, struct shape *result, struct error *error);

/* result.dim[i] = shape.dim[order[i]]; COUNT is the rank.  */
bool shape_transpose(const struct shape *shape, const int64_t *order, size_t count,
                     struct shape *result, struct error *error);

/* Matrix products over the last two dimensions, the others broadcast; a vector
 * on either side gains a dimension that the result loses again.  */
bool shape_matmul(const struct shape *a, const struct shape *b, struct shape *result,
                  struct error *error);

/* Dimensions AXES become 1 (KEEP) or go; none given: all of them.  */
bool shape_reduce(const struct shape *shape, const int64_t *axes, size_t count, bool keep,
                  struct shape *result, struct error *error);

/* Takes out dimensions AXES, which are 1; none given: all that are 1.  */
bool shape_squeeze(const struct shape *shape, const int64_t *axes, size_t count,
                   struct shape *result, struct error *error);

/* Puts in dimensions of 1 that are at AXES of the result.  */
bool shape_unsqueeze(const struct shape *shape, const int64_t *axes, size_t count,
                     struct shape *result, struct error *error);

/* How many of LENGTH elements the slice START:END:STEP takes; negative START and
 * END count from the end, and what lies outside is cut to the edge.  */
bool shape_slice(int64_t length, int64_t start, int64_t end, int64_t step, int64_t *result,
                 struct error *error);

/* Elements added before and after dimension i; negative ones cut off.  */
bool shape_pad(const struct shape *shape, const int64_t *before, const int64_t *after,
               struct shape *result, struct error *error);

#endif
