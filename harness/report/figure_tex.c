/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gnuplot's terminal cairolatex writes what a label says as it is, one line of the file a line of
 * text:
 *
 *     \gplgaddtomacro\gplbacktext{%
 *       \colorrgb{0.00,0.45,0.70}%%
 *       \put(596,610){\makebox(0,0)[r]{\strut{}50 %}}%
 *
 * Texts of gplbacktext lie behind the picture, those of gplfronttext before it.  What is written
 * here is the same without the sixty lines of definitions around it, and with the texts made LaTeX.
 */
#include <config.h>

#include "harness/report/figure_tex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/output.h"
#include "harness/report/markup.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"

/* Of gnuplot's file.  */
#define MOST_BYTES ((size_t)1 << 24)
/* A column of an article of two, in gnuplot's units of 1/20 bp: 240 points.  */
#define COLUMN_UNITS 4782.0

struct lines {
    char **line;
    size_t count, capacity;
};

/* What gnuplot drew.  */
struct picture {
    double width, height; /* units */
    struct lines back, front;
};

static void add_line(struct lines *lines, char *line)
{
    lines->line = memory_grow(lines->line, &lines->capacity, lines->count + 1, sizeof *lines->line);
    lines->line[lines->count++] = line;
}

/* --- texts --- */

/* A part of TEXT, SIZE bytes long.  */
static void write_plain(FILE *out, const char *text, size_t size)
{
    char *part = memory_printf("%.*s", (int)size, text);

    tex_print(out, "%s", part);
    free(part);
}

/* gnuplot's _{...} or ^{...} at TEXT: its length, or 0 where there is none.  */
static size_t script_length(const char *text)
{
    const char *end;

    if ((text[0] != '_' && text[0] != '^') || text[1] != '{')
        return 0;
    end = strchr(text, '}');
    return end == NULL ? 0 : (size_t)(end + 1 - text);
}

/* A text with gnuplot's markup, of which our scripts use this: _{...}, ^{...} and \_.  */
static void write_text(FILE *out, const char *text)
{
    const char *start = text;

    /* A number's sign is as long as its digits say, not a hyphen.  */
    if (text[0] == '-' && isdigit((unsigned char)text[1])) {
        fputs("$-$", out);
        start = text + 1;
    }
    for (const char *at = start;; at++) {
        const size_t script = script_length(at);
        const bool escape = at[0] == '\\' && (at[1] == '_' || at[1] == '^');

        if (*at != '\0' && script == 0 && !escape)
            continue;
        write_plain(out, start, (size_t)(at - start));
        if (*at == '\0')
            return;
        if (script > 0) {
            fprintf(out, "$%c{\\mathrm{", *at);
            write_plain(out, at + 2, script - 3);
            fputs("}}$", out);
        }
        start = script > 0 ? at + script : at + 1;
        at = script > 0 ? start - 1 : start;
    }
}

/* How many braces of LINE up to END are open.  */
static size_t count_open(const char *line, const char *end)
{
    size_t open = 0;

    for (const char *at = line; at < end; at++)
        if (*at == '{')
            open++;
        else if (*at == '}' && open > 0)
            open--;
    return open;
}

/* A line of gnuplot's that puts a text somewhere: what stands around that is kept.  */
static void write_put(FILE *out, const char *line)
{
    static const char begin[] = "\\strut{}";
    const char *text = strstr(line, begin);
    size_t open, length;
    char *copy;

    if (text == NULL)
        return;
    text += strlen(begin);
    open = count_open(line, text);
    /* As many braces end as are open, and a comment.  */
    length = strlen(text);
    length -= length < open + 1 ? length : open + 1;
    if (length == 0)
        return;
    copy = memory_printf("%.*s", (int)length, text);
    fwrite(line, 1, (size_t)(text - line), out);
    write_text(out, copy);
    for (size_t i = 0; i < open; i++)
        putc('}', out);
    fputs("%\n", out);
    free(copy);
}

static void write_lines(FILE *out, const struct lines *lines)
{
    const char *colour = "";

    for (size_t i = 0; i < lines->count; i++) {
        const char *line = lines->line[i];
        const char *rgb = strstr(line, "\\colorrgb{");

        if (rgb == line || strncmp(line, "\\csname LT", 10) == 0) {
            const char *now = rgb == line ? rgb + strlen("\\colorrgb") : "{0.00,0.00,0.00}%%";

            if (strcmp(now, colour) != 0)
                fprintf(out, "\\color[rgb]%.*s%%\n", (int)strcspn(now, "%"), now);
            colour = now;
        } else {
            write_put(out, line);
        }
    }
}

/* --- gnuplot's file --- */

/* Takes over what the lines of TEXT, which are cut apart, say.  False when it is not what gnuplot
 * writes.  */
static bool read_picture(struct picture *picture, char *text)
{
    struct lines *lines = NULL;
    char *state = NULL;

    for (char *line = strtok_r(text, "\n", &state); line != NULL;
         line = strtok_r(NULL, "\n", &state)) {
        line += strspn(line, " ");
        if (strstr(line, "\\gplgaddtomacro\\gplbacktext{%") == line)
            lines = &picture->back;
        else if (strstr(line, "\\gplgaddtomacro\\gplfronttext{%") == line)
            lines = &picture->front;
        else if (strcmp(line, "}%") == 0)
            lines = NULL;
        else if (lines != NULL)
            add_line(lines, line);
        else if (sscanf(line, "\\begin{picture}(%lf,%lf)", &picture->width, &picture->height) == 2)
            continue;
        else if (strcmp(line, "\\endgroup") == 0)
            return picture->width > 0.0 && picture->height > 0.0;
    }
    return false;
}

/* --- the float --- */

static void write_float(FILE *out, const struct picture *picture, const struct grid_words *words)
{
    const char *star = picture->width > COLUMN_UNITS ? "*" : "";

    fprintf(out, "\\begin{figure%s}[tp]\n\\centering\n", star);
    fputs("{\\fontsize{8}{9.5}\\selectfont\n\\setlength{\\unitlength}{0.05bp}%\n", out);
    fprintf(out, "\\begin{picture}(%.0f,%.0f)%%\n", picture->width, picture->height);
    write_lines(out, &picture->back);
    fprintf(out, "\\put(0,0){\\includegraphics[width=%gbp,height=%gbp]{%s-tex}}%%\n",
            picture->width / 20.0, picture->height / 20.0, words->name);
    write_lines(out, &picture->front);
    fputs("\\end{picture}}%\n", out);
    grid_words_write_tex(words, "fig", NULL, out);
    fprintf(out, "\\end{figure%s}\n", star);
}

bool figure_tex_write(const char *from, const char *to, const struct grid_words *words,
                      struct error *error)
{
    struct picture picture = {0};
    struct output output;
    char *text;
    size_t size;
    bool done;

    if (!file_read(from, MOST_BYTES, &text, &size, error))
        return false;
    done = read_picture(&picture, text) ||
           error_set(error, "%s: not what gnuplot's terminal cairolatex writes", from);
    done = done && output_open(&output, to, error);
    if (done) {
        write_float(output.file, &picture, words);
        done = output_close(&output, true, error);
    }
    free(picture.front.line);
    free(picture.back.line);
    free(text);
    return done;
}
