/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/problem/instance_csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/csv.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_gaps.h"

#define EXPECTED_HEADER "id,lower,upper,size"

/* What a reading needs to know.  */
struct reading {
    struct csv csv;
    struct csv_header header;
    bool fixed; /* the column `offset` has fixed offsets, and has to be there */
};

static bool read_header(struct reading *reading, FILE *notices, struct error *error)
{
    static const enum csv_field required[] = {CSV_ID, CSV_LOWER, CSV_UPPER, CSV_SIZE, CSV_OFFSET};
    struct csv *csv = &reading->csv;
    struct csv_header *header = &reading->header;
    size_t count = sizeof required / sizeof required[0] - !reading->fixed, offset;

    if (!csv_header(csv, header, required, count,
                    reading->fixed ? EXPECTED_HEADER ",offset" : EXPECTED_HEADER, error))
        return false;
    offset = header->where[CSV_OFFSET];
    if (offset != SIZE_MAX && !reading->fixed)
        return csv_error(csv, csv->cell[offset].column, error,
                         "the column 'offset' makes this a plan, which verify takes; expected an "
                         "instance, with a header such as " EXPECTED_HEADER
                         " (of an instance with fixed offsets, FILE:fixed=on)");
    if (notices != NULL && header->inclusive)
        people_print(
            notices,
            "%s: the column 'end' holds the last step of each lifetime, as in MiniMalloc's "
            "format; a half-open end is called 'upper'\n",
            csv->path);
    if (notices != NULL && header->where[CSV_HINT] != SIZE_MAX)
        people_print(notices, "%s: the column 'hint' is ignored\n", csv->path);
    return true;
}

/* What a row says, but for the id.  */
struct row {
    int64_t lower, upper, size, alignment;
    int64_t fixed;         /* offset; -1: none */
    int64_t reads, writes; /* -1: not said */
};

/* The names in the cell of memories, apart by '+'; none: all.  */
static bool add_memories(struct csv *csv, size_t cell, struct instance *instance, size_t buffer,
                         struct error *error)
{
    char *names = memory_strdup(csv_text(csv, cell)), *rest = names, *name;
    bool good = true;

    while (good && csv->cell[cell].length > 0 && (name = strsep(&rest, "+")) != NULL)
        good = (name[0] != '\0' && instance_allow(instance, buffer, name)) ||
               csv_error(csv, csv->cell[cell].column, error,
                         "expected names of up to %d memories, apart by '+'", INSTANCE_MEMORIES);
    free(names);
    return good;
}

/* The steps in the cell of accesses, ascending, apart by '+', with a w behind those that write; the
 * first is the first of the buffer's life.  None: nobody says.  */
static bool add_accesses(struct csv *csv, size_t cell, struct instance *instance, size_t buffer,
                         struct error *error)
{
    const struct csv_cell *all = &csv->cell[cell];
    const int64_t lower = instance->buffer[buffer].begin, upper = instance->buffer[buffer].end;
    int64_t before = lower;

    for (size_t at = 0, end; at < all->length; at = end + 1) {
        struct csv_cell part = {all->text + at, 0, all->column + at};
        int64_t step;
        bool writes;

        for (end = at; end < all->length && all->text[end] != '+';)
            end++;
        part.length = end - at;
        writes = part.length > 0 && part.text[part.length - 1] == 'w';
        part.length -= writes;
        if (!csv_part_int(csv, &part, "access", INT64_MIN, &step, error))
            return false;
        if (at == 0 ? step != lower : step <= before || step >= upper)
            return csv_error(csv, part.column, error,
                             "the access at step %" PRId64
                             "; expected ascending steps of the buffer's life, from its "
                             "first one on",
                             step);
        if (end + 1 == all->length)
            return csv_error(csv, part.column, error, "expected a step behind '+'");
        instance_add_access(instance, buffer, step, at == 0 || writes);
        before = step;
    }
    return true;
}

/* Adds the buffer of the current row.  */
static bool add_row(struct reading *reading, const struct row *row, struct instance *instance,
                    struct error *error)
{
    struct csv *csv = &reading->csv;
    const struct csv_header *header = &reading->header;
    size_t gaps = header->where[CSV_GAPS], count = 0, index;
    struct piece *piece = NULL;
    const char *id;

    if (gaps != SIZE_MAX && !gaps_read(csv, gaps, header->inclusive, row->lower, row->upper,
                                       row->size, &piece, &count, error))
        return false;
    id = csv_text(csv, header->where[CSV_ID]);
    if (count == 0) {
        index = instance_add(instance, id, row->lower, row->upper, row->size, row->alignment);
    } else {
        index = instance_add_pieces(instance, id, piece, count, row->alignment);
        instance->buffer[index].size = row->size;
    }
    free(piece);
    if (index == SIZE_MAX)
        return true;
    if (row->fixed >= 0)
        instance_fix(instance, index, row->fixed);
    instance->buffer[index].reads = row->reads;
    instance->buffer[index].writes = row->writes;
    return (header->where[CSV_MEMORIES] == SIZE_MAX ||
            add_memories(csv, header->where[CSV_MEMORIES], instance, index, error)) &&
           (header->where[CSV_ACCESSES] == SIZE_MAX ||
            add_accesses(csv, header->where[CSV_ACCESSES], instance, index, error));
}

/* A number of a column that there need not be, nor in each row.  */
static bool read_optional(const struct csv *csv, size_t cell, const char *what, int64_t *value,
                          struct error *error)
{
    *value = -1;
    return cell == SIZE_MAX || csv->cell[cell].length == 0 ||
           csv_int(csv, cell, what, 0, value, error);
}

/* An empty cell of an offset leaves the buffer to the planner.  */
static bool read_row(const struct reading *reading, struct row *row, struct error *error)
{
    const struct csv *csv = &reading->csv;
    const struct csv_header *header = &reading->header;
    const size_t *where = header->where;

    row->alignment = 1;
    if (csv->cell[where[CSV_ID]].length == 0)
        return csv_error(csv, csv->cell[where[CSV_ID]].column, error,
                         "an empty id; expected a name without commas");
    return csv_int(csv, where[CSV_LOWER], "lower", INT64_MIN, &row->lower, error) &&
           csv_upper(csv, header, row->lower, &row->upper, error) &&
           csv_int(csv, where[CSV_SIZE], "size", 0, &row->size, error) &&
           (where[CSV_ALIGNMENT] == SIZE_MAX ||
            csv_int(csv, where[CSV_ALIGNMENT], "alignment", 1, &row->alignment, error)) &&
           read_optional(csv, reading->fixed ? where[CSV_OFFSET] : SIZE_MAX, "offset", &row->fixed,
                         error) &&
           read_optional(csv, where[CSV_READS], "reads", &row->reads, error) &&
           read_optional(csv, where[CSV_WRITES], "writes", &row->writes, error);
}

/* Makes the row that holds buffer INDEX (of the empty ones if EMPTY) current,
 * by reading the file anew: places are only needed for a message.  */
static void find_row(struct reading *reading, bool empty, size_t index)
{
    struct row row;
    size_t seen[2] = {0, 0};

    csv_rewind(&reading->csv);
    while (csv_next(&reading->csv, NULL) == CSV_ROW && read_row(reading, &row, NULL))
        if (seen[row.size == 0]++ == index && (row.size == 0) == empty)
            return;
}

/* Gives a fault of the whole its place in the file.  */
static bool place_fault(struct reading *reading, const struct instance *instance,
                        const struct instance_fault *fault, struct error *error)
{
    struct csv *csv = &reading->csv;
    size_t id = reading->header.where[CSV_ID], line, other;
    struct error text = {""};
    struct csv_shown shown;

    if (fault->index == SIZE_MAX)
        return error_prefix(error, "%s", csv->path);
    find_row(reading, fault->empty, fault->index);
    if (error != NULL)
        text = *error;
    if (fault->other == SIZE_MAX)
        return csv_error(csv, csv->cell[id].column, error, "%s", text.text);
    line = csv->line;
    if (fault->other < instance->n)
        find_row(reading, false, fault->other);
    else
        find_row(reading, true, fault->other - instance->n);
    other = csv->line;
    if (other < line) /* the later of the two is the one to blame */
        find_row(reading, fault->empty, fault->index);
    shown = csv_shown(csv->cell[id].text, csv->cell[id].length);
    return csv_error(csv, csv->cell[id].column, error,
                     "the id '%s' is already used in line %zu; expected unique ids", shown.text,
                     other < line ? other : line);
}

static bool read_instance(struct reading *reading, struct instance *instance, FILE *notices,
                          struct error *error)
{
    struct instance_fault fault;
    enum csv_step step;
    struct row row;

    if (!read_header(reading, notices, error))
        return false;
    while ((step = csv_next(&reading->csv, error)) == CSV_ROW) {
        if (!read_row(reading, &row, error) || !add_row(reading, &row, instance, error))
            return false;
    }
    if (step == CSV_BAD)
        return false;
    return instance_seal(instance, &fault, error) || place_fault(reading, instance, &fault, error);
}

static struct instance *read_all(FILE *in, const char *path, bool fixed, FILE *notices,
                                 struct error *error)
{
    const char *slash = strrchr(path, '/');
    struct reading reading = {.fixed = fixed};
    struct instance *instance;
    bool good;

    if (!csv_open(&reading.csv, in, path, error))
        return NULL;
    instance = instance_new(slash != NULL ? slash + 1 : path);
    good = read_instance(&reading, instance, notices, error);
    csv_close(&reading.csv);
    if (good)
        return instance;
    instance_free(instance);
    return NULL;
}

struct instance *instance_csv_read(FILE *in, const char *path, FILE *notices, struct error *error)
{
    return read_all(in, path, false, notices, error);
}

struct instance *instance_csv_read_fixed(FILE *in, const char *path, FILE *notices,
                                         struct error *error)
{
    return read_all(in, path, true, notices, error);
}

size_t instance_csv_widened(const struct instance *instance)
{
    size_t widened = 0;

    for (size_t b = 0; b < instance->n && instance->shapes; b++)
        widened += !gaps_write(NULL, instance, b);
    return widened;
}

/* Whether some buffer says what is read and written of it.  */
static bool says_traffic(const struct instance *instance)
{
    for (size_t b = 0; b < instance->n; b++)
        if (instance->buffer[b].reads >= 0 || instance->buffer[b].writes >= 0)
            return true;
    return false;
}

static void write_optional(FILE *out, int64_t value)
{
    fputc(',', out);
    if (value >= 0)
        fprintf(out, "%" PRId64, value);
}

static void write_memories(FILE *out, const struct instance *instance, uint32_t memories)
{
    char before = ',';

    for (size_t m = 0; m < instance->n_memories; m++)
        if ((memories >> m & 1) != 0) {
            fprintf(out, "%c%s", before, instance->memory[m]);
            before = '+';
        }
    if (before == ',')
        fputc(',', out);
}

/* Those of buffer B; NEXT, 0 at first, goes on to those of later ones.  */
static void write_accesses(FILE *out, const struct instance *instance, size_t b, size_t *next)
{
    char before = ',';

    for (; *next < instance->n_accesses && instance->access[*next].buffer == b; (*next)++) {
        const struct buffer_access *access = &instance->access[*next];

        fprintf(out, "%c%" PRId64 "%s", before, access->step,
                access->writes && before != ',' ? "w" : "");
        before = '+';
    }
    if (before == ',')
        fputc(',', out);
}

bool instance_csv_write(FILE *out, const struct instance *instance)
{
    bool aligned = instance->max_alignment > 1, fixed = instance->fixed > 0;
    bool gaps = instance->shapes, traffic = says_traffic(instance);
    bool memories = instance->n_memories > 0, accesses = instance->n_accesses > 0;
    size_t next = 0;

    fprintf(out, "id,lower,upper,size%s%s%s%s%s%s\n", aligned ? ",alignment" : "",
            fixed ? ",offset" : "", traffic ? ",reads,writes" : "", memories ? ",memories" : "",
            accesses ? ",accesses" : "", gaps ? ",gaps" : "");
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        fprintf(out, "%s,%" PRId64 ",%" PRId64 ",%" PRId64, buffer->id, buffer->begin, buffer->end,
                buffer->size);
        if (aligned)
            fprintf(out, ",%" PRId64, buffer->alignment);
        if (fixed)
            write_optional(out, buffer->fixed);
        if (traffic) {
            write_optional(out, buffer->reads);
            write_optional(out, buffer->writes);
        }
        if (memories)
            write_memories(out, instance, buffer->memories);
        if (accesses)
            write_accesses(out, instance, b, &next);
        if (gaps) {
            fputc(',', out);
            gaps_write(out, instance, b);
        }
        fputc('\n', out);
    }
    for (size_t i = 0; i < instance->n_empty; i++)
        fprintf(out, "%s,%" PRId64 ",%" PRId64 ",0%s%s%s%s%s%s\n", instance->empty[i].id,
                instance->empty[i].begin, instance->empty[i].end, aligned ? ",1" : "",
                fixed ? "," : "", traffic ? ",," : "", memories ? "," : "", accesses ? "," : "",
                gaps ? "," : "");
    return file_flush(out);
}
