/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/report/page_runs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/kernel_workspace.h"
#include "harness/io/table.h"
#include "harness/report/page_code.h"
#include "harness/report/report.h"
#include "harness/store/rows.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "workloads/workload.h"

/* What the pictures may take: with these a quick sweep's page stays below 2.5 MB, and rectangles of
 * more buffers can't be told apart.  */
#define MOST_BUFFERS "1000"
#define MOST_OFFSETS "600000"

/* Plans of an instance that are the same are there once; the largest instances' are left out until
 * the rest fits.  The specification of a planner stands in the task's key, between the workload's
 * checksum and the seed.  */
static const char *const prepare_sql[] = {
    "create temp table page_plan as"
    " select min(p.task) as task, w.checksum, w.n, offsets_unpack(p.offsets, p.base) as offsets"
    "  from plan p join task t on t.id = p.task join workload w on w.id = t.workload"
    " where p.task in (select task from run) and t.outcome <> 'invalid'"
    "   and p.offsets is not null and w.n <= " MOST_BUFFERS " group by w.checksum, 4",

    "create temp table page_most as select coalesce(min(n) - 1, " MOST_BUFFERS ") as n from"
    " (select n, sum(n) over (order by n) as held from page_plan) where held > " MOST_OFFSETS,

    "delete from page_plan where n > (select n from page_most)",

    "create index temp.page_plan_offsets on page_plan (checksum, offsets)",

    "create temp table page_run as"
    " select r.task, group_concat(distinct r.experiment) as experiments, r.checksum, w.label,"
    "  r.contestant, substr(k.key, length(w.label) + 24, instr(substr(k.key, length(w.label) + 24),"
    "   ' seed=' || t.seed || ' time=') - 1) as spec"
    " from run r join task t on t.id = r.task join workload w on w.id = r.workload"
    " join task_key k on k.task = r.task group by r.task",
};

static const char run_sql[] =
    "select r.task, r.experiments, dense_rank() over (order by r.label, r.checksum) - 1 as "
    "workload,"
    " dense_rank() over (order by r.contestant, r.spec) - 1 as planner, t.seed, t.repetition,"
    " t.outcome, nullif(t.reason, '') as reason, p.peak, p.lower_bound as bound,"
    " printf('%.6g', t.time_s) as time_s, t.time_limit_s as limit_s,"
    " case when instr((select text from form f where f.id = t.form), ' memory=auto ') = 0 then"
    " nullif(t.memory_limit / 1048576, 0) end"
    "  as memory_mib,"
    " nullif(t.work_limit, 0) as work, nullif(p.layout, 'arena') as layout, d.number as plan"
    " from page_run r join task t on t.id = r.task left join plan p on p.task = r.task"
    " left join (select checksum, offsets,"
    "   row_number() over (partition by checksum order by task) - 1 as number from page_plan) d"
    "  on d.checksum = r.checksum and d.offsets = offsets_unpack(p.offsets, p.base)"
    "   and t.outcome <> 'invalid'"
    " order by r.task";

static const char workload_sql[] =
    "select label, dense_rank() over (order by checksum) - 1 as instance"
    " from (select distinct label, checksum from page_run) order by label, checksum";

static const char planner_sql[] =
    "select distinct contestant as name, spec from page_run order by contestant, spec";

static const char event_sql[] =
    "select task, name, printf('%.6g', at_s) as at_s, cast(value as integer) as bytes from"
    " (select *, row_number() over (partition by task order by seq) as k,"
    "   count(*) over (partition by task) as n from measurement"
    "   where task in (select task from page_run) and name in ('incumbent', 'bound'))"
    " where k <= 20 or k > n - 20 order by task, seq";

static const char statistic_sql[] =
    "select task, name, value from statistic"
    " where task in (select task from page_run) order by task, name";

static const char kernel_sql[] =
    "select r.task, group_concat(distinct r.experiment) as experiments, r.kernel as name,"
    " coalesce(nullif(c.run_params, ''), r.params) as params, c.isa, r.threads, r.role,"
    " l.layer, l.shape, r.outcome, nullif(r.reason, '') as reason, printf('%.6g', r.time_s) as "
    "time_s,"
    " printf('%.6g', r.final_s) as final_s, printf('%.6g', r.final_low_s) as low_s,"
    " printf('%.6g', r.final_high_s) as high_s, printf('%.4g', l.flops / r.final_s / 1e9) as "
    "gflops,"
    " printf('%.3g', r.max_error) as error, r.workspace_bytes as workspace"
    " from conv_run r join conv c on c.task = r.task join layer l on l.workload = r.workload"
    " where r.measured and r.final_s is not null group by r.task order by r.task";

static const char execution_sql[] =
    "select r.task, group_concat(distinct r.experiment) as experiments, r.contestant as name,"
    " case when t.params = '' then t.contestant else t.contestant || ':' || t.params end as spec,"
    " r.label, r.kernels, r.isa, r.threads, r.groups, r.seed, r.outcome,"
    " nullif(r.reason, '') as reason,"
    " printf('%.6g', r.time_s) as time_s, iif(r.low_s is null, null, printf('%.6g', r.low_s)) as "
    "low_s,"
    " iif(r.high_s is null, null, printf('%.6g', r.high_s)) as high_s, r.rounds, r.arena_bytes, "
    "r.scratch_bytes,"
    " r.workspace_bytes, r.resident_bytes, r.copied_bytes, r.operators, r.idle, r.on_kernel,"
    " r.same_as_plain from execution_run r join task t on t.id = r.task"
    " where r.arena_bytes is not null group by r.task order by r.task";

/* `wanted`: a picture of it is.  */
static const char instance_sql[] =
    "select r.checksum, min(r.label) as label, max(w.n) as n, i.load, i.bound, i.upper as best,"
    " max(w.n) <= (select n from page_most)"
    "  and exists (select 1 from page_run o join plan p on p.task = o.task"
    "   where o.checksum = r.checksum and p.offsets is not null) as wanted"
    " from page_run r join instance i on i.checksum = r.checksum"
    " join workload w on w.label = r.label and w.checksum = r.checksum"
    " group by r.checksum order by r.checksum";

/* --- tables --- */

static void write_value(FILE *out, const char *text)
{
    if (text == NULL)
        fputs("null", out);
    else if (json_is_number(text))
        fputs(text, out);
    else
        json_write_text(out, text);
}

/* Equal and similar values together, which zlib likes; numbers of tasks as differences.  */
static void write_column(FILE *out, const struct rows *rows, size_t c)
{
    const bool differences = strcmp(rows->name[c], "task") == 0;
    int64_t before = 0;

    json_write_text(out, rows->name[c]);
    fputs(":[", out);
    for (size_t r = 0; r < rows->count; r++) {
        fputs(r == 0 ? "" : ",", out);
        if (differences) {
            const int64_t task = strtoll(rows_text(rows, r, c), NULL, 10);

            fprintf(out, "%" PRId64, task - before);
            before = task;
        } else {
            write_value(out, rows->cell[r * rows->columns + c]);
        }
    }
    putc(']', out);
}

static bool write_table(const struct report *report, FILE *out, const char *name, const char *sql,
                        struct error *error)
{
    struct rows rows;
    bool done = rows_query(&rows, report->store, sql, NULL, 0, error);

    if (done) {
        fprintf(out, ",\n\"%s\":{", name);
        for (size_t c = 0; c < rows.columns; c++) {
            fputs(c == 0 ? "\n" : ",\n", out);
            write_column(out, &rows, c);
        }
        putc('}', out);
    }
    rows_clear(&rows);
    return done;
}

/* --- pictures --- */

static void write_pieces(FILE *out, const struct instance *instance)
{
    int64_t unit = 0, before = 0;

    for (size_t p = 0; p < instance->pieces; p++)
        unit = gcd64(gcd64(unit, instance->piece[p].lo), instance->piece[p].hi);
    unit = max64(unit, 1);
    putc('"', out);
    page_write_number(out, unit);
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        for (size_t p = 0; p < buffer->pieces; p++) {
            const struct piece *piece = &instance->piece[buffer->first_piece + p];

            page_write_signed(out, piece->begin - before);
            page_write_number(out, 2 * (piece->end - piece->begin) + (p + 1 < buffer->pieces));
            page_write_number(out, (piece->hi - piece->lo) / unit);
            page_write_number(out, piece->lo / unit);
            before = piece->begin;
        }
    }
    putc('"', out);
}

/* The instance as it was when it was planned, or NULL with the reason.  */
static struct instance *make_again(const char *label, const char *checksum, struct error *error)
{
    if (strcmp(label, "-") == 0 || strncmp(label, "-:", 2) == 0) {
        error_set(error, "it came from standard input");
        return NULL;
    }
    return workload_again(label, checksum, kernel_workspace, true, error);
}

/* Where buffer K of N lies: most lie on the bottom, on another or beside one that lies on it, and
 * those that are near in number are often near in the arena, too.  */
static int64_t place_code(const int64_t *offset, const int64_t *height, size_t n, size_t k)
{
    enum { NEAR = 256 };

    if (offset[k] == 0)
        return 0;
    for (size_t d = 1; d < NEAR; d++) {
        if (k >= d && offset[k - d] == offset[k])
            return 3 * (int64_t)d;
        if (k >= d && height[k - d] > 0 && offset[k - d] + height[k - d] == offset[k])
            return 3 * (int64_t)d - 1;
        if (k + d < n && height[k + d] > 0 && offset[k + d] + height[k + d] == offset[k])
            return 3 * (int64_t)d + 1;
    }
    return 1;
}

static void write_offsets(FILE *out, const int64_t *height, size_t n, const char *hex)
{
    int64_t *offset = memory_alloc(n, sizeof *offset), unit = 0;

    for (size_t b = 0; b < n; b++) {
        offset[b] = rows_offset(hex + 16 * b);
        unit = gcd64(unit, offset[b]);
    }
    unit = max64(unit, 1);
    putc('"', out);
    page_write_number(out, unit);
    for (size_t b = 0; b < n; b++) {
        const int64_t code = place_code(offset, height, n, b);

        page_write_number(out, code);
        if (code == 1)
            page_write_number(out, offset[b] / unit);
    }
    putc('"', out);
    free(offset);
}

static bool write_plans(const struct report *report, FILE *out, const struct instance *instance,
                        const char *checksum, struct error *error)
{
    int64_t *height = memory_zalloc(instance->n, sizeof *height);
    struct rows rows;
    bool done = rows_ask(&rows, report->store, error,
                         "select hex(offsets) from page_plan"
                         " where checksum = %Q and n = %d order by task",
                         checksum, (int)instance->n);

    for (size_t b = 0; b < instance->n; b++)
        for (size_t p = 0; p < instance->buffer[b].pieces; p++)
            height[b] = max64(height[b], instance->piece[instance->buffer[b].first_piece + p].hi);
    for (size_t row = 0; done && row < rows.count; row++) {
        fputs(row == 0 ? "\n" : ",\n", out);
        write_offsets(out, height, instance->n, rows_text(&rows, row, 0));
    }
    rows_clear(&rows);
    free(height);
    return done;
}

/* The members `pieces`, `left_out` and `plans` of an instance's row.  */
static bool write_picture(const struct report *report, FILE *out, const char *label,
                          const char *checksum, struct error *error)
{
    struct error why = {""};
    struct instance *instance = make_again(label, checksum, &why);
    bool done = true;

    if (instance != NULL) {
        write_pieces(out, instance);
        fputs(",null,[", out);
        done = write_plans(report, out, instance, checksum, error);
    } else {
        fputs("null,", out);
        json_write_text(out, why.text);
        fputs(",[", out);
    }
    putc(']', out);
    instance_free(instance);
    return done;
}

static bool write_instances(const struct report *report, FILE *out, struct error *error)
{
    struct rows rows;
    bool done = rows_query(&rows, report->store, instance_sql, NULL, 0, error);

    if (done)
        fputs(",\n\"instance\":{\"columns\":[\"n\",\"load\",\"bound\",\"best\",\"pieces\","
              "\"left_out\",\"plans\"],\"rows\":[",
              out);
    for (size_t row = 0; done && row < rows.count; row++) {
        fputs(row == 0 ? "\n[" : ",\n[", out);
        for (size_t c = 2; c < 6; c++) {
            write_value(out, rows.cell[row * rows.columns + c]);
            putc(',', out);
        }
        if (strcmp(rows_named(&rows, row, "wanted"), "1") == 0)
            done = write_picture(report, out, rows_named(&rows, row, "label"),
                                 rows_named(&rows, row, "checksum"), error);
        else
            fputs("null,null,[]", out);
        putc(']', out);
    }
    if (done)
        fputs("]}", out);
    rows_clear(&rows);
    return done;
}

/* --- all of it --- */

static bool write_most(const struct report *report, FILE *out, struct error *error)
{
    struct rows rows;
    bool done = rows_query(&rows, report->store, "select n from page_most", NULL, 0, error);

    if (done) {
        fputs("{\"results\":", out);
        json_write_text(out, report->dir);
        fprintf(out, ",\"most\":%s", rows_text(&rows, 0, 0));
    }
    rows_clear(&rows);
    return done;
}

static bool write_all(const struct report *report, FILE *out, struct error *error)
{
    bool done = true;

    for (size_t i = 0; done && i < sizeof prepare_sql / sizeof prepare_sql[0]; i++)
        done = rows_ask(NULL, report->store, error, "%s", prepare_sql[i]);
    done = done && write_most(report, out, error) &&
           write_table(report, out, "run", run_sql, error) &&
           write_table(report, out, "workload", workload_sql, error) &&
           write_table(report, out, "planner", planner_sql, error) &&
           write_table(report, out, "event", event_sql, error) &&
           write_table(report, out, "statistic", statistic_sql, error) &&
           write_table(report, out, "kernel", kernel_sql, error) &&
           write_table(report, out, "execution", execution_sql, error) &&
           write_instances(report, out, error);
    fputs("}\n", out);
    return done;
}

bool page_write_runs(const struct report *report, FILE *out, struct error *error)
{
    char *text = NULL;
    size_t length;
    FILE *json = memory_stream(&text, &length);
    bool done = write_all(report, json, error);

    memory_stream_close(json);
    if (done)
        page_write_packed(out, text, length);
    free(text);
    return done;
}
