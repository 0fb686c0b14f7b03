/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/cuts_csv.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/csv.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "memories/split.h"

enum column { CUT, MEMORY, CAPACITY, ID, COLUMNS };
static const char *const columns[COLUMNS] = {"cut", "memory", "capacity", "id"};

bool cuts_csv_write(FILE *out, const struct split_problem *problem, const struct split_cuts *cuts)
{
    fprintf(out, "cut,memory,capacity,id\n");
    for (size_t c = 0; c < cuts->count; c++)
        for (size_t i = 0; i < cuts->cut[c].count; i++)
            fprintf(out, "%zu,%s,%" PRId64 ",%s\n", c + 1, problem->memory[cuts->cut[c].m].name,
                    cuts->cut[c].capacity, problem->instance->buffer[cuts->cut[c].buffer[i]].id);
    return file_flush(out);
}

struct reading {
    const struct split_problem *problem;
    struct split_cuts *cuts;
};

static bool find_memory(struct csv *csv, const struct reading *reading, size_t *m,
                        struct error *error)
{
    const struct csv_cell *cell = &csv->cell[MEMORY];
    const char *name = csv_text(csv, MEMORY);

    for (*m = 0; *m < reading->problem->memories; (*m)++)
        if (strcmp(reading->problem->memory[*m].name, name) == 0)
            return true;
    return csv_error(csv, cell->column, error, "no memory '%s' was given; expected one of them",
                     csv_shown(cell->text, cell->length).text);
}

static bool find_buffer(struct csv *csv, const struct reading *reading, size_t *b,
                        struct error *error)
{
    const struct csv_cell *cell = &csv->cell[ID];
    const char *id = csv_text(csv, ID);

    for (*b = 0; *b < reading->problem->instance->n; (*b)++)
        if (strcmp(reading->problem->instance->buffer[*b].id, id) == 0)
            return true;
    return csv_error(csv, cell->column, error, "no buffer '%s'; expected one of the instance's",
                     csv_shown(cell->text, cell->length).text);
}

/* Buffer B to the last set, if it is not there.  */
static bool add_member(struct csv *csv, struct split_cut *cut, size_t b, struct error *error)
{
    for (size_t i = 0; i < cut->count; i++)
        if (cut->buffer[i] == b)
            return csv_error(csv, csv->cell[ID].column, error, "the buffer is in this cut already");
    cut->buffer = memory_resize(cut->buffer, cut->count + 1, sizeof *cut->buffer);
    cut->buffer[cut->count++] = b;
    return true;
}

static bool read_row(struct csv *csv, void *context, struct error *error)
{
    struct reading *reading = context;
    struct split_cuts *cuts = reading->cuts;
    int64_t number, capacity;
    struct split_cut *last;
    size_t m, b;

    if (!csv_int(csv, CUT, "cut", 1, &number, error) || !find_memory(csv, reading, &m, error) ||
        !csv_int(csv, CAPACITY, "capacity", 0, &capacity, error) ||
        !find_buffer(csv, reading, &b, error))
        return false;
    if (number == (int64_t)cuts->count + 1) {
        split_cuts_add(cuts, m, capacity, &b, 1);
        return true;
    }
    if (cuts->count == 0 || number != (int64_t)cuts->count)
        return csv_error(csv, csv->cell[CUT].column, error, "cut %" PRId64 "; expected %zu or %zu",
                         number, cuts->count, cuts->count + 1);
    last = &cuts->cut[cuts->count - 1];
    if (last->m != m || last->capacity != capacity)
        return csv_error(csv, csv->cell[MEMORY].column, error,
                         "expected the memory and the capacity of the row before");
    return add_member(csv, last, b, error);
}

bool cuts_csv_read(FILE *in, const char *path, const struct split_problem *problem,
                   struct split_cuts *cuts, struct error *error)
{
    struct reading reading = {problem, cuts};

    return csv_read_all(in, path, columns, COLUMNS, read_row, &reading, error);
}
