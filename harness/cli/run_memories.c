/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/run_memories.h"

#include <inttypes.h>

#include "harness/cli/commands.h"
#include "harness/io/options.h"
#include "harness/timing/execution.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/exact.h"

/* The least that is found in SECONDS.  */
static int solve(struct split_input *input, double seconds)
{
    const struct split_limits limits = {SPLIT_USUAL_WORK, timer_now() + seconds};
    struct split_cuts cuts = {0};
    char *why;

    split_solve(&input->problem, &limits, &cuts, &input->split);
    if (input->split.cost == SPLIT_NEVER) {
        why = split_why_not(&input->problem, &cuts);
        complain("run: %s has no split over these memories: %s", input->problem.instance->name,
                 why);
        memory_free(why);
    }
    split_cuts_clear(&cuts);
    return input->split.cost == SPLIT_NEVER ? STATUS_FAILED : STATUS_DONE;
}

/* Where nothing is read: the memories, and a split with nothing in it.  */
static bool begin(struct split_input *input, const struct memory_wish *wish,
                  const struct instance *instance)
{
    struct error error;

    *input = (struct split_input){.memories = {0}};
    if (!memory_input("run", wish, instance, &input->memories)) {
        memories_clear(&input->memories);
        return false;
    }
    if (split_problem_init(&input->problem, instance, &input->memories, &error)) {
        split_init(&input->split, &input->problem);
        return true;
    }
    memories_clear(&input->memories);
    return complain("run: %s", error.text);
}

static void find_places(struct run_split *split, const struct instance *instance)
{
    const struct split *found = &split->input.split;

    split->bytes = memory_zalloc(split->input.memories.count, sizeof *split->bytes);
    for (size_t b = 0; b < instance->n; b++) {
        int64_t *bytes = &split->bytes[found->memory[b]];

        *bytes = max64(*bytes, found->offset[b] + instance->buffer[b].size);
    }
    split->places = (struct run_places){split->input.memories.count, split->bytes, found->memory,
                                        found->offset};
}

int run_split_make(struct run_split *split, const struct memory_wish *wish,
                   const struct instance *instance, const char *path, double seconds)
{
    struct error error;
    int status = STATUS_DONE;

    if (path == NULL ? !begin(&split->input, wish, instance)
                     : !split_input("run", wish, instance, path, &split->input))
        return STATUS_USAGE;
    if (path == NULL)
        status = solve(&split->input, seconds);
    if (status == STATUS_DONE && !split_verify(&split->input.problem, &split->input.split, &error))
        status = complain_as(path == NULL ? STATUS_FAILED : STATUS_USAGE, "run: %s: %s",
                             path == NULL ? "the split" : path, error.text);
    if (status == STATUS_DONE)
        find_places(split, instance);
    else
        split_input_clear(&split->input);
    return status;
}

void run_split_clear(struct run_split *split)
{
    memory_free(split->bytes);
    split_input_clear(&split->input);
}

/* Bytes of buffers in memory M by the model, and how many these are.  */
static void modelled(const struct run_split *split, size_t m, int64_t *reads, int64_t *writes,
                     int64_t *buffers)
{
    const struct split_problem *problem = &split->input.problem;

    *reads = *writes = *buffers = 0;
    for (size_t b = 0; b < problem->instance->n; b++)
        if (split->input.split.memory[b] == m) {
            *reads += problem->traffic.reads[b];
            *writes += problem->traffic.writes[b];
            ++*buffers;
        }
}

struct table *run_split_table(const struct run_split *split, const struct execution *execution)
{
    struct table *table =
        table_named("memory capacity:bytes buffers: peak:bytes read:bytes written:bytes "
                    "modelled_read:bytes modelled_written:bytes");

    for (size_t m = 0; m < split->input.memories.count; m++) {
        const struct memory *memory = &split->input.memories.memory[m];
        int64_t reads, writes, buffers;

        modelled(split, m, &reads, &writes, &buffers);
        table_texts(table, memory->name);
        table_ints(table, memory->capacity == INT64_MAX ? TABLE_NONE : memory->capacity, buffers,
                   split->bytes[m], execution->traffic.reads[m], execution->traffic.writes[m],
                   reads, writes);
    }
    return table;
}

bool run_split_agrees(const struct run_split *split, const struct execution *execution)
{
    for (size_t m = 0; m < split->input.memories.count; m++) {
        int64_t reads, writes, buffers;

        modelled(split, m, &reads, &writes, &buffers);
        if (execution->traffic.reads[m] != reads || execution->traffic.writes[m] != writes)
            return complain("run: memory '%s': %" PRId64 " bytes were read and %" PRId64
                            " written, and the model says %" PRId64 " and %" PRId64,
                            split->input.memories.memory[m].name, execution->traffic.reads[m],
                            execution->traffic.writes[m], reads, writes);
    }
    return true;
}
