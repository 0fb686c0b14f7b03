/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One figure: its data as CSV files, its caption, its pictures.
 *
 * All of them are made in a folder of their own and moved to DIR/figures
 * together at the end.  There the data stand twice: as gnuplot reads them, under the names that
 * scripts know, and as programs do, as NAME[-PART].rows, which become the CSV files.  */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/io/figure.h"
#include "harness/io/gnuplot.h"
#include "harness/io/output.h"
#include "harness/report/figure_tex.h"
#include "harness/report/report.h"
#include "harness/store/rows.h"
#include "lib/base/memory.h"

/* Of pictures: a point and gnuplot's format.  */
static const char *const endings[] = {".pdf", ".png", ".svg"};

enum { FORMATS = sizeof endings / sizeof endings[0] };

/* FOLDER/NAME[-PART]ENDING; the caller frees it.  */
static char *file_path(const char *folder, const char *name, const char *part, const char *ending)
{
    return memory_printf("%s/%s%s%s%s", folder, name, part[0] != '\0' ? "-" : "", part, ending);
}

/* As gnuplot reads them.  */
static void write_drawn(const struct rows *rows, FILE *out)
{
    for (size_t c = 0; c < rows->columns; c++)
        fprintf(out, "%s%s", c == 0 ? "" : ",", rows->name[c]);
    for (size_t i = 0; i < rows->count * rows->columns; i++) {
        putc(i % rows->columns == 0 ? '\n' : ',', out);
        gnuplot_write_cell(out, rows->cell[i] == NULL ? "" : rows->cell[i]);
    }
    putc('\n', out);
}

static bool write_rows(const char *folder, const char *name, const char *part,
                       const struct rows *rows, struct error *error)
{
    static const struct {
        const char *ending;
        void (*write)(const struct rows *rows, FILE *out);
    } forms[] = {{".rows", rows_write_csv}, {".csv", write_drawn}};
    bool done = true;

    for (size_t i = 0; done && i < 2; i++) {
        char *path = file_path(folder, name, part, forms[i].ending);
        struct output output;

        done = output_open(&output, path, error);
        if (done) {
            forms[i].write(rows, output.file); /* closing sees what went wrong */
            done = output_close(&output, true, error);
        }
        free(path);
    }
    return done;
}

/* Each column as a gnuplot array.  Arrays have at least one element.  */
static void write_arrays(FILE *out, const struct rows *rows)
{
    for (size_t c = 0; c < rows->columns; c++) {
        fprintf(out, "array %s[%zu] = [", rows->name[c], rows->count == 0 ? 1 : rows->count);
        for (size_t row = 0; row < rows->count; row++) {
            fputs(row == 0 ? "" : ", ", out);
            gnuplot_write_value(out, rows_text(rows, row, c));
        }
        fputs(rows->count == 0 ? "'']\n" : "]\n", out);
    }
}

/* Runs the figure's queries and writes their rows into FOLDER.  *EMPTY: the
 * first query has no row.  */
static bool write_data(const struct report *report, const struct shown *shown, const char *folder,
                       bool *empty, struct error *error)
{
    const struct figure *figure = shown->figure;
    const char *experiment = shown->experiment;
    int parameters = figure->shape[0] != '\0';
    char *path = file_path(folder, figure->name, "arrays", ".gp");
    struct output arrays;
    bool done = output_open(&arrays, path, error);

    *empty = false;
    free(path);
    if (!done)
        return false;
    for (const struct figure_query *query = figure->query; done && query->part != NULL; query++) {
        struct rows rows;

        done = rows_query(&rows, report->store, query->sql, &experiment, parameters, error) ||
               error_prefix(error, "figure %s", figure->name);
        if (done && query->arrays)
            write_arrays(arrays.file, &rows);
        else if (done) {
            done = write_rows(folder, figure->name, query->part, &rows, error);
        }
        if (query == figure->query && rows.count == 0)
            *empty = true;
        rows_clear(&rows);
    }
    return output_close(&arrays, done, error) && done;
}

static bool write_caption(const struct shown *shown, const char *folder, struct error *error)
{
    char *path = file_path(folder, shown->figure->name, "", ".txt");
    struct output output;
    bool done = output_open(&output, path, error);

    free(path);
    if (!done)
        return false;
    fprintf(output.file, "%s.  %s\n", shown->title, shown->caption);
    return output_close(&output, true, error);
}

/* In its own folder a figure's files have its name, whoever's rows they show.  */
static bool move_made(const struct shown *shown, const char *from_folder, const char *to_folder,
                      const char *part, const char *from_ending, const char *to_ending,
                      struct error *error)
{
    char *from = file_path(from_folder, shown->figure->name, part, from_ending);
    char *to = file_path(to_folder, shown->name, part, to_ending);
    bool done = rename(from, to) == 0 || error_set(error, "%s: %s", to, strerror(errno));

    free(to);
    free(from);
    return done;
}

static bool move_data(const struct shown *shown, const char *from, const char *to,
                      struct error *error)
{
    bool done = move_made(shown, from, to, "", ".txt", ".txt", error);

    for (const struct figure_query *q = shown->figure->query; done && q->part != NULL; q++)
        done = q->arrays || move_made(shown, from, to, q->part, ".rows", ".csv", error);
    return done;
}

/* The figure for LaTeX, of which a float is made with its name and its caption.  */
static bool move_tex(const struct shown *shown, const char *from_folder, const char *to_folder,
                     struct error *error)
{
    const struct grid_words words = {shown->name, shown->title, shown->caption};
    char *from = file_path(from_folder, shown->figure->name, "tex", ".tex");
    char *to = file_path(to_folder, shown->name, "", ".tex");
    bool done = figure_tex_write(from, to, &words, error) &&
                move_made(shown, from_folder, to_folder, "tex", ".pdf", ".pdf", error);

    free(to);
    free(from);
    return done;
}

/* Draws it in FOLDER and moves the pictures to FIGURES, where those of an earlier report go first:
 * they are of other data.  */
static bool draw(const struct report *report, const struct shown *shown, const char *folder,
                 const char *figures, struct error *error)
{
    const char *name = shown->figure->name;
    const enum gnuplot_width width = shown->figure->page == NULL ? report->width : GNUPLOT_PAGE;
    bool done = true;

    for (size_t i = 0; i < FORMATS; i++) {
        char *path = file_path(figures, shown->name, "", endings[i]);

        unlink(path);
        free(path);
    }
    for (size_t i = 0; done && i < FORMATS; i++)
        done = gnuplot_draw(folder, name, (struct gnuplot_look){endings[i] + 1, width}, error);
    if (done && report->tex)
        done = gnuplot_draw_tex(folder, name, width, error);
    for (size_t i = 0; done && i < FORMATS; i++)
        done = move_made(shown, folder, figures, "", endings[i], endings[i], error);
    return done && (!report->tex || move_tex(shown, folder, figures, error));
}

/* Makes all files of a figure in FOLDER and moves them to FIGURES.  */
static bool make_files(struct report *report, struct shown *shown, const char *folder,
                       const char *figures, struct error *error)
{
    bool empty;

    if (!write_data(report, shown, folder, &empty, error))
        return false;
    if (empty) {
        shown->skipped =
            memory_printf("no data: nothing of experiment %s is in the store", shown->experiment);
        return true;
    }
    if (!write_caption(shown, folder, error) || !move_data(shown, folder, figures, error))
        return false;
    shown->drawn = report->draw && draw(report, shown, folder, figures, error);
    if (report->draw && !shown->drawn)
        shown->undrawn = memory_strdup(error->text);
    return true;
}

static bool make_figure(struct report *report, struct shown *shown, struct error *error)
{
    char *figures, *folder;
    bool done;

    shown->caption = report_caption(report, shown->figure, shown->experiment, error);
    if (shown->caption == NULL)
        return false;
    figures = memory_printf("%s/figures", report->dir);
    folder = gnuplot_make_folder(figures, error);
    done = folder != NULL && make_files(report, shown, folder, figures, error);
    if (folder != NULL)
        gnuplot_remove_folder(folder);
    free(folder);
    free(figures);
    return done;
}

bool report_figure(struct report *report, const struct figure *figure, struct error *error)
{
    struct rows asking;
    bool done = report_asking(report, figure, &asking, error);

    for (size_t i = 0; done && i < asking.count; i++) {
        struct shown *shown;

        report->figure = memory_resize(report->figure, report->figures + 1, sizeof *report->figure);
        shown = &report->figure[report->figures++];
        report_name_shown(shown, figure, &asking, i);
        if (!make_figure(report, shown, error)) {
            shown->failed = true;
            shown->skipped = memory_strdup(error->text);
        }
        shown->failed |= shown->undrawn != NULL;
        if (shown->skipped != NULL && !shown->asked && !shown->failed)
            report_clear_shown(&report->figure[--report->figures], 1);
    }
    rows_clear(&asking);
    return done;
}
