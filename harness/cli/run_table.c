/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/run_table.h"

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

static void add_median(struct table *table, const struct median *median)
{
    bool endless = isinf(median->interval.high);

    table_real(table, "%.6g", median->value);
    table_real(table, "%.6g", endless ? NAN : median->interval.low);
    table_real(table, "%.6g", endless ? NAN : median->interval.high);
}

void run_add_times(struct table *table, const double *seconds, size_t count)
{
    const struct median median = median_of(seconds, count);

    add_median(table, &median);
}

static const char run_columns[] =
    "network planner kernels threads: time_s: low_s: high_s: rounds: arena_bytes: own_bytes: "
    "stored_bytes: packed_bytes: scratch_bytes: workspace_bytes: resident_bytes: copied_bytes: "
    "operators: idle: on_kernel: other_convolutions: same_as_plain distance: bound:";

static const char *kernel_name(const struct run_options *options)
{
    return options->kernel == NULL ? "none" : options->kernel->name;
}

struct table *run_summary(const struct run_row *row)
{
    const struct execution *execution = row->execution;
    const struct run_facts *facts = &execution->facts;
    struct table *table = table_named(run_columns);

    table_texts(table, row->instance->name, row->planner, kernel_name(row->options));
    table_ints(table, row->options->threads);
    run_add_times(table, execution->round, execution->rounds);
    table_ints(table, (int64_t)execution->rounds, execution->arena_bytes, execution->own_bytes,
               execution->stored_bytes, facts->weight_bytes, facts->scratch_bytes,
               facts->workspace_bytes,
               execution->resident_bytes > 0 ? execution->resident_bytes : TABLE_NONE,
               facts->copied_bytes, (int64_t)facts->operators, (int64_t)facts->idle,
               (int64_t)facts->convolutions, (int64_t)facts->others);
    table_texts(table, execution->differs == NULL ? "yes" : "no");
    table_cell(table, execution->wide ? "%.3g" : "", execution->distance); /* of NaNs too */
    table_cell(table, execution->wide ? "%.3g" : "", execution->bound);
    return table;
}

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
    struct table *table = table_named("operator type how macs: time_s: low_s: high_s: share_%: "
                                      "gflops: copied_bytes:");
    struct operator_time *times = times_of(execution);
    double sum = 0.0;

    qsort(times, execution->operators, sizeof *times, by_time);
    for (size_t i = 0; i < execution->operators; i++)
        sum += times[i].time.value;
    for (size_t i = 0; i < execution->operators; i++) {
        const struct network_op *op = &instance->origin->network->op[times[i].index];
        const struct run_operator *how = &execution->how[times[i].index];
        double seconds = times[i].time.value;

        table_texts(table, op->name, op->type, how->how);
        table_ints(table, op->macs);
        add_median(table, &times[i].time);
        table_real(table, "%.2f", 100.0 * seconds / sum);
        table_real(table, "%.3g",
                   op->macs > 0 && seconds > 0.0 ? 2e-9 * (double)op->macs / seconds : NAN);
        table_ints(table, how->copied_bytes);
    }
    free(times);
    return table;
}

/* Measured times as `schedule --times` takes them.  */
void run_write_times(const struct instance *instance, const struct execution *execution, FILE *out)
{
    struct table *table = table_named("operator time_s: low_s: high_s:");
    struct operator_time *times = times_of(execution);

    for (size_t o = 0; o < execution->operators; o++) {
        table_texts(table, instance->origin->network->op[o].name);
        add_median(table, &times[o].time);
    }
    table_print(table, out, TABLE_CSV); /* closing sees what went wrong */
    free(times);
    table_free(table);
}
