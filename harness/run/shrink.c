/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/run/shrink.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"

struct row {
    const char *id;
    int64_t begin, end, size, alignment;
};

struct search {
    const char *name;
    size_t n;
    struct row *row; /* the smallest with the property so far */
    struct row *trial;
    int64_t *value; /* room for a number or two a row */
    shrink_test *has;
    void *context;
};

static struct instance *make_instance(const char *name, const struct row *row, size_t n)
{
    struct instance *instance = instance_new(name);
    struct error error;

    for (size_t i = 0; i < n; i++)
        instance_add(instance, row[i].id, row[i].begin, row[i].end, row[i].size, row[i].alignment);
    if (instance_seal(instance, NULL, &error))
        return instance;
    instance_free(instance);
    return NULL;
}

/* Goes on from the N rows of search->trial if they have the property and are others.  */
static bool take(struct search *search, size_t n)
{
    struct instance *instance;
    bool good;

    if (n == search->n && memcmp(search->trial, search->row, n * sizeof *search->row) == 0)
        return false;
    instance = make_instance(search->name, search->trial, n);
    good = instance != NULL && search->has(search->context, instance);
    instance_free(instance);
    if (!good)
        return false;
    memcpy(search->row, search->trial, n * sizeof *search->row);
    search->n = n;
    return true;
}

static void begin_trial(struct search *search)
{
    memcpy(search->trial, search->row, search->n * sizeof *search->row);
}

/* --- fewer buffers --- */

static bool leave_out(struct search *search, size_t first, size_t count)
{
    size_t rest = search->n - first - count;

    memcpy(search->trial, search->row, first * sizeof *search->row);
    memcpy(search->trial + first, search->row + first + count, rest * sizeof *search->row);
    return take(search, search->n - count);
}

static bool fewer_buffers(struct search *search)
{
    bool any = false;

    for (size_t count = search->n / 2; count > 0; count /= 2)
        for (size_t first = 0; first + count <= search->n && count < search->n;)
            if (leave_out(search, first, count))
                any = true;
            else
                first += count;
    return any;
}

/* --- smaller numbers --- */

static int64_t *number_of(struct row *row, size_t where)
{
    return (int64_t *)(void *)((char *)row + where);
}

/* Brings the number at WHERE in a row, of row I, as near to LIMIT as goes: there at once, or
 * in steps that are halved where one does not go.  */
static bool approach(struct search *search, size_t i, size_t where, int64_t limit)
{
    int64_t left = limit - *number_of(&search->row[i], where), step = left;
    bool any = false;

    while (step != 0) {
        begin_trial(search);
        *number_of(&search->trial[i], where) += step;
        if (!take(search, search->n)) {
            step /= 2;
            continue;
        }
        any = true;
        left -= step;
        if (llabs(step) > llabs(left))
            step = left;
    }
    return any;
}

/* To a power of two: few planners know others.  */
static bool lower_alignment(struct search *search, size_t i)
{
    for (int64_t alignment = 1; alignment < search->row[i].alignment; alignment *= 2) {
        begin_trial(search);
        search->trial[i].alignment = alignment;
        if (take(search, search->n))
            return true;
    }
    return false;
}

/* Which of the different ones among search->value[0..count), which are sorted, VALUE is.  */
static int64_t rank(const struct search *search, size_t count, int64_t value)
{
    int64_t before = 0;

    for (size_t i = 0; i < count && search->value[i] < value; i++)
        before += i == 0 || search->value[i - 1] != search->value[i];
    return before;
}

/* Times numbered from 0, without holes.  */
static bool rank_times(struct search *search)
{
    size_t count = 2 * search->n;

    for (size_t i = 0; i < search->n; i++) {
        search->value[2 * i] = search->row[i].begin;
        search->value[2 * i + 1] = search->row[i].end;
    }
    qsort(search->value, count, sizeof *search->value, compare64);
    begin_trial(search);
    for (size_t i = 0; i < search->n; i++) {
        search->trial[i].begin = rank(search, count, search->row[i].begin);
        search->trial[i].end = rank(search, count, search->row[i].end);
    }
    return take(search, search->n);
}

/* Sizes 1, 2, ... in the same order, equal ones equal.  */
static bool rank_sizes(struct search *search)
{
    for (size_t i = 0; i < search->n; i++)
        search->value[i] = search->row[i].size;
    qsort(search->value, search->n, sizeof *search->value, compare64);
    begin_trial(search);
    for (size_t i = 0; i < search->n; i++)
        search->trial[i].size = 1 + rank(search, search->n, search->row[i].size);
    return take(search, search->n);
}

/* All sizes at once, as long as that goes: what hangs on their sums stays.  */
static bool halve_sizes(struct search *search)
{
    for (bool any = false;; any = true) {
        begin_trial(search);
        for (size_t i = 0; i < search->n; i++)
            search->trial[i].size = (search->row[i].size + 1) / 2;
        if (!take(search, search->n))
            return any;
    }
}

static bool no_alignments(struct search *search)
{
    begin_trial(search);
    for (size_t i = 0; i < search->n; i++)
        search->trial[i].alignment = 1;
    return take(search, search->n);
}

static bool smaller_rows(struct search *search)
{
    bool any = false;

    for (size_t i = 0; i < search->n; i++) {
        const struct row *row = &search->row[i];

        any = lower_alignment(search, i) || any;
        any = approach(search, i, offsetof(struct row, size), 1) || any;
        any = approach(search, i, offsetof(struct row, end), row->begin + 1) || any;
        any = approach(search, i, offsetof(struct row, begin), row->end - 1) || any;
    }
    return any;
}

struct instance *shrink_instance(const struct instance *instance, shrink_test *has, void *context)
{
    static bool (*const steps[])(struct search *) = {fewer_buffers, no_alignments, rank_times,
                                                     rank_sizes,    halve_sizes,   smaller_rows};
    struct search search = {
        .name = instance->name, .n = instance->n, .has = has, .context = context};
    struct instance *smallest;
    bool any;

    search.row = memory_zalloc(instance->n, sizeof *search.row);
    search.trial = memory_zalloc(instance->n, sizeof *search.trial);
    search.value = memory_alloc(2 * instance->n, sizeof *search.value);
    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[i];

        search.row[i] =
            (struct row){buffer->id, buffer->begin, buffer->end, buffer->size, buffer->alignment};
    }
    do {
        any = false;
        for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++)
            any = steps[s](&search) || any;
    } while (any);
    smallest = make_instance(instance->name, search.row, search.n);
    free(search.row);
    free(search.trial);
    free(search.value);
    return smallest;
}
