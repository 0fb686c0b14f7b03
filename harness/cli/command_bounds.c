/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds: load, width, W and the bounds on path-cover's peak.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "harness/cli/commands.h"
#include "harness/cli/input.h"
#include "harness/io/format.h"
#include "harness/io/options.h"
#include "lib/base/error.h"
#include "lib/judge/bounds.h"
#include "lib/problem/instance.h"

static const struct table_column columns[] = {
    {"name", NULL},        {"load", "bytes"},     {"width", ""},       {"W", ""},
    {"max_size", "bytes"}, {"intermediates", ""}, {"sum", "bytes"},    {"width_bound", "bytes"},
    {"w1_bound", "bytes"}, {"w2_bound", "bytes"}, {"applicable", NULL}};

/* A bound that does not fit in 64 bits, or that needs a graph, is missing.  */
static void add_bound(struct table *table, int64_t bound)
{
    if (bound < 0)
        table_cell(table, "%s", "");
    else
        table_cell(table, "%" PRId64, bound);
}

static void add_row(struct table *table, const struct instance *instance,
                    const struct bounds *bounds)
{
    table_cell(table, "%s", instance->name);
    table_cell(table, "%" PRId64, bounds->load);
    table_cell(table, "%" PRId64, bounds->width);
    add_bound(table, bounds->has_w ? bounds->w : -1);
    table_cell(table, "%" PRId64, bounds->max_size);
    table_cell(table, "%zu", bounds->intermediates);
    table_cell(table, "%" PRId64, bounds->total);
    add_bound(table, bounds->width_bound);
    add_bound(table, bounds->w1_bound);
    add_bound(table, bounds->w2_bound);
    if (bounds->applicable)
        table_cell(table, "yes");
    else
        table_cell(table, "not applicable: %s", bounds->reason);
}

static int add_instance(struct table *table, const struct instance *instance, const void *context)
{
    struct bounds bounds;
    struct error error;

    (void)context;
    if (!bounds_compute(instance, &bounds, &error)) {
        complain("bounds: %s: %s", instance->name, error.text);
        return STATUS_FAILED;
    }
    add_row(table, instance, &bounds);
    return STATUS_DONE;
}

int command_bounds(int argc, char **argv)
{
    const char *format_text = "text";
    const struct option_spec options[] = {
        {"format", OPTION_TEXT, &format_text, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "bounds",
        "NETWORK|FILE|GENERATOR...",
        "Prints the load, the width, W (the fewest directed paths that cover every edge of\n"
        "the network; an operator with several outputs stands for as many that make one\n"
        "each), and the bounds width x max_size, (W + 1) max_size and 2 W max_size on\n"
        "path-cover's peak.  All sizes in bytes.  `applicable` says whether the\n"
        "conditions of the 2 W bound hold.",
        options,
        1,
        -1};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    return table_of_instances(table_new(columns, sizeof columns / sizeof columns[0]), usage.name,
                              format_text, arguments, count, add_instance, NULL);
}
