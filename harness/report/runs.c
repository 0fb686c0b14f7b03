/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/report/runs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/io/output.h"
#include "harness/store/rows.h"
#include "harness/store/run_table.h"
#include "harness/store/store.h"
#include "lib/base/memory.h"

bool runs_is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* --- from a folder --- */

static bool attach(struct store *store, const char *name, const char *dir, struct error *error)
{
    /* Opened for once, so that it is brought up to date, and refused where it is no store.  */
    struct store *once = store_open(dir, false, error);
    char *file = memory_printf("%s/results.db", dir);
    char *sql = memory_printf("attach database ?1 as %s", name);
    const char *path = file;
    bool done = once != NULL;

    store_close(once);
    done = done && rows_query(NULL, store, sql, &path, 1, error);
    free(sql);
    free(file);
    return done;
}

static bool add_folder(struct store *store, const char *name, const char *dir, struct error *error)
{
    char *sql = memory_printf(
        "create temp table %s_run as select e.experiment, w.label as workload,"
        " " STORE_TASK_LABEL " || coalesce(', ' || x.kernels || ', threads=' || x.threads"
        "  || iif(x.groups, ', groups=on', ''), '')"
        "  as solver, t.seed, t.repetition, t.outcome, w.checksum,"
        " case when t.outcome <> 'invalid' then"
        "  coalesce(p.peak, x.arena_bytes + x.scratch_bytes + x.workspace_bytes) end as peak,"
        " p.lower_bound as bound,"
        " t.time_s, coalesce(t.timed, 0) or t.outcome in ('timeout', 'memout') as timed, 0 as cut"
        " from %s.experiment_task e"
        " join (select experiment, case when max(size = 'full') then 'full' else max(size) end"
        "        as size from %s.experiment_task group by experiment) using (experiment, size)"
        " join %s.task t on t.id = e.task and t.kind in ('plan', 'run')"
        " join %s.workload w on w.id = t.workload left join %s.plan p on p.task = t.id"
        " left join %s.execution x on x.task = t.id",
        name, name, name, name, name, name, name);
    bool done = attach(store, name, dir, error) && rows_query(NULL, store, sql, NULL, 0, error);

    free(sql);
    return done;
}

/* --- from a file --- */

static bool read_file(struct run_table *table, const char *path, struct error *error)
{
    FILE *in = fopen(path, "r");
    bool done;

    if (in == NULL)
        return error_set(error, "%s: %s", path, strerror(errno));
    done = run_table_read(table, in, path, error);
    fclose(in);
    return done;
}

static bool insert(struct store *store, const char *sql, const struct run *run, struct error *error)
{
    char *seed = memory_printf("%" PRId64, run->seed);
    char *repetition = memory_printf("%" PRId64, run->repetition);
    char *peak = run->peak == RUN_NONE ? NULL : memory_printf("%" PRId64, run->peak);
    char *bound = run->bound == RUN_NONE ? NULL : memory_printf("%" PRId64, run->bound);
    const char *cut = strcmp(run->outcome, RUN_CUT) == 0 ? "1" : "0";
    const char *const values[] = {run->experiment, run->workload, run->solver, seed,  repetition,
                                  run->outcome,    run->checksum, peak,        bound, cut};
    bool done = rows_query(NULL, store, sql, values, sizeof values / sizeof values[0], error);

    free(bound);
    free(peak);
    free(repetition);
    free(seed);
    return done;
}

static bool add_file(struct store *store, const char *name, const char *path, struct error *error)
{
    char *create = memory_printf(
        "create temp table %s_run (experiment text, workload text, solver text, seed integer,"
        " repetition integer, outcome text, checksum text, peak integer, bound integer,"
        " time_s real, timed integer, cut integer)",
        name);
    char *sql = memory_printf(
        "insert into %s_run values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, null, ?10, ?10)", name);
    struct run_table table;
    bool done = read_file(&table, path, error);

    if (done) {
        done = rows_query(NULL, store, create, NULL, 0, error) &&
               rows_query(NULL, store, "begin", NULL, 0, error);
        for (size_t i = 0; done && i < table.count; i++)
            done = insert(store, sql, &table.row[i], error);
        done = done && rows_query(NULL, store, "commit", NULL, 0, error);
        run_table_clear(&table);
    }
    free(sql);
    free(create);
    return done;
}

bool runs_add(struct store *store, const char *name, const char *path, struct error *error)
{
    char *index = memory_printf("create index temp.%s_index on %s_run"
                                " (experiment, workload, solver, seed, repetition)",
                                name, name);
    bool done = runs_is_file(path) ? add_file(store, name, path, error)
                                   : add_folder(store, name, path, error);

    done = done && rows_query(NULL, store, index, NULL, 0, error);
    free(index);
    return done;
}

/* --- to a file --- */

static int64_t bytes_of(const struct rows *rows, size_t row, const char *column)
{
    const char *text = rows_named(rows, row, column);

    return text[0] == '\0' ? RUN_NONE : strtoll(text, NULL, 10);
}

static bool add_row(struct run_table *table, const struct rows *rows, size_t row,
                    struct error *error)
{
    const char *checksum = rows_named(rows, row, "checksum");
    struct run run = {
        .experiment = (char *)rows_named(rows, row, "experiment"),
        .workload = (char *)rows_named(rows, row, "workload"),
        .solver = (char *)rows_named(rows, row, "solver"),
        .seed = strtoll(rows_named(rows, row, "seed"), NULL, 10),
        .repetition = strtoll(rows_named(rows, row, "repetition"), NULL, 10),
        .outcome = (char *)rows_named(rows, row, "outcome"),
        .peak = bytes_of(rows, row, "peak"),
        .bound = bytes_of(rows, row, "bound"),
    };

    if (strlen(checksum) != sizeof run.checksum - 1)
        return error_set(error, "the store holds the checksum '%s'", checksum);
    memcpy(run.checksum, checksum, sizeof run.checksum);
    run_table_add(table, &run);
    return true;
}

static bool collect(struct run_table *table, const char *dir, struct error *error)
{
    struct store *store = store_open_memory(error);
    struct rows rows = {0};
    bool done = store != NULL && runs_add(store, "new", dir, error) &&
                rows_query(&rows, store,
                           "select experiment, workload, solver, seed, repetition, checksum,"
                           " iif(timed, '" RUN_CUT "', outcome) as outcome,"
                           " iif(timed, null, peak) as peak, iif(timed, null, bound) as bound"
                           " from new_run",
                           NULL, 0, error);

    for (size_t i = 0; done && i < rows.count; i++)
        done = add_row(table, &rows, i, error);
    rows_clear(&rows);
    store_close(store);
    return done;
}

bool runs_write(const char *dir, const char *path, struct error *error)
{
    struct run_table table = {0};
    struct output output;
    bool done = collect(&table, dir, error) && output_open(&output, path, error);

    if (done) {
        run_table_write(output.file, &table);
        done = output_close(&output, true, error);
    }
    run_table_clear(&table);
    return done;
}
