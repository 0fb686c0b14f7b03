/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging stores: the experiments that tasks belong to.  */
#include <config.h>

#include <stdlib.h>

#include "harness/store/store_merge_private.h"
#include "harness/store/store_checksum.h"
#include "harness/store/store_table.h"
#include "lib/base/memory.h"

/* FORM for each column that a sweep writes about an experiment, whose name stands in it for each @;
 * between them BETWEEN.  The caller frees it.  */
static char *columns(const char *form, const char *between)
{
    const struct table *table = &store_tables[TABLE_EXPERIMENT];
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

/* --- of a part --- */

bool merge_experiments(struct store *store, size_t part, struct error *error)
{
    char *made_of = columns("p.@", ", ");
    bool done = merge_execute(
        store,
        memory_printf(
            "INSERT INTO temp.definition SELECT %zu, row_sum(%s), coalesce((SELECT max(t.finished)"
            "  FROM part.experiment_task e JOIN part.task t ON t.id = e.task"
            "  WHERE e.experiment = p.name AND e.size = p.size), ''), p.* FROM part.experiment p;"
            "INSERT INTO temp.place SELECT d.rowid, e.seq, m.new FROM part.experiment_task e"
            " JOIN temp.definition d ON d.part = %zu AND d.name = e.experiment AND d.size = e.size"
            " JOIN temp.task_map m ON m.old = e.task;"
            "INSERT INTO temp.uses SELECT d.rowid, m.new, p.network, p.uses FROM part.layer_use p"
            " JOIN temp.definition d ON d.part = %zu AND d.name = p.experiment AND d.size = p.size"
            " JOIN temp.workload_map m ON m.old = p.workload;",
            part, made_of, part, part),
        error);

    free(made_of);
    return done;
}

/* --- of all parts --- */

/* The definition that counts is the newest.  Parts that have it say what it is made of.  */
static const char choose[] =
    "CREATE TEMP TABLE chosen AS SELECT definition, name, size, sum FROM"
    " (SELECT rowid AS definition, name, size, sum, row_number() OVER"
    "   (PARTITION BY name, size ORDER BY newest DESC, sum, part) AS rank FROM temp.definition)"
    " WHERE rank = 1;"
    "CREATE TEMP TABLE made AS SELECT d.rowid AS definition, d.name, d.size"
    " FROM temp.definition d JOIN temp.chosen USING (name, size, sum);";

/* The names of the columns in which D and C differ.  */
#define DIFFERS "iif(d.@ IS c.@, '', ' @')"

static bool compare_definitions(struct store *store, struct error *error)
{
    char *differs = columns(DIFFERS, " || ");
    bool done = merge_execute(
        store,
        memory_printf(
            "INSERT INTO temp.conflict SELECT 'definition', d.name || ' (' || d.size || '): ' ||"
            " y.dir || ' and ' || f.dir || ' have others:' || %s FROM (SELECT *, min(part)"
            "  FROM temp.definition GROUP BY name, size, sum) d JOIN temp.folder f USING (part)"
            " JOIN temp.chosen x USING (name, size) JOIN temp.definition c"
            " ON c.rowid = x.definition JOIN temp.folder y ON y.part = c.part"
            " WHERE d.sum <> x.sum",
            differs),
        error);

    free(differs);
    return done;
}

/* What a part took counts once: one whose sweeps another part has too adds nothing.  */
static const char count_used[] =
    "CREATE TEMP TABLE covers AS SELECT o.part AS whole, u.part AS share FROM temp.folder o"
    " JOIN temp.folder u ON o.part <> u.part WHERE NOT EXISTS (SELECT 1 FROM temp.part_sweep a"
    " WHERE a.part = u.part AND NOT EXISTS (SELECT 1 FROM temp.part_sweep b WHERE"
    " b.part = o.part AND b.sweep = a.sweep));"
    "UPDATE temp.definition SET used_s = 0.0 WHERE part IN (SELECT share FROM temp.covers c WHERE"
    " whole < share OR NOT EXISTS (SELECT 1 FROM temp.covers b WHERE b.whole = c.share AND"
    " b.share = c.whole));";

static bool write_experiments(struct store *store, struct error *error)
{
    char *names = columns("@", ", "), *own = columns("d.@", ", ");
    bool done = merge_execute(
        store,
        memory_printf("INSERT INTO main.experiment (%s, used_s) SELECT %s,"
                      " (SELECT sum(used_s) FROM (SELECT u.used_s FROM temp.definition u"
                      "   WHERE u.name = d.name AND u.size = d.size ORDER BY u.used_s))"
                      " FROM temp.definition d JOIN temp.chosen x ON x.definition = d.rowid"
                      " ORDER BY d.name, d.size",
                      names, own),
        error);

    free(own);
    free(names);
    return done;
}

static const char write_places[] =
    "INSERT OR IGNORE INTO main.experiment_task (experiment, size, seq, task)"
    " SELECT name, size, seq, task FROM temp.place JOIN temp.made USING (definition)"
    " ORDER BY name, size, seq;"
    "INSERT OR IGNORE INTO main.layer_use (experiment, size, workload, network, uses)"
    " SELECT name, size, workload, network, uses FROM temp.uses JOIN temp.made USING (definition);";

/* A place that two tasks have: they differ in their builds, or it is another experiment.  It is
 * that of the one that ended last.  */
#define UP_TO_BUILD(key) "substr(" key ", 1, instr(" key ", ' build='))"

/* clang-format off */
static const char compare_places[] =
    "CREATE TEMP TABLE doubled AS SELECT m.name, m.size, p.seq, p.task, x.task AS other"
    " FROM temp.place p JOIN temp.made m USING (definition) JOIN main.experiment_task x"
    " ON x.experiment = m.name AND x.size = m.size AND x.seq = p.seq WHERE x.task <> p.task;"
    "INSERT INTO temp.doubled SELECT DISTINCT name, size, seq, other, task FROM temp.doubled;"
    "INSERT INTO temp.conflict SELECT"
    " iif(count(DISTINCT " UP_TO_BUILD("k.key") ") > 1, 'definition', 'build'),"
    " d.name || ' (' || d.size || '): ' || min(k.key) || ' and ' || max(k.key) ||"
    " ' are task ' || d.seq FROM temp.doubled d JOIN main.task_key k USING (task)"
    " GROUP BY d.name, d.size, d.seq;"
    "INSERT OR REPLACE INTO main.experiment_task (experiment, size, seq, task)"
    " SELECT d.name, d.size, d.seq, d.task FROM temp.doubled d JOIN main.task t ON t.id = d.task"
    " JOIN main.task_key k USING (task) ORDER BY t.finished, k.key DESC;";
/* clang-format on */

/* Of tasks that were not taken.  */
static const char drop_bases[] =
    "DELETE FROM main.base WHERE id NOT IN (SELECT base FROM main.plan WHERE base IS NOT NULL)";

bool merge_end(struct store *store, struct error *error)
{
    return store_execute(store, drop_bases, error) && store_execute(store, choose, error) &&
           compare_definitions(store, error) && store_execute(store, count_used, error) &&
           write_experiments(store, error) && store_execute(store, write_places, error) &&
           store_execute(store, compare_places, error) &&
           sum_anew(store, TABLE_EXPERIMENT, "", NULL, 0, error) &&
           sum_anew(store, TABLE_EXPERIMENT_TASK, "", NULL, 0, error) &&
           sum_anew(store, TABLE_LAYER_USE, "", NULL, 0, error);
}
