/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/sweep/planning.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/facts.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "workloads/workload.h"

/* A name that was seen, and its index.  */
struct seen {
    const char *name;
    size_t index;
};

static int compare_seen(const void *a, const void *b)
{
    return strcmp(((const struct seen *)a)->name, ((const struct seen *)b)->name);
}

/* The entry of NAME, which lives as long as the tree; made with index
 * NEXT when it is new.  */
static struct seen *see(void **tree, const char *name, size_t next)
{
    struct seen *entry = memory_alloc(1, sizeof *entry), **found;

    *entry = (struct seen){name, next};
    found = tsearch(entry, tree, compare_seen);
    if (found == NULL)
        memory_exhausted();
    if (*found != entry)
        free(entry);
    return *found;
}

size_t planning_workload(struct planning *planning, const char *label, bool *new)
{
    struct sweep *sweep = planning->sweep;
    struct seen *entry = see(&planning->workloads, label, sweep->n_workloads);

    *new = entry->index == sweep->n_workloads;
    if (*new) {
        sweep->workload = memory_grow(sweep->workload, &planning->workload_capacity,
                                      sweep->n_workloads + 1, sizeof *sweep->workload);
        sweep->workload[sweep->n_workloads++] = (struct sweep_workload){.label = label};
    }
    return entry->index;
}

bool planning_add_workload(struct planning *planning, const struct workload *workload,
                           size_t *index)
{
    struct sweep_workload *row;
    struct instance *instance;
    bool new;

    *index = planning_workload(planning, workload->label, &new);
    if (!new)
        return true;
    instance = workload_instance(workload, planning->error);
    if (instance == NULL)
        return false;
    row = &planning->sweep->workload[*index];
    *row = (struct sweep_workload){
        .label = workload->label,
        .workload = workload,
        .checksum = instance_checksum(instance),
        .n = (int64_t)instance->n,
        .pairs = instance_overlapping_pairs(instance),
        .load = instance->load,
        .width = instance->width,
        .max_size = instance->max_size,
        .total = instance->total,
    };
    row->facts = facts_of(instance, &row->fact);
    instance_free(instance);
    return true;
}

void planning_clear_task(struct sweep_task *task)
{
    free(task->key);
    free(task->kernel.params);
    free(task->kernel.label);
}

void planning_task(struct planning *planning, struct sweep_task *task, size_t experiment)
{
    struct sweep *sweep = planning->sweep;
    struct seen *entry;
    struct sweep_place *place;

    entry = see(&planning->tasks, task->key, sweep->n_tasks);
    if (entry->index == sweep->n_tasks) {
        task->place = SIZE_MAX;
        sweep->task = memory_grow(sweep->task, &planning->task_capacity, sweep->n_tasks + 1,
                                  sizeof *sweep->task);
        sweep->task[sweep->n_tasks++] = *task;
    } else {
        planning_clear_task(task);
    }
    sweep->place = memory_grow(sweep->place, &planning->place_capacity, sweep->n_places + 1,
                               sizeof *sweep->place);
    place = &sweep->place[sweep->n_places];
    *place = (struct sweep_place){
        .experiment = experiment,
        .seq = (int64_t)(sweep->n_places - sweep->first_place[experiment]),
        .task = entry->index,
        .next = sweep->task[entry->index].place,
    };
    sweep->task[entry->index].place = sweep->n_places++;
}
