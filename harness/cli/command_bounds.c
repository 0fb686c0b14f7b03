/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds: load, width, W and the bounds on path-cover's peak.  */
#include <config.h>

#include <stdio.h>

#include "harness/cli/commands.h"
#include "harness/cli/input.h"
#include "harness/io/options.h"
#include "harness/io/table.h"
#include "lib/base/error.h"
#include "lib/judge/bounds.h"
#include "lib/problem/instance.h"

static const char columns[] =
    "name load:bytes width: W: max_size:bytes intermediates: sum:bytes width_bound:bytes "
    "w1_bound:bytes w2_bound:bytes applicable";

/* A bound that does not fit in 64 bits, or that needs a graph, is missing.  */
static int64_t or_none(int64_t bound)
{
    return bound < 0 ? TABLE_NONE : bound;
}

static void add_row(struct table *table, const struct instance *instance,
                    const struct bounds *bounds)
{
    table_texts(table, instance->name);
    table_ints(table, bounds->load, bounds->width, bounds->has_w ? bounds->w : TABLE_NONE,
               bounds->max_size, (int64_t)bounds->intermediates, bounds->total,
               or_none(bounds->width_bound), or_none(bounds->w1_bound), or_none(bounds->w2_bound));
    table_cell(table, "%s%s", bounds->applicable ? "yes" : "not applicable: ",
               bounds->applicable ? "" : bounds->reason);
}

static int add_instance(struct table *table, const struct instance *instance, const void *context)
{
    struct bounds bounds;
    struct error error;

    (void)context;
    if (!bounds_compute(instance, &bounds, &error))
        return complain_as(STATUS_FAILED, "bounds: %s: %s", instance->name, error.text);
    add_row(table, instance, &bounds);
    return STATUS_DONE;
}

int command_bounds(int argc, char **argv)
{
    enum table_format format = TABLE_TEXT;
    const struct option_spec options[] = {
        {"format", OPTION_FORMAT, &format, "FORMAT", FORMAT_HELP, 0, 0},
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
    return table_of_instances(table_named(columns), usage.name, format, arguments, count,
                              add_instance, NULL);
}
