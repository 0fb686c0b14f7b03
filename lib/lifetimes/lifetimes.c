/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/lifetimes/lifetimes.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/graph/workspace.h"
#include "lib/lifetimes/inplace.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"

/* --- buffers --- */

/* The chunks of all buffers, those of one buffer together in order of birth.  */
struct piece_ref {
    size_t root, chunk;
    int64_t begin, place;
};

static int compare_refs(const void *a, const void *b)
{
    const struct piece_ref *x = a, *y = b;

    return ORDER(x->root, y->root) ?: ORDER(x->begin, y->begin) ?: ORDER(x->place, y->place) ?:
           ORDER(x->chunk, y->chunk);
}

/* What add_buffer works on.  */
struct gathering {
    struct instance *instance;
    const struct network *network;
    const struct places *places;
    int64_t alignment;
    int64_t *element; /* of each root: bytes of its largest element; NULL: 1 */
    size_t refs;
    struct piece_ref *ref;
    size_t *first;  /* of each root: its first entry in ref */
    size_t *buffer; /* of each root, SIZE_MAX before it was added */
    size_t *piece;  /* of each chunk, in the instance */
    size_t *value;  /* of each buffer */
};

static bool counts(const struct chunk *chunk)
{
    return chunk->counts && chunk->size > 0;
}

static void gather(struct gathering *all)
{
    const struct places *places = all->places;

    all->ref = memory_alloc(places->n, sizeof *all->ref);
    all->first = memory_alloc(places->n, sizeof *all->first);
    all->buffer = memory_alloc(places->n, sizeof *all->buffer);
    all->piece = memory_alloc(places->n, sizeof *all->piece);
    all->value = memory_alloc(places->n, sizeof *all->value);
    for (size_t c = 0; c < places->n; c++) {
        const struct chunk *chunk = &places->chunk[c];

        all->buffer[c] = SIZE_MAX;
        if (counts(chunk))
            all->ref[all->refs++] = (struct piece_ref){chunk->root, c, chunk->begin, chunk->place};
    }
    if (all->refs > 0)
        qsort(all->ref, all->refs, sizeof *all->ref, compare_refs);
    for (size_t i = all->refs; i-- > 0;)
        all->first[all->ref[i].root] = i;
}

static void release(struct gathering *all)
{
    free(all->ref);
    free(all->first);
    free(all->buffer);
    free(all->piece);
    free(all->element);
}

/* Offsets are sums of sizes: where all of these are multiples of the largest element, no element
 * lies where its type does not allow it.  Else buffers are aligned to their own.  */
static void find_elements(struct gathering *all)
{
    const struct places *places = all->places;
    int64_t largest = 1;
    bool fit = true;

    all->element = memory_alloc(places->n, sizeof *all->element);
    for (size_t c = 0; c < places->n; c++)
        all->element[c] = 1;
    for (size_t v = 0; v < all->network->n_values; v++) {
        const struct chunk *chunk = &places->chunk[places->chunk_of[v]];
        int64_t *of = &all->element[chunk->root];

        *of = max64(*of, (int64_t)dtype_size(all->network->value[v].dtype));
        largest = counts(chunk) ? max64(largest, *of) : largest;
    }
    for (size_t c = 0; c < places->n; c++)
        fit = fit && (!counts(&places->chunk[c]) || places->chunk[c].size % largest == 0);
    if (fit) {
        free(all->element);
        all->element = NULL;
    }
}

/* The least common multiple of alignments A and B, or -1 (which no alignment may be) where there is
 * none.  */
static int64_t both(int64_t a, int64_t b)
{
    int64_t multiple;

    return a > 0 && checked_mul(a / gcd64(a, b), b, &multiple) ? multiple : -1;
}

/* Bytes that the buffer of ROOT is aligned to: what everything is, what its elements are, and what
 * a workspace is.  */
static int64_t alignment_of(const struct gathering *all, size_t root)
{
    int64_t alignment = all->alignment;

    if (all->element != NULL)
        alignment = both(alignment, all->element[root]);
    if (all->network->value[all->places->chunk[root].value].workspace)
        alignment = both(alignment, WORKSPACE_ALIGNMENT);
    return alignment;
}

/* Adds the buffer that chunk C lies in, unless it is there already.  */
static void add_buffer(struct gathering *all, size_t c)
{
    const struct places *places = all->places;
    size_t root = places->chunk[c].root, at = all->first[root], count = 0;
    struct piece *piece;
    char *id;

    if (all->buffer[root] != SIZE_MAX)
        return;
    while (at + count < all->refs && all->ref[at + count].root == root)
        count++;
    piece = memory_alloc(count, sizeof *piece);
    for (size_t i = 0; i < count; i++) {
        const struct chunk *chunk = &places->chunk[all->ref[at + i].chunk];

        piece[i] = (struct piece){chunk->begin, chunk->end, chunk->place,
                                  chunk->place + chunk->size, true};
        all->piece[all->ref[at + i].chunk] = all->instance->pieces + i;
    }
    id = instance_clean_id(all->network->value[places->chunk[root].value].name);
    all->value[all->instance->n] = places->chunk[root].value;
    all->buffer[root] =
        instance_add_pieces(all->instance, id, piece, count, alignment_of(all, root));
    for (size_t i = 0; i < count; i++) {
        size_t by = all->ref[at + i].chunk;

        if (places->chunk[by].dest != SIZE_MAX)
            instance_add_overwrite(all->instance, all->piece[by],
                                   all->piece[places->chunk[by].dest]);
    }
    free(id);
    free(piece);
}

/* Buffers in the order in which their first values are born: what is there from
 * the start, then the operators' outputs in file order.  */
static void add_buffers(struct gathering *all)
{
    for (size_t c = 0; c < all->places->n; c++)
        if (counts(&all->places->chunk[c]))
            add_buffer(all, c);
}

/* Tells the origin where each value lies.  */
static void set_places(const struct gathering *all)
{
    const struct places *places = all->places;
    size_t n = all->network->n_values, *buffer = memory_alloc(n, sizeof *buffer);
    int64_t *place = memory_alloc(n, sizeof *place);

    for (size_t v = 0; v < n; v++) {
        const struct chunk *chunk = &places->chunk[places->chunk_of[v]];

        buffer[v] = counts(chunk) ? all->buffer[chunk->root] : SIZE_MAX;
        place[v] = chunk->place + places->offset[v];
    }
    instance_set_places(all->instance, buffer, place);
}

/* Every tensor's first byte has to be aligned with its buffer.  */
static bool aligned(const struct instance *instance, struct error *error)
{
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        for (size_t i = 0; i < buffer->pieces; i++)
            if (instance->piece[buffer->first_piece + i].lo % buffer->alignment != 0)
                return error_set(error,
                                 "a tensor lies at byte %" PRId64 " of buffer '%s': no offset "
                                 "aligns both to %" PRId64,
                                 instance->piece[buffer->first_piece + i].lo, buffer->id,
                                 buffer->alignment);
    }
    return true;
}

struct instance *lifetimes_instance(struct network *network, struct schedule *schedule,
                                    const struct lifetime_options *options, struct error *error)
{
    struct places places;
    struct gathering all = {
        .network = network, .places = &places, .alignment = max64(options->alignment, 1)};

    if (!network_check(network, error) || !schedule_check(schedule, network, error)) {
        network_free(network);
        schedule_free(schedule);
        return NULL;
    }
    places_find(&places, network, schedule, options);
    all.instance = instance_new(network->name);
    gather(&all);
    if (options->elements)
        find_elements(&all);
    add_buffers(&all);
    instance_set_origin(all.instance, network, schedule, all.value);
    set_places(&all);
    release(&all);
    places_clear(&places);
    instance_make_ids_unique(all.instance);
    if (aligned(all.instance, error) && instance_seal(all.instance, NULL, error))
        return all.instance;
    error_prefix(error, "network '%s'", network->name);
    instance_free(all.instance);
    return NULL;
}
