/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep over time: a group is free from the end of its last member until a
 * buffer joins it.  The unused groups stand in a set ordered by what the choice
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

#include "lib/place/path_groups.h"

#include <stdint.h>

#include "lib/base/check.h"
#include "lib/base/memory.h"
#include "lib/place/index_set.h"
#include "lib/place/orders.h"
#include "lib/place/skyline.h"
#include "lib/place/time_walk.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

struct groups {
    const struct instance *instance;
    enum group_choice choice;
    size_t *group;           /* of each buffer */
    size_t opened;           /* so far */
    size_t *largest;         /* of each group: a buffer */
    size_t *rank;            /* GROUP_BEST: of each buffer by size */
    size_t *of_rank;         /* ... and back */
    size_t *rank_low;        /* the least rank among buffers of the same size */
    struct index_set unused; /* those whose last member has ended */
};

static void rank_sizes(struct groups *groups)
{
    const struct buffer *buffer = groups->instance->buffer;
    size_t n = groups->instance->n, low = 0;
    struct order_key *key = memory_alloc(n, sizeof *key);

    groups->rank = memory_alloc(n, sizeof *groups->rank);
    groups->of_rank = memory_alloc(n, sizeof *groups->of_rank);
    groups->rank_low = memory_alloc(n, sizeof *groups->rank_low);
    for (size_t b = 0; b < n; b++)
        key[b] = (struct order_key){key_ascending(buffer[b].size), 0, b};
    order_sort(key, n);
    for (size_t i = 0; i < n; i++) {
        if (key[i].major != key[low].major)
            low = i;
        groups->rank[key[i].index] = i;
        groups->of_rank[i] = key[i].index;
        groups->rank_low[key[i].index] = low;
    }
    memory_free(key);
}

static size_t place_in_set(const struct groups *groups, size_t group)
{
    return groups->choice == GROUP_BEST ? groups->rank[groups->largest[group]] : group;
}

/* The free group nearest in size to buffer B, or SIZE_MAX.  */
static size_t nearest_group(const struct groups *groups, size_t b)
{
    const struct buffer *buffer = groups->instance->buffer;
    size_t low = groups->rank_low[b], below = SIZE_MAX;
    size_t above = index_set_at_or_after(&groups->unused, low); /* as large, or larger */

    if (low > 0)
        below = index_set_at_or_before(&groups->unused, low - 1); /* smaller */
    if (below == SIZE_MAX && above == SIZE_MAX)
        return SIZE_MAX;
    if (below != SIZE_MAX) {
        size_t smaller = groups->of_rank[below];

        if (above == SIZE_MAX || buffer[b].size - buffer[smaller].size <=
                                     buffer[groups->of_rank[above]].size - buffer[b].size) {
            /* Of equally large groups the least rank.  */
            above = index_set_at_or_after(&groups->unused, groups->rank_low[smaller]);
        }
    }
    return groups->group[groups->of_rank[above]];
}

static size_t choose_group(const struct groups *groups, size_t b)
{
    switch (groups->choice) {
    case GROUP_FIRST:
        return index_set_at_or_after(&groups->unused, 0);
    case GROUP_LAST:
        return index_set_at_or_before(&groups->unused, groups->instance->n - 1);
    case GROUP_BEST:
        return nearest_group(groups, b);
    }
    return SIZE_MAX;
}

static void join_group(struct groups *groups, size_t b)
{
    const struct buffer *buffer = groups->instance->buffer;
    size_t group = choose_group(groups, b);

    if (group == SIZE_MAX) {
        group = groups->opened++;
        groups->largest[group] = b;
    } else {
        size_t largest = groups->largest[group];

        index_set_remove(&groups->unused, place_in_set(groups, group));
        if (buffer[b].size > buffer[largest].size ||
            (buffer[b].size == buffer[largest].size && b < largest))
            groups->largest[group] = b;
    }
    groups->group[b] = group;
}

/* The buffers of BEGIN[0..COUNT) have joined their groups.  */
static void check_groups(const struct groups *groups, const struct order_key *begin, size_t count)
{
    const struct buffer *buffer = groups->instance->buffer;
    size_t last = begin[count - 1].index, before = SIZE_MAX;

    if (!check_due(count, count))
        return;
    for (size_t i = 0; i + 1 < count; i++) {
        size_t b = begin[i].index;

        CHECK(groups->group[b] < groups->opened, "path groups", "a buffer is in an open group");
        if (groups->group[b] != groups->group[last])
            continue;
        before = b;
        CHECK(buffer[b].size <= buffer[groups->largest[groups->group[b]]].size, "path groups",
              "no member is larger than the largest one");
    }
    CHECK(before == SIZE_MAX || buffer[before].end <= buffer[last].begin, "path groups",
          "a member begins when the one before it has ended");
}

size_t path_groups(const struct instance *instance, enum group_choice choice, size_t *group)
{
    size_t n = instance->n, b, old;
    struct groups groups = {.instance = instance, .choice = choice, .group = group};
    struct time_walk walk;

    groups.largest = memory_alloc(n, sizeof *groups.largest);
    if (choice == GROUP_BEST)
        rank_sizes(&groups);
    index_set_init(&groups.unused, n);
    time_walk_init(&walk, instance, NULL);
    while (time_walk_next(&walk, &b)) {
        while (time_walk_ended(&walk, &old))
            index_set_add(&groups.unused, place_in_set(&groups, group[old]));
        join_group(&groups, b);
        CHECK_INVARIANT(check_groups(&groups, walk.begin, walk.begun));
    }
    CHECK_INVARIANT(CHECK(instance->shapes || (int64_t)groups.opened == instance->width,
                          "path groups", "there are as many as the width"));
    time_walk_clear(&walk);
    index_set_clear(&groups.unused);
    memory_free(groups.largest);
    memory_free(groups.rank);
    memory_free(groups.of_rank);
    memory_free(groups.rank_low);
    return groups.opened;
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
