/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/boxing/boxing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/place/index_set.h"

void boxing_init(struct boxing *boxing, struct rng *rng)
{
    *boxing = (struct boxing){.rng = rng};
}

void boxing_clear(struct boxing *boxing)
{
    free(boxing->job);
    free(boxing->content);
}

static struct box_job *new_job(struct boxing *boxing)
{
    boxing->job =
        memory_grow(boxing->job, &boxing->job_room, boxing->jobs + 1, sizeof *boxing->job);
    return &boxing->job[boxing->jobs++];
}

void boxing_add(struct boxing *boxing, int64_t height, int64_t birth, int64_t death)
{
    assert(height > 0 && death - birth >= 2 && birth % 2 == 0 && death % 2 == 0);
    *new_job(boxing) = (struct box_job){.height = height, .birth = birth, .death = death};
    boxing->originals = boxing->jobs;
}

void boxing_restart(struct boxing *boxing, struct job_list *list)
{
    boxing->jobs = boxing->originals;
    boxing->contents = 0;
    list->count = 0;
    for (size_t j = 0; j < boxing->originals; j++)
        job_list_add(list, (uint32_t)j);
}

void job_list_add(struct job_list *list, uint32_t job)
{
    list->job = memory_grow(list->job, &list->room, list->count + 1, sizeof *list->job);
    list->job[list->count++] = job;
}

void job_list_clear(struct job_list *list)
{
    free(list->job);
    *list = (struct job_list){0};
}

uint32_t boxing_box(struct boxing *boxing, const uint32_t *job, size_t count, int64_t height)
{
    struct box_job *box = new_job(boxing);

    assert(count > 0 && height > 0);
    *box = (struct box_job){height, INT64_MAX, INT64_MIN, boxing->contents, count};
    boxing->content = memory_grow(boxing->content, &boxing->content_room, boxing->contents + count,
                                  sizeof *boxing->content);
    memcpy(boxing->content + boxing->contents, job, count * sizeof *job);
    boxing->contents += count;
    for (size_t i = 0; i < count; i++) {
        box->birth = min64(box->birth, boxing->job[job[i]].birth);
        box->death = max64(box->death, boxing->job[job[i]].death);
    }
    return (uint32_t)(boxing->jobs - 1);
}

/* --- orders --- */

void boxing_sort_by_birth(const struct boxing *boxing, uint32_t *job, size_t count)
{
    struct order_key *key = memory_alloc(count, sizeof *key);

    for (size_t i = 0; i < count; i++)
        key[i] = (struct order_key){key_ascending(boxing->job[job[i]].birth), job[i], job[i]};
    order_sort(key, count);
    for (size_t i = 0; i < count; i++)
        job[i] = (uint32_t)key[i].index;
    free(key);
}

/* Jobs of one row, by birth, never live at once, and there are no more rows than the most jobs
 * that live together.  JOB stands by birth.  */
static void check_rows(const struct boxing *boxing, const uint32_t *job, size_t count,
                       const uint32_t *row, size_t rows)
{
    size_t width = 0;

    if (!check_due(count, count * count / 64))
        return;
    for (size_t i = 0; i < count; i++) {
        size_t live = 1;

        for (size_t k = 0; k < i; k++)
            if (boxing->job[job[k]].death > boxing->job[job[i]].birth) {
                CHECK(row[k] != row[i], "boxing", "jobs of one row never live at once");
                live++;
            }
        CHECK(row[i] < rows, "boxing", "a row is one of those counted");
        width = live > width ? live : width;
    }
    CHECK(rows == width, "boxing", "there are as many rows as jobs that live together");
}

/* The rows of those that have died, by death, wait until a birth comes after.  */
size_t boxing_rows(const struct boxing *boxing, uint32_t *job, size_t count, uint32_t *row)
{
    struct order_key *death = memory_alloc(count, sizeof *death);
    struct index_set free_rows;
    size_t rows = 0, dead = 0;

    boxing_sort_by_birth(boxing, job, count);
    for (size_t i = 0; i < count; i++)
        death[i] = (struct order_key){key_ascending(boxing->job[job[i]].death), 0, i};
    order_sort(death, count);
    index_set_init(&free_rows, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t now = key_ascending(boxing->job[job[i]].birth);
        size_t lowest;

        for (; dead < count && death[dead].major <= now; dead++)
            index_set_add(&free_rows, row[death[dead].index]);
        lowest = index_set_at_or_after(&free_rows, 0);
        if (lowest == SIZE_MAX)
            lowest = rows++;
        else
            index_set_remove(&free_rows, lowest);
        row[i] = (uint32_t)lowest;
    }
    index_set_clear(&free_rows);
    free(death);
    CHECK_INVARIANT(check_rows(boxing, job, count, row, rows));
    return rows;
}
