/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/oracles/reference_planners.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "tests/oracles/plain_planners.h"

static void place(const struct instance *instance, plain_before *before, plain_fit *fit,
                  struct plan *plan)
{
    size_t *order = plain_order(instance, before, false);

    plain_place(instance, order, fit, plan);
    free(order);
}

void reference_duration_size(const struct instance *instance, struct plan *plan)
{
    place(instance, plain_longer_then_larger, plain_top, plan);
}

static bool begins_earlier(const struct instance *instance, size_t a, size_t b)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];

    return x->begin < y->begin || (x->begin == y->begin && x->size > y->size);
}

void reference_duration_size_begin(const struct instance *instance, struct plan *plan)
{
    place(instance, begins_earlier, plain_top, plan);
}

static bool ends_earlier(const struct instance *instance, size_t a, size_t b)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];

    return x->end < y->end || (x->end == y->end && x->size > y->size);
}

void reference_duration_size_end(const struct instance *instance, struct plan *plan)
{
    place(instance, ends_earlier, plain_top, plan);
}

void reference_greedy_by_size(const struct instance *instance, struct plan *plan)
{
    place(instance, plain_larger, plain_best, plan);
}

void reference_first_fit_by_size(const struct instance *instance, struct plan *plan)
{
    place(instance, plain_larger_then_longer, plain_first, plan);
}

struct group {
    size_t last;    /* the member that joined last */
    size_t largest; /* of equally large members the least index */
};

/* choice=best: is group X nearer in size to buffer B than group Y?  */
static bool nearer(const struct instance *instance, size_t b, const struct group *x,
                   const struct group *y)
{
    int64_t size = instance->buffer[b].size;
    int64_t size_x = instance->buffer[x->largest].size, size_y = instance->buffer[y->largest].size;

    if (llabs(size_x - size) != llabs(size_y - size))
        return llabs(size_x - size) < llabs(size_y - size);
    if (size_x != size_y)
        return size_x < size_y;
    return x->largest < y->largest;
}

/* Fills in the group of each buffer; returns the number of groups.  */
static size_t fill_groups(const struct instance *instance, size_t choice, size_t *group)
{
    enum { FIRST, LAST, BEST };
    size_t *order = plain_order(instance, plain_earlier, false), count = 0;
    struct group *groups = memory_alloc(instance->n, sizeof *groups);

    for (size_t i = 0; i < instance->n; i++) {
        size_t b = order[i], found = SIZE_MAX;
        const struct buffer *buffer = &instance->buffer[b];

        for (size_t g = 0; g < count; g++) {
            if (instance->buffer[groups[g].last].end > buffer->begin)
                continue;
            if (found == SIZE_MAX || choice == LAST ||
                (choice == BEST && nearer(instance, b, &groups[g], &groups[found])))
                found = g;
        }
        if (found == SIZE_MAX) {
            found = count++;
            groups[found].largest = b;
        } else {
            const struct buffer *largest = &instance->buffer[groups[found].largest];

            if (buffer->size > largest->size ||
                (buffer->size == largest->size && b < groups[found].largest))
                groups[found].largest = b;
        }
        groups[found].last = b;
        group[b] = found;
    }
    free(groups);
    free(order);
    return count;
}

void reference_path_cover(const struct instance *instance, size_t choice, struct plan *plan)
{
    size_t *group = memory_alloc(instance->n, sizeof *group);
    size_t count = fill_groups(instance, choice, group), done = 0;
    size_t *by_begin = plain_order(instance, plain_earlier, false);
    size_t *order = memory_alloc(instance->n, sizeof *order);

    for (size_t g = 0; g < count; g++)
        for (size_t i = 0; i < instance->n; i++)
            if (group[by_begin[i]] == g)
                order[done++] = by_begin[i];
    plain_place(instance, order, plain_top, plan);
    free(order);
    free(by_begin);
    free(group);
}
