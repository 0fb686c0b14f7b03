/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that must not hang on time, value by value, of the runs that both have and no limit cut.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "harness/report/diff.h"
#include "harness/store/store.h"
#include "lib/base/memory.h"

/* Where a run, the row t of task, has values, in rows x: columns, or rows with names of their own.
 */
static const struct source {
    const char *rows, *what, *seq, *value; /* SQL; what: NULL for columns */
    const char *columns[17];
} sources[] = {
    {.rows = "workload x on x.id = t.workload",
     .columns = {"kind", "name", "params", "n", "pairs", "load", "width", "max_size", "total", "w",
                 "width_bound", "w1_bound", "w2_bound", "applicable", "w1_applicable", "reason"}},
    {.rows = "task x on x.id = t.id", .columns = {"outcome", "reason"}},
    {.rows = "plan x on x.task = t.id",
     .columns = {"layout", "peak", "lower_bound", "nodes", "objects", "replay"}},
    {.rows = "execution x on x.task = t.id",
     .columns = {"arena_bytes", "own_bytes", "stored_bytes", "packed_bytes", "scratch_bytes",
                 "workspace_bytes", "copied_bytes", "operators", "idle", "on_kernel",
                 "other_convolutions", "same_as_plain"}},
    {.rows = "split x on x.task = t.id",
     .columns = {"capacity", "cost", "lower_bound", "flow_bound", "outside"}},
    /* Without a base, which the other store need not have.  */
    {"plan x on x.task = t.id",
     "'offsets'",
     "0",
     "iif(x.base is null, x.offsets, offsets_pack(offsets_unpack(x.offsets, x.base)))",
     {NULL}},
    {"fact x on x.workload = t.workload", "x.name", "0", "x.value", {NULL}},
    {"statistic x on x.task = t.id", "x.name", "0", "x.value", {NULL}},
    /* A run's measurements are times.  */
    {"measurement x on x.task = t.id and t.kind = 'plan'",
     "'improvement'",
     "x.seq + 1",
     "x.name || ' ' || cast(x.value as integer)",
     {NULL}},
};

static const char value_sql[] =
    "create temp table value (run integer, source integer, what, seq integer, old, value)";

static const char instance_sql[] =
    "insert into value select rowid, -1, 'instance', 0, 1, old_checksum from pair where other"
    " union all select rowid, -1, 'instance', 0, 0, checksum from pair where other";

/* Of numbered ones the first.  */
static const char difference_sql[] =
    "create temp table difference as select run, what, min(seq) as seq, was, is_now from"
    " (select run, source, what, seq, max(iif(old, value, null)) as was,"
    "   max(iif(old, null, value)) as is_now"
    "  from value group by run, source, what, seq having was is not is_now)"
    " group by run, source, what";

/* Offsets that are packed otherwise are the same.  */
static const char values_sql[] =
    "with plans as (select run, what, offsets_unpack(was, null) as was,"
    "  offsets_unpack(is_now, null) as is_now from difference where what = 'offsets')"
    " select p.old_task as task, p.workload, p.solver, p.seed, p.repetition, d.what,"
    " d.was as \"then\", d.is_now as now"
    " from (select run, what || iif(seq > 0, ' ' || seq, '') as what, was, is_now"
    "   from difference where what <> 'offsets'"
    "  union all select run, 'offset of buffer ' || at, offsets_at(was, at), offsets_at(is_now, at)"
    "   from (select *, offsets_differ(was, is_now) as at from plans) where at is not null"
    "  union all select run, what, offsets_count(was), offsets_count(is_now) from plans"
    "   where offsets_count(was) is not offsets_count(is_now)) d"
    " join pair p on p.rowid = d.run order by task, d.run, d.what";

static const char counts_sql[] =
    "select count(distinct iif(timed and not other, old_task, null)) as cut,"
    " count(distinct iif(timed and not other, null, old_task)) as compared from pair";

/* Adds one value of each run, of the old ones or of the new.  */
static bool add(struct store *store, const char *schema, bool old, const struct source *source,
                const char *what, const char *value, struct error *error)
{
    return rows_ask(NULL, store, error,
                    "insert into value select p.rowid, %d, %s, %s, %d, %s from pair p"
                    " join %s.task t on t.id = p.%s join %s.%s where not p.timed and not p.other",
                    (int)(source - sources), what, source->seq == NULL ? "0" : source->seq, old,
                    value, schema, old ? "old_task" : "task", schema, source->rows);
}

static bool add_source(struct store *store, const char *schema, bool old,
                       const struct source *source, struct error *error)
{
    bool done =
        source->what == NULL || add(store, schema, old, source, source->what, source->value, error);

    for (size_t c = 0; done && source->columns[c] != NULL; c++) {
        char *what = memory_printf("'%s'", source->columns[c]);
        char *value = memory_printf("x.%s", source->columns[c]);

        done = add(store, schema, old, source, what, value, error);
        free(value);
        free(what);
    }
    return done;
}

static bool count(struct diff *diff, struct store *store, struct error *error)
{
    struct rows counts = {0};
    bool done = rows_query(&counts, store, counts_sql, NULL, 0, error);

    if (done) {
        diff->values_cut = strtoul(rows_named(&counts, 0, "cut"), NULL, 10);
        diff->values_same = strtoul(rows_named(&counts, 0, "compared"), NULL, 10);
    }
    rows_clear(&counts);
    for (size_t r = 0; done && r < diff->values.count; r++)
        diff->values_differ += r == 0 || strcmp(rows_text(&diff->values, r, 0),
                                                rows_text(&diff->values, r - 1, 0)) != 0;
    diff->values_same -= diff->values_differ;
    return done;
}

bool diff_values(struct diff *diff, struct store *store, const char *schema, struct error *error)
{
    bool done =
        rows_ask(NULL, store, error, value_sql) && rows_ask(NULL, store, error, instance_sql);

    for (size_t i = 0; done && i < sizeof sources / sizeof sources[0]; i++)
        done = add_source(store, "old", true, &sources[i], error) &&
               add_source(store, schema, false, &sources[i], error);
    return done && rows_ask(NULL, store, error, difference_sql) &&
           rows_query(&diff->values, store, values_sql, NULL, 0, error) &&
           count(diff, store, error);
}
