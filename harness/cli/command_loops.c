/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loops: what the loops of a network copy, and where their values are.  */
#include <config.h>

#include <stdlib.h>

#include "harness/cli/commands.h"
#include "harness/cli/input.h"
#include "harness/io/options.h"
#include "harness/io/table.h"
#include "lib/base/error.h"
#include "lib/lifetimes/loop_layout.h"
#include "lib/problem/instance.h"

static const char summary_columns[] =
    "name unroll: iterations: load:bytes entry_bytes: turn_bytes: exit_bytes: total:bytes";
static const char view_columns[] =
    "value first: repeat: region: buffer parent offset:bytes stride:bytes";

static void add_summary(struct table *table, const struct instance *instance)
{
    struct loop_copies copies = loop_layout_copies(instance->loops);

    table_texts(table, instance->name);
    table_ints(table, loop_layout_unroll(instance->loops));
    table_real(table, "%.0f", loop_layout_trips(instance->loops));
    table_ints(table, instance->load, copies.entry, copies.turn, copies.exit,
               copies.entry + copies.turn + copies.exit);
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
    table_texts(table, buffer, parent);
    table_ints(table, offset + region->offset, region->stride);
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
                table_ints(table, (int64_t)view->first, (int64_t)view->repeat, (int64_t)i);
                add_region(table, instance, frame, &view->region[i]);
            }
        }
    }
}

static int add_network(struct table *table, const struct instance *instance, const void *context)
{
    const bool *views = context;

    if (instance->loops == NULL)
        return complain_as(STATUS_USAGE, "loops: %s has no loops", instance->name);
    if (*views)
        add_views(table, instance);
    else
        add_summary(table, instance);
    return STATUS_DONE;
}

int command_loops(int argc, char **argv)
{
    enum table_format format = TABLE_TEXT;
    bool views = false;
    const struct option_spec options[] = {
        {"views", OPTION_FLAG, &views, NULL,
         "where each value of the bodies is in each iteration, of one network", 0, 0},
        {"format", OPTION_FORMAT, &format, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "loops",
        "NETWORK|FILE|GENERATOR...",
        "Prints how often the bodies of a network's loops are unrolled (loops=, unroll=), how\n"
        "many iterations they run, the load, and how many bytes a run copies: when it enters a\n"
        "loop, at the end of each iteration, and when it leaves the loop.",
        options,
        1,
        -1};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    if (views && count != 1)
        return complain_as(STATUS_USAGE, "loops: --views takes one network");
    return table_of_instances(table_named(views ? view_columns : summary_columns), usage.name,
                              format, arguments, count, add_network, &views);
}
