/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One figure: its data as CSV files, its caption, its pictures.
 *
 * All of them are made in a folder of their own and moved to DIR/figures
 * together at the end.  */
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

static const char *const formats[] = {"pdf", "png", "svg"};

enum { FORMATS = sizeof formats / sizeof formats[0] };

/* FOLDER/NAME[-PART]ENDING; the caller frees it.  */
static char *file_path(const char *folder, const char *name, const char *part, const char *ending)
{
    return memory_printf("%s/%s%s%s%s", folder, name, part[0] != '\0' ? "-" : "", part, ending);
}

static bool write_csv(const char *path, const struct rows *rows, struct error *error)
{
    struct output output;

    if (!output_open(&output, path, error))
        return false;
    rows_write_csv(rows, output.file);
    return output_close(&output, true, error);
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
            path = file_path(folder, figure->name, query->part, ".csv");
            done = write_csv(path, &rows, error);
            free(path);
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
static bool move_file(const struct shown *shown, const char *from_folder, const char *to_folder,
                      const char *part, const char *ending, struct error *error)
{
    char *from = file_path(from_folder, shown->figure->name, part, ending);
    char *to = file_path(to_folder, shown->name, part, ending);
    bool done = rename(from, to) == 0;

    if (!done)
        error_set(error, "%s: %s", to, strerror(errno));
    free(to);
    free(from);
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
                move_file(shown, from_folder, to_folder, "tex", ".pdf", error);

    free(to);
    free(from);
    return done;
}

static bool move_files(const struct report *report, const struct shown *shown, const char *from,
                       const char *to, struct error *error)
{
    bool done = move_file(shown, from, to, "", ".txt", error);

    for (const struct figure_query *q = shown->figure->query; done && q->part != NULL; q++)
        if (!q->arrays)
            done = move_file(shown, from, to, q->part, ".csv", error);
    for (size_t i = 0; done && shown->drawn && i < FORMATS; i++) {
        char *ending = memory_printf(".%s", formats[i]);

        done = move_file(shown, from, to, "", ending, error);
        free(ending);
    }
    if (done && shown->drawn && report->tex)
        done = move_tex(shown, from, to, error);
    return done;
}

/* Makes all files of a figure in FOLDER and moves them to FIGURES.  */
static bool make_files(struct report *report, struct shown *shown, const char *folder,
                       const char *figures, struct error *error)
{
    const struct figure *figure = shown->figure;
    bool empty, done = write_data(report, shown, folder, &empty, error);

    if (!done)
        return false;
    if (empty) {
        shown->skipped =
            memory_printf("no data: nothing of experiment %s is in the store", shown->experiment);
        return true;
    }
    done = write_caption(shown, folder, error);
    for (size_t i = 0; done && report->draw && i < FORMATS; i++)
        done = gnuplot_draw(folder, figure->name, formats[i], error);
    if (done && report->draw && report->tex)
        done = gnuplot_draw_tex(folder, figure->name, error);
    shown->drawn = done && report->draw;
    return done && move_files(report, shown, folder, figures, error);
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
        done = make_figure(report, shown, error);
        if (shown->skipped != NULL && !shown->asked)
            report_clear_shown(&report->figure[--report->figures], 1);
    }
    rows_clear(&asking);
    return done;
}
