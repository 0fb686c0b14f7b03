/* SPDX-License-Identifier: GPL-3.0-or-later */
/* merge: results stores of shards, or of other parts of a sweep, as one.  */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "harness/cli/commands.h"
#include "harness/cli/diff_tables.h"
#include "harness/cli/verify_stored.h"
#include "harness/io/options.h"
#include "harness/io/table.h"
#include "harness/store/store_merge.h"
#include "lib/base/error.h"

/* Conflicts that are shown; of a gap, places.  */
enum { CONFLICTS_SHOWN = 10, GAPS_SHOWN = 120 };

static void tell_conflicts(const struct rows *conflicts)
{
    const size_t shown =
        conflicts->count < CONFLICTS_SHOWN ? conflicts->count : (size_t)CONFLICTS_SHOWN;

    for (size_t i = 0; i < shown; i++)
        complain("merge: %s: %s", rows_text(conflicts, i, 0), rows_text(conflicts, i, 1));
    if (shown < conflicts->count)
        complain("merge: ... and %zu more", conflicts->count - shown);
}

static void tell_gaps(const struct rows *experiments, const char *out)
{
    for (size_t i = 0; i < experiments->count; i++) {
        const char *gaps = rows_named(experiments, i, "gaps");

        if (gaps[0] != '\0')
            complain("merge: %s (%s): nobody ran the tasks %.*s%s ('arenabench sweep --dry-run"
                     " --output %s' names them)",
                     rows_named(experiments, i, "experiment"), rows_named(experiments, i, "size"),
                     GAPS_SHOWN, gaps, strlen(gaps) > GAPS_SHOWN ? "..." : "", out);
    }
}

/* --- plans --- */

static bool refuse(struct store *store, const struct rows *rows, size_t row,
                   const struct error *why, struct error *error)
{
    return store_merge_refuse(store, rows_named(rows, row, "id"), why->text, error);
}

static bool judge(struct store *store, void *context, struct error *error)
{
    static const struct judge_talk talk = {refuse, NULL};
    struct judged *judged = context;

    return judge_store(store, &talk, judged, error) &&
           (judged->signal == 0 || error_set(error, "interrupted"));
}

/* --- all --- */

static void tell_rest(const struct merge *merge, const struct judged *judged)
{
    for (size_t i = 0; i < merge->unsummed.count; i++)
        complain("merge: %s: %s", rows_text(&merge->unsummed, i, 0),
                 rows_text(&merge->unsummed, i, 1));
    if (judged->unjudged > 0)
        complain("merge: %zu plans were not judged, as their instances are not here; the last: %s",
                 judged->unjudged, judged->absence.text);
    if (merge->doubles > 0)
        complain("merge: %" PRId64 " of %" PRId64 " tasks are in several stores; of each the"
                 " one that ended last is kept",
                 merge->doubles, merge->tasks);
}

static int merge_into(struct merge_request *request, enum table_format format)
{
    struct error error = {""};
    struct judged judged = {0};
    struct merge merge;
    int status = STATUS_USAGE;

    request->context = &judged;
    if (store_merge(request, &merge, &error)) {
        status = rows_print(&merge.experiments,
                            "experiment size tasks: here: builds: machines: shards", format);
        tell_gaps(&merge.experiments, request->out);
        if (status == STATUS_DONE && merge.missing > 0)
            status = STATUS_FAILED;
    } else {
        tell_conflicts(&merge.conflicts);
        complain("merge: %s%s", error.text, merge.conflicts.count > 0 ? ": nothing is made" : "");
        if (merge.unwritten)
            status = STATUS_FAILED;
        if (judged.signal != 0)
            status = 128 + judged.signal;
    }
    tell_rest(&merge, &judged);
    store_merge_clear(&merge);
    return status;
}

int command_merge(int argc, char **argv)
{
    struct merge_request request = {.newest = false};
    bool unjudged = false;
    enum table_format format = TABLE_TEXT;
    const struct option_spec options[] = {
        {"newest", OPTION_FLAG, &request.newest, NULL,
         "where builds, results or definitions differ, the newest counts", 0, 0},
        {"unjudged", OPTION_FLAG, &unjudged, NULL, "do not judge the plans again", 0, 0},
        {"format", OPTION_FORMAT, &format, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "merge",
        "OUT DIR...",
        "Joins the results of shards, or of other parts of a sweep, in one new folder, OUT.\n"
        "Each task keeps the build and the machine that ran it.  Contradictions and wrong plans\n"
        "are refused.  Tasks that nobody ran, and rows without a checksum, are reported.\n"
        "Exit status 1: there are some of these; a sweep into OUT runs the missing tasks.",
        options,
        2,
        -1};
    char **argument;
    int count, status = options_parse(&usage, argc, argv, &argument, &count);

    if (status >= 0)
        return status;
    request.out = argument[0];
    request.dir = (const char *const *)argument + 1;
    request.count = (size_t)count - 1;
    request.judge = unjudged ? NULL : judge;
    return merge_into(&request, format);
}
