/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/csv.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/suggest.h"
#include "lib/base/utf8.h"

/* --- messages --- */

#undef csv_error
bool csv_error(const struct csv *csv, size_t column, struct error *error, const char *format, ...)
{
    char text[sizeof error->text];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_set(error, "%s:%zu:%zu: %s", csv->path, csv->line, column, text);
}

struct csv_shown csv_shown(const char *text, size_t length)
{
    struct csv_shown shown;
    size_t room = sizeof shown.text - sizeof "...";
    size_t keep = length <= room ? length : room;

    /* A cut never falls inside a UTF-8 sequence.  */
    while (keep < length && keep > 0 && ((unsigned char)text[keep] & 0xC0) == 0x80)
        keep--;
    for (size_t i = 0; i < keep; i++)
        shown.text[i] = (unsigned char)text[i] < ' ' || text[i] == 0x7F ? '?' : text[i];
    strcpy(shown.text + keep, keep < length ? "..." : "");
    return shown;
}

/* --- reading and scanning --- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

bool csv_open(struct csv *csv, FILE *in, const char *path, struct error *error)
{
    static const char mark[] = "\xEF\xBB\xBF";
    size_t got;

    *csv = (struct csv){.path = path};
    errno = 0;
    do {
        csv->text = memory_grow(csv->text, &csv->capacity, csv->length + 65536, 1);
        got = fread(csv->text + csv->length, 1, csv->capacity - csv->length, in);
        csv->length += got;
    } while (got > 0);
    if (ferror(in)) {
        error_set(error, "%s: cannot read: %s", path, strerror(errno != 0 ? errno : EIO));
        csv_close(csv);
        return false;
    }
    if (csv->length >= 3 && memcmp(csv->text, mark, 3) == 0)
        csv->start = csv->at = 3;
    return true;
}

void csv_close(struct csv *csv)
{
    free(csv->text);
    free(csv->cell);
    free(csv->scratch);
    *csv = (struct csv){0};
}

/* Is the line text?  What is refused here would break messages, terminals and
 * files written later.  */
static bool check_text(const struct csv *csv, const char *line, size_t length, struct error *error)
{
    const unsigned char *text = (const unsigned char *)line;
    size_t i = 0;

    while (i < length) {
        size_t sequence = 1;

        if (text[i] == '\r')
            return csv_error(csv, i + 1, error,
                             "a carriage return inside a line; expected LF or CRLF line ends");
        if ((text[i] < ' ' && text[i] != '\t') || text[i] == 0x7F)
            return csv_error(csv, i + 1, error, "the control character 0x%02X; expected text",
                             text[i]);
        if (text[i] >= 0x80)
            sequence = utf8_sequence(text + i, length - i);
        if (sequence == 0)
            return csv_error(csv, i + 1, error, "the byte 0x%02X; expected UTF-8 text", text[i]);
        i += sequence;
    }
    return true;
}

/* Takes the next line off the text, without its end.  */
static const char *take_line(struct csv *csv, size_t *length)
{
    const char *line = csv->text + csv->at;
    const char *end = memchr(line, '\n', csv->length - csv->at);

    *length = end != NULL ? (size_t)(end - line) : csv->length - csv->at;
    csv->at += *length + (end != NULL);
    csv->line++;
    if (*length > 0 && line[*length - 1] == '\r')
        --*length;
    return line;
}

static bool empty_line(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!is_blank(line[i]))
            return false;
    return true;
}

static void add_cell(struct csv *csv, const char *line, size_t from, size_t to)
{
    while (from < to && is_blank(line[from]))
        from++;
    while (to > from && is_blank(line[to - 1]))
        to--;
    csv->cell = memory_grow(csv->cell, &csv->cell_capacity, csv->cells + 1, sizeof *csv->cell);
    csv->cell[csv->cells++] = (struct csv_cell){line + from, to - from, from + 1};
}

static void split_line(struct csv *csv, const char *line, size_t length)
{
    size_t from = 0;

    csv->cells = 0;
    csv->end_column = length + 1;
    for (size_t i = 0; i < length; i++)
        if (line[i] == ',') {
            add_cell(csv, line, from, i);
            from = i + 1;
        }
    add_cell(csv, line, from, length);
}

/* After an empty line only empty lines may follow.  */
static enum csv_step check_rest(struct csv *csv, struct error *error)
{
    size_t empty = csv->line;

    while (csv->at < csv->length) {
        size_t length;
        const char *line = take_line(csv, &length);

        if (!empty_line(line, length)) {
            csv_error(csv, 1, error, "data after the empty line %zu; expected the end of the file",
                      empty);
            return CSV_BAD;
        }
    }
    csv->line = empty;
    return CSV_END;
}

enum csv_step csv_next(struct csv *csv, struct error *error)
{
    const char *line;
    size_t length;

    if (csv->at == csv->length) {
        csv->line++;
        csv->end_column = 1;
        return CSV_END;
    }
    line = take_line(csv, &length);
    csv->end_column = 1;
    if (empty_line(line, length))
        return check_rest(csv, error);
    if (!check_text(csv, line, length, error))
        return CSV_BAD;
    split_line(csv, line, length);
    if (csv->header_cells != 0 && csv->cells != csv->header_cells) {
        bool few = csv->cells < csv->header_cells;

        csv_error(csv, few ? csv->end_column : csv->cell[csv->header_cells].column, error,
                  "%zu cells; expected %zu, as many as the header has", csv->cells,
                  csv->header_cells);
        return CSV_BAD;
    }
    return CSV_ROW;
}

bool csv_rows(struct csv *csv, csv_row_reader *read, void *context, struct error *error)
{
    enum csv_step step;

    while ((step = csv_next(csv, error)) == CSV_ROW)
        if (!read(csv, context, error))
            return false;
    return step == CSV_END;
}

bool csv_read_all(FILE *in, const char *path, const char *const *names, size_t count,
                  csv_row_reader *read, void *context, struct error *error)
{
    struct csv csv;
    bool done;

    if (!csv_open(&csv, in, path, error))
        return false;
    done = csv_fixed_header(&csv, names, count, error) && csv_rows(&csv, read, context, error);
    csv_close(&csv);
    return done;
}

void csv_rewind(struct csv *csv)
{
    size_t length;

    csv->at = csv->start;
    csv->line = 0;
    take_line(csv, &length);
}

/* --- the header --- */

static const struct {
    const char *name;
    enum csv_field field;
} column_names[] = {
    {"id", CSV_ID},
    {"buffer", CSV_ID},
    {"buffer_id", CSV_ID},
    {"lower", CSV_LOWER},
    {"begin", CSV_LOWER},
    {"start", CSV_LOWER},
    {"upper", CSV_UPPER},
    {"end", CSV_UPPER},
    {"size", CSV_SIZE},
    {"hint", CSV_HINT},
    {"offset", CSV_OFFSET},
    {"alignment", CSV_ALIGNMENT},
    {"gaps", CSV_GAPS},
    {"reads", CSV_READS},
    {"writes", CSV_WRITES},
    {"memories", CSV_MEMORIES},
    {"accesses", CSV_ACCESSES},
};

#define COLUMN_NAMES (sizeof column_names / sizeof column_names[0])

static bool cell_is(const struct csv *csv, size_t cell, const char *text)
{
    return csv->cell[cell].length == strlen(text) &&
           memcmp(csv->cell[cell].text, text, csv->cell[cell].length) == 0;
}

static bool unknown_column(struct csv *csv, size_t cell, const char *expected, struct error *error)
{
    struct csv_shown shown = csv_shown(csv->cell[cell].text, csv->cell[cell].length);
    const char *names[COLUMN_NAMES];
    char meant[256];
    bool likely;

    for (size_t i = 0; i < COLUMN_NAMES; i++)
        names[i] = column_names[i].name;
    likely = suggest(meant, sizeof meant, "", shown.text, names, COLUMN_NAMES);
    if (csv->cell[cell].length == 0)
        return csv_error(csv, csv->cell[cell].column, error,
                         "a column without a name; expected a header such as %s", expected);
    return csv_error(csv, csv->cell[cell].column, error,
                     "unknown column '%s'%s%s; expected a header such as %s", shown.text,
                     likely ? ", " : "", meant, expected);
}

static bool header_cell(struct csv *csv, size_t cell, struct csv_header *header,
                        const char *expected, struct error *error)
{
    size_t column = csv->cell[cell].column, i = 0;
    enum csv_field field;

    while (i < COLUMN_NAMES && !cell_is(csv, cell, column_names[i].name))
        i++;
    if (i == COLUMN_NAMES)
        return unknown_column(csv, cell, expected, error);
    field = column_names[i].field;
    if (header->where[field] != SIZE_MAX) {
        const struct csv_cell *first = &csv->cell[header->where[field]];

        return csv_error(csv, column, error,
                         "the column '%s' repeats the column '%.*s' at %zu; expected each once",
                         column_names[i].name, (int)first->length, first->text, first->column);
    }
    header->where[field] = cell;
    if (field == CSV_UPPER)
        header->inclusive = strcmp(column_names[i].name, "end") == 0;
    return true;
}

/* Goes to the header line.  */
static bool first_row(struct csv *csv, const char *expected, struct error *error)
{
    switch (csv_next(csv, error)) {
    case CSV_BAD:
        if (csv->line == 1)
            return false;
        /* Data after an empty first line: the header is what is missing.  */
        /* fall through */
    case CSV_END:
        csv->line = 1;
        return csv_error(csv, 1, error, "no header; expected a line such as %s", expected);
    case CSV_ROW:
        break;
    }
    return true;
}

bool csv_fixed_header(struct csv *csv, const char *const *names, size_t count, struct error *error)
{
    if (!first_row(csv, names[0], error))
        return false;
    for (size_t i = 0; i < count; i++)
        if (i >= csv->cells || !cell_is(csv, i, names[i]))
            return csv_error(csv, i < csv->cells ? csv->cell[i].column : csv->end_column, error,
                             "expected a header with '%s' as column %zu of %zu", names[i], i + 1,
                             count);
    if (csv->cells > count)
        return csv_error(csv, csv->cell[count].column, error, "expected %zu columns only", count);
    csv->header_cells = count;
    return true;
}

/* Finds the one cell of the header that is NAME.  */
static bool find_column(const struct csv *csv, const char *name, const char *expected,
                        size_t *where, struct error *error)
{
    *where = SIZE_MAX;
    for (size_t i = 0; i < csv->cells; i++) {
        if (!cell_is(csv, i, name))
            continue;
        if (*where != SIZE_MAX)
            return csv_error(csv, csv->cell[i].column, error,
                             "the column '%s' is at %zu already; expected it once", name,
                             csv->cell[*where].column);
        *where = i;
    }
    return *where != SIZE_MAX ||
           csv_error(csv, csv->end_column, error, "no column '%s'; expected a header such as %s",
                     name, expected);
}

bool csv_named_header(struct csv *csv, const char *const *names, size_t count, const char *expected,
                      size_t *where, struct error *error)
{
    if (!first_row(csv, expected, error))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!find_column(csv, names[i], expected, &where[i], error))
            return false;
    csv->header_cells = csv->cells;
    return true;
}

bool csv_header(struct csv *csv, struct csv_header *header, const enum csv_field *required,
                size_t count, const char *expected, struct error *error)
{
    *header = (struct csv_header){.inclusive = false};
    for (size_t i = 0; i < CSV_FIELDS; i++)
        header->where[i] = SIZE_MAX;
    if (!first_row(csv, expected, error))
        return false;
    for (size_t i = 0; i < csv->cells; i++)
        if (!header_cell(csv, i, header, expected, error))
            return false;
    for (size_t i = 0; i < count; i++)
        if (header->where[required[i]] == SIZE_MAX) {
            size_t name = 0;

            while (column_names[name].field != required[i])
                name++;
            return csv_error(csv, csv->end_column, error,
                             "no column '%s'; expected a header such as %s",
                             column_names[name].name, expected);
        }
    csv->header_cells = csv->cells;
    return true;
}

/* --- cells --- */

const char *csv_text(struct csv *csv, size_t cell)
{
    size_t length = csv->cell[cell].length;

    csv->scratch = memory_grow(csv->scratch, &csv->scratch_capacity, length + 1, 1);
    memcpy(csv->scratch, csv->cell[cell].text, length);
    csv->scratch[length] = '\0';
    return csv->scratch;
}

static bool parse_cell(const struct csv_cell *cell, int64_t *value, bool *overflow)
{
    bool negative = cell->length > 0 && cell->text[0] == '-';
    int64_t result = 0;

    *overflow = false;
    if (cell->length == (size_t)negative)
        return false;
    for (size_t i = negative; i < cell->length; i++)
        if (cell->text[i] < '0' || cell->text[i] > '9')
            return false;
    /* Towards the sign from the start, so that INT64_MIN comes out too.  */
    for (size_t i = negative; i < cell->length; i++) {
        int64_t digit = cell->text[i] - '0';

        if (!checked_mul(result, 10, &result) ||
            !checked_add(result, negative ? -digit : digit, &result)) {
            *overflow = true;
            return false;
        }
    }
    *value = result;
    return true;
}

bool csv_int(const struct csv *csv, size_t cell, const char *what, int64_t low, int64_t *value,
             struct error *error)
{
    return csv_part_int(csv, &csv->cell[cell], what, low, value, error);
}

bool csv_part_int(const struct csv *csv, const struct csv_cell *at, const char *what, int64_t low,
                  int64_t *value, struct error *error)
{
    bool overflow, good = parse_cell(at, value, &overflow);
    struct csv_shown shown;

    if (good && *value >= low)
        return true;
    shown = csv_shown(at->text, at->length);
    if (low == INT64_MIN)
        return csv_error(csv, at->column, error, "%s '%s'; expected a whole number%s", what,
                         shown.text, overflow ? " that fits in 64 bits" : "");
    return csv_error(csv, at->column, error,
                     "%s '%s'; expected a whole number%s, at least %" PRId64, what, shown.text,
                     overflow ? " that fits in 64 bits" : "", low);
}

bool csv_real(struct csv *csv, size_t cell, const char *what, double low, double *value,
              struct error *error)
{
    const char *text = csv_text(csv, cell);
    char *end;

    errno = 0;
    *value = strtod(text, &end);
    if (end != text && *end == '\0' && errno == 0 && isfinite(*value) && *value >= low)
        return true;
    return csv_error(csv, csv->cell[cell].column, error, "%s '%s'; expected a number, at least %g",
                     what, csv_shown(text, strlen(text)).text, low);
}

bool csv_upper(const struct csv *csv, const struct csv_header *header, int64_t lower,
               int64_t *upper, struct error *error)
{
    size_t cell = header->where[CSV_UPPER], column = csv->cell[cell].column;

    if (!csv_int(csv, cell, header->inclusive ? "end" : "upper", INT64_MIN, upper, error))
        return false;
    if (header->inclusive && !checked_add(*upper, 1, upper))
        return csv_error(csv, column, error,
                         "end '%" PRId64 "' is inclusive; expected a number below it", *upper);
    if (*upper <= lower)
        return csv_error(csv, column, error,
                         "the lifetime from %" PRId64 " to before %" PRId64
                         " is empty; expected a later %s",
                         lower, *upper, header->inclusive ? "end" : "upper");
    return true;
}
