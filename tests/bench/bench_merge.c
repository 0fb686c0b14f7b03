/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the store costs: shards are recorded as a sweep records them, task by task, of planners on
 * instances of 30 buffers, with or without plans, and then merged.  Says how long a task takes
 * to be recorded, how many bytes it is, how fast shards are merged and the store that comes out is
 * opened, with the goals: under a KiB a
 * task without its plan, a million tasks in a minute.
 *
 *   bench_merge [SHARDS [TASKS [plans]]]      by default 10 shards of 10,000 tasks, without plans
 *
 * It works in a new folder below the current one, which it removes; 100 shards of 10,000 tasks take
 * two GiB there.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/store/store.h"
#include "harness/store/store_merge.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/timer.h"
#include "tests/bench/bench.h"
#include "tests/bench/bench_machine.h"

enum { BUFFERS = 30, SOLVERS = 20, WORKLOADS = 500 };
static const double goal_s = 60, goal_tasks = 1e6, goal_bytes = 1024;

static double cpu_now(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static double file_bytes(const char *dir)
{
    char *path = memory_printf("%s/results.db", dir);
    struct stat status = {0};

    if (stat(path, &status) != 0)
        perror(path);
    free(path);
    return (double)status.st_size;
}

static void fail(const struct error *error)
{
    fprintf(stderr, "bench_merge: %s\n", error->text);
    exit(1);
}

/* As record_task of a sweep, on one of the workloads whose rows are there.  */
static bool put_task(struct store *store, int64_t number, const int64_t *workload,
                     const int64_t *offset, struct error *error)
{
    const int64_t w = number / SOLVERS % WORKLOADS, solver = number % SOLVERS;
    char *contestant = memory_printf("solver-%" PRId64, solver);
    char *key = memory_printf("plan uniform:n=30,seed=%" PRId64 " %016" PRIx64 " solver-%" PRId64
                              " seed=%" PRId64 " time=10 memory=auto work=0"
                              " repetition=1 build=%016" PRIx64,
                              w, (uint64_t)w * UINT64_C(0x9e3779b97f4a7c15), solver,
                              number / SOLVERS / WORKLOADS,
                              (uint64_t)(solver + 1) * UINT64_C(0xbf58476d1ce4e5b9));
    const struct store_event event[] = {{"incumbent", 0.0001, 120.0}, {"bound", 0.0001, 100.0}};
    const struct store_task task = {.key = key,
                                    .kind = "plan",
                                    .workload = workload[w],
                                    .contestant = contestant,
                                    .params = "",
                                    .contestant_checksum = "0123456789abcdef",
                                    .seed = number / SOLVERS / WORKLOADS,
                                    .repetition = 1,
                                    .time_limit_s = 10.0,
                                    .outcome = "feasible",
                                    .reason = "",
                                    .time_s = 0.0001,
                                    .cpu_s = 0.0001,
                                    .verify_s = 0.00001,
                                    .replay_s = 0.00001,
                                    .harness_s = 0.0002,
                                    .rss_bytes = 4000000,
                                    .layout = "arena",
                                    .replay = "bytes",
                                    .peak = 120,
                                    .lower_bound = 100,
                                    .offset = offset,
                                    .n = BUFFERS,
                                    .event = event,
                                    .n_events = 2};
    const struct store_use use = {"bench", "full", number};
    bool done = store_record_task(store, &task, &use, 1, error);

    free(contestant);
    free(key);
    return done;
}

static bool put_workloads(struct store *store, int64_t *id, struct error *error)
{
    bool done = true;

    for (int64_t w = 0; done && w < WORKLOADS; w++) {
        char *label = memory_printf("uniform:n=30,seed=%" PRId64, w);
        const struct store_workload row = {.label = label,
                                           .checksum = (uint64_t)w * UINT64_C(0x9e3779b97f4a7c15),
                                           .kind = "generator",
                                           .name = "uniform",
                                           .params = "n=30",
                                           .n = BUFFERS,
                                           .load = 100,
                                           .total = 1000};

        done = store_put_workload(store, &row, &id[w], error);
        free(label);
    }
    return done;
}

/* The INDEX-th of COUNT shards, from 0, with every COUNT-th task.  */
static void fill(const char *dir, int64_t index, int64_t count, int64_t tasks, bool plans)
{
    static const int64_t zeros[BUFFERS];
    struct error error = {""};
    struct store *store = store_open(dir, true, &error);
    char *shard = memory_printf("%" PRId64 "/%" PRId64, index + 1, count);
    const struct store_pair pair[] = {{"commit", "0"}, {"processor", "P"}, {"shard", shard}};
    const struct store_experiment experiment = {.name = "bench",
                                                .size = "full",
                                                .title = "Bench",
                                                .tasks = count * tasks,
                                                .tasks_checksum = "0123456789abcdef"};
    int64_t id[WORKLOADS];
    bool done = store != NULL && store_put_experiment(store, &experiment, NULL, 0, &error);

    if (done) {
        store_begin_sweep(store, pair, sizeof pair / sizeof pair[0]);
        done = put_workloads(store, id, &error);
    }
    for (int64_t t = 0; done && t < tasks; t++)
        done = put_task(store, t * count + index, id, plans ? zeros : NULL, &error);
    store_close(store);
    free(shard);
    if (!done)
        fail(&error);
}

static void fill_all(const char *const *dir, int64_t shards, int64_t tasks, bool plans)
{
    const double start = timer_now(), cpu = cpu_now(), all = (double)(shards * tasks);
    double bytes = 0.0;

    for (int64_t s = 0; s < shards; s++)
        fill(dir[s], s, shards, tasks, plans);
    for (int64_t s = 0; s < shards; s++)
        bytes += file_bytes(dir[s]);
    printf("recorded: %.0f tasks in %.1f s, %.3f ms a task (%.3f ms of processor time)\n", all,
           timer_now() - start, 1e3 * (timer_now() - start) / all, 1e3 * (cpu_now() - cpu) / all);
    if (plans)
        printf("growth: %.0f bytes a task with a plan of %d buffers\n", bytes / all, BUFFERS);
    else
        bench_goal(bytes / all <= goal_bytes, "growth: %.0f bytes a task without its plan (%g)",
                   bytes / all, goal_bytes);
    fflush(stdout);
}

static void merge_all(const char *const *dir, int64_t shards, int64_t tasks)
{
    const double start = timer_now(), cpu = cpu_now(), all = (double)(shards * tasks);
    struct rusage usage;
    struct merge merge;
    struct error error = {""};
    double taken;

    if (!store_merge(&(struct merge_request){.out = "merged", .dir = dir, .count = (size_t)shards},
                     &merge, &error))
        fail(&error);
    taken = timer_now() - start;
    if (merge.tasks != shards * tasks || merge.missing != 0) {
        fprintf(stderr, "bench_merge: %" PRId64 " tasks, %" PRId64 " missing\n", merge.tasks,
                merge.missing);
        exit(1);
    }
    store_merge_clear(&merge);
    getrusage(RUSAGE_SELF, &usage);
    printf("merged: %" PRId64 " shards of %" PRId64 " tasks in %.1f s (%.1f s of processor time),"
           " %.0f bytes a task, %ld MiB of memory\n",
           shards, tasks, taken, cpu_now() - cpu, file_bytes("merged") / all,
           usage.ru_maxrss / 1024);
    bench_goal(taken * goal_tasks / all <= goal_s, "%.0f tasks a second: a million in %.0f s (%g)",
               all / taken, taken * goal_tasks / all, goal_s);
}

/* Which looks through all of it.  */
static void open_merged(int64_t tasks)
{
    const double start = timer_now(), cpu = cpu_now();
    struct error error = {""};
    struct store *store = store_open("merged", false, &error);

    if (store == NULL)
        fail(&error);
    store_close(store);
    printf("opened: in %.1f s (%.1f s of processor time), %.2f us a task\n", timer_now() - start,
           cpu_now() - cpu, 1e6 * (cpu_now() - cpu) / (double)tasks);
}

static int64_t number_of(int argc, char **argv, int at, int64_t otherwise)
{
    int64_t number = otherwise;

    if (at < argc && !parse_int(argv[at], 1, 1000000, &number)) {
        fprintf(stderr, "bench_merge: '%s': expected a number from 1 to 1000000\n", argv[at]);
        exit(2);
    }
    return number;
}

int main(int argc, char **argv)
{
    const int64_t shards = number_of(argc, argv, 1, 10), tasks = number_of(argc, argv, 2, 10000);
    const bool plans = argc > 3 && strcmp(argv[3], "plans") == 0;
    const char **dir = memory_alloc((size_t)shards, sizeof *dir);
    char base[] = "bench_merge.XXXXXX", *command;
    int status;

    bench_print_machine(argc, argv);
    if (mkdtemp(base) == NULL || chdir(base) != 0) {
        perror(base);
        return 1;
    }
    for (int64_t s = 0; s < shards; s++)
        dir[s] = memory_printf("%" PRId64, s);
    fill_all(dir, shards, tasks, plans);
    merge_all(dir, shards, tasks);
    open_merged(shards * tasks);
    command = memory_printf("cd .. && rm -rf '%s'", base);
    status = system(command);
    free(command);
    return status == 0 ? 0 : 1;
}
