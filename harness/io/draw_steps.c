/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/draw_steps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/options.h"
#include "harness/io/table.h"
#include "lib/base/checked.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

/* Of the page as it is installed; its data go where the mark is.  */
#define MOST_BYTES ((size_t)1 << 20)
static const char mark[] = "@DATA@";

/* JSON text, for people.  */
static void write_text(FILE *out, const char *text)
{
    char *line = people_text(text);

    json_write_text(out, line);
    free(line);
}

static void write_plans(FILE *out, const struct drawn_plan *drawn, size_t count)
{
    fputs("\"plans\":[", out);
    for (size_t p = 0; p < count; p++) {
        fprintf(out, "%s{\"peak\":%" PRId64 ",\"name\":", p == 0 ? "" : ",", drawn[p].plan->peak);
        write_text(out, drawn[p].name);
        fputs("}", out);
    }
    fputs("],\n", out);
}

static void write_buffer(FILE *out, const struct instance *instance, size_t b,
                         const struct drawn_plan *drawn, size_t count)
{
    const struct buffer *buffer = &instance->buffer[b];
    struct piece *piece;
    size_t pieces = draw_pieces(instance, b, &piece);

    fputs("{\"id\":", out);
    write_text(out, buffer->id);
    fprintf(out,
            ",\"size\":%" PRId64 ",\"begin\":%" PRId64 ",\"end\":%" PRId64
            ",\"tint\":%zu,\"offset\":[",
            buffer->size, buffer->begin, buffer->end, b % DRAW_TINTS);
    for (size_t p = 0; p < count; p++)
        fprintf(out, "%s%" PRId64, p == 0 ? "" : ",", drawn[p].plan->offset[b]);
    fputs("],\"pieces\":[", out);
    for (size_t i = 0; i < pieces; i++)
        fprintf(out, "%s[%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "]", i == 0 ? "" : ",",
                piece[i].begin, piece[i].end, piece[i].lo, piece[i].hi);
    fputs("]}", out);
    free(piece);
}

static void write_data(FILE *out, const struct instance *instance, const struct drawn_plan *drawn,
                       size_t count, enum draw_order order)
{
    static const char *const words[] = {[DRAW_GIVEN] = "as the instance has them",
                                        [DRAW_SIZE] = "the largest first",
                                        [DRAW_STEP] = "in the order of their steps"};
    size_t *sorted = draw_order(instance, order);
    int64_t top = 0, begin, end;
    struct people_unit unit;

    for (size_t p = 0; p < count; p++)
        top = max64(top, drawn[p].plan->peak);
    unit = people_unit(top);
    draw_span(instance, &begin, &end);
    fputs("{\"name\":", out);
    write_text(out, instance->name);
    fprintf(out,
            ",\"order\":\"%s\",\"unit\":{\"name\":\"%s\",\"bytes\":%.0f},\"begin\":%" PRId64
            ",\"end\":%" PRId64 ",\"top\":%" PRId64 ",\"load\":%" PRId64 ",\n",
            words[order], unit.name, unit.bytes, begin, end, top, instance->load);
    write_plans(out, drawn, count);
    fputs("\"buffers\":[", out);
    for (size_t i = 0; i < instance->n; i++) {
        fputs(i == 0 ? "\n" : ",\n", out);
        write_buffer(out, instance, sorted[i], drawn, count);
    }
    fputs("]}", out);
    memory_free(sorted);
}

/* JSON within HTML: no text in it ends the script or begins a comment.  */
static void write_within(FILE *out, const char *json, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (json[i] == '<')
            fputs("\\u003c", out);
        else
            putc(json[i], out);
}

bool draw_write_steps(FILE *out, const struct instance *instance, const struct drawn_plan *drawn,
                      size_t count, enum draw_order order, struct error *error)
{
    char *path = share_path("plots/steps.html"), *page = NULL, *at = NULL, *json;
    size_t length;
    bool done = file_read(path, MOST_BYTES, &page, &length, error) &&
                ((at = strstr(page, mark)) != NULL ||
                 error_set(error, "%s: expected a page with %s in it", path, mark));
    FILE *data;

    if (done) {
        data = memory_stream(&json, &length);
        write_data(data, instance, drawn, count, order);
        memory_stream_close(data);
        fwrite(page, 1, (size_t)(at - page), out); /* closing sees what went wrong */
        write_within(out, json, length);
        fputs(at + strlen(mark), out);
        free(json);
    }
    free(page);
    free(path);
    return done;
}
