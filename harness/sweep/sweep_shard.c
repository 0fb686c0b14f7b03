/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/sweep/sweep_shard.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "harness/sweep/provenance.h"
#include "harness/sweep/sweep.h"
#include "lib/base/bisect.h"
#include "lib/base/checked.h"
#include "lib/base/checksum.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"

/* What is dealt: tasks of one shard, by the first of them.  */
struct unit {
    const char *experiment, *contestant; /* "": several, on one workload */
    int64_t n;                           /* buffers of the instance */
    uint64_t checksum;                   /* of its key */
    const char *name;                    /* the key itself, or the workload's label */
    int64_t shard;                       /* from 1 */
};

bool shard_parse(const char *text, struct shard *shard, struct error *error)
{
    const char *slash = strchr(text, '/');
    char *first;
    bool done;

    *shard = (struct shard){0};
    if (slash != NULL) {
        first = memory_printf("%.*s", (int)(slash - text), text);
        done = parse_int(slash + 1, 1, SHARDS_MOST, &shard->count) &&
               parse_int(first, 1, shard->count, &shard->index);
        free(first);
        if (done)
            return true;
    }
    return error_set(error,
                     "shard '%s': expected I/N, the I-th of N shards, with 1 <= I <= N <= %d", text,
                     SHARDS_MOST);
}

/* --- keys --- */

/* Up to the build, which stands last.  */
static size_t key_length(const char *key)
{
    const char *build = strrchr(key, '=');

    assert(build != NULL);
    return (size_t)(build - key);
}

/* FNV's upper bits, which decide on an order, hardly know the last letters, which are those that
 * differ.  */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
}

static uint64_t key_checksum(const char *key)
{
    return mixed(checksum_bytes(CHECKSUM_START, key, key_length(key)));
}

uint64_t sweep_tasks_checksum(const struct sweep *sweep, size_t experiment)
{
    uint64_t checksum = CHECKSUM_START;

    for (size_t p = sweep->first_place[experiment]; p < sweep->first_place[experiment + 1]; p++) {
        const char *key = sweep->task[sweep->place[p].task].key;
        const size_t length = key_length(key);

        checksum = checksum_bytes(checksum_int(checksum, (int64_t)length), key, length);
    }
    return checksum;
}

/* --- units --- */

/* The first by name of the experiments of TASK, in whatever order they were asked for.  It runs
 * alone in all of them or in none, as that is part of its key.  */
static const struct experiment *experiment_of(const struct sweep *sweep,
                                              const struct sweep_task *task)
{
    const struct experiment *best = NULL;

    for (size_t p = task->place; p != SIZE_MAX; p = sweep->place[p].next) {
        const struct experiment *e = sweep->experiment[sweep->place[p].experiment];

        if (best == NULL || strcmp(e->name, best->name) < 0)
            best = e;
    }
    return best;
}

static struct unit unit_of(const struct sweep *sweep, const struct sweep_task *task)
{
    const struct sweep_workload *workload = &sweep->workload[task->workload];
    const struct experiment *experiment = experiment_of(sweep, task);
    struct unit unit = {.experiment = experiment->name, .n = workload->n};

    if (experiment->timing) {
        unit.contestant = "";
        unit.name = workload->label;
        unit.checksum = mixed(checksum_bytes(CHECKSUM_START, unit.name, strlen(unit.name)));
    } else {
        unit.contestant = sweep_task_label(task);
        unit.name = task->key;
        unit.checksum = key_checksum(task->key);
    }
    return unit;
}

/* What is alike next to each other; the same unit twice is equal.  */
static int by_likeness(const void *left, const void *right)
{
    const struct unit *a = left, *b = right;
    const int experiment = strcmp(a->experiment, b->experiment);
    const int contestant = strcmp(a->contestant, b->contestant);

    return experiment             ?: contestant ?: ORDER(a->n, b->n) ?:
           ORDER(a->checksum, b->checksum) ?: strcmp(a->name, b->name);
}

static int by_checksum(const void *left, const void *right)
{
    const struct unit *const *a = left, *const *b = right;

    return ORDER((*a)->checksum, (*b)->checksum) ?: strcmp((*a)->name, (*b)->name);
}

/* Keeps the first of equal units; returns how many are left.  */
static size_t drop_doubles(struct unit *unit, size_t count)
{
    size_t kept = 0;

    for (size_t u = 0; u < count; u++)
        if (kept == 0 || by_likeness(&unit[kept - 1], &unit[u]) != 0)
            unit[kept++] = unit[u];
    return kept;
}

/* Each COUNT in a row to all shards.  */
static void deal(struct unit *unit, size_t units, size_t count)
{
    const struct unit **hand = memory_alloc(count, sizeof *hand);

    for (size_t first = 0; first < units; first += count) {
        const size_t in_hand = units - first < count ? units - first : count;

        for (size_t i = 0; i < in_hand; i++)
            hand[i] = &unit[first + i];
        qsort(hand, in_hand, sizeof *hand, by_checksum);
        for (size_t i = 0; i < in_hand; i++)
            unit[hand[i] - unit].shard = (int64_t)i + 1;
    }
    free(hand);
}

void sweep_shard(struct sweep *sweep, struct shard shard)
{
    struct unit *unit = memory_alloc(sweep->n_tasks, sizeof *unit);
    size_t units;

    for (size_t t = 0; t < sweep->n_tasks; t++)
        unit[t] = unit_of(sweep, &sweep->task[t]);
    qsort(unit, sweep->n_tasks, sizeof *unit, by_likeness);
    units = drop_doubles(unit, sweep->n_tasks);
    deal(unit, units, (size_t)shard.count);
    for (size_t t = 0; t < sweep->n_tasks; t++) {
        const struct unit wanted = unit_of(sweep, &sweep->task[t]);
        const size_t at = BISECT(u, 0, units, by_likeness(&unit[u], &wanted) < 0);

        sweep->task[t].elsewhere = unit[at].shard != shard.index;
    }
    free(unit);
}

void provenance_add_shard(struct provenance *provenance, const struct sweep *sweep)
{
    const struct shard *shard = &sweep->options.shard;
    struct utsname system;

    provenance_add(provenance, "shard", "%" PRId64 "/%" PRId64, shard->index, shard->count);
    if (uname(&system) == 0)
        provenance_add(provenance, "host", "%s", system.nodename);
}
