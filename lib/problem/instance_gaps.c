/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/problem/instance_gaps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/pieces.h"

/* --- reading --- */

/* The bytes [from, to) that are in use in the steps [begin, end): none where the
 * two are equal.  */
struct gap {
    int64_t begin, end, from, to;
    size_t column;
};

/* What a cell is read with.  */
struct gap_reader {
    const struct csv *csv;
    bool inclusive;
    int64_t lower, upper, size;
    struct error *error;
};

/* The part of ITEM from byte FROM to before byte TO.  */
static struct csv_cell part(const struct csv_cell *item, size_t from, size_t to)
{
    return (struct csv_cell){item->text + from, to - from, item->column + from};
}

static bool malformed(const struct gap_reader *reader, const struct csv_cell *item,
                      const char *expected)
{
    struct csv_shown shown = csv_shown(item->text, item->length);

    return csv_error(reader->csv, item->column, reader->error, "gap '%s'; expected %s", shown.text,
                     expected);
}

/* Two numbers with MARK between them; a minus sign may begin each.  */
static bool read_pair(const struct gap_reader *reader, const struct csv_cell *item, char mark,
                      int64_t *low, int64_t *high)
{
    const char *at = item->length < 2 ? NULL : memchr(item->text + 1, mark, item->length - 1);
    size_t split = at == NULL ? 0 : (size_t)(at - item->text);
    struct csv_cell one = part(item, 0, split), two = part(item, split + 1, item->length);

    if (at == NULL)
        return malformed(reader, item, mark == '-' ? "LO-HI or LO-HI@FROM:TO" : "FROM:TO");
    return csv_part_int(reader->csv, &one, "gap from", INT64_MIN, low, reader->error) &&
           csv_part_int(reader->csv, &two, "gap to", INT64_MIN, high, reader->error);
}

static bool read_gap(const struct gap_reader *reader, const struct csv_cell *item, struct gap *gap)
{
    const char *at = memchr(item->text, '@', item->length);
    size_t length = at == NULL ? item->length : (size_t)(at - item->text);
    struct csv_cell steps = part(item, 0, length), bytes;

    *gap = (struct gap){.column = item->column};
    if (!read_pair(reader, &steps, '-', &gap->begin, &gap->end))
        return false;
    if (reader->inclusive && !checked_add(gap->end, 1, &gap->end))
        return malformed(reader, item, "an end below the largest number");
    if (gap->begin < reader->lower || gap->begin >= gap->end || gap->end > reader->upper)
        return csv_error(reader->csv, steps.column, reader->error,
                         "gap [%" PRId64 ", %" PRId64
                         "); expected steps inside the lifetime [%" PRId64 ", %" PRId64 ")",
                         gap->begin, gap->end, reader->lower, reader->upper);
    if (at == NULL)
        return true;
    bytes = part(item, length + 1, item->length);
    if (!read_pair(reader, &bytes, ':', &gap->from, &gap->to))
        return false;
    if (gap->from < 0 || gap->from >= gap->to || gap->to > reader->size)
        return csv_error(reader->csv, bytes.column, reader->error,
                         "bytes [%" PRId64 ", %" PRId64 "); expected some of the %" PRId64
                         " of the buffer",
                         gap->from, gap->to, reader->size);
    return true;
}

static int compare_gaps(const void *a, const void *b)
{
    const struct gap *x = a, *y = b;

    return ORDER(x->begin, y->begin) ?: ORDER(x->column, y->column);
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* All gaps of a cell, ascending.  */
static bool read_gaps(const struct gap_reader *reader, const struct csv_cell *cell,
                      struct gap **gaps, size_t *count)
{
    size_t capacity = 0;
    bool good = true;

    for (size_t at = 0; at < cell->length && good;) {
        size_t start = at;
        struct csv_cell item;

        while (at < cell->length && !is_blank(cell->text[at]))
            at++;
        if (at == start) {
            at++;
            continue;
        }
        item = part(cell, start, at);
        *gaps = memory_grow(*gaps, &capacity, *count + 1, sizeof **gaps);
        good = read_gap(reader, &item, &(*gaps)[*count]);
        *count += good;
    }
    if (*count > 0)
        qsort(*gaps, *count, sizeof **gaps, compare_gaps);
    for (size_t i = 1; i < *count && good; i++)
        if ((*gaps)[i].begin < (*gaps)[i - 1].end)
            good = csv_error(reader->csv, (*gaps)[i].column, reader->error,
                             "the gap from %" PRId64 " overlaps the one from %" PRId64
                             "; expected each step in at most one",
                             (*gaps)[i].begin, (*gaps)[i - 1].begin);
    return good;
}

/* Appends a piece, or makes the last one longer if it has the same bytes.  */
static void add_piece(struct piece *piece, size_t *count, int64_t begin, int64_t end, int64_t lo,
                      int64_t hi)
{
    if (begin == end || lo == hi)
        return;
    if (*count > 0 && piece[*count - 1].end == begin && piece[*count - 1].lo == lo &&
        piece[*count - 1].hi == hi)
        piece[*count - 1].end = end;
    else
        piece[(*count)++] = (struct piece){begin, end, lo, hi, lo == 0};
}

bool gaps_read(const struct csv *csv, size_t cell, bool inclusive, int64_t lower, int64_t upper,
               int64_t size, struct piece **piece, size_t *count, struct error *error)
{
    const struct gap_reader reader = {csv, inclusive, lower, upper, size, error};
    struct gap *gap = NULL;
    size_t gaps = 0;
    int64_t at = lower;
    bool good = read_gaps(&reader, &csv->cell[cell], &gap, &gaps);

    *count = 0;
    *piece = NULL;
    if (good) {
        *piece = memory_alloc(2 * gaps + 1, sizeof **piece);
        for (size_t i = 0; i < gaps; i++) {
            add_piece(*piece, count, at, gap[i].begin, 0, size);
            add_piece(*piece, count, gap[i].begin, gap[i].end, gap[i].from, gap[i].to);
            at = gap[i].end;
        }
        add_piece(*piece, count, at, upper, 0, size);
        if (*count == 0 && size > 0)
            good = csv_error(csv, csv->cell[cell].column, error,
                             "the gaps leave nothing of the buffer; expected a step in use");
    }
    memory_free(gap);
    if (!good) {
        memory_free(*piece);
        *piece = NULL;
    }
    return good;
}

/* --- writing --- */

static void write_gap(FILE *out, const char **blank, int64_t begin, int64_t end, int64_t lo,
                      int64_t hi)
{
    if (out == NULL || begin == end)
        return;
    fprintf(out, "%s%" PRId64 "-%" PRId64, *blank, begin, end);
    if (lo < hi)
        fprintf(out, "@%" PRId64 ":%" PRId64, lo, hi);
    *blank = " ";
}

bool gaps_write(FILE *out, const struct instance *instance, size_t b)
{
    const struct buffer *buffer = &instance->buffer[b];
    struct piece *disjoint, now = {buffer->begin, buffer->begin, 0, buffer->size, false};
    size_t count =
        pieces_disjoint(&instance->piece[buffer->first_piece], buffer->pieces, &disjoint);
    const char *blank = "";
    bool exact = true;

    /* NOW is the last stretch of time with the same bytes in use.  */
    for (size_t i = 0, next; i <= count; i = next) {
        struct piece slab = {.begin = buffer->end};

        next = i + 1;
        if (i < count)
            slab = disjoint[i];
        for (; next < count && disjoint[next].begin == slab.begin; next++) {
            slab.hi = disjoint[next].hi;
            exact = false;
        }
        if (i < count && slab.begin == now.end && slab.lo == now.lo && slab.hi == now.hi) {
            now.end = slab.end;
            continue;
        }
        if (now.lo != 0 || now.hi != buffer->size)
            write_gap(out, &blank, now.begin, now.end, now.lo, now.hi);
        write_gap(out, &blank, now.end, slab.begin, 0, 0);
        now = slab;
    }
    memory_free(disjoint);
    return exact;
}
