/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps from the inside: what a changed contestant, a worker's death, a wrong
 * solver and a violated bound do.  */
#include <config.h>

#include "harness/sweep/sweep.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/store/store.h"
#include "harness/sweep/sweep_shard.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "lib/problem/search_statistics.h"
#include "tests/support/fake_solver.h"
#include "tests/support/scratch.h"
#include "tests/support/store_answer.h"
#include "tests/support/sweep_case.h"
#include "tests/support/tap.h"

static const char text[] = "name = \"tiny\"; title = \"Tiny\"; time_limit_s = 10; budget_s = 1;\n"
                           "solvers = (\"naive\", \"greedy-by-size\");\n"
                           "quick: { workloads = (\"uniform:n=6,seed={1..4}\"); };\n"
                           "full: { workloads = (\"uniform:n=6,seed={1..4}\"); };\n";

/* One buffer on top of the other, high up: far above every bound of the few
 * buffers here.  */
FAKE_SOLVE(stack)
{
    plan->peak = 10 * instance->total;
    for (size_t b = 0; b < instance->n; b++) {
        plan->offset[b] = plan->peak;
        plan->peak += instance->buffer[b].size;
    }
    return OUTCOME_FEASIBLE;
}

/* Everything at the bottom.  */
FAKE_SOLVE(overlap)
{
    plan->peak = instance->max_size;
    return OUTCOME_FEASIBLE;
}

/* Takes its worker with it.  */
FAKE_SOLVE(murder)
{
    kill(getppid(), SIGKILL);
    pause();
    return OUTCOME_FEASIBLE;
}

/* Like stack, once the files that each let it kill a worker are gone.  */
FAKE_SOLVE(murder_twice)
{
    if (unlink("first") == 0 || unlink("second") == 0)
        return murder(instance, env, plan);
    return stack(instance, env, plan);
}

/* Stacks, and pretends to have searched.  */
FAKE_SOLVE(count)
{
    search_statistics_add(env->statistics, STATISTIC_CONFLICTS, 17);
    search_statistics_add(env->statistics, STATISTIC_DIVES, 4);
    return stack(instance, env, plan);
}

/* The bounds look at the name: the first pretends to be path-cover.  */
static const struct solver test_solver[] = {
    {.name = "path-cover", .title = "t", .source = "t", .solve = stack},
    {.name = "overlap", .title = "t", .source = "t", .solve = overlap},
    {.name = "murder", .title = "t", .source = "t", .solve = murder},
    {.name = "count", .title = "t", .source = "t", .solve = count},
    {.name = "murder-twice", .title = "t", .source = "t", .solve = murder_twice},
};
static const struct solver_entry test_entry[] = {
    {&test_solver[0], "1"}, {&test_solver[1], "1"}, {&test_solver[2], "1"},
    {&test_solver[3], "1"}, {&test_solver[4], "1"},
};

/* What one sweep did.  */
struct tally {
    bool done;
    size_t tasks, done_before, changed, violations;
    int64_t count[OUTCOME_SKIPPED + 1];
};

/* TEXT, with its second solver replaced by ENTRY unless NULL.  */
static struct experiment *make_experiment(const struct solver_entry *entry)
{
    struct experiment *experiment = sweep_case_read(text);
    struct contestant *second;

    if (experiment == NULL || entry == NULL)
        return experiment;
    second = &experiment->set[EXPERIMENT_QUICK].solvers.item[1];
    second->entry = entry;
    free(second->label);
    free(second->spec);
    free(second->name);
    second->label = memory_strdup(entry->solver->name);
    second->spec = memory_strdup(entry->solver->name);
    second->name = memory_strdup(entry->solver->name);
    return experiment;
}

/* Sweeps that into DIR.  */
static struct tally sweep_with(const char *dir, const struct solver_entry *entry)
{
    struct error error = {""};
    struct tally tally = {0};
    struct sweep sweep;
    int caught;

    if (sweep_case_begin(&sweep, make_experiment(entry), dir, "A", false)) {
        tally.tasks = sweep.n_tasks;
        tally.done_before = sweep.done_before[0];
        for (size_t t = 0; t < sweep.n_tasks; t++)
            tally.changed += sweep.task[t].changed;
        tally.done =
            sweep_register(&sweep, &error) && sweep_run_noted(&sweep, 0, &caught, &error) &&
            sweep_write_csv(&sweep, 0, &error) && sweep_count(&sweep, 0, tally.count, &error) &&
            sweep_violations(&sweep, 0, &tally.violations, &error);
    }
    if (!tally.done)
        tap_diag("%s", error.text);
    sweep_case_end(&sweep);
    return tally;
}

static size_t csv_lines(const char *dir)
{
    char *path = memory_printf("%s/tiny.csv", dir), *csv = NULL;
    size_t length, lines = 0;

    if (file_read(path, 1 << 20, &csv, &length, NULL))
        for (size_t i = 0; i < length; i++)
            lines += csv[i] == '\n';
    free(csv);
    free(path);
    return lines;
}

static void changes(void)
{
    struct solver_entry changed = *solver_find("greedy-by-size");
    struct tally tally = sweep_with("changes", NULL);

    ok(tally.done && tally.tasks == 8 && tally.done_before == 0, "a fresh sweep runs all tasks");
    is_int((int64_t)csv_lines("changes"), 9, "its CSV has a header and a row each");
    tally = sweep_with("changes", NULL);
    ok(tally.done && tally.done_before == 8 && tally.changed == 0, "a second one finds them done");
    changed.checksum = "another";
    tally = sweep_with("changes", &changed);
    ok(tally.done && tally.done_before == 4 && tally.changed == 4,
       "another build of a solver: its tasks, and only its, run again");
    is_int((int64_t)csv_lines("changes"), 9, "superseded results leave the CSV");
    tally = sweep_with("changes", &changed);
    ok(tally.done && tally.done_before == 8, "and then they are done");
    tally = sweep_with("changes", NULL);
    ok(tally.done && tally.done_before == 8, "the first build's results are still there");
}

static void violations(void)
{
    struct tally tally = sweep_with("violations", &test_entry[1]);

    ok(tally.done, "a sweep with a wrong solver ends");
    is_int(tally.count[OUTCOME_INVALID], 4, "its plans are invalid");
    is_int((int64_t)tally.violations, 4, "and named");
    tally = sweep_with("violations", &test_entry[1]);
    is_int((int64_t)tally.violations, 4, "each time");
    tally = sweep_with("violations", NULL);
    is_int((int64_t)tally.violations, 0, "a sweep without it has none");
    tally = sweep_with("violations", &test_entry[0]);
    ok(tally.done && tally.count[OUTCOME_INVALID] == 0, "stacked plans are valid");
    is_int((int64_t)tally.violations, 4, "but above the bound of whom they pretend to be from");
}

static void deaths(void)
{
    struct tally tally = sweep_with("deaths", &test_entry[2]);

    ok(tally.done, "a sweep survives the death of its workers");
    is_int(tally.count[OUTCOME_CRASHED], 4, "their tasks are crashed");
    is_int((int64_t)csv_lines("deaths"), 9, "all tasks are recorded");
    is_stored("deaths", "SELECT count(*), count(width_bound) FROM workload", "4|4;",
              "with the bounds of their workloads");
    is_stored("deaths", "SELECT DISTINCT reason FROM task WHERE outcome = 'crashed'",
              "the process that ran the task was killed by signal 9 (Killed), 3 times;",
              "and how often they were tried");
    tally = sweep_with("deaths", &test_entry[2]);
    is_int((int64_t)tally.done_before, 8, "none runs again");
}

static bool permit(const char *death)
{
    int fd = open(death, O_WRONLY | O_CREAT, 0666);

    return fd >= 0 && close(fd) == 0;
}

/* Twice is less often than a task is tried.  */
static void saved(void)
{
    struct tally tally;

    ok(permit("first") && permit("second"), "two deaths are permitted");
    tally = sweep_with("saved", &test_entry[4]);
    ok(tally.done && access("second", F_OK) != 0, "a sweep that loses two workers");
    is_int(tally.count[OUTCOME_FEASIBLE] + tally.count[OUTCOME_OPTIMAL], 8,
           "tries again: all tasks end well");
}

static void statistics(void)
{
    struct tally tally = sweep_with("statistics", &test_entry[3]);

    ok(tally.done, "a sweep with a solver that counts");
    is_stored("statistics",
              "SELECT t.contestant, s.name, s.value, count(*) FROM statistic s "
              "JOIN task t ON t.id = s.task GROUP BY 1, 2, 3",
              "count|conflicts|17|4;count|dives|4|4;",
              "what it counted is kept for each of its tasks");
    is_stored("statistics",
              "SELECT name, value LIKE '%switches a second of own work' FROM provenance"
              " WHERE name LIKE 'load%'",
              "load during tiny|1;", "and how loaded the machine was");
}

/* --- what failed, again --- */

/* Of the tasks in DIR, how many --retry-failed runs again; of two shards it is the first.  */
static int64_t retried(const char *dir, size_t *of_others)
{
    struct sweep sweep;
    int64_t count = -1;

    *of_others = 0;
    if (sweep_case_begin(&sweep, make_experiment(NULL), dir, "A", true)) {
        struct error error = {""};

        sweep_shard(&sweep, (struct shard){1, 2});
        count = sweep_look_up(&sweep, sweep.store, &error) ? 0 : -1;
        for (size_t t = 0; t < sweep.n_tasks; t++) {
            count += sweep_task_waits(&sweep.task[t]);
            *of_others += sweep.task[t].done == 0;
        }
        *of_others -= (size_t)count;
    }
    sweep_case_end(&sweep);
    return count;
}

/* A planner that found no plan in its time would not find one in the same time again.  */
static void retries(void)
{
    static const struct {
        const char *outcome;
        int64_t retried;
    } rows[] = {{"feasible", 0}, {"timeout", 0}, {"skipped", 0},
                {"crashed", 4},  {"memout", 4},  {"invalid", 4}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *sql =
            memory_printf("UPDATE task SET row_checksum = NULL, outcome = '%s'", rows[i].outcome);
        size_t of_others;

        is_stored("changes", sql, "", rows[i].outcome);
        is_int(retried("changes", &of_others), rows[i].retried,
               "what is %s of a shard's four tasks", rows[i].outcome);
        is_int((int64_t)of_others, 0, "... and of another shard's none");
        free(sql);
    }
}

/* --- onto the disk --- */

/* Once a second what was recorded goes to the disk, with the time used.  */
static void settles(void)
{
    struct error error = {""};
    struct sweep sweep = {.store = store_open("changes", true, &error)};
    struct sweep_clock clock = {"tiny", "quick", timer_now() - 1000.0, timer_now() + 1000.0};
    const struct store_used used = {"tiny", "quick", 0.0};
    const double before = clock.used;

    ok(store_add_used(sweep.store, &used, &error) && sweep_settle(&sweep, &clock, false, &error) &&
           !store_is_settled(sweep.store) && clock.used == before,
       "before a second is over nothing is brought to the disk");
    clock.settled = timer_now() - 1.5;
    ok(sweep_settle(&sweep, &clock, false, &error) && store_is_settled(sweep.store), "then it is");
    ok(clock.used > before && clock.settled == clock.used, "... and the next second begins");
    is_answer(sweep.store, "SELECT used_s >= 1000 AND used_s < 2000 FROM experiment", "1;",
              "with the time used, once");
    clock.used = clock.settled = before;
    ok(sweep_settle(&sweep, &clock, false, &error) && clock.used == before,
       "where nothing is new nothing is written");
    clock.settled = timer_now() + 1000.0;
    ok(store_add_used(sweep.store, &used, &error) && sweep_settle(&sweep, &clock, true, &error) &&
           store_is_settled(sweep.store),
       "in the end whenever that is");
    store_close(sweep.store);
}

int main(void)
{
    scratch_enter();
    changes();
    settles();
    retries();
    violations();
    deaths();
    saved();
    statistics();
    scratch_leave();
    return tap_done();
}
