/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suite list, export and submit.  */
#include <config.h>

#include "harness/cli/suite_parts.h"

#include <inttypes.h>
#include <stdio.h>

#include "harness/io/format.h"
#include "harness/io/interrupt.h"
#include "harness/io/options.h"
#include "harness/io/status_line.h"
#include "harness/io/watch.h"
#include "harness/suite/suite.h"
#include "harness/suite/suite_export.h"
#include "harness/suite/suite_submit.h"
#include "lib/base/error.h"
#include "lib/base/people.h"

/* --- list --- */

int suite_list(const struct suite *suite, const struct suite_options *options)
{
    static const struct table_column columns[] = {
        {"name", NULL},     {"class", NULL},    {"buffers", ""},    {"load", "bytes"},
        {"lower", "bytes"}, {"upper", "bytes"}, {"lower_by", NULL}, {"upper_by", NULL},
        {"plan", NULL},     {"workload", NULL},
    };
    struct table *table = table_new(columns, sizeof columns / sizeof columns[0]);

    for (size_t i = 0; i < suite->count; i++) {
        const struct suite_entry *entry = &suite->entry[i];

        table_cell(table, "%s", entry->name);
        table_cell(table, "%s", entry->class_name);
        table_cell(table, "%" PRId64, entry->buffers);
        table_cell(table, "%" PRId64, entry->load);
        table_cell(table, "%" PRId64, entry->lower);
        table_cell(table, "%" PRId64, entry->upper);
        table_cell(table, "%s", entry->lower_by);
        table_cell(table, "%s", entry->upper_by);
        table_cell(table, "%s", entry->plan);
        table_cell(table, "%s", entry->workload);
    }
    return table_finish(table, options->format);
}

/* --- export --- */

struct watching {
    struct interrupt interrupt;
    struct status_line line;
    const struct suite_export *export;
};

static bool look(void *context)
{
    struct watching *watching = context;
    const struct suite_export *export = watching->export;

    interrupt_take(&watching->interrupt);
    if (status_line_due(&watching->line) && export->done < export->suite->count)
        status_line_show(&watching->line, "%zu/%zu  %s  %.120s", export->done, export->suite->count,
                         watching->line.elapsed, export->suite->entry[export->done].name);
    return watching->interrupt.signal == 0;
}

int suite_export_command(const struct suite *suite, const char *dir,
                         const struct suite_options *options)
{
    struct suite_export export = {
        .suite = suite, .folder = options->folder, .dir = dir, .plans = !options->no_plans};
    struct watching watching = {.export = &export};
    struct watch watch = {look, &watching, 0.0, -1};
    struct error error = {""};
    int status = STATUS_DONE;

    if (!interrupt_watch(&watching.interrupt, &error)) {
        complain("suite: %s", error.text);
        return STATUS_FAILED;
    }
    status_line_start(&watching.line);
    watch.period_s = status_line_period(&watching.line);
    watch.fd = watching.interrupt.fd;
    export.watch = &watch;
    if (!suite_export(&export, &error))
        status = STATUS_FAILED;
    status_line_clear(&watching.line);
    if (status == STATUS_DONE)
        people_print(stderr, "suite " SUITE_VERSION ": %zu instances in %s\n", suite->count, dir);
    else
        complain("suite: %s", error.text);
    if (watching.interrupt.signal != 0)
        status = 128 + watching.interrupt.signal;
    interrupt_end(&watching.interrupt);
    return status;
}

/* --- submit --- */

int suite_submit_command(const char *path, const struct suite_options *options)
{
    const struct suite_submission submission = {options->folder, path, options->name,
                                                options->by != NULL ? options->by : "a submission"};
    struct suite_verdict verdict;
    struct error error = {""};
    enum suite_answer answer = suite_submit(&submission, &verdict, &error);

    if (answer != SUITE_TAKEN) {
        complain("suite: %s", error.text);
        return answer == SUITE_FAILED ? STATUS_FAILED : STATUS_USAGE;
    }
    people_print(stdout, "%s: %s %" PRId64 ", before %" PRId64 "%s\n", verdict.name,
                 verdict.is_bound ? "lower bound" : "peak", verdict.is, verdict.was,
                 verdict.optimal ? ", which is the optimum" : "");
    return STATUS_DONE;
}
