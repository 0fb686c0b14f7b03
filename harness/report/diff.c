#include <config.h>

#include "harness/report/diff.h"

#include <stdlib.h>
#include <string.h>

#include "harness/report/report.h"
#include "harness/store/store.h"
#include "lib/base/memory.h"

/* The runs of a store, which SQL calls OF, as the temporary table NAME: those of an experiment's
 * full size where it has been run, as in a report.  */
static bool add_runs(struct store *store, const char *name, const char *of, struct error *error)
{
    char *sql = memory_printf(
        "create temp table %s as select e.experiment, w.label as workload,"
        " " STORE_TASK_LABEL " as solver, t.seed, t.repetition, t.outcome, w.checksum,"
        " case when t.outcome <> 'invalid' then p.peak end as peak, p.lower_bound as bound,"
        " t.time_s, coalesce(t.timed, 0) or t.outcome in ('timeout', 'memout') as timed"
        " from %s.experiment_task e"
        " join (select experiment, case when max(size = 'full') then 'full' else max(size) end"
        "        as size from %s.experiment_task group by experiment) using (experiment, size)"
        " join %s.task t on t.id = e.task and t.kind = 'plan'"
        " join %s.workload w on w.id = t.workload left join %s.plan p on p.task = t.id",
        name, of, of, of, of, of);
    char *index = memory_printf("create index temp.%s_index on %s"
                                " (experiment, workload, solver, seed, repetition)",
                                name, name);
    bool done = rows_query(NULL, store, sql, NULL, 0, error) &&
                rows_query(NULL, store, index, NULL, 0, error);

    free(index);
    free(sql);
    return done;
}

static const char *const statements[] = {
    "create temp table both as select distinct experiment from old_run"
    " intersect select experiment from new_run",

    "create temp table pair as select o.experiment, o.workload, o.solver, o.seed, o.repetition,"
    " o.outcome as old_outcome, n.outcome, o.peak as old_peak, n.peak, o.bound as old_bound,"
    " n.bound, o.time_s as old_time_s, n.time_s, o.timed or n.timed as timed,"
    " o.checksum <> n.checksum as other from old_run o join new_run n"
    " using (experiment, workload, solver, seed, repetition)",

    "create temp table change as select case"
    "  when other then 'instance'"
    "  when (peak is null and old_peak is not null) or peak > old_peak"
    "   then case when timed then 'worse-in-time' else 'worse' end"
    "  when (old_peak is null and peak is not null) or peak < old_peak"
    "   then case when timed then 'better-in-time' else 'better' end"
    "  when outcome <> old_outcome then 'outcome'"
    "  when bound is not old_bound then 'bound' end as change, *"
    " from pair",
};

static const char changes_sql[] =
    "select * from (select change, experiment, workload, solver, seed, repetition, old_outcome,"
    " outcome, old_peak,"
    " peak, old_bound, bound from change where change is not null"
    " union all select 'gone', experiment, workload, solver, seed, repetition, outcome, null, peak,"
    "  null, bound, null from old_run o where experiment in (select experiment from both)"
    "  and not exists (select 1 from new_run n where n.experiment = o.experiment"
    "   and n.workload = o.workload and n.solver = o.solver and n.seed = o.seed"
    "   and n.repetition = o.repetition)"
    " union all select 'new', experiment, workload, solver, seed, repetition, null, outcome, null,"
    "  peak, null, bound from new_run n where experiment in (select experiment from both)"
    "  and not exists (select 1 from old_run o where n.experiment = o.experiment"
    "   and n.workload = o.workload and n.solver = o.solver and n.seed = o.seed"
    "   and n.repetition = o.repetition)"
    ") order by instr(' worse better worse-in-time better-in-time outcome bound instance gone new '"
    "  , ' ' || change || ' '), experiment, workload, solver, seed, repetition";

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

static const char counts_sql[] =
    "select count(*) as compared, coalesce(sum(change is null), 0) as same,"
    " coalesce(sum(change = 'worse'), 0) as worse,"
    " (select count(*) from (select key from main.machine union select key from old.machine)) < 2"
    "  as one_machine from change";

static bool attach(struct store *store, const char *dir, struct error *error)
{
    /* Opened for once, so that it is brought up to date, and refused where it is no store.  */
    struct store *old = store_open(dir, false, error);
    char *file = memory_printf("%s/results.db", dir);
    const char *path = file;
    bool done = old != NULL;

    store_close(old);
    done = done && rows_query(NULL, store, "attach database ?1 as old", &path, 1, error);
    free(file);
    return done;
}

static bool compare(struct diff *diff, struct store *store, struct error *error)
{
    struct rows counts = {0};
    bool done =
        add_runs(store, "old_run", "old", error) && add_runs(store, "new_run", "main", error);

    for (size_t i = 0; done && i < sizeof statements / sizeof statements[0]; i++)
        done = rows_query(NULL, store, statements[i], NULL, 0, error);
    done = done && rows_query(&diff->changes, store, changes_sql, NULL, 0, error) &&
           rows_query(&diff->times, store, times_sql, NULL, 0, error) &&
           rows_query(&diff->only, store, only_sql, NULL, 0, error) &&
           rows_query(&counts, store, counts_sql, NULL, 0, error);
    if (done) {
        diff->compared = strtoul(rows_named(&counts, 0, "compared"), NULL, 10);
        diff->same = strtoul(rows_named(&counts, 0, "same"), NULL, 10);
        diff->worse = strtoul(rows_named(&counts, 0, "worse"), NULL, 10);
        diff->one_machine = rows_named(&counts, 0, "one_machine")[0] == '1';
    }
    rows_clear(&counts);
    return done;
}

bool diff_folders(struct diff *diff, const char *old, const char *new, struct error *error)
{
    struct store *store;
    bool done;

    *diff = (struct diff){.compared = 0};
    store = store_open(new, false, error);
    if (store == NULL)
        return false;
    done = report_add_aggregates(store, error) && attach(store, old, error) &&
           compare(diff, store, error);
    store_close(store);
    return done;
}

static size_t count_changes(const struct diff *diff, const char *change)
{
    size_t count = 0;

    for (size_t r = 0; r < diff->changes.count; r++)
        count += strcmp(rows_text(&diff->changes, r, 0), change) == 0;
    return count;
}

char *diff_summary(const struct diff *diff)
{
    static const char *const changes[][2] = {
        {"worse", "worse"},
        {"better", "better"},
        {"worse-in-time", "worse where a limit cut a run"},
        {"better-in-time", "better where a limit cut a run"},
        {"outcome", "with another outcome"},
        {"bound", "with another bound"},
        {"instance", "of an instance that is another now"},
        {"gone", "gone"},
        {"new", "new"},
    };
    char *text =
        memory_printf("%zu runs in both, %zu of them the same", diff->compared, diff->same);

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        size_t count = count_changes(diff, changes[i][0]);

        if (count > 0)
            text = memory_append(text, ", %zu %s", count, changes[i][1]);
    }
    return text;
}

void diff_clear(struct diff *diff)
{
    rows_clear(&diff->changes);
    rows_clear(&diff->times);
    rows_clear(&diff->only);
}
