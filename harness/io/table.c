#include <config.h>

#include "harness/io/table.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "lib/base/memory.h"

struct table {
    size_t columns;
    char **cell; /* the header first, row after row */
    size_t cells, capacity;
};

static void add_cell(struct table *table, char *text)
{
    table->cell = memory_grow(table->cell, &table->capacity, table->cells + 1, sizeof *table->cell);
    table->cell[table->cells++] = text;
}

struct table *table_new(const char *const *columns, size_t count)
{
    struct table *table = memory_zalloc(1, sizeof *table);

    table->columns = count;
    for (size_t i = 0; i < count; i++)
        add_cell(table, memory_strdup(columns[i]));
    return table;
}

void table_free(struct table *table)
{
    if (table == NULL)
        return;
    for (size_t i = 0; i < table->cells; i++)
        free(table->cell[i]);
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

static bool is_number(const char *text)
{
    return text[0] == '\0' || isdigit((unsigned char)text[0]) ||
           ((text[0] == '-' || text[0] == '+') && isdigit((unsigned char)text[1]));
}

/* Characters, not bytes: continuation bytes of UTF-8 take no column.  */
static int width_of(const char *text)
{
    int width = 0;

    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static void print_text(const struct table *table, FILE *out)
{
    size_t columns = table->columns;
    int *width = memory_zalloc(columns, sizeof *width);
    bool *right = memory_alloc(columns, sizeof *right);

    for (size_t c = 0; c < columns; c++)
        right[c] = true;
    for (size_t i = 0; i < table->cells; i++) {
        size_t c = i % columns;

        if (width_of(table->cell[i]) > width[c])
            width[c] = width_of(table->cell[i]);
        if (i >= columns && !is_number(table->cell[i]))
            right[c] = false;
    }
    for (size_t r = 0; r < table->cells; r += columns) {
        size_t used = columns; /* no blanks at the end of a line */

        while (used > 0 && table->cell[r + used - 1][0] == '\0')
            used--;
        for (size_t c = 0; c < used; c++) {
            int pad = width[c] - width_of(table->cell[r + c]);

            fprintf(out, "%*s%s%*s", right[c] ? pad : 0, "", table->cell[r + c],
                    right[c] || c + 1 == used ? 0 : pad, "");
            fputs(c + 1 == used ? "" : "  ", out);
        }
        putc('\n', out);
    }
    free(right);
    free(width);
}

bool table_print(const struct table *table, FILE *out, enum table_format format)
{
    assert(table->cells % table->columns == 0);
    if (format == TABLE_CSV)
        print_csv(table, out);
    else
        print_text(table, out);
    return file_flush(out);
}
