/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/split_csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/csv.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
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

/* A buffer by its id; SIZE_MAX is one of size 0.  */
struct known {
    const char *id;
    size_t buffer;
};

struct reading {
    struct csv csv;
    const struct split_problem *problem;
    struct split *split;
    size_t where[COLUMNS];
    size_t count;
    struct known *known; /* by id */
    size_t *line;        /* of each buffer; 0: not yet */
};

static int compare_known(const void *a, const void *b)
{
    const struct known *x = a, *y = b;

    return strcmp(x->id, y->id); /* ids are unique */
}

static void sort_known(struct reading *reading)
{
    const struct instance *instance = reading->problem->instance;

    reading->count = instance->n + instance->n_empty;
    reading->known = memory_alloc(reading->count, sizeof *reading->known);
    for (size_t b = 0; b < instance->n; b++)
        reading->known[b] = (struct known){instance->buffer[b].id, b};
    for (size_t i = 0; i < instance->n_empty; i++)
        reading->known[instance->n + i] = (struct known){instance->empty[i].id, SIZE_MAX};
    qsort(reading->known, reading->count, sizeof *reading->known, compare_known);
}

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
    const struct csv_cell *id = &csv->cell[reading->where[ID]];
    const struct known key = {csv_text(csv, reading->where[ID]), 0};
    const struct known *found =
        bsearch(&key, reading->known, reading->count, sizeof key, compare_known);
    size_t memory;
    int64_t offset;

    if (found == NULL)
        return csv_error(csv, id->column, error,
                         "not a split of this instance: it has no buffer '%s'",
                         csv_shown(id->text, id->length).text);
    if (!read_memory(reading, &memory, error) ||
        !csv_int(csv, reading->where[OFFSET], "offset", INT64_MIN, &offset, error))
        return false;
    if (found->buffer == SIZE_MAX)
        return true; /* where an empty buffer lies means nothing */
    if (reading->line[found->buffer] != 0)
        return csv_error(csv, id->column, error,
                         "the buffer '%s' is already in line %zu; expected each once",
                         csv_shown(id->text, id->length).text, reading->line[found->buffer]);
    reading->line[found->buffer] = csv->line;
    reading->split->memory[found->buffer] = memory;
    reading->split->offset[found->buffer] = offset;
    return true;
}

/* Every buffer has to be there; the message is about the first that is not.  */
static bool check_complete(const struct reading *reading, struct error *error)
{
    const struct instance *instance = reading->problem->instance;

    for (size_t b = 0; b < instance->n; b++)
        if (reading->line[b] == 0)
            return csv_error(
                &reading->csv, 1, error,
                "the split ends without the buffer '%s'; expected every buffer of "
                "the instance",
                csv_shown(instance->buffer[b].id, strlen(instance->buffer[b].id)).text);
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
    sort_known(&reading);
    reading.line = memory_zalloc(problem->instance->n, sizeof *reading.line);
    good = csv_named_header(&reading.csv, names, COLUMNS, EXPECTED_HEADER, reading.where, error) &&
           csv_rows(&reading.csv, read_row, &reading, error) && check_complete(&reading, error);
    split->cost = good ? split_cost(problem, split) : SPLIT_NEVER;
    memory_free(reading.line);
    memory_free(reading.known);
    csv_close(&reading.csv);
    return good;
}
