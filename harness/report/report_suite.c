/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/report/report_suite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/store/rows.h"
#include "harness/suite/suite.h"

static bool add_entry(struct store *store, const struct suite_entry *entry, int place,
                      struct error *error)
{
    char checksum[17], number[12], peak[24];
    const char *values[] = {checksum, entry->name, entry->class_name, number, peak};

    snprintf(checksum, sizeof checksum, "%016" PRIx64, entry->checksum);
    snprintf(number, sizeof number, "%d", place);
    snprintf(peak, sizeof peak, "%" PRId64, entry->upper);
    return rows_query(NULL, store,
                      "insert into suite values (?1, ?2, ?3, cast(?4 as integer),"
                      " cast(?5 as integer))",
                      values, 5, error);
}

static bool add_entries(struct store *store, const struct suite *suite, struct error *error)
{
    bool done = true;
    int place = 0;

    for (size_t i = 0; done && i < suite->count; i++) {
        const struct suite_entry *entry = &suite->entry[i];

        place += i == 0 || strcmp(entry[-1].class_name, entry->class_name) != 0;
        done = add_entry(store, entry, place, error);
    }
    return done;
}

bool report_add_suite(struct store *store, struct error *error)
{
    char *folder = suite_folder(NULL), *table = suite_table_path(folder);
    struct suite suite = {0};
    bool done = rows_query(NULL, store,
                           "create temp table suite (checksum text primary key, name text,"
                           " class text, place integer, best_known integer)",
                           NULL, 0, error) &&
                (access(table, F_OK) != 0 || suite_open(&suite, folder, error)) &&
                add_entries(store, &suite, error);

    suite_clear(&suite);
    free(table);
    free(folder);
    return done;
}
