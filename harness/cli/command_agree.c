/* SPDX-License-Identifier: GPL-3.0-or-later */
/* agree: whether two contestants give the same on random instances.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cli/commands.h"
#include "harness/io/options.h"
#include "harness/io/output.h"
#include "harness/io/table.h"
#include "harness/io/vigil.h"
#include "harness/run/agreement.h"
#include "harness/run/runner.h"
#include "lib/base/error.h"
#include "lib/base/params.h"
#include "lib/base/people.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "solvers/solver.h"

static const char *const what_words[] = {
    [DUEL_OFFSETS] = "offsets",
    [DUEL_PEAK] = "peak",
    [DUEL_OBJECTS] = "objects",
};

enum { WHAT_WORDS = sizeof what_words / sizeof what_words[0] };

/* --- what goes on meanwhile --- */

static int64_t parted(const struct agreement *agreement)
{
    return agreement->tally[DUEL_DIFFERENT] + agreement->tally[DUEL_FAILED];
}

static void show(void *context, struct status_line *line)
{
    const struct agreement *agreement = context;

    if (agreement->shrinking)
        status_line_show(line, "%s  looking for the smallest instance", line->elapsed);
    else
        status_line_show(line, "%" PRId64 "/%" PRId64 "  %s  %" PRId64 " differ", agreement->done,
                         agreement->count, line->elapsed, parted(agreement));
}

/* --- what comes out --- */

struct answer {
    enum table_format format;
    const char *path; /* of the smallest instance alone, or NULL */
};

static void print_count(const struct agreement *agreement, enum duel_verdict verdict,
                        const char *words, const char *why)
{
    if (agreement->tally[verdict] > 0)
        people_print(stderr, "; %" PRId64 " %s%s%s%s", agreement->tally[verdict], words,
                     why[0] != '\0' ? " (" : "", why, why[0] != '\0' ? ")" : "");
}

static void print_summary(const struct agreement *agreement)
{
    const struct contestant *contestant = agreement->rules.contestant;

    people_print(stderr, "%s and %s: the same %s on %" PRId64 " of %" PRId64 " instances",
                 contestant[0].label, contestant[1].label, what_words[agreement->rules.what],
                 agreement->tally[DUEL_SAME], agreement->done);
    print_count(agreement, DUEL_DIFFERENT, "differ", "");
    print_count(agreement, DUEL_FAILED, "without a valid plan of one of them", "");
    print_count(agreement, DUEL_CUT, "cut by a limit, not compared", agreement->cut);
    print_count(agreement, DUEL_REFUSED, "refused, not compared", agreement->refusal);
    fputc('\n', stderr);
}

static void print_loss(const struct agreement *agreement, int i)
{
    const struct run_result *result = &agreement->duel.result[i];

    if (duel_lost(result))
        people_print(stderr, "%s: %s%s%s%s\n", agreement->rules.contestant[i].label,
                     outcome_name(result->outcome), result->reason[0] != '\0' ? " (" : "",
                     result->reason, result->reason[0] != '\0' ? ")" : "");
}

/* The rows of the instance with the offset that each gave it; none from who has no plan.  */
static bool print_plans(const struct agreement *agreement, enum table_format format)
{
    const struct instance *instance = agreement->smallest;
    struct table *table = table_named("id lower: upper: size:bytes alignment:bytes offset:bytes "
                                      "other_offset:bytes");

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        table_texts(table, buffer->id);
        table_ints(table, buffer->begin, buffer->end, buffer->size, buffer->alignment);
        for (int i = 0; i < 2; i++) {
            const struct plan *plan = agreement->duel.result[i].plan;

            table_ints(table, plan != NULL ? plan->offset[b] : TABLE_NONE);
        }
    }
    return table_finish(table, format) == STATUS_DONE;
}

static void print_place(const struct agreement *agreement)
{
    people_print(stderr,
                 "they part on instance %" PRId64 " of seed %" PRIu32 ", which has %zu buffers",
                 agreement->index + 1, agreement->rules.seed, agreement->drawn);
    if (agreement->smallest->n < agreement->drawn)
        people_print(stderr, "; of these %zu are enough", agreement->smallest->n);
    fputc('\n', stderr);
    for (int i = 0; i < 2; i++)
        print_loss(agreement, i);
}

/* OUTPUT: the instance alone, for other commands; no file is made where they agree.  */
static bool write_smallest(const struct agreement *agreement, const char *path,
                           struct output *output)
{
    struct error error = {""};
    bool there = agreement->smallest != NULL;

    if (path == NULL)
        return true;
    if (there)
        instance_csv_write(output->file, agreement->smallest); /* closing sees what went wrong */
    if (output_close(output, there, &error) || !there)
        return true;
    return complain("agree: %s", error.text);
}

static int report(const struct agreement *agreement, const struct answer *answer,
                  struct output *output)
{
    bool good = write_smallest(agreement, answer->path, output);

    print_summary(agreement);
    if (agreement->smallest != NULL) {
        print_place(agreement);
        good = print_plans(agreement, answer->format) && good;
    }
    if (agreement->smallest == NULL && agreement->tally[DUEL_SAME] == 0)
        good = complain("agree: there was nothing to compare");
    return good && agreement->smallest == NULL ? STATUS_DONE : STATUS_FAILED;
}

/* An interrupt ends the runs; what there is by then is reported.  */
static int agree(struct agreement *agreement, struct vigil *vigil, const struct answer *answer,
                 struct output *output)
{
    int status;

    agreement->watch = &vigil->watch;
    agreement_run(agreement);
    agreement->watch = NULL;
    status_line_clear(&vigil->line);
    status = report(agreement, answer, output);
    if (vigil->interrupt.signal != 0)
        complain("agree: interrupted after %" PRId64 " of %" PRId64 " instances", agreement->done,
                 agreement->count);
    agreement_clear(agreement);
    return vigil_end(vigil, status);
}

/* --- before --- */

static bool parse_what(const char *text, enum duel_what *what)
{
    size_t index = option_word("agree", "what", text, what_words, WHAT_WORDS);

    *what = (enum duel_what)index;
    return index < WHAT_WORDS;
}

/* A command of the user's may well share objects: it can't say so.  */
static bool shares_objects(const struct contestant *contestant)
{
    const struct solver *solver = contestant->entry->solver;

    if (solver->layout != LAYOUT_ARENA || (solver->capabilities & SOLVER_RAW_PARAMETER) != 0)
        return true;
    return complain("agree: --what objects: %s has offsets in one arena and shares no objects",
                    contestant->label);
}

static int open_and_agree(struct agreement *agreement, const struct answer *answer)
{
    const char *path = answer->path;
    struct vigil vigil;
    struct output output;
    struct error error;

    if (path != NULL && !output_open(&output, path, &error))
        return complain_as(STATUS_USAGE, "agree: %s", error.text);
    if (vigil_begin(&vigil, show, agreement, &error))
        return agree(agreement, &vigil, answer, &output);
    if (path != NULL)
        output_close(&output, false, NULL);
    return complain_as(STATUS_FAILED, "agree: %s", error.text);
}

static int prepare_and_agree(char *const *arguments, const char *what, const struct answer *answer,
                             struct agreement *agreement)
{
    struct contestant contestant[2];
    struct error error;
    int status = STATUS_USAGE;

    if (!parse_what(what, &agreement->rules.what))
        return STATUS_USAGE;
    if (!parse_int(arguments[2], 1, INT32_MAX, &agreement->count))
        return complain_as(STATUS_USAGE,
                           "agree: N: expected a whole number of instances from 1 on, got '%s'",
                           arguments[2]);
    if (!contestant_parse(&contestant[0], arguments[0], &error))
        return complain_as(STATUS_USAGE, "agree: %s", error.text);
    if (!contestant_parse(&contestant[1], arguments[1], &error)) {
        contestant_clear(&contestant[0]);
        return complain_as(STATUS_USAGE, "agree: %s", error.text);
    }
    agreement->rules.contestant = contestant;
    if (agreement->rules.what != DUEL_OBJECTS ||
        (shares_objects(&contestant[0]) && shares_objects(&contestant[1])))
        status = open_and_agree(agreement, answer);
    contestant_clear(&contestant[0]);
    contestant_clear(&contestant[1]);
    return status;
}

int command_agree(int argc, char **argv)
{
    const char *what = "offsets";
    struct answer answer = {.format = TABLE_CSV};
    struct run_limits limits = {.time_s = 10};
    struct agreement agreement = {.rules = {.limits = &limits},
                                  .rows = {.buffers = 40, .alignment = 64}};
    int64_t memory_mib = 0, seed = 1;
    const struct option_spec options[] = {
        {"what", OPTION_TEXT, &what, "WORD", "offsets, peak, or objects: who shares one, not where",
         0, 0},
        {"buffers", OPTION_INT, &agreement.rows.buffers, "N", "the most in an instance", 1, 1000},
        {"alignment", OPTION_BYTES, &agreement.rows.alignment, "BYTES",
         "the largest; 1: instances without alignments", 1, 1 << 20},
        {"seed", OPTION_INT, &seed, "N", "of the instances, and of solvers that draw numbers", 1,
         UINT32_MAX},
        {"time-limit", OPTION_SECONDS, &limits.time_s, "SECONDS", "a run; 0: none", 0, 1e9},
        {"memory-limit", OPTION_MIB, &memory_mib, "MIB", "a run; 0: half of the memory", 0,
         1 << 30},
        {"cpu-limit", OPTION_SECONDS, &limits.cpu_s, "SECONDS",
         "processor time of all its processes; 0: none", 0, 1e9},
        {"work-limit", OPTION_INT, &limits.work, "N", "nodes or iterations; 0: none", 0, 1e18},
        {"output", OPTION_TEXT, &answer.path, "FILE",
         "write the smallest instance there, if there is one", 0, 0},
        {"format", OPTION_FORMAT, &answer.format, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "agree",
        "SOLVER OTHER N",
        "Runs two solvers on N random instances and says on how many they give the same answer.\n"
        "If they differ, the smallest such instance is shrunk while they still differ, and\n"
        "printed as CSV with both solvers' offsets.  Instances that one of them refuses, or that\n"
        "a limit ends, are counted but not compared.  An interrupt (Ctrl-C) prints what there is\n"
        "so far, with status 130; a second one ends the program at once.\n"
        "Exit status 0: they agree; 1: they differ, one has no valid plan, or nothing could be\n"
        "compared.",
        options,
        3,
        3};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    agreement.rules.seed = (uint32_t)seed;
    limits.memory_bytes = memory_mib > 0 ? memory_mib << 20 : run_default_memory(1);
    return prepare_and_agree(arguments, what, &answer, &agreement);
}
