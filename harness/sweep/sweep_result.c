/* What the store says about an experiment when its sweep has ended.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/options.h"
#include "harness/io/output.h"
#include "harness/io/table.h"
#include "harness/store/store.h"
#include "harness/sweep/sweep.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/problem/plan.h"

/* The columns of an experiment's CSV file, in their order, each with the SQL
 * that makes it.  Columns are only ever added at the end.  */
static const struct column {
    const char *name, *sql;
} columns[] = {
    {"experiment", "e.experiment"},
    {"workload", "w.label"},
    {"kind", "w.kind"},
    {"n", "w.n"},
    {"pairs", "w.pairs"},
    {"load", "w.load"},
    {"width", "w.width"},
    {"max_size", "w.max_size"},
    {"total", "w.total"},
    {"w", "w.w"},
    {"width_bound", "w.width_bound"},
    {"w1_bound", "w.w1_bound"},
    {"w2_bound", "w.w2_bound"},
    {"applicable", "w.applicable"},
    {"contestant", "t.contestant"},
    {"params", "t.params"},
    {"layout", "p.layout"},
    {"seed", "t.seed"},
    {"repetition", "t.repetition"},
    {"outcome", "CASE WHEN t.outcome NOT IN ('invalid', 'skipped') AND p.peak = best.bound"
                " THEN 'optimal' ELSE t.outcome END"},
    {"peak", "p.peak"},
    {"lower_bound", "p.lower_bound"},
    {"best_lower_bound", "best.bound"},
    {"time_s", "t.time_s"},
    {"cpu_s", "t.cpu_s"},
    {"rss_bytes", "t.rss_bytes"},
    {"nodes", "p.nodes"},
    {"replay", "p.replay"},
    {"timed", "t.timed"},
    {"reason", "t.reason"},
};

/* The same for an experiment of kernels.  */
static const struct column conv_columns[] = {
    {"experiment", "e.experiment"},
    {"layer", "w.name"},
    {"shape", "w.label"},
    {"kernel", "t.contestant"},
    {"params", "t.params"},
    {"isa", "c.isa"},
    {"threads", "c.threads"},
    {"role", "c.role"},
    {"rank", "c.rank"},
    {"outcome", "t.outcome"},
    {"gflops", "2e-9 * f.value / t.time_s"},
    {"peak_gflops", "1e-9 * c.peak_flops"},
    {"time_s", "t.time_s"},
    {"low_s", "c.low_s"},
    {"high_s", "c.high_s"},
    {"rounds", "c.rounds"},
    {"settled", "c.settled"},
    {"reference_s", "c.reference_s"},
    {"final_s", "c.final_s"},
    {"final_low_s", "c.final_low_s"},
    {"final_high_s", "c.final_high_s"},
    {"final_rounds", "c.final_rounds"},
    {"co", "c.co"},
    {"wo", "c.wo"},
    {"ci", "c.ci"},
    {"wf", "c.wf"},
    {"hfil", "c.hfil"},
    {"rows", "c.tile_rows"},
    {"cco", "c.cco"},
    {"order", "c.loop_order"},
    {"workspace_bytes", "c.workspace_bytes"},
    {"packed_bytes", "c.packed_bytes"},
    {"pack_s", "c.pack_s"},
    {"max_error", "c.max_error"},
    {"model_m", "c.model_m"},
    {"model_exact", "c.model_exact"},
    {"predicted_s", "c.predicted_s"},
    {"registers", "c.registers"},
    {"spilled", "c.spilled"},
    {"chains", "c.chains"},
    {"reason", "t.reason"},
    {"cci", "c.cci"},
};

static const char conv_from_sql[] =
    " FROM experiment_task e JOIN task t ON t.id = e.task"
    " JOIN workload w ON w.id = t.workload JOIN conv c ON c.task = t.id"
    " LEFT JOIN fact f ON f.workload = w.id AND f.name = 'macs'"
    " WHERE e.experiment = ?1 AND e.size = ?2";

#define N_COLUMNS (sizeof columns / sizeof columns[0])
#define N_CONV_COLUMNS (sizeof conv_columns / sizeof conv_columns[0])

/* The rows of experiment ?1 at size ?2.  `best` is the best bound that any
 * result in use proved for the same instance; a result that was refused proves
 * nothing.  Under native alignment each planner solves an instance rounded by a
 * rule of its own, so what it proves counts for it alone.  */
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

static bool query(struct sweep *sweep, size_t experiment, const char *sql, store_row *row,
                  void *context, struct error *error)
{
    const char *parameters[] = {sweep->experiment[experiment]->name,
                                experiment_size_name(sweep->options.size)};

    return store_query(sweep->store, sql, parameters, 2, row, context, error);
}

/* --- CSV --- */

static bool write_row(void *context, int count, const char *const *value)
{
    FILE *out = context;

    for (int c = 0; c < count; c++) {
        if (c > 0)
            putc(',', out);
        csv_write_cell(out, value[c] == NULL ? "" : value[c]);
    }
    putc('\n', out);
    return ferror(out) == 0;
}

static char *csv_sql(const struct column *column, size_t count, const char *from)
{
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);

    for (size_t c = 0; c < count; c++)
        fprintf(out, "%s%s", c == 0 ? "SELECT " : ", ", column[c].sql);
    fprintf(out, "%s ORDER BY e.seq", from);
    memory_stream_close(out);
    return text;
}

static bool write_rows(struct sweep *sweep, size_t experiment, FILE *out, struct error *error)
{
    const bool conv = sweep->experiment[experiment]->kind == EXPERIMENT_CONV;
    const struct column *column = conv ? conv_columns : columns;
    const size_t count = conv ? N_CONV_COLUMNS : N_COLUMNS;
    const char **names = memory_alloc(count, sizeof *names);
    char *sql = csv_sql(column, count, conv ? conv_from_sql : from_sql);
    bool done;

    for (size_t c = 0; c < count; c++)
        names[c] = column[c].name;
    write_row(out, (int)count, names);
    done = query(sweep, experiment, sql, write_row, out, error);
    free(sql);
    free(names);
    return done;
}

bool sweep_write_csv(struct sweep *sweep, size_t experiment, struct error *error)
{
    char *path =
        memory_printf("%s/%s.csv", sweep->options.output, sweep->experiment[experiment]->name);
    struct output output;
    bool done = output_open(&output, path, error);

    if (done) {
        done = write_rows(sweep, experiment, output.file, error);
        done = output_close(&output, done, error) && done;
    }
    free(path);
    return done;
}

/* --- counts --- */

static bool add_count(void *context, int count, const char *const *value)
{
    int64_t *by_outcome = context;
    enum outcome outcome;

    (void)count;
    if (value[0] != NULL && outcome_from_name(value[0], &outcome))
        parse_int(value[1], 0, INT64_MAX, &by_outcome[outcome]);
    return true;
}

bool sweep_count(struct sweep *sweep, size_t experiment, int64_t *count, struct error *error)
{
    size_t c = 0;
    char *sql;
    bool done;

    for (int outcome = 0; outcome <= OUTCOME_SKIPPED; outcome++)
        count[outcome] = 0;
    while (strcmp(columns[c].name, "outcome") != 0)
        c++;
    sql =
        memory_printf("SELECT %s AS result, count(*)%s GROUP BY result", columns[c].sql, from_sql);
    done = query(sweep, experiment, sql, add_count, count, error);
    free(sql);
    return done;
}

static bool take_real(void *context, int count, const char *const *value)
{
    (void)count;
    return value[0] != NULL && parse_real(value[0], 0.0, 1e300, context);
}

bool sweep_used(struct sweep *sweep, size_t experiment, double *seconds, struct error *error)
{
    *seconds = 0.0;
    return query(sweep, experiment, "SELECT used_s FROM experiment WHERE name = ?1 AND size = ?2",
                 take_real, seconds, error);
}

/* --- what must not be --- */

struct naming {
    const char *experiment;
    size_t count;
};

static bool name_violation(void *context, int count, const char *const *value)
{
    struct naming *naming = context;

    (void)count;
    naming->count++;
    complain("%s: %s: %s%s%s: %s", naming->experiment, value[0], value[1],
             value[2][0] == '\0' ? "" : ":", value[2], value[3]);
    return true;
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
    struct naming naming = {.experiment = sweep->experiment[experiment]->name};
    bool done = query(sweep, experiment, invalid_sql, name_violation, &naming, error) &&
                query(sweep, experiment, bounds_sql, name_violation, &naming, error);

    *count = naming.count;
    return done;
}
