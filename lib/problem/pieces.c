/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/problem/pieces.h"

#include <assert.h>
#include <stdint.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/problem/instance.h"

static int compare_lows(const void *a, const void *b)
{
    const struct piece *const *x = a, *const *y = b;

    return ORDER((*x)->lo, (*y)->lo);
}

/* Appends the union of the address ranges of LIVE, for the steps [begin, end).  */
static size_t append_union(const struct piece *const *live, size_t count, int64_t begin,
                           int64_t end, struct piece *out)
{
    size_t written = 0;

    for (size_t i = 0; i < count; i++) {
        if (written > 0 && live[i]->lo <= out[written - 1].hi)
            out[written - 1].hi = max64(out[written - 1].hi, live[i]->hi);
        else
            out[written++] = (struct piece){begin, end, live[i]->lo, live[i]->hi, false};
    }
    return written;
}

static int compare_births(const void *a, const void *b)
{
    const struct piece *const *x = a, *const *y = b;

    return ORDER((*x)->begin, (*y)->begin) ?: ORDER(*x, *y);
}

/* All times at which a piece begins or ends, ascending; returns their number.  */
static size_t find_times(const struct piece *piece, size_t count, int64_t *time)
{
    size_t times = 0, distinct = 0;

    for (size_t i = 0; i < count; i++) {
        time[times++] = piece[i].begin;
        time[times++] = piece[i].end;
    }
    sort_stable(time, times, sizeof *time, compare64);
    for (size_t t = 0; t < times; t++)
        if (t == 0 || time[t] != time[distinct - 1])
            time[distinct++] = time[t];
    return distinct;
}

size_t pieces_disjoint(const struct piece *piece, size_t count, struct piece **disjoint)
{
    int64_t *time = memory_alloc(2 * count, sizeof *time);
    const struct piece **by_birth = memory_alloc(count, sizeof *by_birth);
    const struct piece **live = memory_alloc(count, sizeof *live);
    struct piece *out = NULL;
    size_t capacity = 0, written = 0, times = find_times(piece, count, time), born = 0, alive = 0;

    assert(count > 0);
    for (size_t i = 0; i < count; i++)
        by_birth[i] = &piece[i];
    sort_stable(by_birth, count, sizeof *by_birth, compare_births);
    for (size_t t = 0; t + 1 < times; t++) {
        size_t kept = 0;

        for (size_t i = 0; i < alive; i++)
            if (live[i]->end > time[t])
                live[kept++] = live[i];
        alive = kept;
        while (born < count && by_birth[born]->begin == time[t])
            live[alive++] = by_birth[born++];
        if (alive == 0)
            continue;
        sort_stable(live, alive, sizeof *live, compare_lows);
        out = memory_grow(out, &capacity, written + alive, sizeof *out);
        written += append_union(live, alive, time[t], time[t + 1], out + written);
    }
    memory_free(live);
    memory_free(by_birth);
    memory_free(time);
    *disjoint = out;
    return written;
}
