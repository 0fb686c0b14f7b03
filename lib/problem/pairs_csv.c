/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/problem/pairs_csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/csv.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/problem/instance.h"

#define EXPECTED_HEADER "kind,a,b,cost"

enum column { KIND, A, B, COLUMNS };

struct by_id {
    const char *id;
    size_t buffer;
};

/* Where a pair stands.  */
struct place {
    size_t line, column;
};

struct reading {
    struct csv csv;
    const struct instance *instance;
    struct pairs *pairs;
    size_t where[COLUMNS], cost; /* SIZE_MAX: there is no such column */
    struct by_id *by_id;
    struct place *place; /* of each pair */
    size_t pairs_room, places_room, costs_room;
    int64_t sum;
};

static int compare_ids(const void *a, const void *b)
{
    return strcmp(((const struct by_id *)a)->id, ((const struct by_id *)b)->id);
}

static bool read_buffer(struct reading *reading, enum column column, size_t *buffer,
                        struct error *error)
{
    struct csv *csv = &reading->csv;
    const struct csv_cell *cell = &csv->cell[reading->where[column]];
    const struct by_id sought = {.id = csv_text(csv, reading->where[column])};
    const struct by_id *found =
        bsearch(&sought, reading->by_id, reading->instance->n, sizeof sought, compare_ids);

    if (found == NULL)
        return csv_error(csv, cell->column, error, "the instance has no buffer '%s'",
                         csv_shown(cell->text, cell->length).text);
    *buffer = found->buffer;
    return true;
}

static bool add_cost(struct reading *reading, size_t a, size_t b, struct error *error)
{
    struct pairs *pairs = reading->pairs;
    struct csv *csv = &reading->csv;
    int64_t cost;

    if (reading->cost == SIZE_MAX)
        return csv_error(
            csv, csv->cell[reading->where[KIND]].column, error,
            "the kind 'reuse' wants a column cost; expected the header " EXPECTED_HEADER);
    if (!csv_int(csv, reading->cost, "cost", 0, &cost, error))
        return false;
    if (!checked_add(reading->sum, cost, &reading->sum))
        return csv_error(csv, csv->cell[reading->cost].column, error,
                         "the sum of the costs overflows 64 bits");
    pairs->cost =
        memory_grow(pairs->cost, &reading->costs_room, pairs->n_costs + 1, sizeof *pairs->cost);
    pairs->cost[pairs->n_costs++] = (struct reuse_cost){a, b, cost};
    return true;
}

static bool read_row(struct csv *csv, void *context, struct error *error)
{
    struct reading *reading = context;
    struct pairs *pairs = reading->pairs;
    const struct csv_cell *cell = &csv->cell[reading->where[KIND]];
    enum conflict_kind kind = CONFLICT_APART;
    char word[12] = "";
    size_t a, b;

    if (!read_buffer(reading, A, &a, error) || !read_buffer(reading, B, &b, error))
        return false;
    if (a == b)
        return csv_error(csv, csv->cell[reading->where[B]].column, error,
                         "a pair of '%s' with itself; expected two buffers",
                         reading->instance->buffer[a].id);
    if (cell->length < sizeof word)
        memcpy(word, cell->text, cell->length);
    if (strcmp(word, "reuse") == 0)
        return add_cost(reading, a, b, error);
    while (kind <= CONFLICT_TOGETHER && strcmp(conflict_kind_name(kind), word) != 0)
        kind++;
    if (kind > CONFLICT_TOGETHER)
        return csv_error(csv, cell->column, error,
                         "no kind '%s'; expected apart, exclusive, together or reuse",
                         csv_shown(cell->text, cell->length).text);
    pairs->pair =
        memory_grow(pairs->pair, &reading->pairs_room, pairs->n_pairs + 1, sizeof *pairs->pair);
    reading->place = memory_grow(reading->place, &reading->places_room, pairs->n_pairs + 1,
                                 sizeof *reading->place);
    reading->place[pairs->n_pairs] = (struct place){csv->line, cell->column};
    pairs->pair[pairs->n_pairs++] = (struct conflict_pair){kind, a, b};
    return true;
}

/* --- contradictions --- */

/* Two buffers without an order, and the row that says something of them.  */
struct said {
    size_t low, high, row;
};

static int compare_said(const void *a, const void *b)
{
    const struct said *x = a, *y = b;
    int order = ORDER(x->low, y->low);

    if (order == 0)
        order = ORDER(x->high, y->high);
    return order != 0 ? order : ORDER(x->row, y->row);
}

static bool contradict(enum conflict_kind a, enum conflict_kind b)
{
    return a != b && (a == CONFLICT_APART || b == CONFLICT_APART);
}

/* The first row that contradicts one above it, which OTHER receives: about the same two buffers,
 * one says that they are apart.  SIZE_MAX: none does.  */
static size_t find_contradiction(const struct pairs *pairs, size_t *other)
{
    struct said *said = memory_alloc(pairs->n_pairs, sizeof *said);
    size_t row = SIZE_MAX;

    for (size_t i = 0; i < pairs->n_pairs; i++) {
        const struct conflict_pair *pair = &pairs->pair[i];

        said[i] = (struct said){pair->a < pair->b ? pair->a : pair->b,
                                pair->a < pair->b ? pair->b : pair->a, i};
    }
    sort_stable(said, pairs->n_pairs, sizeof *said, compare_said);
    for (size_t i = 1; i < pairs->n_pairs; i++)
        if (said[i].low == said[i - 1].low && said[i].high == said[i - 1].high &&
            said[i].row < row &&
            contradict(pairs->pair[said[i].row].kind, pairs->pair[said[i - 1].row].kind)) {
            row = said[i].row;
            *other = said[i - 1].row;
        }
    memory_free(said);
    return row;
}

static bool check_contradictions(const struct reading *reading, struct error *error)
{
    const struct buffer *buffer = reading->instance->buffer;
    const struct conflict_pair *pair = reading->pairs->pair;
    size_t other = 0, row = find_contradiction(reading->pairs, &other);

    return row == SIZE_MAX ||
           error_set(error, "%s:%zu:%zu: buffers '%s' and '%s' are %s, and %s (line %zu)",
                     reading->csv.path, reading->place[row].line, reading->place[row].column,
                     buffer[pair[row].a].id, buffer[pair[row].b].id,
                     conflict_kind_name(pair[row].kind), conflict_kind_name(pair[other].kind),
                     reading->place[other].line);
}

/* --- all --- */

static void find_cost(struct reading *reading)
{
    reading->cost = SIZE_MAX;
    for (size_t c = 0; c < reading->csv.cells; c++)
        if (reading->csv.cell[c].length == 4 && memcmp(reading->csv.cell[c].text, "cost", 4) == 0)
            reading->cost = c;
}

void pairs_clear(struct pairs *pairs)
{
    memory_free(pairs->pair);
    memory_free(pairs->cost);
}

bool pairs_csv_read(FILE *in, const char *path, const struct instance *instance,
                    struct pairs *pairs, struct error *error)
{
    static const char *const names[COLUMNS] = {"kind", "a", "b"};
    struct reading reading = {.instance = instance, .pairs = pairs};
    const size_t n = instance->n;
    bool good;

    *pairs = (struct pairs){0};
    if (!csv_open(&reading.csv, in, path, error))
        return false;
    reading.by_id = memory_alloc(n, sizeof *reading.by_id);
    for (size_t b = 0; b < n; b++)
        reading.by_id[b] = (struct by_id){instance->buffer[b].id, b};
    sort_stable(reading.by_id, n, sizeof *reading.by_id, compare_ids);
    good = csv_named_header(&reading.csv, names, COLUMNS, EXPECTED_HEADER, reading.where, error);
    if (good) {
        find_cost(&reading);
        good = csv_rows(&reading.csv, read_row, &reading, error) &&
               check_contradictions(&reading, error);
    }
    memory_free(reading.by_id);
    memory_free(reading.place);
    csv_close(&reading.csv);
    return good;
}

bool pairs_csv_write(FILE *out, const struct instance *instance, const struct pairs *pairs)
{
    const struct buffer *buffer = instance->buffer;

    fprintf(out, EXPECTED_HEADER "\n");
    for (size_t i = 0; i < pairs->n_pairs; i++)
        fprintf(out, "%s,%s,%s,\n", conflict_kind_name(pairs->pair[i].kind),
                buffer[pairs->pair[i].a].id, buffer[pairs->pair[i].b].id);
    for (size_t i = 0; i < pairs->n_costs; i++)
        fprintf(out, "reuse,%s,%s,%" PRId64 "\n", buffer[pairs->cost[i].a].id,
                buffer[pairs->cost[i].b].id, pairs->cost[i].cost);
    return file_flush(out);
}
