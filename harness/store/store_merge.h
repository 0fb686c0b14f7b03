/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several results stores, of shards or of other parts of a sweep, as one.
 *
 * Every row keeps the sweep, and through it the build and the machine, that it comes from: what
 * several stores know of the same build, machine or sweep becomes one row.  A task that several
 * have is kept once, as it ended last.  Nothing depends on the order of the folders but numbers of
 * rows.
 *
 * What contradicts is a conflict, and then nothing is made:
 *   definition   an experiment is made of other tasks, or described otherwise
 *   build        a task of an experiment was run by different builds of its contestant
 *   result       a task that no limit cut ended differently, or has another plan; or two rows of
 * one run differ workload     facts or bounds of the same instance differ plan         one is wrong
 * The first three can be settled: what is newest counts, the rest is kept without a place in an
 * experiment, as by a sweep into one folder.  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_MERGE_H
#define ARENABENCH_HARNESS_STORE_STORE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/store/rows.h"
#include "lib/base/error.h"

struct store;

struct merge_request {
    const char *out; /* the folder, new or empty */
    const char *const *dir;
    size_t count; /* of these */
    bool newest;  /* settles conflicts */
    /* Looks at STORE, the new one before it is there, and refuses the plans that are wrong by
     * store_merge_refuse.  False with a message that ends the merge.  NULL: nobody looks.  */
    bool (*judge)(struct store *store, void *context, struct error *error);
    void *context;
};

struct merge {
    int64_t tasks, doubles; /* in the new store; of these, such as several stores have */
    /* A row an experiment: experiment, size, tasks, here, gaps ("3, 7-9": places that no task has,
     * counted from 0), builds, machines, shards ("1/4, 3/4": of the sweeps that ran its tasks).  */
    struct rows experiments;
    int64_t missing;       /* places of all experiments that no task has */
    struct rows conflicts; /* kind, text: of each that stays one; empty after success */
    struct rows unsummed;  /* folder, text: store_unsummed of each */
    bool unwritten;        /* it failed because OUT could not be written */
};

/* Makes the folder OUT with a store of what is in those of the COUNT folders DIR.  OUT is whole or
 * stays as it was: what is not ready is in a folder beside it.  False with a message when a store
 * can't be read, there is a conflict, or OUT can't be written.  The caller clears MERGE, after a
 * failure too.  */
bool store_merge(const struct merge_request *request, struct merge *merge, struct error *error);
void store_merge_clear(struct merge *merge);

/* For JUDGE: the plan of the task with number TASK is wrong.  */
bool store_merge_refuse(struct store *store, const char *task, const char *reason,
                        struct error *error);

#endif
