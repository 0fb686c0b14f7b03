/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/report/diff.h"

#include <stdlib.h>

#include "harness/report/report.h"
#include "harness/report/runs.h"
#include "harness/store/store.h"
#include "lib/base/memory.h"

static const char *const statements[] = {
    "create temp table both as select distinct experiment from old_run"
    " intersect select experiment from new_run",

    "create temp table pair as select o.task as old_task, n.task, o.experiment, o.workload,"
    " o.solver, o.seed, o.repetition,"
    " o.outcome as old_outcome, n.outcome, o.peak as old_peak, n.peak, o.bound as old_bound,"
    " n.bound, o.time_s as old_time_s, n.time_s, o.timed or n.timed as timed, o.cut or n.cut as"
    " cut, o.checksum as old_checksum, n.checksum, o.checksum <> n.checksum as other"
    " from old_run o join new_run n using (experiment, workload, solver, seed, repetition)",

    "create temp table change as select case"
    "  when other then 'instance' when cut then null"
    "  when (peak is null and old_peak is not null) or peak > old_peak"
    "   then case when timed then 'worse-in-time' else 'worse' end"
    "  when (old_peak is null and peak is not null) or peak < old_peak"
    "   then case when timed then 'better-in-time' else 'better' end"
    "  when outcome <> old_outcome"
    "   then case when timed then 'outcome-in-time' else 'outcome' end"
    "  when bound is not old_bound then 'bound' end as change, *"
    " from pair",

    "create temp table changes as select change, experiment, workload, solver, seed, repetition,"
    " old_outcome, outcome, old_peak, peak, old_bound, bound from change where change is not null"
    " union all select 'gone', o.experiment, o.workload, o.solver, o.seed, o.repetition, o.outcome,"
    "  null, o.peak, null, o.bound, null from old_run o join both using (experiment)"
    "  left join new_run n using (experiment, workload, solver, seed, repetition)"
    "  where n.outcome is null"
    " union all select 'new', n.experiment, n.workload, n.solver, n.seed, n.repetition, null,"
    "  n.outcome, null, n.peak, null, n.bound from new_run n join both using (experiment)"
    "  left join old_run o using (experiment, workload, solver, seed, repetition)"
    "  where o.outcome is null",

    /* In the order in which people are told.  */
    "create temp table kind as select column1 as change, column2 as words from (values"
    " ('worse', 'worse'), ('better', 'better'), ('outcome', 'with another outcome'),"
    " ('worse-in-time', 'worse where a limit cut a run'),"
    " ('better-in-time', 'better where a limit cut a run'),"
    " ('outcome-in-time', 'with another outcome where a limit cut a run'),"
    " ('bound', 'with another bound'), ('instance', 'of an instance that is another now'),"
    " ('gone', 'gone'), ('new', 'new'))",
};

static const char changes_sql[] =
    "select c.* from changes c join kind k using (change)"
    " order by k.rowid, experiment, workload, solver, seed, repetition";

static const char counts_sql[] =
    "select compared, differ + new + gone as differ, bad + gone as bad,"
    " compared || ' runs in both, ' || same || ' of them the same'"
    "  || coalesce((select group_concat(', ' || n || ' ' || words, '') from"
    "   (select count(*) as n, words from changes join kind k using (change)"
    "     group by k.rowid order by k.rowid)), '')"
    "  || iif(cut = 0, '', '; ' || cut || ' that a limit cut are not compared') as summary"
    " from (select coalesce(sum(not cut or other), 0) as compared,"
    "   coalesce(sum(change is null and not cut), 0) as same,"
    "   coalesce(sum(change in ('worse', 'outcome')), 0) as bad,"
    "   coalesce(sum(cut and not other), 0) as cut,"
    "   coalesce(sum(change is not null and (other or not timed)), 0) as differ from change),"
    "  (select coalesce(sum(change = 'gone'), 0) as gone, coalesce(sum(change = 'new'), 0) as new"
    "   from changes)";

static const char times_sql[] =
    "select solver, runs, ratio, low, high, case when runs < 6 then '' when low > 1 then 'slower'"
    "  when high < 1 then 'faster' else '' end as verdict"
    " from (select solver, count(*) as runs, exp(avg(ln(time_s / old_time_s))) as ratio,"
    "  geometric_low(time_s / old_time_s) as low, geometric_high(time_s / old_time_s) as high"
    "  from pair where not timed and not other and time_s > 0 and old_time_s > 0 group by solver)"
    " order by ratio desc, solver";

static const char only_sql[] =
    "select experiment, 'old' as folder from old_run where experiment not in"
    " (select experiment from both) union select experiment, 'new' from new_run"
    " where experiment not in (select experiment from both) order by 1";

static const char machines_sql[] =
    "select count(*) from (select key from new.machine union select key from old.machine)";

static bool count(struct diff *diff, struct store *store, struct error *error)
{
    struct rows counts;
    bool done = rows_query(&counts, store, counts_sql, NULL, 0, error);

    if (done) {
        diff->compared = strtoul(rows_named(&counts, 0, "compared"), NULL, 10);
        diff->bad = strtoul(rows_named(&counts, 0, "bad"), NULL, 10);
        diff->differ = strtoul(rows_named(&counts, 0, "differ"), NULL, 10);
        diff->summary = memory_strdup(rows_named(&counts, 0, "summary"));
    }
    rows_clear(&counts);
    return done;
}

/* A file of runs has no times.  */
static bool compare_machines(struct diff *diff, struct store *store, const char *old,
                             const char *new, struct error *error)
{
    struct rows rows = {0};
    bool done;

    diff->one_machine = true;
    if (runs_is_file(old) || runs_is_file(new))
        return true;
    done = rows_query(&rows, store, machines_sql, NULL, 0, error);
    if (done)
        diff->one_machine = strtoul(rows_text(&rows, 0, 0), NULL, 10) < 2;
    rows_clear(&rows);
    return done;
}

/* NEW NULL: what STORE has.  */
static bool pair_runs(struct store *store, const char *old, const char *new, struct error *error)
{
    bool done = runs_add(store, "old", old, error) && runs_add(store, "new", new, error);

    for (size_t i = 0; done && i < sizeof statements / sizeof statements[0]; i++)
        done = rows_ask(NULL, store, error, "%s", statements[i]);
    return done;
}

bool diff_results(struct diff *diff, const char *old, const char *new, bool values,
                  struct error *error)
{
    struct store *store = store_open_memory(error);
    bool done;

    *diff = (struct diff){.compared = 0};
    if (store == NULL)
        return false;
    if (values && (runs_is_file(old) || runs_is_file(new)))
        done = error_set(error, "%s: a file of runs has no values", runs_is_file(old) ? old : new);
    else
        done = report_add_aggregates(store, error) && pair_runs(store, old, new, error) &&
               rows_query(&diff->changes, store, changes_sql, NULL, 0, error) &&
               rows_query(&diff->times, store, times_sql, NULL, 0, error) &&
               rows_query(&diff->only, store, only_sql, NULL, 0, error) &&
               count(diff, store, error) && compare_machines(diff, store, old, new, error) &&
               (!values || diff_values(diff, store, "new", error));
    store_close(store);
    return done;
}

bool diff_again(struct diff *diff, const char *old, struct store *new, struct error *error)
{
    *diff = (struct diff){.compared = 0};
    return pair_runs(new, old, NULL, error) && diff_values(diff, new, "main", error);
}

void diff_clear(struct diff *diff)
{
    rows_clear(&diff->changes);
    rows_clear(&diff->times);
    rows_clear(&diff->only);
    rows_clear(&diff->values);
    free(diff->summary);
}
