/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What came out again beside what is stored: queries over both stores, the old one attached.
 * Differences are rows (task, what, was, is_now) of the temporary table `difference`; task is the
 * number in the old store.  */
#include <config.h>

#include <stdlib.h>

#include "harness/store/store.h"
#include "harness/sweep/rerun.h"
#include "lib/base/memory.h"

static const char pair_sql[] =
    "create temp table pair as select o.id as was, n.id as is_now, o.workload as was_workload,"
    " n.workload as is_workload,"
    " o.kind, coalesce(n.timed, 0) or n.outcome in ('timeout', 'memout') as cut"
    " from main.task n join old.task o using (key)";

/* All columns that must not hang on time, of the rows that a pair has in both stores: its workload,
 * its task, its plan or its execution.  */
static const struct compared {
    const char *table, *key;
    const char *was, *is_now; /* in pair */
    const char *columns[17];
} compared[] = {
    {"workload",
     "id",
     "was_workload",
     "is_workload",
     {"kind", "name", "params", "n", "pairs", "load", "width", "max_size", "total", "w",
      "width_bound", "w1_bound", "w2_bound", "applicable", "w1_applicable", "reason", NULL}},
    {"task", "id", "was", "is_now", {"outcome", "reason", NULL}},
    {"plan",
     "task",
     "was",
     "is_now",
     {"layout", "peak", "lower_bound", "nodes", "objects", "replay", NULL}},
    {"execution",
     "task",
     "was",
     "is_now",
     {"arena_bytes", "own_bytes", "stored_bytes", "packed_bytes", "scratch_bytes",
      "workspace_bytes", "copied_bytes", "operators", "idle", "on_kernel", "other_convolutions",
      "same_as_plain", NULL}},
};

/* Numbers by name: what the search of a task counted, and facts of its workload.  */
static const struct named {
    const char *table, *key, *was, *is_now;
} named[] = {{"statistic", "task", "was", "is_now"},
             {"fact", "workload", "was_workload", "is_workload"}};

/* The first offset that is another one.  */
static const char offsets_sql[] =
    "insert into difference select was, 'offset of buffer ' || at, offsets_at(a, at),"
    " offsets_at(b, at) from (select was, a, b, offsets_differ(a, b) as at"
    "  from (select p.was, offsets_unpack(o.offsets, o.base) as a,"
    "    offsets_unpack(n.offsets, n.base) as b"
    "   from pair p join old.plan o on o.task = p.was join main.plan n on n.task = p.is_now"
    "   where not p.cut)) where at is not null";

static const char lengths_sql[] =
    "insert into difference select * from (select p.was, 'offsets',"
    "  offsets_count(offsets_unpack(o.offsets, o.base)) as a,"
    "  offsets_count(offsets_unpack(n.offsets, n.base)) as b"
    " from pair p join old.plan o on o.task = p.was join main.plan n on n.task = p.is_now"
    " where not p.cut) where a is not b";

/* The first improvement that is another one.  */
static const char events_sql[] =
    "insert into difference select task, 'improvement ' || (seq + 1),"
    " (select name || ' ' || cast(value as integer) from old.measurement o"
    "   where o.task = d.task and o.seq = d.seq),"
    " (select name || ' ' || cast(value as integer) from main.measurement n"
    "   where n.task = d.is_now and n.seq = d.seq)"
    " from (select task, is_now, min(seq) as seq from (select p.was as task, p.is_now, o.seq"
    "   from pair p join old.measurement o on o.task = p.was left join main.measurement n"
    "   on n.task = p.is_now and n.seq = o.seq"
    "   where not p.cut and p.kind = 'plan' and (n.name is not o.name or n.value is not o.value)"
    "  union select p.was, p.is_now, n.seq from pair p join main.measurement n"
    "   on n.task = p.is_now where not p.cut and p.kind = 'plan' and not exists (select 1"
    "    from old.measurement o where o.task = p.was and o.seq = n.seq)) group by task, is_now) d";

static const char counts_sql[] =
    "select (select count(*) from pair where cut), (select count(*) from pair where not cut"
    " and was not in (select task from difference)),"
    " (select count(distinct task) from difference)";

static const char differences_sql[] =
    "select d.task, w.label as workload, " STORE_TASK_LABEL " as solver, t.seed, t.repetition,"
    " d.what, d.was, d.is_now from difference d join old.task t on t.id = d.task"
    " join old.workload w on w.id = t.workload order by d.task, d.rowid";

static bool attach(struct store *new, const char *dir, struct error *error)
{
    char *path = memory_printf("%s/results.db", dir);
    const char *parameter = path;
    bool done = rows_query(NULL, new, "attach database ?1 as old", &parameter, 1, error);

    free(path);
    return done;
}

static bool run(struct store *new, char *sql, struct error *error)
{
    bool done = rows_query(NULL, new, sql, NULL, 0, error);

    free(sql);
    return done;
}

static bool compare_column(struct store *new, const struct compared *c, const char *column,
                           struct error *error)
{
    return run(new,
               memory_printf("insert into difference select p.was, '%s', o.%s, n.%s from pair p"
                             " left join old.%s o on o.%s = p.%s left join main.%s n on n.%s = p.%s"
                             " where not p.cut and o.%s is not n.%s",
                             column, column, column, c->table, c->key, c->was, c->table, c->key,
                             c->is_now, column, column),
               error);
}

static bool compare_named(struct store *new, const struct named *c, struct error *error)
{
    return run(new,
               memory_printf("insert into difference select p.was, o.name, o.value, n.value"
                             " from pair p join old.%s o on o.%s = p.%s left join main.%s n"
                             " on n.%s = p.%s and n.name = o.name"
                             " where not p.cut and n.value is not o.value",
                             c->table, c->key, c->was, c->table, c->key, c->is_now),
               error) &&
           run(new,
               memory_printf("insert into difference select p.was, n.name, null, n.value"
                             " from pair p join main.%s n on n.%s = p.%s where not p.cut and"
                             " not exists (select 1 from old.%s o where o.%s = p.%s"
                             "  and o.name = n.name)",
                             c->table, c->key, c->is_now, c->table, c->key, c->was),
               error);
}

static bool find_differences(struct store *new, struct error *error)
{
    bool done = rows_query(NULL, new, pair_sql, NULL, 0, error);

    for (size_t i = 0; done && i < sizeof compared / sizeof compared[0]; i++)
        for (size_t c = 0; done && compared[i].columns[c] != NULL; c++)
            done = compare_column(new, &compared[i], compared[i].columns[c], error);
    for (size_t i = 0; done && i < sizeof named / sizeof named[0]; i++)
        done = compare_named(new, &named[i], error);
    return done && rows_query(NULL, new, offsets_sql, NULL, 0, error) &&
           rows_query(NULL, new, lengths_sql, NULL, 0, error) &&
           rows_query(NULL, new, events_sql, NULL, 0, error);
}

bool rerun_compare(struct store *new, const char *dir, struct rerun *rerun, struct error *error)
{
    struct rows counts = {0};
    bool done = attach(new, dir, error) && find_differences(new, error) &&
                rows_query(&counts, new, counts_sql, NULL, 0, error) &&
                rows_query(&rerun->difference, new, differences_sql, NULL, 0, error);

    if (done) {
        rerun->cut_now = strtoul(rows_text(&counts, 0, 0), NULL, 10);
        rerun->same = strtoul(rows_text(&counts, 0, 1), NULL, 10);
        rerun->differ = strtoul(rows_text(&counts, 0, 2), NULL, 10);
    }
    rows_clear(&counts);
    return done;
}
