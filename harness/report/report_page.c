/* The summary page.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/figure.h"
#include "harness/io/output.h"
#include "harness/report/grid.h"
#include "harness/report/report.h"
#include "harness/store/rows.h"
#include "lib/base/memory.h"

static const char page_head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>arenabench: results</title>\n"
    "<style>\n"
    "body { font: 15px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff;\n"
    "       max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }\n"
    "h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }\n"
    "h3 { font-size: 1rem; margin-bottom: .3rem; }\n"
    "figure { margin: 1.5rem 0 2rem; } figure img { max-width: 100%; height: auto; }\n"
    "figcaption, .caption { color: #444; font-size: .9rem; max-width: 48rem; }\n"
    ".scroll { overflow-x: auto; }\n"
    "table { border-collapse: collapse; font-size: .85rem; margin: .5rem 0;\n"
    "        border-top: 1.5px solid #333; border-bottom: 1.5px solid #333; }\n"
    "thead { border-bottom: 1px solid #333; }\n"
    "th, td { padding: .15rem .5rem; text-align: left; vertical-align: top; }\n"
    "th { font-weight: 600; }\n"
    ".n { text-align: right; font-variant-numeric: tabular-nums; }\n"
    "td.n { white-space: nowrap; }\n"
    "tbody tr:nth-child(even) { background: #f6f6f6; }\n"
    ".missing { color: #8a4b00; }\n"
    "nav a { margin-right: 1em; }\n"
    "</style>\n"
    "</head>\n"
    "<body>\n"
    "<h1>arenabench: results</h1>\n";

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

static void write_figure(FILE *out, const struct shown *shown)
{
    fprintf(out, "<h3 id=\"figure-%s\">", shown->name);
    html_write(out, shown->title);
    fputs("</h3>\n", out);
    if (shown->skipped != NULL) {
        fputs("<p class=\"missing\">Not made: ", out);
        html_write(out, shown->skipped);
        fputs(".</p>\n", out);
        return;
    }
    fputs("<figure>\n", out);
    if (shown->drawn) {
        fprintf(out, "<img src=\"figures/%s.svg\" alt=\"", shown->name);
        html_write(out, shown->title);
        fputs("\">\n", out);
    } else
        fputs("<p class=\"missing\">Not drawn: gnuplot was not run.</p>\n", out);
    fputs("<figcaption>", out);
    html_write(out, shown->caption);
    fputs(" ", out);
    write_links(out, shown);
    fputs("</figcaption>\n</figure>\n", out);
}

static void write_table(FILE *out, const struct shown *shown, const struct grid *grid)
{
    const char *name = shown->name;

    fprintf(out, "<h3 id=\"table-%s\">", name);
    html_write(out, shown->title);
    fputs("</h3>\n", out);
    if (grid == NULL) {
        fputs("<p class=\"missing\">Not made: ", out);
        html_write(out, shown->skipped);
        fputs(".</p>\n", out);
        return;
    }
    fputs("<p class=\"caption\">", out);
    html_write(out, shown->caption);
    fprintf(out,
            " <a href=\"tables/%s.csv\">csv</a> <a href=\"tables/%s.tex\">tex</a>"
            " <a href=\"tables/%s.txt\">txt</a></p>\n<div class=\"scroll\">\n",
            name, name, name);
    grid_write_html(grid, out);
    fputs("</div>\n", out);
}

static bool write_query(const struct report *report, FILE *out, const char *title, const char *sql,
                        struct error *error)
{
    struct rows rows;
    bool done = rows_query(&rows, report->store, sql, NULL, 0, error);

    if (done && rows.count > 0) {
        struct grid *grid = grid_new(&rows, NULL, NULL, error);

        fputs("<h2>", out);
        html_write(out, title);
        fputs("</h2>\n<div class=\"scroll\">\n", out);
        grid_write_html(grid, out);
        fputs("</div>\n", out);
        grid_free(grid);
    }
    rows_clear(&rows);
    return done;
}

/* One line at the head: what made all this.  */
static bool write_origin(const struct report *report, FILE *out, struct error *error)
{
    struct report_origin origin;
    bool done = report_provenance(report, "", &origin, error);

    if (done && origin.text[0] != '\0') {
        fputs("<p class=\"caption\">Runs of ", out);
        html_write(out, origin.text);
        fputs(". ", out);
        html_write(out, origin.warning);
        fputs(" <a href=\"#table-builds\">More</a></p>\n", out);
    }
    report_origin_clear(&origin);
    return done;
}

/* And one: what could not be in it.  */
static void write_left_out(const struct report *report, FILE *out)
{
    char *missing = report_left_out(report);

    if (missing[0] != '\0') {
        fputs("<p class=\"missing\">Left out: ", out);
        html_write(out, missing);
        fputs(".</p>\n", out);
    }
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

    done = done && write_query(report, out, "Where this comes from", sql, error);
    rows_clear(&rows);
    return done;
}

static bool write_page(const struct report *report, FILE *out, struct error *error)
{
    fputs(page_head, out);
    if (!write_origin(report, out, error))
        return false;
    write_left_out(report, out);
    fputs("<nav>", out);
    for (size_t i = 0; i < report->figures; i++) {
        fprintf(out, "<a href=\"#figure-%s\">", report->figure[i].name);
        html_write(out, report->figure[i].title);
        fputs("</a>\n", out);
    }
    fputs("<a href=\"#tables\">Tables</a></nav>\n<h2>Figures</h2>\n", out);
    for (size_t i = 0; i < report->figures; i++)
        write_figure(out, &report->figure[i]);
    fputs("<h2 id=\"tables\">Tables</h2>\n", out);
    for (size_t i = 0; i < report->tables; i++)
        write_table(out, &report->table[i], report->grid[i]);
    if (!write_query(report, out, "Bounds that contradict a plan", report_contradictions, error) ||
        !write_query(report, out, "What went wrong",
                     "select distinct experiment, contestant, w.label as workload, outcome,"
                     " r.reason from any_run r join workload w on w.id = r.workload"
                     " where outcome in ('invalid', 'crashed')"
                     " or (outcome in ('timeout', 'memout') and kernel) order by 1, 2, 3, 4, 5",
                     error) ||
        !write_query(report, out, "What was skipped",
                     "select experiment, contestant, reason, count(*) as runs"
                     " from any_run where outcome = 'skipped' group by 1, 2, 3 order by 1, 2, 3",
                     error) ||
        !write_provenance(report, out, error))
        return false;
    fputs("</body>\n</html>\n", out);
    return true;
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
