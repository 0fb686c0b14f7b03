/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any damage to a results store: bytes of a small one are changed, or values in its tables by
 * somebody who leaves their rows without checksums.  It is refused with a message, or opens, and
 * then all that is asked of it ends with an answer or a message; and what rescue saves opens.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/stored_plan.h"
#include "harness/report/report.h"
#include "harness/report/runs.h"
#include "harness/store/store.h"
#include "harness/store/store_conv.h"
#include "harness/store/store_execution.h"
#include "harness/store/store_rescue.h"
#include "harness/store/store_table.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "workloads/workload.h"

struct bytes {
    const uint8_t *data;
    size_t size;
};

static uint8_t next(struct bytes *from)
{
    if (from->size == 0)
        return 0;
    from->size--;
    return *from->data++;
}

static uint64_t next_word(struct bytes *from, int bytes)
{
    uint64_t word = 0;

    for (int i = 0; i < bytes; i++)
        word |= (uint64_t)next(from) << 8 * i;
    return word;
}

/* --- the store, before anything happens to it --- */

#define LABEL "uniform:n=3"

static uint64_t checksum(void)
{
    struct workload workload;
    struct instance *instance = NULL;
    uint64_t sum;

    if (!workload_parse(&workload, LABEL, NULL) ||
        (instance = workload_instance(&workload, NULL)) == NULL)
        abort();
    sum = instance_checksum(instance);
    instance_free(instance);
    workload_clear(&workload);
    return sum;
}

/* A task of each kind.  */
static void put_task(struct store *store, const char *kind, int64_t workload)
{
    static const struct store_event event[] = {{"bound", 0.0, 96.0}, {"incumbent", 0.25, 192.0}};
    static const struct store_statistic statistic = {"conflicts", 7};
    static const int64_t offset[] = {0, 1048576, 2097152};
    struct store_execution execution = store_execution_missing;
    const struct store_conv conv = {.isa = "avx2",
                                    .threads = 1,
                                    .role = "chosen",
                                    .run_params = "",
                                    .rounds = 3,
                                    .choice.wf = "keep"};
    const bool plan = strcmp(kind, "plan") == 0, is_conv = strcmp(kind, "conv") == 0;
    const struct store_use use = {kind, "quick", 1};
    const struct store_task task = {
        .key = kind,
        .kind = kind,
        .workload = workload,
        .contestant = is_conv ? "mgemm" : "naive",
        .params = "",
        .contestant_checksum = "1",
        .seed = 1,
        .outcome = plan ? "feasible" : "measured",
        .reason = "",
        .time_s = 0.5,
        .layout = plan ? "arena" : NULL,
        .replay = plan ? "none" : NULL,
        .peak = 4194304,
        .lower_bound = 1024,
        .objects = 1,
        .offset = plan ? offset : NULL,
        .n = plan ? 3 : 0,
        .conv = is_conv ? &conv : NULL,
        .execution = plan || is_conv ? NULL : &execution,
        .event = event,
        .n_events = 2,
        .statistic = &statistic,
        .n_statistics = 1,
    };

    execution.threads = 1;
    execution.rounds = 0;
    if (!store_record_task(store, &task, &use, 1, NULL))
        abort();
}

static void make_store(const char *dir)
{
    static const struct store_pair pair[] = {
        {"commit", "abc"}, {"processor", "A"}, {"date", "today"}};
    static const char *const kinds[] = {"plan", "conv", "run"};
    const struct fact fact = {"operators", 12};
    const struct store_constant constant = {"load_s", 1e-9};
    const struct store_workload workload = {
        .label = LABEL, .checksum = checksum(), .kind = "generator", .name = "uniform", .n = 3};
    struct store *store = store_open(dir, true, NULL);
    int64_t id;

    if (store == NULL)
        abort();
    for (size_t k = 0; k < 3; k++) {
        const struct store_experiment experiment = {.name = kinds[k],
                                                    .size = "quick",
                                                    .title = "Fuzz",
                                                    .figures = "gap performance",
                                                    .tasks = 1};

        if (!store_put_experiment(store, &experiment, NULL, 0, NULL))
            abort();
    }
    store_begin_sweep(store, pair, 3);
    if (!store_put_workload(store, &workload, &id, NULL) ||
        !store_put_facts(store, id, &fact, 1, NULL))
        abort();
    for (size_t k = 0; k < 3; k++)
        put_task(store, kinds[k], id);
    if (!store_put_constants(store, "avx2", &constant, 1, NULL))
        abort();
    store_close(store);
}

/* --- what happens to it --- */

static char *read_file(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    char *data = memory_alloc(1 << 20, 1);

    if (in == NULL || (*size = fread(data, 1, 1 << 20, in)) == 1 << 20)
        abort();
    fclose(in);
    return data;
}

static void write_file(const char *path, const char *data, size_t size)
{
    FILE *out = fopen(path, "wb");

    if (out == NULL || fwrite(data, 1, size, out) != size || fclose(out) != 0)
        abort();
}

/* A place and another byte for it, as often as there are any.  */
static void change_bytes(struct bytes *from, const char *path)
{
    size_t size;
    char *data = read_file(path, &size);
    const bool cut = next(from) % 4 == 1;

    if (cut)
        size = next_word(from, 3) % (size + 1);
    while (from->size > 0 && size > 0) {
        const size_t at = next_word(from, 3) % size;

        data[at] ^= (char)next(from);
    }
    write_file(path, data, size);
    free(data);
}

static void bind(sqlite3_stmt *statement, struct bytes *from)
{
    static const char *const words[] = {"plan", "conv",  "run",     "optimal", "arena",
                                        "nan",  "quick", "invalid", "skipped", "timeout"};
    char text[32] = "";
    double real;
    uint64_t word;
    int length;

    switch (next(from) % 6) {
    case 0:
        sqlite3_bind_null(statement, 1);
        break;
    case 1:
        sqlite3_bind_int64(statement, 1, (int8_t)next(from));
        break;
    case 2:
        sqlite3_bind_int64(statement, 1, (int64_t)next_word(from, 8));
        break;
    case 3:
        word = next_word(from, 8);
        memcpy(&real, &word, sizeof real);
        sqlite3_bind_double(statement, 1, real);
        break;
    case 4:
        sqlite3_bind_text(statement, 1, words[next(from) % 10], -1, SQLITE_STATIC);
        break;
    default:
        word = next(from);
        length = (int)(word % sizeof text);
        for (int i = 0; i < length; i++)
            text[i] = (char)next(from);
        if (word >= 128)
            sqlite3_bind_blob(statement, 1, text, length, SQLITE_TRANSIENT);
        else
            sqlite3_bind_text(statement, 1, text, length, SQLITE_TRANSIENT);
        break;
    }
}

static void change_value(struct bytes *from, sqlite3 *db)
{
    const struct table *table = &store_tables[next(from) % TABLES];
    const char *column = table->column[next(from) % table->count].name;
    char *sql = memory_printf("UPDATE %s SET row_checksum = NULL, \"%s\" = ?1%s", table->name,
                              column, next(from) % 2 == 0 ? "" : " WHERE rowid = 1");
    sqlite3_stmt *statement = NULL;

    /* Of a table without rowid, nothing is changed so.  */
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK) {
        bind(statement, from);
        sqlite3_step(statement); /* what a table's rules refuse is not changed */
    }
    sqlite3_finalize(statement);
    free(sql);
}

static void change_values(struct bytes *from, const char *path)
{
    sqlite3 *db;

    if (sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_exec(db, "PRAGMA synchronous = OFF; BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        abort();
    while (from->size > 0)
        change_value(from, db);
    if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        abort();
    sqlite3_close(db);
}

/* --- what is asked of it --- */

static void check(bool good, const struct error *error)
{
    if (!good && error->text[0] == '\0')
        abort();
}

static void ask_plan(const char *dir)
{
    struct error error = {""};
    struct instance *instance = NULL;
    struct plan *plan = NULL;

    check(stored_plan(dir, "1", &instance, &plan, NULL, &error), &error);
    for (size_t b = 0; plan != NULL && b < plan->n; b++)
        if (plan->offset[b] > plan->peak - instance->buffer[b].size)
            abort();
    plan_free(plan);
    instance_free(instance);
}

static void ask_runs(const char *dir)
{
    struct error error = {""};
    char *path = memory_printf("%s/runs.csv", dir);

    check(runs_write(dir, path, &error), &error);
    free(path);
}

static void ask_report(const char *dir)
{
    struct error error = {""};
    struct report report;

    if (!report_open(&report, dir, false, &error)) {
        check(false, &error);
        return;
    }
    check(report_tables(&report, &error) && report_page(&report, &error), &error);
    report_clear(&report);
}

static void ask_rescue(const char *dir)
{
    struct error error = {""};
    struct rescue rescue;
    char *saved = memory_printf("%s/saved", dir), *path = memory_printf("%s/results.db", saved);

    unlink(path);
    if (store_rescue(dir, saved, false, &rescue, &error)) {
        struct store *store = store_open(saved, false, &error);

        if (store == NULL)
            abort();
        store_close(store);
    } else {
        check(false, &error);
    }
    free(path);
    free(saved);
}

/* --- */

/* The process's own folder, which goes with it, in memory where that can be; the caller frees the
 * name.  */
static char *folder(void)
{
    return memory_printf("%s/fuzz_store.%d", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
                         (int)getpid());
}

static void tidy(void)
{
    char *dir = folder(), *command = memory_printf("rm -rf '%s'", dir);

    if (system(command) != 0)
        abort();
    free(command);
    free(dir);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const ask[])(const char *dir) = {ask_plan, ask_runs, ask_report, ask_rescue};
    struct bytes from = {data, size};
    const uint8_t first = next(&from);
    char *dir = folder(), *path = memory_printf("%s/results.db", dir);
    char *whole = memory_printf("%s/whole/results.db", dir), *text;
    size_t length;

    if (access(whole, R_OK) != 0) {
        char *made = memory_printf("%s/whole", dir), *tables = memory_printf("%s/tables", dir);
        char *command = memory_printf("mkdir -p '%s' '%s/saved'", tables, dir);

        if (system(command) != 0 || atexit(tidy) != 0)
            abort();
        make_store(made);
        free(command);
        free(tables);
        free(made);
    }
    text = read_file(whole, &length);
    write_file(path, text, length);
    free(text);
    if (first % 2 == 0)
        change_bytes(&from, path);
    else
        change_values(&from, path);
    ask[first / 2 % 4](dir);
    free(whole);
    free(path);
    free(dir);
    return 0;
}
