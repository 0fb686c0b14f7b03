/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rerun: whether the tasks of a sweep give the same again.  */
#include <config.h>

#include <stdio.h>
#include <unistd.h>

#include "harness/cli/commands.h"
#include "harness/cli/diff_tables.h"
#include "harness/io/options.h"
#include "harness/io/table.h"
#include "harness/report/diff.h"
#include "harness/store/store.h"
#include "harness/sweep/sweep.h"
#include "harness/sweep/sweep_sample.h"
#include "lib/base/error.h"
#include "lib/base/people.h"

struct request {
    const char *dir;
    int jobs;
    enum table_format format;
    struct sample sample;
};

/* What was compared and what not, in one line.  */
static void print_summary(const struct sample *sample, size_t lost, const struct diff *diff,
                          FILE *out)
{
    const struct {
        size_t count;
        const char *what;
    } others[] = {
        {diff->values_cut, "cut by a limit now"},
        {lost, "without a result, as their processes were killed"},
        {sample->count[SAMPLE_ABSENT], "whose solver or instance is not here"},
        {sample->count[SAMPLE_CUT], "cut by a limit then, not drawn"},
        {sample->count[SAMPLE_VERSION], "of another version of their solver, not drawn"},
        {sample->count[SAMPLE_KERNEL], "of kernels, whose results are times"},
    };

    people_print(out, "run again: %zu of %zu tasks (seed %u): %zu the same, %zu differ",
                 sample->drawn, sample->count[SAMPLE_ELIGIBLE], (unsigned)sample->seed,
                 diff->values_same, diff->values_differ);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].count > 0)
            people_print(out, "; %zu %s", others[i].count, others[i].what);
    putc('\n', out);
}

static int conclude(const struct request *request, const struct sweep *sweep,
                    const struct diff *diff)
{
    const struct sample *sample = &request->sample;
    const bool text = request->format == TABLE_TEXT;
    int status = STATUS_DONE;

    if (sample->count[SAMPLE_ABSENT] > 0)
        complain("rerun: not here: %s", sample->absence.text);
    if (!text || diff->values_differ > 0)
        status = diff_print_values(diff, request->format);
    print_summary(sample, sweep->lost, diff, text ? stdout : stderr);
    if (status != STATUS_DONE || diff->values_differ > 0)
        return STATUS_FAILED;
    if (diff->values_same > 0)
        return STATUS_DONE;
    return complain_as(STATUS_FAILED, "rerun: no task in %s could be compared%s", request->dir,
                       sample->count[SAMPLE_VERSION] > 0
                           ? "; --any-version takes those of other versions, too"
                           : "");
}

/* Runs SWEEP into NEW and compares; *STATUS is that of the command.  False with a message.  */
static bool compare(const struct request *request, struct sweep *sweep, struct store *new,
                    int *status, struct error *error)
{
    const struct store_pair nobody = {"command", "rerun"};
    struct diff diff;
    int caught = 0;
    bool done;

    sweep->store = new;
    store_begin_sweep(new, &nobody, 1);
    for (size_t e = 0; e < sweep->n_experiments && caught == 0; e++)
        if (!sweep_run(sweep, e, &caught, error))
            return false;
    if (caught != 0) {
        complain("rerun: interrupted; nothing was compared");
        *status = 128 + caught;
        return true;
    }
    done = diff_again(&diff, request->dir, new, error);
    if (done)
        *status = conclude(request, sweep, &diff);
    diff_clear(&diff);
    return done;
}

static int rerun(struct request *request)
{
    struct error error = {""};
    struct store *old = store_open(request->dir, false, &error), *new = NULL;
    struct sweep sweep = {.store = NULL};
    struct rows unsummed = {0};
    int status = STATUS_USAGE;
    bool done = old != NULL && store_unsummed(old, &unsummed, &error) &&
                sweep_plan_sample(&sweep, &request->sample, old, request->jobs, &error) &&
                (new = store_open_memory(&error)) != NULL;

    store_close(old);
    for (size_t i = 0; i < unsummed.count; i++)
        complain("rerun: %s: %s", request->dir, rows_text(&unsummed, i, 0));
    if (!done || !compare(request, &sweep, new, &status, &error))
        complain("rerun: %s", error.text);
    rows_clear(&unsummed);
    sweep_clear(&sweep);
    sample_clear(&request->sample);
    store_close(new);
    return status;
}

int command_rerun(int argc, char **argv)
{
    struct request request = {.sample.share = 0.1};
    int64_t jobs = sysconf(_SC_NPROCESSORS_ONLN), seed = 1;
    const struct option_spec options[] = {
        {"sample", OPTION_REAL, &request.sample.share, "SHARE",
         "of the tasks that can be compared, drawn at random; 1: all", 0, 1},
        {"seed", OPTION_INT, &seed, "N", "which tasks are drawn", 1, UINT32_MAX},
        {"jobs", OPTION_INT, &jobs, "N", "tasks that run at once", 1, 1024},
        {"any-version", OPTION_FLAG, &request.sample.any_version, NULL,
         "also tasks that another version of their solver ran", 0, 0},
        {"format", OPTION_FORMAT, &request.format, "FORMAT", "of the differences: " FORMAT_HELP, 0,
         0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "rerun",
        "DIR",
        "Runs a random sample of the tasks in DIR again, with the same solver, parameters, seed\n"
        "and limits, and compares everything that does not depend on time: instances, bounds,\n"
        "outcomes, peaks, every offset, improvements, the search's counters, costs of several\n"
        "memories and, for networks that run, bytes and operators.  DIR is not changed.  Tasks\n"
        "that can't be compared are counted: those ended by a limit, those of another version of\n"
        "the solver, and kernels.  Exit status 1: something differs, or nothing could be compared.",
        options,
        1,
        1};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    if (!(request.sample.share > 0.0))
        return complain_as(STATUS_USAGE, "rerun: --sample 0: expected a share above 0");
    request.dir = arguments[0];
    request.jobs = (int)jobs;
    request.sample.seed = (uint32_t)seed;
    return rerun(&request);
}
