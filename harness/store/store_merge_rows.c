/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging stores: tasks, where they come from, and what they are about.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "harness/store/store_merge_private.h"
#include "harness/store/store_checksum.h"
#include "harness/store/store_table.h"
#include "lib/base/memory.h"

/* --- rows from table to table --- */

#define NEW(table, old) "(SELECT new FROM temp." table "_map WHERE old = " old ")"
/* A row of provenance says itself whose number it has.  */
#define OF_PROVENANCE                                                                  \
    "CASE p.kind WHEN 'build' THEN " NEW("build", "p.id") " WHEN 'machine' THEN " NEW( \
        "machine", "p.id") " WHEN 'sweep' THEN " NEW("sweep", "p.id") " END"

/* SQL for what COLUMN of the part's row P is in the new store.  The caller frees it.  */
static char *new_value(const struct table *table, const struct column *column)
{
    const struct table *of = store_referred(column);

    if (table == &store_tables[TABLE_PROVENANCE] && strcmp(column->name, "id") == 0)
        return memory_strdup(OF_PROVENANCE);
    if ((of == NULL && sum_includes(column)) || of == &store_tables[TABLE_BASE])
        return memory_printf("p.%s", column->name);
    return memory_printf(NEW("%s", "p.%s"), (of == NULL ? table : of)->name, column->name);
}

/* Copies those rows of the part's table, "P", that WHERE (SQL) finds with VERB ("INSERT", or
 * another).  The checksum is that of the row as it is then; one without stays without.  */
static bool copy(struct store *store, enum table_id which, const char *verb, const char *where,
                 struct error *error)
{
    const struct table *table = &store_tables[which];
    char *names = memory_strdup(""), *values = memory_strdup(""), *summed = memory_strdup("");
    bool done;

    for (const struct column *c = table->column; c < table->column + table->count; c++) {
        char *value = new_value(table, c);

        names = memory_append(names, "%s, ", c->name);
        values = memory_append(values, "%s, ", value);
        if (sum_includes(c))
            summed = memory_append(summed, "%s%s", summed[0] == '\0' ? "" : ", ", value);
        free(value);
    }
    done = merge_execute(
        store,
        memory_printf("%s INTO main.%s (%srow_checksum) SELECT %s"
                      "iif(p.row_checksum IS NULL, NULL, row_sum(%s)) FROM part.%s p %s",
                      verb, table->name, names, values, summed, table->name, where),
        error);
    free(summed);
    free(values);
    free(names);
    return done;
}

/* --- numbers --- */

/* When a task ended; of two that ended in one second whatever tells them apart.  */
#define ENDED(row)                                                                   \
    "(coalesce(" row ".finished, ''), coalesce(" row ".time_s, -1.0), coalesce(" row \
    ".cpu_s, -1.0), coalesce(" row ".harness_s, -1.0), coalesce(" row ".rss_bytes, -1))"

/* The plus keeps SQLite from the index of workloads: thousands of tasks have the same one.  */
/* clang-format off */
#define SAME_KEY \
    "m.key_checksum = p.key_checksum AND m.form IS " NEW("form", "p.form") \
    " AND +m.workload IS " NEW("workload", "p.workload") \
    " AND (m.contestant, m.params, m.contestant_checksum) IS" \
    " (p.contestant, p.params, p.contestant_checksum)"
/* clang-format on */

/* The tables whose rows have numbers, each behind those that it refers to: when P, of the part, is
 * M, of the new store, and what more makes P the one that is kept.  */
static const struct numbered {
    enum table_id table;
    const char *same, *better;
} numbered[] = {
    {TABLE_BUILD, "m.key = p.key", "FALSE"},
    {TABLE_MACHINE, "m.key = p.key", "FALSE"},
    {TABLE_SWEEP,
     "m.build IS " NEW("build", "p.build") " AND m.machine IS " NEW(
         "machine", "p.machine") " AND m.key IS p.key",
     "FALSE"},
    {TABLE_WORKLOAD, "m.label = p.label AND m.checksum = p.checksum", "FALSE"},
    {TABLE_FORM, "m.text = p.text", "FALSE"},
    {TABLE_TASK, SAME_KEY, ENDED("p") " > " ENDED("m")},
};

static bool map_rows(struct store *store, const struct numbered *of, struct error *error)
{
    const char *name = store_tables[of->table].name;

    return merge_execute(
        store,
        memory_printf("DELETE FROM temp.%s_map; INSERT OR IGNORE INTO temp.%s_map SELECT p.id,"
                      " coalesce(m.id, row_number() OVER (ORDER BY p.id) +"
                      "  (SELECT coalesce(max(id), 0) FROM main.%s)),"
                      " m.id IS NULL OR %s, m.id IS NOT NULL"
                      " FROM part.%s p LEFT JOIN main.%s m ON %s",
                      name, name, name, of->better, name, name, of->same),
        error);
}

static bool copy_numbered(struct store *store, enum table_id which, struct error *error)
{
    char *taken = memory_printf("WHERE p.id IN (SELECT old FROM temp.%s_map WHERE take)"
                                " ORDER BY p.id",
                                store_tables[which].name);
    bool done = copy(store, which, "INSERT", taken, error);

    free(taken);
    return done;
}

/* --- workloads --- */

/* It would tear SQL apart where a macro stands in it.  */
/* clang-format off */

/* Bounds that are not known in one part, as whoever worked them out was killed, are taken from
 * another.  */
#define BOUNDS "w, width_bound, w1_bound, w2_bound, applicable, w1_applicable, reason"
#define KNOWN(row) \
    "coalesce(" row ".w, " row ".width_bound, " row ".w1_bound, " row ".w2_bound) IS NOT NULL"

static const char take_bounds[] =
    "DROP TABLE IF EXISTS temp.better;"
    "CREATE TEMP TABLE better AS SELECT x.old, x.new FROM temp.workload_map x"
    " JOIN part.workload p ON p.id = x.old JOIN main.workload m ON m.id = x.new"
    " WHERE NOT " KNOWN("m") " AND (" KNOWN("p") " OR p.reason < m.reason);"
    "UPDATE main.workload SET (" BOUNDS ") = (SELECT " BOUNDS " FROM part.workload WHERE id ="
    " (SELECT old FROM temp.better WHERE new = main.workload.id))"
    " WHERE id IN (SELECT new FROM temp.better);";

#define THIS_DIR "(SELECT dir FROM temp.folder ORDER BY part DESC LIMIT 1)"

static const char compare_workloads[] =
    "INSERT INTO temp.conflict SELECT 'workload', m.label || ': figures or bounds of this instance"
    " are others in ' || " THIS_DIR
    " FROM temp.workload_map x JOIN part.workload p ON p.id = x.old"
    " JOIN main.workload m ON m.id = x.new"
    " WHERE (p.kind, p.name, p.params, p.n, p.pairs, p.load, p.width, p.max_size, p.total) IS NOT"
    " (m.kind, m.name, m.params, m.n, m.pairs, m.load, m.width, m.max_size, m.total)"
    " OR (" KNOWN("p") " AND (p.w, p.width_bound, p.w1_bound, p.w2_bound, p.applicable,"
    " p.w1_applicable) IS NOT (m.w, m.width_bound, m.w1_bound, m.w2_bound, m.applicable,"
    " m.w1_applicable));"
    "INSERT INTO temp.conflict SELECT 'workload', w.label || ': its ' || p.name || ' is ' ||"
    " m.value || ', in ' || " THIS_DIR " || ' ' || p.value"
    " FROM temp.workload_map x JOIN part.fact p ON p.workload = x.old"
    " JOIN main.fact m ON m.workload = x.new AND m.name = p.name"
    " JOIN main.workload w ON w.id = x.new WHERE p.value IS NOT m.value;";

/* --- tasks --- */

/* Nothing about a run that a limit cut, or that crashed, can be told from its key; but what two
 * stores have of one and the same run is the same.  */
#define ENDED_ITSELF(row) \
    "NOT coalesce(" row ".timed, 0) AND " row ".outcome NOT IN ('timeout', 'memout', 'crashed')"
/* The names of the columns in which the part's row and the one that is there differ.  */
#define OTHER(p, m, column) " iif(" p "." column " IS " m "." column ", '', ' " column "') ||"
#define OF_TASK OTHER("p", "m", "outcome")
#define OF_PLAN \
    OTHER("pp", "mp", "layout") OTHER("pp", "mp", "peak") OTHER("pp", "mp", "lower_bound") \
    OTHER("pp", "mp", "nodes") OTHER("pp", "mp", "objects") OTHER("pp", "mp", "replay") \
    " iif(offsets_same(pp.offsets, pp.base, mp.offsets, mp.base), '', ' offsets') ||"
#define OF_RUN \
    OTHER("pe", "me", "arena_bytes") OTHER("pe", "me", "own_bytes") \
    OTHER("pe", "me", "stored_bytes") OTHER("pe", "me", "copied_bytes") \
    OTHER("pe", "me", "operators") OTHER("pe", "me", "same_as_plain")
#define OF_SPLIT \
    OTHER("ps", "ms", "capacity") OTHER("ps", "ms", "cost") OTHER("ps", "ms", "lower_bound") \
    OTHER("ps", "ms", "flow_bound") OTHER("ps", "ms", "outside")

static const char compare_tasks[] =
    "INSERT INTO temp.conflict SELECT 'result', key || ': ' || here || '; in ' || " THIS_DIR
    " || ' ' || there || '; they differ in:' || differs FROM (SELECT " KEY_OF("main", "m.id")
    " AS key,"
    " m.outcome || coalesce(', peak ' || mp.peak, '') AS here,"
    " p.outcome || coalesce(', peak ' || pp.peak, '') AS there,"
    OF_TASK OF_PLAN OF_RUN OF_SPLIT " '' AS differs"
    " FROM temp.task_map x JOIN part.task p ON p.id = x.old"
    " JOIN main.task m ON m.id = x.new LEFT JOIN part.plan pp ON pp.task = p.id"
    " LEFT JOIN main.plan mp ON mp.task = m.id LEFT JOIN part.execution pe ON pe.task = p.id"
    " LEFT JOIN main.execution me ON me.task = m.id LEFT JOIN part.split ps ON ps.task = p.id"
    " LEFT JOIN main.split ms ON ms.task = m.id"
    " WHERE x.double AND (" ENDED("p") " = " ENDED("m") " OR"
    " " ENDED_ITSELF("p") " AND " ENDED_ITSELF("m") ")) WHERE differs <> '';"
    "INSERT OR IGNORE INTO temp.double SELECT new FROM temp.task_map WHERE double;";

/* clang-format on */

/* What a task has beside its row.  */
static const enum table_id of_tasks[] = {TABLE_PLAN,  TABLE_CONV,        TABLE_EXECUTION,
                                         TABLE_SPLIT, TABLE_MEASUREMENT, TABLE_STATISTIC};

/* Of a task that gives way.  Its number stays, which places refer to.  */
static bool drop_replaced(struct store *store, const char *table, const char *number,
                          struct error *error)
{
    return merge_execute(store,
                         memory_printf("DELETE FROM main.%s WHERE %s IN"
                                       " (SELECT new FROM temp.task_map WHERE take AND double)",
                                       table, number),
                         error);
}

static bool copy_tasks(struct store *store, struct error *error)
{
    bool done = copy(store, TABLE_BASE, "INSERT OR IGNORE", "", error) &&
                store_execute(store, compare_tasks, error) &&
                drop_replaced(store, "task", "id", error) &&
                copy_numbered(store, TABLE_TASK, error);

    for (size_t i = 0; done && i < sizeof of_tasks / sizeof of_tasks[0]; i++)
        done = drop_replaced(store, store_tables[of_tasks[i]].name, "task", error) &&
               copy(store, of_tasks[i], "INSERT",
                    "WHERE p.task IN (SELECT old FROM temp.task_map WHERE take)", error);
    return done;
}

/* --- all of them --- */

bool merge_execute(struct store *store, char *sql, struct error *error)
{
    bool done = store_execute(store, sql, error);

    free(sql);
    return done;
}

/* A pair that a sweep has got later may be missing in a copy, or be an older one.  */
static bool copy_rest(struct store *store, size_t part, struct error *error)
{
    return copy(store, TABLE_PROVENANCE, "INSERT",
                "WHERE " OF_PROVENANCE " IS NOT NULL ON CONFLICT (kind, id, name) DO UPDATE SET"
                " (value, row_checksum) = (excluded.value, excluded.row_checksum)"
                " WHERE excluded.value > value",
                error) &&
           copy(store, TABLE_CONSTANT, "INSERT OR IGNORE", "", error) &&
           merge_execute(store,
                         memory_printf("INSERT OR IGNORE INTO temp.part_sweep"
                                       " SELECT %zu, new FROM temp.sweep_map",
                                       part),
                         error) &&
           store_execute(store, take_bounds, error) &&
           sum_anew(store, TABLE_WORKLOAD, "WHERE id IN (SELECT new FROM temp.better)", NULL, 0,
                    error) &&
           copy(store, TABLE_FACT, "INSERT OR IGNORE", "", error) &&
           store_execute(store, compare_workloads, error);
}

bool merge_rows(struct store *store, size_t part, struct error *error)
{
    bool done = true;

    for (size_t i = 0; done && i < sizeof numbered / sizeof numbered[0]; i++)
        done = map_rows(store, &numbered[i], error) &&
               (numbered[i].table == TABLE_TASK ? copy_tasks(store, error)
                                                : copy_numbered(store, numbered[i].table, error));
    return done && copy_rest(store, part, error);
}

bool merge_begin(struct store *store, struct error *error)
{
    char *sql = memory_strdup(
        "CREATE TEMP TABLE folder (part INTEGER PRIMARY KEY, dir TEXT);"
        "CREATE TEMP TABLE part_sweep (part INTEGER, sweep INTEGER, PRIMARY KEY (part, sweep))"
        " WITHOUT ROWID;"
        "CREATE TEMP TABLE definition AS SELECT 0 AS part, 0 AS sum, '' AS newest, *"
        " FROM main.experiment;"
        "CREATE TEMP TABLE place (definition INTEGER, seq INTEGER, task INTEGER,"
        " PRIMARY KEY (definition, seq, task)) WITHOUT ROWID;"
        "CREATE TEMP TABLE uses (definition INTEGER, workload INTEGER, network TEXT, uses INTEGER);"
        "CREATE TEMP TABLE double (task INTEGER PRIMARY KEY);"
        "CREATE TEMP TABLE conflict (kind TEXT, text TEXT);"
        "CREATE TEMP TABLE unsummed (dir TEXT, text TEXT);");

    for (size_t i = 0; i < sizeof numbered / sizeof numbered[0]; i++)
        sql = memory_append(sql,
                            "CREATE TEMP TABLE %s_map (old INTEGER PRIMARY KEY, new INTEGER, take,"
                            " double);",
                            store_tables[numbered[i].table].name);
    return merge_execute(store, sql, error);
}
