/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/dives/section_classes.h"

#include <assert.h>
#include <string.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/order.h"
#include "lib/place/sections.h"
#include "lib/problem/instance.h"

/* While the classes are found: the buffers, in the order of KEEP.  */
struct making {
    const struct instance *instance;
    const size_t *keep;
    size_t count;
    int64_t unit;
    bool merge, backwards;
    uint32_t *first, *last;
    struct order_key *key; /* scratch */
};

static const struct buffer *kept(const struct making *making, size_t i)
{
    return &making->instance->buffer[making->keep[i]];
}

static size_t find_sections(struct making *making)
{
    struct sections_span *span = memory_alloc(making->count, sizeof *span);
    size_t sections;

    for (size_t i = 0; i < making->count; i++)
        span[i] = (struct sections_span){.begin = kept(making, i)->first,
                                         .end = (int64_t)kept(making, i)->last + 1};
    sections = sections_find(span, making->count);
    for (size_t i = 0; i < making->count; i++) {
        bool backwards = making->backwards;

        making->first[i] = (uint32_t)(backwards ? sections - 1 - span[i].last : span[i].first);
        making->last[i] = (uint32_t)(backwards ? sections - 1 - span[i].first : span[i].last);
    }
    memory_free(span);
    return sections;
}

/* Buffers of one class next to each other, classes by first and last section.  */
static void sort_buffers(struct making *making)
{
    for (size_t i = 0; i < making->count; i++)
        making->key[i] = (struct order_key){(uint64_t)kept(making, i)->alignment, 0, i};
    order_sort(making->key, making->count);
    for (size_t k = 0; k < making->count; k++) {
        size_t i = making->key[k].index;

        making->key[k] = (struct order_key){(uint64_t)making->first[i] << 32 | making->last[i],
                                            key_descending(kept(making, i)->size), i};
    }
    order_sort(making->key, making->count);
}

static bool same_class(const struct making *making, size_t k)
{
    const struct order_key *a = &making->key[k - 1], *b = &making->key[k];

    return making->merge && kept(making, a->index)->fixed < 0 &&
           kept(making, b->index)->fixed < 0 && a->major == b->major && a->minor == b->minor &&
           kept(making, a->index)->alignment == kept(making, b->index)->alignment;
}

static struct section_classes *classes_alloc(size_t count, size_t sections)
{
    struct section_classes *classes = memory_alloc(1, sizeof *classes);

    *classes = (struct section_classes){
        .sections = sections,
        .buffers = count,
        .size = memory_alloc(count, sizeof *classes->size),
        .alignment = memory_alloc(count, sizeof *classes->alignment),
        .fixed = memory_alloc(count, sizeof *classes->fixed),
        .length = memory_alloc(count, sizeof *classes->length),
        .copies = memory_zalloc(count, sizeof *classes->copies),
        .first = memory_alloc(count, sizeof *classes->first),
        .last = memory_alloc(count, sizeof *classes->last),
        .rank = {memory_alloc(count, sizeof **classes->rank),
                 memory_alloc(count, sizeof **classes->rank),
                 memory_alloc(count, sizeof **classes->rank)},
        .begin = memory_zalloc(sections + 1, sizeof *classes->begin),
        .start = memory_zalloc(sections + 1, sizeof *classes->start),
        .total = memory_zalloc(sections, sizeof *classes->total),
        .copy = memory_alloc(count, sizeof *classes->copy),
        .copy_start = memory_alloc(count + 1, sizeof *classes->copy_start),
    };
    return classes;
}

void section_classes_free(struct section_classes *classes)
{
    if (classes == NULL)
        return;
    memory_free(classes->size);
    memory_free(classes->alignment);
    memory_free(classes->fixed);
    holes_clear(&classes->holes);
    memory_free(classes->length);
    memory_free(classes->copies);
    memory_free(classes->first);
    memory_free(classes->last);
    for (size_t r = 0; r < RANKS; r++)
        memory_free(classes->rank[r]);
    memory_free(classes->begin);
    memory_free(classes->start);
    memory_free(classes->member);
    memory_free(classes->total);
    memory_free(classes->copy);
    memory_free(classes->copy_start);
    memory_free(classes);
}

static void fill_classes(struct section_classes *classes, const struct making *making)
{
    for (size_t k = 0; k < making->count; k++) {
        size_t i = making->key[k].index, c;

        if (k == 0 || !same_class(making, k)) {
            c = classes->n++;
            classes->size[c] = kept(making, i)->size / making->unit;
            classes->alignment[c] = max64(1, kept(making, i)->alignment / making->unit);
            classes->fixed[c] =
                kept(making, i)->fixed < 0 ? -1 : kept(making, i)->fixed / making->unit;
            classes->any_fixed = classes->any_fixed || classes->fixed[c] >= 0;
            classes->length[c] = lifetime_length(kept(making, i));
            classes->first[c] = making->first[i];
            classes->last[c] = making->last[i];
            classes->copy_start[c] = k;
            classes->begin[classes->first[c] + 1]++;
        }
        classes->copy[k] = (uint32_t)i;
        classes->copies[classes->n - 1]++;
    }
    classes->copy_start[classes->n] = making->count;
    for (size_t s = 0; s < classes->sections; s++)
        classes->begin[s + 1] += classes->begin[s];
}

/* Members and totals of the sections.  False when there are too many.  */
static bool fill_sections(struct section_classes *classes, size_t most)
{
    size_t *next = memory_zalloc(classes->sections + 1, sizeof *next);
    size_t *start = classes->start;
    bool fits;

    /* First differences, then sums.  */
    for (size_t c = 0; c < classes->n; c++) {
        next[classes->first[c]]++;
        next[classes->last[c] + 1]--;
    }
    for (size_t s = 1; s <= classes->sections; s++)
        next[s] += next[s - 1];
    for (size_t s = 0; s < classes->sections; s++)
        start[s + 1] = start[s] + next[s];
    fits = start[classes->sections] <= most;
    if (fits) {
        classes->member = memory_alloc(start[classes->sections], sizeof *classes->member);
        for (size_t s = 0; s < classes->sections; s++)
            next[s] = start[s];
        for (size_t c = 0; c < classes->n; c++)
            for (size_t s = classes->first[c]; s <= classes->last[c]; s++) {
                classes->member[next[s]++] = (uint32_t)c;
                classes->total[s] += classes->size[c] * classes->copies[c];
            }
        for (size_t s = 0; s < classes->sections; s++)
            classes->load = max64(classes->load, classes->total[s]);
    }
    memory_free(next);
    return fits;
}

/* --- holes --- */

/* Beside class F, where that is fixed.  */
static void add_hole(struct section_classes *classes, size_t c, size_t f)
{
    if (classes->fixed[f] >= 0)
        holes_add(&classes->holes,
                  hole_beside(classes->size[c], classes->fixed[f], classes->size[f]));
}

/* Of all classes but the fixed ones: neighbours are there where one begins, or begin later.  */
static void fill_holes(struct section_classes *classes)
{
    holes_init(&classes->holes, classes->n);
    for (size_t c = 0; c < classes->n; c++) {
        size_t first = classes->first[c], last = classes->last[c];

        if (classes->fixed[c] < 0) {
            for (size_t i = classes->start[first]; i < classes->start[first + 1]; i++)
                add_hole(classes, c, classes->member[i]);
            for (size_t f = classes->begin[first + 1]; f < classes->begin[last + 1]; f++)
                add_hole(classes, c, f);
        }
        holes_close(&classes->holes);
    }
}

/* --- ranks --- */

static int64_t fullest_total(const struct section_classes *classes, size_t c)
{
    int64_t fullest = 0;

    for (size_t s = classes->first[c]; s <= classes->last[c]; s++)
        fullest = max64(fullest, classes->total[s]);
    return fullest;
}

/* Areas wrap around where they don't fit, which changes no more than a tie.  */
static uint64_t value_of(const struct section_classes *classes, char key, size_t c)
{
    switch (key) {
    case 'W':
        return classes->length[c];
    case 'A':
        return classes->length[c] * (uint64_t)classes->size[c];
    case 'T':
        return (uint64_t)fullest_total(classes, c);
    default:
        return (uint64_t)classes->size[c];
    }
}

/* The last key first: each sort keeps the order of what is equal.  */
void section_classes_ranks(const struct section_classes *classes, const char *keys, uint32_t *rank)
{
    struct order_key *key = memory_alloc(classes->n, sizeof *key);

    for (size_t c = 0; c < classes->n; c++)
        key[c].index = c;
    for (size_t k = strlen(keys); k-- > 0;) {
        for (size_t i = 0; i < classes->n; i++)
            key[i] = (struct order_key){~value_of(classes, keys[k], key[i].index), 0, key[i].index};
        order_sort(key, classes->n);
    }
    for (size_t i = 0; i < classes->n; i++)
        rank[key[i].index] = (uint32_t)i;
    memory_free(key);
}

static void check_section(const struct section_classes *classes, size_t s)
{
    int64_t total = 0;

    for (size_t i = classes->start[s]; i < classes->start[s + 1]; i++) {
        size_t c = classes->member[i];

        CHECK(i == classes->start[s] || classes->member[i - 1] < c, "sections", "members ascend");
        CHECK(classes->first[c] <= s && s <= classes->last[c], "sections",
              "a member's range has its section");
        total += classes->size[c] * classes->copies[c];
    }
    CHECK(classes->total[s] == total, "sections", "a total is the sum of the members");
    CHECK(classes->load >= total, "sections", "the load is the largest total");
}

static void check_classes(const struct section_classes *classes, const struct making *making)
{
    size_t copies = 0;

    for (size_t c = 0; c < classes->n; c++) {
        CHECK(c == 0 || classes->first[c - 1] <= classes->first[c], "classes",
              "they stand by first section");
        CHECK(classes->copy_start[c + 1] - classes->copy_start[c] == classes->copies[c], "classes",
              "a class has its copies");
        CHECK(classes->begin[classes->first[c]] <= c && c < classes->begin[classes->first[c] + 1],
              "classes", "those that begin in a section stand together");
        copies += classes->copies[c];
        for (size_t d = 0; d < classes->n && check_due(c, classes->n); d++) {
            const struct buffer *a = kept(making, classes->copy[classes->copy_start[c]]);
            const struct buffer *b = kept(making, classes->copy[classes->copy_start[d]]);

            CHECK(buffers_overlap_in_time(a, b) == (classes->first[c] <= classes->last[d] &&
                                                    classes->first[d] <= classes->last[c]),
                  "classes", "two share a section exactly if they live together");
        }
    }
    CHECK(copies == classes->buffers, "classes", "each buffer is a copy of one class");
    for (size_t s = 0; s < classes->sections; s++)
        check_section(classes, s);
}

struct section_classes *section_classes_new(const struct instance *instance, int64_t unit,
                                            const size_t *keep, size_t count, bool merge,
                                            bool backwards, size_t most)
{
    struct making making = {
        .instance = instance,
        .keep = keep,
        .count = count,
        .unit = unit,
        .merge = merge,
        .backwards = backwards,
        .first = memory_alloc(count, sizeof *making.first),
        .last = memory_alloc(count, sizeof *making.last),
        .key = memory_alloc(count, sizeof *making.key),
    };
    struct section_classes *classes = classes_alloc(count, find_sections(&making));

    assert(unit > 0 && count > 0 && count < UINT32_MAX);
    sort_buffers(&making);
    fill_classes(classes, &making);
    if (fill_sections(classes, most)) {
        section_classes_ranks(classes, "WAT", classes->rank[RANK_LENGTH]);
        section_classes_ranks(classes, "TWA", classes->rank[RANK_FULLEST]);
        if (classes->any_fixed)
            fill_holes(classes);
        CHECK_INVARIANT(check_classes(classes, &making));
    } else {
        section_classes_free(classes);
        classes = NULL;
    }
    memory_free(making.first);
    memory_free(making.last);
    memory_free(making.key);
    return classes;
}

struct section_classes *section_classes_of(const struct instance *instance, int64_t unit,
                                           bool merge, bool backwards)
{
    size_t *all = memory_alloc(instance->n, sizeof *all);
    struct section_classes *classes;

    for (size_t b = 0; b < instance->n; b++)
        all[b] = b;
    classes = section_classes_new(instance, unit, all, instance->n, merge, backwards, SIZE_MAX);
    memory_free(all);
    return classes;
}

int64_t section_incidences(const struct instance *instance)
{
    struct sections_span *span = memory_alloc(instance->n, sizeof *span);
    int64_t incidences = 0;

    for (size_t b = 0; b < instance->n; b++)
        span[b] = (struct sections_span){.begin = instance->buffer[b].begin,
                                         .end = instance->buffer[b].end};
    sections_find(span, instance->n);
    for (size_t b = 0; b < instance->n; b++)
        incidences += (int64_t)(span[b].last - span[b].first) + 1;
    memory_free(span);
    return incidences;
}

void section_classes_starts(const struct section_classes *classes, const int64_t *start,
                            int64_t *buffer_start)
{
    for (size_t c = 0; c < classes->n; c++)
        buffer_start[classes->copy[c]] = start[c];
}
