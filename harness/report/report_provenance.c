/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which builds and machines made the rows of a report, as text.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/report.h"
#include "harness/store/rows.h"
#include "lib/base/memory.h"

/* The rows of experiment ?1, of all for "", and only for that what else the machine did.  A machine
 * is named where a figure has room for one instruction set of one machine.  */
static const char sql[] =
    "select count(distinct o.build) as builds, count(distinct o.machine) as machines,"
    " count(distinct case when o.dirty then o.build end) as dirty, substr(min(e.first), 1, 10),"
    " substr(max(e.last), 1, 10), max(o.source),"
    " sum(case when o.inherited then e.runs else 0 end) as inherited,"
    " (select isa from best_isa where experiment = ?1),"
    " (select max(cast(value as real)) from used_provenance"
    "  where name like 'load during %' and ?1 = '')"
    " from experiment_sweep e join origin o using (sweep) where ?1 in ('', e.experiment)";

enum { BUILDS, MACHINES, DIRTY, FIRST, LAST, SOURCE, INHERITED, ISA, OTHERS };

static bool is_one(const char *number)
{
    return strcmp(number, "1") == 0;
}

static bool is_zero(const char *number)
{
    return strcmp(number, "0") == 0 || number[0] == '\0';
}

/* "2 builds, 1 machine, 1 build -dirty, 2026-11-20 to 2026-11-22".  */
static char *mixed_text(const struct rows *rows)
{
    const char *builds = rows_text(rows, 0, BUILDS), *machines = rows_text(rows, 0, MACHINES);
    const char *dirty = rows_text(rows, 0, DIRTY), *first = rows_text(rows, 0, FIRST);
    const char *last = rows_text(rows, 0, LAST);
    const bool clean = is_zero(dirty), one_day = strcmp(first, last) == 0;

    return memory_printf("%s build%s, %s machine%s%s%s%s, %s%s%s", builds,
                         is_one(builds) ? "" : "s", machines, is_one(machines) ? "" : "s",
                         clean ? "" : ", ", clean ? "" : dirty,
                         clean           ? ""
                         : is_one(dirty) ? " build -dirty"
                                         : " builds -dirty",
                         first, one_day ? "" : " to ", one_day ? "" : last);
}

static char *origin_text(const struct rows *rows)
{
    const char *inherited = rows_text(rows, 0, INHERITED);
    const bool one = is_one(rows_text(rows, 0, BUILDS)) && is_one(rows_text(rows, 0, MACHINES));
    char *text;

    if (is_zero(rows_text(rows, 0, BUILDS)))
        return memory_strdup("");
    text = one ? memory_strdup(rows_text(rows, 0, SOURCE)) : mixed_text(rows);
    if (is_zero(inherited))
        return text;
    return memory_append(text, " (for %s run%s only the folder's latest sweep is known)", inherited,
                         is_one(inherited) ? "" : "s");
}

/* What others may have of the processors before it is said.  */
#define QUIET 0.1

/* "" on a machine that had little else to do, or of which that is not known.  */
static char *load_warning(const struct rows *rows)
{
    const char *others = rows_text(rows, 0, OTHERS);

    if (others[0] == '\0' || strtod(others, NULL) < QUIET)
        return memory_strdup("");
    return memory_printf(
        "The machine was loaded: others used up to %.2f processors on average while"
        " an experiment ran.",
        strtod(others, NULL));
}

static char *machines_warning(const struct rows *rows)
{
    const char *machines = rows_text(rows, 0, MACHINES), *isa = rows_text(rows, 0, ISA);

    if (is_zero(machines) || is_one(machines))
        return memory_strdup("");
    if (isa[0] == '\0')
        return memory_strdup("Times of different machines do not compare.");
    return memory_printf("Nothing that different machines measured is compared: the widest"
                         " instruction set here is %s.",
                         isa);
}

static char *warning_text(const struct rows *rows)
{
    char *machines = machines_warning(rows), *load = load_warning(rows);
    char *text =
        memory_printf("%s%s%s", machines, machines[0] == '\0' || load[0] == '\0' ? "" : " ", load);

    free(machines);
    free(load);
    return text;
}

bool report_provenance(const struct report *report, const char *experiment,
                       struct report_origin *origin, struct error *error)
{
    struct rows rows;
    bool done = rows_query(&rows, report->store, sql, &experiment, 1, error);

    *origin = (struct report_origin){NULL, NULL, false};
    if (done) {
        origin->text = origin_text(&rows);
        origin->warning = warning_text(&rows);
        origin->mixed =
            !is_zero(rows_text(&rows, 0, BUILDS)) &&
            !(is_one(rows_text(&rows, 0, BUILDS)) && is_one(rows_text(&rows, 0, MACHINES)));
    }
    rows_clear(&rows);
    return done;
}

void report_origin_clear(struct report_origin *origin)
{
    free(origin->text);
    free(origin->warning);
    *origin = (struct report_origin){NULL, NULL, false};
}

char *report_left_out(const struct report *report)
{
    struct rows rows;
    struct error error;
    bool done = rows_query(&rows, report->store,
                           "select distinct value from used_provenance"
                           " where name = 'left_out' and value <> 'nothing' order by value",
                           NULL, 0, &error);
    const char *separator = "";
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);

    for (size_t i = 0; done && i < rows.count; i++) {
        fprintf(out, "%s%s", separator, rows_text(&rows, i, 0));
        separator = "; ";
    }
    if (!report->draw)
        fprintf(out, "%spictures of figures (gnuplot is not installed)", separator);
    memory_stream_close(out);
    rows_clear(&rows);
    return text;
}
