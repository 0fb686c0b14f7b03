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

/* SQL of how near the planners in column WHO come, behind their names; the fastest is the first. */
/* clang-format off */
#define FASTEST(who) \
    "substr(" who ", 1, min(instr(" who " || ', ', ', '), instr(" who " || ' and ', ' and ')) - 1)"
#define NEAREST(who, above) \
    "iif(proven = n and cast(" who "_gap as real) = 0 and instr(" who "_gap, '.') = 0," \
    " iif(" who "_ties = 1, ' reaches', ' reach') || iif(n = 1, ' it', ' all of them')," \
    " iif(" who "_ties = 1, ' comes nearest: ', ' come nearest: ') || " who "_gap || " above \
    " || coalesce(' on average (95 %: ' || " who "_interval || ')', ' on average'))" \
    " || iif(" who "_ties = 1, ', in ', '; the fastest is ' || " FASTEST(who) " || ', in ')" \
    " || " who "_ms || ' ms. '"

/* The tables that the page opens with, and SQL of how a row of each reads: whom it speaks of, and
 * what it says in a sentence or two.  */
static const struct answer {
    const char *table, *head, *text;
    const char *first; /* SQL: rows that come first, the others being folded; NULL: all */
    const char *last;  /* what is said behind those that come first, or NULL */
    bool own;          /* programs of the user's own are said after it */
} answers[] = {
    {"answer", "instances",
     "n || iif(n = 1, ' instance, ', ' instances, ')"
     " || iif(proven = n and n > 1, 'all optima known. ',"
     "        proven || iif(proven = 1, ' optimum known. ', ' optima known. '))"
     " || case when best is null then 'No planner has a plan of each. ' else"
     "  best || " NEAREST("best", "' % above the ' || iif(proven = n, 'optimum', 'best bound')")
     " end || case when shipped is null then 'No planner that is shipped has a plan of each. '"
     "   when shipped = best then 'That is shipped. ' else"
     "  'Of those that compilers and runtimes ship, ' || shipped || "
     NEAREST("shipped", "' % above'") " end"
     " || iif(gain_interval is not null and cast(gain as real) > 0"
     "         and cast(gain_interval as real) <= 0, 'The difference may be chance. ', '')"
     " || coalesce('A proof by branch-and-bound takes ' || proof_ms || ' ms.', '')",
     "instances in ('networks', 'training graphs', 'accelerators')",
     "section-first is what libarenaplan does: a library for your own compiler or runtime.", true},
    {"answer-kernels", "isa || ', ' || kind || ' convolutions'",
     "layers || iif(layers = 1, ' layer. ', ' layers. ')"
     " || coalesce('Of the libraries that can do every layer, ' || nullif(library, '')"
     "  || ' comes nearest: mGEMM is ' || speed_up || ' times as fast (95 %: ' || interval"
     "  || iif(coalesce(chance, '') = '', '', ', which may be chance') || '). ', '')"
     " || 'Beside each layer''s fastest direct library it is ' || fastest || ' times as fast ('"
     " || fastest_interval || '); it is the fastest on ' || won || '.'"
     " || coalesce(' Winograd''s algorithm, which multiplies less and rounds otherwise,"
     " would take '"
     "  || nullif(winograd, '') || ' of its time where oneDNN has it.', '')",
     NULL, NULL, false},
    {"answer-memories", "'fast memory of ' || fast || ' of the load'",
     "n || iif(n = 1, ' instance, ', ' instances, ') || proven"
     " || iif(proven = 1, ' least cost', ' least costs')"
     " || ' proven. ' || case when best is null then 'No planner has a valid split of each. ' else"
     "  best || ' comes nearest: ' || best_gap || ' % above the least on average, in ' || best_ms"
     "  || ' ms. ' end"
     " || case when shipped is null then 'No planner that is shipped has a valid split of each. '"
     "   when shipped = best then 'That is shipped. ' else"
     "  'Of those that compilers ship, ' || shipped || ' comes nearest: ' || shipped_gap"
     "  || ' % above. ' end || coalesce('A proof by benders takes ' || exact_ms || ' ms.', '')",
     NULL, NULL, false},
};

/* clang-format on */

/* Where the user's own programs stand.  */
static const char own_sql[] =
    "with peak as (select contestant, max(solver) as solver, checksum,"
    "  100 * (min(ratio) - 1) as gap from field_result"
    "  where experiment = ?1 and arena and ratio is not null group by contestant, checksum),"
    " mean as (select contestant, max(solver) as solver, count(*) as n, avg(gap) as gap,"
    "  bootstrap_low(gap) as low, bootstrap_high(gap) as high from peak group by contestant),"
    " placed as (select *, rank() over (order by round(gap, 9)) as place, count(*) over () as of"
    "  from mean where n = (select max(n) from mean))"
    " select contestant, printf('%.2f %% above the optimum on average over all %d instances"
    " (95 %%: %.2f to %.2f), place %d of the %d planners with a plan of each.',"
    "  gap, n, low, high, place, of) as text"
    " from placed where solver like 'exec:%' order by place, contestant";

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

/* The items of a list: who, which is written as FORMAT says, and what of it.  */
static bool write_items(const struct report *report, const char *sql, const char *experiment,
                        int parameters, const char *format, FILE *out, struct error *error)
{
    struct rows rows;
    bool done = rows_query(&rows, report->store, sql, &experiment, parameters, error);

    for (size_t r = 0; done && r < rows.count; r++)
        html_print(out, format, rows_text(&rows, r, 0), rows_text(&rows, r, 1));
    rows_clear(&rows);
    return done;
}

/* Those rows of SHOWN's answer that come first, or the others, as items.  Where none comes first
 * all do.  */
static bool write_rows(const struct report *report, const struct shown *shown, bool first,
                       FILE *out, struct error *error)
{
    const struct answer *answer = find_answer(shown);
    const char *among = answer->first == NULL ? "true" : answer->first;
    char *sql = memory_printf("with answer as (%s) select %s, %s from answer"
                              " where %s((%s) or not exists (select 1 from answer where %s))",
                              shown->figure->query->sql, answer->head, answer->text,
                              first ? "" : "not ", among, among);
    bool done = write_items(report, sql, shown->experiment, shown->figure->shape[0] != '\0',
                            "<li><b>%s</b>: %s</li>\n", out, error);

    free(sql);
    return done;
}

/* What comes first, in sentences; the rest, with the table, is folded.  */
static bool write_answer(const struct report *report, size_t i, FILE *out, struct error *error)
{
    const struct shown *shown = &report->table[i];
    const struct answer *answer = find_answer(shown);
    bool done;

    html_print(out, "<h2 id=\"table-%s\">%s</h2>\n<ul class=\"answer%s\">\n", shown->name,
               shown->title, answer->first == NULL ? " many" : "");
    done = write_rows(report, shown, true, out, error) &&
           (!answer->own ||
            write_items(report, own_sql, shown->experiment, 1, "<li>%s: %s</li>\n", out, error));
    fputs("</ul>\n", out);
    if (answer->last != NULL)
        html_print(out, "<p>%s</p>\n", answer->last);
    html_print(out, "<details><summary>%s</summary>\n<ul class=\"answer many\">\n",
               answer->first == NULL ? "As a table"
                                     : "Other kinds of instances, and all as a table");
    done = done && (answer->first == NULL || write_rows(report, shown, false, out, error));
    fputs("</ul>\n<div class=\"scroll answers\">\n", out);
    grid_write_html(report->grid[i], out);
    html_print(out, "</div>\n<p class=\"caption\">%s</p>\n</details>\n", shown->caption);
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
