/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/report/page_answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/figure.h"
#include "harness/report/grid.h"
#include "harness/report/markup.h"
#include "harness/report/report.h"
#include "harness/store/rows.h"
#include "lib/base/memory.h"

static bool is_zero(const char *number)
{
    return strtod(number, NULL) <= 0.0;
}

/* A row of the table `answer` as a sentence or two.  */
static void write_sentence(FILE *out, const struct rows *rows, size_t row)
{
    const char *shipped = rows_named(rows, row, "shipped");
    const char *best = rows_named(rows, row, "best"), *gain = rows_named(rows, row, "gain");
    const char *proof = rows_named(rows, row, "proof_ms");
    const char *n = rows_named(rows, row, "n"), *proven = rows_named(rows, row, "proven");
    char *text =
        memory_printf("%s instance%s, %s optim%s known. ", n, strcmp(n, "1") == 0 ? "" : "s",
                      proven, strcmp(proven, "1") == 0 ? "um" : "a");

    if (shipped[0] == '\0')
        text = memory_append(text, "No planner that is shipped has a plan of each. ");
    else
        text = memory_append(text,
                             "Of the planners that are shipped %s comes nearest, %s %% above the "
                             "optimum on average (95 %%: %s), in %s ms. ",
                             shipped, rows_named(rows, row, "shipped_gap"),
                             rows_named(rows, row, "shipped_interval"),
                             rows_named(rows, row, "shipped_ms"));
    if (shipped[0] != '\0' && best[0] != '\0' && strcmp(best, shipped) != 0 && is_zero(gain))
        text = memory_append(text, "No other comes nearer. ");
    else if (shipped[0] != '\0' && best[0] != '\0' && strcmp(best, shipped) != 0)
        text = memory_append(
            text, "%s gains %s %% on it (%s%s), in %s ms. ", best, gain,
            rows_named(rows, row, "gain_interval"),
            is_zero(rows_named(rows, row, "gain_interval")) ? ", which may be chance" : "",
            rows_named(rows, row, "best_ms"));
    if (proof[0] != '\0')
        text = memory_append(text, "A proof by branch-and-bound takes %s ms.", proof);
    html_print(out, "<li><b>%s</b>: %s</li>\n", rows_named(rows, row, "instances"), text);
    free(text);
}

/* Where the user's own programs stand.  */
static bool write_own(const struct report *report, const char *experiment, FILE *out,
                      struct error *error)
{
    static const char sql[] =
        "with peak as (select contestant, checksum, 100 * (min(ratio) - 1) as gap from field_result"
        "  where experiment = ?1 and arena and ratio is not null group by contestant, checksum),"
        " mean as (select contestant, count(*) as n, avg(gap) as gap, bootstrap_low(gap) as low,"
        "  bootstrap_high(gap) as high from peak group by contestant),"
        " placed as (select *, rank() over (order by round(gap, 9)) as place, count(*) over () as "
        "of"
        "  from mean where n = (select max(n) from mean))"
        " select contestant, printf('%.2f', gap), printf('%.2f to %.2f', low, high), place, of, n"
        " from placed where contestant like 'exec:%' order by place, contestant";
    struct rows rows;
    bool done = rows_query(&rows, report->store, sql, &experiment, 1, error);

    for (size_t r = 0; done && r < rows.count; r++)
        html_print(out,
                   "<li>%s: %s %% above the optimum on average over all %s instances (95 %%: %s),"
                   " place %s of the %s planners with a plan of each.</li>\n",
                   rows_text(&rows, r, 0), rows_text(&rows, r, 1), rows_text(&rows, r, 5),
                   rows_text(&rows, r, 2), rows_text(&rows, r, 3), rows_text(&rows, r, 4));
    rows_clear(&rows);
    return done;
}

/* A row of the table `answer-kernels` as a sentence.  */
static void write_kernels(FILE *out, const struct rows *rows, size_t row)
{
    const char *layers = rows_named(rows, row, "layers"),
               *library = rows_named(rows, row, "library");
    const char *interval = rows_named(rows, row, "interval");
    char *text = memory_printf("%s layer%s. ", layers, strcmp(layers, "1") == 0 ? "" : "s");

    if (library[0] != '\0')
        text = memory_append(text,
                             "Of the libraries that can do all %s comes nearest: mGEMM is %s times "
                             "as fast (95 %%: %s%s). ",
                             library, rows_named(rows, row, "speed_up"), interval,
                             rows_named(rows, row, "chance")[0] != '\0' ? ", which may be chance"
                                                                        : "");
    text =
        memory_append(text,
                      "Beside each layer's fastest library it is %s times as fast (%s); it is the "
                      "fastest of all on %s.",
                      rows_named(rows, row, "fastest"), rows_named(rows, row, "fastest_interval"),
                      rows_named(rows, row, "won"));
    html_print(out, "<li><b>%s, %s convolutions</b>: %s</li>\n", rows_named(rows, row, "isa"),
               rows_named(rows, row, "kind"), text);
    free(text);
}

/* The tables that the page opens with, and how a row of each reads as a sentence.  */
static const struct answer {
    const char *table;
    void (*write)(FILE *out, const struct rows *rows, size_t row);
    bool own; /* programs of the user's own are said after it */
} answers[] = {{"answer", write_sentence, true}, {"answer-kernels", write_kernels, false}};

static const struct answer *find_answer(const struct shown *shown)
{
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
        if (strcmp(shown->figure->name, answers[i].table) == 0)
            return &answers[i];
    return NULL;
}

bool page_is_answer(const struct shown *shown)
{
    return find_answer(shown) != NULL;
}

static bool write_answer(const struct report *report, size_t i, FILE *out, struct error *error)
{
    const struct shown *shown = &report->table[i];
    const struct answer *answer = find_answer(shown);
    const char *experiment = shown->experiment;
    struct rows rows;
    bool done = rows_query(&rows, report->store, shown->figure->query->sql, &experiment,
                           shown->figure->shape[0] != '\0', error);

    html_print(out, "<h2 id=\"table-%s\">%s</h2>\n<ul class=\"answer\">\n", shown->name,
               shown->title);
    for (size_t row = 0; done && row < rows.count; row++)
        answer->write(out, &rows, row);
    if (done && answer->own)
        done = write_own(report, experiment, out, error);
    fputs("</ul>\n<div class=\"scroll\">\n", out);
    grid_write_html(report->grid[i], out);
    html_print(out, "</div>\n<p class=\"caption\">%s</p>\n", shown->caption);
    rows_clear(&rows);
    return done;
}

bool page_write_answers(const struct report *report, FILE *out, struct error *error)
{
    bool done = true;

    for (size_t i = 0; done && i < report->tables; i++)
        if (page_is_answer(&report->table[i]) && report->grid[i] != NULL)
            done = write_answer(report, i, out, error);
    return done;
}
