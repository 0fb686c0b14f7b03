/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/oracles/plain_online.h"

#include <stdbool.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/oracles/plain_allocators.h"

/* --- gaps between what is in use --- */

/* What is in use: [start, start + size) of each entry.  */
struct used {
    struct stretch {
        int64_t start, size;
        size_t owner;
    } * item;
    size_t count, room;
};

static void put(struct used *used, int64_t start, int64_t size, size_t owner)
{
    used->item = memory_grow(used->item, &used->room, used->count + 1, sizeof *used->item);
    used->item[used->count++] = (struct stretch){start, size, owner};
}

static void remove_owner(struct used *used, size_t owner)
{
    for (size_t i = 0; i < used->count; i++)
        if (used->item[i].owner == owner) {
            used->item[i] = used->item[--used->count];
            return;
        }
}

/* Free bytes from START on; 0 where it is in use, INT64_MAX where nothing is above.  */
static int64_t free_from(const struct used *used, int64_t start)
{
    int64_t next = INT64_MAX;

    for (size_t i = 0; i < used->count; i++) {
        const struct stretch *item = &used->item[i];

        if (item->start <= start && start < item->start + item->size)
            return 0;
        if (item->start > start)
            next = min64(next, item->start);
    }
    return next == INT64_MAX ? INT64_MAX : next - start;
}

/* Where SIZE goes: of all free stretches, which begin at 0 or where something ends, the smallest
 * one that has it or the lowest one, of equal ones the lowest.  */
static int64_t find_gap(const struct used *used, int64_t size, int64_t alignment, bool smallest)
{
    int64_t best = -1, best_free = INT64_MAX;

    for (size_t i = 0; i <= used->count; i++) {
        const int64_t from = i == used->count ? 0 : used->item[i].start + used->item[i].size;
        const int64_t start = align_up(from, alignment);
        const int64_t all = free_from(used, from);
        const int64_t room = all == INT64_MAX ? all : all - (start - from);

        if (room < size || all == 0)
            continue;
        if (best < 0 || (smallest && room < best_free) ||
            ((!smallest || room == best_free) && start < best)) {
            best = start;
            best_free = room;
        }
    }
    return best;
}

/* --- first fit, best fit --- */

struct fitting {
    const struct instance *instance;
    struct plan *plan;
    struct used used;
    bool smallest;
};

static void end_fit(void *context, size_t b)
{
    remove_owner(&((struct fitting *)context)->used, b);
}

/* Best fit has units of the largest alignment.  */
static void begin_fit(void *context, size_t b)
{
    struct fitting *fitting = context;
    const struct buffer *buffer = &fitting->instance->buffer[b];
    const int64_t unit = fitting->smallest ? fitting->instance->max_alignment : 1;
    const int64_t size = align_up(buffer->size, unit);
    const int64_t at = find_gap(&fitting->used, size, fitting->smallest ? 1 : buffer->alignment,
                                fitting->smallest);

    put(&fitting->used, at, size, b);
    fitting->plan->offset[b] = at;
}

static void fit(const struct instance *instance, struct plan *plan, bool smallest)
{
    struct fitting fitting = {.instance = instance, .plan = plan, .smallest = smallest};

    plain_trace(instance, end_fit, begin_fit, &fitting);
    plan->peak = plan_peak(instance, plan);
    memory_free(fitting.used.item);
}

void plain_best_fit(const struct instance *instance, struct plan *plan)
{
    fit(instance, plan, true);
}

void plain_first_fit(const struct instance *instance, struct plan *plan)
{
    fit(instance, plan, false);
}

/* --- the buddy system --- */

enum { ORDERS = 62 };

struct knuth {
    const struct instance *instance;
    struct plan *plan;
    int64_t unit;
    int m; /* the memory has 2^m units */
    struct list {
        int64_t *address;
        size_t count, room;
    } avail[ORDERS];
};

static void add_block(struct knuth *knuth, int k, int64_t address)
{
    struct list *list = &knuth->avail[k];

    list->address = memory_grow(list->address, &list->room, list->count + 1, sizeof(int64_t));
    list->address[list->count++] = address;
}

static bool remove_block(struct knuth *knuth, int k, int64_t address)
{
    struct list *list = &knuth->avail[k];

    for (size_t i = 0; i < list->count; i++)
        if (list->address[i] == address) {
            list->address[i] = list->address[--list->count];
            return true;
        }
    return false;
}

/* Algorithm S: liberation.  */
static void liberate(struct knuth *knuth, int k, int64_t address)
{
    while (k < knuth->m && remove_block(knuth, k, address ^ (int64_t)1 << k)) {
        address &= ~((int64_t)1 << k);
        k++;
    }
    add_block(knuth, k, address);
}

/* Algorithm R: reservation.  */
static int64_t reserve(struct knuth *knuth, int k)
{
    int j = k;
    int64_t lowest;

    while (j <= knuth->m && knuth->avail[j].count == 0)
        j++;
    if (j > knuth->m) {
        const int64_t end = (int64_t)1 << knuth->m++;

        liberate(knuth, knuth->m - 1, end);
        return reserve(knuth, k);
    }
    lowest = knuth->avail[j].address[0];
    for (size_t i = 1; i < knuth->avail[j].count; i++)
        lowest = min64(lowest, knuth->avail[j].address[i]);
    remove_block(knuth, j, lowest);
    while (j > k) {
        j--;
        add_block(knuth, j, lowest + ((int64_t)1 << j));
    }
    return lowest;
}

static int power_for(const struct knuth *knuth, size_t b)
{
    int k = 0;

    while (((int64_t)1 << k) * knuth->unit < knuth->instance->buffer[b].size)
        k++;
    return k;
}

static void end_buddy(void *context, size_t b)
{
    struct knuth *knuth = context;

    liberate(knuth, power_for(knuth, b), knuth->plan->offset[b] / knuth->unit);
}

static void begin_buddy(void *context, size_t b)
{
    struct knuth *knuth = context;

    knuth->plan->offset[b] = reserve(knuth, power_for(knuth, b)) * knuth->unit;
}

static void plan_buddy(const struct instance *instance, struct plan *plan, int64_t unit)
{
    struct knuth knuth = {
        .instance = instance, .plan = plan, .unit = align_up(unit, instance->max_alignment)};

    add_block(&knuth, 0, 0);
    plain_trace(instance, end_buddy, begin_buddy, &knuth);
    plan->peak = plan_peak(instance, plan);
    for (int k = 0; k < ORDERS; k++)
        memory_free(knuth.avail[k].address);
}

void plain_buddy(const struct instance *instance, struct plan *plan)
{
    plan_buddy(instance, plan, 1);
}

void plain_buddy_24(const struct instance *instance, struct plan *plan)
{
    plan_buddy(instance, plan, 24);
}

/* --- size classes --- */

/* A slab's owner is its number and this; of other runs the buffer.  */
#define SLAB ((size_t)1 << 32)

struct plain_slab {
    int64_t class, start, bytes; /* class 0: it is gone */
    size_t alive;
};

struct jemalloc {
    const struct instance *instance;
    struct plan *plan;
    int64_t quantum, page;
    struct used pages;
    struct used places; /* of slabs */
    struct plain_slab *slab;
    size_t slabs, room;
};

static bool has_tiny(const struct jemalloc *jemalloc)
{
    return jemalloc->quantum == 16 && 8 % jemalloc->instance->max_alignment == 0;
}

/* The classes in turn, as the manual page's table has them.  */
static int64_t next_class(const struct jemalloc *jemalloc, int64_t class)
{
    int64_t group = 8 * jemalloc->quantum; /* the last class of the group, one below doubles */

    if (class == 0)
        return has_tiny(jemalloc) ? 8 : jemalloc->quantum;
    if (class == 8)
        return 16;
    if (class < group)
        return class + jemalloc->quantum;
    while (2 * group <= class)
        group *= 2;
    return class + group / 4;
}

static int64_t class_for(const struct jemalloc *jemalloc, int64_t size)
{
    int64_t class = 0;

    while (class < size)
        class = next_class(jemalloc, class);
    return class;
}

static bool is_small(const struct jemalloc *jemalloc, int64_t class)
{
    return class < 4 * jemalloc->page;
}

static int64_t make_slab(struct jemalloc *jemalloc, int64_t class)
{
    int64_t bytes = jemalloc->page, start;

    while (bytes % class != 0)
        bytes += jemalloc->page;
    start = find_gap(&jemalloc->pages, bytes, 1, true);
    put(&jemalloc->pages, start, bytes, SLAB + jemalloc->slabs);
    jemalloc->slab =
        memory_grow(jemalloc->slab, &jemalloc->room, jemalloc->slabs + 1, sizeof *jemalloc->slab);
    jemalloc->slab[jemalloc->slabs++] = (struct plain_slab){class, start, bytes, 0};
    return start;
}

static bool is_taken(const struct jemalloc *jemalloc, int64_t place)
{
    for (size_t i = 0; i < jemalloc->places.count; i++)
        if (jemalloc->places.item[i].start == place)
            return true;
    return false;
}

/* The lowest place of CLASS; -1: there is none.  */
static int64_t lowest_place(const struct jemalloc *jemalloc, int64_t class)
{
    int64_t lowest = -1;

    for (size_t s = 0; s < jemalloc->slabs; s++)
        for (int64_t at = 0; jemalloc->slab[s].class == class && at < jemalloc->slab[s].bytes;
             at += class)
            if (!is_taken(jemalloc, jemalloc->slab[s].start + at) &&
                (lowest < 0 || jemalloc->slab[s].start + at < lowest))
                lowest = jemalloc->slab[s].start + at;
    return lowest;
}

static struct plain_slab *slab_with(struct jemalloc *jemalloc, int64_t place, size_t *number)
{
    for (*number = 0;; ++*number) {
        struct plain_slab *slab = &jemalloc->slab[*number];

        if (slab->class != 0 && slab->start <= place && place < slab->start + slab->bytes)
            return slab;
    }
}

static void begin_class(void *context, size_t b)
{
    struct jemalloc *jemalloc = context;
    const int64_t class = class_for(jemalloc, jemalloc->instance->buffer[b].size);
    int64_t at;
    size_t number;

    if (!is_small(jemalloc, class)) {
        const int64_t bytes = align_up(class, jemalloc->page);

        at = find_gap(&jemalloc->pages, bytes, 1, true);
        put(&jemalloc->pages, at, bytes, b);
    } else {
        at = lowest_place(jemalloc, class);
        if (at < 0)
            at = make_slab(jemalloc, class);
        slab_with(jemalloc, at, &number)->alive++;
        put(&jemalloc->places, at, class, b);
    }
    jemalloc->plan->offset[b] = at;
}

static void end_class(void *context, size_t b)
{
    struct jemalloc *jemalloc = context;
    struct plain_slab *slab;
    size_t number;

    if (!is_small(jemalloc, class_for(jemalloc, jemalloc->instance->buffer[b].size))) {
        remove_owner(&jemalloc->pages, b);
        return;
    }
    slab = slab_with(jemalloc, jemalloc->plan->offset[b], &number);
    remove_owner(&jemalloc->places, b);
    if (--slab->alive > 0)
        return;
    slab->class = 0;
    remove_owner(&jemalloc->pages, SLAB + number);
}

static void plan_classes(const struct instance *instance, struct plan *plan, int64_t page)
{
    struct jemalloc jemalloc = {.instance = instance, .plan = plan};

    jemalloc.quantum = align_up(16, instance->max_alignment);
    jemalloc.page = align_up(page, jemalloc.quantum);
    plain_trace(instance, end_class, begin_class, &jemalloc);
    plan->peak = plan_peak(instance, plan);
    memory_free(jemalloc.pages.item);
    memory_free(jemalloc.places.item);
    memory_free(jemalloc.slab);
}

void plain_size_classes(const struct instance *instance, struct plan *plan)
{
    plan_classes(instance, plan, 4096);
}

void plain_size_classes_64(const struct instance *instance, struct plan *plan)
{
    plan_classes(instance, plan, 64);
}
