/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vela-fast-storage: which feature maps Vela leaves in the fast memory of an Ethos-U.
 *
 * All are there at first.  Those that exceed the capacity alone go out; those that share no step
 * with an excess stay.  The rest compete, from left to right in time, by end, then size: in groups
 * that are apart in time, or of 20 at most, one after the other.  Of a group all choices are tried
 * whose sums fit at each step beside what stayed before, and one with the most bytes that are read
 * and written is taken, the first of equal ones, where to stay is tried before to go.  With more
 * than 20, lives of 20 steps or more go out that end more than 20 steps after the one that stands
 * 20 places on.  Sums alone decide: whether there are offsets is seen afterwards.
 *
 *   capacity 10: a [0, 2) 6 bytes, b [0, 1) 5, c [1, 3) 5, each as often used as it is large: a and
 * b, and a and c, exceed it at a step, and b and c stay, with 10 bytes instead of 6.
 *
 * Source: Arm, ethos-u-vela, ethosu/vela/scheduler.py, use_fast_storage_for_feature_maps and
 * FastStorageComponentAllocator.  Exponential in a group, 2^20 at most, times the steps of a life.
 * Guarantee: none; with up to 20 buffers the most bytes of all choices whose sums fit.
 * Differences: upstream estimates the accesses of the hardware's blocks, here they are the bytes
 * read and written; upstream's offsets are those of its hill climb, here of the library.  */
#include <config.h>

#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/problem/instance.h"
#include "memories/memory.h"
#include "memories/placing.h"
#include "memories/split.h"
#include "memories/splitter.h"

enum { MOST_ITEMS = 20, LONG_LIFE = 20 };

struct item {
    size_t buffer, first, last; /* steps, both inclusive */
    int64_t size, access;
};

struct vela {
    int64_t limit;
    int64_t *base; /* of a step: bytes of what stays for sure */
    int64_t *most; /* and of all that has not gone out */
    bool *stays;   /* of a buffer */
    struct item *item;
    size_t items;

    /* Of the group that is tried.  */
    const struct item *group;
    size_t count;
    bool out[MOST_ITEMS], best[MOST_ITEMS];
    int64_t best_score;
};

static void change(int64_t *usage, const struct item *item, int64_t bytes)
{
    for (size_t s = item->first; s <= item->last; s++)
        usage[s] += bytes;
}

static int64_t highest(const int64_t *usage, const struct item *item)
{
    int64_t most = 0;

    for (size_t s = item->first; s <= item->last; s++)
        most = max64(most, usage[s]);
    return most;
}

static void evict(struct vela *vela, const struct item *item)
{
    vela->stays[item->buffer] = false;
    change(vela->most, item, -item->size);
}

/* --- all choices of a group --- */

static void try_all(struct vela *vela, size_t i, int64_t score)
{
    const struct item *item = &vela->group[i];

    if (i == vela->count) {
        if (score > vela->best_score) {
            vela->best_score = score;
            memcpy(vela->best, vela->out, sizeof vela->best);
        }
        return;
    }
    if (highest(vela->base, item) + item->size <= vela->limit) {
        vela->out[i] = false;
        change(vela->base, item, item->size);
        try_all(vela, i + 1, score + item->access);
        change(vela->base, item, -item->size);
    }
    if (highest(vela->most, item) > vela->limit) {
        vela->out[i] = true;
        change(vela->most, item, -item->size);
        try_all(vela, i + 1, score);
        change(vela->most, item, item->size);
    }
}

static void choose(struct vela *vela, const struct item *group, size_t count)
{
    vela->group = group;
    vela->count = count;
    vela->best_score = -1;
    memset(vela->best, 0, sizeof vela->best);
    try_all(vela, 0, 0);
    for (size_t i = 0; i < count; i++)
        if (vela->best[i])
            evict(vela, &group[i]);
        else
            change(vela->base, &group[i], group[i].size);
}

/* --- who competes --- */

static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;

    return ORDER(x->first, y->first) ?: ORDER(x->last, y->last) ?: ORDER(x->size, y->size);
}

/* Those that stay or go without a choice leave the list.  */
static void settle(struct vela *vela)
{
    size_t left = 0;

    for (size_t i = 0; i < vela->items; i++)
        if (vela->item[i].size > vela->limit)
            evict(vela, &vela->item[i]);
    for (size_t i = 0; i < vela->items; i++) {
        const struct item *item = &vela->item[i];

        if (!vela->stays[item->buffer])
            continue;
        if (highest(vela->most, item) <= vela->limit)
            change(vela->base, item, item->size);
        else
            vela->item[left++] = *item;
    }
    vela->items = left;
}

/* Lives that are too long beside others go out.  */
static void drop_long(struct vela *vela)
{
    const size_t count = vela->items;
    struct item *all = memory_copy(vela->item, count, sizeof *all);
    size_t left = count, kept = 0;

    for (size_t i = 0; i < count; i++) {
        const size_t at = i + MOST_ITEMS < left ? i + MOST_ITEMS : left - 1;

        if (all[i].last - all[i].first >= LONG_LIFE && all[i].last > all[at].last + LONG_LIFE) {
            evict(vela, &all[i]);
            left--;
        } else {
            vela->item[kept++] = all[i];
        }
    }
    vela->items = kept;
    memory_free(all);
}

static void compete(struct vela *vela)
{
    size_t start = 0, end;

    sort_stable(vela->item, vela->items, sizeof *vela->item, compare_items);
    if (vela->items > MOST_ITEMS)
        drop_long(vela);
    if (vela->items == 0)
        return;
    end = vela->item[0].last;
    for (size_t i = 0; i < vela->items; i++) {
        const struct item *item = &vela->item[i];

        if (item->first <= end && i - start < MOST_ITEMS) {
            end = item->last > end ? item->last : end;
            continue;
        }
        choose(vela, &vela->item[start], i - start);
        start = i;
        end = item->last;
    }
    choose(vela, &vela->item[start], vela->items - start);
}

static void find_items(struct vela *vela, const struct split_problem *problem)
{
    const struct instance *instance = problem->instance;

    vela->item = memory_alloc(instance->n, sizeof *vela->item);
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        struct item *item = &vela->item[vela->items];

        vela->stays[b] = problem->cost[b * problem->memories] != SPLIT_NEVER;
        if (!vela->stays[b])
            continue;
        *item = (struct item){b, buffer->first, buffer->last, buffer->size,
                              problem->traffic.reads[b] + problem->traffic.writes[b]};
        change(vela->most, item, item->size);
        vela->items++;
    }
}

/* --- offsets --- */

/* Places all of memory M, or says that there is no place.  */
static bool place(const struct split_problem *problem, const struct split_limits *limits, size_t m,
                  struct split *split, struct error *reason)
{
    const size_t n = problem->instance->n;
    size_t *set = memory_alloc(n, sizeof *set), count = 0;
    int64_t *offset = memory_alloc(n, sizeof *offset);
    enum placing_answer answer;

    for (size_t b = 0; b < n; b++)
        if (split->memory[b] == m)
            set[count++] = b;
    answer = placing_ask(problem, m, set, count, limits->work, limits->deadline, offset);
    for (size_t i = 0; i < count && answer == PLACING_FITS; i++)
        split->offset[set[i]] = offset[i];
    memory_free(set);
    memory_free(offset);
    return answer == PLACING_FITS ||
           error_set(reason, "what it leaves in memory '%s' fits by its sums, but %s",
                     problem->memory[m].name,
                     answer == PLACING_NEVER ? "has no offsets" : "no offsets were found");
}

/* What goes out goes to the cheapest of the other memories.  */
static void assign(const struct vela *vela, const struct split_problem *problem,
                   struct split *split)
{
    for (size_t b = 0; b < problem->instance->n; b++) {
        const size_t *order = &problem->order[b * problem->memories];

        split->memory[b] = vela->stays[b]                            ? 0
                           : order[0] != 0 || problem->memories == 1 ? order[0]
                                                                     : order[1];
    }
}

static bool solve(const struct split_problem *problem, const struct split_limits *limits,
                  struct split *split, struct split_result *result, struct error *reason)
{
    const struct instance *instance = problem->instance;
    struct vela vela = {
        .limit = problem->memory[0].capacity,
        .base = memory_zalloc(instance->steps, sizeof *vela.base),
        .most = memory_zalloc(instance->steps, sizeof *vela.most),
        .stays = memory_zalloc(instance->n, sizeof *vela.stays),
    };
    bool good = true;

    (void)result;
    find_items(&vela, problem);
    settle(&vela);
    compete(&vela);
    assign(&vela, problem, split);
    for (size_t m = 0; m < problem->memories && good; m++)
        good = place(problem, limits, m, split, reason);
    split->cost = good ? split_cost(problem, split) : SPLIT_NEVER;
    memory_free(vela.item);
    memory_free(vela.base);
    memory_free(vela.most);
    memory_free(vela.stays);
    return good && (split->cost != SPLIT_NEVER ||
                    error_set(reason, "a buffer may lie in no memory that is left"));
}

const struct splitter splitter_vela = {
    .name = "vela-fast-storage",
    .title = "Vela, feature maps in fast storage",
    .source = "Arm, ethos-u-vela, scheduler.py",
    .kind = SPLITTER_SHIPPED,
    .solve = solve,
};
