#include <config.h>

#include "lib/problem/instance_csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/csv.h"
#include "lib/base/file.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_gaps.h"

#define EXPECTED_HEADER "id,lower,upper,size"

static bool read_header(struct csv *csv, struct csv_header *header, FILE *notices,
                        struct error *error)
{
    static const enum csv_field required[] = {CSV_ID, CSV_LOWER, CSV_UPPER, CSV_SIZE};
    size_t offset;

    if (!csv_header(csv, header, required, sizeof required / sizeof required[0], EXPECTED_HEADER,
                    error))
        return false;
    offset = header->where[CSV_OFFSET];
    if (offset != SIZE_MAX)
        return csv_error(csv, csv->cell[offset].column, error,
                         "the column 'offset' makes this a plan, which verify takes; expected an "
                         "instance, with a header such as " EXPECTED_HEADER);
    if (notices != NULL && header->inclusive)
        fprintf(notices,
                "%s: the column 'end' holds the last step of each lifetime, as in MiniMalloc's "
                "format; a half-open end is called 'upper'\n",
                csv->path);
    if (notices != NULL && header->where[CSV_HINT] != SIZE_MAX)
        fprintf(notices, "%s: the column 'hint' is ignored\n", csv->path);
    return true;
}

/* What a row says, but for the id.  */
struct row {
    int64_t lower, upper, size, alignment;
};

/* Adds the buffer of the current row.  */
static bool add_row(struct csv *csv, const struct csv_header *header, const struct row *row,
                    struct instance *instance, struct error *error)
{
    size_t gaps = header->where[CSV_GAPS], count = 0, index;
    struct piece *piece = NULL;
    const char *id;

    if (gaps != SIZE_MAX && !gaps_read(csv, gaps, header->inclusive, row->lower, row->upper,
                                       row->size, &piece, &count, error))
        return false;
    id = csv_text(csv, header->where[CSV_ID]);
    if (count == 0) {
        instance_add(instance, id, row->lower, row->upper, row->size, row->alignment);
    } else {
        index = instance_add_pieces(instance, id, piece, count, row->alignment);
        instance->buffer[index].size = row->size;
    }
    free(piece);
    return true;
}

static bool read_row(const struct csv *csv, const struct csv_header *header, struct row *row,
                     struct error *error)
{
    const size_t *where = header->where;

    row->alignment = 1;
    if (csv->cell[where[CSV_ID]].length == 0)
        return csv_error(csv, csv->cell[where[CSV_ID]].column, error,
                         "an empty id; expected a name without commas");
    return csv_int(csv, where[CSV_LOWER], "lower", INT64_MIN, &row->lower, error) &&
           csv_upper(csv, header, row->lower, &row->upper, error) &&
           csv_int(csv, where[CSV_SIZE], "size", 0, &row->size, error) &&
           (where[CSV_ALIGNMENT] == SIZE_MAX ||
            csv_int(csv, where[CSV_ALIGNMENT], "alignment", 1, &row->alignment, error));
}

/* Makes the row that holds buffer INDEX (of the empty ones if EMPTY) current,
 * by reading the file anew: places are only needed for a message.  */
static void find_row(struct csv *csv, const struct csv_header *header, bool empty, size_t index)
{
    struct row row;
    size_t seen[2] = {0, 0};

    csv_rewind(csv);
    while (csv_next(csv, NULL) == CSV_ROW && read_row(csv, header, &row, NULL))
        if (seen[row.size == 0]++ == index && (row.size == 0) == empty)
            return;
}

/* Gives a fault of the whole its place in the file.  */
static bool place_fault(struct csv *csv, const struct csv_header *header,
                        const struct instance *instance, const struct instance_fault *fault,
                        struct error *error)
{
    size_t id = header->where[CSV_ID], line, other;
    struct error text = {""};
    struct csv_shown shown;

    if (fault->index == SIZE_MAX)
        return error_prefix(error, "%s", csv->path);
    find_row(csv, header, fault->empty, fault->index);
    if (error != NULL)
        text = *error;
    if (fault->other == SIZE_MAX)
        return csv_error(csv, csv->cell[id].column, error, "%s", text.text);
    line = csv->line;
    if (fault->other < instance->n)
        find_row(csv, header, false, fault->other);
    else
        find_row(csv, header, true, fault->other - instance->n);
    other = csv->line;
    if (other < line) /* the later of the two is the one to blame */
        find_row(csv, header, fault->empty, fault->index);
    shown = csv_shown(csv->cell[id].text, csv->cell[id].length);
    return csv_error(csv, csv->cell[id].column, error,
                     "the id '%s' stands already at line %zu; expected unique ids", shown.text,
                     other < line ? other : line);
}

static bool read_instance(struct csv *csv, struct instance *instance, FILE *notices,
                          struct error *error)
{
    struct csv_header header;
    struct instance_fault fault;
    enum csv_step step;
    struct row row;

    if (!read_header(csv, &header, notices, error))
        return false;
    while ((step = csv_next(csv, error)) == CSV_ROW) {
        if (!read_row(csv, &header, &row, error) || !add_row(csv, &header, &row, instance, error))
            return false;
    }
    if (step == CSV_BAD)
        return false;
    return instance_seal(instance, &fault, error) ||
           place_fault(csv, &header, instance, &fault, error);
}

struct instance *instance_csv_read(FILE *in, const char *path, FILE *notices, struct error *error)
{
    const char *slash = strrchr(path, '/');
    struct instance *instance;
    struct csv csv;
    bool good;

    if (!csv_open(&csv, in, path, error))
        return NULL;
    instance = instance_new(slash != NULL ? slash + 1 : path);
    good = read_instance(&csv, instance, notices, error);
    csv_close(&csv);
    if (good)
        return instance;
    instance_free(instance);
    return NULL;
}

size_t instance_csv_widened(const struct instance *instance)
{
    size_t widened = 0;

    for (size_t b = 0; b < instance->n && instance->shapes; b++)
        widened += !gaps_write(NULL, instance, b);
    return widened;
}

bool instance_csv_write(FILE *out, const struct instance *instance)
{
    bool aligned = instance->max_alignment > 1, gaps = instance->shapes;

    fprintf(out, "id,lower,upper,size%s%s\n", aligned ? ",alignment" : "", gaps ? ",gaps" : "");
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        fprintf(out, "%s,%" PRId64 ",%" PRId64 ",%" PRId64, buffer->id, buffer->begin, buffer->end,
                buffer->size);
        if (aligned)
            fprintf(out, ",%" PRId64, buffer->alignment);
        if (gaps) {
            fputc(',', out);
            gaps_write(out, instance, b);
        }
        fputc('\n', out);
    }
    for (size_t i = 0; i < instance->n_empty; i++)
        fprintf(out, "%s,%" PRId64 ",%" PRId64 ",0%s%s\n", instance->empty[i].id,
                instance->empty[i].begin, instance->empty[i].end, aligned ? ",1" : "",
                gaps ? "," : "");
    return file_flush(out);
}
