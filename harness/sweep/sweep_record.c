/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep brings into the store, and when that is on the disk.  */
#include <config.h>

#include <stdlib.h>

#include "harness/run/load.h"
#include "harness/store/store.h"
#include "harness/sweep/sweep.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"

struct sweep_clock sweep_clock_start(const struct sweep *sweep, size_t experiment)
{
    const double now = timer_now();

    return (struct sweep_clock){sweep->experiment[experiment]->name,
                                experiment_size_name(sweep->options.size), now, now};
}

struct store_used sweep_clock_take(struct sweep_clock *clock)
{
    const double now = timer_now(), passed = now - clock->used;

    clock->used = now;
    return (struct store_used){clock->experiment, clock->size, passed};
}

bool sweep_settle(struct sweep *sweep, struct sweep_clock *clock, bool now, struct error *error)
{
    struct store_used used;

    if (!now && (timer_now() - clock->settled < 1.0 || store_is_settled(sweep->store)))
        return true;
    used = sweep_clock_take(clock);
    clock->settled = clock->used;
    return store_add_used(sweep->store, &used, error) && store_settle(sweep->store, error);
}

/* The places of a task; the caller frees them.  */
static struct store_use *collect_uses(const struct sweep *sweep, const struct sweep_task *task,
                                      size_t *count)
{
    struct store_use *use = NULL;
    size_t capacity = 0;

    *count = 0;
    for (size_t p = task->place; p != SIZE_MAX; p = sweep->place[p].next) {
        use = memory_grow(use, &capacity, *count + 1, sizeof *use);
        use[(*count)++] = (struct store_use){
            .experiment = sweep->experiment[sweep->place[p].experiment]->name,
            .size = experiment_size_name(sweep->options.size),
            .seq = sweep->place[p].seq,
        };
    }
    return use;
}

bool sweep_record(struct sweep *sweep, struct sweep_task *task, struct store_task *row,
                  struct sweep_clock *clock, struct error *error)
{
    size_t uses;
    struct store_use *use = collect_uses(sweep, task, &uses);
    char outcome[32];
    bool done;

    row->key = task->key;
    row->workload = sweep->workload[task->workload].row;
    row->seed = task->seed;
    row->repetition = task->repetition;
    row->time_limit_s = task->limits.time_s;
    row->used = sweep_clock_take(clock);
    done = store_record_task(sweep->store, row, use, uses, error) &&
           store_find_task(sweep->store, task->key, &task->done, outcome, error);
    free(use);
    return done;
}

bool sweep_run_noted(struct sweep *sweep, size_t experiment, int *signal, struct error *error)
{
    struct load before, after;
    char *name, *text;
    bool done;

    load_read(&before);
    done = sweep_run(sweep, experiment, signal, error);
    load_read(&after);
    if (!done)
        return false;
    name = memory_printf("load during %s", sweep->experiment[experiment]->name);
    text = load_text(&before, &after);
    done = store_add_pair(sweep->store, name, text, error);
    free(text);
    free(name);
    return done;
}
