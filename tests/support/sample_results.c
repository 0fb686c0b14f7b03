/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/sample_results.h"

#include <stdlib.h>

#include "harness/store/store.h"
#include "lib/base/memory.h"

/* The load is 100 everywhere.  Two labels have one checksum, so they are one
 * instance, and what is proven of one holds for the other.  */
static const struct {
    const char *label, *kind, *name, *params;
    uint64_t checksum;
    int64_t w;
} workloads[] = {
    {"uniform:seed=1", "generator", "uniform", "seed=1", 1, STORE_NULL},
    {"uniform:seed=2", "generator", "uniform", "seed=2", 2, STORE_NULL},
    {"data:real/c.csv", "file", "c.csv", "", 3, STORE_NULL},
    {"net<b>&\"q\"", "network", "net<b>&\"q\"", "", 2, 2},
    {"net<b>&\"q\":fuse=all", "network", "net<b>&\"q\"", "fuse=all", 4, 2},
    {"random-dag:seed=1", "generator", "random-dag", "seed=1", 5, 2},
};

/* PEAK 0: no plan.  EXPERIMENT NULL: superseded.  */
static const struct {
    const char *experiment;
    size_t workload;
    const char *contestant, *params, *outcome, *layout;
    int64_t peak, bound;
    double time_s;
} tasks[] = {
    /* Easy: greedy-by-size reaches the load.  */
    {"gap", 0, "greedy-by-size", "", "optimal", "arena", 100, 100, 0.001},
    {"gap", 0, "naive", "", "feasible", "arena", 200, 100, 0.003},
    {"gap", 0, "glpk", "", "optimal", "arena", 100, 100, 0.001},
    /* Hard: the optimum 110 is proven by glpk.  */
    {"gap", 1, "greedy-by-size", "", "feasible", "arena", 132, 100, 0.001},
    {"gap", 1, "naive", "", "feasible", "arena", 165, 100, 0.003},
    {"gap", 1, "glpk", "", "optimal", "arena", 110, 110, 2.0},
    /* Open: the bound is 105.  */
    {"gap", 2, "greedy-by-size", "", "feasible", "arena", 126, 100, 0.001},
    {"gap", 2, "naive", "", "crashed", "arena", 0, 100, 0.003},
    {"gap", 2, "glpk", "", "timeout", "arena", 120, 105, 10.0},
    /* None of these may count: refused by the verifier, no arena, superseded.  */
    {"gap", 1, "broken", "", "invalid", "arena", 50, 1000, 0.001},
    {"gap", 1, "shared", "", "feasible", "objects", 104, 100, 0.001},
    {NULL, 2, "naive", "", "optimal", "arena", 107, 107, 0.001},
    /* The same instance as the hard one: 110 is optimal here too.  */
    {"networks", 3, "greedy-by-size", "", "feasible", "arena", 110, 100, 0.001},
    {"networks", 3, "naive", "", "feasible", "arena", 220, 100, 0.003},
    {"networks", 4, "greedy-by-size", "", "optimal", "arena", 100, 100, 0.001},
    {"networks", 4, "naive", "", "feasible", "arena", 300, 100, 0.003},
    {"bound", 3, "path-cover", "", "feasible", "arena", 121, 100, 0.001},
    {"bound", 5, "path-cover", "", "feasible", "arena", 150, 100, 0.001},
    {"formulations", 1, "glpk", "", "optimal", "arena", 110, 110, 2.0},
    {"formulations", 1, "glpk", "model=bigm", "timeout", "arena", 110, 100, 10.0},
};

enum { WORKLOADS = sizeof workloads / sizeof workloads[0], TASKS = sizeof tasks / sizeof tasks[0] };

static bool put_workloads(struct store *store, int64_t *id, struct error *error)
{
    for (size_t i = 0; i < WORKLOADS; i++) {
        const struct store_workload row = {
            .label = workloads[i].label,
            .checksum = workloads[i].checksum,
            .kind = workloads[i].kind,
            .name = workloads[i].name,
            .params = workloads[i].params,
            .n = 7,
            .pairs = 12,
            .load = 100,
            .width = 3,
            .max_size = 50,
            .total = 300,
            .w = workloads[i].w,
            .width_bound = 150,
            .w1_bound = workloads[i].w == STORE_NULL ? STORE_NULL : 150,
            .w2_bound = workloads[i].w == STORE_NULL ? STORE_NULL : 200,
            .applicable = workloads[i].w != STORE_NULL,
            .w1_applicable = workloads[i].w != STORE_NULL,
            .reason = workloads[i].w == STORE_NULL ? "no graph" : NULL,
        };

        if (!store_put_workload(store, &row, &id[i], error))
            return false;
    }
    return true;
}

static bool put_task(struct store *store, size_t i, enum sample sample, const int64_t *workload,
                     struct error *error)
{
    bool skipped = sample == SAMPLE_SKIPPED, plan = !skipped && tasks[i].peak > 0;
    bool wrong = sample == SAMPLE_WRONG && i == 3;
    char *key = memory_printf("task %zu", i);
    const struct store_task row = {
        .key = key,
        .kind = "plan",
        .workload = workload[tasks[i].workload],
        .contestant = tasks[i].contestant,
        .params = tasks[i].params,
        .contestant_checksum = "c",
        .seed = 1,
        .time_limit_s = 10,
        .memory_limit = (int64_t)1 << 30,
        .outcome = skipped ? "skipped" : tasks[i].outcome,
        .reason = skipped ? "no <data> & no \"set\"" : NULL,
        .time_s = skipped ? 0.0 : tasks[i].time_s,
        .layout = plan ? tasks[i].layout : NULL,
        .replay = "none",
        .peak = plan ? tasks[i].peak : STORE_NULL,
        .lower_bound = skipped ? 0
                       : wrong ? 111
                               : tasks[i].bound,
    };
    const struct store_use use = {tasks[i].experiment, "quick", (int64_t)i};
    bool done = store_record_task(store, &row, &use, tasks[i].experiment != NULL, error);

    free(key);
    return done;
}

/* Which sweep records from now on: the usual one, or a second.  */
static void begin_sweep(struct store *store, enum sample sample, bool second)
{
    const struct store_pair pair[] = {
        {"commit", second ? "fedcba9876543210-dirty" : "0123456789abcdef"},
        {"compiler", "cc <1> & \"2\""},
        {"processor", second && sample == SAMPLE_MACHINES ? "P2" : "P1"},
        {"left_out", second ? "a peer (lib<1> was not there)" : "nothing"},
    };

    store_begin_sweep(store, pair, sizeof pair / sizeof pair[0]);
}

bool sample_results(const char *dir, enum sample sample, struct error *error)
{
    const struct store_experiment experiment = {.name = "gap",
                                                .size = "quick",
                                                .title = "Gap",
                                                .figures = "gap",
                                                .budget_s = 60,
                                                .tasks = 11,
                                                .skipped = 2};
    const bool mixed = sample == SAMPLE_BUILDS || sample == SAMPLE_MACHINES;
    struct store *store = store_open(dir, true, error);
    int64_t workload[WORKLOADS];
    bool done;

    if (store == NULL)
        return false;
    begin_sweep(store, sample, false);
    done = store_put_experiment(store, &experiment, NULL, 0, error) &&
           put_workloads(store, workload, error);
    for (size_t i = 0; done && i < TASKS; i++) {
        if (mixed && i == 10)
            begin_sweep(store, sample, true);
        done = put_task(store, i, sample, workload, error);
    }
    store_close(store);
    return done;
}
