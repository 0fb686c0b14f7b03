/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row's checksum, worked out by hand (FNV-1a over type, length and bytes of each value, both
 * halves as one), and which values a row may have.  */
#include <config.h>

#include "harness/store/store_checksum.h"

#include <stdlib.h>
#include <string.h>

#include "harness/store/store.h"
#include "lib/base/memory.h"
#include "tests/support/store_answer.h"
#include "tests/support/tap.h"

static void sums(struct store *store)
{
    is_answer(store, "SELECT row_sum()", "-808403007;", "of nothing");
    is_answer(store, "SELECT row_sum(1, 'a', 2.5, NULL, x'00')", "-1125967036;", "of each type");
    is_answer(store, "SELECT row_sum(-1, 0.0)", "-488497884;", "of a negative number, and of zero");
    is_answer(store, "SELECT row_sum('ab', 'c') <> row_sum('a', 'bc')", "1;", "of texts apart");
    is_answer(store,
              "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)"
              " SELECT min(row_sum(i)) < -2140000000, min(row_sum(i)) >= -2147483648,"
              " max(row_sum(i)) > 2140000000, max(row_sum(i)) < 2147483648 FROM n",
              "1|1|1|1;", "all that four bytes hold");
}

/* The columns of a table, one of them with VALUE (SQL), the others without or right.  */
static char *row_with(const struct table *table, const char *column, const char *value)
{
    char *sql = memory_strdup("SELECT NULL AS row_checksum");

    for (const struct column *c = table->column; c < table->column + table->count; c++) {
        const char *of = strcmp(c->name, column) == 0 ? value
                         : c->kind == COLUMN_CHECKSUM ? "'0123456789abcdef'"
                                                      : "NULL";

        sql = memory_append(sql, ", %s AS %s", of, c->name);
    }
    return sql;
}

/* What is wrong with such a row is WANT; "" is nothing.  */
static void fault(struct store *store, enum table_id which, const char *column, const char *value,
                  const char *want)
{
    const struct table *table = &store_tables[which];
    char *row = row_with(table, column, value), *rule = sum_fault(table);
    char *sql = memory_printf("SELECT %s FROM (%s)", rule, row), *all = memory_printf("%s;", want);

    is_answer(store, sql, all, value);
    free(all);
    free(sql);
    free(rule);
    free(row);
}

/* A number that can't be negative, a flag, and a column of each kind.  */
static void values(struct store *store)
{
    static const char *const right[] = {"0", "1", "NULL"}, *const wrong[] = {"2", "-1", "'1'"};

    for (size_t i = 0; i < 3; i++) {
        fault(store, TABLE_TASK, "timed", right[i], "");
        fault(store, TABLE_TASK, "timed", wrong[i], "timed has no value of its kind");
    }
    fault(store, TABLE_PLAN, "lower_bound", "0", "");
    fault(store, TABLE_PLAN, "lower_bound", "-1", "lower_bound is '-1', which can't be");
    fault(store, TABLE_PLAN, "nodes", "0", "");
    fault(store, TABLE_PLAN, "nodes", "-1", "nodes is '-1', which can't be");
    fault(store, TABLE_PLAN, "nodes", "1.5", "nodes has no value of its kind");
    fault(store, TABLE_TASK, "time_s", "0.0", "");
    fault(store, TABLE_TASK, "time_s", "-0.5", "time_s is '-0.5', which can't be");
    fault(store, TABLE_TASK, "time_s", "1", "time_s has no value of its kind");
    fault(store, TABLE_FORM, "text", "x'00'", "text has no value of its kind");
    fault(store, TABLE_WORKLOAD, "checksum", "'0123456789abcdef'", "");
    fault(store, TABLE_WORKLOAD, "checksum", "'0123456789abcde'",
          "checksum is '0123456789abcde', which can't be");
    fault(store, TABLE_WORKLOAD, "checksum", "'0123456789abcdef0'",
          "checksum is '0123456789abcdef0', which can't be");
    fault(store, TABLE_WORKLOAD, "checksum", "NULL", "checksum has no value of its kind");
}

/* Columns that have one of a few words.  */
static void words(struct store *store)
{
    static const struct {
        enum table_id table;
        const char *column, *words;
    } few[] = {
        {TABLE_PROVENANCE, "kind", "build machine sweep"},
        {TABLE_EXPERIMENT, "size", "quick full"},
        {TABLE_WORKLOAD, "kind", "network generator file layer"},
        {TABLE_EXPERIMENT_TASK, "size", "quick full"},
        {TABLE_TASK, "kind", "plan conv run"},
        {TABLE_TASK, "outcome", "invalid optimal timeout memout crashed feasible measured skipped"},
        {TABLE_PLAN, "layout", "arena objects separate"},
        {TABLE_PLAN, "replay", "none bytes scaled segments"},
        {TABLE_MEASUREMENT, "name", "incumbent bound joined_bound"},
    };

    for (size_t f = 0; f < sizeof few / sizeof few[0]; f++) {
        char *all = memory_strdup(few[f].words), *save = NULL;
        char *want = memory_printf("%s is 'banana', which can't be", few[f].column);

        for (char *word = strtok_r(all, " ", &save); word != NULL;
             word = strtok_r(NULL, " ", &save)) {
            char *value = memory_printf("'%s'", word);

            fault(store, few[f].table, few[f].column, value, "");
            free(value);
        }
        fault(store, few[f].table, few[f].column, "'banana'", want);
        fault(store, few[f].table, few[f].column, "NULL", "");
        free(want);
        free(all);
    }
}

int main(void)
{
    struct error error = {""};
    struct store *store = store_open_memory(&error);

    if (!ok(store != NULL, "a store in memory: %s", error.text))
        return tap_done();
    sums(store);
    values(store);
    words(store);
    store_close(store);
    return tap_done();
}
