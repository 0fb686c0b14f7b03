/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report works out, against values worked out by hand from the table
 * in sample_results.c: bounds, optima, gaps; and how tables are written.  */
#include <config.h>

#include "harness/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/io/figure.h"
#include "harness/io/gnuplot.h"
#include "harness/report/grid.h"
#include "harness/report/markup.h"
#include "harness/store/rows.h"
#include "lib/base/memory.h"
#include "tests/support/sample_results.h"
#include "tests/support/store_answer.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"

static void views(struct report *report)
{
    is_answer(report->store, "select checksum, bound, optimum, hard from instance order by 1",
              "0000000000000001|100|100|0;0000000000000002|110|110|1;0000000000000003|105||1;"
              "0000000000000004|100|100|0;0000000000000005|100||1;",
              "bounds and optima: invalid, superseded and object plans do not count");
    is_answer(report->store,
              "select contestant, printf('%.6f', gap), printf('%.6f', gap_bound), group_of from "
              "result where experiment = 'gap' and arena and outcome <> 'invalid' order by seq",
              "greedy-by-size|0.000000|0.000000|easy;naive|1.000000|1.000000|easy;glpk|0.000000|0."
              "000000|easy;greedy-by-size|0.200000|0.200000|hard;naive|0.500000|0.500000|hard;glpk|"
              "0.000000|0.000000|hard;greedy-by-size|0.000000|0.200000|open;naive|0.000000|0."
              "000000|open;glpk|0.000000|0.142857|open;",
              "gaps and groups of instances");
    is_answer(report->store,
              "select count(*), count(gap), count(gap_bound) from result where group_of = 'open' "
              "and experiment = 'gap'",
              "3|0|2;", "an open instance has no gap, only one to the bound");
    is_answer(report->store,
              "select fuse, network, line, peak = optimum from network_result where experiment = "
              "'networks' and contestant = 'greedy-by-size' order by seq",
              "none|net<b>&\"q\"|1|1;all|net<b>&\"q\"|1|1;",
              "a bound that another experiment proved holds for the same instance");
    is_answer(report->store,
              "select printf('%g %g', median(column1), quantile(column1, 0.25)) from (values (4), "
              "(1), (null), (3), (2), ('x'))",
              "2.5 1.75;", "statistics in SQL leave out what is no number");
    is_answer(report->store, "select median(column1) is null from (values (null))", "1;",
              "a statistic of nothing is missing");
    is_answer(
        report->store,
        "select printf('%.6f', shifted_geometric_mean(column1, 1)) from (values (1), (3), (9))",
        "3.308869;", "shifted geometric mean: (2 x 4 x 10)^(1/3) - 1");
}

/* A grid's form in one of its formats.  */
static char *written(struct report *report, const char *sql, const char *pivot, const char *best,
                     void (*write)(const struct grid *, FILE *))
{
    struct error error = {""};
    struct rows rows;
    struct grid *grid = NULL;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (rows_query(&rows, report->store, sql, NULL, 0, &error))
        grid = grid_new(&rows, pivot, best, &error);
    if (grid != NULL)
        write(grid, out);
    else
        fputs(error.text, out);
    fclose(out);
    grid_free(grid);
    rows_clear(&rows);
    return text;
}

static void tex_with_words(const struct grid *grid, FILE *out)
{
    const struct grid_words words = {"some", "Which?", "All of 100 %."};

    grid_write_tex(grid, &words, out);
}

static void is_written(struct report *report, const char *sql, const char *pivot, const char *best,
                       void (*write)(const struct grid *, FILE *), const char *want,
                       const char *what)
{
    char *got = written(report, sql, pivot, best, write);

    is_text(got, want, "%s", what);
    free(got);
}

static void grids(struct report *report)
{
    static const char long_form[] =
        "select column1 as net_work, column2 as who, column3 as value, column4 as mark from "
        "(values ('a_1', 'x', '2.50', 'o'), ('a_1', 'y', '10.00', ''), ('b', 'y', '7.00', 't'))";

    is_written(report, long_form, "who", "value", grid_write_text,
               "net work       x       y\n"
               "a_1       2.50o*  10.00 \n"
               "b                 7.00t \n",
               "pivoted text: the best is starred where there is a choice");
    is_written(report, long_form, "who", "value", tex_with_words,
               "\\begin{table}[tp]\n\\centering\\sloppy\n\\caption[Which?]{Which? All of 100 \\%. "
               "Bold: the smallest of its row, where they differ.}\n\\label{tab:some}\n"
               "\\par\\vspace{4pt}\n\\fontsize{8}{9.5}\\selectfont\n\\setlength{\\tabcolsep}{3pt}\n"
               "\\begin{tabular}{@{}lrr@{}}\n\\toprule\n\\shortstack[l]{net\\\\work} & "
               "\\shortstack[r]{x} & \\shortstack[r]{y} \\tabularnewline\n\\midrule\n"
               "a\\_1 & \\textbf{2.50}\\textsuperscript{o} & 10.00 \\tabularnewline\n"
               "b &  & 7.00\\textsuperscript{t} \\tabularnewline\n\\bottomrule\n\\end{tabular}\n"
               "\\end{table}\n",
               "LaTeX: a float with caption and label, the best in bold");
    is_written(
        report, "select 'ab ab ab ab ab ab ab ab ab ab' as a, 'mmmmmmmmmmmmmmmmmmmm c' as b", NULL,
        NULL, tex_with_words,
        "\\begin{table*}[tp]\n\\centering\\sloppy\n\\caption[Which?]{Which? All of 100 \\%.}\n"
        "\\label{tab:some}\n\\par\\vspace{4pt}\n\\fontsize{8}{9.5}\\selectfont\n"
        "\\setlength{\\tabcolsep}{3pt}\n\\begin{tabular}{@{}p{110pt}p{147pt}@{}}\n\\toprule\n"
        "\\shortstack[l]{a} & \\shortstack[l]{b} \\tabularnewline\n\\midrule\n"
        "\\raggedright ab ab ab ab ab ab ab ab ab ab & \\raggedright mmmmmmmmmmmmmmmmmmmm c "
        "\\tabularnewline\n\\bottomrule\n\\end{tabular}\n\\end{table*}\n",
        "LaTeX: long texts are broken into lines of 110 points, or of their widest word");
    is_written(report, "select 'a<&\"' as k, 1 as v union all select 'a<&\"', 2", NULL, "v",
               grid_write_html,
               "<table>\n<thead><tr><th>k</th><th class=\"n\">v</th></tr></thead>\n<tbody>\n"
               "<tr><td>a&lt;&amp;&quot;</td><td class=\"n\"><b>1</b></td></tr>\n"
               "<tr><td>a&lt;&amp;&quot;</td><td class=\"n\">2</td></tr>\n</tbody>\n</table>\n",
               "HTML: markup escaped, the best of the rows with one first column in bold");
    is_written(report, "select 1 as a", "b", NULL, grid_write_text,
               "the query has no column 'b' or no column 'value'", "a missing column is told");
}

static void tex_escapes(void)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    tex_print(out, "%s", "\\{}$&#_%~^<>|[*]--\n\xc3\xa9\xce\xb1\xff");
    fclose(out);
    is_text(text,
            "\\textbackslash{}\\{\\}\\$\\&\\#\\_\\%\\~{}\\^{}$<$$>$\\textbar{}{[}{*}{]}-{}-"
            "\\textbackslash{}n\xc3\xa9{[}U+03B1{]}\\textbackslash{}xff",
            "LaTeX: what is special is escaped, what its fonts lack is named");
    free(text);
}

/* Marks are letters that a query puts behind cells: each is explained where it is used.  */
static void marks_explained(void)
{
    for (const struct figure *table = table_registry; table->name != NULL; table++)
        for (const char *at = table->query->sql; (at = strstr(at, "then '")) != NULL; at++)
            if (strstr(table->query->sql, " as mark") != NULL && at[6] != '\'' && at[7] == '\'') {
                char *mark = memory_printf("%c: ", at[6]);

                ok(strstr(table->caption, mark) != NULL, "table %s explains its mark %s",
                   table->name, mark);
                free(mark);
            }
}

static void gnuplot_values(void)
{
    static const struct {
        const char *text, *want;
    } values[] = {
        {"12.5", "12.5"},
        {"-3", "-3"},
        {"1.5e+10", "1.5e+10"},
        {"", "\"\""},
        {"resnet18:batch=8", "\"resnet18:batch=8\""},
        {"'s `rm`", "\"\\0047s\\0040\\0140rm\\0140\""},
        {"a,\"b\" \\n", "\"a\\0054\\0042b\\0042\\0040\\0134n\""},
        {"two\nlines\n", "\"two\\0012lines\\0012\""},
        {"\033[0m\xff\xc3\xa4", "\"\\0134x1b\\01330m\\0134xff\xc3\xa4\""},
        {"a 1", "\"a\\00401\""},
        {"nan", "\"nan\""},
    };

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char *text = NULL;
        size_t length;
        FILE *out = open_memstream(&text, &length);

        gnuplot_write_value(out, values[i].text);
        fclose(out);
        is_text(text, values[i].want, "gnuplot value %zu", i + 1);
        free(text);
    }
}

static void registry(void)
{
    ok(figure_registry->name != NULL, "there are figures");
    for (const struct figure *figure = figure_registry; figure->name != NULL; figure++)
        ok(figure->title[0] != '\0' && figure->caption[0] != '\0' && figure->query->part != NULL,
           "figure %s has a title, a caption and data", figure->name);
}

static bool sample(struct report *report, const char *dir, enum sample kind)
{
    struct error error = {""};

    if (sample_results(dir, kind, &error) && report_open(report, dir, false, &error))
        return true;
    tap_diag("%s", error.text);
    return false;
}

int main(void)
{
    char *dir = scratch_new(), *path;
    struct report report;
    struct error error = {""};

    registry();
    gnuplot_values();
    tex_escapes();
    marks_explained();
    if (!ok(sample(&report, dir, SAMPLE_USUAL), "a sample store opens"))
        return tap_done();
    views(&report);
    grids(&report);
    ok(report_check(&report, &error), "no bound contradicts a plan");
    report_clear(&report);
    path = memory_printf("%s/results.db", dir);
    unlink(path);
    if (ok(sample(&report, dir, SAMPLE_WRONG), "a store with a wrong bound opens")) {
        ok(!report_check(&report, &error), "a bound above a verified peak is seen");
        report_clear(&report);
    }
    free(path);
    scratch_remove(dir);
    return tap_done();
}
