/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results store: bringing an older file up to date.
 *
 * In schema 4, `provenance` was (name, value) of the latest sweep into the folder, and
 * `machine` the constants that the latest sweep of kernels had measured.  Which build
 * ran a row before that can't be known any more: all rows become those of one sweep
 * that says so.  */
#include <config.h>

#include <stdlib.h>

#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "harness/store/store_plan.h"
#include "harness/store/store_sum.h"
#include "harness/store/store_table.h"
#include "lib/base/memory.h"

static const char inherited[] =
    "from the latest sweep into this folder, when rows had no provenance of their own";

/* Writes the sweep whose rows all that is there becomes.  */
static bool put_sweep(struct store *store, struct error *error)
{
    struct store_pair *pair;
    struct rows rows;
    int64_t id;
    bool done =
        rows_query(&rows, store, "SELECT name, value FROM old_provenance WHERE name IS NOT NULL",
                   NULL, 0, error);

    if (done) {
        pair = memory_alloc(rows.count + 1, sizeof *pair);
        for (size_t i = 0; i < rows.count; i++)
            pair[i] = (struct store_pair){rows_text(&rows, i, 0), rows_text(&rows, i, 1)};
        pair[rows.count] = (struct store_pair){"inherited", inherited};
        store_begin_sweep(store, pair, rows.count + 1);
        done = store_sweep(store, &id, error);
        store_end_sweep(store);
        free(pair);
    }
    rows_clear(&rows);
    return done;
}

static bool add_new(struct store *store, int version, struct error *error)
{
    char *sql = store_schema_since(version);
    bool done = store_execute(store, sql, error);

    free(sql);
    return done;
}

/* Before PACKED_SINCE offsets were 8 bytes each.  */
static bool pack_plans(struct store *store, int version, struct error *error)
{
    return version == 0 || version >= PACKED_SINCE || store_execute(store, PACK_PLANS, error);
}

/* A row that has no checksum, where others have, stays without.  */
static bool sum_rows(struct store *store, int version, struct error *error)
{
    const char *which = version < SUM_SINCE ? "" : "WHERE row_checksum IS NOT NULL";

    for (enum table_id t = 0; t < TABLES; t++)
        if (!sum_anew(store, t, which, NULL, 0, error))
            return false;
    return true;
}

bool store_migrate(struct store *store, int version, struct error *error)
{
    static const char before[] = "ALTER TABLE provenance RENAME TO old_provenance;"
                                 "ALTER TABLE machine RENAME TO old_machine";
    /* The sweep is the first there is.  */
    static const char after[] = "UPDATE task SET sweep = 1;"
                                "UPDATE conv SET final_sweep = 1 WHERE final_s IS NOT NULL;"
                                "INSERT INTO constant (sweep, isa, name, value)"
                                " SELECT 1, isa, name, value FROM old_machine;"
                                "DROP TABLE old_provenance;"
                                "DROP TABLE old_machine";

    if (version != 4)
        return add_new(store, version, error) && pack_plans(store, version, error) &&
               sum_rows(store, version, error);
    return store_execute(store, before, error) && add_new(store, version, error) &&
           put_sweep(store, error) && store_execute(store, after, error) &&
           pack_plans(store, version, error) && sum_rows(store, version, error);
}
