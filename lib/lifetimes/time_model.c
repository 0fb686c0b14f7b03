/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/lifetimes/time_model.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/csv.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"

const struct time_model time_model_default = {
    .macs_per_s = 1e11,
    .bytes_per_s = 2e10,
    .lanes = 4096,
    .sync_s = 2e-5,
};

/* How many outputs OP has: behind them stands what it works in, which is no result.  */
static size_t results(const struct network *network, const struct network_op *op)
{
    size_t count = op->outputs;

    while (count > 0 && network->value[op->output[count - 1]].workspace)
        count--;
    return count;
}

/* u(v): the share of the machine that the operator can fill.  */
static double share_of(const struct time_model *model, const struct network *network, size_t o)
{
    const struct network_op *op = &network->op[o];
    double elements = 0;

    for (size_t i = 0; i < results(network, op); i++)
        elements += (double)value_elements(&network->value[op->output[i]]);
    return elements <= 0 || elements >= model->lanes ? 1 : elements / model->lanes;
}

/* tau(v) by the model.  */
static double time_of(const struct time_model *model, const struct network *network, size_t o)
{
    const struct network_op *op = &network->op[o];
    double bytes = 0, compute = (double)op->macs / model->macs_per_s, move;

    for (size_t i = 0; i < op->inputs; i++)
        bytes += (double)value_bytes(&network->value[op->input[i]]);
    for (size_t i = 0; i < results(network, op); i++)
        bytes += (double)value_bytes(&network->value[op->output[i]]);
    move = bytes / model->bytes_per_s;
    return (compute > move ? compute : move) /
           (model->threads > 0 ? 1 : share_of(model, network, o));
}

double *time_model_times(const struct time_model *model, const struct network *network)
{
    double *time = memory_alloc(network->n_ops, sizeof *time);

    for (size_t o = 0; o < network->n_ops; o++)
        time[o] = time_of(model, network, o);
    return time;
}

/* Adds the times of all operators and steps, where those of a step share the machine.  */
static void add_shares(struct time_figures *figures, const struct time_model *model,
                       const struct network *network, const struct schedule *schedule,
                       const double *time)
{
    size_t steps = (size_t)schedule->steps;
    double *longest = memory_zalloc(steps, sizeof *longest);
    double *work = memory_zalloc(steps, sizeof *work);

    for (size_t o = 0; o < network->n_ops; o++) {
        int64_t step = schedule->step[o];

        figures->serial_s += time[o] + (o > 0 ? model->sync_s : 0);
        work[step] += time[o] * share_of(model, network, o);
        if (time[o] > longest[step])
            longest[step] = time[o];
    }
    for (size_t s = 0; s < steps; s++)
        figures->scheduled_s +=
            (longest[s] > work[s] ? longest[s] : work[s]) + (s > 0 ? model->sync_s : 0);
    figures->barriers = steps > 0 ? (int64_t)steps - 1 : 0;
    free(longest);
    free(work);
}

/* --- threads --- */

/* The thread that is free first.  */
static size_t first_free(const double *busy, size_t threads)
{
    size_t first = 0;

    for (size_t t = 1; t < threads; t++)
        if (busy[t] < busy[first])
            first = t;
    return first;
}

/* tau(L) of one step, whose operators are ORDER[0..COUNT), the longest first.  BUSY has room for
 * the threads.  */
static double step_time(double *busy, size_t threads, const size_t *order, size_t count,
                        const double *time)
{
    double last = 0;

    memset(busy, 0, threads * sizeof *busy);
    for (size_t i = 0; i < count; i++) {
        size_t t = first_free(busy, threads);

        busy[t] += time[order[i]];
        if (busy[t] > last)
            last = busy[t];
    }
    return last;
}

/* The same where each operator is taken by a thread.  */
static void add_threads(struct time_figures *figures, const struct time_model *model,
                        const struct schedule *schedule, const double *time)
{
    size_t *order = schedule_longest_first(schedule, time);
    double *busy = memory_alloc((size_t)model->threads, sizeof *busy);
    size_t next;

    for (size_t i = 0; i < schedule->n; i = next) {
        for (next = i; next < schedule->n; next++) {
            if (schedule->step[order[next]] != schedule->step[order[i]])
                break;
            figures->serial_s += time[order[next]];
        }
        figures->scheduled_s += step_time(busy, (size_t)model->threads, order + i, next - i, time);
        if (model->threads > 1 && next - i > 1 && time[order[i + 1]] > 0) {
            figures->scheduled_s += model->sync_s;
            figures->barriers++;
        }
    }
    free(busy);
    free(order);
}

struct time_figures time_model_run(const struct time_model *model, const struct network *network,
                                   const struct schedule *schedule, const double *time)
{
    double *modelled = time == NULL ? time_model_times(model, network) : NULL;
    struct time_figures figures = {.speed_up = 1};

    if (time == NULL)
        time = modelled;
    if (model->threads > 0)
        add_threads(&figures, model, schedule, time);
    else
        add_shares(&figures, model, network, schedule, time);
    if (figures.scheduled_s > 0)
        figures.speed_up = figures.serial_s / figures.scheduled_s;
    free(modelled);
    return figures;
}

/* --- measured times --- */

/* The operator called NAME, or NETWORK_NONE.  Files list operators in order,
 * so the search goes on from the one before.  */
static size_t find_op(const struct network *network, const char *name, size_t after)
{
    for (size_t i = 0; i < network->n_ops; i++) {
        size_t o = (after + i) % network->n_ops;

        if (strcmp(network->op[o].name, name) == 0)
            return o;
    }
    return NETWORK_NONE;
}

/* Of an operator its time, which is below 0 where none was read.  */
struct reading {
    const struct network *network;
    double *time;
    size_t where[2], next; /* columns; the operator behind the one read last */
};

static const char *const columns[] = {"operator", "time_s"};

static bool read_row(struct csv *csv, void *context, struct error *error)
{
    struct reading *reading = context;
    const struct network *network = reading->network;
    const struct csv_cell *name = &csv->cell[reading->where[0]];
    size_t o = find_op(network, csv_text(csv, reading->where[0]), reading->next);

    if (o == NETWORK_NONE)
        return csv_error(csv, name->column, error, "network '%s' has no operator '%s'",
                         network->name, csv_shown(name->text, name->length).text);
    if (reading->time[o] >= 0)
        return csv_error(csv, name->column, error, "operator '%s' has a time already",
                         network->op[o].name);
    reading->next = o + 1;
    return csv_real(csv, reading->where[1], columns[1], 0, &reading->time[o], error);
}

static bool read_times(struct csv *csv, struct reading *reading, struct error *error)
{
    const struct network *network = reading->network;

    if (!csv_named_header(csv, columns, 2, "operator,time_s", reading->where, error) ||
        !csv_rows(csv, read_row, reading, error))
        return false;
    for (size_t o = 0; o < network->n_ops; o++)
        if (reading->time[o] < 0)
            return csv_error(csv, csv->end_column, error, "no time of operator '%s'",
                             network->op[o].name);
    return true;
}

double *time_model_read(FILE *in, const char *path, const struct network *network,
                        struct error *error)
{
    struct reading reading = {.network = network};
    struct csv csv;
    bool done;

    if (!csv_open(&csv, in, path, error))
        return NULL;
    reading.time = memory_alloc(network->n_ops, sizeof *reading.time);
    for (size_t o = 0; o < network->n_ops; o++)
        reading.time[o] = -1;
    done = read_times(&csv, &reading, error);
    csv_close(&csv);
    if (done)
        return reading.time;
    free(reading.time);
    return NULL;
}
