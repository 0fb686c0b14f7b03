/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suite score: what plans from a folder, or a solver's, are worth.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/suite_parts.h"
#include "harness/io/options.h"
#include "harness/io/output.h"
#include "harness/io/plan_file.h"
#include "harness/io/table.h"
#include "harness/io/vigil.h"
#include "harness/run/runner.h"
#include "harness/suite/suite.h"
#include "harness/suite/suite_judge.h"
#include "harness/suite/suite_score.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

struct scoring {
    const struct suite *suite, *all;
    const struct suite_options *options;
    struct suite_run *run; /* one an entry of SUITE */
    char *label;           /* whose plans these are */
    size_t done;           /* runs of a solver */
};

static void refuse(struct suite_run *run, const struct error *error)
{
    run->refused = true;
    snprintf(run->reason, sizeof run->reason, "%s", error->text);
}

static void take(struct suite_run *run, const struct plan *plan)
{
    run->has_plan = true;
    run->peak = plan->peak;
}

/* --- plans from a folder --- */

/* The plan of entry I, where there is one: both verifiers judge it.  False when the instance can't
 * be made.  */
static bool judge_file(struct scoring *scoring, size_t i, const char *path, struct error *error)
{
    const struct suite_entry *entry = &scoring->suite->entry[i];
    struct instance *instance = suite_instance(entry, error);
    struct error reason = {""};
    struct plan *plan;

    if (instance == NULL)
        return false;
    plan = plan_file_read(path, instance, &reason);
    if (plan != NULL && suite_judge(entry, instance, plan, &reason)) {
        take(&scoring->run[i], plan);
    } else {
        if (plan != NULL)
            error_prefix(&reason, "%s", path);
        refuse(&scoring->run[i], &reason);
    }
    plan_free(plan);
    instance_free(instance);
    return true;
}

/* The times of DIR/times.csv, which may name any instance of the suite.  */
static bool read_times(struct scoring *scoring, const char *dir, struct error *error)
{
    struct suite_run *times = memory_zalloc(scoring->all->count, sizeof *times);
    char *path = memory_printf("%s/times.csv", dir);
    FILE *in = fopen(path, "r");
    bool done = true;

    if (in != NULL) {
        done = suite_read_times(scoring->all, in, path, times, error);
        fclose(in);
        for (size_t i = 0; done && i < scoring->suite->count; i++)
            scoring->run[i].time_s =
                times[suite_find(scoring->all, scoring->suite->entry[i].name, error) -
                      scoring->all->entry]
                    .time_s;
    }
    free(path);
    free(times);
    return done;
}

static bool judge_folder(struct scoring *scoring, const char *dir, struct error *error)
{
    bool done = read_times(scoring, dir, error);
    size_t found = 0;

    for (size_t i = 0; done && i < scoring->suite->count; i++) {
        char *path = memory_printf("%s/%s.csv", dir, scoring->suite->entry[i].name);

        if (access(path, F_OK) == 0) {
            done = judge_file(scoring, i, path, error);
            found++;
        }
        free(path);
    }
    if (done && found == 0)
        done = error_set(error, "%s: no plan of the suite; expected files NAME.csv", dir);
    return done;
}

/* --- plans of a solver --- */

static void show(void *context, struct status_line *line)
{
    const struct scoring *scoring = context;

    status_line_show(line, "%zu/%zu  %s  %.80s on %.80s", scoring->done, scoring->suite->count,
                     line->elapsed, scoring->label, scoring->suite->entry[scoring->done].name);
}

static bool keep_plan(const struct scoring *scoring, size_t i, const struct instance *instance,
                      const struct plan *plan, struct error *error)
{
    const char *dir = scoring->options->output;
    char *path;
    bool done;

    if (dir == NULL)
        return true;
    path = memory_printf("%s/%s.csv", dir, scoring->suite->entry[i].name);
    done = plan_file_write(path, instance, plan, error);
    free(path);
    return done;
}

/* What a run came to.  A bound is only said: it needs a certificate to be anybody's.  */
static bool note_run(struct scoring *scoring, size_t i, const struct instance *instance,
                     const struct run_result *result, struct error *error)
{
    const struct suite_entry *entry = &scoring->suite->entry[i];
    struct suite_run *run = &scoring->run[i];
    struct error reason = {""};

    run->time_s = result->time_s;
    if (result->outcome == OUTCOME_INVALID || result->plan == NULL) {
        error_set(&reason, "%s: %s%s%s", entry->name, outcome_name(result->outcome),
                  result->reason[0] != '\0' ? ": " : "", result->reason);
        refuse(run, &reason);
        return true;
    }
    if (!suite_judge(entry, instance, result->plan, &reason)) {
        refuse(run, &reason);
        return true;
    }
    take(run, result->plan);
    if (!result->rounded && result->lower_bound > entry->lower)
        complain("suite: %s: %s claims the bound %" PRId64 ", above the best known, %" PRId64,
                 entry->name, scoring->label, result->lower_bound, entry->lower);
    return keep_plan(scoring, i, instance, result->plan, error);
}

static bool run_entry(struct scoring *scoring, const struct contestant *contestant, size_t i,
                      struct vigil *vigil, struct error *error)
{
    const struct suite_options *options = scoring->options;
    const struct run_limits all = {
        .time_s = options->time_limit_s,
        .memory_bytes = options->memory_mib > 0 ? options->memory_mib << 20 : run_default_memory(1),
    };
    const struct run_limits limits = contestant_limits(contestant, &all);
    struct instance *instance = suite_instance(&scoring->suite->entry[i], error);
    struct run_result result;
    bool done;

    if (instance == NULL)
        return false;
    scoring->done = i;
    run_solver_watched(instance, contestant, (uint32_t)options->seed, &limits, &vigil->watch, NULL,
                       &result);
    done = vigil->interrupt.signal == 0 && note_run(scoring, i, instance, &result, error);
    run_result_clear(&result);
    instance_free(instance);
    if (vigil->interrupt.signal != 0)
        return error_set(error, "interrupted after %zu of %zu instances", i, scoring->suite->count);
    return done;
}

static bool keep_times(const struct scoring *scoring, struct error *error)
{
    struct output output;
    char *path;
    bool done;

    if (scoring->options->output == NULL)
        return true;
    path = memory_printf("%s/times.csv", scoring->options->output);
    done = output_open(&output, path, error);
    if (done) {
        suite_write_times(scoring->suite, scoring->run, output.file);
        done = output_close(&output, true, error);
    }
    free(path);
    return done;
}

/* Returns the exit status.  */
static int run_all(struct scoring *scoring, const struct contestant *contestant)
{
    struct vigil vigil;
    struct error error = {""};
    bool done = true;

    if (!vigil_begin(&vigil, show, scoring, &error))
        return complain_as(STATUS_FAILED, "suite: %s", error.text);
    for (size_t i = 0; done && i < scoring->suite->count; i++)
        done = run_entry(scoring, contestant, i, &vigil, &error);
    done = done && keep_times(scoring, &error);
    status_line_clear(&vigil.line);
    if (!done)
        complain("suite: %s", error.text);
    return vigil_end(&vigil, done ? STATUS_DONE : STATUS_FAILED);
}

static int run_solver_on_all(struct scoring *scoring)
{
    struct contestant contestant;
    struct error error = {""};
    int status = STATUS_USAGE;

    if (!contestant_parse(&contestant, scoring->options->solver, &error))
        return complain_as(STATUS_USAGE, "suite: %s", error.text);
    scoring->label = memory_strdup(contestant.label);
    if (scoring->options->output != NULL && !output_folder(scoring->options->output, &error))
        complain("suite: %s", error.text);
    else
        status = run_all(scoring, &contestant);
    contestant_clear(&contestant);
    return status;
}

/* --- all of it --- */

/* What is wrong with plans, and which are better than all that is known.  */
static bool say(const struct scoring *scoring)
{
    bool good = true;

    for (size_t i = 0; i < scoring->suite->count; i++) {
        const struct suite_entry *entry = &scoring->suite->entry[i];
        const struct suite_run *run = &scoring->run[i];

        if (run->refused)
            complain("suite: %s", run->reason);
        else if (run->has_plan && run->peak < entry->upper)
            complain("suite: %s: a peak of %" PRId64 " is below the best known, %" PRId64
                     "; 'arenabench suite submit' takes its plan",
                     entry->name, run->peak, entry->upper);
        good = good && !run->refused;
    }
    return good;
}

static int judge_all(struct scoring *scoring, const char *dir)
{
    const char *slash = strrchr(dir, '/');
    struct error error = {""};

    scoring->label = memory_strdup(slash != NULL && slash[1] != '\0' ? slash + 1 : dir);
    if (judge_folder(scoring, dir, &error))
        return STATUS_DONE;
    return complain_as(STATUS_USAGE, "suite: %s", error.text);
}

int suite_score_command(const struct suite *suite, const struct suite *all, const char *dir,
                        const struct suite_options *options)
{
    struct scoring scoring = {.suite = suite, .all = all, .options = options};
    int status;

    scoring.run = memory_zalloc(suite->count, sizeof *scoring.run);
    for (size_t i = 0; i < suite->count; i++)
        scoring.run[i].time_s = NAN;
    status = dir != NULL ? judge_all(&scoring, dir) : run_solver_on_all(&scoring);
    if (status == STATUS_DONE) {
        bool good = say(&scoring);

        status = suite_print_score(suite, scoring.run, scoring.label, options);
        if (status == STATUS_DONE && !good)
            status = STATUS_FAILED;
    }
    free(scoring.label);
    free(scoring.run);
    return status;
}
