/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suite list, export and submit.  */
#include <config.h>

#include "harness/cli/suite_parts.h"

#include <inttypes.h>
#include <stdio.h>

#include "harness/io/options.h"
#include "harness/io/table.h"
#include "harness/io/vigil.h"
#include "harness/suite/suite.h"
#include "harness/suite/suite_export.h"
#include "harness/suite/suite_submit.h"
#include "lib/base/error.h"
#include "lib/base/people.h"

/* --- list --- */

int suite_list(const struct suite *suite, const struct suite_options *options)
{
    struct table *table = table_named("name class buffers: load:bytes lower:bytes upper:bytes "
                                      "lower_by upper_by plan workload");

    for (size_t i = 0; i < suite->count; i++) {
        const struct suite_entry *entry = &suite->entry[i];

        table_texts(table, entry->name, entry->class_name);
        table_ints(table, entry->buffers, entry->load, entry->lower, entry->upper);
        table_texts(table, entry->lower_by, entry->upper_by, entry->plan, entry->workload);
    }
    return table_finish(table, options->format);
}

/* --- export --- */

static void show(void *context, struct status_line *line)
{
    const struct suite_export *export = context;

    if (export->done < export->suite->count)
        status_line_show(line, "%zu/%zu  %s  %.120s", export->done, export->suite->count,
                         line->elapsed, export->suite->entry[export->done].name);
}

int suite_export_command(const struct suite *suite, const char *dir,
                         const struct suite_options *options)
{
    struct suite_export export = {
        .suite = suite, .folder = options->folder, .dir = dir, .plans = !options->no_plans};
    struct vigil vigil;
    struct error error = {""};
    bool done;

    if (!vigil_begin(&vigil, show, &export, &error))
        return complain_as(STATUS_FAILED, "suite: %s", error.text);
    export.watch = &vigil.watch;
    done = suite_export(&export, &error);
    status_line_clear(&vigil.line);
    if (done)
        people_print(stderr, "suite " SUITE_VERSION ": %zu instances in %s\n", suite->count, dir);
    else
        complain("suite: %s", error.text);
    return vigil_end(&vigil, done ? STATUS_DONE : STATUS_FAILED);
}

/* --- submit --- */

int suite_submit_command(const char *path, const struct suite_options *options)
{
    const struct suite_submission submission = {options->folder, path, options->name,
                                                options->by != NULL ? options->by : "a submission"};
    struct suite_verdict verdict;
    struct error error = {""};
    enum suite_answer answer = suite_submit(&submission, &verdict, &error);

    if (answer != SUITE_TAKEN)
        return complain_as(answer == SUITE_FAILED ? STATUS_FAILED : STATUS_USAGE, "suite: %s",
                           error.text);
    people_print(stdout, "%s: %s %" PRId64 ", before %" PRId64 "%s\n", verdict.name,
                 verdict.is_bound ? "lower bound" : "peak", verdict.is, verdict.was,
                 verdict.optimal ? ", which is the optimum" : "");
    return STATUS_DONE;
}
