/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/split_csv.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/csv.h"
#include "lib/base/file.h"
#include "lib/problem/buffer_ids.h"
#include "lib/problem/instance.h"
#include "memories/split.h"

#define EXPECTED_HEADER "id,lower,upper,size,memory,offset"

enum column { ID, MEMORY, OFFSET, COLUMNS };

bool split_csv_write(FILE *out, const struct split_problem *problem, const struct split *split)
{
    const struct instance *instance = problem->instance;

    fprintf(out, EXPECTED_HEADER "\n");
    for (size_t b = 0; b < instance->n; b++)
        fprintf(out, "%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%s,%" PRId64 "\n",
                instance->buffer[b].id, instance->buffer[b].begin, instance->buffer[b].end,
                instance->buffer[b].size, problem->memory[split->memory[b]].name, split->offset[b]);
    return file_flush(out);
}

struct reading {
    struct csv csv;
    const struct split_problem *problem;
    struct split *split;
    size_t where[COLUMNS];
    struct buffer_ids ids;
};

/* The memory that the row names.  */
static bool read_memory(struct reading *reading, size_t *memory, struct error *error)
{
    struct csv *csv = &reading->csv;
    const struct csv_cell *cell = &csv->cell[reading->where[MEMORY]];
    const char *name = csv_text(csv, reading->where[MEMORY]);

    for (*memory = 0; *memory < reading->problem->memories; (*memory)++)
        if (strcmp(reading->problem->memory[*memory].name, name) == 0)
            return true;
    return csv_error(csv, cell->column, error, "no memory '%s' was given; expected one of them",
                     csv_shown(cell->text, cell->length).text);
}

static bool read_row(struct csv *csv, void *context, struct error *error)
{
    struct reading *reading = context;
    size_t index, memory;
    int64_t offset;

    if (!buffer_ids_read(&reading->ids, csv, reading->where[ID], "split", &index, error) ||
        !read_memory(reading, &memory, error) ||
        !csv_int(csv, reading->where[OFFSET], "offset", INT64_MIN, &offset, error))
        return false;
    if (index >= reading->problem->instance->n)
        return true; /* where an empty buffer lies means nothing */
    reading->split->memory[index] = memory;
    reading->split->offset[index] = offset;
    return true;
}

bool split_csv_read(FILE *in, const char *path, const struct split_problem *problem,
                    struct split *split, struct error *error)
{
    static const char *const names[COLUMNS] = {"id", "memory", "offset"};
    struct reading reading = {.problem = problem, .split = split};
    bool good;

    if (!csv_open(&reading.csv, in, path, error))
        return false;
    buffer_ids_init(&reading.ids, problem->instance);
    good = csv_named_header(&reading.csv, names, COLUMNS, EXPECTED_HEADER, reading.where, error) &&
           csv_rows(&reading.csv, read_row, &reading, error) &&
           buffer_ids_complete(&reading.ids, &reading.csv, "split", error);
    split->cost = good ? split_cost(problem, split) : SPLIT_NEVER;
    buffer_ids_clear(&reading.ids);
    csv_close(&reading.csv);
    return good;
}
