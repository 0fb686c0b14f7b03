/* SPDX-License-Identifier: GPL-3.0-or-later */
/* draw: a picture of a plan, time x address, or a page that places its buffers one by one.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/commands.h"
#include "harness/cli/input.h"
#include "harness/cli/stored_plan.h"
#include "harness/io/draw_data.h"
#include "harness/io/draw_steps.h"
#include "harness/io/gnuplot.h"
#include "harness/io/options.h"
#include "harness/io/output.h"
#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

/* Of a picture.  */
#define MOST_BYTES ((size_t)1 << 31)

enum { MOST_PLANS = 2 };

static bool copy_picture(const char *from, FILE *to, struct error *error)
{
    char *picture;
    size_t size;

    if (!file_read(from, MOST_BYTES, &picture, &size, error))
        return false;
    fwrite(picture, 1, size, to); /* closing sees what went wrong */
    free(picture);
    return true;
}

/* What is drawn.  */
struct drawing {
    struct instance *instance;
    struct plan *plan[MOST_PLANS];
    char *name[MOST_PLANS]; /* of the planner, or the plan's file */
    size_t plans;
    enum draw_order order;
};

static bool draw_picture(const struct drawing *drawing, const struct drawn_plan *drawn,
                         const char *format, FILE *out, struct error *error)
{
    const char *temporary = getenv("TMPDIR");
    char *folder =
        gnuplot_make_folder(temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp", error);
    char *picture;
    bool done;

    if (folder == NULL)
        return false;
    picture = memory_printf("%s/plan.%s", folder, format);
    done =
        draw_write_data(folder, drawing->instance, drawn, drawing->plans, drawing->order, error) &&
        gnuplot_draw(folder, "plan", (struct gnuplot_look){format, GNUPLOT_PAGE}, error) &&
        copy_picture(picture, out, error);
    gnuplot_remove_folder(folder);
    free(picture);
    free(folder);
    return done;
}

static bool is_page(const char *format)
{
    return strcmp(format, "html") == 0;
}

static bool draw(const struct drawing *drawing, const char *format, FILE *out, struct error *error)
{
    struct drawn_plan drawn[MOST_PLANS];

    for (size_t p = 0; p < drawing->plans; p++)
        drawn[p] = (struct drawn_plan){drawing->plan[p], drawing->name[p]};
    if (!is_page(format))
        return draw_picture(drawing, drawn, format, out, error);
    return draw_write_steps(out, drawing->instance, drawn, drawing->plans,
                            drawing->order == DRAW_GIVEN ? DRAW_SIZE : drawing->order, error);
}

/* The format that a file's ending names; NULL: none of ours.  */
static const char *format_of(const char *path)
{
    static const char *const formats[] = {"svg", "png", "pdf", "html"};
    const char *dot = path == NULL ? ".svg" : strrchr(path, '.');

    for (size_t i = 0; dot != NULL && i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(dot + 1, formats[i]) == 0)
            return formats[i];
    return NULL;
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
    instance_free(drawing->instance);
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

int command_draw(int argc, char **argv)
{
    const char *path = NULL, *order = "given", *format;
    const struct option_spec options[] = {{"output", OPTION_TEXT, &path, "FILE",
                                           "FILE.svg, .png or .pdf; .html: buffer by buffer", 0, 0},
                                          {"order", OPTION_TEXT, &order, "ORDER",
                                           "number the buffers by size (largest first) or by step",
                                           0, 0},
                                          {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "draw",
        "INSTANCE PLAN [PLAN] | DIR TASK",
        "Draws a plan as a picture, time x address, or two plans side by side: as SVG on standard\n"
        "output, or into a file.  A plan is a CSV file (`-`: standard input) or a task that a\n"
        "sweep has stored in DIR ('arenabench plans DIR').  Pictures need gnuplot.  FILE.html is\n"
        "a page for lectures that places one buffer after the other, the largest first or by\n"
        "--order.  The plan is not checked: see verify.",
        options,
        2,
        1 + MOST_PLANS};
    enum draw_order chosen;
    struct drawing drawing;
    struct error error;
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    format = format_of(path);
    if (format == NULL)
        return complain_as(STATUS_USAGE,
                           "draw: --output %s: the name must end in .svg, .png, .pdf or .html",
                           path);
    if (!parse_order(order, &chosen))
        return STATUS_USAGE;
    if (!read_drawing(arguments, (size_t)count, &drawing))
        return STATUS_USAGE;
    drawing.order = chosen;
    if (!is_page(format) && !gnuplot_found())
        status = complain_as(STATUS_FAILED, "draw: gnuplot is not installed");
    else if ((status = draw_to(path, &drawing, format, &error)) != STATUS_DONE)
        complain("draw: %s", error.text);
    drawing_clear(&drawing);
    return status;
}
