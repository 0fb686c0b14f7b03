/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw: a picture of a plan, time x address, or a page that places its buffers one by one.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/commands.h"
#include "harness/cli/input.h"
#include "harness/cli/memory_input.h"
#include "harness/cli/split_picture.h"
#include "harness/cli/stored_plan.h"
#include "harness/io/draw_data.h"
#include "harness/io/draw_steps.h"
#include "harness/io/gnuplot.h"
#include "harness/io/options.h"
#include "harness/io/output.h"
#include "harness/io/picture.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

enum { MOST_PLANS = 2 };

/* What is drawn.  */
struct drawing {
    struct instance *instance;
    struct plan *plan[MOST_PLANS];
    char *name[MOST_PLANS]; /* of the planner, or the plan's file */
    size_t plans;
    struct split_input *split; /* in place of plans, where memories are given */
    enum draw_order order;
};

struct drawn {
    const struct drawing *drawing;
    const struct drawn_plan *plan;
};

static bool write_plans(const char *folder, const void *context, struct error *error)
{
    const struct drawn *drawn = context;
    const struct drawing *drawing = drawn->drawing;

    return draw_write_data(folder, drawing->instance, drawn->plan, drawing->plans, drawing->order,
                           error);
}

static bool is_page(const char *format)
{
    return strcmp(format, "html") == 0;
}

static bool draw(const struct drawing *drawing, const char *format, FILE *out, struct error *error)
{
    struct drawn_plan drawn[MOST_PLANS];

    if (drawing->split != NULL)
        return split_picture(&drawing->split->problem, &drawing->split->split, drawing->order,
                             format, out, error);
    for (size_t p = 0; p < drawing->plans; p++)
        drawn[p] = (struct drawn_plan){.plan = drawing->plan[p], .name = drawing->name[p]};
    if (!is_page(format))
        return picture_draw("plan", format, write_plans, &(struct drawn){drawing, drawn}, out,
                            error);
    return draw_write_steps(out, drawing->instance, drawn, drawing->plans,
                            drawing->order == DRAW_GIVEN ? DRAW_SIZE : drawing->order, error);
}

/* Nothing is drawn for a file that can't be written.  */
static int draw_to(const char *path, const struct drawing *drawing, const char *format,
                   struct error *error)
{
    struct output output;
    bool done;

    if (!output_open(&output, path, error))
        return STATUS_USAGE;
    done = draw(drawing, format, output.file, error);
    return output_close(&output, done, error) && done ? STATUS_DONE : STATUS_FAILED;
}

static void drawing_clear(struct drawing *drawing)
{
    for (size_t p = 0; p < drawing->plans; p++) {
        plan_free(drawing->plan[p]);
        free(drawing->name[p]);
    }
    if (drawing->split != NULL)
        split_input_clear(drawing->split);
    instance_free(drawing->instance);
}

/* An instance and a split of it over the memories of WISH, which SPLIT receives.  */
static bool read_split_drawing(char *const *arguments, size_t count, const struct memory_wish *wish,
                               struct split_input *split, struct drawing *drawing)
{
    *drawing = (struct drawing){.instance = NULL};
    if (count > 2)
        return complain("draw: %s: one split at a time", arguments[2]);
    drawing->instance = input_instance("draw", arguments[0]);
    if (drawing->instance == NULL)
        return false;
    if (split_input("draw", wish, drawing->instance, arguments[1], split))
        drawing->split = split;
    else
        drawing_clear(drawing);
    return drawing->split != NULL;
}

/* What the COUNT ARGUMENTS name: an instance and plans, or a folder of results and a task.  */
static bool read_drawing(char *const *arguments, size_t count, struct drawing *drawing)
{
    struct error error = {""};

    *drawing = (struct drawing){.instance = NULL};
    if (stored_results(arguments[0])) {
        if (count > 2)
            return complain("draw: %s: one task at a time", arguments[0]);
        drawing->plans = stored_plan(arguments[0], arguments[1], &drawing->instance,
                                     &drawing->plan[0], &drawing->name[0], &error);
        return drawing->plans > 0 || complain("draw: %s", error.text);
    }
    drawing->instance = input_instance("draw", arguments[0]);
    for (size_t p = 0; drawing->instance != NULL && p + 1 < count; p++) {
        struct plan *plan = input_plan("draw", arguments[p + 1], drawing->instance);

        if (plan == NULL) {
            drawing_clear(drawing);
            return false;
        }
        drawing->plan[p] = plan;
        drawing->name[p] = memory_strdup(arguments[p + 1]);
        drawing->plans++;
    }
    return drawing->instance != NULL;
}

static bool parse_order(const char *text, enum draw_order *order)
{
    static const char *const words[] = {
        [DRAW_GIVEN] = "given", [DRAW_SIZE] = "size", [DRAW_STEP] = "step"};
    size_t count = sizeof words / sizeof words[0];
    size_t index = option_word("draw", "order", text, words, count);

    *order = (enum draw_order)index;
    return index < count;
}

/* ARGUMENTS into the file PATH, or on standard output.  */
static int draw_arguments(char *const *arguments, size_t count, const struct memory_wish *wish,
                          const char *path, enum draw_order order)
{
    const char *format = picture_format(path);
    struct split_input split;
    struct drawing drawing;
    struct error error;
    int status;

    if (format == NULL)
        return complain_as(STATUS_USAGE,
                           "draw: --output %s: the name must end in .svg, .png, .pdf or .html",
                           path);
    if (memory_wished(wish) && is_page(format))
        return complain_as(STATUS_USAGE,
                           "draw: --output %s: of a split over memories there is no "
                           "page; the name must end in .svg, .png or .pdf",
                           path);
    if (memory_wished(wish) ? !read_split_drawing(arguments, count, wish, &split, &drawing)
                            : !read_drawing(arguments, count, &drawing))
        return STATUS_USAGE;
    drawing.order = order;
    if (!is_page(format) && !gnuplot_found())
        status = complain_as(STATUS_FAILED, "draw: gnuplot is not installed");
    else if ((status = draw_to(path, &drawing, format, &error)) != STATUS_DONE)
        complain("draw: %s", error.text);
    drawing_clear(&drawing);
    return status;
}

int command_draw(int argc, char **argv)
{
    const char *path = NULL, *order = "given";
    struct memory_wish wish = {.chip = NULL};
    const struct option_spec options[] = {{"output", OPTION_TEXT, &path, "FILE",
                                           "FILE.svg, .png or .pdf; .html: buffer by buffer", 0, 0},
                                          {"order", OPTION_TEXT, &order, "ORDER",
                                           "number the buffers by size (largest first) or by step",
                                           0, 0},
                                          MEMORY_OPTIONS(&wish),
                                          {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "draw",
        "INSTANCE PLAN [PLAN] | DIR TASK | INSTANCE SPLIT --memory MEMORY...",
        "Draws a plan as a picture, time x address, or two plans side by side: as SVG on standard\n"
        "output, or into a file.  A plan is a CSV file (`-`: standard input) or a task that a\n"
        "sweep has stored in DIR ('arenabench plans DIR').  Pictures need gnuplot.  FILE.html is\n"
        "a page for lectures that places one buffer after the other, the largest first or by\n"
        "--order.  With memories, a plan is one that 'fit --output' has written, with a panel for\n"
        "each.  The plan is not checked: see verify.",
        options,
        2,
        1 + MOST_PLANS};
    enum draw_order chosen;
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status < 0)
        status = parse_order(order, &chosen)
                     ? draw_arguments(arguments, (size_t)count, &wish, path, chosen)
                     : STATUS_USAGE;
    text_list_clear(&wish.texts);
    return status;
}
