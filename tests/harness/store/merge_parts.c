/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/harness/store/merge_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/facts.h"
#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "harness/store/store_conv.h"
#include "harness/store/store_execution.h"
#include "harness/store/store_merge.h"
#include "harness/store/store_checksum.h"
#include "lib/base/memory.h"
#include "tests/support/tap.h"

struct part part_usual(int sweep)
{
    return (struct part){.sweep = sweep, .definition = "0123456789abcdef", .w = 5, .fact = 2.0};
}

struct part part_with_all(int sweep)
{
    struct part part = part_usual(sweep);

    memset(part.has, true, sizeof part.has);
    return part;
}

/* --- a store --- */

static bool put_workload(struct store *store, const struct part *part, int which, int64_t *id,
                         struct error *error)
{
    char *label = memory_printf("w%d", which);
    char *killed = memory_printf("killed on day %d", part->sweep);
    const bool known = !part->bounds_unknown;
    const struct store_workload row = {.label = label,
                                       .checksum = (uint64_t)which,
                                       .kind = which == 2 ? "layer" : "network",
                                       .name = label,
                                       .params = "p",
                                       .n = 3,
                                       .load = 7,
                                       .w = known ? part->w : STORE_NULL,
                                       .width_bound = known ? 11 : STORE_NULL,
                                       .w1_bound = STORE_NULL,
                                       .w2_bound = STORE_NULL,
                                       .applicable = known,
                                       .reason = known ? "" : killed};
    const struct fact fact = {"macs", part->fact};
    bool done =
        store_put_workload(store, &row, id, error) && store_put_facts(store, *id, &fact, 1, error);

    free(killed);
    free(label);
    return done;
}

/* A third each are plans, kernels and runs.  */
static bool put_task(struct store *store, const struct part *part, int t, bool first,
                     struct error *error)
{
    static const int64_t offset[] = {0, 4, 8};
    static const double turn[] = {1.0, 1.5, 2.0};
    const struct store_conv conv = {.isa = "avx2",
                                    .threads = 1,
                                    .role = "setting",
                                    .rounds = 3,
                                    .turn_s = {turn, 3},
                                    .turn_at_s = {turn, 3},
                                    .low_s = 1.0,
                                    .high_s = 2.0};
    struct store_execution execution = store_execution_missing;
    const struct store_event event[] = {{"incumbent", 0.5, 12.0}, {"bound", 0.75, t}};
    const struct store_statistic statistic = {"nodes", 100 + t};
    char *key = memory_printf("plan w%d task %d build=%s", t % 3, t,
                              part->build == NULL ? "b" : part->build);
    const int64_t peak = 12 + (first ? part->more : 0);
    const char *outcome = first && part->outcome != NULL ? part->outcome : "feasible";
    struct store_task row = {.key = key,
                             .kind = t % 3 == 0   ? "plan"
                                     : t % 3 == 1 ? "run"
                                                  : "conv",
                             .contestant = "naive",
                             .params = "",
                             .contestant_checksum = "c",
                             .outcome = outcome,
                             .time_s = part->sweep,
                             .peak = peak,
                             .lower_bound = strcmp(outcome, "optimal") == 0 ? peak : 7,
                             .layout = "arena",
                             .replay = "bytes",
                             .offset = offset,
                             .n = 3,
                             .event = event,
                             .n_events = 2,
                             .statistic = &statistic,
                             .n_statistics = 1};
    const struct store_use use = {"e", "quick", t};
    bool done;

    execution.kernels = "mgemm";
    execution.threads = 1;
    execution.arena_bytes = peak;
    execution.rounds = 3;
    execution.round_s = (struct store_doubles){turn, 3};
    row.conv = t % 3 == 2 ? &conv : NULL;
    row.execution = t % 3 == 1 ? &execution : NULL;
    done = put_workload(store, part, t % 3, &row.workload, error) &&
           store_record_task(store, &row, &use, 1, error);
    free(key);
    return done;
}

/* Of the kernel that is task 2.  */
static bool put_final(struct store *store, const struct part *part, struct error *error)
{
    const double turn[] = {1.0, 2.0};
    char *key = memory_printf("plan w2 task 2 build=%s", part->build == NULL ? "b" : part->build);
    char outcome[32];
    struct store_final final = {0, turn, 2, 1.5, {1.0, 2.0}};
    bool done = store_find_task(store, key, &final.task, outcome, error) &&
                store_put_final(store, &final, 1, error);

    free(key);
    return done;
}

/* Not now, but on the sweep's day.  */
static bool date_tasks(struct store *store, const char *day, struct error *error)
{
    return rows_query(NULL, store,
                      "UPDATE task SET finished = ?1 WHERE sweep = (SELECT max(id) FROM sweep)",
                      &day, 1, error) &&
           sum_anew(store, TABLE_TASK, "", NULL, 0, error);
}

static bool put_part(struct store *store, const struct part *part, struct error *error)
{
    char *date = memory_printf("2026-01-%02dT00:00:00Z", part->sweep);
    char *machine = memory_printf("P%d", part->sweep % 2);
    char *shard = memory_printf("%d/9", part->sweep / 4 + 1); /* some again */
    const struct store_pair pair[] = {
        {"commit", "abc"}, {"processor", machine}, {"date", date}, {"shard", shard}};
    const struct store_constant constant = {"vector", part->sweep};
    int64_t layer;
    bool done, first = true;

    store_begin_sweep(store, pair, 4);
    done = store_put_constants(store, "avx2", &constant, 1, error) &&
           put_workload(store, part, 2, &layer, error);
    for (int t = 0; done && t < TASKS; t++)
        if (part->has[t]) {
            done = put_task(store, part, t, first, error);
            first = false;
        }
    done = done && (!part->has[2] || put_final(store, part, error)) &&
           store_put_layer_uses(store, "e", "quick", &(struct store_layer_use){layer, "net", 4}, 1,
                                error) &&
           store_add_used(store, &(struct store_used){"e", "quick", part->sweep * 0.1}, error) &&
           date_tasks(store, date, error);
    free(date);
    free(machine);
    free(shard);
    return done;
}

/* The store DIR of what the COUNT PARTS record, one after the other.  */
void parts_fill(const char *dir, const struct part *part, int count)
{
    struct error error = {""};
    struct store *store = store_open(dir, true, &error);
    const struct store_experiment experiment = {.name = "e",
                                                .size = "quick",
                                                .title = "E",
                                                .budget_s = 1.0,
                                                .tasks = TASKS,
                                                .tasks_checksum = part->definition};
    bool done = store != NULL && store_put_experiment(store, &experiment, NULL, 0, &error);

    for (int i = 0; done && i < count; i++)
        done = put_part(store, &part[i], &error);
    store_close(store);
    if (!done)
        ok(false, "%s is filled: %s", dir, error.text);
}

void parts_drop(const char *dir)
{
    char *command = memory_printf("rm -rf '%s'", dir);

    ok(system(command) == 0, "%s is gone", dir);
    free(command);
}

void parts_drop_all(void)
{
    ok(system("rm -rf ./*") == 0, "all are gone");
}

int64_t parts_entries(void)
{
    FILE *list = popen("ls -A | wc -l", "r");
    int64_t count = -1;

    if (list != NULL && fscanf(list, "%" SCNd64, &count) != 1)
        count = -1;
    if (list != NULL)
        pclose(list);
    return count;
}

bool parts_merge(const char *out, const char *const *dir, size_t count, bool newest,
                 struct merge *merge, struct error *error)
{
    return store_merge(
        &(struct merge_request){.out = out, .dir = dir, .count = count, .newest = newest}, merge,
        error);
}

bool parts_merge_once(const char *out, const char *const *dir, size_t count, bool newest,
                      struct merge *merge, struct error *error)
{
    bool done;

    error->text[0] = '\0';
    done = parts_merge(out, dir, count, newest, merge, error);
    store_merge_clear(merge);
    return done;
}

struct merge parts_merged(const char *const *dir, size_t count, const char *what)
{
    struct merge merge;
    struct error error;

    ok(parts_merge_once("out", dir, count, false, &merge, &error), "%s: %s", what, error.text);
    return merge;
}
