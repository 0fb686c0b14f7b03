/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/problem/intervals.h"

#include <stdint.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"

struct interval {
    int64_t begin, end;
    size_t piece;
};

static int compare_intervals(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;

    return ORDER(x->begin, y->begin) ?: ORDER(x->end, y->end) ?: ORDER(x->piece, y->piece);
}

size_t *intervals_number(const struct instance *instance)
{
    bool sorted = instance->number == NULL && (instance->origin != NULL || instance->loops != NULL);
    struct interval *interval = memory_alloc(instance->pieces, sizeof *interval);
    size_t *number = memory_alloc(instance->pieces, sizeof *number);

    for (size_t p = 0; p < instance->pieces; p++)
        interval[p] = (struct interval){instance->piece[p].begin, instance->piece[p].end, p};
    if (sorted && instance->pieces > 0)
        qsort(interval, instance->pieces, sizeof *interval, compare_intervals);
    for (size_t i = 0; i < instance->pieces; i++)
        number[interval[i].piece] = instance->number != NULL ? instance->number[i] : i;
    memory_free(interval);
    return number;
}
