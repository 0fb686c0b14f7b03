/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/problem/instance.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/checksum.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/problem/instance_private.h"

/* Ids live in blocks that never move, so that pointers to them stay good.  */
struct id_block {
    struct id_block *next;
    size_t used, room;
    char text[];
};

struct instance_store {
    size_t buffer_capacity, piece_capacity, overwrite_capacity, empty_capacity, access_capacity;
    struct id_block *ids;
};

static const char *store_id(struct instance *instance, const char *id)
{
    size_t length = strlen(id) + 1;
    struct id_block *block = instance->store->ids;
    char *copy;

    if (instance->nameless)
        return "";
    if (block == NULL || block->room - block->used < length) {
        size_t room = length > 65536 ? length : 65536;

        block = memory_alloc(sizeof *block + room, 1);
        block->next = instance->store->ids;
        block->used = 0;
        block->room = room;
        instance->store->ids = block;
    }
    copy = block->text + block->used;
    memcpy(copy, id, length);
    block->used += length;
    return copy;
}

struct instance *instance_new(const char *name)
{
    struct instance *instance = memory_zalloc(1, sizeof *instance);

    instance->name = memory_strdup(name);
    instance->store = memory_zalloc(1, sizeof *instance->store);
    return instance;
}

void instance_free(struct instance *instance)
{
    if (instance == NULL)
        return;
    while (instance->store->ids != NULL) {
        struct id_block *block = instance->store->ids;

        instance->store->ids = block->next;
        memory_free(block);
    }
    if (instance->origin != NULL)
        instance->origin_free(instance->origin);
    if (instance->loops != NULL)
        instance->loops_free(instance->loops);
    memory_free(instance->buffer);
    memory_free(instance->piece);
    memory_free(instance->number);
    memory_free(instance->overwrite);
    memory_free(instance->empty);
    memory_free(instance->access);
    memory_free(instance->store);
    for (size_t m = 0; m < instance->n_memories; m++)
        memory_free(instance->memory[m]);
    memory_free(instance->name);
    memory_free(instance);
}

size_t instance_add_pieces(struct instance *instance, const char *id, const struct piece *piece,
                           size_t count, int64_t alignment)
{
    struct instance_store *store = instance->store;
    struct buffer *buffer;

    assert(count > 0);
    if (count > UINT32_MAX - instance->pieces) /* no axis numbers so many */
        memory_exhausted();
    instance->buffer = memory_grow(instance->buffer, &store->buffer_capacity, instance->n + 1,
                                   sizeof *instance->buffer);
    instance->piece = memory_grow(instance->piece, &store->piece_capacity, instance->pieces + count,
                                  sizeof *instance->piece);
    buffer = &instance->buffer[instance->n];
    *buffer = (struct buffer){
        .id = store_id(instance, id),
        .alignment = alignment,
        .begin = piece[0].begin,
        .end = piece[0].end,
        .first_piece = (uint32_t)instance->pieces,
        .pieces = (uint32_t)count,
        .fixed = -1,
        .reads = -1,
        .writes = -1,
    };
    for (size_t i = 0; i < count; i++) {
        instance->piece[instance->pieces++] = piece[i];
        buffer->begin = min64(buffer->begin, piece[i].begin);
        buffer->end = max64(buffer->end, piece[i].end);
        buffer->size = max64(buffer->size, piece[i].hi);
    }
    return instance->n++;
}

size_t instance_add(struct instance *instance, const char *id, int64_t begin, int64_t end,
                    int64_t size, int64_t alignment)
{
    struct piece piece = {begin, end, 0, size, true};
    size_t index;

    if (size == 0) {
        instance->empty = memory_grow(instance->empty, &instance->store->empty_capacity,
                                      instance->n_empty + 1, sizeof *instance->empty);
        instance->empty[instance->n_empty++] =
            (struct empty_buffer){store_id(instance, id), begin, end};
        return SIZE_MAX;
    }
    index = instance_add_pieces(instance, id, &piece, 1, alignment);
    instance->buffer[index].size = size; /* negative ones too: seal refuses them */
    return index;
}

void instance_number_pieces(struct instance *instance, const size_t *number)
{
    memory_free(instance->number);
    instance->number = memory_alloc(instance->pieces, sizeof *number);
    for (size_t p = 0; p < instance->pieces; p++)
        instance->number[p] = number[p];
}

bool instance_allow(struct instance *instance, size_t buffer, const char *name)
{
    size_t m = 0;

    while (m < instance->n_memories && strcmp(instance->memory[m], name) != 0)
        m++;
    if (m == INSTANCE_MEMORIES)
        return false;
    if (m == instance->n_memories)
        instance->memory[instance->n_memories++] = memory_strdup(name);
    instance->buffer[buffer].memories |= (uint32_t)1 << m;
    return true;
}

void instance_add_access(struct instance *instance, size_t buffer, int64_t step, bool writes)
{
    instance->access = memory_grow(instance->access, &instance->store->access_capacity,
                                   instance->n_accesses + 1, sizeof *instance->access);
    instance->access[instance->n_accesses++] = (struct buffer_access){buffer, step, writes};
}

void instance_add_overwrite(struct instance *instance, size_t by, size_t of)
{
    assert(by < instance->pieces && of < instance->pieces);
    instance->overwrite = memory_grow(instance->overwrite, &instance->store->overwrite_capacity,
                                      instance->n_overwrites + 1, sizeof *instance->overwrite);
    instance->overwrite[instance->n_overwrites++] = (struct overwrite){
        .by = by,
        .of = of,
        .offset = instance->piece[by].lo - instance->piece[of].lo,
        .step = instance->piece[by].begin,
    };
}

/* --- sealing --- */

/* Index I counts the buffers and, after them, the empty ones.  */
static const char *any_id(const struct instance *instance, size_t i)
{
    return i < instance->n ? instance->buffer[i].id : instance->empty[i - instance->n].id;
}

static bool fault_at(const struct instance *instance, size_t i, struct instance_fault *fault)
{
    if (fault != NULL && i != SIZE_MAX) {
        fault->empty = i >= instance->n;
        fault->index = fault->empty ? i - instance->n : i;
    }
    return false;
}

static bool check_buffer(const struct instance *instance, size_t b, struct error *error)
{
    const struct buffer *buffer = &instance->buffer[b];

    if (buffer->size < 0)
        return error_set(error, "buffer '%s': size %" PRId64 " is negative", buffer->id,
                         buffer->size);
    if (buffer->alignment < 1)
        return error_set(error, "buffer '%s': alignment %" PRId64 " is below 1", buffer->id,
                         buffer->alignment);
    for (size_t i = 0; i < buffer->pieces; i++) {
        const struct piece *piece = &instance->piece[buffer->first_piece + i];

        if (piece->begin >= piece->end)
            return error_set(error, "buffer '%s': lifetime [%" PRId64 ", %" PRId64 ") is empty",
                             buffer->id, piece->begin, piece->end);
        if (piece->lo < 0 || piece->lo >= piece->hi || piece->hi > buffer->size)
            return error_set(error,
                             "buffer '%s': piece [%" PRId64 ", %" PRId64 ") of %" PRId64 " bytes",
                             buffer->id, piece->lo, piece->hi, buffer->size);
    }
    return true;
}

/* Even with every buffer above all others, each padded to its alignment, and all of them above
 * the fixed ones, the peak has to fit: then no solver's arithmetic can overflow.  */
static bool check_sums(struct instance *instance, size_t *culprit, struct error *error)
{
    int64_t padded;

    if (!instance_fixed_end(instance, &padded, culprit, error))
        return false;
    instance->total = 0;
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        *culprit = b;
        if (!checked_add(padded, buffer->size, &padded) ||
            !checked_add(padded, buffer->alignment, &padded) ||
            !checked_add(padded, instance->max_alignment, &padded))
            return error_set(error,
                             "buffer '%s': the sum of the sizes up to here, with room to align "
                             "them%s, overflows 64 bits",
                             buffer->id, instance->fixed > 0 ? ", above the fixed ones" : "");
        instance->total += buffer->size;
    }
    return true;
}

/* The difference of any two times has to fit as well.  */
static bool check_span(const struct instance *instance, size_t *culprit, struct error *error)
{
    int64_t first = INT64_MAX, last = INT64_MIN, span;

    for (size_t i = 0; i < instance->n + instance->n_empty; i++) {
        bool empty = i >= instance->n;

        first = min64(first,
                      empty ? instance->empty[i - instance->n].begin : instance->buffer[i].begin);
        last = max64(last, empty ? instance->empty[i - instance->n].end : instance->buffer[i].end);
        *culprit = i;
        if (!checked_sub(last, first, &span))
            return error_set(error,
                             "buffer '%s': the time axis from %" PRId64 " to %" PRId64
                             " is longer than 64 bits can say",
                             any_id(instance, i), first, last);
    }
    return true;
}

struct id_ref {
    const char *id;
    size_t index;
};

static int compare_ids(const void *a, const void *b)
{
    const struct id_ref *x = a, *y = b;

    return strcmp(x->id, y->id) ?: ORDER(x->index, y->index);
}

static struct id_ref *sorted_ids(const struct instance *instance)
{
    size_t count = instance->n + instance->n_empty;
    struct id_ref *ref = memory_alloc(count, sizeof *ref);

    for (size_t i = 0; i < count; i++)
        ref[i] = (struct id_ref){any_id(instance, i), i};
    sort_stable(ref, count, sizeof *ref, compare_ids);
    return ref;
}

/* The first row, in input order, whose id an earlier row has; or SIZE_MAX.  */
static size_t find_duplicate(const struct instance *instance, size_t *earlier)
{
    size_t count = instance->n + instance->n_empty, found = SIZE_MAX;
    struct id_ref *ref = sorted_ids(instance);

    for (size_t i = 1; i < count; i++)
        if (strcmp(ref[i - 1].id, ref[i].id) == 0 && ref[i].index < found) {
            found = ref[i].index;
            *earlier = ref[i - 1].index;
        }
    memory_free(ref);
    return found;
}

bool instance_seal(struct instance *instance, struct instance_fault *fault, struct error *error)
{
    size_t duplicate, earlier = SIZE_MAX, culprit = SIZE_MAX;

    if (fault != NULL)
        *fault = (struct instance_fault){false, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    instance->max_alignment = 1;
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        if (!check_buffer(instance, b, error))
            return fault_at(instance, b, fault);
        instance->max_alignment = max64(instance->max_alignment, buffer->alignment);
        instance->max_size = max64(instance->max_size, buffer->size);
    }
    if (!instance_check_overwrites(instance, error))
        return false;
    instance->shapes = instance_has_shapes(instance);
    for (size_t i = 0; i < instance->n_empty; i++)
        if (instance->empty[i].begin >= instance->empty[i].end) {
            error_set(error, "buffer '%s': lifetime [%" PRId64 ", %" PRId64 ") is empty",
                      instance->empty[i].id, instance->empty[i].begin, instance->empty[i].end);
            return fault_at(instance, instance->n + i, fault);
        }
    if (!check_sums(instance, &culprit, error) || !check_span(instance, &culprit, error))
        return fault_at(instance, culprit, fault);
    duplicate = instance->nameless ? SIZE_MAX : find_duplicate(instance, &earlier);
    if (duplicate != SIZE_MAX) {
        error_set(error, "the id '%s' stands twice", any_id(instance, duplicate));
        fault_at(instance, duplicate, fault);
        if (fault != NULL)
            fault->other = earlier;
        return false;
    }
    if (instance->fixed > 0 && !instance_check_fixed(instance, &culprit, &earlier, error)) {
        if (fault != NULL)
            fault->below = earlier;
        return fault_at(instance, culprit, fault);
    }
    instance_set_axis(instance);
    CHECK_INVARIANT(instance_check(instance));
    return true;
}

/* --- copies --- */

/* An empty one that shall have buffers of INSTANCE.  */
static struct instance *copy_new(const struct instance *instance)
{
    struct instance *copy = instance_new(instance->name);

    copy->nameless = instance->nameless;
    copy->pairs = instance->pairs;
    return copy;
}

static void copy_seal(struct instance *copy)
{
    struct error error;
    bool sealed;

    /* What was sealed once stays valid.  */
    sealed = instance_seal(copy, NULL, &error);
    assert(sealed);
    (void)sealed;
}

/* COPY has its buffers.  */
static struct instance *finish_joined(struct instance *copy, const struct instance *instance)
{
    for (size_t b = 0; b < instance->n; b++)
        copy->buffer[b].fixed = instance->buffer[b].fixed;
    for (size_t i = 0; i < instance->n_empty; i++)
        instance_add(copy, instance->empty[i].id, instance->empty[i].begin, instance->empty[i].end,
                     0, 1);
    if (instance->fixed > 0 && !instance_seal(copy, NULL, NULL)) {
        instance_free(copy);
        return NULL;
    }
    if (instance->fixed == 0)
        copy_seal(copy);
    return copy;
}

struct instance *instance_joined(const struct instance *instance)
{
    struct instance *copy = copy_new(instance);

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        instance_add(copy, buffer->id, buffer->begin, buffer->end, buffer->size, buffer->alignment);
    }
    return finish_joined(copy, instance);
}

struct instance *instance_joined_in_bytes(const struct instance *instance)
{
    struct instance *copy = copy_new(instance);

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        const size_t first =
            instance_add_pieces(copy, buffer->id, &instance->piece[buffer->first_piece],
                                buffer->pieces, buffer->alignment);

        copy->buffer[first].size = buffer->size;
    }
    for (size_t p = 0; p < copy->pieces; p++)
        copy->piece[p].lo = 0;
    for (size_t b = 0; b < copy->n; b++)
        for (size_t i = 0; i < copy->buffer[b].pieces; i++)
            copy->piece[copy->buffer[b].first_piece + i].hi = copy->buffer[b].size;
    return finish_joined(copy, instance);
}

/* KEPT_AS[p] is the index in COPY of piece P, or SIZE_MAX.  */
static void copy_numbers(struct instance *copy, const struct instance *instance,
                         const size_t *kept_as)
{
    size_t *number;

    if (instance->number == NULL)
        return;
    number = memory_alloc(copy->pieces, sizeof *number);
    for (size_t p = 0; p < instance->pieces; p++)
        if (kept_as[p] != SIZE_MAX)
            number[kept_as[p]] = instance->number[p];
    instance_number_pieces(copy, number);
    memory_free(number);
}

/* The least common multiple, or -1 (which no alignment may be) where it overflows.  */
static int64_t common_multiple(int64_t a, int64_t b)
{
    int64_t multiple;

    return checked_lcm(a, b, &multiple) ? multiple : -1;
}

struct instance *instance_rounded(const struct instance *instance, int64_t size, int64_t offset,
                                  struct error *error)
{
    struct instance *copy = copy_new(instance);

    assert(size >= 0 && offset >= 0);
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        int64_t to = buffer->fixed < 0 ? max64(size, 1) : 1;

        /* The sum of the sizes with room to align them fits, one size above it may not.  */
        instance_add(copy, buffer->id, buffer->begin, buffer->end,
                     buffer->size > INT64_MAX - to ? -1 : align_up(buffer->size, to),
                     common_multiple(buffer->alignment, max64(offset, 1)));
        if (buffer->fixed >= 0)
            instance_fix(copy, b, buffer->fixed);
    }
    if (instance_seal(copy, NULL, error))
        return copy;
    instance_free(copy);
    return NULL;
}

struct instance *instance_subset(const struct instance *instance, const size_t *keep, size_t count)
{
    struct instance *copy = copy_new(instance);
    size_t *map = memory_alloc(instance->pieces, sizeof *map);

    for (size_t p = 0; p < instance->pieces; p++)
        map[p] = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        const struct buffer *buffer = &instance->buffer[keep[i]];

        for (size_t p = 0; p < buffer->pieces; p++)
            map[buffer->first_piece + p] = copy->pieces + p;
        instance_add_pieces(copy, buffer->id, &instance->piece[buffer->first_piece], buffer->pieces,
                            buffer->alignment);
        copy->buffer[i].size = buffer->size;
        copy->buffer[i].fixed = buffer->fixed;
    }
    for (size_t i = 0; i < instance->n_overwrites; i++)
        if (map[instance->overwrite[i].by] != SIZE_MAX)
            instance_add_overwrite(copy, map[instance->overwrite[i].by],
                                   map[instance->overwrite[i].of]);
    copy_numbers(copy, instance, map);
    memory_free(map);
    copy_seal(copy);
    return copy;
}

/* --- questions --- */

uint64_t instance_checksum(const struct instance *instance)
{
    uint64_t hash = CHECKSUM_START;

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        int64_t highest = 0;

        hash = checksum_bytes(hash, buffer->id, strlen(buffer->id) + 1);
        hash = checksum_int(hash, buffer->alignment);
        hash = checksum_int(hash, (int64_t)buffer->pieces);
        for (size_t i = 0; i < buffer->pieces; i++) {
            const struct piece *piece = &instance->piece[buffer->first_piece + i];

            hash = checksum_int(hash, piece->begin);
            hash = checksum_int(hash, piece->end);
            hash = checksum_int(hash, piece->lo);
            hash = checksum_int(hash, piece->hi);
            hash = checksum_int(hash, piece->tensor);
            highest = max64(highest, piece->hi);
        }
        /* The pieces tell the size, where it is not above them.  */
        if (buffer->size != highest)
            hash = checksum_int(hash, buffer->size);
        if (buffer->fixed >= 0) /* below 0, so that it is told from a size */
            hash = checksum_int(hash, -1 - buffer->fixed);
    }
    for (size_t i = 0; i < instance->n_overwrites; i++) {
        hash = checksum_int(hash, (int64_t)instance->overwrite[i].by);
        hash = checksum_int(hash, (int64_t)instance->overwrite[i].of);
    }
    for (size_t p = 0; instance->number != NULL && p < instance->pieces; p++)
        hash = checksum_int(hash, (int64_t)instance->number[p]);
    return hash;
}

/* --- ids --- */

char *instance_clean_id(const char *text)
{
    char *id = memory_strdup(text[0] == '\0' ? "_" : text);

    for (char *at = id; *at != '\0'; at++)
        if (!(isascii((unsigned char)*at) && isalnum((unsigned char)*at)) &&
            strchr("_.:/-", *at) == NULL)
            *at = '_';
    return id;
}

static int compare_ref_text(const void *key, const void *element)
{
    const char *id = key;
    const struct id_ref *ref = element;

    return strcmp(id, ref->id);
}

void instance_make_ids_unique(struct instance *instance)
{
    size_t count = instance->n + instance->n_empty;
    struct id_ref *ref = sorted_ids(instance);
    struct id_ref *taken = memory_copy(ref, count, sizeof *taken);
    long suffix = 2;

    for (size_t i = 1; i < count; i++) {
        const char *first = taken[i].id;
        char *id = NULL;

        if (strcmp(taken[i - 1].id, first) != 0) {
            suffix = 2;
            continue;
        }
        do {
            memory_free(id);
            id = memory_printf("%s_%ld", first, suffix++);
        } while (bsearch(id, taken, count, sizeof *taken, compare_ref_text) != NULL);
        if (ref[i].index < instance->n)
            instance->buffer[ref[i].index].id = store_id(instance, id);
        else
            instance->empty[ref[i].index - instance->n].id = store_id(instance, id);
        memory_free(id);
    }
    memory_free(taken);
    memory_free(ref);
}
