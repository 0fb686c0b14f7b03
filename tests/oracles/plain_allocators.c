/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/oracles/plain_allocators.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

#define FREE SIZE_MAX       /* nobody's */
#define UNMAPPED (FREE - 1) /* addresses without memory */
#define NOWHERE SIZE_MAX

/* A stretch of a region, which is number REGION.  */
struct stretch {
    size_t region, tenant;
    int64_t address, size;
    bool small; /* the pool */
};

/* By region, then address.  */
struct stretches {
    struct stretch *item;
    size_t count, capacity, regions;
};

static void insert(struct stretches *list, size_t at, struct stretch stretch)
{
    list->item = memory_grow(list->item, &list->capacity, list->count + 1, sizeof *list->item);
    memmove(list->item + at + 1, list->item + at, (list->count - at) * sizeof *list->item);
    list->item[at] = stretch;
    list->count++;
}

/* Two neighbours of one region that are both free, or both unmapped, become one, if there are any.
 */
static bool merge_some(struct stretches *list)
{
    for (size_t i = 0; i + 1 < list->count; i++) {
        struct stretch *low = &list->item[i], *high = low + 1;

        if (low->region != high->region || low->tenant != high->tenant || low->tenant < UNMAPPED)
            continue;
        low->size += high->size;
        list->count--;
        memmove(high, high + 1, (list->count - i - 1) * sizeof *high);
        return true;
    }
    return false;
}

/* Cuts stretch I in two, of which the lower one has SIZE bytes.  */
static void cut(struct stretches *list, size_t i, int64_t size)
{
    struct stretch upper = list->item[i];

    list->item[i].size = size;
    upper.address += size;
    upper.size -= size;
    insert(list, i + 1, upper);
}

static void give_back(struct stretches *list, size_t tenant)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i].tenant == tenant)
            list->item[i].tenant = FREE;
    while (merge_some(list)) {
    }
}

static bool lies_before(const struct stretch *a, const struct stretch *b)
{
    return a->region != b->region ? a->region < b->region : a->address < b->address;
}

struct allocator {
    int64_t unit, split, region; /* bfc */
    int64_t small;               /* PyTorch */
    bool expandable;
    int64_t top;
    struct stretches list;
    size_t (*take)(struct allocator *allocator, int64_t size, size_t b); /* the stretch */
};

static int64_t round_to(int64_t size, int64_t unit)
{
    return (size + unit - 1) / unit * unit;
}

/* --- BFC --- */

enum { BINS = 21 };

static int bin_of(const struct allocator *allocator, int64_t size)
{
    int bin = 0;

    for (int64_t units = size / allocator->unit; units > 1 && bin < BINS - 1; units /= 2)
        bin++;
    return bin;
}

static size_t search_bin(const struct allocator *allocator, int bin, int64_t size)
{
    const struct stretch *item = allocator->list.item;
    size_t best = NOWHERE;

    for (size_t i = 0; i < allocator->list.count; i++)
        if (item[i].tenant == FREE && item[i].size >= size &&
            bin_of(allocator, item[i].size) == bin &&
            (best == NOWHERE || item[i].size < item[best].size ||
             (item[i].size == item[best].size && lies_before(&item[i], &item[best]))))
            best = i;
    return best;
}

static size_t search_bins(const struct allocator *allocator, int64_t size)
{
    for (int bin = bin_of(allocator, size); bin < BINS; bin++) {
        size_t found = search_bin(allocator, bin, size);

        if (found != NOWHERE)
            return found;
    }
    return NOWHERE;
}

static void extend(struct allocator *allocator, int64_t size)
{
    bool increased = false;
    int64_t bytes;

    if (allocator->region == 0) /* no limit: as much as there are addresses */
        allocator->region = INT64_MAX / allocator->unit * allocator->unit;
    while (size > allocator->region) {
        allocator->region *= 2;
        increased = true;
    }
    bytes = allocator->region;
    if (!increased && bytes <= INT64_MAX / 2)
        allocator->region *= 2;
    insert(&allocator->list, allocator->list.count,
           (struct stretch){allocator->list.regions++, FREE, allocator->top, bytes, false});
    allocator->top += bytes;
}

static size_t take_bfc(struct allocator *allocator, int64_t size, size_t b)
{
    size_t found = search_bins(allocator, size);
    int64_t rest;

    if (found == NOWHERE) {
        extend(allocator, size);
        found = search_bins(allocator, size);
    }
    rest = allocator->list.item[found].size - size;
    if (rest >= size || rest >= allocator->split)
        cut(&allocator->list, found, size);
    allocator->list.item[found].tenant = b;
    return found;
}

/* --- PyTorch --- */

static int64_t expandable_size(const struct stretches *list, size_t i)
{
    const struct stretch *next = &list->item[i + 1];
    bool more =
        i + 1 < list->count && next->region == list->item[i].region && next->tenant == UNMAPPED;

    return list->item[i].size + (more ? next->size : 0);
}

/* The first free stretch of the pool behind AFTER in the order of size and address.  */
static size_t next_in_set(const struct allocator *allocator, bool small, int64_t size, size_t after)
{
    const struct stretch *item = allocator->list.item;
    size_t best = NOWHERE;

    for (size_t i = 0; i < allocator->list.count; i++) {
        if (item[i].tenant != FREE || item[i].small != small || item[i].size < size)
            continue;
        if (after != NOWHERE &&
            (item[i].size < item[after].size ||
             (item[i].size == item[after].size && !lies_before(&item[after], &item[i]))))
            continue;
        if (best == NOWHERE || item[i].size < item[best].size ||
            (item[i].size == item[best].size && lies_before(&item[i], &item[best])))
            best = i;
    }
    return best;
}

static size_t get_free_block(const struct allocator *allocator, bool small, int64_t size)
{
    size_t it = next_in_set(allocator, small, size, NOWHERE), next;

    if (it == NOWHERE || !allocator->expandable)
        return it;
    while ((next = next_in_set(allocator, small, size, it)) != NOWHERE &&
           expandable_size(&allocator->list, next) < expandable_size(&allocator->list, it))
        it = next;
    return it;
}

static size_t reserve(struct allocator *allocator, bool small, int64_t size)
{
    int64_t mega = allocator->small, bytes;

    if (size <= mega)
        bytes = 2 * mega;
    else if (size < 10 * mega)
        bytes = 20 * mega;
    else
        bytes = round_to(size, 2 * mega);
    insert(&allocator->list, allocator->list.count,
           (struct stretch){allocator->list.regions++, FREE, allocator->top, bytes, small});
    allocator->top += bytes;
    return allocator->list.count - 1;
}

static size_t find_unmapped(const struct stretches *list, bool small)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i].tenant == UNMAPPED && list->item[i].small == small)
            return i;
    return NOWHERE;
}

/* Maps pages of the one segment of the pool until its free end has SIZE bytes.  */
static size_t map_pages(struct allocator *allocator, bool small, int64_t size)
{
    struct stretches *list = &allocator->list;
    size_t at = find_unmapped(list, small);
    int64_t have = 0;

    if (at == NOWHERE) {
        at = list->count;
        insert(list, at, (struct stretch){list->regions++, UNMAPPED, 0, INT64_MAX, small});
    }
    if (at > 0 && list->item[at - 1].region == list->item[at].region &&
        list->item[at - 1].tenant == FREE)
        have = list->item[at - 1].size;
    cut(list, at, round_to(size - have, (small ? 2 : 20) * allocator->small));
    list->item[at].tenant = FREE;
    while (merge_some(list)) {
    }
    return find_unmapped(list, small) - 1;
}

static size_t take_pytorch(struct allocator *allocator, int64_t size, size_t b)
{
    bool small = size <= allocator->small;
    size_t found = get_free_block(allocator, small, size);
    int64_t rest;

    if (found == NOWHERE)
        found = allocator->expandable ? map_pages(allocator, small, size)
                                      : reserve(allocator, small, size);
    rest = allocator->list.item[found].size - size;
    if (small || allocator->expandable ? rest >= allocator->unit : rest > allocator->small)
        cut(&allocator->list, found, size);
    allocator->list.item[found].tenant = b;
    return found;
}

/* --- a trace --- */

/* The least time that is begin or end of a buffer and above TIME.  */
static bool next_time(const struct instance *instance, bool first, int64_t *time)
{
    int64_t last = *time;
    bool found = false;

    for (size_t b = 0; b < instance->n; b++)
        for (int end = 0; end < 2; end++) {
            int64_t t = end ? instance->buffer[b].end : instance->buffer[b].begin;

            if ((first || t > last) && (!found || t < *time)) {
                *time = t;
                found = true;
            }
        }
    return found;
}

void plain_trace(const struct instance *instance, void (*end)(void *context, size_t b),
                 void (*begin)(void *context, size_t b), void *context)
{
    int64_t time = 0;

    for (bool first = true; next_time(instance, first, &time); first = false) {
        for (size_t b = 0; b < instance->n; b++)
            if (instance->buffer[b].end == time)
                end(context, b);
        for (size_t b = 0; b < instance->n; b++)
            if (instance->buffer[b].begin == time)
                begin(context, b);
    }
}

struct running {
    const struct instance *instance;
    struct allocator *allocator;
    size_t *region;
    struct plan *plan;
};

static void end_buffer(void *context, size_t b)
{
    struct running *running = context;

    give_back(&running->allocator->list, b);
}

static void begin_buffer(void *context, size_t b)
{
    struct running *running = context;
    struct allocator *allocator = running->allocator;
    const int64_t size = round_to(running->instance->buffer[b].size, allocator->unit);
    const size_t at = allocator->take(allocator, size, b);

    running->plan->offset[b] = allocator->list.item[at].address;
    running->region[b] = allocator->list.item[at].region;
}

/* Address spaces are laid end to end.  */
static void stack_spaces(const struct allocator *allocator, const size_t *region,
                         const struct instance *instance, struct plan *plan)
{
    int64_t mapped = 0;

    for (size_t i = 0; i < allocator->list.count; i++)
        if (allocator->list.item[i].region == 0 && allocator->list.item[i].tenant != UNMAPPED)
            mapped += allocator->list.item[i].size;
    for (size_t b = 0; b < instance->n; b++)
        plan->offset[b] += region[b] == 0 ? 0 : mapped;
}

static void plan_with(struct allocator allocator, const struct instance *instance,
                      struct plan *plan)
{
    size_t *region = memory_alloc(instance->n, sizeof *region);

    allocator.unit = round_to(max64(allocator.unit, 1), instance->max_alignment);
    allocator.region = round_to(allocator.region, allocator.unit);
    allocator.small = round_to(allocator.small, allocator.unit);
    plain_trace(instance, end_buffer, begin_buffer,
                &(struct running){instance, &allocator, region, plan});
    if (allocator.expandable)
        stack_spaces(&allocator, region, instance, plan);
    plan->peak = plan_peak(instance, plan);
    free(allocator.list.item);
    free(region);
}

static void plan_bfc(const struct instance *instance, struct plan *plan, int64_t unit,
                     int64_t region, int64_t split)
{
    plan_with((struct allocator){.unit = unit, .region = region, .split = split, .take = take_bfc},
              instance, plan);
}

void plain_bfc(const struct instance *instance, struct plan *plan)
{
    plan_bfc(instance, plan, 1, 0, 128 << 20);
}

void plain_bfc_upstream(const struct instance *instance, struct plan *plan)
{
    plan_bfc(instance, plan, 256, 2 << 20, 128 << 20);
}

void plain_bfc_regions(const struct instance *instance, struct plan *plan)
{
    plan_bfc(instance, plan, 1, 100, 50);
}

static void plan_pytorch(const struct instance *instance, struct plan *plan, int64_t unit,
                         int64_t small, bool expandable)
{
    plan_with(
        (struct allocator){
            .unit = unit, .small = small, .expandable = expandable, .take = take_pytorch},
        instance, plan);
}

void plain_pytorch(const struct instance *instance, struct plan *plan)
{
    plan_pytorch(instance, plan, 1, 1 << 20, false);
}

void plain_pytorch_upstream(const struct instance *instance, struct plan *plan)
{
    plan_pytorch(instance, plan, 512, 1 << 20, false);
}

void plain_pytorch_small(const struct instance *instance, struct plan *plan)
{
    plan_pytorch(instance, plan, 1, 30, false);
}

void plain_pytorch_expandable(const struct instance *instance, struct plan *plan)
{
    plan_pytorch(instance, plan, 1, 30, true);
}
