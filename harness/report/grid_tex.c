/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table in LaTeX: which columns and rows stand in which float, by widths that are
 * worked out from the letters.  */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/grid.h"
#include "harness/report/grid_private.h"
#include "harness/report/markup.h"
#include "lib/base/memory.h"

/* Points.  A column of 3.33 inches and a page of 7, as in most proceedings; cells of 8 points.  */
#define COLUMN_WIDTH 240.0
#define PAGE_WIDTH 505.0
#define BETWEEN 6.0
#define WRAPPED 110.0 /* texts that are wider are broken into lines */
#define FLOAT_HEIGHT 600.0
#define LINE 9.6
#define CAPTION_LINE 12.0
#define CAPTION_LETTER 5.2

/* A grid with what is known of its columns.  */
struct layout {
    const struct grid *grid;
    const struct grid_words *words;
    double *width;
    bool *number, *wrapped;
    size_t keys;
    bool wide; /* across the page */
};

/* What one float shows beside the columns that name its rows.  */
struct part {
    size_t first_row, end_row, first_column, end_column;
    bool first;
};

/* The width of a letter of Computer Modern at 8 points (others are narrower), or a bit more.  */
static double letter_width(unsigned char letter)
{
    static const struct {
        const char *letters;
        double width;
    } widths[] = {{" ijl.,:;!'|[]`", 2.9}, {"frst()-", 3.4},          {"cez", 3.9},
                  {"0123456789", 4.25},    {"abdghknopquvxy/", 4.75}, {"mw", 7.2}};

    if ((letter & 0xC0) == 0x80) /* inside a letter of UTF-8 */
        return 0.0;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        if (letter < 128 && strchr(widths[i].letters, letter) != NULL)
            return widths[i].width;
    return letter == 'M' || letter == 'W' || letter >= 128 ? 8.8 : 6.7;
}

static double text_width(const char *text)
{
    double width = 0.0;

    for (; *text != '\0'; text++)
        width += letter_width((unsigned char)*text);
    return width;
}

/* Where a line may end: after this letter.  */
static bool breaks(char letter)
{
    return letter != '\0' && strchr(" -:,/=;_", letter) != NULL;
}

/* The widest piece of TEXT between two places where a line may end.  */
static double piece_width(const char *text)
{
    double widest = 0.0, width = 0.0;

    for (; *text != '\0'; text++) {
        width += letter_width((unsigned char)*text);
        widest = fmax(widest, width);
        if (breaks(*text) && text[1] != '\0')
            width = 0.0;
    }
    return widest;
}

static double cell_width(const struct cell *cell)
{
    return text_width(cell->text) * (cell->best ? 1.2 : 1.0) + text_width(cell->mark);
}

static void measure_column(struct layout *layout, size_t column)
{
    const struct grid *grid = layout->grid;
    double width = 0.0, piece = 0.0;

    for (size_t row = 0; row < grid->rows; row++) {
        const struct cell *cell = grid_cell(grid, row, column);

        width = fmax(width, cell_width(cell));
        piece = fmax(piece, piece_width(cell->text) * (cell->best ? 1.2 : 1.0));
    }
    layout->number[column] = grid_numeric(grid, column);
    layout->wrapped[column] = width > WRAPPED;
    if (layout->wrapped[column])
        width = fmax(WRAPPED, piece);
    layout->width[column] = fmax(width, piece_width(grid->head[column]));
}

static double keys_width(const struct layout *layout)
{
    double width = -BETWEEN;

    for (size_t i = 0; i < layout->keys; i++)
        width += layout->width[i] + BETWEEN;
    return width;
}

/* The columns that name a row: those before the first number, but no more than half a page.  */
static size_t count_keys(struct layout *layout)
{
    const struct grid *grid = layout->grid;
    size_t most = grid->keys > 0 ? grid->keys : grid->columns;

    for (layout->keys = 1; layout->keys < most; layout->keys++)
        if (grid->keys == 0 && layout->number[layout->keys])
            break;
    while (layout->keys > 1 && keys_width(layout) > PAGE_WIDTH / 2)
        layout->keys--;
    return layout->keys;
}

/* The first column from FIRST on that the float has no room for.  */
static size_t end_column(const struct layout *layout, size_t first)
{
    double width = keys_width(layout);
    size_t end = first;

    while (end < layout->grid->columns &&
           (end == first || width + BETWEEN + layout->width[end] <= PAGE_WIDTH))
        width += BETWEEN + layout->width[end++];
    return end;
}

static double row_height(const struct layout *layout, size_t row)
{
    double lines = 1.0;

    for (size_t i = 0; i < layout->grid->columns; i++)
        if (layout->wrapped[i])
            lines = fmax(
                lines, ceil(1.4 * cell_width(grid_cell(layout->grid, row, i)) / layout->width[i]));
    return lines * LINE;
}

/* The first row from FIRST on that the float has no room for.  */
static size_t end_row(const struct layout *layout, size_t first)
{
    const double letters = (double)(strlen(layout->words->title) + strlen(layout->words->caption));
    const double lines = letters * CAPTION_LETTER / (layout->wide ? PAGE_WIDTH : COLUMN_WIDTH);
    double room =
        FLOAT_HEIGHT - 7 * LINE - (first == 0 ? CAPTION_LINE * (lines + 3) : CAPTION_LINE);
    size_t end = first;

    for (; end < layout->grid->rows; end++) {
        room -= row_height(layout, end);
        if (room < 0 && end > first)
            break;
    }
    return end;
}

/* Behind the piece that TEXT begins with, and the letter after which a line may end.  */
static const char *piece_end(const char *text)
{
    while (*text != '\0' && !breaks(*text))
        text++;
    return *text != '\0' ? text + 1 : text;
}

/* What a line from TEXT on to END shows: no blank at its end.  */
static char *line_text(const char *text, const char *end)
{
    return memory_printf("%.*s", (int)(end - text - (*end != '\0' && end[-1] == ' ')), text);
}

/* A head in lines of as many of its pieces as a column of WIDTH has room for, one at least.  */
static void write_head(FILE *out, const char *text, bool number, double width)
{
    fprintf(out, "\\shortstack[%c]{", number ? 'r' : 'l');
    while (*text != '\0') {
        const char *end = piece_end(text);
        char *line = line_text(text, end);

        while (*end != '\0') {
            char *longer = line_text(text, piece_end(end));

            if (text_width(longer) > width) {
                free(longer);
                break;
            }
            free(line);
            line = longer;
            end = piece_end(end);
        }
        tex_print(out, "%s", line);
        free(line);
        fputs(*end != '\0' ? "\\\\" : "", out);
        text = end;
    }
    putc('}', out);
}

/* TEXT with places where its lines may end.  */
static void write_wrapped(FILE *out, const char *text)
{
    fputs("\\raggedright ", out);
    while (*text != '\0') {
        size_t size = 0;
        char *piece;

        while (text[size] != '\0' && !breaks(text[size]))
            size++;
        size += text[size] != '\0';
        piece = memory_printf("%.*s", (int)size, text);
        tex_print(out, "%s", piece);
        free(piece);
        text += size;
        fputs(*text != '\0' && text[-1] != ' ' ? "\\allowbreak{}" : "", out);
    }
}

static void write_cell(FILE *out, const struct cell *cell, bool wrapped)
{
    fputs(cell->best ? "\\textbf{" : "", out);
    if (wrapped)
        write_wrapped(out, cell->text);
    else
        tex_print(out, "%s", cell->text);
    fputs(cell->best ? "}" : "", out);
    if (cell->mark[0] != '\0')
        tex_print(out, "\\textsuperscript{%s}", cell->mark);
}

/* The column that stands at place AT of a part.  */
static size_t part_column(const struct layout *layout, const struct part *part, size_t at)
{
    return at < layout->keys ? at : part->first_column + at - layout->keys;
}

static void write_tabular(FILE *out, const struct layout *layout, const struct part *part)
{
    const size_t columns = layout->keys + part->end_column - part->first_column;

    fputs("\\begin{tabular}{@{}", out);
    for (size_t at = 0; at < columns; at++) {
        size_t column = part_column(layout, part, at);

        if (layout->wrapped[column])
            fprintf(out, "p{%.0fpt}", ceil(layout->width[column]));
        else
            putc(layout->number[column] ? 'r' : 'l', out);
    }
    fputs("@{}}\n\\toprule\n", out);
    for (size_t at = 0; at < columns; at++) {
        size_t column = part_column(layout, part, at);

        fputs(at == 0 ? "" : " & ", out);
        write_head(out, layout->grid->head[column], layout->number[column], layout->width[column]);
    }
    fputs(" \\tabularnewline\n\\midrule\n", out);
    for (size_t row = part->first_row; row < part->end_row; row++) {
        for (size_t at = 0; at < columns; at++) {
            size_t column = part_column(layout, part, at);

            fputs(at == 0 ? "" : " & ", out);
            write_cell(out, grid_cell(layout->grid, row, column), layout->wrapped[column]);
        }
        fputs(" \\tabularnewline\n", out);
    }
    fputs("\\bottomrule\n\\end{tabular}\n", out);
}

void grid_words_write_tex(const struct grid_words *words, const char *kind, const char *bold,
                          FILE *out)
{
    const char *title = words->title;
    const bool ended = title[0] != '\0' && strchr("?!.", title[strlen(title) - 1]) != NULL;

    tex_print(out, "\\caption[%s]{%s%s %s", title, title, ended ? "" : ".", words->caption);
    if (bold != NULL)
        tex_print(out, " Bold: %s.", bold);
    fprintf(out, "}\n\\label{%s:%s}\n", kind, words->name);
}

static void write_part(FILE *out, const struct layout *layout, const struct part *part)
{
    const char *star = layout->wide ? "*" : "";
    char *bold = grid_best_words(layout->grid);

    fprintf(out, "\\begin{table%s}[tp]\n\\centering\\sloppy\n", star);
    if (part->first)
        grid_words_write_tex(layout->words, "tab", bold, out);
    else
        tex_print(out, "\\addtocounter{table}{-1}\n\\caption[]{%s (continued)}\n",
                  layout->words->title);
    fputs("\\par\\vspace{4pt}\n\\fontsize{8}{9.5}\\selectfont\n\\setlength{\\tabcolsep}{3pt}\n",
          out);
    write_tabular(out, layout, part);
    fprintf(out, "\\end{table%s}\n", star);
    free(bold);
}

static void write_parts(FILE *out, const struct layout *layout)
{
    const struct grid *grid = layout->grid;
    struct part part = {0, 0, 0, 0, true};

    for (; part.first || part.first_row < grid->rows; part.first_row = part.end_row) {
        part.end_row = end_row(layout, part.first_row);
        part.first_column = layout->keys;
        do {
            part.end_column = end_column(layout, part.first_column);
            write_part(out, layout, &part);
            part.first = false;
            part.first_column = part.end_column;
        } while (part.first_column < grid->columns);
    }
}

void grid_write_tex(const struct grid *grid, const struct grid_words *words, FILE *out)
{
    struct layout layout = {
        .grid = grid,
        .words = words,
        .width = memory_alloc(grid->columns, sizeof *layout.width),
        .number = memory_alloc(grid->columns, sizeof *layout.number),
        .wrapped = memory_alloc(grid->columns, sizeof *layout.wrapped),
    };
    double width;

    for (size_t i = 0; i < grid->columns; i++)
        measure_column(&layout, i);
    count_keys(&layout);
    width = keys_width(&layout);
    for (size_t i = layout.keys; i < grid->columns; i++)
        width += BETWEEN + layout.width[i];
    layout.wide = width > COLUMN_WIDTH;
    write_parts(out, &layout);
    free(layout.wrapped);
    free(layout.number);
    free(layout.width);
}
