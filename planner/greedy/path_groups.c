/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep over time: a group is free from the end of its last member until a
 * buffer joins it.  The free groups stand in a set ordered by what the choice
 * asks for:
 *
 *   first, last   the group's number;
 *   best          the rank of the group's largest buffer among all buffers, by
 *                 (size, index); of equally large members the earliest counts.
 *
 * Best compares the difference in size; of equal differences the smaller group
 * wins, and of equally large groups the one whose largest buffer has the least
 * index.  A buffer belongs to one group, so ranks tell groups apart.  */
#include <config.h>

#include "planner/greedy/path_groups.h"

#include <stdint.h>

#include "lib/base/check.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "planner/greedy/fixed_first.h"
#include "planner/greedy/index_set.h"
#include "planner/greedy/order.h"
#include "planner/greedy/skyline.h"

struct sweep {
    const struct instance *instance;
    enum group_choice choice;
    size_t *group;    /* of each buffer */
    size_t groups;    /* opened so far */
    size_t *largest;  /* of each group: a buffer */
    size_t *rank;     /* GROUP_BEST: of each buffer by size */
    size_t *of_rank;  /* ... and back */
    size_t *rank_low; /* the least rank among buffers of the same size */
    struct index_set free_groups;
};

static struct order_key *sorted_times(const struct instance *instance, bool ends)
{
    struct order_key *key = memory_alloc(instance->n, sizeof *key);

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        key[b] = (struct order_key){key_ascending(ends ? buffer->end : buffer->begin), 0, b};
    }
    order_sort(key, instance->n);
    return key;
}

static void rank_sizes(struct sweep *sweep)
{
    const struct buffer *buffer = sweep->instance->buffer;
    size_t n = sweep->instance->n, low = 0;
    struct order_key *key = memory_alloc(n, sizeof *key);

    sweep->rank = memory_alloc(n, sizeof *sweep->rank);
    sweep->of_rank = memory_alloc(n, sizeof *sweep->of_rank);
    sweep->rank_low = memory_alloc(n, sizeof *sweep->rank_low);
    for (size_t b = 0; b < n; b++)
        key[b] = (struct order_key){key_ascending(buffer[b].size), 0, b};
    order_sort(key, n);
    for (size_t i = 0; i < n; i++) {
        if (key[i].major != key[low].major)
            low = i;
        sweep->rank[key[i].index] = i;
        sweep->of_rank[i] = key[i].index;
        sweep->rank_low[key[i].index] = low;
    }
    memory_free(key);
}

static size_t place_in_set(const struct sweep *sweep, size_t group)
{
    return sweep->choice == GROUP_BEST ? sweep->rank[sweep->largest[group]] : group;
}

/* The free group nearest in size to buffer B, or SIZE_MAX.  */
static size_t nearest_group(const struct sweep *sweep, size_t b)
{
    const struct buffer *buffer = sweep->instance->buffer;
    size_t low = sweep->rank_low[b], below = SIZE_MAX;
    size_t above = index_set_at_or_after(&sweep->free_groups, low); /* as large, or larger */

    if (low > 0)
        below = index_set_at_or_before(&sweep->free_groups, low - 1); /* smaller */
    if (below == SIZE_MAX && above == SIZE_MAX)
        return SIZE_MAX;
    if (below != SIZE_MAX) {
        size_t smaller = sweep->of_rank[below];

        if (above == SIZE_MAX || buffer[b].size - buffer[smaller].size <=
                                     buffer[sweep->of_rank[above]].size - buffer[b].size) {
            /* Of equally large groups the least rank.  */
            above = index_set_at_or_after(&sweep->free_groups, sweep->rank_low[smaller]);
        }
    }
    return sweep->group[sweep->of_rank[above]];
}

static size_t choose_group(const struct sweep *sweep, size_t b)
{
    switch (sweep->choice) {
    case GROUP_FIRST:
        return index_set_at_or_after(&sweep->free_groups, 0);
    case GROUP_LAST:
        return index_set_at_or_before(&sweep->free_groups, sweep->instance->n - 1);
    case GROUP_BEST:
        return nearest_group(sweep, b);
    }
    return SIZE_MAX;
}

static void join_group(struct sweep *sweep, size_t b)
{
    const struct buffer *buffer = sweep->instance->buffer;
    size_t group = choose_group(sweep, b);

    if (group == SIZE_MAX) {
        group = sweep->groups++;
        sweep->largest[group] = b;
    } else {
        size_t largest = sweep->largest[group];

        index_set_remove(&sweep->free_groups, place_in_set(sweep, group));
        if (buffer[b].size > buffer[largest].size ||
            (buffer[b].size == buffer[largest].size && b < largest))
            sweep->largest[group] = b;
    }
    sweep->group[b] = group;
}

/* The buffers of BEGIN[0..COUNT) have joined their groups.  */
static void check_groups(const struct sweep *sweep, const struct order_key *begin, size_t count)
{
    const struct buffer *buffer = sweep->instance->buffer;
    size_t last = begin[count - 1].index, before = SIZE_MAX;

    if (!check_due(count, count))
        return;
    for (size_t i = 0; i + 1 < count; i++) {
        size_t b = begin[i].index;

        CHECK(sweep->group[b] < sweep->groups, "path groups", "a buffer is in an open group");
        if (sweep->group[b] != sweep->group[last])
            continue;
        before = b;
        CHECK(buffer[b].size <= buffer[sweep->largest[sweep->group[b]]].size, "path groups",
              "no member is larger than the largest one");
    }
    CHECK(before == SIZE_MAX || buffer[before].end <= buffer[last].begin, "path groups",
          "a member begins when the one before it has ended");
}

size_t path_groups(const struct instance *instance, enum group_choice choice, size_t *group)
{
    size_t n = instance->n, ended = 0;
    struct sweep sweep = {.instance = instance, .choice = choice, .group = group};
    struct order_key *begin = sorted_times(instance, false);
    struct order_key *end = sorted_times(instance, true);

    sweep.largest = memory_alloc(n, sizeof *sweep.largest);
    if (choice == GROUP_BEST)
        rank_sizes(&sweep);
    index_set_init(&sweep.free_groups, n);
    for (size_t i = 0; i < n; i++) {
        for (; end[ended].major <= begin[i].major; ended++)
            index_set_add(&sweep.free_groups, place_in_set(&sweep, group[end[ended].index]));
        join_group(&sweep, begin[i].index);
        CHECK_INVARIANT(check_groups(&sweep, begin, i + 1));
    }
    CHECK_INVARIANT(CHECK(instance->shapes || (int64_t)sweep.groups == instance->width,
                          "path groups", "there are as many as the width"));
    index_set_clear(&sweep.free_groups);
    memory_free(sweep.largest);
    memory_free(sweep.rank);
    memory_free(sweep.of_rank);
    memory_free(sweep.rank_low);
    memory_free(begin);
    memory_free(end);
    return sweep.groups;
}

void path_groups_place(const struct instance *instance, enum group_choice choice, struct plan *plan)
{
    size_t *group = memory_alloc(instance->n, sizeof *group);
    struct order_key *key = memory_alloc(instance->n, sizeof *key);

    path_groups(instance, choice, group);
    for (size_t b = 0; b < instance->n; b++)
        key[b] = (struct order_key){group[b], key_ascending(instance->buffer[b].begin), b};
    order_sort(key, instance->n);
    skyline_place_rest(instance, key, fixed_first(instance, key, plan), plan);
    CHECK_INVARIANT(plan_check(instance, plan));
    memory_free(key);
    memory_free(group);
}
