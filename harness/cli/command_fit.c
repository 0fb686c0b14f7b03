/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit: several memories, what goes where and at what cost.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "harness/cli/commands.h"
#include "harness/cli/fit_planners.h"
#include "harness/cli/input.h"
#include "harness/cli/memory_input.h"
#include "harness/cli/split_picture.h"
#include "harness/io/expand.h"
#include "harness/io/gnuplot.h"
#include "harness/io/options.h"
#include "harness/io/output.h"
#include "harness/io/picture.h"
#include "harness/io/table.h"
#include "lib/base/checked.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/curve.h"
#include "memories/cuts_csv.h"
#include "memories/exact.h"
#include "memories/memory.h"
#include "memories/moves_place.h"
#include "memories/moves_solve.h"
#include "memories/split.h"
#include "memories/split_csv.h"

#define MOST_POINTS 200

/* What is asked, and what came out.  */
struct fitting {
    enum table_format format;
    const char *output, *picture, *certificate; /* files, or NULL */
    struct instance *instance;
    struct memories memories;
    struct split_problem problem;
    struct split_cuts cuts;
    struct split split;
    struct split_result result;
    double seconds;
};

/* Bytes that are read and written in one memory, or in several.  */
struct moved {
    int64_t buffers, peak, reads, writes, cost;
};

/* --- figures --- */

static struct moved moved_in(const struct fitting *fitting, size_t m)
{
    const struct instance *instance = fitting->instance;
    struct moved moved = {0};

    for (size_t b = 0; b < instance->n; b++) {
        if (fitting->split.memory[b] != m)
            continue;
        moved.buffers++;
        moved.peak = max64(moved.peak, fitting->split.offset[b] + instance->buffer[b].size);
        moved.reads += fitting->problem.traffic.reads[b];
        moved.writes += fitting->problem.traffic.writes[b];
        moved.cost += fitting->problem.cost[b * fitting->problem.memories + m];
    }
    return moved;
}

static double in_units(int64_t cost)
{
    return (double)cost / MEMORY_COST_UNIT;
}

static const char *outcome_word(enum split_outcome outcome)
{
    static const char *const word[] = {[SPLIT_OPTIMAL] = "optimal",
                                       [SPLIT_FEASIBLE] = "feasible",
                                       [SPLIT_INFEASIBLE] = "infeasible",
                                       [SPLIT_UNKNOWN] = "unknown"};

    return word[outcome];
}

/* --- solving --- */

static bool begin(struct fitting *fitting, struct error *error)
{
    if (!split_problem_init(&fitting->problem, fitting->instance, &fitting->memories, error))
        return false;
    split_init(&fitting->split, &fitting->problem);
    return true;
}

static void solve(struct fitting *fitting, struct split *split)
{
    const struct split_limits limits = {SPLIT_USUAL_WORK, timer_now() + fitting->seconds};

    fitting->result = split_solve(&fitting->problem, &limits, &fitting->cuts, split);
}

static void forget(struct fitting *fitting)
{
    split_clear(&fitting->split);
    split_problem_clear(&fitting->problem);
}

/* --- one answer --- */

static struct table *memory_table(const struct fitting *fitting)
{
    struct table *table = table_named("memory capacity:bytes buffers: peak:bytes read:bytes "
                                      "written:bytes cost: lower_bound: status");
    struct moved sum = {0};

    for (size_t m = 0; m < fitting->memories.count; m++) {
        const struct memory *memory = &fitting->memories.memory[m];
        const struct moved moved = moved_in(fitting, m);

        table_texts(table, memory->name);
        table_ints(table, memory->capacity == INT64_MAX ? TABLE_NONE : memory->capacity,
                   moved.buffers, moved.peak, moved.reads, moved.writes);
        table_real(table, "%.15g", in_units(moved.cost));
        table_texts(table, NULL, NULL);
        sum.buffers += moved.buffers;
        sum.reads += moved.reads;
        sum.writes += moved.writes;
    }
    table_texts(table, "all");
    table_ints(table, TABLE_NONE, sum.buffers, TABLE_NONE, sum.reads, sum.writes);
    table_real(table, "%.15g", in_units(fitting->split.cost));
    table_real(table, "%.15g", in_units(fitting->result.bound));
    table_texts(table, outcome_word(fitting->result.outcome));
    return table;
}

static const char *source_text(enum traffic_source source)
{
    switch (source) {
    case TRAFFIC_COUNTED:
        return "bytes as the network's operators read and write them";
    case TRAFFIC_SAID:
        return "bytes as the instance says";
    case TRAFFIC_ONCE:
        break;
    }
    return "each buffer is taken to be written once and read once";
}

static void explain(const struct fitting *fitting)
{
    const struct split_result *result = &fitting->result;
    const double cost = in_units(fitting->split.cost), bound = in_units(result->bound);

    if (result->outcome == SPLIT_OPTIMAL)
        people_print(stdout, "It fits, and no split costs less");
    else
        people_print(stdout, "It fits; no split costs less than %.15g (gap %.2f %%)", bound,
                     bound > 0.0 ? 100.0 * (cost / bound - 1.0) : 100.0);
    people_print(stdout, "; %.1f %% of the traffic is outside of %s.\n",
                 100.0 * split_outside(&fitting->problem, &fitting->split),
                 fitting->memories.memory[0].name);
    if (result->flow_proven && fitting->split.cost > result->flow_bound)
        people_print(stdout, "If buffers did not have to lie in one piece it would cost %.15g.\n",
                     in_units(result->flow_bound));
    people_print(stdout, "Traffic: %s.\n", source_text(fitting->problem.traffic.source));
}

static bool write_split(const struct fitting *fitting, struct error *error)
{
    struct output output;
    bool good;

    if (fitting->output == NULL)
        return true;
    if (!output_open(&output, fitting->output, error))
        return false;
    good = split_csv_write(output.file, &fitting->problem, &fitting->split);
    return output_close(&output, good, error) && good;
}

static bool write_certificate(const struct fitting *fitting, struct error *error)
{
    struct output output;
    bool good;

    if (fitting->certificate == NULL)
        return true;
    if (!output_open(&output, fitting->certificate, error))
        return false;
    good = cuts_csv_write(output.file, &fitting->problem, &fitting->cuts);
    return output_close(&output, good, error) && good;
}

/* Without a split: why, or that nobody knows.  */
static int complain_why(const struct fitting *fitting)
{
    char *why;

    if (fitting->result.outcome == SPLIT_UNKNOWN)
        return complain_as(STATUS_FAILED, "fit: %s: the limit ended it before there was an answer",
                           fitting->instance->name);
    why = split_why_not(&fitting->problem, &fitting->cuts);
    complain("fit: %s does not fit: %s", fitting->instance->name, why);
    memory_free(why);
    return STATUS_FAILED;
}

static bool draw_split(const void *context, FILE *out, struct error *error)
{
    const struct fitting *fitting = context;

    return split_picture(&fitting->problem, &fitting->split, DRAW_GIVEN,
                         picture_format(fitting->picture), out, error);
}

/* Into the file PATH, which is there only where DRAW succeeds.  */
static int draw_to(const char *path, bool (*draw)(const void *, FILE *, struct error *),
                   const void *context)
{
    struct output output;
    struct error error;
    bool done;

    if (!gnuplot_found())
        return complain_as(STATUS_FAILED, "fit: gnuplot is not installed");
    if (!output_open(&output, path, &error))
        return complain_as(STATUS_USAGE, "fit: %s", error.text);
    done = draw(context, output.file, &error);
    if (output_close(&output, done, &error) && done)
        return STATUS_DONE;
    return complain_as(STATUS_FAILED, "fit: %s", error.text);
}

static int show(const struct fitting *fitting)
{
    int status = table_finish(memory_table(fitting), fitting->format);

    if (status == STATUS_DONE && fitting->format == TABLE_TEXT)
        explain(fitting);
    if (status == STATUS_DONE && fitting->picture != NULL)
        status = draw_to(fitting->picture, draw_split, fitting);
    return status;
}

static int answer(struct fitting *fitting)
{
    struct error error;
    int status;

    if (!begin(fitting, &error))
        return complain_as(STATUS_USAGE, "fit: %s", error.text);
    solve(fitting, &fitting->split);
    if (fitting->split.cost == SPLIT_NEVER)
        status = complain_why(fitting);
    else if (!split_verify(&fitting->problem, &fitting->split, &error))
        status = complain_as(STATUS_FAILED, "fit: the plan is not valid: %s", error.text);
    else if ((status = show(fitting)) == STATUS_DONE &&
             !(write_split(fitting, &error) && write_certificate(fitting, &error)))
        status = complain_as(STATUS_USAGE, "fit: %s", error.text);
    forget(fitting);
    return status;
}

/* --- a split from elsewhere --- */

/* Judges the split in the file PATH, and says how far from the least it is.  */
static int judge(struct fitting *fitting, const char *path)
{
    struct split best;
    struct error error;
    int status;

    if (!begin(fitting, &error))
        return complain_as(STATUS_USAGE, "fit: %s", error.text);
    if (!split_read(path, &fitting->problem, &fitting->split, &error)) {
        status = complain_as(STATUS_USAGE, "fit: %s", error.text);
    } else if (!split_verify(&fitting->problem, &fitting->split, &error)) {
        status = complain_as(STATUS_FAILED, "fit: %s is not valid: %s", path, error.text);
    } else {
        split_init(&best, &fitting->problem);
        solve(fitting, &best);
        split_clear(&best);
        fitting->result.outcome =
            fitting->split.cost <= fitting->result.bound ? SPLIT_OPTIMAL : SPLIT_FEASIBLE;
        status = show(fitting);
    }
    forget(fitting);
    return status;
}

/* --- several planners --- */

static int compare(struct fitting *fitting, const struct text_list *names)
{
    struct error error;
    int status;

    if (!begin(fitting, &error))
        return complain_as(STATUS_USAGE, "fit: %s", error.text);
    status = fit_planners(&fitting->problem, names, fitting->seconds, fitting->format);
    forget(fitting);
    return status;
}

/* --- moves --- */

static void add_moves_row(struct table *table, const char *name, int64_t cost, int64_t bound,
                          size_t copies, int64_t copied, enum split_outcome outcome)
{
    table_texts(table, name);
    table_real(table, "%.15g", in_units(cost));
    table_real(table, "%.15g", in_units(bound));
    table_ints(table, (int64_t)copies, copied);
    table_texts(table, outcome_word(outcome));
}

/* Beside the split, the plan with moves.  */
static int show_moves(const struct fitting *fitting, const struct move_plan *plan,
                      const struct moves_result *moved)
{
    const struct split_result *stays = &fitting->result;
    struct table *table = table_named("plan cost: lower_bound: copies: copied:bytes status");
    int status;

    if (fitting->split.cost != SPLIT_NEVER)
        add_moves_row(table, "stays", fitting->split.cost, stays->bound, 0, 0, stays->outcome);
    add_moves_row(table, "moves", plan->cost, moved->bound, plan->copies, plan->copied,
                  moved->outcome);
    status = table_finish(table, fitting->format);
    if (status != STATUS_DONE || fitting->format != TABLE_TEXT)
        return status;
    if (fitting->split.cost == SPLIT_NEVER)
        people_print(stdout, "It only fits when buffers move.\n");
    else if (plan->cost < fitting->split.cost && plan->copies == 0)
        people_print(stdout, "The cheaper plan moves nothing: it is a better split.\n");
    else if (plan->cost < fitting->split.cost)
        people_print(stdout, "Moves save %.1f %%.\n",
                     100.0 * (1.0 - (double)plan->cost / (double)fitting->split.cost));
    else
        people_print(stdout, "Moves %s nothing.\n",
                     moved->outcome == SPLIT_OPTIMAL ? "save" : "were found to save");
    if (moved->outcome == SPLIT_OPTIMAL)
        people_print(stdout, "No plan costs less.\n");
    return STATUS_DONE;
}

/* The stays of a plan with moves, as the split that they are when each is a buffer of its own.  */
struct stays {
    struct fitting fitting; /* of them: files, problem, split */
    struct stay_problem problem;
};

static bool stays_begin(struct stays *stays, const struct fitting *fitting,
                        const struct moves_problem *problem, const struct move_plan *plan,
                        struct error *error)
{
    *stays = (struct stays){.fitting = {.output = fitting->output, .picture = fitting->picture}};
    if (!stay_problem_init(&stays->problem, problem, plan->stay, plan->stays, error))
        return false;
    stays->fitting.problem = stays->problem.split;
    split_init(&stays->fitting.split, &stays->fitting.problem);
    for (size_t i = 0; i < plan->stays; i++) {
        stays->fitting.split.memory[i] = plan->stay[i].memory;
        stays->fitting.split.offset[i] = plan->stay[i].offset;
    }
    return true;
}

/* Writes and draws them, as is asked.  */
static int keep_stays(const struct fitting *fitting, const struct moves_problem *problem,
                      const struct move_plan *plan)
{
    struct stays stays;
    struct error error;
    int status = STATUS_DONE;

    if (fitting->output == NULL && fitting->picture == NULL)
        return STATUS_DONE;
    if (!stays_begin(&stays, fitting, problem, plan, &error))
        return complain_as(STATUS_FAILED, "fit: %s", error.text);
    if (!write_split(&stays.fitting, &error))
        status = complain_as(STATUS_USAGE, "fit: %s", error.text);
    else if (fitting->picture != NULL)
        status = draw_to(fitting->picture, draw_split, &stays.fitting);
    split_clear(&stays.fitting.split);
    stay_problem_clear(&stays.problem);
    return status;
}

static int answer_moves(struct fitting *fitting)
{
    const double begun = timer_now();
    struct moves_problem problem;
    struct moves_result moved;
    struct move_plan plan;
    struct error error;
    int status;

    if (!begin(fitting, &error))
        return complain_as(STATUS_USAGE, "fit: %s", error.text);
    if (!moves_problem_init(&problem, &fitting->problem, &error)) {
        forget(fitting);
        return complain_as(STATUS_USAGE, "fit: %s", error.text);
    }
    move_plan_init(&plan, &problem);
    fitting->seconds /= 2.0; /* the other half is for moves */
    solve(fitting, &fitting->split);
    moved = moves_solve(&problem, &fitting->split,
                        &(struct split_limits){SPLIT_USUAL_WORK, begun + 2.0 * fitting->seconds},
                        &plan);
    if (plan.cost == SPLIT_NEVER)
        status = complain_why(fitting);
    else if (!moves_verify(&problem, &plan, &error))
        status = complain_as(STATUS_FAILED, "fit: the plan is not valid: %s", error.text);
    else if ((status = show_moves(fitting, &plan, &moved)) == STATUS_DONE)
        status = keep_stays(fitting, &problem, &plan);
    move_plan_clear(&plan);
    moves_problem_clear(&problem);
    forget(fitting);
    return status;
}

/* --- the curve --- */

struct drawn_curve {
    const struct fitting *fitting;
    const struct split_point *point;
    size_t count;
};

static void explain_curve(const struct drawn_curve *curve)
{
    struct curve_corner corner[CURVE_CORNERS];
    const size_t corners = curve_corners(curve->point, curve->count, corner);

    for (size_t c = 0; c < corners; c++)
        people_print(stdout, "%s of the traffic outside of %s: from %" PRId64 " bytes on.\n",
                     corner[c].text, curve->fitting->memories.memory[0].name,
                     curve->point[corner[c].point].capacity);
}

static struct table *curve_table(const struct split_point *point, size_t count)
{
    struct table *table = table_named("capacity:bytes cost: lower_bound: outside:share status");

    for (size_t i = 0; i < count; i++) {
        const bool found = point[i].cost != SPLIT_NEVER;

        table_ints(table, point[i].capacity);
        table_cell(table, found ? "%.15g" : "", in_units(point[i].cost));
        table_cell(table, point[i].bound != SPLIT_NEVER ? "%.15g" : "", in_units(point[i].bound));
        table_cell(table, found ? "%.4f" : "", point[i].outside);
        table_texts(table, outcome_word(point[i].outcome));
    }
    return table;
}

static bool draw_curve(const void *context, FILE *out, struct error *error)
{
    const struct drawn_curve *curve = context;
    const struct fitting *fitting = curve->fitting;

    return curve_picture(fitting->instance->name, &fitting->memories, curve->point, curve->count,
                         picture_format(fitting->picture), out, error);
}

static int curve(struct fitting *fitting, size_t count)
{
    struct split_point *point = memory_alloc(count, sizeof *point);
    const struct drawn_curve drawn = {fitting, point, count};
    struct error error;
    int status;

    if (!split_curve(fitting->instance, &fitting->memories, timer_now() + fitting->seconds, point,
                     count, &error)) {
        memory_free(point);
        return complain_as(STATUS_USAGE, "fit: %s", error.text);
    }
    status = table_finish(curve_table(point, count), fitting->format);
    if (status == STATUS_DONE && fitting->format == TABLE_TEXT)
        explain_curve(&drawn);
    if (status == STATUS_DONE && fitting->picture != NULL)
        status = draw_to(fitting->picture, draw_curve, &drawn);
    memory_free(point);
    return status;
}

/* --- the command --- */

/* What the options ask for.  */
struct fit_wish {
    struct memory_wish memories;
    struct text_list planners;
    const char *judged;
    int64_t points;
    bool moves;
};

/* Whether files are asked for that can be made of the answer.  */
static bool check_files(const struct fitting *fitting, const struct fit_wish *wish)
{
    if (picture_still_format(fitting->picture) == NULL)
        return complain("fit: --draw %s: the name must end in .svg, .png or .pdf",
                        fitting->picture);
    if (fitting->certificate != NULL &&
        (wish->planners.n > 0 || wish->points > 0 || wish->judged != NULL || wish->moves))
        return complain("fit: --certificate is of the split that fit makes: expected no --planner, "
                        "--capacity-curve, --judge or --moves beside it");
    if (wish->planners.n > 0 && (fitting->picture != NULL || fitting->output != NULL))
        return complain("fit: --planner compares costs: expected no --output and no --draw");
    if (fitting->output != NULL && (wish->points > 0 || wish->judged != NULL))
        return complain("fit: --output is for the split that fit makes: expected no %s beside it",
                        wish->points > 0 ? "--capacity-curve" : "--judge");
    if (wish->moves && (wish->points > 0 || wish->judged != NULL || wish->planners.n > 0))
        return complain(
            "fit: --moves: expected no --capacity-curve, --judge or --planner beside it");
    return true;
}

static int fit(struct fitting *fitting, const struct fit_wish *wish, const char *spec)
{
    if (!check_files(fitting, wish) || (fitting->instance = input_instance("fit", spec)) == NULL ||
        !memory_input("fit", &wish->memories, fitting->instance, &fitting->memories))
        return STATUS_USAGE;
    if (wish->moves)
        return answer_moves(fitting);
    if (wish->planners.n > 0)
        return compare(fitting, &wish->planners);
    if (wish->points > 0)
        return curve(fitting, (size_t)wish->points);
    return wish->judged != NULL ? judge(fitting, wish->judged) : answer(fitting);
}

int command_fit(int argc, char **argv)
{
    struct fitting fitting = {.seconds = 10.0};
    struct fit_wish wish = {.judged = NULL};
    const struct option_spec options[] = {
        MEMORY_OPTIONS(&wish.memories),
        {"planner", OPTION_LIST, &wish.planners, "NAME",
         "run this one, and others beside it where it is given again; all: each that there is", 0,
         0},
        {"capacity-curve", OPTION_INT, &wish.points, "POINTS",
         "the least cost against the first memory's capacity", 1, MOST_POINTS},
        {"moves", OPTION_FLAG, &wish.moves, NULL,
         "buffers may move between accesses: what that saves", 0, 0},
        {"time-limit", OPTION_SECONDS, &fitting.seconds, "SECONDS",
         "for all of it, or for each planner", 0.001, 1e6},
        {"output", OPTION_TEXT, &fitting.output, "FILE",
         "write there which memory and offset each has", 0, 0},
        {"certificate", OPTION_TEXT, &fitting.certificate, "FILE",
         "write there what shows that no split costs less than the bound, for verify", 0, 0},
        {"draw", OPTION_TEXT, &fitting.picture, "FILE",
         "FILE.svg, .png or .pdf: a picture of the split, or of the curve", 0, 0},
        {"judge", OPTION_TEXT, &wish.judged, "FILE",
         "judge this split (as --output writes one, -: standard input) in place of making one", 0,
         0},
        {"format", OPTION_FORMAT, &fitting.format, "FORMAT", FORMAT_HELP, 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "fit",
        "INSTANCE --memory MEMORY [--memory MEMORY]...",
        "Says which buffer goes to which memory and where, at the least cost of the bytes that\n"
        "are read and written, and how far from the least that is.  A memory without a capacity\n"
        "has no limit.  Costs are per byte, in any unit; where none is given, a byte costs 1\n"
        "outside of the first memory.  Exit status 0: it fits; 1: it does not, or nobody knows.",
        options,
        1,
        1};
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status < 0)
        status = fit(&fitting, &wish, arguments[0]);
    split_cuts_clear(&fitting.cuts);
    memories_clear(&fitting.memories);
    instance_free(fitting.instance);
    text_list_clear(&wish.memories.texts);
    text_list_clear(&wish.planners);
    return status;
}
