/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reduces a results folder to figures, tables and a summary page.  */
#ifndef ARENABENCH_HARNESS_REPORT_REPORT_H
#define ARENABENCH_HARNESS_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/io/gnuplot.h"
#include "lib/base/error.h"

struct figure;
struct grid;
struct rows;
struct store;

/* What became of a figure or a table.  */
struct shown {
    const struct figure *figure;
    bool asked;       /* else it is not missed where there is no data */
    char *experiment; /* whose it is; "": all */
    char *name;       /* of its files, without ending, and its anchor */
    char *title;      /* with the experiment's where that is not the figure's own */
    char *caption;    /* with the set, counts, limits and provenance */
    char *skipped;    /* why it is not there; NULL: it is */
    bool drawn;       /* figures: PDF, PNG and SVG are there beside the data */
    char *undrawn;    /* figures: why gnuplot could not; NULL: it could, or was not asked */
    bool failed;      /* figures: one of the two reasons is no lack of data */
};

struct report {
    char *dir;
    struct store *store;
    bool draw;                /* run gnuplot; cleared when it can't be found */
    bool tex;                 /* draw figures for LaTeX too */
    enum gnuplot_width width; /* of figures that can be had in both */
    const char *against;      /* a folder to compare this one with on the page; NULL: none */
    size_t figures;           /* in FIGURE */
    struct shown *figure;
    size_t tables; /* in TABLE and GRID */
    struct shown *table;
    struct grid **grid; /* what stands in each table; NULL: skipped */
};

/* Opens DIR/results.db and makes the tables that figures and tables select
 * from.  On failure there is nothing to clear.  */
bool report_open(struct report *report, const char *dir, bool draw, struct error *error);
void report_clear(struct report *report);

/* Gives SQL in STORE the statistics that it lacks (harness/io/figure.h).  */
bool report_add_aggregates(struct store *store, struct error *error);

/* What made an experiment's rows, of "" everybody's.  */
struct report_origin {
    char *text;    /* the commit, or how many builds and machines, and when; "" where unknown */
    char *warning; /* where there are several machines, or one was loaded; else "" */
    bool mixed;    /* several builds or machines */
};

/* The caller clears ORIGIN, after a failure too.  */
bool report_provenance(const struct report *report, const char *experiment,
                       struct report_origin *origin, struct error *error);
void report_origin_clear(struct report_origin *origin);

/* What the builds behind the rows had to do without, and what this machine has, as
 * "im2col-openblas (libopenblas-dev was not there when configure ran); ..."; "" where
 * nothing is missing.  The caller frees it.  */
char *report_left_out(const struct report *report);

/* The figure's caption, with the set, counts, limits and provenance of EXPERIMENT behind it;
 * NULL on an error of the store.  The caller frees it.  */
char *report_caption(const struct report *report, const struct figure *figure,
                     const char *experiment, struct error *error);

/* One row for each experiment that FIGURE, or a table, is to be made for: `name`, `title` and
 * whether it is in the store and `asked` for it; the one in its head first.  Without a shape it
 * is that one, or "": its queries may find rows of others, which nobody asked for.  */
bool report_asking(const struct report *report, const struct figure *figure, struct rows *rows,
                   struct error *error);
/* Fills in SHOWN for the row of report_asking.  */
void report_name_shown(struct shown *shown, const struct figure *figure, const struct rows *rows,
                       size_t row);

void report_clear_shown(struct shown *shown, size_t count);

/* Makes a figure's data, caption and, where gnuplot is, its pictures in DIR/figures, for each
 * experiment that asks for it.  A figure without data is skipped, and one that can't be made or
 * drawn has `failed`, with the reason in report->figure; false only where it can't be told who
 * asks. DIR/figures and DIR/tables are there already.  */
bool report_figure(struct report *report, const struct figure *figure, struct error *error);

/* Makes every table in DIR/tables.  */
bool report_tables(struct report *report, struct error *error);

/* Writes DIR/report.html: what has been made so far.  */
bool report_page(const struct report *report, struct error *error);

/* Complains of every instance with a lower bound above a verified peak, and is
 * false if there is one: a contestant proved what is not true, and the gaps of
 * that instance are wrong.  */
bool report_check(const struct report *report, struct error *error);

/* The query for these instances.  */
extern const char report_contradictions[];

/* Prints a table that has been made; nothing where it was skipped.  */
void report_print(const struct report *report, const char *table, FILE *out);

#endif
