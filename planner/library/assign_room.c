/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/library/assign_room.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "planner/library/assign_model.h"

/* Sizes in a section, and steps of the search, up to which it is exact.  */
#define MOST_SIZES 40
#define MOST_STEPS 2000

/* A rectangle of a buffer, with what decides where it may lie.  */
struct alive {
    size_t first, last, buffer;
    int64_t bytes;
};

static int compare_alive(const void *a, const void *b)
{
    const struct alive *x = a, *y = b;

    return ORDER(x->first, y->first) ?: ORDER(y->bytes, x->bytes);
}

/* Which of the sizes, in descending order, sum up to the most.  */
struct sum_search {
    int64_t size[MOST_SIZES], rest[MOST_SIZES + 1]; /* those from here on */
    int count, steps;
    int64_t capacity, goal, best;
};

static void sum_up(struct sum_search *search, int i, int64_t sum)
{
    if (sum > search->best)
        search->best = sum;
    if (search->steps == 0 || search->best >= search->goal || i == search->count ||
        sum + search->rest[i] <= search->best)
        return;
    search->steps--;
    if (sum + search->size[i] <= search->capacity)
        sum_up(search, i + 1, sum + search->size[i]);
    sum_up(search, i + 1, sum);
}

static void add_size(struct sum_search *search, int64_t size)
{
    int at = search->count++;

    for (; at > 0 && search->size[at - 1] < size; at--)
        search->size[at] = search->size[at - 1];
    search->size[at] = size;
}

static int64_t most_sum(struct sum_search *search)
{
    search->rest[search->count] = 0;
    for (int i = search->count - 1; i >= 0; i--)
        search->rest[i] = search->rest[i + 1] + search->size[i];
    search->steps = MOST_STEPS;
    search->best = 0;
    sum_up(search, 0, 0);
    return search->steps == 0 ? search->goal : search->best;
}

/* Of the COUNT that are alive, in memory M.  */
static int64_t room_for(const struct assign_model *model, size_t m, const struct alive *alive,
                        size_t count)
{
    const int64_t capacity = model->memory[m].capacity;
    struct sum_search search = {.count = 0};
    int64_t common = 0, all = 0;
    size_t there = 0;

    for (size_t i = 0; i < count; i++) {
        if (assign_cost(model, alive[i].buffer, m) == ASSIGN_NEVER)
            continue;
        common = gcd64(common, alive[i].bytes);
        all += alive[i].bytes;
        if (there++ < MOST_SIZES)
            add_size(&search, alive[i].bytes);
    }
    if (all <= capacity)
        return all;
    search.capacity = capacity;
    search.goal = capacity - capacity % common;
    return there > MOST_SIZES ? search.goal : most_sum(&search);
}

static struct alive *list_all(const struct assign_model *model)
{
    struct alive *all = memory_alloc(model->first_piece[model->n], sizeof *all);

    for (size_t b = 0; b < model->n; b++)
        for (size_t i = model->first_piece[b]; i < model->first_piece[b + 1]; i++) {
            const struct assign_piece *piece = &model->piece[i];

            all[i] = (struct alive){piece->first, piece->last, b, piece->high - piece->low};
        }
    sort_stable(all, model->first_piece[model->n], sizeof *all, compare_alive);
    return all;
}

void assign_rooms(const struct assign_model *model, int64_t *room)
{
    const size_t pieces = model->first_piece[model->n];
    struct alive *all = list_all(model), *alive = memory_alloc(pieces, sizeof *alive);
    size_t next = 0, count = 0;

    for (size_t s = 0; s < model->sections; s++) {
        size_t kept = 0;

        for (size_t i = 0; i < count; i++)
            if (alive[i].last >= s)
                alive[kept++] = alive[i];
        for (count = kept; next < pieces && all[next].first == s; next++)
            alive[count++] = all[next];
        for (size_t m = 0; m < model->memories; m++)
            room[m * model->sections + s] = assign_is_unlimited(model, m)
                                                ? ARENAPLAN_UNLIMITED
                                                : room_for(model, m, alive, count);
    }
    memory_free(all);
    memory_free(alive);
}
