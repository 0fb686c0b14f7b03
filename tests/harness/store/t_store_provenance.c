/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which build, machine and sweep a row of the store comes from: each row keeps its
 * own, and what several sweeps have in common is there once.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "harness/store/store_conv.h"
#include "harness/sweep/provenance.h"
#include "tests/support/scratch.h"
#include "tests/support/store_answer.h"
#include "tests/support/tap.h"

static const struct store_pair first[] = {{"commit", "aaaa"},
                                          {"processor", "P"},
                                          {"kernel", "K1"},
                                          {"date", "monday"},
                                          {"peer blas", "1"}};
/* The same build and machine on another day.  */
static const struct store_pair again[] = {{"date", "tuesday"},
                                          {"kernel", "K1"},
                                          {"peer blas", "1"},
                                          {"commit", "aaaa"},
                                          {"processor", "P"}};
static const struct store_pair other_build[] = {
    {"commit", "aaaa-dirty"}, {"processor", "P"}, {"kernel", "K1"}, {"peer blas", "1"}};
static const struct store_pair other_machine[] = {
    {"commit", "aaaa"}, {"processor", "Q"}, {"kernel", "K1"}, {"peer blas", "1"}};

static bool record(struct store *store, const char *key, const struct store_conv *conv)
{
    static const struct store_workload workload = {.label = "w", .kind = "generator", .name = "w"};
    struct store_task task = {
        .key = key,
        .kind = conv == NULL ? "plan" : "conv",
        .contestant = "naive",
        .params = "",
        .contestant_checksum = "c",
        .outcome = "feasible",
        .conv = conv,
    };
    struct error error = {""};
    bool done = store_put_workload(store, &workload, &task.workload, &error) &&
                store_record_task(store, &task, NULL, 0, &error);

    if (!done)
        tap_diag("%s", error.text);
    return done;
}

/* A sweep with the COUNT PAIRs that records the task KEY, or nothing.  */
static void sweep(const char *dir, const struct store_pair *pair, size_t count, const char *key)
{
    struct store *store = opened(dir, true);

    store_begin_sweep(store, pair, count);
    if (key != NULL)
        ok(record(store, key, NULL), "%s is recorded", key);
    store_close(store);
}

static void rows_keep_theirs(void)
{
    struct store *store;

    sweep("rows", first, 5, "one");
    sweep("rows", other_build, 4, NULL);
    sweep("rows", other_build, 4, "two");
    sweep("rows", other_machine, 4, "three");
    sweep("rows", again, 5, "four");
    store = opened("rows", false);
    is_answer(store,
              "SELECT key, c.value, m.value FROM (SELECT k.key, s.build, s.machine FROM task t "
              "JOIN task_key k ON k.task = t.id JOIN sweep s ON s.id = t.sweep) r JOIN provenance "
              "c ON c.kind = 'build' AND c.id = r.build AND c.name = 'commit' JOIN provenance m ON "
              "m.kind = 'machine' AND m.id = r.machine AND m.name = 'processor' ORDER BY key",
              "four|aaaa|P;one|aaaa|P;three|aaaa|Q;two|aaaa-dirty|P;",
              "each row has the commit and the processor that made it");
    is_answer(store,
              "SELECT (SELECT count(*) FROM build), (SELECT count(*) FROM machine), (SELECT "
              "count(*) FROM sweep)",
              "2|2|4;",
              "a build and a machine are there once, a sweep that recorded nothing is not");
    is_answer(store,
              "SELECT kind, id, name, value FROM provenance WHERE id = 1 ORDER BY kind, name",
              "build|1|commit|aaaa;build|1|peer "
              "blas|1;machine|1|kernel|K1;machine|1|processor|P;sweep|1|date|monday;",
              "what is whose");
    store_close(store);
}

/* A transaction that fails takes the sweep's rows with it, and only those that it
 * wrote.  */
static void undone(void)
{
    const struct store_task bad = {.key = "bad", .kind = "plan", .workload = 99, .outcome = "x"};
    struct error error = {""};
    struct store *store = opened("undone", true);

    ok(!store_record_task(store, &bad, NULL, 0, &error) &&
           strstr(error.text, "no sweep has begun") != NULL,
       "a row of no sweep is refused: %s", error.text);
    store_begin_sweep(store, first, 5);
    ok(!store_record_task(store, &bad, NULL, 0, &error), "so is a task of no workload");
    is_answer(store,
              "SELECT (SELECT count(*) FROM sweep), (SELECT count(*) FROM build), (SELECT count(*) "
              "FROM provenance)",
              "0|0|0;", "... and leaves no sweep behind");
    ok(record(store, "one", NULL), "a task is recorded then");
    ok(!store_record_task(store, &bad, NULL, 0, &error), "a bad one again");
    ok(record(store, "two", NULL), "and a good one");
    is_answer(store, "SELECT key, sweep FROM task JOIN task_key ON id = task ORDER BY 1",
              "one|1;two|1;", "of one sweep");
    store_close(store);
}

/* Constants, and a final that a later sweep plays.  */
static void kernels(void)
{
    const struct store_conv conv = {
        .isa = "avx2", .threads = 1, .role = "setting", .choice = {.co = 8}};
    const struct store_constant vector = {"vector", 8}, wider = {"vector", 16};
    const double turn[] = {1.0, 2.0, 3.0};
    const struct store_final final = {1, turn, 3, 2.0, {1.0, 3.0}};
    struct error error = {""};
    struct store *store = opened("kernels", true);

    store_begin_sweep(store, first, 5);
    ok(store_put_constants(store, "avx2", &vector, 1, &error) && record(store, "k", &conv) &&
           store_put_final(store, &final, 1, &error),
       "a kernel's task with its final");
    store_begin_sweep(store, other_machine, 4);
    ok(store_put_constants(store, "avx2", &wider, 1, &error) &&
           store_put_final(store, &final, 1, &error),
       "another machine's constants and final");
    is_answer(store, "SELECT sweep, isa, name, value FROM constant",
              "1|avx2|vector|8;2|avx2|vector|16;", "each machine keeps its constants");
    is_answer(store, "SELECT t.sweep, c.final_sweep FROM task t JOIN conv c ON c.task = t.id",
              "1|2;", "a final says who played it");
    store_close(store);
}

/* What this program says about itself, so that no pair is missing.  */
static void own(void)
{
    char *argv[] = {(char[]){"sweep"}, NULL};
    struct provenance provenance;
    struct error error = {""};
    struct store *store = opened("own", true);

    provenance_collect(&provenance, 1, argv);
    store_begin_sweep(store, provenance.pair, provenance.n);
    ok(store_add_pair(store, "load during x", "1", &error), "a pair more for a sweep without rows");
    is_answer(store, "SELECT count(*) FROM provenance", "0;", "leaves none");
    ok(record(store, "one", NULL), "a task of this program");
    ok(store_add_pair(store, "load during x", "2", &error) &&
           store_add_pair(store, "load during x", "3", &error),
       "twice one more: %s", error.text);
    is_answer(store, "SELECT kind, value FROM provenance WHERE name = 'load during x'", "sweep|3;",
              "is one, the last");
    is_answer(
        store,
        "SELECT kind, group_concat(name, ' ') FROM (SELECT * FROM provenance WHERE name NOT LIKE "
        "'peer %' AND name <> 'load during x' AND name <> 'left_out' ORDER BY kind, name) GROUP BY "
        "kind",
        "build|cflags changes commit compiler configure glpk gsl libc libconfig random_numbers "
        "sqlite version;machine|caches cores instruction_sets kernel memory_bytes microcode "
        "processor;sweep|command_line data date governor load_average memory_limits placement;",
        "its pairs stand where they belong");
    provenance_clear(&provenance);
    store_close(store);
}

int main(void)
{
    scratch_enter();
    rows_keep_theirs();
    undone();
    kernels();
    own();
    scratch_leave();
    return tap_done();
}
