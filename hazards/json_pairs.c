/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/json_private.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sets.h"
#include "lib/base/sort.h"
#include "lib/problem/instance.h"

/* Two buffers without an order, and where they stand in a list.  */
struct two {
    size_t low, high, index;
};

static struct two two_of(size_t a, size_t b, size_t index)
{
    return (struct two){a < b ? a : b, a < b ? b : a, index};
}

static int compare_buffers(const void *a, const void *b)
{
    const struct two *x = a, *y = b;
    const int order = ORDER(x->low, y->low);

    return order != 0 ? order : ORDER(x->high, y->high);
}

static const char *id_of(const struct json_reading *reading, size_t b)
{
    return reading->problem->plain->buffer[b].id;
}

/* --- pairs --- */

static bool read_two(const struct json_reading *reading, json_t *value, size_t *a, size_t *b)
{
    return json_reference(reading, value, "first", a) &&
           json_reference(reading, value, "second", b);
}

static void add_pair(struct json_reading *reading, enum conflict_kind kind, size_t a, size_t b)
{
    struct hazard_problem *problem = reading->problem;

    problem->pair = memory_grow(problem->pair, &reading->pairs_room, problem->n_pairs + 1,
                                sizeof *problem->pair);
    problem->pair[problem->n_pairs++] = (struct conflict_pair){kind, a, b};
}

/* A buffer that is together with itself says nothing, as in dsa-solver.  */
static bool take_pair(struct json_reading *reading, enum conflict_kind kind, size_t a, size_t b)
{
    const struct hazard_problem *problem = reading->problem;
    size_t *root = reading->root;

    if (kind == CONFLICT_TOGETHER && a == b)
        return true;
    if (a == b)
        return json_wrong(&reading->place, "a pair of buffer '%s' with itself; expected two",
                          id_of(reading, a));
    if (kind == CONFLICT_TOGETHER && problem->pool[a] != problem->pool[b])
        return json_wrong(&reading->place, "buffers '%s' and '%s' lie in different pools",
                          id_of(reading, a), id_of(reading, b));
    if (kind == CONFLICT_APART && sets_root(root, a) == sets_root(root, b))
        return json_wrong(&reading->place, "buffers '%s' and '%s' are together", id_of(reading, a),
                          id_of(reading, b));
    if (kind == CONFLICT_TOGETHER)
        root[sets_root(root, a)] = sets_root(root, b);
    add_pair(reading, kind, a, b);
    return true;
}

static bool read_pairs(struct json_reading *reading, json_t *constraints, const char *key,
                       enum conflict_kind kind)
{
    json_t *list;
    size_t a, b;

    json_at(&reading->place, "problem.constraints");
    list = json_list(&reading->place, constraints, key);
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *value = json_array_get(list, i);

        json_at(&reading->place, "problem.constraints.%s[%zu]", key, i);
        if (!json_known(&reading->place, value,
                        kind == CONFLICT_APART ? "first second reasons" : "first second") ||
            !read_two(reading, value, &a, &b) || !take_pair(reading, kind, a, b))
            return false;
    }
    return list != NULL;
}

/* To dsa-solver a pair that is apart stays so when its lifetimes are said to exclude each other;
 * here the two would be a contradiction.  */
static void drop_overruled(struct hazard_problem *problem)
{
    struct two *apart = memory_alloc(problem->n_pairs, sizeof *apart);
    size_t count = 0, kept = 0;

    for (size_t i = 0; i < problem->n_pairs; i++)
        if (problem->pair[i].kind == CONFLICT_APART)
            apart[count++] = two_of(problem->pair[i].a, problem->pair[i].b, i);
    sort_stable(apart, count, sizeof *apart, compare_buffers);
    for (size_t i = 0; i < problem->n_pairs; i++) {
        const struct two sought = two_of(problem->pair[i].a, problem->pair[i].b, i);

        if (problem->pair[i].kind != CONFLICT_EXCLUSIVE || count == 0 ||
            bsearch(&sought, apart, count, sizeof sought, compare_buffers) == NULL)
            problem->pair[kept++] = problem->pair[i];
    }
    problem->n_pairs = kept;
    memory_free(apart);
}

/* --- pins --- */

static bool check_pin(const struct json_reading *reading, size_t b, int64_t offset)
{
    const struct hazard_problem *problem = reading->problem;
    const struct buffer *buffer = &problem->plain->buffer[b];
    const struct hazard_pool *pool = &problem->pools[problem->pool[b]];
    int64_t end;

    if (buffer->fixed >= 0)
        return json_wrong(&reading->place, "buffer '%s' is pinned once more", buffer->id);
    if (offset % buffer->alignment != 0)
        return json_wrong(&reading->place, "'offset' is no multiple of the alignment");
    if (!checked_add(offset, buffer->size, &end) || end > pool->capacity)
        return json_wrong(&reading->place, "buffer '%s' ends above the capacity", buffer->id);
    for (size_t i = 0; i < pool->n_reserved; i++)
        if (offset < pool->reserved[i].end && pool->reserved[i].begin < end)
            return json_wrong(&reading->place,
                              "buffer '%s' reaches into [%" PRId64 ", %" PRId64
                              "), which is reserved",
                              buffer->id, pool->reserved[i].begin, pool->reserved[i].end);
    return true;
}

/* What is pinned for all time is apart from all others of its pool but those that it is together
 * with.  */
static void pin(struct json_reading *reading, size_t b, int64_t offset, bool for_all_time)
{
    struct hazard_problem *problem = reading->problem;

    instance_fix(problem->plain, b, offset);
    for (size_t c = 0; for_all_time && c < problem->plain->n; c++)
        if (problem->pool[c] == problem->pool[b] &&
            sets_root(reading->root, c) != sets_root(reading->root, b))
            add_pair(reading, CONFLICT_APART, b, c);
}

static bool read_pin(struct json_reading *reading, json_t *value)
{
    const struct json_place *place = &reading->place;
    json_t *for_all = json_member(place, value, "exclusive_for_all_time");
    int64_t pool, offset;
    size_t b;

    if (for_all == NULL || !json_known(place, value, "buffer pool offset exclusive_for_all_time") ||
        !json_reference(reading, value, "buffer", &b) ||
        !json_whole(place, value, "pool", 0, &pool) ||
        !json_whole(place, value, "offset", 0, &offset))
        return false;
    if (json_find_pool(reading->problem, pool) != reading->problem->pool[b] ||
        !json_is_boolean(for_all))
        return json_wrong(place, "expected the buffer's own pool, and true or false");
    if (!check_pin(reading, b, offset))
        return false;
    pin(reading, b, offset, json_is_true(for_all));
    return true;
}

static bool read_pins(struct json_reading *reading, json_t *constraints)
{
    json_t *list;

    json_at(&reading->place, "problem.constraints");
    list = json_list(&reading->place, constraints, "pinned_allocations");
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_at(&reading->place, "problem.constraints.pinned_allocations[%zu]", i);
        if (!read_pin(reading, json_array_get(list, i)))
            return false;
    }
    return list != NULL;
}

bool json_read_constraints(struct json_reading *reading, json_t *body)
{
    const size_t n = reading->problem->plain->n;
    json_t *constraints = json_object_get(body, "constraints");

    reading->root = memory_alloc(n, sizeof *reading->root);
    for (size_t b = 0; b < n; b++)
        reading->root[b] = b;
    json_at(&reading->place, "problem.constraints");
    if (!json_known(&reading->place, constraints,
                    "colocations separations temporal_exclusions pinned_allocations") ||
        !read_pairs(reading, constraints, "colocations", CONFLICT_TOGETHER) ||
        !read_pairs(reading, constraints, "separations", CONFLICT_APART) ||
        !read_pairs(reading, constraints, "temporal_exclusions", CONFLICT_EXCLUSIVE) ||
        !read_pins(reading, constraints))
        return false;
    drop_overruled(reading->problem);
    return true;
}

/* --- costs --- */

/* Each two buffers pay once, all that is said of them, where the first of it stands.  */
static void add_up(struct hazard_problem *problem)
{
    struct two *two = memory_alloc(problem->n_costs, sizeof *two);
    size_t kept = 0;

    for (size_t i = 0; i < problem->n_costs; i++)
        two[i] = two_of(problem->cost[i].a, problem->cost[i].b, i);
    sort_stable(two, problem->n_costs, sizeof *two, compare_buffers);
    for (size_t i = 0, first = 0; i < problem->n_costs; i++) {
        if (compare_buffers(&two[first], &two[i]) != 0)
            first = i;
        if (first == i)
            continue;
        problem->cost[two[first].index].cost += problem->cost[two[i].index].cost;
        problem->cost[two[i].index].cost = -1;
    }
    for (size_t i = 0; i < problem->n_costs; i++)
        if (problem->cost[i].cost >= 0)
            problem->cost[kept++] = problem->cost[i];
    problem->n_costs = kept;
    memory_free(two);
}

static bool read_cost(struct json_reading *reading, json_t *value, int64_t *sum)
{
    struct hazard_problem *problem = reading->problem;
    struct reuse_cost cost;

    if (!json_known(&reading->place, value, "first second cost reason") ||
        !read_two(reading, value, &cost.a, &cost.b) ||
        !json_whole(&reading->place, value, "cost", 0, &cost.cost))
        return false;
    if (cost.a == cost.b)
        return json_wrong(&reading->place, "a pair of buffer '%s' with itself; expected two",
                          id_of(reading, cost.a));
    if (!checked_add(*sum, cost.cost, sum))
        return json_wrong(&reading->place, "the sum of the costs overflows 64 bits");
    problem->cost = memory_grow(problem->cost, &reading->costs_room, problem->n_costs + 1,
                                sizeof *problem->cost);
    problem->cost[problem->n_costs++] = cost;
    return true;
}

bool json_read_costs(struct json_reading *reading, json_t *body)
{
    json_t *model = json_object_get(body, "cost_model"), *list;
    int64_t sum = 0;

    json_at(&reading->place, "problem.cost_model");
    if (model == NULL)
        return true;
    if (!json_known(&reading->place, model, "reuse_penalties"))
        return false;
    list = json_list(&reading->place, model, "reuse_penalties");
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_at(&reading->place, "problem.cost_model.reuse_penalties[%zu]", i);
        if (!read_cost(reading, json_array_get(list, i), &sum))
            return false;
    }
    add_up(reading->problem);
    return list != NULL;
}
