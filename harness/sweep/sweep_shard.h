/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of a sweep's tasks, for one of several machines.
 *
 * Nobody hands tasks out: each machine plans the whole sweep and finds out by itself which tasks
 * are its own, so all that they have in common is the command line.  What is dealt is a task, or
 * of an experiment whose tasks run alone (`timing`) all tasks on one workload, as these are
 * compared with each other.  What is alike, a contestant of an experiment on instances that are
 * next to each other in size, stands together, and each COUNT in a row go to all shards, a shard
 * each, in the order of the checksums of their keys.  So no shard has more than one more than
 * another in all, or more than two more of a contestant.
 *
 * A key's checksum leaves out the build: what is rebuilt stays where it was.  */
#ifndef ARENABENCH_HARNESS_SWEEP_SWEEP_SHARD_H
#define ARENABENCH_HARNESS_SWEEP_SWEEP_SHARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct provenance;
struct sweep;

/* The INDEX-th of COUNT, from 1; COUNT 0: there are no shards.  */
struct shard {
    int64_t index, count;
};

/* What may stand behind the slash.  */
#define SHARDS_MOST 1000000

/* Reads "2/8".  False with a message that says what is expected.  */
bool shard_parse(const char *text, struct shard *shard, struct error *error);

/* Marks the tasks that other shards run (`elsewhere`), after sweep_plan and before
 * sweep_look_up.  */
void sweep_shard(struct sweep *sweep, struct shard shard);

/* Adds which shard this is, and the name of the machine.  */
void provenance_add_shard(struct provenance *provenance, const struct sweep *sweep);

/* What all sweeps of one EXPERIMENT of SWEEP have in common: the checksum of the keys of all its
 * tasks, without builds, in their order.  */
uint64_t sweep_tasks_checksum(const struct sweep *sweep, size_t experiment);

#endif
