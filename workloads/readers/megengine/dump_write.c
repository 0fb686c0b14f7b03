#include <config.h>

#include "workloads/readers/megengine/dump_write.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"

/* What a buffer becomes: an interval for each of its pieces, or one for its bounding
 * rectangle.  */
struct dump_plan {
    bool *chain;   /* of each buffer: its pieces are written */
    size_t *of;    /* of each piece: the piece that it overwrites; SIZE_MAX: none */
    size_t *first; /* of each buffer: its first interval */
    size_t intervals, wishes;
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

static struct dump_plan plan_dump(const struct instance *instance)
{
    struct dump_plan plan = {
        .chain = memory_alloc(instance->n, sizeof *plan.chain),
        .of = memory_alloc(instance->pieces, sizeof *plan.of),
        .first = memory_alloc(instance->n, sizeof *plan.first),
    };

    for (size_t p = 0; p < instance->pieces; p++)
        plan.of[p] = SIZE_MAX;
    for (size_t i = 0; i < instance->n_overwrites; i++)
        plan.of[instance->overwrite[i].by] = instance->overwrite[i].of;
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        plan.chain[b] = is_chain(instance, buffer, plan.of);
        plan.first[b] = plan.intervals;
        plan.intervals += plan.chain[b] ? buffer->pieces : 1;
        plan.wishes += plan.chain[b] ? buffer->pieces - 1 : 0;
    }
    return plan;
}

static void clear(struct dump_plan *plan)
{
    free(plan->chain);
    free(plan->of);
    free(plan->first);
}

static void write_intervals(FILE *out, const struct instance *instance,
                            const struct dump_plan *plan)
{
    fprintf(out, "%zu\n", plan->intervals);
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        if (!plan->chain[b])
            fprintf(out, "%" PRId64 " %" PRId64 " %" PRId64 "\n", buffer->begin, buffer->end,
                    buffer->size);
        for (size_t i = 0; plan->chain[b] && i < buffer->pieces; i++) {
            const struct piece *piece = &instance->piece[buffer->first_piece + i];

            fprintf(out, "%" PRId64 " %" PRId64 " %" PRId64 "\n", piece->begin, piece->end,
                    piece->hi - piece->lo);
        }
    }
}

static void write_wishes(FILE *out, const struct instance *instance, const struct dump_plan *plan)
{
    fprintf(out, "%zu\n", plan->wishes);
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        for (size_t i = 0; plan->chain[b] && i < buffer->pieces; i++) {
            size_t by = buffer->first_piece + i, of = plan->of[by];

            if (of != SIZE_MAX)
                fprintf(out, "%zu %zu %" PRId64 "\n", plan->first[b] + i,
                        plan->first[b] + (of - buffer->first_piece),
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

    write_intervals(out, instance, &plan);
    write_wishes(out, instance, &plan);
    clear(&plan);
    return file_flush(out);
}

struct megengine_dump_losses megengine_dump_losses(const struct instance *instance)
{
    struct megengine_dump_losses losses = {.empty = instance->n_empty,
                                           .alignment = instance->max_alignment > 1};
    struct dump_plan plan = plan_dump(instance);

    for (size_t b = 0; b < instance->n; b++)
        losses.joined += !plan.chain[b];
    clear(&plan);
    return losses;
}
