/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/report/grid.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/table.h"
#include "harness/report/grid_private.h"
#include "harness/report/markup.h"
#include "harness/store/rows.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"

/* A name for people: blanks for underscores.  */
static char *head_text(const char *name)
{
    char *head = memory_strdup(name);

    for (char *at = head; *at != '\0'; at++)
        if (*at == '_')
            *at = ' ';
    return head;
}

static struct grid *grid_alloc(size_t columns, size_t rows)
{
    struct grid *grid = memory_zalloc(1, sizeof *grid);

    grid->columns = columns;
    grid->rows = rows;
    grid->head = memory_zalloc(columns, sizeof *grid->head);
    grid->ranked = memory_zalloc(columns, sizeof *grid->ranked);
    grid->cell = memory_zalloc(columns * rows, sizeof *grid->cell);
    return grid;
}

void grid_free(struct grid *grid)
{
    if (grid == NULL)
        return;
    for (size_t i = 0; i < grid->columns * grid->rows; i++) {
        free(grid->cell[i].text);
        free(grid->cell[i].mark);
        free(grid->cell[i].tasks);
    }
    for (size_t i = 0; i < grid->columns; i++)
        free(grid->head[i]);
    free(grid->cell);
    free(grid->ranked);
    free(grid->head);
    free(grid);
}

/* Whether two rows have the same KEYS columns from FIRST on.  */
static bool same_key(const struct rows *rows, size_t a, size_t b, size_t first, size_t keys)
{
    for (size_t i = first; i < first + keys; i++)
        if (strcmp(rows_text(rows, a, i), rows_text(rows, b, i)) != 0)
            return false;
    return true;
}

/* For each row, the first row with the same key (KEYS columns from FIRST), as
 * a number from 0 in order of appearance.  Returns how many there are.  */
static size_t number_keys(const struct rows *rows, size_t first, size_t keys, size_t *number)
{
    size_t count = 0;

    for (size_t row = 0; row < rows->count; row++) {
        size_t before = 0;

        while (before < row && !same_key(rows, row, before, first, keys))
            before++;
        number[row] = before < row ? number[before] : count++;
    }
    return count;
}

static void set_cell(struct cell *cell, const char *text, const char *mark)
{
    free(cell->text);
    free(cell->mark);
    cell->text = memory_strdup(text);
    cell->mark = memory_strdup(mark);
}

static void set_tasks(struct cell *cell, const struct rows *rows, size_t row, size_t tasks)
{
    if (tasks == SIZE_MAX)
        return;
    free(cell->tasks);
    cell->tasks = memory_strdup(rows_text(rows, row, tasks));
}

static struct grid *pivoted(const struct rows *rows, size_t pivot, size_t value, size_t mark)
{
    const size_t tasks = rows_column(rows, "tasks");
    size_t *line = memory_alloc(rows->count, sizeof *line);
    size_t *column = memory_alloc(rows->count, sizeof *column);
    size_t lines = number_keys(rows, 0, pivot, line);
    size_t columns = number_keys(rows, pivot, 1, column);
    struct grid *grid = grid_alloc(pivot + columns, lines);

    grid->keys = pivot;
    for (size_t i = 0; i < pivot; i++)
        grid->head[i] = head_text(rows->name[i]);
    for (size_t row = 0; row < rows->count; row++) {
        size_t at = pivot + column[row];

        if (grid->head[at] == NULL)
            grid->head[at] = memory_strdup(rows_text(rows, row, pivot));
        for (size_t i = 0; i < pivot; i++)
            set_cell(grid_cell(grid, line[row], i), rows_text(rows, row, i), "");
        set_cell(grid_cell(grid, line[row], at), rows_text(rows, row, value),
                 mark == SIZE_MAX ? "" : rows_text(rows, row, mark));
        set_tasks(grid_cell(grid, line[row], at), rows, row, tasks);
    }
    for (size_t i = 0; i < lines * grid->columns; i++)
        if (grid->cell[i].text == NULL)
            set_cell(&grid->cell[i], "", "");
    free(column);
    free(line);
    return grid;
}

static struct grid *plain(const struct rows *rows)
{
    const size_t tasks = rows_column(rows, "tasks");
    struct grid *grid = grid_alloc(rows->columns - (tasks != SIZE_MAX), rows->count);

    for (size_t i = 0; i < grid->columns; i++)
        grid->head[i] = head_text(rows->name[i]);
    for (size_t row = 0; row < rows->count; row++) {
        for (size_t i = 0; i < grid->columns; i++)
            set_cell(grid_cell(grid, row, i), rows_text(rows, row, i), "");
        set_tasks(grid_cell(grid, row, 0), rows, row, tasks);
    }
    return grid;
}

static double cell_number(const struct cell *cell)
{
    double number;

    return parse_real(cell->text, -HUGE_VAL, HUGE_VAL, &number) ? number : NAN;
}

/* Marks the smallest number of each line, among the pivoted columns; not where
 * all are equal.  */
static void rank_lines(struct grid *grid)
{
    for (size_t i = grid->keys; i < grid->columns; i++)
        grid->ranked[i] = true;
    for (size_t row = 0; row < grid->rows; row++) {
        double least = NAN, most = NAN;

        for (size_t i = grid->keys; i < grid->columns; i++) {
            least = fmin(least, cell_number(grid_cell(grid, row, i)));
            most = fmax(most, cell_number(grid_cell(grid, row, i)));
        }
        for (size_t i = grid->keys; i < grid->columns && least < most; i++)
            grid_cell(grid, row, i)->best = cell_number(grid_cell(grid, row, i)) <= least;
    }
}

/* Marks the smallest number of a column, among the lines whose first column is
 * the same (COLUMN is not the first).  */
static void rank_column(struct grid *grid, const struct rows *rows, size_t column)
{
    size_t end;

    grid->ranked[column] = true;
    for (size_t start = 0; start < grid->rows; start = end) {
        double least = NAN;

        for (end = start; end < grid->rows && same_key(rows, start, end, 0, 1); end++)
            least = fmin(least, cell_number(grid_cell(grid, end, column)));
        for (size_t row = start; row < end; row++)
            grid_cell(grid, row, column)->best = cell_number(grid_cell(grid, row, column)) <= least;
    }
}

struct grid *grid_new(const struct rows *rows, const char *pivot, const char *best,
                      struct error *error)
{
    size_t pivot_column = pivot == NULL ? 0 : rows_column(rows, pivot);
    size_t best_column = best == NULL ? 0 : rows_column(rows, best);
    size_t value = rows_column(rows, "value");
    struct grid *grid;

    if (pivot_column == SIZE_MAX || (pivot != NULL && value == SIZE_MAX)) {
        error_set(error, "the query has no column '%s' or no column 'value'", pivot);
        return NULL;
    }
    if (best_column == SIZE_MAX) {
        error_set(error, "the query has no column '%s'", best);
        return NULL;
    }
    if (pivot == NULL) {
        grid = plain(rows);
        if (best != NULL)
            rank_column(grid, rows, best_column);
        return grid;
    }
    grid = pivoted(rows, pivot_column, value, rows_column(rows, "mark"));
    if (best != NULL)
        rank_lines(grid);
    return grid;
}

void grid_write_text(const struct grid *grid, FILE *out)
{
    struct table_column *columns = memory_zalloc(grid->columns, sizeof *columns);
    struct table *table;

    for (size_t c = 0; c < grid->columns; c++)
        columns[c].name = grid->head[c];
    table = table_new(columns, grid->columns);
    free(columns);
    for (size_t i = 0; i < grid->rows * grid->columns; i++) {
        const struct cell *cell = &grid->cell[i];
        const char *star = !grid->ranked[i % grid->columns] || cell->text[0] == '\0' ? ""
                           : cell->best                                              ? "*"
                                                                                     : " ";

        table_cell(table, "%s%s%s", cell->text, cell->mark, star);
    }
    table_print(table, out, TABLE_TEXT);
    table_free(table);
}

bool grid_numeric(const struct grid *grid, size_t column)
{
    for (size_t row = 0; row < grid->rows; row++) {
        const char *text = grid_cell(grid, row, column)->text;

        if (text[0] != '\0' && !isdigit((unsigned char)text[0]) &&
            !(text[0] == '-' && isdigit((unsigned char)text[1])))
            return false;
    }
    return true;
}

/* The first column in which the best is marked.  */
static size_t grid_ranked(const struct grid *grid)
{
    size_t column = 0;

    while (!grid->ranked[column])
        column++;
    return column;
}

char *grid_best_words(const struct grid *grid)
{
    bool any = false;

    for (size_t i = 0; i < grid->rows * grid->columns; i++)
        any = any || grid->cell[i].best;
    if (!any)
        return NULL;
    return grid->keys > 0 ? memory_strdup("the smallest of its row, where they differ")
                          : memory_printf("the smallest %s of those with the same %s",
                                          grid->head[grid_ranked(grid)], grid->head[0]);
}

size_t grid_rows(const struct grid *grid)
{
    return grid->rows;
}

/* Numbers of tasks, each as its difference from the one before, which has fewer digits.  */
static void write_tasks(FILE *out, const char *tasks)
{
    const char *gap = "";
    int64_t before = 0;

    for (char *end; *tasks != '\0'; tasks = *end == ' ' ? end + 1 : end) {
        const int64_t task = strtoll(tasks, &end, 10);

        if (end == tasks)
            return;
        fprintf(out, "%s%" PRId64, gap, task - before);
        before = task;
        gap = " ";
    }
}

/* <TAG>, with the tasks behind CELL.  */
static void open_tag(FILE *out, const char *tag, const struct cell *cell)
{
    fprintf(out, "<%s", tag);
    if (cell->tasks != NULL && cell->tasks[0] != '\0') {
        fputs(" data-tasks=\"", out);
        write_tasks(out, cell->tasks);
        putc('"', out);
    }
    putc('>', out);
}

void grid_write_html(const struct grid *grid, FILE *out)
{
    bool *number = memory_alloc(grid->columns, sizeof *number);
    const struct cell none = {.tasks = NULL};

    fputs("<table>\n<thead><tr>", out);
    for (size_t i = 0; i < grid->columns; i++) {
        number[i] = grid_numeric(grid, i);
        html_print(out, number[i] ? "<th class=\"n\">%s</th>" : "<th>%s</th>", grid->head[i]);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t row = 0; row < grid->rows; row++) {
        open_tag(out, "tr", grid->keys == 0 ? grid_cell(grid, row, 0) : &none);
        for (size_t i = 0; i < grid->columns; i++) {
            const struct cell *cell = grid_cell(grid, row, i);

            open_tag(out, number[i] ? "td class=\"n\"" : "td", grid->keys > 0 ? cell : &none);
            html_print(out, cell->best ? "<b>%s</b>" : "%s", cell->text);
            html_print(out, cell->mark[0] != '\0' ? "<sup>%s</sup></td>" : "%s</td>", cell->mark);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody>\n</table>\n", out);
    free(number);
}
