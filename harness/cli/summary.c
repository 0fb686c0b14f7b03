/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/summary.h"

#include <inttypes.h>
#include <stdlib.h>

#include "harness/io/table.h"
#include "lib/base/checked.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "lib/problem/pieces.h"

/* How many of the largest buffers are listed, and how many operators of a step are named.  */
enum { LARGEST = 10, NAMED = 3 };

/* --- steps --- */

struct change {
    int64_t step;
    int64_t bytes; /* in use from then on, more or less */
    int64_t count; /* buffers alive */
};

/* The first step where as much is in use as anywhere; if as many buffers are alive there as
 * anywhere, it is the widest too, else the first where that is so.  */
struct peaks {
    int64_t fullest, load;
    int64_t widest, width;
};

static int compare_changes(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    return ORDER(x->step, y->step) ?: ORDER(x->bytes, y->bytes) ?: ORDER(x->count, y->count);
}

/* The disjoint rectangles of BUFFER; the caller frees *PIECE.  */
static size_t rectangles(const struct instance *instance, const struct buffer *buffer,
                         struct piece **piece)
{
    return pieces_disjoint(&instance->piece[buffer->first_piece], buffer->pieces, piece);
}

/* Of the rectangles that live at the same steps only the first counts as a buffer.  */
static struct change *find_changes(const struct instance *instance, size_t *count)
{
    struct change *change = NULL;
    size_t capacity = 0;

    *count = 0;
    for (size_t b = 0; b < instance->n; b++) {
        struct piece *piece;
        size_t pieces = rectangles(instance, &instance->buffer[b], &piece);

        change = memory_grow(change, &capacity, *count + 2 * pieces, sizeof *change);
        for (size_t i = 0; i < pieces; i++) {
            int64_t bytes = piece[i].hi - piece[i].lo;
            bool counts = i == 0 || piece[i].begin != piece[i - 1].begin;

            change[(*count)++] = (struct change){piece[i].begin, bytes, counts};
            change[(*count)++] = (struct change){piece[i].end, -bytes, -(int64_t)counts};
        }
        free(piece);
    }
    return change;
}

static struct peaks find_peaks(const struct instance *instance)
{
    size_t count;
    struct change *change = find_changes(instance, &count);
    struct peaks peaks = {0};
    int64_t bytes = 0, alive = 0, with_load = 0;

    if (count > 0)
        qsort(change, count, sizeof *change, compare_changes);
    for (size_t i = 0; i < count; i++) {
        bytes += change[i].bytes;
        alive += change[i].count;
        if (i + 1 < count && change[i + 1].step == change[i].step)
            continue;
        if (bytes > peaks.load) {
            peaks.fullest = change[i].step;
            peaks.load = bytes;
            with_load = alive;
        }
        if (alive > peaks.width) {
            peaks.widest = change[i].step;
            peaks.width = alive;
        }
    }
    if (with_load == peaks.width)
        peaks.widest = peaks.fullest;
    free(change);
    return peaks;
}

/* ", in which NAME (TYPE) runs", where that is known.  */
static void print_operators(const struct instance *instance, int64_t step, FILE *out)
{
    const struct origin *origin = instance->origin;
    size_t found = 0;

    if (origin == NULL)
        return;
    for (size_t o = 0; o < origin->network->n_ops; o++) {
        const struct network_op *op = &origin->network->op[o];

        if (origin->schedule->step[o] != step)
            continue;
        if (found < NAMED)
            people_print(out, "%s'%s' (%s)", found == 0 ? ", in which " : ", ", op->name, op->type);
        found++;
    }
    if (found > NAMED)
        people_print(out, " and %zu more", found - NAMED);
    if (found > 0)
        fputs(found == 1 ? " runs" : " run", out);
}

/* --- buffers --- */

struct row {
    size_t buffer;
    int64_t bytes; /* that the row is about */
};

static int compare_rows(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    return ORDER(y->bytes, x->bytes) ?: ORDER(x->buffer, y->buffer);
}

/* A table of ROWS, the largest first; their bytes as COLUMN, and what share of WHOLE they are.  */
static bool print_rows(const struct instance *instance, struct row *row, size_t rows, size_t shown,
                       const char *column, int64_t whole, FILE *out)
{
    const struct table_column columns[] = {
        {"buffer", NULL}, {"lower", ""}, {"upper", ""}, {column, "bytes"}, {"share", NULL}};
    struct table *table = table_new(columns, 5);
    bool good;

    if (rows > 0)
        qsort(row, rows, sizeof *row, compare_rows);
    for (size_t i = 0; i < rows && i < shown; i++) {
        const struct buffer *buffer = &instance->buffer[row[i].buffer];

        table_texts(table, buffer->id);
        table_ints(table, buffer->begin, buffer->end, row[i].bytes);
        table_cell(table, "%.1f%%", 100.0 * (double)row[i].bytes / (double)whole);
    }
    good = table_print(table, out, TABLE_TEXT);
    table_free(table);
    return good;
}

/* Bytes of BUFFER in use at STEP.  */
static int64_t bytes_at(const struct instance *instance, const struct buffer *buffer, int64_t step)
{
    struct piece *piece;
    size_t pieces = rectangles(instance, buffer, &piece);
    int64_t bytes = 0;

    for (size_t i = 0; i < pieces; i++)
        if (piece[i].begin <= step && step < piece[i].end)
            bytes += piece[i].hi - piece[i].lo;
    free(piece);
    return bytes;
}

static bool print_alive(const struct instance *instance, int64_t step, FILE *out)
{
    struct row *row = memory_alloc(instance->n, sizeof *row);
    size_t rows = 0;
    int64_t whole = 0;
    bool good;

    for (size_t b = 0; b < instance->n; b++) {
        int64_t bytes = bytes_at(instance, &instance->buffer[b], step);

        whole += bytes;
        if (bytes > 0)
            row[rows++] = (struct row){b, bytes};
    }
    good = print_rows(instance, row, rows, rows, "in_use", whole, out);
    free(row);
    return good;
}

static bool print_largest(const struct instance *instance, FILE *out)
{
    struct row *row = memory_alloc(instance->n, sizeof *row);
    bool good;

    for (size_t b = 0; b < instance->n; b++)
        row[b] = (struct row){b, instance->buffer[b].size};
    good = print_rows(instance, row, instance->n, LARGEST, "size", instance->total, out);
    free(row);
    return good;
}

/* --- counts --- */

static void print_counts(const struct instance *instance, FILE *out)
{
    const struct network *network;
    size_t inputs = 0, outputs = 0, stored = 0;

    people_print(out, "%s\n", instance->name);
    if (instance->origin != NULL) {
        network = instance->origin->network;
        for (size_t v = 0; v < network->n_values; v++) {
            const struct value *value = &network->value[v];

            inputs += value->role == VALUE_INPUT;
            outputs += value->output;
            stored += value->role != VALUE_INPUT && value->role != VALUE_ACTIVATION;
        }
        people_print(out, "operators: %zu, in %" PRId64 " steps\n", network->n_ops,
                     instance->origin->schedule->steps);
        people_print(out, "values: %zu (inputs: %zu, outputs: %zu, stored: %zu)\n",
                     network->n_values, inputs, outputs, stored);
    }
    people_print(out, "buffers: %zu, %" PRId64 " bytes in all\n", instance->n, instance->total);
}

bool summary_print(const struct instance *instance, FILE *out)
{
    struct peaks peaks = find_peaks(instance);

    print_counts(instance, out);
    if (instance->n == 0)
        return file_flush(out);
    people_print(out, "load: %" PRId64 " bytes, in use at step %" PRId64, peaks.load,
                 peaks.fullest);
    print_operators(instance, peaks.fullest, out);
    fputs("; no plan needs less\n", out);
    people_print(out, "width: %" PRId64 " buffers, alive at step %" PRId64, peaks.width,
                 peaks.widest);
    print_operators(instance, peaks.widest, out);
    people_print(out, "\n\nAlive at step %" PRId64 ", the fullest:\n", peaks.fullest);
    if (!print_alive(instance, peaks.fullest, out))
        return false;
    if (peaks.widest != peaks.fullest) {
        people_print(out, "\nAlive at step %" PRId64 ", the widest:\n", peaks.widest);
        if (!print_alive(instance, peaks.widest, out))
            return false;
    }
    fputs("\nThe largest buffers, and their share of all bytes:\n", out);
    return print_largest(instance, out);
}
