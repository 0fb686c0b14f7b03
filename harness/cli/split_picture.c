/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/split_picture.h"

#include <stdlib.h>

#include "harness/io/draw_data.h"
#include "harness/io/gnuplot.h"
#include "harness/io/picture.h"
#include "harness/io/output.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "memories/curve.h"
#include "memories/memory.h"
#include "memories/split.h"

/* --- a split --- */

struct split_drawing {
    const struct split_problem *problem;
    const struct split *split;
    enum draw_order order;
};

/* The part of the split that lies in memory M: PLAN, of all buffers, has its offsets.  */
static void draw_memory(const struct split_drawing *drawing, size_t m, struct plan *plan,
                        bool *within, struct drawn_plan *drawn)
{
    const struct split_problem *problem = drawing->problem;
    const struct split *split = drawing->split;

    plan->peak = 0;
    for (size_t b = 0; b < problem->instance->n; b++) {
        within[b] = split->memory[b] == m;
        plan->offset[b] = split->offset[b];
        if (within[b])
            plan->peak = max64(plan->peak, split->offset[b] + problem->instance->buffer[b].size);
    }
    *drawn =
        (struct drawn_plan){plan, problem->memory[m].name, within, problem->memory[m].capacity};
}

static bool write_split(const char *folder, const void *context, struct error *error)
{
    const struct split_drawing *drawing = context;
    const struct split_problem *problem = drawing->problem;
    const size_t count = problem->memories, n = problem->instance->n;
    struct drawn_plan *drawn = memory_alloc(count, sizeof *drawn);
    struct plan **plan = memory_alloc(count, sizeof *plan);
    bool *within = memory_alloc(count * n, sizeof *within), good;

    for (size_t m = 0; m < count; m++) {
        plan[m] = plan_new(problem->instance);
        draw_memory(drawing, m, plan[m], within + m * n, &drawn[m]);
    }
    good = draw_write_data(folder, problem->instance, drawn, count, drawing->order, error);
    for (size_t m = 0; m < count; m++)
        plan_free(plan[m]);
    memory_free(plan);
    memory_free(drawn);
    memory_free(within);
    return good;
}

bool split_picture(const struct split_problem *problem, const struct split *split,
                   enum draw_order order, const char *format, FILE *out, struct error *error)
{
    const struct split_drawing drawing = {problem, split, order};

    return picture_draw("plan", format, write_split, &drawing, out, error);
}

/* --- a curve --- */

size_t curve_corners(const struct split_point *point, size_t count,
                     struct curve_corner corner[CURVE_CORNERS])
{
    static const struct {
        double share;
        const char *text;
    } wanted[CURVE_CORNERS] = {
        {0.0, "Nothing"}, {0.01, "At most 1 %"}, {0.05, "At most 5 %"}, {0.1, "At most 10 %"}};
    size_t before = count, corners = 0;

    for (size_t c = 0; c < CURVE_CORNERS; c++) {
        size_t i = 0;

        while (i < before && (point[i].cost == SPLIT_NEVER || point[i].outside > wanted[c].share))
            i++;
        if (i < before)
            corner[corners++] = (struct curve_corner){wanted[c].text, i};
        before = i;
    }
    return corners;
}

struct curve_drawing {
    const char *name;
    const struct memories *memories;
    const struct split_point *point;
    size_t count;
};

static void write_point(FILE *out, const struct split_point *point, double bytes)
{
    fprintf(out, "%.17g,", (double)point->capacity / bytes);
    if (point->cost != SPLIT_NEVER)
        fprintf(out, "%.17g", (double)point->cost / MEMORY_COST_UNIT);
    fputc(',', out);
    if (point->bound != SPLIT_NEVER)
        fprintf(out, "%.17g", (double)point->bound / MEMORY_COST_UNIT);
    fputc('\n', out);
}

static void write_corners(FILE *out, const struct curve_drawing *drawing, double bytes)
{
    struct curve_corner corner[CURVE_CORNERS];
    const size_t corners = curve_corners(drawing->point, drawing->count, corner);

    fprintf(out, "capacity,cost,text\n");
    for (size_t c = 0; c < corners; c++) {
        const struct split_point *point = &drawing->point[corner[c].point];

        fprintf(out, "%.17g,%.17g,%s outside\n", (double)point->capacity / bytes,
                (double)point->cost / MEMORY_COST_UNIT, corner[c].text);
    }
}

static void write_value(FILE *out, const char *name, char *text)
{
    char *line = people_text(text);

    fprintf(out, "%s = ", name);
    gnuplot_write_value(out, line);
    fputc('\n', out);
    free(line);
    memory_free(text);
}

static bool save(const char *folder, const char *name, const char *text, size_t length,
                 struct error *error)
{
    char *path = memory_printf("%s/%s", folder, name);
    bool good = output_bytes(path, text, length, error);

    memory_free(path);
    return good;
}

static bool write_curve(const char *folder, const void *context, struct error *error)
{
    enum { ARRAYS, POINTS, CORNERS, FILES };
    static const char *const names[FILES] = {"capacity-arrays.gp", "capacity.csv",
                                             "capacity-corners.csv"};
    const struct curve_drawing *drawing = context;
    const struct people_unit unit = people_unit(drawing->point[drawing->count - 1].capacity);
    FILE *file[FILES];
    char *text[FILES];
    size_t length[FILES];
    bool good = true, open = false;

    for (size_t i = 0; i < drawing->count; i++)
        open = open || drawing->point[i].outcome != SPLIT_OPTIMAL;
    for (size_t f = 0; f < FILES; f++)
        file[f] = memory_stream(&text[f], &length[f]);
    write_value(file[ARRAYS], "picture_title",
                memory_printf("%s: least cost by the capacity of %s", drawing->name,
                              drawing->memories->memory[0].name));
    write_value(file[ARRAYS], "axis_name",
                memory_printf("capacity of %s, %s", drawing->memories->memory[0].name, unit.name));
    write_value(file[ARRAYS], "open", memory_printf("%d", open));
    fprintf(file[POINTS], "capacity,cost,bound\n");
    for (size_t i = 0; i < drawing->count; i++)
        write_point(file[POINTS], &drawing->point[i], unit.bytes);
    write_corners(file[CORNERS], drawing, unit.bytes);
    for (size_t f = 0; f < FILES; f++) {
        memory_stream_close(file[f]);
        good = good && save(folder, names[f], text[f], length[f], error);
        free(text[f]);
    }
    return good;
}

bool curve_picture(const char *name, const struct memories *memories,
                   const struct split_point *point, size_t count, const char *format, FILE *out,
                   struct error *error)
{
    const struct curve_drawing drawing = {name, memories, point, count};

    return picture_draw("capacity", format, write_curve, &drawing, out, error);
}
