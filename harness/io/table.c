/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/table.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/options.h"
#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/base/utf8.h"

/* Of a table whose columns are one text.  */
enum { MOST_COLUMNS = 64 };

struct table {
    size_t columns;
    char **unit; /* of each column, or NULL */
    char **cell; /* the header first, row after row */
    size_t cells, capacity;
};

static void add_cell(struct table *table, char *text)
{
    table->cell = memory_grow(table->cell, &table->capacity, table->cells + 1, sizeof *table->cell);
    table->cell[table->cells++] = text;
}

struct table *table_new(const struct table_column *columns, size_t count)
{
    struct table *table = memory_zalloc(1, sizeof *table);

    table->columns = count;
    table->unit = memory_zalloc(count, sizeof *table->unit);
    for (size_t i = 0; i < count; i++) {
        add_cell(table, memory_strdup(columns[i].name));
        if (columns[i].unit != NULL)
            table->unit[i] = memory_strdup(columns[i].unit);
    }
    return table;
}

struct table *table_named(const char *columns)
{
    char *text = memory_strdup(columns), *rest = text, *name;
    struct table_column column[MOST_COLUMNS];
    struct table *table;
    size_t count = 0;

    while ((name = strsep(&rest, " ")) != NULL) {
        char *colon = strchr(name, ':');

        assert(count < MOST_COLUMNS);
        if (colon != NULL)
            *colon++ = '\0';
        column[count++] = (struct table_column){name, colon};
    }
    table = table_new(column, count);
    free(text);
    return table;
}

size_t table_columns(const struct table *table)
{
    return table->columns;
}

struct table_column table_column(const struct table *table, size_t c)
{
    return (struct table_column){table->cell[c], table->unit[c]};
}

void table_free(struct table *table)
{
    if (table == NULL)
        return;
    for (size_t i = 0; i < table->cells; i++)
        free(table->cell[i]);
    for (size_t i = 0; i < table->columns; i++)
        free(table->unit[i]);
    free(table->unit);
    free(table->cell);
    free(table);
}

void table_cell(struct table *table, const char *format, ...)
{
    char *text;
    va_list args;

    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        memory_exhausted();
    va_end(args);
    add_cell(table, text);
}

void table_add_texts(struct table *table, const char *const *text, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_cell(table, memory_strdup(text[i] != NULL ? text[i] : ""));
}

void table_add_ints(struct table *table, const int64_t *value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        table_cell(table, value[i] == TABLE_NONE ? "" : "%" PRId64, value[i]);
}

void table_real(struct table *table, const char *format, double value)
{
    table_cell(table, isnan(value) ? "" : format, value);
}

struct table *table_turned(struct table *table)
{
    size_t columns = table->columns, rows = table->cells / columns;
    struct table *turned = memory_zalloc(1, sizeof *turned);

    turned->columns = rows;
    turned->unit = memory_zalloc(rows, sizeof *turned->unit);
    for (size_t c = 0; c < columns; c++)
        for (size_t r = 0; r < rows; r++)
            add_cell(turned, memory_strdup(table->cell[r * columns + c]));
    table_free(table);
    return turned;
}

void csv_write_cell(FILE *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

static void print_csv(const struct table *table, FILE *out)
{
    for (size_t i = 0; i < table->cells; i++) {
        csv_write_cell(out, table->cell[i]);
        putc((i + 1) % table->columns == 0 ? '\n' : ',', out);
    }
}

/* --- JSON --- */

void json_write_text(FILE *out, const char *text)
{
    putc('"', out);
    for (size_t length; *text != '\0'; text += length) {
        const unsigned char *at = (const unsigned char *)text;
        size_t sequence = utf8_sequence(at, strnlen(text, 4));
        uint32_t code = sequence > 0 ? utf8_character(at, sequence) : *at < 0x80 ? *at : 0xFFFD;

        length = sequence > 0 ? sequence : 1;
        if (code == '"' || code == '\\')
            fprintf(out, "\\%c", *text);
        else if (people_escape(code) || code == 0xFFFD)
            fprintf(out, "\\u%04x", code);
        else
            fwrite(text, 1, length, out);
    }
    putc('"', out);
}

static const char *skip_digits(const char *text)
{
    return text + strspn(text, "0123456789");
}

bool json_is_number(const char *text)
{
    const char *at = text + (text[0] == '-'), *end = skip_digits(at);

    if (end == at || (at[0] == '0' && end > at + 1))
        return false;
    if (*end == '.') {
        at = end + 1;
        end = skip_digits(at);
        if (end == at)
            return false;
    }
    if (*end == 'e' || *end == 'E') {
        at = end + 1 + (end[1] == '-' || end[1] == '+');
        end = skip_digits(at);
        if (end == at)
            return false;
    }
    return *end == '\0';
}

static void write_json_name(FILE *out, const char *name, const char *unit)
{
    char *whole = memory_printf("%s%s%s", name, unit != NULL && unit[0] != '\0' ? "_" : "",
                                unit != NULL ? unit : "");

    for (char *at = whole; *at != '\0'; at++)
        if (*at == ' ')
            *at = '_';
    json_write_text(out, whole);
    free(whole);
}

static void print_json(const struct table *table, FILE *out)
{
    for (size_t i = table->columns; i < table->cells; i++) {
        size_t c = i % table->columns;
        const char *cell = table->cell[i];

        fputs(c == 0 ? "{" : ", ", out);
        write_json_name(out, table->cell[c], table->unit[c]);
        fputs(": ", out);
        if (table->unit[c] == NULL)
            json_write_text(out, cell);
        else if (json_is_number(cell))
            fputs(cell, out);
        else
            fputs("null", out);
        fputs(c + 1 == table->columns ? "}\n" : "", out);
    }
}

/* --- text --- */

static bool is_number(const char *text)
{
    return text[0] == '\0' || isdigit((unsigned char)text[0]) ||
           ((text[0] == '-' || text[0] == '+') && isdigit((unsigned char)text[1]));
}

static void print_text(const struct table *table, FILE *out)
{
    size_t columns = table->columns;
    char **text = memory_alloc(table->cells, sizeof *text);
    size_t *width = memory_zalloc(columns, sizeof *width);
    bool *right = memory_alloc(columns, sizeof *right);

    for (size_t c = 0; c < columns; c++)
        right[c] = true;
    for (size_t i = 0; i < table->cells; i++) {
        size_t c = i % columns;

        text[i] = people_text(table->cell[i]);
        if (people_width(text[i]) > width[c])
            width[c] = people_width(text[i]);
        if (i >= columns && !is_number(table->cell[i]))
            right[c] = false;
    }
    for (size_t r = 0; r < table->cells; r += columns) {
        size_t used = columns; /* no blanks at the end of a line */

        while (used > 0 && text[r + used - 1][0] == '\0')
            used--;
        for (size_t c = 0; c < used; c++) {
            int pad = (int)(width[c] - people_width(text[r + c]));

            fprintf(out, "%*s%s%*s", right[c] ? pad : 0, "", text[r + c],
                    right[c] || c + 1 == used ? 0 : pad, "");
            fputs(c + 1 == used ? "" : "  ", out);
        }
        putc('\n', out);
    }
    for (size_t i = 0; i < table->cells; i++)
        free(text[i]);
    free(right);
    free(width);
    free(text);
}

bool table_print(const struct table *table, FILE *out, enum table_format format)
{
    assert(table->cells % table->columns == 0);
    if (format == TABLE_CSV)
        print_csv(table, out);
    else if (format == TABLE_JSON)
        print_json(table, out);
    else
        print_text(table, out);
    return file_flush(out);
}

int table_finish(struct table *table, enum table_format format)
{
    bool good =
        table_print(table, stdout, format) || complain("standard output: %s", strerror(errno));

    table_free(table);
    return good ? STATUS_DONE : STATUS_FAILED;
}
