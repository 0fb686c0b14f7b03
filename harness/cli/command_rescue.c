/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rescue: what can be read of a damaged results store, as a new one.  */
#include <config.h>

#include <inttypes.h>

#include "harness/cli/commands.h"
#include "harness/io/options.h"
#include "harness/io/table.h"
#include "harness/store/store_rescue.h"
#include "lib/base/error.h"

static int show(const struct rescue *rescue)
{
    struct table *table = table_named("table saved:rows");

    for (size_t t = 0; t < TABLES; t++) {
        table_texts(table, rescue_table(t));
        table_ints(table, rescue->saved[t]);
    }
    return table_finish(table, TABLE_TEXT);
}

/* Whether anything was.  */
static bool tell_lost(const struct rescue *rescue)
{
    if (rescue->unreadable)
        complain("rescue: parts of the file could not be read");
    if (rescue->refused > 0)
        complain("rescue: rows that can't be right: %" PRId64 "%s%s", rescue->refused,
                 rescue->first[0] == '\0' ? "" : "; the first is ", rescue->first);
    if (rescue->dropped > 0)
        complain("rescue: tasks left out, as not all of them is there: %" PRId64
                 "; a sweep runs them again",
                 rescue->dropped);
    if (rescue->partial > 0)
        complain("rescue: plans without the improvements that led to them, or without what was"
                 " counted, as some of that is lost: %" PRId64
                 "; --whole leaves them out, and a sweep runs them again",
                 rescue->partial);
    if (rescue->homeless > 0)
        complain("rescue: tasks of which is lost by which sweep, build or machine they were run:"
                 " %" PRId64,
                 rescue->homeless);
    return rescue->unreadable || rescue->refused > 0 || rescue->dropped > 0 || rescue->partial > 0;
}

int command_rescue(int argc, char **argv)
{
    const char *output = NULL;
    bool whole = false;
    const struct option_spec options[] = {
        {"output", OPTION_TEXT, &output, "NEW", "the folder for the new store, which has none yet",
         0, 0},
        {"whole", OPTION_FLAG, &whole, NULL,
         "leave out plans whose improvements or counts are lost", 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "rescue",
        "DIR --output NEW",
        "Copies what can still be read of a damaged DIR/results.db into a new store in NEW: rows\n"
        "whose checksums, words and references are right, and whole tasks.  How a plan was\n"
        "reached may be lost.  A sweep into NEW runs the missing tasks again.\n"
        "Exit status 1: something is lost.",
        options,
        1,
        1};
    struct error error = {""};
    struct rescue rescue;
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    if (output == NULL)
        return complain_as(STATUS_USAGE,
                           "rescue: expected --output NEW, the folder for what can be saved");
    if (!store_rescue(arguments[0], output, whole, &rescue, &error))
        return complain_as(STATUS_USAGE, "rescue: %s", error.text);
    status = show(&rescue);
    return tell_lost(&rescue) && status == STATUS_DONE ? STATUS_FAILED : status;
}
