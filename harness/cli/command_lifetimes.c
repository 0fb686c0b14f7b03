/* lifetimes: writes an instance as CSV or as MegEngine's dump.  */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/cli/commands.h"
#include "harness/cli/input.h"
#include "harness/io/options.h"
#include "lib/base/error.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "workloads/readers/megengine/dump_write.h"

/* Says what the CSV does not.  */
static bool write_csv(const struct instance *instance)
{
    size_t widened = instance_csv_widened(instance), links = instance->n_overwrites;

    if (widened > 0)
        complain("lifetimes: %s: %zu buffer%s with holes at some steps, written without them",
                 instance->name, widened, widened == 1 ? "" : "s");
    if (links > 0)
        complain("lifetimes: %s: CSV says what is in use, not what overwrites what: %zu "
                 "overwrite%s lost; --format megengine keeps %s",
                 instance->name, links, links == 1 ? " is" : "s are", links == 1 ? "it" : "them");
    return instance_csv_write(stdout, instance);
}

/* Says what the dump does not.  */
static bool write_dump(const struct instance *instance)
{
    struct megengine_dump_losses losses = megengine_dump_losses(instance);

    if (losses.joined > 0)
        complain("lifetimes: %s: %zu buffer%s of several pieces that %s no chain of overwrites, "
                 "written as bounding rectangle%s",
                 instance->name, losses.joined, losses.joined == 1 ? "" : "s",
                 losses.joined == 1 ? "is" : "are", losses.joined == 1 ? "" : "s");
    if (losses.empty > 0)
        complain("lifetimes: %s: %zu buffer%s of size 0 left out", instance->name, losses.empty,
                 losses.empty == 1 ? "" : "s");
    if (losses.alignment)
        complain("lifetimes: %s: a dump has no alignments, they are lost", instance->name);
    return megengine_dump_write(stdout, instance);
}

int command_lifetimes(int argc, char **argv)
{
    const char *format = "csv";
    const struct option_spec options[] = {{"format", OPTION_TEXT, &format, "FORMAT",
                                           "csv, or megengine for its dump of intervals", 0, 0},
                                          {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "lifetimes",
        "NETWORK|FILE|GENERATOR",
        "Writes the buffers with their lifetimes [lower, upper) and sizes in bytes as CSV; those\n"
        "that are idle or partly used for a while with their gaps, as MiniMalloc's format has it.\n"
        "What overwrites what is in MegEngine's dump only, which has no ids, alignments or gaps.",
        options,
        1,
        1};
    struct instance *instance;
    struct error error;
    bool dump;
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    dump = strcmp(format, "megengine") == 0;
    if (!dump && strcmp(format, "csv") != 0) {
        complain("lifetimes: --format %s: expected csv or megengine", format);
        return STATUS_USAGE;
    }
    instance = input_instance(usage.name, arguments[0]);
    if (instance == NULL)
        return STATUS_USAGE;
    input_explain_empty(usage.name, arguments[0], instance);
    status = STATUS_DONE;
    if (dump && !megengine_dump_writable(instance, &error)) {
        complain("lifetimes: %s: %s", instance->name, error.text);
        status = STATUS_USAGE;
    } else if (!(dump ? write_dump(instance) : write_csv(instance))) {
        complain("standard output: %s", strerror(errno));
        status = STATUS_FAILED;
    }
    instance_free(instance);
    return status;
}
