/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables: the rows of each query as CSV for programs, and as text, LaTeX
 * and HTML for people; and one LaTeX macro for each headline number.  */
#include <config.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/figure.h"
#include "harness/io/output.h"
#include "harness/report/grid.h"
#include "harness/report/markup.h"
#include "harness/report/report.h"
#include "harness/store/rows.h"
#include "lib/base/memory.h"

/* LaTeX reads letters only in a macro's name: words are joined with capitals,
 * and digits spelled.  */
static void write_macro_name(FILE *out, const char *name)
{
    static const char *const digit[] = {"Zero", "One", "Two",   "Three", "Four",
                                        "Five", "Six", "Seven", "Eight", "Nine"};
    bool capital = true;

    fputs("\\arena", out);
    for (; *name != '\0'; name++) {
        unsigned char c = (unsigned char)*name;

        if (isdigit(c))
            fputs(digit[c - '0'], out);
        else if (isalpha(c) && c < 128)
            putc(capital ? toupper(c) : c, out);
        capital = !isalpha(c);
    }
}

/* The table `numbers` (name, value) as macros.  */
static void write_macros(FILE *out, const struct rows *rows)
{
    for (size_t row = 0; row < rows->count; row++) {
        fputs("\\newcommand{", out);
        write_macro_name(out, rows_text(rows, row, 0));
        tex_print(out, "}{%s}\n", rows_text(rows, row, 1));
    }
}

/* What one file of a table is written from.  */
struct content {
    const struct rows *rows;
    const struct grid *grid;
    const char *name, *title, *caption;
};

static void content_csv(FILE *out, const struct content *content)
{
    rows_write_csv(content->rows, out);
}

static void content_text(FILE *out, const struct content *content)
{
    char *best = grid_best_words(content->grid);

    grid_write_text(content->grid, out);
    fprintf(out, "\n%s%s%s%s\n", content->caption, best != NULL ? " *: " : "",
            best != NULL ? best : "", best != NULL ? "." : "");
    free(best);
}

static void content_tex(FILE *out, const struct content *content)
{
    const struct grid_words words = {content->name, content->title, content->caption};

    fputs("% Needs \\usepackage{booktabs}.\n", out);
    grid_write_tex(content->grid, &words, out);
}

static void content_macros(FILE *out, const struct content *content)
{
    fprintf(out, "%% %s\n", content->caption);
    write_macros(out, content->rows);
}

static bool write_file(const struct report *report, const char *name, const char *ending,
                       void (*write)(FILE *, const struct content *), const struct content *content,
                       struct error *error)
{
    char *path = memory_printf("%s/tables/%s.%s", report->dir, name, ending);
    struct output output;
    bool done = output_open(&output, path, error);

    free(path);
    if (!done)
        return false;
    write(output.file, content);
    return output_close(&output, true, error);
}

static bool write_table(const struct report *report, const char *name,
                        const struct content *content, struct error *error)
{
    bool macros = strcmp(name, "numbers") == 0;

    return write_file(report, name, "csv", content_csv, content, error) &&
           write_file(report, name, "txt", content_text, content, error) &&
           write_file(report, name, "tex", macros ? content_macros : content_tex, content, error);
}

static bool make_table(const struct report *report, struct shown *shown, struct grid **grid,
                       struct error *error)
{
    const struct figure *table = shown->figure;
    const char *experiment = shown->experiment;
    struct rows rows;
    bool done = rows_query(&rows, report->store, table->query->sql, &experiment,
                           table->shape[0] != '\0', error);

    if (done && rows.count == 0)
        shown->skipped = memory_strdup("no data in the store");
    else if (done) {
        struct content content = {&rows, NULL, shown->name, shown->title, NULL};

        shown->caption = report_caption(report, table, shown->experiment, error);
        *grid = grid_new(&rows, table->pivot, table->best, error);
        rows_drop(&rows, "tasks");
        content.grid = *grid;
        content.caption = shown->caption;
        done = shown->caption != NULL && *grid != NULL &&
               write_table(report, shown->name, &content, error);
    }
    rows_clear(&rows);
    return done || error_prefix(error, "table %s", table->name);
}

/* For each experiment that asks for it.  */
static bool make_tables(struct report *report, const struct figure *table, struct error *error)
{
    struct rows asking;
    bool done = report_asking(report, table, &asking, error);

    for (size_t a = 0; done && a < asking.count; a++) {
        size_t i = report->tables++;

        report->table = memory_resize(report->table, report->tables, sizeof *report->table);
        report->grid = memory_resize(report->grid, report->tables, sizeof *report->grid);
        report->grid[i] = NULL;
        report_name_shown(&report->table[i], table, &asking, a);
        done = make_table(report, &report->table[i], &report->grid[i], error);
        if (report->table[i].skipped != NULL && !report->table[i].asked)
            report_clear_shown(&report->table[--report->tables], 1);
    }
    rows_clear(&asking);
    return done;
}

bool report_tables(struct report *report, struct error *error)
{
    bool done = true;

    for (const struct figure *table = table_registry; done && table->name != NULL; table++)
        done = make_tables(report, table, error);
    return done;
}
