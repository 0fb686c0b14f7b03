/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/trace_picture.h"

#include <inttypes.h>
#include <stdlib.h>

#include "harness/io/gnuplot.h"
#include "harness/io/output.h"
#include "harness/io/picture.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/problem/plan.h"
#include "traces/trace.h"

/* Nobody sees more columns of a picture than this.  */
enum { COLUMNS = 800 };

/* Of the events that fall into one column: the most of each, and the worst ratio.  */
struct column {
    int64_t event, alive, top;
    double used;
};

static void widen(struct column *column, const struct trace_sample *sample)
{
    const double used = sample->top == 0 ? 1.0 : (double)sample->alive / (double)sample->top;

    column->alive = max64(column->alive, sample->alive);
    column->top = max64(column->top, sample->top);
    column->used = used < column->used ? used : column->used;
}

static void write_row(FILE *out, const struct column *column, double unit)
{
    fprintf(out, "%" PRId64 ",%.17g,%.17g,%.17g\n", column->event, (double)column->alive / unit,
            (double)column->top / unit, column->used);
}

/* A row for each column with an event, each valid up to the next one.  */
static void write_rows(FILE *out, const struct trace *trace, const struct trace_sample *sample,
                       size_t count, double unit)
{
    const int64_t width = trace->events / COLUMNS + 1;
    struct column column = {.used = 1.0};

    for (size_t i = 0; i < count; i++) {
        if (i > 0 && sample[i].event / width != sample[i - 1].event / width) {
            write_row(out, &column, unit);
            column = (struct column){.event = sample[i].event, .used = 1.0};
        }
        widen(&column, &sample[i]);
    }
    write_row(out, &column, unit);
    column.event = trace->events + 1;
    write_row(out, &column, unit);
}

static void write_value(FILE *out, const char *name, char *text)
{
    fprintf(out, "%s = ", name);
    gnuplot_write_value(out, text);
    fputc('\n', out);
    free(text);
}

static void write_arrays(FILE *out, const struct trace_picture *picture, int64_t load,
                         struct people_unit unit)
{
    write_value(out, "unit", memory_strdup(unit.name));
    write_value(out, "title", memory_strdup(picture->title));
    write_value(out, "events", memory_printf("%" PRId64, picture->trace->events + 1));
    write_value(out, "load", memory_printf("%.17g", (double)load / unit.bytes));
    write_value(out, "top", memory_printf("%.17g", (double)picture->recorded->peak / unit.bytes));
    write_value(out, "best", memory_printf("%.17g", (double)picture->best / unit.bytes));
    write_value(out, "planner", memory_strdup(picture->planner == NULL ? "" : picture->planner));
}

/* The file NAME in FOLDER with TEXT, which is given up.  */
static bool put(const char *folder, const char *name, char *text, size_t length,
                struct error *error)
{
    char *path = memory_printf("%s/%s", folder, name);
    const bool done = output_bytes(path, text, length, error);

    free(path);
    free(text);
    return done;
}

static bool write_data(const char *folder, const void *context, struct error *error)
{
    const struct trace_picture *picture = context;
    size_t count, length, arrays_length;
    struct trace_sample *sample =
        trace_samples(picture->trace, picture->pool, picture->recorded, &count);
    const struct people_unit unit = people_unit(max64(picture->recorded->peak, 1));
    int64_t load = 0;
    char *rows, *arrays;
    FILE *out = memory_stream(&rows, &length);

    fputs("event,alive,top,used\n", out);
    write_rows(out, picture->trace, sample, count, unit.bytes);
    memory_stream_close(out);
    for (size_t i = 0; i < count; i++)
        load = max64(load, sample[i].alive);
    memory_free(sample);
    out = memory_stream(&arrays, &arrays_length);
    write_arrays(out, picture, load, unit);
    memory_stream_close(out);
    return put(folder, "trace.csv", rows, length, error) &
           put(folder, "trace-arrays.gp", arrays, arrays_length, error);
}

bool trace_picture_draw(const struct trace_picture *picture, const char *format, FILE *out,
                        struct error *error)
{
    return picture_draw("trace", format, write_data, picture, out, error);
}
