/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedule: the step of each operator, and how long the schedule takes.  */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/commands.h"
#include "harness/cli/input.h"
#include "harness/io/options.h"
#include "harness/io/table.h"
#include "lib/base/error.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/origin.h"
#include "lib/lifetimes/streams.h"
#include "lib/lifetimes/time_model.h"
#include "lib/problem/instance.h"

#define SUMMARY_COLUMNS \
    "name operators: steps: barriers: load:bytes serial_s: scheduled_s: speed_up:"

struct wish {
    bool steps;
    const char *times; /* file of measured times; NULL: the model */
    struct time_model model;
};

/* The times in the file at PATH; NULL after a message.  */
static double *read_times(const char *path, const struct network *network)
{
    FILE *in = fopen(path, "rb");
    struct error error;
    double *time;

    if (in == NULL) {
        complain("schedule: %s: cannot open: %s", path, strerror(errno));
        return NULL;
    }
    time = time_model_read(in, path, network, &error);
    fclose(in);
    if (time == NULL)
        complain("schedule: %s", error.text);
    return time;
}

static void add_times(struct table *table, const struct time_figures *figures)
{
    table_real(table, "%.6g", figures->serial_s);
    table_real(table, "%.6g", figures->scheduled_s);
    table_real(table, "%.4f", figures->speed_up);
}

static int add_summary(struct table *table, const struct instance *instance,
                       const struct wish *wish)
{
    const struct origin *origin = instance->origin;
    struct time_figures modelled =
        origin->stream != NULL
            ? streams_times(origin)
            : time_model_run(&wish->model, origin->network, origin->schedule, NULL);
    struct time_figures figures = modelled;

    if (wish->times != NULL) {
        double *time = read_times(wish->times, origin->network);

        if (time == NULL)
            return STATUS_USAGE;
        figures = time_model_run(&wish->model, origin->network, origin->schedule, time);
        free(time);
    }
    table_texts(table, instance->name);
    table_ints(table, (int64_t)origin->network->n_ops, origin->schedule->steps, figures.barriers,
               instance->load);
    add_times(table, &figures);
    if (wish->times != NULL)
        add_times(table, &modelled);
    return STATUS_DONE;
}

/* The operators by step, in file order within one.  */
static int add_steps(struct table *table, const struct instance *instance)
{
    const struct network *network = instance->origin->network;
    const struct schedule *schedule = instance->origin->schedule;
    size_t *order = schedule_sequence(schedule);

    for (size_t i = 0; i < network->n_ops; i++) {
        const struct network_op *op = &network->op[order[i]];

        table_ints(table, schedule->step[order[i]]);
        table_texts(table, op->name, op->type);
        table_ints(table, op->macs);
    }
    free(order);
    return STATUS_DONE;
}

static int add_network(struct table *table, const struct instance *instance, const void *context)
{
    const struct wish *wish = context;

    if (instance->origin == NULL)
        return complain_as(STATUS_USAGE, "schedule: %s has lifetimes only, no network",
                           instance->name);
    return wish->steps ? add_steps(table, instance) : add_summary(table, instance, wish);
}

static struct table *new_table(const struct wish *wish)
{
    if (wish->steps)
        return table_named("step: operator type macs:");
    return table_named(wish->times == NULL ? SUMMARY_COLUMNS
                                           : SUMMARY_COLUMNS " modelled_serial_s: "
                                                             "modelled_scheduled_s: "
                                                             "modelled_speed_up:");
}

int command_schedule(int argc, char **argv)
{
    enum table_format format = TABLE_TEXT;
    struct wish wish = {.model = time_model_default};
    int64_t threads = 0;
    const struct option_spec options[] = {
        {"steps", OPTION_FLAG, &wish.steps, NULL, "each operator with its step, of one network", 0,
         0},
        {"times", OPTION_TEXT, &wish.times, "FILE",
         "measured times: CSV with the columns operator and time_s", 0, 0},
        {"threads", OPTION_INT, &threads, "N",
         "the machine is N threads, each of which takes whole operators", 1, 4096},
        {"mac-rate", OPTION_REAL, &wish.model.macs_per_s, "RATE",
         "multiply-accumulates of the machine (of a thread) a second", 1, 1e30},
        {"byte-rate", OPTION_REAL, &wish.model.bytes_per_s, "RATE",
         "bytes that its memory moves a second", 1, 1e30},
        {"lanes", OPTION_REAL, &wish.model.lanes, "N", "output elements that keep it busy", 1,
         1e30},
        {"sync", OPTION_SECONDS, &wish.model.sync_s, "SECONDS", "one synchronisation", 0, 1e9},
        {"format", OPTION_FORMAT, &format, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "schedule",
        "NETWORK|FILE|GENERATOR...",
        "Prints the steps of a network's schedule (order=, groups=), the load, and the time that\n"
        "a simple model expects for these steps and for one operator after the other.  With\n"
        "measured times, both are shown.",
        options,
        1,
        -1};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    wish.model.threads = (int)threads;
    if (count > 1 && (wish.steps || wish.times != NULL))
        return complain_as(STATUS_USAGE, "schedule: --steps and --times take one network");
    return table_of_instances(new_table(&wish), usage.name, format, arguments, count, add_network,
                              &wish);
}
