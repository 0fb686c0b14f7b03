/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tensor as seen along one of its axes.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_ALONG_H
#define ARENABENCH_RUNTIME_OPERATORS_ALONG_H

#include <stdint.h>

#include "runtime/operators/operator.h"

/* OUTER x COUNT x INNER elements, COUNT along the axis.  */
struct along {
    int64_t outer, count, inner;
};

struct along along_axis(const struct tensor *tensor, int axis);

/* The first element of line LINE of OUTER x INNER; the others are INNER apart.  */
static inline int64_t along_first(const struct along *along, int64_t line)
{
    return line / along->inner * along->count * along->inner + line % along->inner;
}

#endif
