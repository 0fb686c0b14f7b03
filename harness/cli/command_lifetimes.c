/* lifetimes: writes an instance as CSV.  */
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

int command_lifetimes(int argc, char **argv)
{
    static const struct option_spec options[] = {{NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    static const struct command_usage usage = {
        "lifetimes",
        "NETWORK|FILE|GENERATOR",
        "Writes the buffers with their lifetimes [lower, upper) and sizes in bytes as CSV; those\n"
        "that are idle or partly used for a while with their gaps, as MiniMalloc's format has it.",
        options,
        1,
        1};
    struct instance *instance;
    size_t widened;
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    instance = input_instance(usage.name, arguments[0]);
    if (instance == NULL)
        return STATUS_USAGE;
    status = STATUS_DONE;
    widened = instance_csv_widened(instance);
    if (widened > 0)
        complain("lifetimes: %s: %zu buffer%s with holes at some steps, written without them",
                 instance->name, widened, widened == 1 ? "" : "s");
    if (!instance_csv_write(stdout, instance)) {
        complain("standard output: %s", strerror(errno));
        status = STATUS_FAILED;
    }
    instance_free(instance);
    return status;
}
