/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/run_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "harness/timing/execution.h"
#include "kernels/kernel.h"
#include "lib/base/memory.h"
#include "lib/base/statistics.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"

struct median {
    double value;
    struct interval interval; /* endless where there are too few values for one */
};

static struct median median_of(const double *value, size_t count)
{
    struct median median = {statistics_median(value, count), {0.0, INFINITY}};

    statistics_median_interval(value, count, &median.interval);
    return median;
}

static void cell_of_interval(struct table *table, const struct interval *interval)
{
    if (isinf(interval->high)) {
        table_cell(table, "%s", "");
        table_cell(table, "%s", "");
        return;
    }
    table_cell(table, "%.6g", interval->low);
    table_cell(table, "%.6g", interval->high);
}

const struct table_column run_columns[RUN_COLUMNS] = {{"network", NULL},
                                                      {"planner", NULL},
                                                      {"kernels", NULL},
                                                      {"threads", ""},
                                                      {"time_s", ""},
                                                      {"low_s", ""},
                                                      {"high_s", ""},
                                                      {"rounds", ""},
                                                      {"arena_bytes", ""},
                                                      {"own_bytes", ""},
                                                      {"stored_bytes", ""},
                                                      {"packed_bytes", ""},
                                                      {"scratch_bytes", ""},
                                                      {"workspace_bytes", ""},
                                                      {"resident_bytes", ""},
                                                      {"copied_bytes", ""},
                                                      {"operators", ""},
                                                      {"idle", ""},
                                                      {"on_kernel", ""},
                                                      {"other_convolutions", ""},
                                                      {"same_as_plain", NULL},
                                                      {"distance", ""},
                                                      {"bound", ""}};

static const char *kernel_name(const struct run_options *options)
{
    return options->kernel == NULL ? "none" : options->kernel->name;
}

static void add_sizes(struct table *table, const struct execution *execution)
{
    const struct run_facts *facts = &execution->facts;

    table_cell(table, "%" PRId64, execution->arena_bytes);
    table_cell(table, "%" PRId64, execution->own_bytes);
    table_cell(table, "%" PRId64, execution->stored_bytes);
    table_cell(table, "%" PRId64, facts->weight_bytes);
    table_cell(table, "%" PRId64, facts->scratch_bytes);
    table_cell(table, "%" PRId64, facts->workspace_bytes);
    if (execution->resident_bytes > 0)
        table_cell(table, "%" PRId64, execution->resident_bytes);
    else
        table_cell(table, "%s", "");
    table_cell(table, "%" PRId64, facts->copied_bytes);
}

struct table *run_summary(const struct run_row *row)
{
    const struct execution *execution = row->execution;
    const struct run_facts *facts = &execution->facts;
    struct table *table = table_new(run_columns, RUN_COLUMNS);
    struct median time = median_of(execution->round, execution->rounds);

    table_cell(table, "%s", row->instance->name);
    table_cell(table, "%s", row->planner);
    table_cell(table, "%s", kernel_name(row->options));
    table_cell(table, "%d", row->options->threads);
    table_cell(table, "%.6g", time.value);
    cell_of_interval(table, &time.interval);
    table_cell(table, "%zu", execution->rounds);
    add_sizes(table, execution);
    table_cell(table, "%zu", facts->operators);
    table_cell(table, "%zu", facts->idle);
    table_cell(table, "%zu", facts->convolutions);
    table_cell(table, "%zu", facts->others);
    table_cell(table, "%s", execution->differs == NULL ? "yes" : "no");
    if (execution->wide) {
        table_cell(table, "%.3g", execution->distance);
        table_cell(table, "%.3g", execution->bound);
    } else {
        table_cell(table, "%s", "");
        table_cell(table, "%s", "");
    }
    return table;
}

static const struct table_column profile_columns[] = {
    {"operator", NULL}, {"type", NULL}, {"how", NULL},   {"macs", ""},   {"time_s", ""},
    {"low_s", ""},      {"high_s", ""}, {"share_%", ""}, {"gflops", ""}, {"copied_bytes", ""}};

struct operator_time {
    size_t index;
    struct median time;
};

static int by_time(const void *a, const void *b)
{
    const struct operator_time *x = a, *y = b;

    if (x->time.value != y->time.value)
        return x->time.value < y->time.value ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Of all operators, in the network's order; the caller frees it.  */
static struct operator_time *times_of(const struct execution *execution)
{
    struct operator_time *times = memory_alloc(execution->operators, sizeof *times);

    for (size_t o = 0; o < execution->operators; o++) {
        double *seconds = execution_operator(execution, o);

        times[o] = (struct operator_time){o, median_of(seconds, execution->rounds)};
        free(seconds);
    }
    return times;
}

/* The operators, those first that take longest.  */
struct table *run_profile(const struct instance *instance, const struct execution *execution)
{
    struct table *table =
        table_new(profile_columns, sizeof profile_columns / sizeof profile_columns[0]);
    struct operator_time *times = times_of(execution);
    double sum = 0.0;

    qsort(times, execution->operators, sizeof *times, by_time);
    for (size_t i = 0; i < execution->operators; i++)
        sum += times[i].time.value;
    for (size_t i = 0; i < execution->operators; i++) {
        const struct network_op *op = &instance->origin->network->op[times[i].index];
        const struct run_operator *how = &execution->how[times[i].index];
        double seconds = times[i].time.value;

        table_cell(table, "%s", op->name);
        table_cell(table, "%s", op->type);
        table_cell(table, "%s", how->how);
        table_cell(table, "%" PRId64, op->macs);
        table_cell(table, "%.6g", seconds);
        cell_of_interval(table, &times[i].time.interval);
        table_cell(table, "%.2f", 100.0 * seconds / sum);
        if (op->macs > 0 && seconds > 0.0)
            table_cell(table, "%.3g", 2e-9 * (double)op->macs / seconds);
        else
            table_cell(table, "%s", "");
        table_cell(table, "%" PRId64, how->copied_bytes);
    }
    free(times);
    return table;
}

/* Measured times as `schedule --times` takes them.  */
void run_write_times(const struct instance *instance, const struct execution *execution, FILE *out)
{
    static const struct table_column time_columns[] = {
        {"operator", NULL}, {"time_s", ""}, {"low_s", ""}, {"high_s", ""}};
    struct table *table = table_new(time_columns, 4);
    struct operator_time *times = times_of(execution);

    for (size_t o = 0; o < execution->operators; o++) {
        table_cell(table, "%s", instance->origin->network->op[o].name);
        table_cell(table, "%.6g", times[o].time.value);
        cell_of_interval(table, &times[o].time.interval);
    }
    table_print(table, out, TABLE_CSV); /* closing sees what went wrong */
    free(times);
    table_free(table);
}
