/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The least cost against the capacity of the first memory.  */
#ifndef ARENABENCH_MEMORIES_CURVE_H
#define ARENABENCH_MEMORIES_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "memories/exact.h"
#include "memories/memory.h"

struct split_point {
    int64_t capacity;
    int64_t cost, bound; /* SPLIT_NEVER: no split; none is possible */
    double outside;      /* share of the traffic (split_outside) */
    enum split_outcome outcome;
};

/* COUNT points at equal distances, the last with the peak of one arena that holds everything, and
 * none below what is reserved.  They share the time until DEADLINE.  False where a problem can't be
 * made of INSTANCE (split_problem_init).  */
bool split_curve(const struct instance *instance, const struct memories *memories, double deadline,
                 struct split_point *point, size_t count, struct error *error);

#endif
