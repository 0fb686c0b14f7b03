/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/suite/suite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/csv.h"
#include "lib/base/memory.h"

enum {
    NAME,
    CLASS,
    WORKLOAD,
    BUFFERS,
    LOAD,
    CHECKSUM,
    SHA256,
    LOWER,
    UPPER,
    LOWER_BY,
    UPPER_BY,
    PLAN,
    CERTIFICATE,
    COLUMNS
};
static const char *const columns[COLUMNS] = {
    "name",  "class", "workload", "buffers",  "load", "checksum",   "sha256",
    "lower", "upper", "lower_by", "upper_by", "plan", "certificate"};

static void clear_entry(struct suite_entry *entry)
{
    free(entry->name);
    free(entry->class_name);
    free(entry->workload);
    free(entry->sha256);
    free(entry->lower_by);
    free(entry->upper_by);
    free(entry->plan);
    free(entry->certificate);
}

void suite_clear(struct suite *suite)
{
    for (size_t i = 0; i < suite->count; i++)
        clear_entry(&suite->entry[i]);
    free(suite->entry);
}

/* --- reading --- */

/* Names are names of files, too.  */
static bool is_word(const char *text)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyz0123456789";

    return text[0] != '\0' && strchr(first, text[0]) != NULL &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_.")] == '\0';
}

static bool is_hexadecimal(const char *text, size_t digits)
{
    return strspn(text, "0123456789abcdef") == digits && text[digits] == '\0';
}

static bool wrong_cell(const struct csv *csv, size_t column, const char *expected,
                       struct error *error)
{
    const struct csv_cell *cell = &csv->cell[column];

    return csv_error(csv, cell->column, error, "%s '%s'; expected %s", columns[column],
                     csv_shown(cell->text, cell->length).text, expected);
}

static bool check_texts(struct csv *csv, struct error *error)
{
    static const size_t filled[] = {WORKLOAD, LOWER_BY, UPPER_BY, PLAN};

    for (size_t c = NAME; c <= CLASS; c++)
        if (!is_word(csv_text(csv, c)))
            return wrong_cell(csv, c, "small letters, digits, '-', '_' and '.'", error);
    if (!is_hexadecimal(csv_text(csv, CHECKSUM), 16))
        return wrong_cell(csv, CHECKSUM, "16 digits 0-9, a-f", error);
    if (!is_hexadecimal(csv_text(csv, SHA256), 64))
        return wrong_cell(csv, SHA256, "64 digits 0-9, a-f", error);
    for (size_t i = 0; i < sizeof filled / sizeof filled[0]; i++)
        if (csv->cell[filled[i]].length == 0)
            return wrong_cell(csv, filled[i], "some text", error);
    return true;
}

static bool read_numbers(struct csv *csv, struct suite_entry *entry, struct error *error)
{
    if (!csv_int(csv, BUFFERS, "buffers", 1, &entry->buffers, error) ||
        !csv_int(csv, LOAD, "load", 0, &entry->load, error) ||
        !csv_int(csv, LOWER, "lower", 0, &entry->lower, error) ||
        !csv_int(csv, UPPER, "upper", 0, &entry->upper, error))
        return false;
    if (entry->lower < entry->load)
        return wrong_cell(csv, LOWER, "the load or more", error);
    return entry->lower <= entry->upper || wrong_cell(csv, UPPER, "lower or more", error);
}

/* A copy of a cell in which C stands for every ';'.  */
static char *cell_text(struct csv *csv, size_t column, char c)
{
    char *text = memory_strdup(csv_text(csv, column));

    for (char *at = text; *at != '\0'; at++)
        if (*at == ';')
            *at = c;
    return text;
}

static bool read_entry(struct csv *csv, void *context, struct error *error)
{
    struct suite *suite = context;
    struct suite_entry entry = {0};

    if (!check_texts(csv, error) || !read_numbers(csv, &entry, error))
        return false;
    entry.name = cell_text(csv, NAME, ';');
    entry.class_name = cell_text(csv, CLASS, ';');
    entry.workload = cell_text(csv, WORKLOAD, ',');
    entry.checksum = strtoull(csv_text(csv, CHECKSUM), NULL, 16);
    entry.sha256 = cell_text(csv, SHA256, ';');
    entry.lower_by = cell_text(csv, LOWER_BY, ',');
    entry.upper_by = cell_text(csv, UPPER_BY, ',');
    entry.plan = cell_text(csv, PLAN, ',');
    entry.certificate = cell_text(csv, CERTIFICATE, ';');
    suite->entry =
        memory_grow(suite->entry, &suite->capacity, suite->count + 1, sizeof *suite->entry);
    suite->entry[suite->count++] = entry;
    return true;
}

static int by_name(const void *a, const void *b)
{
    const struct suite_entry *const *x = a, *const *y = b;

    return strcmp((*x)->name, (*y)->name) ?: ORDER(*x, *y);
}

static int by_checksum(const void *a, const void *b)
{
    const struct suite_entry *const *x = a, *const *y = b;

    return ORDER((*x)->checksum, (*y)->checksum) ?: ORDER(*x, *y);
}

static bool is_twice(const struct suite_entry **order, size_t count,
                     int (*compare)(const void *, const void *), const char **name)
{
    if (count > 0)
        qsort(order, count, sizeof *order, compare);
    for (size_t i = 1; i < count; i++) {
        *name = order[i]->name;
        if (compare == by_name ? strcmp(order[i - 1]->name, order[i]->name) == 0
                               : order[i - 1]->checksum == order[i]->checksum)
            return true;
    }
    return false;
}

static bool are_unique(const struct suite *suite, const char *path, struct error *error)
{
    const struct suite_entry **order = memory_alloc(suite->count, sizeof *order);
    const char *name = "";
    bool good = true;

    for (size_t i = 0; i < suite->count; i++)
        order[i] = &suite->entry[i];
    if (is_twice(order, suite->count, by_name, &name))
        good =
            error_set(error, "%s: the instance '%s' stands there twice; expected once", path, name);
    else if (is_twice(order, suite->count, by_checksum, &name))
        good = error_set(error,
                         "%s: the checksum of '%s' stands there twice; expected an instance once",
                         path, name);
    free(order);
    return good;
}

bool suite_read(struct suite *suite, FILE *in, const char *path, struct error *error)
{
    *suite = (struct suite){0};
    if (csv_read_all(in, path, columns, COLUMNS, read_entry, suite, error) &&
        are_unique(suite, path, error))
        return true;
    suite_clear(suite);
    return false;
}

/* --- writing --- */

/* Cells have no quotes: commas become ';', what is no printable ASCII '_'.  */
static void write_text(FILE *out, const char *text, char behind)
{
    for (; *text != '\0'; text++)
        putc(*text == ',' ? ';' : *text < ' ' || *text > '~' ? '_' : *text, out);
    putc(behind, out);
}

bool suite_write(FILE *out, const struct suite *suite)
{
    for (size_t c = 0; c < COLUMNS; c++)
        fprintf(out, "%s%c", columns[c], c + 1 < COLUMNS ? ',' : '\n');
    for (size_t i = 0; i < suite->count; i++) {
        const struct suite_entry *entry = &suite->entry[i];

        write_text(out, entry->name, ',');
        write_text(out, entry->class_name, ',');
        write_text(out, entry->workload, ',');
        fprintf(out, "%" PRId64 ",%" PRId64 ",%016" PRIx64 ",%s,%" PRId64 ",%" PRId64 ",",
                entry->buffers, entry->load, entry->checksum, entry->sha256, entry->lower,
                entry->upper);
        write_text(out, entry->lower_by, ',');
        write_text(out, entry->upper_by, ',');
        write_text(out, entry->plan, ',');
        write_text(out, entry->certificate, '\n');
    }
    return ferror(out) == 0;
}
