/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures and tables of a report, as data.
 *
 * A figure is one file, plots/NAME.gp, and one line in plots/local.mk.  The
 * file is the gnuplot script; the comment at its head says what it shows and
 * which data it draws:
 *
 *   # title: Gap of each planner      one line, for lists and headings
 *   # experiment: gap                 whose tasks it shows
 *   # shape: plan                     it can show those of any experiment with planners;
 *                                     proof: of one with solvers that prove, which lists it;
 *                                     run: of one of runs
 *   # caption: What is drawn, of     more indented lines may follow
 *   #   which instances.
 *   # page: WHY                       it can't be had at a column's width
 *   # query: select ...               its rows become figures/NAME.csv
 *   # query PART: select ...          ... figures/NAME-PART.csv
 *   # arrays: select ...              each column becomes a gnuplot array
 *
 * With a shape it is made for each experiment that lists it in `figures`, or (plan, run) that has
 * no list; its queries have the experiment's name as ?1, and its files are called EXPERIMENT-NAME,
 * of the experiment in its head (if any) NAME.
 *
 * Queries read the tables of plots/views.sql.  A figure without a row for its
 * first query is skipped.  The script draws what stands in the files, and works
 * out nothing: statistics are the queries' job, with SQLite's functions and
 * those of harness/report/report.c: median(x), quantile(x, p),
 * shifted_geometric_mean(x, shift), bootstrap_low(x), bootstrap_high(x), signed_rank_p(x),
 * exponent(x, y).
 *
 * A table is one file, plots/tables/NAME.sql, with the same head (behind --),
 * one query, and
 *
 *   -- pivot: COLUMN    for people, each value of COLUMN becomes a column; the
 *                       columns before it name the row, the column `value` is
 *                       the cell and `mark` what stands behind it
 *   -- best: COLUMN     the smallest value of this column is set in bold: in
 *                       each row of a pivoted table, else among the rows with
 *                       the same first column
 *
 * Its query may end with a column `tasks`: the numbers of the tasks behind the row (of a pivoted
 * table: the cell), as group_concat(task, ' ') gives them.  The page shows these tasks at a click;
 * nothing else sees the column.
 *
 * The build writes the registry from these heads (build-aux/figures).  */
#ifndef ARENABENCH_HARNESS_IO_FIGURE_H
#define ARENABENCH_HARNESS_IO_FIGURE_H

#include <stdbool.h>

#include "lib/base/error.h"

struct figure_query {
    const char *part; /* "": the main data */
    bool arrays;      /* gnuplot arrays instead of a CSV file */
    const char *sql;
};

struct figure {
    const char *name; /* file name without ending */
    const char *title;
    const char *caption;
    const char *experiment;           /* "": none in particular */
    const char *shape;                /* "plan", "proof", "run", or "": of EXPERIMENT alone */
    const char *pivot, *best;         /* tables only; NULL: none */
    const char *page;                 /* why it is as wide as a page always; NULL: it is not */
    const struct figure_query *query; /* ends with a NULL part */
};

/* Both end with a NULL name.  */
extern const struct figure figure_registry[];
extern const struct figure table_registry[];

/* Whether there is a figure NAME; if not, the message suggests the nearest.  */
bool figure_check_name(const char *name, struct error *error);

/* The same of what an experiment can list: figures, and tables with a shape.  */
bool figure_check_listed(const char *name, struct error *error);

#endif
