/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/report/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/io/output.h"
#include "harness/store/rows.h"
#include "harness/store/run_table.h"
#include "harness/store/store.h"

bool runs_is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* --- from a folder --- */

static bool attach(struct store *store, const char *name, const char *dir, struct error *error)
{
    /* Opened for once, so that it is refused where it is no store.  */
    struct store *once = store_open(dir, false, error);

    store_close(once);
    return once != NULL &&
           rows_ask(NULL, store, error, "attach database '%q/results.db' as %s", dir, name);
}

/* SCHEMA has the folder's tables.  */
static bool add_stored(struct store *store, const char *name, const char *schema,
                       struct error *error)
{
    return rows_ask(
        NULL, store, error,
        "create temp table %s_run as select t.id as task, e.experiment, w.label as workload,"
        " " STORE_TASK_LABEL " || coalesce(', ' || x.kernels || ', threads=' || x.threads"
        "  || iif(x.groups, ', groups=on', ''), ', ' || s.memories, '')"
        "  as solver, t.seed, t.repetition, t.outcome, w.checksum,"
        " case when t.outcome <> 'invalid' then"
        "  coalesce(p.peak, x.arena_bytes + x.scratch_bytes + x.workspace_bytes) end as peak,"
        " p.lower_bound as bound,"
        " t.time_s, coalesce(t.timed, 0) or t.outcome in ('timeout', 'memout') as timed, 0 as cut"
        " from %s.experiment_task e"
        " join (select experiment, case when max(size = 'full') then 'full' else max(size) end"
        "        as size from %s.experiment_task group by experiment) using (experiment, size)"
        " join %s.task t on t.id = e.task and t.kind in ('plan', 'run', 'fit')"
        " join %s.workload w on w.id = t.workload left join %s.plan p on p.task = t.id"
        " left join %s.execution x on x.task = t.id left join %s.split s on s.task = t.id",
        name, schema, schema, schema, schema, schema, schema, schema);
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

static bool insert(struct store *store, const char *name, const struct run *run,
                   struct error *error)
{
    const int cut = strcmp(run->outcome, RUN_CUT) == 0;

    return rows_ask(NULL, store, error,
                    "insert into %s_run values (null, %Q, %Q, %Q, %lld, %lld, %Q, %Q,"
                    " nullif(%lld, %d), nullif(%lld, %d), null, %d, %d)",
                    name, run->experiment, run->workload, run->solver, (long long)run->seed,
                    (long long)run->repetition, run->outcome, run->checksum, (long long)run->peak,
                    RUN_NONE, (long long)run->bound, RUN_NONE, cut, cut);
}

static bool add_file(struct store *store, const char *name, const char *path, struct error *error)
{
    struct run_table table;
    bool done;

    if (!read_file(&table, path, error))
        return false;
    done = rows_ask(NULL, store, error,
                    "create temp table %s_run (task integer, experiment text, workload text,"
                    " solver text, seed integer, repetition integer, outcome text, checksum text,"
                    " peak integer, bound integer, time_s real, timed integer, cut integer)",
                    name) &&
           rows_ask(NULL, store, error, "begin");
    for (size_t i = 0; done && i < table.count; i++)
        done = insert(store, name, &table.row[i], error);
    run_table_clear(&table);
    return done && rows_ask(NULL, store, error, "commit");
}

bool runs_add(struct store *store, const char *name, const char *path, struct error *error)
{
    bool done;

    if (path == NULL)
        done = add_stored(store, name, "main", error);
    else if (runs_is_file(path))
        done = add_file(store, name, path, error);
    else
        done = attach(store, name, path, error) && add_stored(store, name, name, error);
    return done && rows_ask(NULL, store, error,
                            "create index temp.%s_index on %s_run"
                            " (experiment, workload, solver, seed, repetition)",
                            name, name);
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
