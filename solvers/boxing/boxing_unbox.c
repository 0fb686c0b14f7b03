/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/boxing/boxing.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/order.h"

struct unbox {
    const struct boxing *boxing;
    double *loose;
};

static void unbox_any(const struct unbox *unbox, const uint32_t *job, size_t count, double start);

/* One job at START: an original has its offset, a box is opened.  */
static void unbox_one(const struct unbox *unbox, uint32_t job, double start)
{
    const struct box_job *one = &unbox->boxing->job[job];

    if (one->count == 0)
        unbox->loose[job] = start;
    else
        unbox_any(unbox, unbox->boxing->content + one->first, one->count, start);
}

/* Jobs of one height, in rows from START up.  Returns the number of rows.  */
static size_t unbox_rows(const struct unbox *unbox, uint32_t *job, size_t count, double start)
{
    uint32_t *row = memory_alloc(count, sizeof *row);
    size_t rows = boxing_rows(unbox->boxing, job, count, row);

    for (size_t i = 0; i < count; i++)
        unbox_one(unbox, job[i],
                  start + (double)row[i] * (double)unbox->boxing->job[job[0]].height);
    free(row);
    return rows;
}

static bool all_equal(const struct boxing *boxing, const uint32_t *job, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (boxing->job[job[i]].height != boxing->job[job[0]].height)
            return false;
    return true;
}

/* JOB is sorted by birth.  */
static bool none_overlap(const struct boxing *boxing, const uint32_t *job, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (boxing->job[job[i]].birth < boxing->job[job[i - 1]].death)
            return false;
    return true;
}

/* Jobs of several heights that overlap: rows for each height, the largest first.  */
static void unbox_mixed(const struct unbox *unbox, uint32_t *job, size_t count, double start)
{
    struct order_key *key = memory_alloc(count, sizeof *key);
    size_t first = 0;

    for (size_t i = 0; i < count; i++)
        key[i] = (struct order_key){key_descending(unbox->boxing->job[job[i]].height), 0, job[i]};
    order_sort(key, count);
    for (size_t i = 0; i < count; i++)
        job[i] = (uint32_t)key[i].index;
    while (first < count) {
        int64_t height = unbox->boxing->job[job[first]].height;
        size_t last = first + 1;

        while (last < count && unbox->boxing->job[job[last]].height == height)
            last++;
        start += (double)height * (double)unbox_rows(unbox, job + first, last - first, start);
        first = last;
    }
    free(key);
}

static void unbox_any(const struct unbox *unbox, const uint32_t *contents, size_t count,
                      double start)
{
    uint32_t *job = memory_copy(contents, count, sizeof *job);

    boxing_sort_by_birth(unbox->boxing, job, count);
    if (all_equal(unbox->boxing, job, count))
        unbox_rows(unbox, job, count, start);
    else if (none_overlap(unbox->boxing, job, count))
        for (size_t i = 0; i < count; i++)
            unbox_one(unbox, job[i], start);
    else
        unbox_mixed(unbox, job, count, start);
    free(job);
}

void boxing_unbox(const struct boxing *boxing, const struct job_list *list, double *loose)
{
    const struct unbox unbox = {boxing, loose};

    unbox_any(&unbox, list->job, list->count, 0.0);
}
