/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/regions.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "kernels/pool.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/time_model.h"
#include "runtime/memory.h"
#include "runtime/step.h"

/* Scratch memory of two threads shares no line of the cache.  */
enum { ALIGNMENT = 64 };

/* What a thread of a region has for itself.  */
struct worker {
    unsigned char *scratch;
    const struct step *failed; /* the first in the network's order; NULL: none */
    struct error error;        /* of that one */
};

struct regions {
    const struct network *network;
    const struct run_memory *memory;
    struct pool *pool;
    size_t count;
    size_t *first;            /* of each region and one more: where it begins in STEP */
    const struct step **step; /* each region's longest first */
    int64_t scratch_bytes;    /* of one worker */
    size_t workers;
    struct worker *worker;

    /* Of the region that runs.  */
    size_t end;
    atomic_size_t next; /* step that nobody has taken */
    double *seconds;
};

/* --- making them --- */

/* The operators in the order in which regions take them.  */
static size_t *find_order(const struct network *network, const struct schedule *schedule,
                          const double *time)
{
    struct time_model model = time_model_default;
    double *modelled;
    size_t *order;

    if (time != NULL)
        return schedule_longest_first(schedule, time);
    model.threads = 1;
    modelled = time_model_times(&model, network);
    order = schedule_longest_first(schedule, modelled);
    free(modelled);
    return order;
}

/* Cuts ORDER into regions, without what is idle.  Returns how many steps the widest has.  */
static size_t cut(struct regions *regions, const struct schedule *schedule, const size_t *order,
                  const struct step *const *of_op)
{
    size_t steps = 0, widest = 0;
    int64_t last = -1;

    for (size_t i = 0; i < schedule->n; i++) {
        const struct step *step = of_op[order[i]];

        if (step->kind == STEP_IDLE)
            continue;
        if (schedule->step[order[i]] != last)
            regions->first[regions->count++] = steps;
        last = schedule->step[order[i]];
        regions->step[steps++] = step;
        regions->scratch_bytes = max64(regions->scratch_bytes, step->scratch_bytes);
        if (steps - regions->first[regions->count - 1] > widest)
            widest = steps - regions->first[regions->count - 1];
    }
    regions->first[regions->count] = steps;
    return widest;
}

static void hire(struct regions *regions, size_t widest)
{
    size_t threads = (size_t)pool_threads(regions->pool);

    regions->workers = widest < threads ? widest : threads;
    regions->worker = memory_zalloc(regions->workers, sizeof *regions->worker);
    for (size_t w = 0; w < regions->workers; w++)
        regions->worker[w].scratch = memory_aligned(ALIGNMENT, (size_t)regions->scratch_bytes);
}

struct regions *regions_new(const struct network *network, const struct schedule *schedule,
                            const struct step *step, const double *time,
                            const struct run_memory *memory, struct pool *pool)
{
    struct regions *regions = memory_zalloc(1, sizeof *regions);
    const struct step **of_op = memory_alloc(schedule->n, sizeof(const struct step *));
    size_t *order = find_order(network, schedule, time);

    for (size_t i = 0; i < schedule->n; i++)
        of_op[step[i].op - network->op] = &step[i];
    regions->network = network;
    regions->memory = memory;
    regions->pool = pool;
    regions->first = memory_alloc(schedule->n + 1, sizeof *regions->first);
    regions->step = memory_alloc(schedule->n, sizeof(const struct step *));
    hire(regions, cut(regions, schedule, order, of_op));
    free(order);
    free(of_op);
    return regions;
}

void regions_free(struct regions *regions)
{
    if (regions == NULL)
        return;
    for (size_t w = 0; w < regions->workers; w++)
        free(regions->worker[w].scratch);
    free(regions->worker);
    free(regions->step);
    free(regions->first);
    free(regions);
}

int64_t regions_scratch_bytes(const struct regions *regions)
{
    return regions->scratch_bytes * (int64_t)regions->workers;
}

/* --- running --- */

static void run_step(const struct regions *regions, const struct step *step, struct worker *worker)
{
    struct error error;
    double begin = timer_now();

    if (!step_run(step, worker->scratch, &error) &&
        (worker->failed == NULL || step->op < worker->failed->op)) {
        worker->failed = step;
        worker->error = error;
    }
    if (regions->seconds != NULL)
        regions->seconds[step->op - regions->network->op] += timer_now() - begin;
}

/* One worker's part of a region.  After a failure the others go on, so that what is reported does
 * not depend on who was first.  */
static void work(void *context, int64_t item)
{
    struct regions *regions = context;
    size_t at;

    while ((at = atomic_fetch_add_explicit(&regions->next, 1, memory_order_relaxed)) < regions->end)
        run_step(regions, regions->step[at], &regions->worker[item]);
}

/* The worker whose failure is to be reported, or NULL.  */
static const struct worker *find_failed(const struct regions *regions)
{
    const struct worker *first = NULL;

    for (size_t w = 0; w < regions->workers; w++) {
        const struct worker *worker = &regions->worker[w];

        if (worker->failed != NULL && (first == NULL || worker->failed->op < first->failed->op))
            first = worker;
    }
    return first;
}

static bool run_region(struct regions *regions, size_t region, struct error *error)
{
    size_t begin = regions->first[region], width = regions->first[region + 1] - begin;
    const struct worker *failed;

    regions->end = begin + width;
    atomic_store_explicit(&regions->next, begin, memory_order_relaxed);
    pool_run(regions->pool, (int64_t)(width < regions->workers ? width : regions->workers), work,
             regions);
    failed = find_failed(regions);
    if (failed != NULL) {
        error_set(error, "%s", failed->error.text);
        return error_prefix(error, "operator '%s'", failed->failed->op->name);
    }
    if (run_memory_intact(regions->memory))
        return true;
    if (width == 1)
        return error_set(error, "operator '%s' wrote beside the arena",
                         regions->step[begin]->op->name);
    return error_set(error, "operator '%s', or one of %zu in its step, wrote beside the arena",
                     regions->step[begin]->op->name, width - 1);
}

bool regions_run(struct regions *regions, double *seconds, struct error *error)
{
    regions->seconds = seconds;
    for (size_t w = 0; w < regions->workers; w++)
        regions->worker[w].failed = NULL;
    for (size_t r = 0; r < regions->count; r++)
        if (!run_region(regions, r, error))
            return false;
    return true;
}
