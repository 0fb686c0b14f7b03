/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify: judges any plan, from anywhere, and all that a sweep has stored.  */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/cli/commands.h"
#include "harness/cli/input.h"
#include "harness/cli/memory_input.h"
#include "harness/cli/verify_stored.h"
#include "harness/io/options.h"
#include "harness/store/optima_certify.h"
#include "lib/base/error.h"
#include "lib/base/people.h"
#include "lib/base/timer.h"
#include "lib/judge/certificate.h"
#include "lib/judge/verify.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "memories/cuts_check.h"
#include "memories/cuts_csv.h"

/* Whether the certificate in the file PATH is one of INSTANCE; what it proves beside a
 * plan with PEAK is printed, and noted in the file TABLE if that is not NULL.  */
static int judge_certificate(const struct instance *instance, const char *path, int64_t peak,
                             const char *table)
{
    struct certificate certificate;
    struct error error;
    double begun = timer_now();
    FILE *in = fopen(path, "r");
    bool good;

    if (in == NULL)
        return complain_as(STATUS_USAGE, "verify: %s: %s", path, strerror(errno));
    good = certificate_check(in, path, instance, &certificate, &error);
    fclose(in);
    if (!good) {
        people_print(stdout, "refused: %s\n", error.text);
        return STATUS_FAILED;
    }
    people_print(stdout, "certificate: no plan has a peak below %" PRId64 "%s\n",
                 certificate.capacity + 1,
                 certificate.capacity + 1 == peak ? "; this one is optimal" : "");
    people_print(stdout,
                 "checked: %zu steps, %zu nogoods, at most %zu at a time, %zu bytes, %.3f s\n",
                 certificate.steps, certificate.nogoods, certificate.most, certificate.bytes,
                 timer_now() - begun);
    if (table == NULL ||
        optima_certify_file(table, instance_checksum(instance), certificate.capacity + 1, &error))
        return STATUS_DONE;
    return complain_as(STATUS_FAILED, "verify: %s", error.text);
}

static int judge(const struct instance *instance, const struct plan *plan)
{
    enum replay_kind kind = REPLAY_NONE;
    struct error error;

    if (!verify_plan(instance, plan, &error) || !verify_replay(instance, plan, &kind, &error)) {
        people_print(stdout, "invalid: %s\n", error.text);
        return STATUS_FAILED;
    }
    people_print(stdout, "valid: peak %" PRId64 ", load %" PRId64 ", replay %s\n", plan->peak,
                 instance->load, replay_name(kind));
    return STATUS_DONE;
}

/* The sets in the file PATH; NULL: none.  */
static bool read_cuts(const struct split_problem *problem, const char *path,
                      struct split_cuts *cuts, struct error *error)
{
    FILE *in = path == NULL ? NULL : fopen(path, "r");
    bool good;

    if (path == NULL)
        return true;
    if (in == NULL)
        return error_set(error, "%s: %s", path, strerror(errno));
    good = cuts_csv_read(in, path, problem, cuts, error);
    fclose(in);
    return good;
}

/* Whether CUTS hold, and what they prove beside the split of INPUT.  */
static int judge_cuts(const struct split_input *input, const struct split_cuts *cuts)
{
    struct error error;
    int64_t bound;

    if (!cuts_check(&input->problem, cuts, INFINITY, &bound, &error)) {
        people_print(stdout, "refused: %s\n", error.text);
        return STATUS_FAILED;
    }
    people_print(stdout, "certificate: no split costs less than %.15g%s\n",
                 (double)bound / MEMORY_COST_UNIT,
                 bound >= input->split.cost ? "; this one is optimal" : "");
    people_print(stdout, "checked: %zu sets that can't be together\n", cuts->count);
    return STATUS_DONE;
}

/* The split of INPUT, and CUTS where that is not NULL.  */
static int judge_input(const struct split_input *input, const struct split_cuts *cuts)
{
    struct error error;

    if (!split_verify(&input->problem, &input->split, &error)) {
        people_print(stdout, "invalid: %s\n", error.text);
        return STATUS_FAILED;
    }
    people_print(stdout, "valid: cost %.15g, %.1f %% of the traffic outside of %s\n",
                 (double)input->split.cost / MEMORY_COST_UNIT,
                 100.0 * split_outside(&input->problem, &input->split),
                 input->memories.memory[0].name);
    return cuts == NULL ? STATUS_DONE : judge_cuts(input, cuts);
}

/* A split over the memories of WISH in the file PATH, and its CERTIFICATE, if that is not NULL.  */
static int judge_split(const struct instance *instance, const char *path,
                       const struct memory_wish *wish, const char *certificate)
{
    struct split_input input;
    struct split_cuts cuts = {0};
    struct error error;
    int status;

    if (!split_input("verify", wish, instance, path, &input))
        return STATUS_USAGE;
    if (read_cuts(&input.problem, certificate, &cuts, &error))
        status = judge_input(&input, certificate != NULL ? &cuts : NULL);
    else
        status = complain_as(STATUS_USAGE, "verify: %s", error.text);
    split_cuts_clear(&cuts);
    split_input_clear(&input);
    return status;
}

/* The only argument is a folder with results.  */
static int judge_folder(const char *dir, const char *certificate)
{
    struct stat status;

    if (stat(dir, &status) == 0 && !S_ISDIR(status.st_mode))
        return complain_as(
            STATUS_USAGE, "verify: %s is not a folder with results: expected INSTANCE PLAN, or DIR",
            dir);
    if (certificate != NULL)
        return complain_as(STATUS_USAGE,
                           "verify: --certificate is for one plan: expected INSTANCE PLAN");
    return verify_stored(dir);
}

/* ARGUMENTS are an instance, and a plan or, where memories are given, a split.  */
static int judge_file(char *const *arguments, const struct memory_wish *wish,
                      const char *certificate, const char *table)
{
    struct instance *instance = input_instance("verify", arguments[0]);
    struct plan *plan;
    int status;

    if (instance == NULL)
        return STATUS_USAGE;
    if (memory_wished(wish)) {
        status = judge_split(instance, arguments[1], wish, certificate);
        instance_free(instance);
        return status;
    }
    plan = input_plan("verify", arguments[1], instance);
    status = plan == NULL ? STATUS_USAGE : judge(instance, plan);
    if (status == STATUS_DONE && certificate != NULL)
        status = judge_certificate(instance, certificate, plan->peak, table);
    plan_free(plan);
    instance_free(instance);
    return status;
}

/* COUNT ARGUMENTS: a folder, or as for judge_file.  */
static int judge_arguments(char *const *arguments, int count, const struct memory_wish *wish,
                           const char *certificate, const char *table)
{
    if (table != NULL && certificate == NULL)
        return complain_as(STATUS_USAGE,
                           "verify: --optima %s: expected --certificate FILE beside it", table);
    if (memory_wished(wish) && (count == 1 || table != NULL))
        return complain_as(STATUS_USAGE, "verify: memories are for one split: expected INSTANCE "
                                         "SPLIT, and no --optima");
    return count == 1 ? judge_folder(arguments[0], certificate)
                      : judge_file(arguments, wish, certificate, table);
}

int command_verify(int argc, char **argv)
{
    const char *certificate = NULL, *table = NULL;
    struct memory_wish wish = {.chip = NULL};
    const struct option_spec options[] = {
        {"certificate", OPTION_TEXT, &certificate, "FILE",
         "check that no plan has a lower peak than what FILE proves (solve --certificate); of a "
         "split, that none costs less (fit --certificate)",
         0, 0},
        {"optima", OPTION_TEXT, &table, "TABLE",
         "note in the table of optima that its bound has that certificate", 0, 0},
        MEMORY_OPTIONS(&wish),
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "verify",
        "INSTANCE PLAN | INSTANCE SPLIT --memory MEMORY... | DIR",
        "Checks a plan: CSV with the columns id and offset.  If it has lower, upper and size,\n"
        "they must match the instance.  With memories, a plan is one that 'fit --output' has\n"
        "written, with the column memory.  Given DIR, a folder with a sweep's results, it checks\n"
        "every stored plan again from its offsets, with a second checker as well, and compares\n"
        "the plan with what its row says.\n"
        "Exit status 0: valid; 1: a plan is wrong, and the first violation is named; 2:\n"
        "malformed, or not a plan of this instance.",
        options,
        1,
        2};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status < 0)
        status = judge_arguments(arguments, count, &wish, certificate, table);
    text_list_clear(&wish.texts);
    return status;
}
