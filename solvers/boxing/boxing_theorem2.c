/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Theorem 2 and Lemma 1 of Buchsbaum et al., for jobs of one bucket: from here on a job
 * counts as one row, and a box holds h of them at a time.  */
#include <config.h>

#include "solvers/boxing/boxing.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/base/rng.h"

/* What stays the same through the recursion.  */
struct split {
    struct boxing *boxing;
    size_t h;       /* rows a box */
    int64_t height; /* of a box */
    double epsilon;
    struct job_list *boxes;
};

static const struct box_job *job_of(const struct split *split, uint32_t job)
{
    return &split->boxing->job[job];
}

static bool lives_at(const struct box_job *job, int64_t time)
{
    return job->birth < time && time < job->death;
}

/* Of the jobs in a box no more than its h rows live at once.  */
static void check_box(const struct split *split, const uint32_t *job, size_t count)
{
    for (size_t i = 0; i < count && check_due(count, count * count); i++) {
        size_t live = 0;

        for (size_t k = 0; k < count; k++)
            live += job_of(split, job[k])->birth <= job_of(split, job[i])->birth &&
                    job_of(split, job[i])->birth < job_of(split, job[k])->death;
        CHECK(live <= split->h, "boxing", "a box is high enough for its jobs");
    }
}

static void put_into_box(struct split *split, const uint32_t *job, size_t count)
{
    CHECK_INVARIANT(check_box(split, job, count));
    job_list_add(split->boxes, boxing_box(split->boxing, job, count, split->height));
}

/* --- Lemma 1 --- */

/* JOB, sorted by birth, once by death and once as it is; what is cut on one side is gone
 * on the other.  */
struct strips {
    const uint32_t *job;
    size_t count, left;       /* left: not cut yet */
    struct order_key *deaths; /* ascending; index: in JOB */
    bool *cut;
    size_t births_at, deaths_at; /* next to look at; deaths from the end */
    uint32_t *strip;             /* the last one cut */
    size_t cut_count;
};

/* Cuts MOST jobs, or what is left: VERTICAL: those born first, in the order of birth; else
 * those that die last, in the order of death, descending.  */
static void cut_strip(struct strips *strips, bool vertical, size_t most)
{
    strips->cut_count = 0;
    while (strips->cut_count < most && strips->left > 0) {
        size_t at = vertical ? strips->births_at++ : strips->deaths[--strips->deaths_at].index;

        if (strips->cut[at])
            continue;
        strips->cut[at] = true;
        strips->left--;
        strips->strip[strips->cut_count++] = strips->job[at];
    }
}

/* The last strip into boxes of h jobs: a vertical one by death, the last to die first; a
 * horizontal one by birth.  */
static void box_strip(struct split *split, struct strips *strips, bool vertical)
{
    size_t count = strips->cut_count;
    struct order_key *key = memory_alloc(count, sizeof *key);

    boxing_sort_by_birth(split->boxing, strips->strip, count);
    if (vertical) {
        for (size_t i = 0; i < count; i++)
            key[i] = (struct order_key){key_descending(job_of(split, strips->strip[i])->death), 0,
                                        strips->strip[i]};
        order_sort(key, count);
        for (size_t i = 0; i < count; i++)
            strips->strip[i] = (uint32_t)key[i].index;
    }
    free(key);
    for (size_t first = 0; first < count; first += split->h)
        put_into_box(split, strips->strip + first,
                     count - first < split->h ? count - first : split->h);
}

/* h times the least whole number that is not below FACTOR; no more than MOST.  */
static size_t strip_size(const struct split *split, double factor, size_t most)
{
    double size = (double)split->h * ceil(factor);

    return size < (double)most ? (size_t)size : most;
}

/* JOB[0..count), sorted by birth, have a time in common.  Two outer strips are left over,
 * into LEFT, the inner ones are boxed.  */
static void lemma1(struct split *split, const uint32_t *job, size_t count, struct job_list *left)
{
    size_t outer = strip_size(split, 1.0 / (split->epsilon * split->epsilon), count);
    size_t inner = strip_size(split, 1.0 / split->epsilon, count);
    struct strips strips = {.job = job, .count = count, .left = count, .deaths_at = count};

    if (count <= 2 * outer) {
        for (size_t i = 0; i < count; i++)
            job_list_add(left, job[i]);
        return;
    }
    strips.deaths = memory_alloc(count, sizeof *strips.deaths);
    strips.cut = memory_zalloc(count, sizeof *strips.cut);
    strips.strip = memory_alloc(count, sizeof *strips.strip);
    for (size_t i = 0; i < count; i++)
        strips.deaths[i] = (struct order_key){key_ascending(job_of(split, job[i])->death), 0, i};
    order_sort(strips.deaths, count); /* stable: equal ones by birth */
    for (int side = 0; side < 2; side++) {
        cut_strip(&strips, side == 0, outer);
        for (size_t i = 0; i < strips.cut_count; i++)
            job_list_add(left, strips.strip[i]);
    }
    for (bool vertical = true; strips.left > 0; vertical = !vertical) {
        cut_strip(&strips, vertical, inner);
        box_strip(split, &strips, vertical);
    }
    free(strips.strip);
    free(strips.cut);
    free(strips.deaths);
}

/* --- Theorem 2 --- */

/* Groups of jobs with a time in common: those that live at the middle one of the critical
 * points, then those before and those after.  POINT[0] and POINT[points - 1] are borders. */
static void split_groups(struct split *split, const uint32_t *job, size_t count,
                         const int64_t *point, size_t points, struct job_list *left)
{
    struct job_list group[3] = {{0}, {0}, {0}}; /* before, at, after */
    size_t middle;

    if (points < 3) {
        lemma1(split, job, count, left);
        return;
    }
    middle = (points - 1) / 2; /* of the points inside, the lower one of two */
    for (size_t i = 0; i < count; i++) {
        const struct box_job *one = job_of(split, job[i]);
        size_t where = one->death <= point[middle] ? 0 : 2;

        job_list_add(&group[lives_at(one, point[middle]) ? 1 : where], job[i]);
    }
    lemma1(split, group[1].job, group[1].count, left);
    if (group[0].count > 0)
        split_groups(split, group[0].job, group[0].count, point, middle, left);
    if (group[2].count > 0)
        split_groups(split, group[2].job, group[2].count, point + middle + 1, points - middle - 1,
                     left);
    for (size_t g = 0; g < 3; g++)
        job_list_clear(&group[g]);
}

/* Times in ascending order, each once.  */
struct times {
    size_t count, room;
    int64_t *at;
};

static void times_add(struct times *times, int64_t at)
{
    times->at = memory_grow(times->at, &times->room, times->count + 1, sizeof *times->at);
    times->at[times->count++] = at;
}

static void times_sort(struct times *times)
{
    size_t kept = 0;

    if (times->count > 0)
        qsort(times->at, times->count, sizeof *times->at, compare64);
    for (size_t i = 0; i < times->count; i++)
        if (kept == 0 || times->at[i] != times->at[kept - 1])
            times->at[kept++] = times->at[i];
    times->count = kept;
}

/* The ends of the gaps of a row between ALPHA and OMEGA; its jobs stand in time.  */
static void add_gaps(const struct split *split, const uint32_t *row, size_t count, int64_t alpha,
                     int64_t omega, struct times *gaps)
{
    int64_t free_from = alpha;

    for (size_t i = 0; i < count; i++) {
        const struct box_job *job = job_of(split, row[i]);

        if (free_from < job->birth) {
            times_add(gaps, free_from);
            times_add(gaps, job->birth);
        }
        free_from = job->death;
    }
    if (free_from < omega)
        times_add(gaps, free_from);
}

/* Colours what Lemma 1 left over, boxes h rows each, and notes the gaps of the rows.  */
static void box_rows(struct split *split, struct job_list *left, int64_t alpha, int64_t omega,
                     struct times *gaps)
{
    size_t count = left->count, rows;
    uint32_t *row = memory_alloc(count, sizeof *row), *sorted = memory_alloc(count, sizeof *sorted);
    size_t *first;

    rows = boxing_rows(split->boxing, left->job, count, row);
    first = memory_zalloc(rows + 2, sizeof *first);
    for (size_t i = 0; i < count; i++)
        first[row[i] + 2]++;
    for (size_t r = 1; r <= rows; r++)
        first[r + 1] += first[r];
    for (size_t i = 0; i < count; i++)
        sorted[first[row[i] + 1]++] = left->job[i]; /* then first[r] is where row r starts */
    for (size_t r = 0; r < rows; r++)
        add_gaps(split, sorted + first[r], first[r + 1] - first[r], alpha, omega, gaps);
    for (size_t r = 0; r < rows; r += split->h) {
        size_t end = rows - r < split->h ? rows : r + split->h;

        put_into_box(split, sorted + first[r], first[end] - first[r]);
    }
    times_sort(gaps);
    free(first);
    free(sorted);
    free(row);
}

/* One of the times just after a birth or just before a death, between ALPHA and OMEGA, each
 * as likely: some job lives then.  idealloc counts in steps, of which two of ours make
 * one; a job of a single step has its middle alone.  */
static int64_t critical_point(const struct split *split, const uint32_t *job, size_t count,
                              int64_t alpha, int64_t omega)
{
    struct order_key *event = memory_alloc(2 * count, sizeof *event);
    size_t events = 0;
    int64_t time;

    for (size_t i = 0; i < count; i++) {
        const struct box_job *one = job_of(split, job[i]);
        int64_t step = one->death - one->birth > 2 ? 2 : 1;

        if (one->birth + step > alpha && one->birth + step < omega)
            event[events++] = (struct order_key){key_ascending(one->birth + step), 0, 0};
        if (one->death - step > alpha && one->death - step < omega)
            event[events++] = (struct order_key){key_ascending(one->death - step), 0, 0};
    }
    order_sort(event, events);
    time = (int64_t)(event[rng_range(split->boxing->rng, 0, (int64_t)events - 1)].major ^
                     (UINT64_C(1) << 63));
    free(event);
    return time;
}

static void theorem2(struct split *split, const uint32_t *job, size_t count, const int64_t *point,
                     size_t points);

/* The jobs of one stretch between two critical points, ALPHA and OMEGA: its own points are
 * the ends of GAPS inside, or a drawn one where no job lives at any of these.  */
static void recurse(struct split *split, const uint32_t *job, size_t count, int64_t alpha,
                    int64_t omega, const struct times *gaps)
{
    struct times points = {0};
    int64_t last_death = INT64_MIN;
    bool ready = false;
    size_t born = 0;

    times_add(&points, alpha);
    for (size_t g = 0; g < gaps->count; g++) {
        if (gaps->at[g] <= alpha || gaps->at[g] >= omega)
            continue;
        for (; born < count && job_of(split, job[born])->birth < gaps->at[g]; born++)
            last_death = max64(last_death, job_of(split, job[born])->death);
        ready = ready || last_death > gaps->at[g];
        times_add(&points, gaps->at[g]);
    }
    if (!ready)
        times_add(&points, critical_point(split, job, count, alpha, omega));
    times_add(&points, omega);
    times_sort(&points);
    theorem2(split, job, count, points.at, points.count);
    free(points.at);
}

/* Jobs that live at a critical point are boxed, or left over and boxed by rows; the others
 * lie between two points and have the gaps of these rows as points.  JOB is sorted by
 * birth, and some job lives at a point.  */
static void theorem2(struct split *split, const uint32_t *job, size_t count, const int64_t *point,
                     size_t points)
{
    struct job_list live = {0}, between = {0}, left = {0};
    size_t *first = memory_zalloc(points, sizeof *first); /* of `between`, by stretch */
    struct times gaps = {0};
    size_t q = 0;

    for (size_t i = 0; i < count; i++) {
        const struct box_job *one = job_of(split, job[i]);

        while (q + 2 < points && one->birth >= point[q + 1])
            first[++q] = between.count;
        if (q + 2 < points && one->death > point[q + 1])
            job_list_add(&live, job[i]);
        else
            job_list_add(&between, job[i]);
    }
    while (q + 1 < points)
        first[++q] = between.count;
    split_groups(split, live.job, live.count, point, points, &left);
    box_rows(split, &left, point[0], point[points - 1], &gaps);
    for (q = 0; q + 1 < points; q++)
        if (first[q + 1] > first[q])
            recurse(split, between.job + first[q], first[q + 1] - first[q], point[q], point[q + 1],
                    &gaps);
    free(gaps.at);
    free(first);
    job_list_clear(&left);
    job_list_clear(&between);
    job_list_clear(&live);
}

void boxing_theorem2(struct boxing *boxing, uint32_t *job, size_t count, size_t h, int64_t height,
                     double epsilon, struct job_list *boxes)
{
    struct split split = {boxing, h, height, epsilon, boxes};
    int64_t point[3] = {INT64_MAX, 0, INT64_MIN};

    assert(count > 0 && h > 0);
    boxing_sort_by_birth(boxing, job, count);
    for (size_t i = 0; i < count; i++) {
        point[0] = min64(point[0], boxing->job[job[i]].birth);
        point[2] = max64(point[2], boxing->job[job[i]].death);
    }
    point[1] = critical_point(&split, job, count, point[0], point[2]);
    theorem2(&split, job, count, point, 3);
}
