/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary page.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/figure.h"
#include "harness/io/options.h"
#include "harness/io/output.h"
#include "harness/report/diff.h"
#include "harness/report/grid.h"
#include "harness/report/markup.h"
#include "harness/report/page_answer.h"
#include "harness/report/page_code.h"
#include "harness/report/page_runs.h"
#include "harness/report/report.h"
#include "harness/store/rows.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"

/* Of a picture, or of a part of the page.  */
#define MOST_BYTES ((size_t)1 << 28)

/* A file of the project's, as it stands.  */
static bool write_shared(FILE *out, const char *name, struct error *error)
{
    char *path = share_path(name), *text = NULL;
    size_t length;
    bool done = file_read(path, MOST_BYTES, &text, &length, error);

    if (done)
        fwrite(text, 1, length, out); /* closing sees what went wrong */
    free(text);
    free(path);
    return done;
}

static bool write_head(FILE *out, struct error *error)
{
    bool done;

    fputs("<!DOCTYPE html>\n"
          "<html lang=\"en\">\n"
          "<head>\n"
          "<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<title>arenabench: results</title>\n"
          "<style>\n",
          out);
    done = write_shared(out, "plots/page.css", error);
    fputs("</style>\n</head>\n<body>\n<h1>arenabench: results</h1>\n", out);
    return done;
}

/* Its size in pixels as WIDTH and HEIGHT of the page's: so nothing moves when it is unpacked.  */
static void write_size(FILE *out, const char *picture)
{
    static const char *const name[] = {" width=\"", " height=\""};

    for (int i = 0; i < 2; i++) {
        const char *at = strstr(picture, name[i]);

        if (at != NULL)
            fprintf(out, "%s%ld\"", name[i], strtol(at + strlen(name[i]), NULL, 10));
    }
}

/* The picture stands in the page itself, packed: it is whole wherever the file is taken.  Without
 * scripts the file beside it is shown.  */
static bool write_picture(FILE *out, const struct report *report, const struct shown *shown,
                          struct error *error)
{
    char *path = memory_printf("%s/figures/%s.svg", report->dir, shown->name), *picture = NULL;
    size_t length;
    bool done = file_read(path, MOST_BYTES, &picture, &length, error);

    free(path);
    if (!done)
        return false;
    fputs("<img data-packed=\"", out);
    page_write_packed(out, picture, length);
    html_print(out, "\" alt=\"%s\"", shown->title);
    write_size(out, picture);
    html_print(out, ">\n<noscript><img src=\"figures/%s.svg\" alt=\"%s\"></noscript>\n",
               shown->name, shown->title);
    free(picture);
    return true;
}

static void write_links(FILE *out, const struct shown *shown)
{
    const char *name = shown->name;

    if (shown->drawn)
        for (int i = 0; i < 3; i++) {
            static const char *const ending[] = {"pdf", "png", "svg"};

            fprintf(out, "<a href=\"figures/%s.%s\">%s</a> ", name, ending[i], ending[i]);
        }
    for (const struct figure_query *query = shown->figure->query; query->part != NULL; query++)
        if (!query->arrays)
            fprintf(out, "<a href=\"figures/%s%s%s.csv\">data%s%s</a> ", name,
                    query->part[0] != '\0' ? "-" : "", query->part,
                    query->part[0] != '\0' ? " " : "", query->part);
}

/* Folded, as tables are: titles say what there is to open.  */
static bool write_figure(FILE *out, const struct report *report, const struct shown *shown,
                         struct error *error)
{
    bool done = true;

    html_print(out, "<details class=\"figure\" id=\"figure-%s\"><summary>%s", shown->name,
               shown->title);
    if (shown->skipped != NULL) {
        html_print(out,
                   " <span class=\"missing\">(not made)</span></summary>\n"
                   "<p class=\"missing\">Not made: %s.</p>\n</details>\n",
                   shown->skipped);
        return true;
    }
    fputs("</summary>\n<figure>\n", out);
    if (shown->drawn)
        done = write_picture(out, report, shown, error);
    else
        html_print(out, "<p class=\"missing\">Not drawn: %s.</p>\n",
                   shown->undrawn != NULL ? shown->undrawn : "gnuplot was not run");
    html_print(out, "<figcaption>%s <span class=\"files\">", shown->caption);
    write_links(out, shown);
    fputs("</span></figcaption>\n</figure>\n</details>\n", out);
    return done;
}

/* LONG ones stay folded on paper.  */
static void write_table(FILE *out, const struct shown *shown, const struct grid *grid)
{
    enum { MOST_ON_PAPER = 30 };
    const char *name = shown->name;
    char *best;

    html_print(out,
               grid != NULL && grid_rows(grid) > MOST_ON_PAPER
                   ? "<details id=\"table-%s\" class=\"long\"><summary>%s</summary>\n"
                   : "<details id=\"table-%s\"><summary>%s</summary>\n",
               name, shown->title);
    if (grid == NULL) {
        html_print(out, "<p class=\"missing\">Not made: %s.</p>\n</details>\n", shown->skipped);
        return;
    }
    html_print(out, "<p class=\"caption\">%s", shown->caption);
    best = grid_best_words(grid);
    if (best != NULL)
        html_print(out, " Bold: %s.", best);
    free(best);
    fprintf(
        out,
        " <span class=\"files\"><a href=\"tables/%s.csv\">csv</a> <a href=\"tables/%s.tex\">tex</a>"
        " <a href=\"tables/%s.txt\">txt</a></span></p>\n<div class=\"scroll\">\n",
        name, name, name);
    grid_write_html(grid, out);
    fputs("</div>\n</details>\n", out);
}

/* Nothing where there are no rows.  */
static void write_rows(FILE *out, const char *id, const char *title, const struct rows *rows)
{
    struct grid *grid;

    if (rows->count == 0)
        return;
    grid = grid_new(rows, NULL, NULL, NULL);
    html_print(out, "<details id=\"%s\"><summary>%s</summary>\n<div class=\"scroll\">\n", id,
               title);
    grid_write_html(grid, out);
    fputs("</div>\n</details>\n", out);
    grid_free(grid);
}

static bool write_query(const struct report *report, FILE *out, const char *id, const char *title,
                        const char *sql, struct error *error)
{
    struct rows rows;
    bool done = rows_query(&rows, report->store, sql, NULL, 0, error);

    if (done)
        write_rows(out, id, title, &rows);
    rows_clear(&rows);
    return done;
}

/* One line at the head: what made all this.  */
static bool write_origin(const struct report *report, FILE *out, struct error *error)
{
    struct report_origin origin;
    bool done = report_provenance(report, "", &origin, error);

    if (done && origin.text[0] != '\0')
        html_print(out,
                   "<p class=\"caption\">Runs of %s. %s <a href=\"#table-builds\">More</a></p>\n",
                   origin.text, origin.warning);
    report_origin_clear(&origin);
    return done;
}

/* And what all this is: how many runs of whom, on what, where and when.  */
static bool write_extent(const struct report *report, FILE *out, struct error *error)
{
    static const char sql[] =
        "select runs || iif(runs = 1, ' run of ', ' runs of ')"
        " || planners || iif(planners = 1, ' planner on ', ' planners on ')"
        " || instances || iif(instances = 1, ' instance', ' instances')"
        " || '. The optimum of ' || proven || ' is known; ' || hard || iif(hard = 1, ' is', ' are')"
        " || ' not trivial: no heuristic but section-first reaches the load there.'"
        " || coalesce(' Processor: ' || (select group_concat(processor, ', ')"
        "  from (select distinct processor from origin where processor <> '')) || '.', '')"
        " from (select count(*) as runs, count(distinct solver) as planners,"
        "   count(distinct r.checksum) as instances,"
        "   count(distinct case when i.optimum is not null then r.checksum end) as proven,"
        "   count(distinct case when i.hard then r.checksum end) as hard"
        "   from run r join instance i on i.checksum = r.checksum) where runs > 0";
    struct rows rows;
    bool done = rows_query(&rows, report->store, sql, NULL, 0, error);

    if (done && rows.count > 0)
        html_print(out, "<p>%s</p>\n", rows_text(&rows, 0, 0));
    rows_clear(&rows);
    return done;
}

/* And one: what could not be in it.  */
static void write_left_out(const struct report *report, FILE *out)
{
    char *missing = report_left_out(report);

    if (missing[0] != '\0')
        html_print(out, "<p class=\"missing\">Left out: %s.</p>\n", missing);
    free(missing);
}

/* Every pair of the provenance, and whose it is where they differ.  */
static bool write_provenance(const struct report *report, FILE *out, struct error *error)
{
    struct rows rows;
    bool done =
        rows_query(&rows, report->store, "select 1 from used_provenance where whose <> '' limit 1",
                   NULL, 0, error);
    const char *sql = done && rows.count > 0
                          ? "select name, value, whose as \"of\" from used_provenance"
                          : "select name, value from used_provenance";

    done = done && write_query(report, out, "provenance", "Where this comes from", sql, error);
    rows_clear(&rows);
    return done;
}

/* --- what changed --- */

/* Against the results that the report was asked to compare with.  */
static bool write_changes(const struct report *report, FILE *out, struct error *error)
{
    struct diff diff;
    bool done;

    if (report->against == NULL)
        return true;
    done = diff_results(&diff, report->against, report->dir, false, error);
    if (done) {
        html_print(out, "<h2 id=\"changes\">What changed since %s</h2>\n<p>%s.%s</p>\n",
                   report->against, diff.summary,
                   diff.one_machine ? "" : " Times are of different machines: they say little.");
        write_rows(out, "changed-runs", "Runs that differ", &diff.changes);
        write_rows(out, "changed-times", "Time, new over old", &diff.times);
        write_rows(out, "changed-experiments", "Experiments of one of the two", &diff.only);
    }
    diff_clear(&diff);
    return done;
}

/* --- the whole --- */

static void write_contents(const struct report *report, FILE *out)
{
    fputs("<nav>", out);
    for (size_t i = 0; i < report->tables; i++)
        if (page_is_answer(&report->table[i]) && report->grid[i] != NULL)
            html_print(out, "<a href=\"#table-%s\">%s</a>\n", report->table[i].name,
                       report->table[i].title);
    fputs(report->against != NULL ? "<a href=\"#changes\">What changed</a>\n" : "", out);
    fputs("<a href=\"#figures\">Figures</a>\n<a href=\"#tables\">Tables</a>\n"
          "<a href=\"#provenance\">Where this comes from</a></nav>\n",
          out);
}

/* What makes tables sort and filter, and what a click on a row shows.  */
static bool write_scripts(const struct report *report, FILE *out, struct error *error)
{
    bool done;

    fputs("<script type=\"text/plain\" id=\"runs\">", out);
    done = page_write_runs(report, out, error);
    fputs("</script>\n<script>\n", out);
    done = done && write_shared(out, "plots/page.js", error) &&
           write_shared(out, "plots/page_task.js", error);
    fputs("</script>\n</body>\n</html>\n", out);
    return done;
}

static bool write_page(const struct report *report, FILE *out, struct error *error)
{
    bool done = write_head(out, error) && write_origin(report, out, error) &&
                write_extent(report, out, error);

    if (!done)
        return false;
    write_left_out(report, out);
    write_contents(report, out);
    done = page_write_answers(report, out, error) && write_changes(report, out, error);
    fputs("<h2 id=\"figures\">Figures</h2>\n", out);
    for (size_t i = 0; done && i < report->figures; i++)
        done = write_figure(out, report, &report->figure[i], error);
    fputs("<h2 id=\"tables\">Tables</h2>\n<p class=\"files\">A click on a column's head sorts. "
          "A click on a row, or Enter, shows the runs behind it: the plan's picture, the command "
          "that repeats it, what the search did.</p>\n",
          out);
    for (size_t i = 0; i < report->tables; i++)
        if (!page_is_answer(&report->table[i]) || report->grid[i] == NULL)
            write_table(out, &report->table[i], report->grid[i]);
    if (!done ||
        !write_query(report, out, "contradictions", "Bounds that contradict a plan",
                     report_contradictions, error) ||
        !write_query(report, out, "wrong", "What went wrong",
                     "select distinct experiment, contestant, w.label as workload, outcome,"
                     " r.reason from any_run r join workload w on w.id = r.workload"
                     " where outcome in ('invalid', 'crashed')"
                     " or (outcome in ('timeout', 'memout') and kernel) order by 1, 2, 3, 4, 5",
                     error) ||
        !write_query(report, out, "skipped", "What was skipped",
                     "select experiment, contestant, reason, count(*) as runs"
                     " from any_run where outcome = 'skipped' group by 1, 2, 3 order by 1, 2, 3",
                     error) ||
        !write_provenance(report, out, error))
        return false;
    return write_scripts(report, out, error);
}

bool report_page(const struct report *report, struct error *error)
{
    char *path = memory_printf("%s/report.html", report->dir);
    struct output output;
    bool done = output_open(&output, path, error);

    free(path);
    if (!done)
        return false;
    done = write_page(report, output.file, error);
    return output_close(&output, done, error) && done;
}
