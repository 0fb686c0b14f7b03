#include <config.h>

#include "lib/pieces.h"

#include <stdint.h>
#include <stdlib.h>

#include "lib/checked.h"
#include "lib/instance.h"
#include "lib/memory.h"

static int compare_lows(const void *a, const void *b)
{
    const struct piece *const *x = a, *const *y = b;

    return ((*x)->lo > (*y)->lo) - ((*x)->lo < (*y)->lo);
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

size_t pieces_disjoint(const struct piece *piece, size_t count, struct piece **disjoint)
{
    int64_t *time = memory_alloc(2 * count, sizeof *time);
    const struct piece **live = memory_alloc(count, sizeof *live);
    struct piece *out = NULL;
    size_t capacity = 0, written = 0, times = 0;

    for (size_t i = 0; i < count; i++) {
        time[times++] = piece[i].begin;
        time[times++] = piece[i].end;
    }
    qsort(time, times, sizeof *time, compare64);
    for (size_t t = 0; t + 1 < times; t++) {
        size_t alive = 0;

        if (time[t] == time[t + 1])
            continue;
        for (size_t i = 0; i < count; i++)
            if (piece[i].begin <= time[t] && time[t] < piece[i].end)
                live[alive++] = &piece[i];
        qsort(live, alive, sizeof *live, compare_lows);
        out = memory_grow(out, &capacity, written + alive, sizeof *out);
        written += append_union(live, alive, time[t], time[t + 1], out + written);
    }
    free(live);
    free(time);
    *disjoint = out;
    return written;
}
