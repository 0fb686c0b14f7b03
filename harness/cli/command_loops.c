/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loops: what the loops of a network copy, and where their values are.  */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "harness/cli/commands.h"
#include "harness/cli/input.h"
#include "harness/io/format.h"
#include "harness/io/options.h"
#include "harness/io/table.h"
#include "lib/base/error.h"
#include "lib/lifetimes/loop_layout.h"
#include "lib/problem/instance.h"

static const struct table_column summary_columns[] = {
    {"name", NULL},      {"unroll", ""},     {"iterations", ""}, {"load", "bytes"},
    {"entry_bytes", ""}, {"turn_bytes", ""}, {"exit_bytes", ""}, {"total", "bytes"}};

static const struct table_column view_columns[] = {
    {"value", NULL},  {"first", ""},    {"repeat", ""},      {"region", ""},
    {"buffer", NULL}, {"parent", NULL}, {"offset", "bytes"}, {"stride", "bytes"}};

static void add_summary(struct table *table, const struct instance *instance)
{
    struct loop_copies copies = loop_layout_copies(instance->loops);

    table_cell(table, "%s", instance->name);
    table_cell(table, "%" PRId64, loop_layout_unroll(instance->loops));
    table_cell(table, "%.0f", loop_layout_trips(instance->loops));
    table_cell(table, "%" PRId64, instance->load);
    table_cell(table, "%" PRId64, copies.entry);
    table_cell(table, "%" PRId64, copies.turn);
    table_cell(table, "%" PRId64, copies.exit);
    table_cell(table, "%" PRId64, copies.entry + copies.turn + copies.exit);
}

/* Offsets within the buffer; or a value of the network around, where that is.  */
static void add_region(struct table *table, const struct instance *instance,
                       const struct loop_frame *frame, const struct loop_region *region)
{
    const struct loop_layout *layout = instance->loops;
    const char *buffer = "", *parent = "";
    int64_t offset = 0;

    if (region->kind == REGION_TENSOR)
        buffer = instance->buffer[loop_buffer_of(layout, region->base, &offset)].id;
    else
        parent = layout->frame[frame->parent].network->value[region->base].name;
    table_cell(table, "%s", buffer);
    table_cell(table, "%s", parent);
    table_cell(table, "%" PRId64, offset + region->offset);
    table_cell(table, "%" PRId64, region->stride);
}

/* The multi-view tensors of every body; values without memory are left out.  */
static void add_views(struct table *table, const struct instance *instance)
{
    const struct loop_layout *layout = instance->loops;

    for (size_t f = 1; f < layout->frames; f++) {
        const struct loop_frame *frame = &layout->frame[f];

        for (size_t v = 0; v < frame->network->n_values; v++) {
            const struct loop_view *view = &frame->view[v];

            for (size_t i = 0; i < view->first + view->repeat; i++) {
                if (view->region[i].kind == REGION_NONE)
                    continue;
                table_cell(table, "%s%s", frame->path, frame->network->value[v].name);
                table_cell(table, "%zu", view->first);
                table_cell(table, "%zu", view->repeat);
                table_cell(table, "%zu", i);
                add_region(table, instance, frame, &view->region[i]);
            }
        }
    }
}

static int add_network(struct table *table, const struct instance *instance, const void *context)
{
    const bool *views = context;

    if (instance->loops == NULL) {
        complain("loops: %s has no loops", instance->name);
        return STATUS_USAGE;
    }
    if (*views)
        add_views(table, instance);
    else
        add_summary(table, instance);
    return STATUS_DONE;
}

int command_loops(int argc, char **argv)
{
    const char *format_text = "text";
    bool views = false;
    const struct option_spec options[] = {
        {"views", OPTION_FLAG, &views, NULL,
         "where each value of the bodies is in each iteration, of one network", 0, 0},
        {"format", OPTION_TEXT, &format_text, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "loops",
        "NETWORK|FILE|GENERATOR...",
        "Prints how often the bodies of a network's loops are unrolled (loops=, unroll=), how "
        "many\n"
        "iterations they run, the load, and the bytes that a run copies: on entering loops, at\n"
        "the ends of iterations, and on leaving them.",
        options,
        1,
        -1};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    if (views && count != 1) {
        complain("loops: --views takes one network");
        return STATUS_USAGE;
    }
    return table_of_instances(
        views ? table_new(view_columns, sizeof view_columns / sizeof view_columns[0])
              : table_new(summary_columns, sizeof summary_columns / sizeof summary_columns[0]),
        usage.name, format_text, arguments, count, add_network, &views);
}
