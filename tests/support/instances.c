/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/instances.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "tests/support/tap.h"
#include "workloads/workload.h"

struct instance *sealed(struct instance *instance)
{
    struct error error = {""};

    if (!instance_seal(instance, NULL, &error)) {
        tap_diag("instance %s: %s", instance->name, error.text);
        abort();
    }
    return instance;
}

static char *next_id(const struct instance *instance)
{
    return memory_printf("b%zu", instance->n);
}

void add_buffer(struct instance *instance, int64_t begin, int64_t end, int64_t size,
                int64_t alignment)
{
    char *id = next_id(instance);

    instance_add(instance, id, begin, end, size, alignment);
    free(id);
}

void add_shape(struct instance *instance, const struct piece *piece, size_t count,
               int64_t alignment)
{
    char *id = next_id(instance);

    instance_add_pieces(instance, id, piece, count, alignment);
    free(id);
}

/* "BEGIN END SIZE" or "BEGIN END LOW-HIGH" */
static struct piece read_piece(const char **text)
{
    struct piece piece = {.tensor = true};
    int length = 0;

    if (sscanf(*text, "%" SCNd64 " %" SCNd64 " %" SCNd64 "%n", &piece.begin, &piece.end, &piece.hi,
               &length) < 3)
        tap_bail(*text);
    *text += length;
    if (**text == '-') {
        piece.lo = piece.hi;
        if (sscanf(*text, "-%" SCNd64 "%n", &piece.hi, &length) < 1)
            tap_bail(*text);
        *text += length;
    }
    return piece;
}

enum { MOST_PIECES = 8 };

void rows_add(struct instance *instance, const char *rows)
{
    while (*rows != '\0') {
        struct piece piece[MOST_PIECES];
        size_t count = 0;
        int64_t alignment = 1;
        char id[40];
        int length = 0;

        if (sscanf(rows, " %39s%n", id, &length) < 1)
            tap_bail(rows);
        do {
            rows += length;
            piece[count++] = read_piece(&rows);
            length = 0;
            sscanf(rows, " +%n", &length);
        } while (length > 0 && count < MOST_PIECES);
        if (sscanf(rows, "%" SCNd64 "%n", &alignment, &length) == 1)
            rows += length;
        if (*rows != '\0' && *rows++ != ';')
            tap_bail(rows);
        if (count == 1 && piece[0].lo == 0)
            instance_add(instance, id, piece[0].begin, piece[0].end, piece[0].hi, alignment);
        else
            instance_add_pieces(instance, id, piece, count, alignment);
    }
}

struct instance *instance_of_rows(const char *rows)
{
    struct instance *instance = instance_new("rows");

    rows_add(instance, rows);
    return sealed(instance);
}

/* Whether pieces of A and B are alive together and, D apart, use the same bytes, too.  */
static bool pieces_meet(const struct instance *instance, size_t a, size_t b, bool bytes, int64_t d)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];

    for (size_t i = 0; i < x->pieces; i++)
        for (size_t k = 0; k < y->pieces; k++) {
            const struct piece *p = &instance->piece[x->first_piece + i];
            const struct piece *q = &instance->piece[y->first_piece + k];

            if (p->begin < q->end && q->begin < p->end &&
                (!bytes || (q->lo + d < p->hi && p->lo < q->hi + d)))
                return true;
        }
    return false;
}

bool lives_meet(const struct instance *instance, size_t a, size_t b)
{
    return pieces_meet(instance, a, b, false, 0);
}

bool bytes_meet(const struct instance *instance, size_t a, size_t b, int64_t d)
{
    return pieces_meet(instance, a, b, true, d);
}

char *csv_of(const struct instance *instance)
{
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);

    if (!instance_csv_write(out, instance))
        tap_bail(instance->name);
    memory_stream_close(out);
    return text;
}

struct instance *three(int64_t alignment)
{
    struct instance *instance = instance_new("three");

    instance_add(instance, "a", 0, 2, 10, 1);
    instance_add(instance, "b", 2, 4, 7, alignment);
    instance_add(instance, "c", 1, 3, 5, 1);
    return sealed(instance);
}

void add_gadget(struct instance *instance, int64_t copy, int64_t begin, int64_t scale)
{
    static const int64_t row[][3] = {{0, 1, 2}, {0, 2, 2}, {1, 3, 1}, {1, 4, 1},
                                     {2, 4, 1}, {3, 5, 2}, {4, 5, 2}};

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char id[40];

        snprintf(id, sizeof id, "%c%" PRId64, (char)('a' + i), copy);
        instance_add(instance, id, begin + row[i][0], begin + row[i][1], row[i][2] * scale, 1);
    }
}

struct instance *gap_gadget(int64_t scale)
{
    struct instance *instance = instance_new("gadget");

    add_gadget(instance, 0, 0, scale);
    return sealed(instance);
}

static struct instance *make(const char *spec, struct error *error,
                             struct instance *(*from)(const struct workload *, struct error *))
{
    struct instance *instance = NULL;
    struct workload workload;

    error->text[0] = '\0';
    if (workload_parse(&workload, spec, error)) {
        instance = from(&workload, error);
        workload_clear(&workload);
    }
    return instance;
}

struct instance *instance_from(const char *spec, struct error *error)
{
    return make(spec, error, workload_instance);
}

struct instance *runnable_from(const char *spec, struct error *error)
{
    return make(spec, error, workload_runnable);
}

struct network *network_from(const char *spec, struct error *error)
{
    struct network *network = NULL;
    struct workload workload;

    error->text[0] = '\0';
    if (workload_parse(&workload, spec, error)) {
        network = workload_network(&workload, error);
        workload_clear(&workload);
    }
    return network;
}

/* MADE, without which the test makes no sense.  */
static void *needed(void *made, const char *spec, const struct error *error)
{
    if (made == NULL) {
        tap_diag("%s: %s", spec, error->text);
        abort();
    }
    return made;
}

struct instance *instance_of(const char *spec)
{
    struct error error;

    return needed(instance_from(spec, &error), spec, &error);
}

struct instance *runnable_of(const char *spec)
{
    struct error error;

    return needed(runnable_from(spec, &error), spec, &error);
}

struct network *network_of(const char *spec)
{
    struct error error;

    return needed(network_from(spec, &error), spec, &error);
}
