/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shards of sweeps: together they are all tasks, no two have one in common, what is alike is spread
 * evenly, what is timed together stays together, and every machine finds the same.  */
#include <config.h>

#include "harness/sweep/sweep_shard.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sweep/sweep.h"
#include "lib/base/memory.h"
#include "tests/support/tap.h"

static const char plain[] =
    "name = \"plain\"; title = \"P\"; time_limit_s = 10; budget_s = 1; seeds = (1, 2);\n"
    "solvers = (\"naive\", \"greedy-by-size\", \"annealing\");\n"
    "quick: { workloads = (\"uniform:n={4..40}\", \"uniform:n=9,seed={2..6}\"); };\n"
    "full: { workloads = (\"uniform:n=6\"); };\n";
/* Shares workloads with the other one, but no tasks, as these run alone.  */
static const char alone[] =
    "name = \"alone\"; title = \"A\"; time_limit_s = 10; budget_s = 1; timing = true;\n"
    "solvers = (\"naive\", \"greedy-by-size\"); repetitions = 3;\n"
    "quick: { workloads = (\"uniform:n={4..20}\"); };\n"
    "full: { workloads = (\"uniform:n=6\"); };\n";
/* Shares tasks with the first.  */
static const char other[] = "name = \"other\"; title = \"O\"; time_limit_s = 10; budget_s = 1;\n"
                            "solvers = (\"greedy-by-size\", \"path-cover\");\n"
                            "quick: { workloads = (\"uniform:n={30..50}\"); };\n"
                            "full: { workloads = (\"uniform:n=6\"); };\n";
static const char kernels[] =
    "name = \"kernels\"; title = \"K\"; kind = \"conv\"; time_limit_s = 10; budget_s = 1;\n"
    "kernels = (\"mgemm\"); layers = (\"c=16,h={4..12},w=8,k=16,r=3,s=3\");\n"
    "quick: {}; full: {};\n";

static bool plan(struct sweep *sweep, const char *const *text, size_t count)
{
    const struct sweep_options options = {.output = "nowhere", .jobs = 1};
    struct experiment *experiment[4];
    struct error error = {""};
    bool done = true;

    for (size_t e = 0; done && e < count; e++) {
        experiment[e] = experiment_parse("test.cfg", text[e], &error);
        done = experiment[e] != NULL;
    }
    done = done && sweep_plan(sweep, &options, experiment, count, &error);
    return ok(done, "%zu experiments are planned%s%s", count, done ? "" : ": ", error.text);
}

/* The shard of each task, from 1; 0: of none or of several.  The caller frees it.  */
static int64_t *shards_of(struct sweep *sweep, int64_t count)
{
    int64_t *shard = memory_zalloc(sweep->n_tasks, sizeof *shard);
    int *taken = memory_zalloc(sweep->n_tasks, sizeof *taken);

    for (int64_t i = 1; i <= count; i++) {
        sweep_shard(sweep, (struct shard){i, count});
        for (size_t t = 0; t < sweep->n_tasks; t++)
            if (!sweep->task[t].elsewhere) {
                shard[t] = i;
                taken[t]++;
            }
    }
    for (size_t t = 0; t < sweep->n_tasks; t++)
        if (taken[t] != 1)
            shard[t] = 0;
    free(taken);
    return shard;
}

/* --- what holds of all --- */

static void union_is_all(const struct sweep *sweep, const int64_t *shard, int64_t count)
{
    size_t good = 0;

    for (size_t t = 0; t < sweep->n_tasks; t++)
        good += shard[t] != 0;
    is_int((int64_t)good, (int64_t)sweep->n_tasks,
           "of %" PRId64 " shards exactly one has each task", count);
}

/* The largest difference between two shards in the tasks that are wanted.  */
static int64_t difference(const struct sweep *sweep, const int64_t *shard, int64_t count,
                          const char *contestant, int64_t least)
{
    int64_t *tasks = memory_zalloc((size_t)count, sizeof *tasks), low = INT64_MAX, high = 0;

    for (size_t t = 0; t < sweep->n_tasks; t++) {
        const struct sweep_task *task = &sweep->task[t];

        if (sweep->workload[task->workload].n >= least &&
            (contestant == NULL || strcmp(sweep_task_label(task), contestant) == 0))
            tasks[shard[t] - 1]++;
    }
    for (int64_t i = 0; i < count; i++) {
        low = tasks[i] < low ? tasks[i] : low;
        high = tasks[i] > high ? tasks[i] : high;
    }
    free(tasks);
    return high - low;
}

static void spread(const struct sweep *sweep, const int64_t *shard, int64_t count)
{
    static const char *const contestants[] = {"naive", "greedy-by-size", "annealing"};
    int64_t most = 0;

    ok(difference(sweep, shard, count, NULL, 0) <= 1, "%" PRId64 " shards differ by a task at most",
       count);
    for (size_t c = 0; c < 3; c++)
        for (int64_t least = 0; least <= 41; least++) {
            const int64_t d = difference(sweep, shard, count, contestants[c], least);

            most = d > most ? d : most;
        }
    ok(most <= 2, "... and by two of a contestant, from whatever size on (%" PRId64 ")", most);
}

/* That it is not always the same shard that has the smaller ones: of one contestant's tasks, which
 * stand by size, the next is not mostly in the next shard.  */
static void drawn(const struct sweep *sweep, const int64_t *shard, int64_t count)
{
    int64_t in_order = 0, pairs = 0, before = 0;

    for (size_t t = 0; t < sweep->n_tasks; t++) {
        const struct sweep_task *task = &sweep->task[t];

        if (strcmp(sweep_task_label(task), "naive") != 0 || sweep->workload[task->workload].n == 9)
            continue;
        pairs += before != 0;
        in_order += before != 0 && shard[t] == before % count + 1;
        before = shard[t];
    }
    ok(pairs > 30 && in_order < pairs * 3 / 4, "%" PRId64 " of %" PRId64 " follow the one before",
       in_order, pairs);
}

static void one_experiment(void)
{
    const char *const text[] = {plain};
    struct sweep sweep;

    if (!plan(&sweep, text, 1))
        return;
    for (int64_t count = 1; count <= 300; count = count * 3 / 2 + 1) {
        int64_t *shard = shards_of(&sweep, count);

        union_is_all(&sweep, shard, count);
        spread(&sweep, shard, count);
        if (count > 2 && count < 20)
            drawn(&sweep, shard, count);
        free(shard);
    }
    sweep_clear(&sweep);
}

/* --- what is timed --- */

static void timed_together(const struct sweep *sweep, const int64_t *shard, int64_t count)
{
    int64_t *of = memory_zalloc(sweep->n_workloads, sizeof *of);
    size_t apart = 0, used = 0;
    int *taken = memory_zalloc((size_t)count, sizeof *taken);

    for (size_t t = 0; t < sweep->n_tasks; t++) {
        const struct sweep_task *task = &sweep->task[t];

        if (!sweep->experiment[sweep->place[task->place].experiment]->timing)
            continue;
        apart += of[task->workload] != 0 && of[task->workload] != shard[t];
        of[task->workload] = shard[t];
    }
    for (size_t w = 0; w < sweep->n_workloads; w++)
        if (of[w] != 0)
            used += taken[of[w] - 1]++ == 0;
    is_int((int64_t)apart, 0, "what is timed on a workload is in one of %" PRId64 " shards", count);
    ok((int64_t)used == count, "... and each has some (%zu)", used);
    free(taken);
    free(of);
}

/* Shards of the experiments TEXT, from FIRST to LAST of them.  */
static void timing(const char *const *text, size_t texts, int64_t first, int64_t last)
{
    struct sweep sweep;

    if (!plan(&sweep, text, texts))
        return;
    for (int64_t count = first; count <= last; count++) {
        int64_t *shard = shards_of(&sweep, count);

        union_is_all(&sweep, shard, count);
        timed_together(&sweep, shard, count);
        free(shard);
    }
    sweep_clear(&sweep);
}

/* --- every machine finds the same --- */

static const struct sweep_task *find(const struct sweep *sweep, const char *key)
{
    const size_t length = strlen(key);

    for (size_t t = 0; t < sweep->n_tasks; t++)
        if (strncmp(sweep->task[t].key, key, length) == 0)
            return &sweep->task[t];
    return NULL;
}

/* The tasks of LEFT are in the same shards of RIGHT, whose builds are others.  */
static void same(struct sweep *left, struct sweep *right, const char *what)
{
    size_t equal = 0;

    for (int64_t i = 1; i <= 7; i++) {
        sweep_shard(left, (struct shard){i, 7});
        sweep_shard(right, (struct shard){i, 7});
        for (size_t t = 0; t < left->n_tasks; t++) {
            char *key = memory_strdup(left->task[t].key);
            const struct sweep_task *found;

            strrchr(key, '=')[1] = '\0';
            found = find(right, key);
            equal += found != NULL && found->elsewhere == left->task[t].elsewhere;
            free(key);
        }
    }
    is_int((int64_t)equal, (int64_t)(7 * left->n_tasks), "%s: the same shards", what);
    for (size_t l = 0; l < left->n_experiments; l++)
        for (size_t r = 0; r < right->n_experiments; r++)
            ok((sweep_tasks_checksum(left, l) == sweep_tasks_checksum(right, r)) ==
                   (strcmp(left->experiment[l]->name, right->experiment[r]->name) == 0),
               "... experiments %zu and %zu: their checksums are equal where they are one", l, r);
}

static void agree(void)
{
    const char *const text[] = {plain, alone, other}, *const turned[] = {other, alone, plain};
    struct sweep left, right;
    uint64_t checksum;

    if (!plan(&left, text, 3) || !plan(&right, turned, 3))
        return;
    ok(left.n_places > left.n_tasks, "there are tasks of two experiments");
    same(&left, &right, "experiments in another order");
    for (size_t t = 0; t < right.n_tasks; t++) {
        char *build = strrchr(right.task[t].key, '=');
        char *key = memory_printf("%.*s=%s%zu", (int)(build - right.task[t].key), right.task[t].key,
                                  "rebuilt", t % 3);

        free(right.task[t].key);
        right.task[t].key = key;
    }
    same(&left, &right, "after a rebuild");
    ok(find(&right, left.task[0].key) == NULL, "... which makes other keys");
    checksum = sweep_tasks_checksum(&right, 0);
    right.task[0].key[6]++;
    ok(sweep_tasks_checksum(&right, 0) != checksum,
       "with another task, the checksum is another one");
    sweep_clear(&left);
    sweep_clear(&right);
}

/* Who runs what is the same in each version of the program, as machines may have several.  */
static void recorded(void)
{
    static const char *const want[] = {
        "553422315345132122344411",
        "333333222222111111555555444444111111333333222222555555444444222222333333444444555555111111"
        "111111222222"};
    const char *const text[] = {"name = \"fixed\"; title = \"F\"; time_limit_s = 10;\n"
                                "budget_s = 1; solvers = (\"naive\", \"greedy-by-size\");\n"
                                "quick: { workloads = (\"uniform:n={4..15}\"); };\n"
                                "full: { workloads = (\"uniform:n=6\"); };\n",
                                alone};

    for (size_t i = 0; i < 2; i++) {
        char *shards = memory_strdup("");
        struct sweep sweep;
        int64_t *shard;

        if (!plan(&sweep, &text[i], 1))
            return;
        shard = shards_of(&sweep, 5);
        for (size_t t = 0; t < sweep.n_tasks; t++)
            shards = memory_append(shards, "%" PRId64, shard[t]);
        is_text(shards, want[i], "the shards of tasks as they always were");
        free(shards);
        free(shard);
        sweep_clear(&sweep);
    }
}

/* --- words --- */

static void words(void)
{
    static const char *const bad[] = {
        "",    "/",    "1",    "1/",    "/2",        "0/2",
        "3/2", "1/0",  "-1/2", "1/2/3", "1/2 ",      " 1/2",
        "a/b", "1 /2", "1/-2", "+1/2x", "1/1000001", "1/99999999999999999999"};
    struct shard shard;
    struct error error = {""};

    ok(shard_parse("2/8", &shard, &error) && shard.index == 2 && shard.count == 8, "2/8");
    ok(shard_parse("1/1", &shard, &error) && shard.index == 1 && shard.count == 1, "1/1");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ok(!shard_parse(bad[i], &shard, &error) && strstr(error.text, "expected I/N") != NULL,
           "'%s' is refused", bad[i]);
}

int main(void)
{
    words();
    one_experiment();
    timing((const char *const[]){plain, alone}, 2, 1, 5);
    timing((const char *const[]){kernels}, 1, 2, 4);
    agree();
    recorded();
    return tap_done();
}
