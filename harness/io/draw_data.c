/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/draw_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/gnuplot.h"
#include "harness/io/output.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

/* Peaks of a memory's part that its capacity may be above it to be drawn.  */
#define MOST_ABOVE 3

enum { ARRAYS, RECTANGLES, EDGES, LABELS, FILES };
static const struct {
    const char *name, *header;
} files[FILES] = {
    [ARRAYS] = {"plan-arrays.gp", ""},
    [RECTANGLES] = {"plan.csv", "begin,end,low,high,tint,panel,label\n"},
    [EDGES] = {"plan-edges.csv", "begin,end,low,high,tint,panel,kind\n"},
    [LABELS] = {"plan-labels.csv", "begin,end,low,high,panel,points,label\n"},
};

struct picture {
    const struct instance *instance;
    char **label; /* of each buffer: its id, or its number in an order */
    size_t panel, panels;
    int64_t begin, end; /* the first and the last step */
    /* Of the panel at hand.  */
    const struct plan *plan;
    int64_t top; /* the highest peak of those that have one height */
    struct people_unit unit;
    FILE *file[FILES]; /* in memory as yet */
};

/* The sizes that an id may have, in points, as plots/plan.gp has them.  */
static const int points[] = {12, 8, 5};

/* The largest size in which a rectangle has room for an ID, or 0: at 5 points a character takes
 * about a 160th of the picture's width and a 40th of its height.  */
static int room(const struct picture *picture, const struct piece *piece, const char *id)
{
    double span = ((double)picture->end - (double)picture->begin) * (double)picture->panels;
    double width = ((double)piece->end - (double)piece->begin) * 160.0 * 5.0;
    double height = (double)(piece->hi - piece->lo) * 40.0 * 5.0;

    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
        if (width > span * (double)strlen(id) * points[i] &&
            height > (double)picture->top * points[i])
            return points[i];
    return 0;
}

/* --- one buffer --- */

/* Byte AT of buffer B as an address in the picture's unit.  */
static double address(const struct picture *picture, size_t b, int64_t at)
{
    return (double)(picture->plan->offset[b] + at) / picture->unit.bytes;
}

/* A line from (BEGIN, LOW) to (END, HIGH), steps and bytes of buffer B.  */
static void write_edge(struct picture *picture, size_t b, int64_t begin, int64_t end, int64_t low,
                       int64_t high, int kind)
{
    if (begin == end && low == high)
        return;
    fprintf(picture->file[EDGES], "%" PRId64 ",%" PRId64 ",%.17g,%.17g,%zu,%zu,%d\n", begin, end,
            address(picture, b, low), address(picture, b, high), b % DRAW_TINTS + 1, picture->panel,
            kind);
}

/* The line at step TIME between bytes [LOW, HIGH) and what is in use on the other
 * side, PIECE[0..count), ascending: where nothing is.  */
static void write_side(struct picture *picture, size_t b, int64_t time, int64_t low, int64_t high,
                       const struct piece *piece, size_t count)
{
    for (size_t i = 0; i < count && low < high; i++) {
        if (piece[i].hi <= low)
            continue;
        if (piece[i].lo > low)
            write_edge(picture, b, time, time, low, min64(piece[i].lo, high), 0);
        low = max64(low, piece[i].hi);
    }
    write_edge(picture, b, time, time, low, max64(low, high), 0);
}

/* The outline of the rectangles PIECE[0..count), which are ordered by begin and in
 * slabs: those of one slab begin and end together.  */
static void write_outline(struct picture *picture, size_t b, const struct piece *piece,
                          size_t count)
{
    size_t before = 0, n_before = 0;

    for (size_t slab = 0, n; slab < count; slab += n) {
        bool touches = n_before > 0 && piece[before].end == piece[slab].begin;

        n = draw_slab(piece, slab, count);
        for (size_t i = 0; i < n_before; i++)
            write_side(picture, b, piece[before].end, piece[before + i].lo, piece[before + i].hi,
                       &piece[slab], touches ? n : 0);
        for (size_t i = slab; i < slab + n; i++) {
            write_side(picture, b, piece[i].begin, piece[i].lo, piece[i].hi, &piece[before],
                       touches ? n_before : 0);
            write_edge(picture, b, piece[i].begin, piece[i].end, piece[i].lo, piece[i].lo, 0);
            write_edge(picture, b, piece[i].begin, piece[i].end, piece[i].hi, piece[i].hi, 0);
        }
        before = slab;
        n_before = n;
    }
    for (size_t i = 0; i < n_before; i++)
        write_side(picture, b, piece[before].end, piece[before + i].lo, piece[before + i].hi, NULL,
                   0);
}

static void write_rectangle(FILE *out, const struct picture *picture, size_t b,
                            const struct piece *piece)
{
    fprintf(out, "%" PRId64 ",%" PRId64 ",%.17g,%.17g,%zu,%zu,", piece->begin, piece->end,
            address(picture, b, piece->lo), address(picture, b, piece->hi), b % DRAW_TINTS + 1,
            picture->panel);
    gnuplot_write_cell(out, picture->label[b]);
    fputc('\n', out);
}

static double area(const struct piece *piece)
{
    return ((double)piece->end - (double)piece->begin) * (double)(piece->hi - piece->lo);
}

/* Writes the label of buffer B into a rectangle that has room for it.  Where the line of the load
 * goes through its middle, only what is below that line counts.  */
static void write_label(struct picture *picture, size_t b, struct piece piece)
{
    const int64_t load = picture->instance->load - picture->plan->offset[b];
    const double off = 0.5 * ((double)piece.lo + (double)piece.hi) - (double)load;
    int size;

    if (piece.lo < load && load < piece.hi && 20.0 * fabs(off) < (double)picture->top)
        piece.hi = load;
    size = room(picture, &piece, picture->label[b]);
    if (size == 0)
        return;
    fprintf(picture->file[LABELS], "%" PRId64 ",%" PRId64 ",%.17g,%.17g,%zu,%d,", piece.begin,
            piece.end, address(picture, b, piece.lo), address(picture, b, piece.hi), picture->panel,
            size);
    gnuplot_write_cell(picture->file[LABELS], picture->label[b]);
    fputc('\n', picture->file[LABELS]);
}

static void write_buffer(struct picture *picture, size_t b)
{
    struct piece *piece;
    size_t largest = 0, count = draw_pieces(picture->instance, b, &piece);

    for (size_t i = 0; i < count; i++) {
        write_rectangle(picture->file[RECTANGLES], picture, b, &piece[i]);
        if (area(&piece[i]) > area(&piece[largest]))
            largest = i;
    }
    write_outline(picture, b, piece, count);
    write_label(picture, b, piece[largest]);
    free(piece);
}

/* --- the files --- */

/* Of the buffers WITHIN; NULL: of all.  */
static void write_links(struct picture *picture, const bool *within)
{
    const struct instance *instance = picture->instance;
    size_t b = 0;

    for (size_t i = 0; i < instance->n_overwrites; i++) {
        const struct overwrite *link = &instance->overwrite[i];

        while (link->by >= instance->buffer[b].first_piece + instance->buffer[b].pieces)
            b++;
        if (within == NULL || within[b])
            write_edge(picture, b, link->step, link->step, instance->piece[link->by].lo,
                       instance->piece[link->by].hi, 1);
    }
}

/* Starts array NAME of COUNT texts, or goes on with it: TEXT is number AT, one line whatever the
 * instance is called.  */
static void write_text(FILE *out, const char *name, size_t at, size_t count, char *text)
{
    char *line = people_text(text);

    if (at == 1)
        fprintf(out, "array %s[%zu]\n", name, count);
    fprintf(out, "%s[%zu] = ", name, at);
    gnuplot_write_value(out, line);
    fputc('\n', out);
    free(line);
    free(text);
}

static void write_arrays(const struct picture *picture)
{
    FILE *out = picture->file[ARRAYS];

    write_text(out, "begin", 1, 1, memory_printf("%" PRId64, picture->begin));
    write_text(out, "end", 1, 1, memory_printf("%" PRId64, picture->end));
    write_text(out, "panels", 1, 1, memory_printf("%zu", picture->panels));
}

static char *plan_facts(const struct picture *picture)
{
    const struct instance *instance = picture->instance;

    return memory_printf(
        "%zu buffers, %s plan, peak / load = %.4f", instance->n, layout_name(picture->plan->layout),
        instance->load > 0 ? (double)picture->plan->peak / (double)instance->load : 1.0);
}

static char *memory_facts(const struct picture *picture, const struct drawn_plan *drawn)
{
    char *capacity =
        drawn->capacity == INT64_MAX ? memory_strdup("no limit") : people_bytes(drawn->capacity);
    size_t buffers = 0;
    char *text;

    for (size_t b = 0; b < picture->instance->n; b++)
        buffers += drawn->within[b];
    text = memory_printf("%zu buffer%s, capacity: %s", buffers, buffers == 1 ? "" : "s", capacity);
    memory_free(capacity);
    return text;
}

/* The second line of a panel, beside its peak: the load, or the capacity where there is one near;
 * 0: none.  */
static int64_t line_of(const struct picture *picture, const struct drawn_plan *drawn)
{
    if (drawn->within == NULL)
        return picture->instance->load;
    return drawn->capacity / MOST_ABOVE <= drawn->plan->peak ? drawn->capacity : 0;
}

/* Of the plan at hand.  */
static void write_panel(const struct picture *picture, const struct drawn_plan *drawn)
{
    const char *line_name = drawn->within == NULL ? "load" : "capacity";
    const int64_t line = line_of(picture, drawn);
    const double bytes = picture->unit.bytes, peak = (double)picture->plan->peak / bytes;
    const size_t at = picture->panel, count = picture->panels;
    FILE *out = picture->file[ARRAYS];

    write_text(out, "unit", at, count, memory_strdup(picture->unit.name));
    write_text(out, "top", at, count, memory_printf("%.17g", (double)picture->top / bytes));
    write_text(out, "peak", at, count, memory_printf("%.17g", peak));
    write_text(out, "peak_label", at, count,
               memory_printf("peak %.4g %s", peak, picture->unit.name));
    write_text(out, "line", at, count, memory_printf("%.17g", (double)line / bytes));
    write_text(out, "line_label", at, count,
               memory_printf("%s %.4g %s", line_name, (double)line / bytes, picture->unit.name));
    write_text(out, "title", at, count,
               memory_printf("%s, %s", picture->instance->name, drawn->name));
    write_text(out, "facts", at, count,
               drawn->within == NULL ? plan_facts(picture) : memory_facts(picture, drawn));
}

/* A panel whose plan is DRAWN, of whose height TOP is the highest peak.  */
static void write_drawn(struct picture *picture, const struct drawn_plan *drawn, int64_t top)
{
    picture->plan = drawn->plan;
    picture->top = drawn->within == NULL ? top : drawn->plan->peak;
    picture->unit = people_unit(picture->top);
    write_panel(picture, drawn);
    for (size_t b = 0; b < picture->instance->n; b++)
        if (drawn->within == NULL || drawn->within[b])
            write_buffer(picture, b);
    write_links(picture, drawn->within);
}

/* What stands on each buffer; the caller frees all.  */
static char **make_labels(const struct instance *instance, enum draw_order order)
{
    char **label = memory_alloc(instance->n, sizeof *label);
    size_t *sorted = draw_order(instance, order);

    for (size_t i = 0; i < instance->n; i++) {
        size_t b = sorted[i];

        label[b] = order == DRAW_GIVEN ? memory_strdup(instance->buffer[b].id)
                                       : memory_printf("%zu", i + 1);
    }
    memory_free(sorted);
    return label;
}

bool draw_write_data(const char *folder, const struct instance *instance,
                     const struct drawn_plan *drawn, size_t count, enum draw_order order,
                     struct error *error)
{
    struct picture picture = {
        .instance = instance, .panels = count, .label = make_labels(instance, order)};
    char *text[FILES];
    size_t length[FILES];
    int64_t top = 0;
    bool done = true;

    for (int f = 0; f < FILES; f++) {
        picture.file[f] = memory_stream(&text[f], &length[f]);
        fputs(files[f].header, picture.file[f]);
    }
    for (size_t p = 0; p < count; p++)
        top = max64(top, drawn[p].plan->peak);
    draw_span(instance, &picture.begin, &picture.end);
    write_arrays(&picture);
    for (size_t p = 0; p < count; p++) {
        picture.panel = p + 1;
        write_drawn(&picture, &drawn[p], top);
    }
    for (int f = 0; f < FILES; f++) {
        char *path = memory_printf("%s/%s", folder, files[f].name);

        memory_stream_close(picture.file[f]);
        done = done && output_bytes(path, text[f], length[f], error);
        free(path);
        free(text[f]);
    }
    for (size_t b = 0; b < instance->n; b++)
        free(picture.label[b]);
    free(picture.label);
    return done;
}
