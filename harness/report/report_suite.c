/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/report/report_suite.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/store/rows.h"
#include "harness/suite/suite.h"

static bool add_entries(struct store *store, const struct suite *suite, struct error *error)
{
    bool done = true;
    int place = 0;

    for (size_t i = 0; done && i < suite->count; i++) {
        const struct suite_entry *entry = &suite->entry[i];

        place += i == 0 || strcmp(entry[-1].class_name, entry->class_name) != 0;
        done =
            rows_ask(NULL, store, error, "insert into suite values ('%016llx', %Q, %Q, %d, %lld)",
                     (unsigned long long)entry->checksum, entry->name, entry->class_name, place,
                     (long long)entry->upper);
    }
    return done;
}

bool report_add_suite(struct store *store, struct error *error)
{
    char *folder = suite_folder(NULL), *table = suite_table_path(folder);
    struct suite suite = {0};
    bool done = rows_ask(NULL, store, error,
                         "create temp table suite (checksum text primary key, name text,"
                         " class text, place integer, best_known integer)") &&
                (access(table, F_OK) != 0 || suite_open(&suite, folder, error)) &&
                add_entries(store, &suite, error);

    suite_clear(&suite);
    free(table);
    free(folder);
    return done;
}
