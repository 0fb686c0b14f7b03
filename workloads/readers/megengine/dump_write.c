/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/megengine/dump_write.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/intervals.h"

/* What a buffer becomes: an interval for each of its pieces, or one for its bounding
 * rectangle.  */
struct dump_plan {
    bool *chain;   /* of each buffer: its pieces are written */
    size_t *of;    /* of each piece: the piece that it overwrites; SIZE_MAX: none */
    size_t *place; /* of each piece: its interval; of other than chains that of the first one */
    struct line *line;
    size_t intervals, wishes;
};

/* An interval and where it comes among the others.  */
struct line {
    size_t number, piece;
    int64_t begin, end, size;
};

/* The links of BUFFER join all its pieces, the first of which spans it.  A dump can say no
 * more of a link than that its piece begins while the other one is in use already.  */
static bool is_chain(const struct instance *instance, const struct buffer *buffer, const size_t *of)
{
    size_t roots = 0;

    for (size_t i = 0; i < buffer->pieces; i++) {
        size_t p = buffer->first_piece + i;
        const struct piece *piece = &instance->piece[p];

        if (of[p] == SIZE_MAX) {
            roots++;
            if (piece->lo != 0 || piece->hi != buffer->size)
                return false;
        } else if (instance->piece[of[p]].begin >= piece->begin) {
            return false;
        }
    }
    return roots == 1;
}

static int compare_lines(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    return ORDER(x->number, y->number);
}

/* The intervals by their number, so that they are given to a planner in the same order
 * when they are read again.  */
static void place_lines(struct dump_plan *plan, const struct instance *instance)
{
    size_t *number = intervals_number(instance);

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        size_t p = buffer->first_piece;

        if (!plan->chain[b])
            plan->line[plan->intervals++] =
                (struct line){number[p], p, buffer->begin, buffer->end, buffer->size};
        for (size_t i = 0; plan->chain[b] && i < buffer->pieces; i++, p++) {
            const struct piece *piece = &instance->piece[p];

            plan->line[plan->intervals++] =
                (struct line){number[p], p, piece->begin, piece->end, piece->hi - piece->lo};
        }
    }
    if (plan->intervals > 0)
        qsort(plan->line, plan->intervals, sizeof *plan->line, compare_lines);
    for (size_t i = 0; i < plan->intervals; i++)
        plan->place[plan->line[i].piece] = i;
    free(number);
}

static struct dump_plan plan_dump(const struct instance *instance)
{
    struct dump_plan plan = {
        .chain = memory_alloc(instance->n, sizeof *plan.chain),
        .of = memory_alloc(instance->pieces, sizeof *plan.of),
        .place = memory_alloc(instance->pieces, sizeof *plan.place),
        .line = memory_alloc(instance->pieces, sizeof *plan.line),
    };

    for (size_t p = 0; p < instance->pieces; p++)
        plan.of[p] = SIZE_MAX;
    for (size_t i = 0; i < instance->n_overwrites; i++)
        plan.of[instance->overwrite[i].by] = instance->overwrite[i].of;
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        plan.chain[b] = is_chain(instance, buffer, plan.of);
        plan.wishes += plan.chain[b] ? buffer->pieces - 1 : 0;
    }
    place_lines(&plan, instance);
    return plan;
}

static void clear(struct dump_plan *plan)
{
    free(plan->chain);
    free(plan->of);
    free(plan->place);
    free(plan->line);
}

static void write_intervals(FILE *out, const struct dump_plan *plan)
{
    fprintf(out, "%zu\n", plan->intervals);
    for (size_t i = 0; i < plan->intervals; i++)
        fprintf(out, "%" PRId64 " %" PRId64 " %" PRId64 "\n", plan->line[i].begin,
                plan->line[i].end, plan->line[i].size);
}

static void write_wishes(FILE *out, const struct instance *instance, const struct dump_plan *plan)
{
    fprintf(out, "%zu\n", plan->wishes);
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        for (size_t i = 0; plan->chain[b] && i < buffer->pieces; i++) {
            size_t by = buffer->first_piece + i, of = plan->of[by];

            if (of != SIZE_MAX)
                fprintf(out, "%zu %zu %" PRId64 "\n", plan->place[by], plan->place[of],
                        instance->piece[by].lo - instance->piece[of].lo);
        }
    }
}

bool megengine_dump_writable(const struct instance *instance, struct error *error)
{
    for (size_t b = 0; b < instance->n; b++)
        if (instance->buffer[b].begin < 0)
            return error_set(error,
                             "buffer '%s' begins at step %" PRId64
                             "; a dump of MegEngine's expects steps of at least 0",
                             instance->buffer[b].id, instance->buffer[b].begin);
    return true;
}

bool megengine_dump_write(FILE *out, const struct instance *instance)
{
    struct dump_plan plan = plan_dump(instance);

    write_intervals(out, &plan);
    write_wishes(out, instance, &plan);
    clear(&plan);
    return file_flush(out);
}

struct megengine_dump_losses megengine_dump_losses(const struct instance *instance)
{
    struct megengine_dump_losses losses = {.empty = instance->n_empty,
                                           .alignment = instance->max_alignment > 1,
                                           .fixed = instance->fixed > 0};
    struct dump_plan plan = plan_dump(instance);

    for (size_t b = 0; b < instance->n; b++)
        losses.joined += !plan.chain[b];
    clear(&plan);
    return losses;
}
