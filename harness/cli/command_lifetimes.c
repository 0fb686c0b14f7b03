/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lifetimes: writes an instance as CSV or as MegEngine's dump, or explains it.  */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/commands.h"
#include "harness/cli/explain.h"
#include "harness/cli/input.h"
#include "harness/cli/summary.h"
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
    if (losses.fixed)
        complain("lifetimes: %s: a dump has no offsets, the fixed ones are lost", instance->name);
    return megengine_dump_write(stdout, instance);
}

/* --explain NAME of the instance that SPEC names; returns the exit status.  */
static int explain(const struct instance *instance, const char *spec, const char *name)
{
    struct explained explained;
    struct error error;
    char *inplace;
    bool good;

    if (!explain_find(instance, name, &explained, &error))
        return complain_as(STATUS_USAGE, "lifetimes: --explain: %s", error.text);
    inplace = input_word(spec, "inplace");
    good = explain_print(instance, &explained, inplace != NULL ? inplace : "off", stdout);
    free(inplace);
    return good ? STATUS_DONE : STATUS_FAILED;
}

static int write_instance(const struct instance *instance, bool dump)
{
    struct error error;

    if (dump && !megengine_dump_writable(instance, &error))
        return complain_as(STATUS_USAGE, "lifetimes: %s: %s", instance->name, error.text);
    return (dump ? write_dump(instance) : write_csv(instance)) ? STATUS_DONE : STATUS_FAILED;
}

struct wish {
    const char *format, *explain;
    bool summary;
};

static bool check_wish(const struct wish *wish)
{
    if (wish->format != NULL && strcmp(wish->format, "megengine") != 0 &&
        strcmp(wish->format, "csv") != 0)
        return complain("lifetimes: --format %s: expected csv or megengine", wish->format);
    return (wish->format != NULL) + (wish->explain != NULL) + wish->summary <= 1 ||
           complain("lifetimes: expected one of --format, --explain and --summary");
}

int command_lifetimes(int argc, char **argv)
{
    struct wish wish = {0};
    const struct option_spec options[] = {
        {"format", OPTION_TEXT, &wish.format, "FORMAT",
         "csv, or megengine for its dump of intervals", 0, 0},
        {"explain", OPTION_TEXT, &wish.explain, "VALUE",
         "instead: why a value's or buffer's memory is in use when it is", 0, 0},
        {"summary", OPTION_FLAG, &wish.summary, NULL,
         "instead: counts, the fullest and the widest step, the largest buffers", 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "lifetimes",
        "NETWORK|FILE|GENERATOR",
        "Writes each buffer with its lifetime [lower, upper) and its size in bytes, as CSV.\n"
        "A buffer that is idle, or only partly used, for some steps has a column of gaps, as in\n"
        "MiniMalloc's format.  Which buffer overwrites which is only in MegEngine's dump, and\n"
        "that has no ids, alignments or gaps.",
        options,
        1,
        1};
    struct instance *instance;
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    if (!check_wish(&wish))
        return STATUS_USAGE;
    instance = input_instance(usage.name, arguments[0]);
    if (instance == NULL)
        return STATUS_USAGE;
    if (wish.explain == NULL)
        input_explain_empty(usage.name, arguments[0], instance);
    if (wish.explain != NULL)
        status = explain(instance, arguments[0], wish.explain);
    else if (wish.summary)
        status = summary_print(instance, stdout) ? STATUS_DONE : STATUS_FAILED;
    else
        status = write_instance(instance, wish.format != NULL && wish.format[0] == 'm');
    if (status == STATUS_FAILED)
        complain("standard output: %s", strerror(errno));
    instance_free(instance);
    return status;
}
