/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/known.h"

#include <string.h>

#include "lib/base/csv.h"
#include "lib/base/memory.h"

enum column { FILE_NAME, COST, COLUMNS };

struct reading {
    struct known_costs *known;
    size_t where[COLUMNS], room;
};

static bool read_row(struct csv *csv, void *context, struct error *error)
{
    struct reading *reading = context;
    struct known_costs *known = reading->known;
    const size_t name = reading->where[FILE_NAME], cost = reading->where[COST];
    struct known_cost row = {NULL, -1};

    if (csv->cell[name].length == 0)
        return csv_error(csv, csv->cell[name].column, error, "no file; expected a name");
    if (csv->cell[cost].length > 0 && !csv_int(csv, cost, "best_cost", 0, &row.cost, error))
        return false;
    row.file = memory_strdup(csv_text(csv, name));
    known->row = memory_grow(known->row, &reading->room, known->count + 1, sizeof *known->row);
    known->row[known->count++] = row;
    return true;
}

bool known_costs_read(FILE *in, const char *path, struct known_costs *known, struct error *error)
{
    static const char *const names[] = {"file", "best_cost"};
    struct reading reading = {.known = known};
    struct csv csv;
    bool good;

    *known = (struct known_costs){0};
    if (!csv_open(&csv, in, path, error))
        return false;
    good = csv_named_header(&csv, names, COLUMNS, "file,best_cost", reading.where, error) &&
           csv_rows(&csv, read_row, &reading, error);
    csv_close(&csv);
    return good;
}

void known_costs_clear(struct known_costs *known)
{
    for (size_t i = 0; i < known->count; i++)
        memory_free(known->row[i].file);
    memory_free(known->row);
}

const struct known_cost *known_cost_of(const struct known_costs *known, const char *path)
{
    const size_t length = strlen(path);

    for (size_t i = 0; i < known->count; i++) {
        const size_t own = strlen(known->row[i].file);

        if (own <= length && strcmp(path + length - own, known->row[i].file) == 0 &&
            (own == length || path[length - own - 1] == '/'))
            return &known->row[i];
    }
    return NULL;
}
