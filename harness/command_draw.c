/* draw: a picture of a plan, time x address.  */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/commands.h"
#include "harness/gnuplot.h"
#include "harness/input.h"
#include "harness/options.h"
#include "harness/output.h"
#include "harness/table.h"
#include "lib/error.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/plan.h"

enum { TINTS = 6 };

/* Bytes in the unit that suits them.  */
struct unit {
    const char *name;
    double bytes;
};

static struct unit unit_for(int64_t bytes)
{
    static const struct unit units[] = {
        {"bytes", 1.0}, {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}};
    size_t i = 0;

    while (i < 3 && (double)bytes >= 4.0 * units[i + 1].bytes)
        i++;
    return units[i];
}

/* The first and the last step.  */
static void find_span(const struct instance *instance, int64_t *begin, int64_t *end)
{
    *begin = *end = 0;
    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[i];

        if (i == 0 || buffer->begin < *begin)
            *begin = buffer->begin;
        if (i == 0 || buffer->end > *end)
            *end = buffer->end;
    }
    if (*end == *begin)
        *end = *begin + 1;
}

/* An id is written into a rectangle that has room for it: a character takes
 * about a 160th of the picture's width and a 40th of its height.  */
static bool has_room(const struct piece *piece, const char *id, double span, int64_t peak)
{
    double width = (double)piece->end - (double)piece->begin;
    double height = (double)(piece->hi - piece->lo);

    return width * 160.0 > span * (double)strlen(id) && height * 40.0 > (double)peak;
}

/* The rectangles; or, with LABELS, those that have room for their id.  */
static bool write_pieces(const char *folder, const struct instance *instance,
                         const struct plan *plan, struct unit unit, bool labels,
                         struct error *error)
{
    char *path = memory_printf("%s/plan%s.csv", folder, labels ? "-labels" : "");
    struct output output;
    int64_t begin, end;
    bool done = output_open(&output, path, error);

    free(path);
    if (!done)
        return false;
    find_span(instance, &begin, &end);
    fputs("begin,end,low,high,tint,label\n", output.file);
    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[i];

        for (size_t p = 0; p < buffer->pieces; p++) {
            const struct piece *piece = &instance->piece[buffer->first_piece + p];

            if (labels &&
                (p > 0 || !has_room(piece, buffer->id, (double)end - (double)begin, plan->peak)))
                continue;
            fprintf(output.file, "%" PRId64 ",%" PRId64 ",%.17g,%.17g,%zu,", piece->begin,
                    piece->end, (double)(plan->offset[i] + piece->lo) / unit.bytes,
                    (double)(plan->offset[i] + piece->hi) / unit.bytes, i % TINTS + 1);
            csv_write_cell(output.file, buffer->id);
            fputc('\n', output.file);
        }
    }
    return output_close(&output, true, error);
}

static void write_text(FILE *out, const char *name, char *text)
{
    fprintf(out, "array %s[1] = [", name);
    gnuplot_write_value(out, text);
    fputs("]\n", out);
    free(text);
}

static bool write_data(const char *folder, const struct instance *instance, const struct plan *plan,
                       struct error *error)
{
    struct unit unit = unit_for(plan->peak);
    double peak = (double)plan->peak / unit.bytes, load = (double)instance->load / unit.bytes;
    int64_t begin, end;
    struct output output;
    char *path = memory_printf("%s/plan-arrays.gp", folder);
    bool done = output_open(&output, path, error);

    free(path);
    if (!done)
        return false;
    find_span(instance, &begin, &end);
    write_text(output.file, "begin", memory_printf("%" PRId64, begin));
    write_text(output.file, "end", memory_printf("%" PRId64, end));
    write_text(output.file, "peak", memory_printf("%.17g", peak));
    write_text(output.file, "load", memory_printf("%.17g", load));
    write_text(output.file, "unit", memory_strdup(unit.name));
    write_text(output.file, "title",
               memory_printf("%s: %zu buffers, %s plan, peak / load = %.4f", instance->name,
                             instance->n, layout_name(plan->layout),
                             instance->load > 0 ? peak / load : 1.0));
    write_text(output.file, "peak_label", memory_printf("peak %.4g %s", peak, unit.name));
    write_text(output.file, "load_label", memory_printf("load %.4g %s", load, unit.name));
    return output_close(&output, true, error) &&
           write_pieces(folder, instance, plan, unit, false, error) &&
           write_pieces(folder, instance, plan, unit, true, error);
}

static bool copy_picture(const char *from, FILE *to, struct error *error)
{
    char block[8192];
    size_t got;
    FILE *in = fopen(from, "r");

    if (in == NULL)
        return error_set(error, "%s: %s", from, strerror(errno));
    while ((got = fread(block, 1, sizeof block, in)) > 0)
        fwrite(block, 1, got, to);
    fclose(in);
    return true;
}

static bool draw(const struct instance *instance, const struct plan *plan, const char *format,
                 FILE *out, struct error *error)
{
    const char *temporary = getenv("TMPDIR");
    char *folder =
        gnuplot_make_folder(temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp", error);
    char *picture;
    bool done;

    if (folder == NULL)
        return false;
    picture = memory_printf("%s/plan.%s", folder, format);
    done = write_data(folder, instance, plan, error) &&
           gnuplot_draw(folder, "plan", format, error) && copy_picture(picture, out, error);
    gnuplot_remove_folder(folder);
    free(picture);
    free(folder);
    return done;
}

/* The format that a file's ending names; NULL: none of ours.  */
static const char *format_of(const char *path)
{
    static const char *const formats[] = {"svg", "png", "pdf"};
    const char *dot = path == NULL ? ".svg" : strrchr(path, '.');

    for (size_t i = 0; dot != NULL && i < 3; i++)
        if (strcmp(dot + 1, formats[i]) == 0)
            return formats[i];
    return NULL;
}

/* Nothing is drawn for a file that can't be written.  */
static int draw_to(const char *path, const struct instance *instance, const struct plan *plan,
                   const char *format, struct error *error)
{
    struct output output;
    bool done;

    if (!output_open(&output, path, error))
        return STATUS_USAGE;
    done = draw(instance, plan, format, output.file, error);
    return output_close(&output, done, error) && done ? STATUS_DONE : STATUS_FAILED;
}

int command_draw(int argc, char **argv)
{
    const char *path = NULL, *format;
    const struct option_spec options[] = {
        {"output", OPTION_TEXT, &path, "FILE", "FILE.svg, FILE.png or FILE.pdf", 0, 0},
        {NULL, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    const struct command_usage usage = {
        "draw",
        "INSTANCE PLAN",
        "Draws a plan (CSV, `-`: standard input) as a picture, time x address: SVG on standard\n"
        "output, or a file.  Needs gnuplot.  The plan is not judged: see verify.",
        options,
        2,
        2};
    struct instance *instance;
    struct plan *plan;
    struct error error;
    char **arguments;
    int count, status = options_parse(&usage, argc, argv, &arguments, &count);

    if (status >= 0)
        return status;
    format = format_of(path);
    if (format == NULL) {
        complain("draw: --output %s: the name must end in .svg, .png or .pdf", path);
        return STATUS_USAGE;
    }
    if (!gnuplot_found()) {
        complain("draw: gnuplot is not installed");
        return STATUS_FAILED;
    }
    instance = input_instance(usage.name, arguments[0]);
    if (instance == NULL)
        return STATUS_USAGE;
    plan = input_plan(usage.name, arguments[1], instance);
    status = STATUS_USAGE;
    if (plan != NULL) {
        status = draw_to(path, instance, plan, format, &error);
        if (status != STATUS_DONE)
            complain("draw: %s", error.text);
    }
    plan_free(plan);
    instance_free(instance);
    return status;
}
