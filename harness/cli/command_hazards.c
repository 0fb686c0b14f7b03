/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hazards: pairs of buffers that are apart, exclusive or together, and what sharing bytes costs. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cli/commands.h"
#include "harness/cli/hazard_input.h"
#include "harness/cli/hazard_rows.h"
#include "harness/io/expand.h"
#include "harness/io/options.h"
#include "harness/io/output.h"
#include "harness/io/table.h"
#include "hazards/known.h"
#include "hazards/planners.h"
#include "hazards/problem.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"

struct asked {
    struct hazard_problem problem;
    const struct text_list *names;
    double seconds;
    uint32_t seed;
    enum table_format format;
    const char *pairs, *output, *judged, *known;
    int64_t capacity;
};

/* --- one plan --- */

static struct table *pool_table(const struct hazard_problem *problem, const struct hazard_row *row)
{
    struct table *table = table_named("pool capacity:bytes buffers: peak:bytes cost: lower_bound: "
                                      "status");
    const struct hazard_answer *answer = &row->answer;
    const bool by_cost = problem->objective == HAZARD_COST;

    for (size_t p = 0; p < problem->n_pools; p++) {
        const struct hazard_pool *pool = &problem->pools[p];
        int64_t buffers = 0;

        for (size_t b = 0; b < problem->plain->n; b++)
            buffers += problem->pool[b] == p;
        table_texts(table, pool->name);
        table_ints(table, pool->capacity == INT64_MAX ? TABLE_NONE : pool->capacity, buffers,
                   hazard_pool_peak(problem, p, row->offset), TABLE_NONE, TABLE_NONE);
        table_texts(table, NULL);
    }
    table_texts(table, "all");
    table_ints(table, TABLE_NONE, (int64_t)problem->plain->n, answer->value.peak,
               answer->value.cost,
               row->planner == NULL ? TABLE_NONE
               : by_cost            ? answer->cost_bound
                                    : answer->peak_bound);
    table_texts(table, hazard_status(answer));
    return table;
}

static void explain(const struct hazard_problem *problem, const struct hazard_answer *answer)
{
    const bool by_cost = problem->objective == HAZARD_COST;
    const char *what = by_cost ? "pays less" : "has a lower peak";

    if (answer->value.overflow > 0)
        people_print(stdout,
                     "It ends %" PRId64 " bytes above the capacity; no plan ends less than %" PRId64
                     " above it.\n",
                     answer->value.overflow, answer->overflow_bound);
    else if (answer->proven)
        people_print(stdout, "It fits, and no plan that fits %s.\n", what);
    else
        people_print(stdout, "It fits; no plan that fits %s than %" PRId64 ".\n",
                     by_cost ? what : "has a peak lower",
                     by_cost ? answer->cost_bound : answer->peak_bound);
}

static int show_plan(const struct asked *asked, const struct hazard_row *row)
{
    int status;

    if (!row->answer.plan)
        return complain_as(STATUS_FAILED, "hazards: %s has no plan for %s that fits%s",
                           row->planner->name, asked->problem.name,
                           row->planner->exact ? ", or the limit ended it" : "");
    status = table_finish(pool_table(&asked->problem, row), asked->format);
    if (status == STATUS_DONE && asked->format == TABLE_TEXT)
        explain(&asked->problem, &row->answer);
    return status == STATUS_DONE && row->answer.value.overflow > 0 ? STATUS_FAILED : status;
}

/* --- the command --- */

static bool run(const struct asked *asked, struct hazard_row *row)
{
    const double start = timer_now();
    const struct hazard_limits limits = {start + asked->seconds, INT64_MAX, asked->seed};
    struct error error;

    row->offset = memory_zalloc(asked->problem.plain->n, sizeof *row->offset);
    if (!hazard_plan(&asked->problem, row->planner, &limits, row->offset, &row->answer, &error))
        return complain("hazards: %s", error.text);
    row->seconds = timer_now() - start;
    return true;
}

static bool is_named(const struct text_list *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->text[i], name) == 0 || strcmp(names->text[i], "all") == 0)
            return true;
    return names->n == 0 && strcmp(name, "exact") == 0;
}

static bool check_names(const struct text_list *names)
{
    struct error error;

    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->text[i], "all") != 0 &&
            hazard_planner_named(names->text[i], &error) == NULL)
            return complain("hazards: %s", error.text);
    return true;
}

static bool write_plan(const struct asked *asked, const int64_t *offset)
{
    struct output output;
    struct error error;
    bool good;

    if (asked->output == NULL)
        return true;
    if (!output_open(&output, asked->output, &error))
        return complain("hazards: %s", error.text);
    good = hazard_output(output.file, asked->output, &asked->problem, offset);
    return output_close(&output, good, &error) ? good : complain("hazards: %s", error.text);
}

/* Every planner that is asked for on the problem: *COUNT rows, the best first, which free_rows
 * frees.  */
static struct hazard_row *run_planners(const struct asked *asked, size_t *count, int *status)
{
    struct hazard_row *row = memory_zalloc(hazard_planner_count, sizeof *row);

    *status = STATUS_DONE;
    *count = 0;
    for (size_t i = 0; i < hazard_planner_count && *status == STATUS_DONE; i++) {
        if (!is_named(asked->names, hazard_planners[i].name))
            continue;
        row[*count].planner = &hazard_planners[i];
        *status = run(asked, &row[(*count)++]) ? STATUS_DONE : STATUS_USAGE;
    }
    if (*status == STATUS_DONE)
        hazard_rows_sort(row, *count, asked->problem.objective);
    return row;
}

static void free_rows(struct hazard_row *row, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memory_free(row[i].offset);
    memory_free(row);
}

static int show_rows(const struct asked *asked, const struct hazard_row *row, size_t count)
{
    struct table *table = hazard_rows_table();

    for (size_t i = 0; i < count; i++)
        hazard_rows_add(table, &row[i], asked->problem.objective);
    return table_finish(table, asked->format);
}

static int plan_one(const struct asked *asked)
{
    size_t count;
    int status;
    struct hazard_row *row = run_planners(asked, &count, &status);

    if (status == STATUS_DONE && row[0].answer.plan && !write_plan(asked, row[0].offset))
        status = STATUS_USAGE;
    if (status == STATUS_DONE)
        status = asked->names->n > 0 ? show_rows(asked, row, count) : show_plan(asked, row);
    free_rows(row, count);
    return status;
}

/* A plan from elsewhere.  */
static int judge(const struct asked *asked)
{
    struct hazard_row row = {.answer = {.plan = true},
                             .offset = memory_zalloc(asked->problem.plain->n, sizeof(int64_t))};
    struct error error;
    int status = STATUS_DONE;

    if (!hazard_input_plan(asked->judged, &asked->problem, row.offset, &error))
        status = complain_as(STATUS_USAGE, "hazards: %s", error.text);
    else if (!hazard_verify(&asked->problem, row.offset, &row.answer.value, &error))
        status =
            complain_as(STATUS_FAILED, "hazards: %s is not valid: %s", asked->judged, error.text);
    else
        status = table_finish(pool_table(&asked->problem, &row), asked->format);
    if (status == STATUS_DONE && row.answer.value.overflow > 0)
        status = STATUS_FAILED;
    memory_free(row.offset);
    return status;
}

/* --- several problems --- */

static bool read_known(const char *path, struct known_costs *known)
{
    struct error error;
    FILE *in;
    bool good;

    if (path == NULL)
        return true;
    in = fopen(path, "rb");
    if (in == NULL)
        return complain("hazards: %s: %s", path, strerror(errno));
    good = known_costs_read(in, path, known, &error);
    fclose(in);
    return good || complain("hazards: %s", error.text);
}

/* Adds the rows of the problem in PATH.  */
static int add_problem(struct asked *asked, const char *path, struct table *table,
                       struct hazard_sum *sum, const struct known_costs *known)
{
    size_t count = 0;
    int status = STATUS_USAGE;
    struct hazard_row *row = NULL;

    if (hazard_input(path, NULL, asked->capacity, &asked->problem)) {
        row = run_planners(asked, &count, &status);
        for (size_t i = 0; i < count && status == STATUS_DONE; i++)
            hazard_sums_add(table, sum, path, &row[i], asked->problem.objective, known);
        free_rows(row, count);
    }
    hazard_problem_clear(&asked->problem);
    asked->problem = (struct hazard_problem){0};
    return status;
}

static int plan_many(struct asked *asked, char **path, int count)
{
    struct table *table = hazard_sums_table();
    struct known_costs known = {0};
    struct hazard_sum sum = {0};
    int status = read_known(asked->known, &known) ? STATUS_DONE : STATUS_USAGE;

    for (int i = 0; i < count && status == STATUS_DONE; i++)
        status = add_problem(asked, path[i], table, &sum, &known);
    known_costs_clear(&known);
    if (status != STATUS_DONE) {
        table_free(table);
        return status;
    }
    status = table_finish(table, asked->format);
    if (status == STATUS_DONE && asked->format == TABLE_TEXT)
        hazard_sum_print(&sum);
    return status;
}

static int answer(struct asked *asked, char **path, int count)
{
    if (!check_names(asked->names))
        return STATUS_USAGE;
    if (count == 1 && asked->known == NULL) {
        if (!hazard_input(path[0], asked->pairs, asked->capacity, &asked->problem))
            return STATUS_USAGE;
        return asked->judged != NULL ? judge(asked) : plan_one(asked);
    }
    if (asked->pairs != NULL || asked->output != NULL || asked->judged != NULL)
        return complain_as(STATUS_USAGE,
                           "hazards: --pairs, --output and --judge are for one problem, without "
                           "--known");
    return plan_many(asked, path, count);
}

int command_hazards(int argc, char **argv)
{
    struct text_list names = {0};
    struct asked asked = {
        .names = &names, .seconds = 10.0, .seed = 1, .capacity = INT64_MAX, .format = TABLE_TEXT};
    int64_t seed = 1;
    const struct option_spec options[] = {
        {"pairs", OPTION_TEXT, &asked.pairs, "FILE",
         "CSV with kind,a,b,cost: pairs that are apart, exclusive or together, and reuse, which "
         "costs",
         0, 0},
        {"capacity", OPTION_BYTES, &asked.capacity, "BYTES",
         "what all has to fit into, where the problem does not say it", 0, 0},
        {"planner", OPTION_LIST, &names, "NAME",
         "a row for this one, and others where it is given again; all: each that there is", 0, 0},
        {"time-limit", OPTION_SECONDS, &asked.seconds, "SECONDS", "for each planner", 0.001, 1e6},
        {"seed", OPTION_INT, &seed, "N", "of the searches", 1, UINT32_MAX},
        {"output", OPTION_TEXT, &asked.output, "FILE",
         "write the plan there: by its name as JSON of dsa-solver, or as CSV", 0, 0},
        {"judge", OPTION_TEXT, &asked.judged, "FILE",
         "judge this plan (as --output writes one) in place of making one", 0, 0},
        {"known", OPTION_TEXT, &asked.known, "FILE",
         "CSV with file,best_cost: costs that others reached, to stand beside ours", 0, 0},
        {"format", OPTION_FORMAT, &asked.format, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "hazards",
        "PROBLEM.json... | INSTANCE --pairs FILE [--capacity BYTES]",
        "Plans where one clock is not enough: streams, pipelines, branches of which one runs.\n"
        "Pairs of buffers are apart, exclusive or together whatever their lifetimes say, and of\n"
        "some the sharing of bytes costs something.  All has to fit; then the least cost of\n"
        "reuse is wanted, or the least peak where nothing costs.  Exit status 0: it fits;\n"
        "1: it does not, or nobody knows.  Several problems make a table, and status 0.",
        options,
        1,
        -1};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    asked.seed = (uint32_t)seed;
    if (status < 0)
        status = answer(&asked, arguments, count);
    hazard_problem_clear(&asked.problem);
    text_list_clear(&names);
    return status;
}
