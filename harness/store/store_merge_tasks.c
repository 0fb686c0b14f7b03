/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging stores: tasks, and the experiments that they belong to.  */
#include <config.h>

#include <stdlib.h>

#include "harness/store/store_merge_private.h"
#include "harness/store/store_sum.h"
#include "harness/store/store_table.h"
#include "lib/base/memory.h"

/* --- tasks --- */

/* When a task ended; of two that ended in one second whatever tells them apart.  */
#define ENDED(row)                                                                   \
    "(coalesce(" row ".finished, ''), coalesce(" row ".time_s, -1.0), coalesce(" row \
    ".cpu_s, -1.0), coalesce(" row ".harness_s, -1.0), coalesce(" row ".rss_bytes, -1))"

/* It would tear SQL apart where a macro stands in it.  */
/* clang-format off */

/* TAKE: it is new, or ended after the one that is there, whose place it takes.  */
static const char map_tasks[] =
    "DROP TABLE IF EXISTS temp.task_map;"
    "CREATE TEMP TABLE task_map (old INTEGER PRIMARY KEY, new INTEGER, take, double);"
    "INSERT INTO temp.task_map SELECT p.id,"
    " coalesce(m.id, row_number() OVER (ORDER BY p.id) +"
    "  (SELECT coalesce(max(id), 0) FROM main.task)),"
    " m.id IS NULL OR " ENDED("p") " > " ENDED("m") ", m.id IS NOT NULL"
    " FROM part.task p LEFT JOIN main.task m ON m.key = p.key;"
    "INSERT OR IGNORE INTO temp.double SELECT new FROM temp.task_map WHERE double;";

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
    OTHER("pp", "mp", "offsets")
#define OF_RUN \
    OTHER("pe", "me", "arena_bytes") OTHER("pe", "me", "own_bytes") \
    OTHER("pe", "me", "stored_bytes") OTHER("pe", "me", "copied_bytes") \
    OTHER("pe", "me", "operators") OTHER("pe", "me", "same_as_plain")

static const char compare_tasks[] =
    "INSERT INTO temp.conflict SELECT 'result', key || ': ' || here || '; in ' ||"
    " (SELECT dir FROM temp.folder ORDER BY part DESC LIMIT 1) || ' ' || there ||"
    " '; they differ in:' || differs FROM (SELECT m.key,"
    " m.outcome || coalesce(', peak ' || mp.peak, '') AS here,"
    " p.outcome || coalesce(', peak ' || pp.peak, '') AS there,"
    OF_TASK OF_PLAN OF_RUN " '' AS differs FROM temp.task_map x JOIN part.task p ON p.id = x.old"
    " JOIN main.task m ON m.id = x.new LEFT JOIN part.plan pp ON pp.task = p.id"
    " LEFT JOIN main.plan mp ON mp.task = m.id LEFT JOIN part.execution pe ON pe.task = p.id"
    " LEFT JOIN main.execution me ON me.task = m.id"
    " WHERE x.double AND (" ENDED("p") " = " ENDED("m") " OR"
    " " ENDED_ITSELF("p") " AND " ENDED_ITSELF("m") ")) WHERE differs <> '';";

/* clang-format on */

/* The number stays, which places refer to.  */
#define OF_REPLACED "IN (SELECT new FROM temp.task_map WHERE take AND double);"

static const char drop_replaced[] =
    "DELETE FROM main.plan WHERE task " OF_REPLACED "DELETE FROM main.conv WHERE task " OF_REPLACED
    "DELETE FROM main.execution WHERE task " OF_REPLACED
    "DELETE FROM main.measurement WHERE task " OF_REPLACED
    "DELETE FROM main.statistic WHERE task " OF_REPLACED
    "DELETE FROM main.task WHERE id " OF_REPLACED;

bool merge_tasks(struct store *store, struct error *error)
{
    static const struct merge_column of_task[] = {
        {"id", "m.new"}, {"workload", "w.new"}, {"sweep", "s.new"}};
    static const struct merge_column belongs[] = {{"task", "m.new"}, {"final_sweep", "s.new"}};
    static const enum table_id rest[] = {TABLE_PLAN, TABLE_EXECUTION, TABLE_MEASUREMENT,
                                         TABLE_STATISTIC};
    static const char taken[] = "JOIN temp.task_map m ON m.old = p.task WHERE m.take";
    bool done =
        store_execute(store, map_tasks, error) && store_execute(store, compare_tasks, error) &&
        store_execute(store, drop_replaced, error) &&
        merge_copy(store, TABLE_TASK, "INSERT", of_task, 3,
                   "JOIN temp.task_map m ON m.old = p.id"
                   " LEFT JOIN temp.workload_map w ON w.old = p.workload"
                   " LEFT JOIN temp.sweep_map s ON s.old = p.sweep WHERE m.take ORDER BY p.id",
                   error) &&
        merge_copy(store, TABLE_CONV, "INSERT", belongs, 2,
                   "JOIN temp.task_map m ON m.old = p.task"
                   " LEFT JOIN temp.sweep_map s ON s.old = p.final_sweep WHERE m.take",
                   error);

    for (size_t i = 0; done && i < sizeof rest / sizeof rest[0]; i++)
        done = merge_copy(store, rest[i], "INSERT", belongs, 1, taken, error);
    return done;
}

/* --- experiments of a part --- */

/* A definition is all that a sweep writes about an experiment, as a text.  */
#define QUOTED "quote(p.@)"

bool merge_experiments(struct store *store, size_t part, struct error *error)
{
    char *columns = merge_columns(TABLE_EXPERIMENT, "@", ", ");
    char *text = merge_columns(TABLE_EXPERIMENT, QUOTED, " || ', ' || ");
    char *sql = memory_printf(
        "INSERT OR IGNORE INTO temp.definition (%s, part, text)"
        " SELECT %s, %zu, %s FROM part.experiment p ORDER BY name, size;"
        "DROP TABLE IF EXISTS temp.definition_map;"
        "CREATE TEMP TABLE definition_map AS SELECT p.name, p.size, p.used_s, d.id"
        " FROM part.experiment p JOIN temp.definition d ON d.text = %s;"
        "INSERT INTO temp.used SELECT %zu, name, size, used_s FROM temp.definition_map;"
        "INSERT OR IGNORE INTO temp.place SELECT d.id, e.seq, m.new FROM part.experiment_task e"
        " JOIN temp.definition_map d ON d.name = e.experiment AND d.size = e.size"
        " JOIN temp.task_map m ON m.old = e.task;"
        "INSERT OR IGNORE INTO temp.uses SELECT d.id, m.new, p.network, p.uses"
        " FROM part.layer_use p"
        " JOIN temp.definition_map d ON d.name = p.experiment AND d.size = p.size"
        " JOIN temp.workload_map m ON m.old = p.workload;"
        "UPDATE temp.definition SET newest = max(newest, coalesce((SELECT max(t.finished)"
        " FROM temp.definition_map d JOIN part.experiment_task e ON e.experiment = d.name"
        " AND e.size = d.size JOIN part.task t ON t.id = e.task WHERE d.id = definition.id), ''))"
        " WHERE id IN (SELECT id FROM temp.definition_map);",
        columns, columns, part, text, text, part);
    bool done = merge_execute(store, sql, error);

    free(text);
    free(columns);
    return done;
}

/* --- all parts --- */

bool merge_begin(struct store *store, struct error *error)
{
    char *columns = merge_columns(TABLE_EXPERIMENT, "@", ", ");
    char *sql = memory_printf(
        "CREATE TEMP TABLE folder (part INTEGER PRIMARY KEY, dir TEXT);"
        "CREATE TEMP TABLE known_sweep (id INTEGER PRIMARY KEY, build, machine, pairs,"
        " UNIQUE (build, machine, pairs));"
        "CREATE TEMP TABLE part_sweep (part INTEGER, sweep INTEGER, PRIMARY KEY (part, sweep))"
        " WITHOUT ROWID;"
        "CREATE TEMP TABLE definition (id INTEGER PRIMARY KEY, text TEXT UNIQUE, part INTEGER,"
        " newest TEXT DEFAULT '', %s);"
        "CREATE TEMP TABLE place (definition INTEGER, seq INTEGER, task INTEGER,"
        " PRIMARY KEY (definition, seq, task)) WITHOUT ROWID;"
        "CREATE TEMP TABLE uses (definition INTEGER, workload INTEGER, network TEXT,"
        " uses INTEGER, PRIMARY KEY (definition, workload, network)) WITHOUT ROWID;"
        "CREATE TEMP TABLE used (part INTEGER, name TEXT, size TEXT, used_s REAL);"
        "CREATE TEMP TABLE double (task INTEGER PRIMARY KEY);"
        "CREATE TEMP TABLE conflict (kind TEXT, text TEXT);"
        "CREATE TEMP TABLE unsummed (dir TEXT, text TEXT);",
        columns);
    bool done = merge_execute(store, sql, error);

    free(columns);
    return done;
}

/* The definition that counts is the newest.  */
static const char choose_definitions[] =
    "CREATE TEMP TABLE chosen AS SELECT id, name, size FROM (SELECT id, name, size, row_number()"
    " OVER (PARTITION BY name, size ORDER BY newest DESC, text) AS rank FROM temp.definition)"
    " WHERE rank = 1;";

/* The names of the columns in which D and C differ.  */
#define DIFFERS "iif(d.@ IS c.@, '', ' @')"

static bool compare_definitions(struct store *store, struct error *error)
{
    char *differs = merge_columns(TABLE_EXPERIMENT, DIFFERS, " || ");
    char *sql = memory_printf(
        "INSERT INTO temp.conflict SELECT 'definition', d.name || ' (' || d.size || '): ' ||"
        " (SELECT dir FROM temp.folder f WHERE f.part = c.part) || ' and ' ||"
        " (SELECT dir FROM temp.folder f WHERE f.part = d.part) || ' have others:' || %s"
        " FROM temp.definition d JOIN temp.chosen USING (name, size)"
        " JOIN temp.definition c ON c.id = chosen.id WHERE d.id <> c.id;",
        differs);
    bool done = merge_execute(store, sql, error);

    free(differs);
    return done;
}

/* A place that two tasks have: they differ in their builds, or it is another experiment.  */
#define UP_TO_BUILD(key) "substr(" key ", 1, instr(" key ", ' build='))"

/* clang-format off */
static const char compare_places[] =
    "CREATE TEMP TABLE doubled AS SELECT definition, seq FROM temp.place JOIN temp.chosen"
    " ON chosen.id = place.definition GROUP BY definition, seq HAVING count(*) > 1;"
    "INSERT INTO temp.conflict SELECT"
    " iif(count(DISTINCT " UP_TO_BUILD("t.key") ") > 1, 'definition', 'build'),"
    " c.name || ' (' || c.size || '): ' || min(t.key) || ' and ' || max(t.key) ||"
    " ' are task ' || p.seq FROM temp.doubled p JOIN temp.place x USING (definition, seq)"
    " JOIN temp.chosen c ON c.id = p.definition JOIN main.task t ON t.id = x.task"
    " GROUP BY p.definition, p.seq ORDER BY c.name, c.size, p.seq;"
    "DELETE FROM temp.place WHERE (definition, seq) IN"
    " (SELECT definition, seq FROM temp.doubled)"
    " AND task <> (SELECT t.id FROM temp.place o JOIN main.task t ON t.id = o.task"
    " WHERE o.definition = place.definition AND o.seq = place.seq"
    " ORDER BY t.finished DESC, t.key LIMIT 1);";
/* clang-format on */

/* What a part took counts once: one whose sweeps another part has too adds nothing.  */
static const char count_used[] =
    "CREATE TEMP TABLE covers AS SELECT o.part AS whole, u.part AS share FROM temp.folder o"
    " JOIN temp.folder u ON o.part <> u.part WHERE NOT EXISTS (SELECT 1 FROM temp.part_sweep a"
    " WHERE a.part = u.part AND NOT EXISTS (SELECT 1 FROM temp.part_sweep b WHERE"
    " b.part = o.part AND b.sweep = a.sweep));"
    "DELETE FROM temp.used WHERE part IN (SELECT share FROM temp.covers c WHERE whole < share"
    " OR NOT EXISTS (SELECT 1 FROM temp.covers b WHERE b.whole = c.share AND"
    " b.share = c.whole));";

/* Rows for a table of the new store, from SELECT.  */
static bool write_rows(struct store *store, enum table_id which, const char *columns,
                       const char *select, struct error *error)
{
    char *sql =
        memory_printf("INSERT INTO main.%s (%s) %s", store_tables[which].name, columns, select);

    return merge_execute(store, sql, error) && sum_anew(store, which, "", NULL, 0, error);
}

bool merge_end(struct store *store, struct error *error)
{
    char *columns = merge_columns(TABLE_EXPERIMENT, "@", ", ");
    char *own = merge_columns(TABLE_EXPERIMENT, "d.@", ", ");
    char *with_used = memory_printf("%s, used_s", columns);
    char *experiments = memory_printf(
        "SELECT %s, (SELECT coalesce(sum(used_s), 0.0) FROM (SELECT u.used_s FROM temp.used u"
        " WHERE u.name = d.name AND u.size = d.size ORDER BY u.used_s))"
        " FROM temp.definition d JOIN temp.chosen USING (id) ORDER BY d.name, d.size",
        own);
    bool done = store_execute(store, choose_definitions, error) &&
                compare_definitions(store, error) && store_execute(store, compare_places, error) &&
                store_execute(store, count_used, error) &&
                write_rows(store, TABLE_EXPERIMENT, with_used, experiments, error) &&
                write_rows(store, TABLE_EXPERIMENT_TASK, "experiment, size, seq, task",
                           "SELECT c.name, c.size, p.seq, p.task FROM temp.place p"
                           " JOIN temp.chosen c ON c.id = p.definition ORDER BY 1, 2, 3",
                           error) &&
                write_rows(store, TABLE_LAYER_USE, "experiment, size, workload, network, uses",
                           "SELECT c.name, c.size, p.workload, p.network, p.uses FROM temp.uses p"
                           " JOIN temp.chosen c ON c.id = p.definition ORDER BY 1, 2, 3, 4",
                           error);

    free(experiments);
    free(with_used);
    free(own);
    free(columns);
    return done;
}
