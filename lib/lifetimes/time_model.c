#include <config.h>

#include "lib/lifetimes/time_model.h"

#include <errno.h>
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
    return (compute > move ? compute : move) / share_of(model, network, o);
}

struct time_figures time_model_run(const struct time_model *model, const struct network *network,
                                   const struct schedule *schedule, const double *time)
{
    size_t steps = (size_t)schedule->steps;
    double *longest = memory_zalloc(steps, sizeof *longest);
    double *work = memory_zalloc(steps, sizeof *work);
    struct time_figures figures = {.speed_up = 1};

    for (size_t o = 0; o < network->n_ops; o++) {
        double alone = time != NULL ? time[o] : time_of(model, network, o);
        int64_t step = schedule->step[o];

        figures.serial_s += alone + (o > 0 ? model->sync_s : 0);
        work[step] += alone * share_of(model, network, o);
        if (alone > longest[step])
            longest[step] = alone;
    }
    for (size_t s = 0; s < steps; s++)
        figures.scheduled_s +=
            (longest[s] > work[s] ? longest[s] : work[s]) + (s > 0 ? model->sync_s : 0);
    figures.barriers = steps > 0 ? (int64_t)steps - 1 : 0;
    if (figures.scheduled_s > 0)
        figures.speed_up = figures.serial_s / figures.scheduled_s;
    free(longest);
    free(work);
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

static bool read_rows(struct csv *csv, const struct network *network, double *time,
                      struct error *error)
{
    static const char *const names[] = {"operator", "time_s"};
    enum csv_step step;
    size_t next = 0;

    if (!csv_fixed_header(csv, names, 2, error))
        return false;
    while ((step = csv_next(csv, error)) == CSV_ROW) {
        size_t o = find_op(network, csv_text(csv, 0), next);

        if (o == NETWORK_NONE)
            return csv_error(csv, csv->cell[0].column, error, "network '%s' has no operator '%s'",
                             network->name, csv_shown(csv->cell[0].text, csv->cell[0].length).text);
        if (time[o] >= 0)
            return csv_error(csv, csv->cell[0].column, error, "operator '%s' has a time already",
                             network->op[o].name);
        if (!csv_real(csv, 1, "time_s", 0, &time[o], error))
            return false;
        next = o + 1;
    }
    if (step == CSV_BAD)
        return false;
    for (size_t o = 0; o < network->n_ops; o++)
        if (time[o] < 0)
            return csv_error(csv, csv->end_column, error, "no time of operator '%s'",
                             network->op[o].name);
    return true;
}

double *time_model_read(const char *path, const struct network *network, struct error *error)
{
    FILE *in = fopen(path, "rb");
    double *time = memory_alloc(network->n_ops, sizeof *time);
    struct csv csv;
    bool done;

    if (in == NULL) {
        error_set(error, "%s: cannot open: %s", path, strerror(errno));
        free(time);
        return NULL;
    }
    for (size_t o = 0; o < network->n_ops; o++)
        time[o] = -1;
    done = csv_open(&csv, in, path, error);
    fclose(in);
    if (done) {
        done = read_rows(&csv, network, time, error);
        csv_close(&csv);
    }
    if (done)
        return time;
    free(time);
    return NULL;
}
