/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging stores: rows from table to table, where they come from, and what tasks are about.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/store_merge_private.h"
#include "harness/store/store_sum.h"
#include "harness/store/store_table.h"
#include "lib/base/memory.h"

/* --- rows --- */

static const char *value_of(const struct merge_column *set, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(set[i].name, name) == 0)
            return set[i].value;
    return NULL;
}

static bool is_number(const struct column *column)
{
    return !sum_includes(column); /* `id` */
}

/* The checksum is that of the row as it is then.  */
bool merge_copy(struct store *store, enum table_id which, const char *verb,
                const struct merge_column *set, size_t count, const char *behind,
                struct error *error)
{
    const struct table *table = &store_tables[which];
    char *names = memory_strdup(""), *values = memory_strdup(""), *summed = memory_strdup("");
    bool done;

    for (const struct column *c = table->column; c < table->column + table->count; c++) {
        const char *value = value_of(set, count, c->name);
        char *own = value == NULL ? memory_printf("p.%s", c->name) : memory_strdup(value);

        if (value != NULL || !is_number(c)) {
            names = memory_append(names, "%s, ", c->name);
            values = memory_append(values, "%s, ", own);
        }
        if (!is_number(c))
            summed = memory_append(summed, "%s%s", summed[0] == '\0' ? "" : ", ", own);
        free(own);
    }
    done = merge_execute(
        store,
        memory_printf("%s INTO main.%s (%srow_checksum) SELECT %s"
                      "iif(p.row_checksum IS NULL, NULL, row_sum(%s)) FROM part.%s p %s",
                      verb, table->name, names, values, summed, table->name, behind),
        error);
    free(summed);
    free(values);
    free(names);
    return done;
}

bool merge_execute(struct store *store, char *sql, struct error *error)
{
    bool done = store_execute(store, sql, error);

    free(sql);
    return done;
}

char *merge_columns(enum table_id which, const char *form, const char *between)
{
    const struct table *table = &store_tables[which];
    char *text = memory_strdup("");

    for (const struct column *c = table->column; c < table->column + table->count; c++) {
        if (c->offset == COLUMN_NOWHERE)
            continue;
        text = memory_append(text, "%s", text[0] == '\0' ? "" : between);
        for (const char *at = form; *at != '\0'; at++)
            text = *at == '@' ? memory_append(text, "%s", c->name) : memory_append(text, "%c", *at);
    }
    return text;
}

/* --- builds, machines, sweeps --- */

static bool copy_pairs(struct store *store, const char *kind, struct error *error)
{
    const struct merge_column of = {"id", "m.new"};
    char *behind =
        memory_printf("JOIN temp.%s_map m ON m.old = p.id WHERE p.kind = '%s'", kind, kind);
    bool done = merge_copy(store, TABLE_PROVENANCE, "INSERT OR IGNORE", &of, 1, behind, error);

    free(behind);
    return done;
}

/* What is known already has its pairs in its key.  */
static bool copy_keyed(struct store *store, enum table_id which, struct error *error)
{
    const char *name = store_tables[which].name;

    return merge_copy(store, which, "INSERT OR IGNORE", NULL, 0, "ORDER BY p.id", error) &&
           merge_execute(store,
                         memory_printf("DROP TABLE IF EXISTS temp.%s_map;"
                                       "CREATE TEMP TABLE %s_map AS SELECT p.id AS old, m.id AS new"
                                       " FROM part.%s p JOIN main.%s m ON m.key = p.key",
                                       name, name, name, name),
                         error) &&
           copy_pairs(store, name, error);
}

/* A sweep is known by build, machine and all of its pairs, its date and its call among them.  */
static const char map_sweeps[] =
    "DROP TABLE IF EXISTS temp.sweep_text;"
    "CREATE TEMP TABLE sweep_text AS SELECT p.id AS old, coalesce(b.new, 0) AS build,"
    " coalesce(m.new, 0) AS machine, coalesce((SELECT group_concat(pair, char(10)) FROM"
    "  (SELECT quote(name) || '=' || quote(value) AS pair FROM part.provenance"
    "   WHERE kind = 'sweep' AND id = p.id ORDER BY name)), '') AS pairs"
    " FROM part.sweep p LEFT JOIN temp.build_map b ON b.old = p.build"
    " LEFT JOIN temp.machine_map m ON m.old = p.machine;"
    "INSERT OR IGNORE INTO temp.known_sweep (build, machine, pairs)"
    " SELECT build, machine, pairs FROM temp.sweep_text ORDER BY old;"
    "DROP TABLE IF EXISTS temp.sweep_map;"
    "CREATE TEMP TABLE sweep_map (old INTEGER PRIMARY KEY, new INTEGER);"
    "INSERT INTO temp.sweep_map SELECT t.old, k.id FROM temp.sweep_text t"
    " JOIN temp.known_sweep k USING (build, machine, pairs);";

static bool copy_sweeps(struct store *store, size_t part, struct error *error)
{
    static const struct merge_column set[] = {
        {"id", "m.new"}, {"build", "nullif(k.build, 0)"}, {"machine", "nullif(k.machine, 0)"}};
    static const struct merge_column of_sweep = {"sweep", "m.new"};

    return store_execute(store, map_sweeps, error) &&
           merge_copy(store, TABLE_SWEEP, "INSERT OR IGNORE", set, 3,
                      "JOIN temp.sweep_map m ON m.old = p.id"
                      " JOIN temp.known_sweep k ON k.id = m.new",
                      error) &&
           copy_pairs(store, "sweep", error) &&
           merge_copy(store, TABLE_CONSTANT, "INSERT OR IGNORE", &of_sweep, 1,
                      "JOIN temp.sweep_map m ON m.old = p.sweep", error) &&
           merge_execute(store,
                         memory_printf("INSERT OR IGNORE INTO temp.part_sweep"
                                       " SELECT %zu, new FROM temp.sweep_map",
                                       part),
                         error);
}

/* --- workloads --- */

/* Bounds that are not known in one part, as whoever worked them out was killed, are taken from
 * another.  */
#define BOUNDS "w, width_bound, w1_bound, w2_bound, applicable, w1_applicable, reason"
#define KNOWN(row) \
    "coalesce(" row ".w, " row ".width_bound, " row ".w1_bound, " row ".w2_bound) IS NOT NULL"

/* clang-format off */
static const char map_workloads[] =
    "DROP TABLE IF EXISTS temp.workload_map;"
    "CREATE TEMP TABLE workload_map (old INTEGER PRIMARY KEY, new INTEGER);"
    "INSERT INTO temp.workload_map SELECT p.id, m.id FROM part.workload p"
    " JOIN main.workload m ON m.label = p.label AND m.checksum = p.checksum;"
    "DROP TABLE IF EXISTS temp.better;"
    "CREATE TEMP TABLE better AS SELECT x.old, x.new FROM temp.workload_map x"
    " JOIN part.workload p ON p.id = x.old JOIN main.workload m ON m.id = x.new"
    " WHERE NOT " KNOWN("m") " AND (" KNOWN("p") " OR p.reason < m.reason);"
    "UPDATE main.workload SET (" BOUNDS ") = (SELECT " BOUNDS " FROM part.workload WHERE id ="
    " (SELECT old FROM temp.better WHERE new = main.workload.id))"
    " WHERE id IN (SELECT new FROM temp.better);";

static const char compare_workloads[] =
    "INSERT INTO temp.conflict SELECT 'workload', m.label || ': figures or bounds of this instance"
    " are others in ' || (SELECT dir FROM temp.folder ORDER BY part DESC LIMIT 1)"
    " FROM temp.workload_map x JOIN part.workload p ON p.id = x.old"
    " JOIN main.workload m ON m.id = x.new"
    " WHERE (p.kind, p.name, p.params, p.n, p.pairs, p.load, p.width, p.max_size, p.total) IS NOT"
    " (m.kind, m.name, m.params, m.n, m.pairs, m.load, m.width, m.max_size, m.total)"
    " OR (" KNOWN("p") " AND (p.w, p.width_bound, p.w1_bound, p.w2_bound, p.applicable,"
    " p.w1_applicable) IS NOT (m.w, m.width_bound, m.w1_bound, m.w2_bound, m.applicable,"
    " m.w1_applicable));"
    "INSERT INTO temp.conflict SELECT 'workload', w.label || ': its ' || p.name || ' is ' ||"
    " m.value || ', in ' || (SELECT dir FROM temp.folder ORDER BY part DESC LIMIT 1) || ' ' ||"
    " p.value FROM temp.workload_map x JOIN part.fact p ON p.workload = x.old"
    " JOIN main.fact m ON m.workload = x.new AND m.name = p.name"
    " JOIN main.workload w ON w.id = x.new WHERE p.value IS NOT m.value;";
/* clang-format on */

static bool copy_workloads(struct store *store, struct error *error)
{
    static const struct merge_column of_workload = {"workload", "m.new"};

    return merge_copy(store, TABLE_WORKLOAD, "INSERT OR IGNORE", NULL, 0, "ORDER BY p.id", error) &&
           store_execute(store, map_workloads, error) &&
           sum_anew(store, TABLE_WORKLOAD, "WHERE id IN (SELECT new FROM temp.better)", NULL, 0,
                    error) &&
           merge_copy(store, TABLE_FACT, "INSERT OR IGNORE", &of_workload, 1,
                      "JOIN temp.workload_map m ON m.old = p.workload", error) &&
           store_execute(store, compare_workloads, error);
}

bool merge_origins(struct store *store, size_t part, struct error *error)
{
    return copy_keyed(store, TABLE_BUILD, error) && copy_keyed(store, TABLE_MACHINE, error) &&
           copy_sweeps(store, part, error) && copy_workloads(store, error);
}
