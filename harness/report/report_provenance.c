/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which builds and machines made the rows of a report, as text.  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "harness/report/report.h"
#include "harness/store/rows.h"
#include "lib/base/memory.h"

/* The rows of experiment ?1, of all for "", and only for that what else the machine did, which is
 * said from a tenth of a processor on.  A machine is named where a figure has room for one
 * instruction set of one machine.  "2 builds, 1 machine, 1 build -dirty, 2026-11-20 to 2026-11-22".
 */
static const char sql[] =
    "select case when builds = 0 then '' when not mixed then source else"
    "  builds || iif(builds = 1, ' build, ', ' builds, ')"
    "  || machines || iif(machines = 1, ' machine', ' machines')"
    "  || case dirty when 0 then '' when 1 then ', 1 build -dirty'"
    "   else ', ' || dirty || ' builds -dirty' end"
    "  || ', ' || first || iif(first = last, '', ' to ' || last) end as text,"
    " trim(case when machines < 2 then ''"
    "  when isa is null then 'Times of different machines do not compare.'"
    "  else 'Nothing that different machines measured is compared: the widest instruction set here"
    " is ' || isa || '.' end"
    " || iif(others >= 0.1, printf(' The machine was loaded: others used up to %.2f processors on"
    " average while an experiment ran.', others), '')) as warning, mixed from"
    " (select *, builds > 0 and (builds > 1 or machines > 1) as mixed from"
    "  (select count(distinct o.build) as builds, count(distinct o.machine) as machines,"
    "    count(distinct case when o.dirty then o.build end) as dirty,"
    "    substr(min(e.first), 1, 10) as first, substr(max(e.last), 1, 10) as last,"
    "    max(o.source) as source,"
    "    (select isa from best_isa where experiment = ?1) as isa,"
    "    (select max(cast(value as real)) from used_provenance"
    "     where name like 'load during %' and ?1 = '') as others"
    "   from experiment_sweep e join origin o using (sweep) where ?1 in ('', e.experiment)))";

bool report_provenance(const struct report *report, const char *experiment,
                       struct report_origin *origin, struct error *error)
{
    struct rows rows;
    bool done = rows_query(&rows, report->store, sql, &experiment, 1, error);

    *origin = (struct report_origin){NULL, NULL, false};
    if (done)
        *origin = (struct report_origin){memory_strdup(rows_named(&rows, 0, "text")),
                                         memory_strdup(rows_named(&rows, 0, "warning")),
                                         strcmp(rows_named(&rows, 0, "mixed"), "1") == 0};
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
    char *text = memory_strdup("");

    for (size_t i = 0; done && i < rows.count; i++)
        text = memory_append(text, "%s%s", i == 0 ? "" : "; ", rows_text(&rows, i, 0));
    if (!report->draw)
        text = memory_append(text, "%spictures of figures (gnuplot is not installed)",
                             text[0] == '\0' ? "" : "; ");
    rows_clear(&rows);
    return text;
}
