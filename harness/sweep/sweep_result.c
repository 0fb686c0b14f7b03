/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the store says about an experiment when its sweep has ended.  */
#include <config.h>

#include <stdlib.h>

#include "harness/io/options.h"
#include "harness/io/output.h"
#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "harness/store/store_report.h"
#include "harness/sweep/sweep.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/problem/plan.h"

/* `best` is the best bound that any result in use proved for the same instance.  */
#define OUTCOME                                                                 \
    "CASE WHEN t.outcome NOT IN ('invalid', 'skipped') AND p.peak = best.bound" \
    " THEN 'optimal' ELSE t.outcome END"

/* The agreed columns of an experiment's CSV file, in their order: header and rows are those
 * of this query.  What came later follows (store_listed).  */
static const char agreed_sql[] =
    "SELECT e.experiment, w.label AS workload, w.kind, w.n, w.pairs, w.load, w.width, w.max_size,"
    " w.total, w.w, w.width_bound, w.w1_bound, w.w2_bound, w.applicable, t.contestant, t.params,"
    " p.layout, t.seed, t.repetition, " OUTCOME " AS outcome, p.peak, p.lower_bound,"
    " best.bound AS best_lower_bound, t.time_s, t.cpu_s, t.rss_bytes, p.nodes, p.replay, t.timed,"
    " t.reason";

/* The same for an experiment of kernels.  */
static const char conv_agreed_sql[] =
    "SELECT e.experiment, w.name AS layer, w.label AS shape, t.contestant AS kernel, t.params,"
    " c.isa, c.threads, c.role, c.rank, t.outcome, 2e-9 * f.value / t.time_s AS gflops,"
    " 1e-9 * c.peak_flops AS peak_gflops, t.time_s, c.low_s, c.high_s, c.rounds, c.settled,"
    " c.reference_s, c.final_s, c.final_low_s, c.final_high_s, c.final_rounds, c.co, c.wo, c.ci,"
    " c.wf, c.hfil, c.tile_rows AS rows, c.cco, c.loop_order AS \"order\", c.workspace_bytes,"
    " c.packed_bytes, c.pack_s, c.max_error, c.model_m, c.model_exact, c.predicted_s, c.registers,"
    " c.spilled, c.chains, t.reason";

static const char conv_from_sql[] =
    " FROM experiment_task e JOIN task t ON t.id = e.task"
    " JOIN workload w ON w.id = t.workload JOIN conv c ON c.task = t.id"
    " LEFT JOIN fact f ON f.workload = w.id AND f.name = 'macs'"
    " WHERE e.experiment = ?1 AND e.size = ?2";

/* The same for an experiment of runs.  */
static const char run_agreed_sql[] =
    "SELECT e.experiment, w.label AS network, t.contestant AS planner, t.params, x.kernels, x.isa,"
    " x.threads, x.groups, t.seed, t.repetition, t.outcome, t.time_s, x.low_s, x.high_s, "
    "x.serial_s, x.modelled_speed_up, x.rounds,"
    " x.arena_bytes, x.own_bytes, x.stored_bytes, x.packed_bytes, x.scratch_bytes,"
    " x.workspace_bytes, x.resident_bytes, x.copied_bytes, x.operators, x.idle, x.on_kernel,"
    " x.other_convolutions, x.same_as_plain, t.reason";

static const char run_from_sql[] =
    " FROM experiment_task e JOIN task t ON t.id = e.task"
    " JOIN workload w ON w.id = t.workload JOIN execution x ON x.task = t.id"
    " WHERE e.experiment = ?1 AND e.size = ?2";

/* The same for an experiment of several memories.  */
static const char fit_agreed_sql[] =
    "SELECT e.experiment, w.label AS workload, w.n, w.load, t.contestant AS planner, t.params,"
    " s.memories, s.capacity, t.repetition, t.outcome, s.cost, s.lower_bound, s.flow_bound,"
    " s.outside, t.time_s, t.cpu_s, t.rss_bytes, t.timed, t.reason";

static const char fit_from_sql[] =
    " FROM experiment_task e JOIN task t ON t.id = e.task"
    " JOIN workload w ON w.id = t.workload JOIN split s ON s.task = t.id"
    " WHERE e.experiment = ?1 AND e.size = ?2";

/* The rows of experiment ?1 at size ?2.  A result that was refused proves nothing.  Under native
 * alignment each planner solves an instance rounded by a rule of its own, so what it proves counts
 * for it alone.  */
static const char from_sql[] =
    " FROM experiment_task e JOIN task t ON t.id = e.task"
    " JOIN workload w ON w.id = t.workload LEFT JOIN plan p ON p.task = t.id"
    " LEFT JOIN (SELECT w2.checksum AS checksum, max(p2.lower_bound) AS bound,"
    " iif(instr(w2.params, 'align=native') > 0, t2.contestant, '') AS rounder"
    " FROM (SELECT DISTINCT task FROM experiment_task) e2 JOIN task t2 ON t2.id = e2.task"
    " JOIN workload w2 ON w2.id = t2.workload JOIN plan p2 ON p2.task = t2.id"
    " WHERE t2.outcome <> 'invalid' GROUP BY w2.checksum, rounder) best"
    " ON best.checksum = w.checksum"
    " AND best.rounder = iif(instr(w.params, 'align=native') > 0, t.contestant, '')"
    " WHERE e.experiment = ?1 AND e.size = ?2";

static const struct source {
    const char *agreed, *from;
} sources[] = {
    [EXPERIMENT_PLAN] = {agreed_sql, from_sql},
    [EXPERIMENT_CONV] = {conv_agreed_sql, conv_from_sql},
    [EXPERIMENT_RUN] = {run_agreed_sql, run_from_sql},
    [EXPERIMENT_FIT] = {fit_agreed_sql, fit_from_sql},
};

static bool query(struct rows *rows, struct sweep *sweep, size_t experiment, const char *sql,
                  struct error *error)
{
    const char *parameters[] = {sweep->experiment[experiment]->name,
                                experiment_size_name(sweep->options.size)};

    return rows_query(rows, sweep->store, sql, parameters, 2, error);
}

bool sweep_write_csv(struct sweep *sweep, size_t experiment, struct error *error)
{
    const struct source *source = &sources[sweep->experiment[experiment]->kind];
    char *path =
        memory_printf("%s/%s.csv", sweep->options.output, sweep->experiment[experiment]->name);
    char *listed = store_listed(experiment_kind_name(sweep->experiment[experiment]->kind));
    char *sql = memory_printf("%s%s%s ORDER BY e.seq", source->agreed, listed, source->from);
    struct output output;
    struct rows rows;
    bool done = query(&rows, sweep, experiment, sql, error) && output_open(&output, path, error);

    if (done) {
        rows_write_csv(&rows, output.file);
        done = output_close(&output, true, error);
    }
    rows_clear(&rows);
    free(sql);
    free(listed);
    free(path);
    return done;
}

bool sweep_count(struct sweep *sweep, size_t experiment, int64_t *count, struct error *error)
{
    char *sql = memory_printf("SELECT %s, count(*)%s GROUP BY 1", OUTCOME, from_sql);
    struct rows rows;
    bool done = query(&rows, sweep, experiment, sql, error);
    enum outcome outcome;

    for (outcome = 0; outcome <= OUTCOME_SKIPPED; outcome++)
        count[outcome] = 0;
    for (size_t i = 0; i < rows.count; i++)
        if (outcome_from_name(rows_text(&rows, i, 0), &outcome))
            parse_int(rows_text(&rows, i, 1), 0, INT64_MAX, &count[outcome]);
    rows_clear(&rows);
    free(sql);
    return done;
}

bool sweep_used(struct sweep *sweep, size_t experiment, double *seconds, struct error *error)
{
    struct rows rows;
    bool done = query(&rows, sweep, experiment,
                      "SELECT used_s FROM experiment WHERE name = ?1 AND size = ?2", error);

    *seconds = 0.0;
    if (rows.count > 0)
        parse_real(rows_text(&rows, 0, 0), 0.0, 1e300, seconds);
    rows_clear(&rows);
    return done;
}

/* Names what SQL finds, and adds to *COUNT.  */
static bool name_violations(struct sweep *sweep, size_t experiment, const char *sql, size_t *count,
                            struct error *error)
{
    struct rows rows;
    bool done = query(&rows, sweep, experiment, sql, error);

    for (size_t i = 0; i < rows.count; i++)
        complain("%s: %s: %s%s%s: %s", sweep->experiment[experiment]->name, rows_text(&rows, i, 0),
                 rows_text(&rows, i, 1), rows_text(&rows, i, 2)[0] == '\0' ? "" : ":",
                 rows_text(&rows, i, 2), rows_text(&rows, i, 3));
    *count += rows.count;
    rows_clear(&rows);
    return done;
}

bool sweep_violations(struct sweep *sweep, size_t experiment, size_t *count, struct error *error)
{
    /* The article's bound and ours speak of path-cover alone.  */
    static const char bounds_sql[] =
        "SELECT w.label, t.contestant, t.params,"
        " 'peak ' || p.peak || ' is above ' || b.name || ' = ' || b.value"
        " FROM experiment_task e JOIN task t ON t.id = e.task"
        " JOIN workload w ON w.id = t.workload JOIN plan p ON p.task = t.id JOIN"
        " (SELECT id, 'width x max_size' AS name, width_bound AS value FROM workload UNION ALL"
        " SELECT id, '(W + 1) max_size', w1_bound FROM workload WHERE w1_applicable UNION ALL"
        " SELECT id, '2 W max_size', w2_bound FROM workload WHERE applicable) b ON b.id = w.id"
        " WHERE e.experiment = ?1 AND e.size = ?2 AND t.contestant = 'path-cover'"
        " AND t.outcome <> 'invalid' AND p.peak > b.value ORDER BY e.seq, b.name";
    static const char invalid_sql[] =
        "SELECT w.label, t.contestant, t.params, 'invalid: ' || t.reason"
        " FROM experiment_task e JOIN task t ON t.id = e.task"
        " JOIN workload w ON w.id = t.workload"
        " WHERE e.experiment = ?1 AND e.size = ?2 AND t.outcome = 'invalid' ORDER BY e.seq";

    *count = 0;
    return name_violations(sweep, experiment, invalid_sql, count, error) &&
           name_violations(sweep, experiment, bounds_sql, count, error);
}
