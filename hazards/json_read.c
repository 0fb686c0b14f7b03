/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/json.h"

#include <inttypes.h>
#include <string.h>

#include "hazards/json_value.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/problem/instance.h"

bool hazard_json_is(const char *path)
{
    const size_t length = strlen(path);

    return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

struct numbered {
    int64_t number;
    size_t buffer;
};

struct reading {
    struct json_place place;
    struct hazard_problem *problem;
    struct numbered *by_number; /* buffers */
    size_t pairs_room, costs_room;
};

static int compare_numbers(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;

    return ORDER(x->number, y->number);
}

/* --- pools --- */

static bool read_ranges(struct reading *reading, json_t *value, struct hazard_pool *pool)
{
    json_t *list = json_list(&reading->place, value, "reserved_ranges");
    const size_t count = json_array_size(list);

    pool->reserved = memory_zalloc(count, sizeof *pool->reserved);
    for (; list != NULL && pool->n_reserved < count; pool->n_reserved++) {
        struct hazard_range *range = &pool->reserved[pool->n_reserved];
        json_t *entry = json_array_get(list, pool->n_reserved);

        if (!json_known(&reading->place, entry, "begin end") ||
            !json_whole(&reading->place, entry, "begin", 0, &range->begin) ||
            !json_whole(&reading->place, entry, "end", range->begin + 1, &range->end))
            return false;
        if (range->end > pool->capacity)
            return json_wrong(&reading->place, "a reserved range ends above the capacity");
    }
    return list != NULL;
}

static bool read_pool(struct reading *reading, json_t *value, struct hazard_pool *pool)
{
    const struct json_place *place = &reading->place;
    json_t *capacity = json_member(place, value, "capacity");
    const char *name = json_text(place, value, "name");

    pool->name = memory_strdup(name == NULL ? "" : name);
    pool->capacity = INT64_MAX;
    return capacity != NULL && name != NULL &&
           json_known(place, value, "id name capacity reserved_ranges bank_geometry") &&
           json_whole(place, value, "id", 0, &pool->id) &&
           (json_is_null(capacity) || json_whole(place, value, "capacity", 0, &pool->capacity)) &&
           read_ranges(reading, value, pool);
}

static bool read_pools(struct reading *reading, json_t *root)
{
    struct hazard_problem *problem = reading->problem;
    json_t *list = json_list(&reading->place, root, "pools");
    const size_t count = json_array_size(list);

    if (list != NULL && count == 0)
        return json_wrong(&reading->place, "no pools; expected one or more");
    problem->pools = memory_zalloc(count, sizeof *problem->pools);
    while (list != NULL && problem->n_pools < count) {
        const size_t p = problem->n_pools++;

        json_at(&reading->place, "problem.pools[%zu]", p);
        if (!read_pool(reading, json_array_get(list, p), &problem->pools[p]))
            return false;
        for (size_t q = 0; q < p; q++)
            if (problem->pools[q].id == problem->pools[p].id)
                return json_wrong(&reading->place, "'id' is that of problem.pools[%zu]", q);
    }
    return list != NULL;
}

static size_t find_pool(const struct hazard_problem *problem, int64_t id)
{
    size_t p = 0;

    while (p < problem->n_pools && problem->pools[p].id != id)
        p++;
    return p;
}

/* --- buffers --- */

static bool read_lives(struct reading *reading, json_t *value, int64_t size, struct piece *piece,
                       size_t count)
{
    json_t *list = json_list(&reading->place, value, "live_intervals");

    for (size_t i = 0; i < count; i++) {
        json_t *life = json_array_get(list, i);

        piece[i] = (struct piece){0, 0, 0, size, true};
        if (!json_known(&reading->place, life, "lower upper") ||
            !json_whole(&reading->place, life, "lower", INT64_MIN, &piece[i].begin) ||
            !json_whole(&reading->place, life, "upper", INT64_MIN, &piece[i].end))
            return false;
        if (piece[i].begin >= piece[i].end)
            return json_wrong(&reading->place, "a life of no steps: [%" PRId64 ", %" PRId64 ")",
                              piece[i].begin, piece[i].end);
    }
    return count > 0 || (list != NULL && json_wrong(&reading->place, "no 'live_intervals'"));
}

/* A buffer has one pool: which of several is best is not asked here.  */
static bool read_buffer_pool(struct reading *reading, json_t *value, size_t b)
{
    json_t *list = json_list(&reading->place, value, "allowed_pools");
    json_t *first = json_array_get(list, 0);

    if (list == NULL)
        return false;
    if (json_array_size(list) != 1 || !json_is_integer(first))
        return json_wrong(&reading->place,
                          "'allowed_pools' has %zu pools; expected the number of one (which of "
                          "several is best, `fit` answers)",
                          json_array_size(list));
    reading->problem->pool[b] = find_pool(reading->problem, json_integer_value(first));
    return reading->problem->pool[b] < reading->problem->n_pools ||
           json_wrong(&reading->place, "no pool has the id %" PRId64,
                      (int64_t)json_integer_value(first));
}

static void add_buffer(struct hazard_problem *problem, const char *name, const struct piece *piece,
                       size_t count, int64_t alignment)
{
    char *id = name[0] != '\0' ? instance_clean_id(name)
                               : memory_printf("%" PRId64, problem->number[problem->plain->n]);

    instance_add_pieces(problem->plain, id, piece, count, alignment);
    memory_free(id);
}

static bool read_buffer(struct reading *reading, json_t *value, size_t b)
{
    const struct json_place *place = &reading->place;
    struct hazard_problem *problem = reading->problem;
    const size_t count = json_array_size(json_object_get(value, "live_intervals"));
    struct piece *piece = memory_alloc(count, sizeof *piece);
    const char *name = json_text(place, value, "name");
    int64_t size, alignment;
    const bool good =
        name != NULL &&
        json_known(place, value, "id name size alignment live_intervals allowed_pools") &&
        json_whole(place, value, "id", 0, &problem->number[b]) &&
        json_whole(place, value, "size", 1, &size) &&
        json_whole(place, value, "alignment", 1, &alignment) &&
        read_lives(reading, value, size, piece, count) && read_buffer_pool(reading, value, b);

    if (good)
        add_buffer(problem, name, piece, count, alignment);
    memory_free(piece);
    return good;
}

static bool sort_numbers(struct reading *reading, size_t count)
{
    struct numbered *by_number = memory_alloc(count, sizeof *by_number);

    reading->by_number = by_number;
    for (size_t b = 0; b < count; b++)
        by_number[b] = (struct numbered){
            reading->problem->number != NULL ? reading->problem->number[b] : (int64_t)b, b};
    sort_stable(by_number, count, sizeof *by_number, compare_numbers);
    json_at(&reading->place, "problem.buffers");
    for (size_t i = 1; i < count; i++)
        if (by_number[i].number == by_number[i - 1].number)
            return json_wrong(&reading->place, "[%zu] and [%zu] have the id %" PRId64,
                              by_number[i - 1].buffer, by_number[i].buffer, by_number[i].number);
    return true;
}

static bool read_buffers(struct reading *reading, json_t *root)
{
    struct hazard_problem *problem = reading->problem;
    json_t *list = json_list(&reading->place, root, "buffers");
    const size_t count = json_array_size(list);

    problem->pool = memory_zalloc(count, sizeof *problem->pool);
    problem->number = memory_zalloc(count, sizeof *problem->number);
    for (size_t b = 0; b < count; b++) {
        json_at(&reading->place, "problem.buffers[%zu]", b);
        if (!read_buffer(reading, json_array_get(list, b), b))
            return false;
    }
    return list != NULL && sort_numbers(reading, count);
}

/* --- pairs --- */

/* The buffer that the member KEY of VALUE numbers.  */
static bool read_reference(struct reading *reading, json_t *value, const char *key, size_t *buffer)
{
    struct numbered sought = {0}, *found;

    if (!json_whole(&reading->place, value, key, 0, &sought.number))
        return false;
    found = bsearch(&sought, reading->by_number, reading->problem->plain->n, sizeof sought,
                    compare_numbers);
    if (found == NULL)
        return json_wrong(&reading->place, "'%s': no buffer has the id %" PRId64, key,
                          sought.number);
    *buffer = found->buffer;
    return true;
}

static bool read_two(struct reading *reading, json_t *value, size_t *a, size_t *b)
{
    return read_reference(reading, value, "first", a) &&
           read_reference(reading, value, "second", b);
}

static void add_pair(struct reading *reading, enum conflict_kind kind, size_t a, size_t b)
{
    struct hazard_problem *problem = reading->problem;

    problem->pair = memory_grow(problem->pair, &reading->pairs_room, problem->n_pairs + 1,
                                sizeof *problem->pair);
    problem->pair[problem->n_pairs++] = (struct conflict_pair){kind, a, b};
}

static bool read_pairs(struct reading *reading, json_t *constraints, const char *key,
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
            !read_two(reading, value, &a, &b))
            return false;
        if (kind == CONFLICT_TOGETHER && reading->problem->pool[a] != reading->problem->pool[b])
            return json_wrong(&reading->place, "the two lie in different pools");
        if (kind != CONFLICT_TOGETHER || a != b)
            add_pair(reading, kind, a, b);
    }
    return list != NULL;
}

/* What is pinned for all time is apart from all others of its pool.  */
static void pin(struct reading *reading, size_t b, int64_t offset, bool for_all_time)
{
    struct hazard_problem *problem = reading->problem;

    instance_fix(problem->plain, b, offset);
    for (size_t c = 0; for_all_time && c < problem->plain->n; c++)
        if (c != b && problem->pool[c] == problem->pool[b])
            add_pair(reading, CONFLICT_APART, b, c);
}

static bool read_pins(struct reading *reading, json_t *constraints)
{
    struct hazard_problem *problem = reading->problem;
    json_t *list = json_list(&reading->place, constraints, "pinned_allocations");

    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *value = json_array_get(list, i), *for_all;
        int64_t pool, offset;
        size_t b;

        json_at(&reading->place, "problem.constraints.pinned_allocations[%zu]", i);
        for_all = json_member(&reading->place, value, "exclusive_for_all_time");
        if (for_all == NULL ||
            !json_known(&reading->place, value, "buffer pool offset exclusive_for_all_time") ||
            !read_reference(reading, value, "buffer", &b) ||
            !json_whole(&reading->place, value, "pool", 0, &pool) ||
            !json_whole(&reading->place, value, "offset", 0, &offset))
            return false;
        if (find_pool(problem, pool) != problem->pool[b] || !json_is_boolean(for_all))
            return json_wrong(&reading->place, "expected the buffer's own pool, and true or false");
        if (offset % problem->plain->buffer[b].alignment != 0)
            return json_wrong(&reading->place, "'offset' is no multiple of the alignment");
        if (problem->plain->buffer[b].fixed >= 0)
            return json_wrong(&reading->place, "the buffer is pinned once more");
        pin(reading, b, offset, json_is_true(for_all));
    }
    return list != NULL;
}

static bool read_costs(struct reading *reading, json_t *root)
{
    struct hazard_problem *problem = reading->problem;
    json_t *model = json_object_get(root, "cost_model"), *list;
    int64_t sum = 0;

    json_at(&reading->place, "problem.cost_model");
    if (model == NULL)
        return true;
    list = json_list(&reading->place, model, "reuse_penalties");
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *value = json_array_get(list, i);
        struct reuse_cost cost;

        json_at(&reading->place, "problem.cost_model.reuse_penalties[%zu]", i);
        if (!json_known(&reading->place, value, "first second cost reason") ||
            !read_two(reading, value, &cost.a, &cost.b) ||
            !json_whole(&reading->place, value, "cost", 0, &cost.cost))
            return false;
        if (cost.a == cost.b)
            return json_wrong(&reading->place, "'first' and 'second' are one buffer");
        if (!checked_add(sum, cost.cost, &sum))
            return json_wrong(&reading->place, "the sum of the costs overflows 64 bits");
        problem->cost = memory_grow(problem->cost, &reading->costs_room, problem->n_costs + 1,
                                    sizeof *problem->cost);
        problem->cost[problem->n_costs++] = cost;
    }
    return list != NULL;
}

/* The first term that is not the capacity decides.  */
static bool read_objective(struct reading *reading, json_t *root)
{
    json_t *objective, *list;
    const char *term = NULL;

    json_at(&reading->place, "problem.objective");
    objective = json_object_get(root, "objective");
    list = json_list(&reading->place, objective, "terms");
    for (size_t i = 0; i < json_array_size(list); i++) {
        term = json_string_value(json_array_get(list, i));
        if (term == NULL || strcmp(term, "capacity_overflow") != 0)
            break;
    }
    if (list == NULL)
        return false;
    if (term != NULL && strcmp(term, "reuse_cost") == 0)
        reading->problem->objective = HAZARD_COST;
    else if (term != NULL && (strcmp(term, "total_peak") == 0 || strcmp(term, "max_peak") == 0 ||
                              strcmp(term, "capacity_overflow") == 0))
        reading->problem->objective = HAZARD_PEAK;
    else
        return json_wrong(&reading->place,
                          "the term '%.40s'; expected capacity_overflow, then reuse_cost, "
                          "total_peak or max_peak",
                          term == NULL ? "" : term);
    return true;
}

/* --- all --- */

static bool seal(struct reading *reading)
{
    struct error error;

    json_at(&reading->place, "problem.buffers");
    instance_make_ids_unique(reading->problem->plain);
    return instance_seal(reading->problem->plain, NULL, &error) ||
           json_wrong(&reading->place, "%s", error.text);
}

static bool read_root(struct reading *reading, json_t *root)
{
    const struct json_place *place = &reading->place;
    struct hazard_problem *problem = reading->problem;
    const char *name, *profile;
    int64_t version;
    json_t *body, *constraints;

    json_at(&reading->place, "the file");
    if (!json_whole(place, root, "schema_version", 1, &version) ||
        (name = json_text(place, root, "instance")) == NULL ||
        (profile = json_text(place, root, "profile")) == NULL ||
        (body = json_member(place, root, "problem")) == NULL)
        return false;
    if (version != 1)
        return json_wrong(place, "'schema_version' is %" PRId64 "; expected 1", version);
    problem->name = memory_strdup(name);
    problem->profile = memory_strdup(profile);
    problem->plain = instance_new(name);
    json_at(&reading->place, "problem");
    if (!json_known(place, body,
                    "pools buffers constraints cost_model pypto_structure objective") ||
        (constraints = json_member(place, body, "constraints")) == NULL ||
        !read_pools(reading, body))
        return false;
    json_at(&reading->place, "problem");
    return read_buffers(reading, body) &&
           read_pairs(reading, constraints, "colocations", CONFLICT_TOGETHER) &&
           read_pairs(reading, constraints, "separations", CONFLICT_APART) &&
           read_pairs(reading, constraints, "temporal_exclusions", CONFLICT_EXCLUSIVE) &&
           read_pins(reading, constraints) && read_costs(reading, body) &&
           read_objective(reading, body) && seal(reading);
}

bool hazard_json_read(FILE *in, const char *path, struct hazard_problem *problem,
                      struct error *error)
{
    struct reading reading = {.place = {.path = path, .error = error}, .problem = problem};
    json_t *root = json_read_object(in, path, error);
    bool good;

    *problem = (struct hazard_problem){0};
    if (root == NULL)
        return false;
    good = read_root(&reading, root);
    memory_free(reading.by_number);
    json_decref(root);
    return good;
}

/* --- plans --- */

static bool read_placement(struct reading *reading, json_t *value, bool *found, int64_t *offset)
{
    const struct hazard_problem *problem = reading->problem;
    const struct json_place *place = &reading->place;
    int64_t pool;
    size_t b;

    if (!json_known(place, value, "buffer pool offset") ||
        !read_reference(reading, value, "buffer", &b) ||
        !json_whole(place, value, "pool", 0, &pool) ||
        !json_whole(place, value, "offset", 0, &offset[b]))
        return false;
    if (found[b])
        return json_wrong(place, "buffer '%s' stands once more", problem->plain->buffer[b].id);
    found[b] = true;
    return find_pool(problem, pool) == problem->pool[b] ||
           json_wrong(place, "buffer '%s' may not lie in pool %" PRId64,
                      problem->plain->buffer[b].id, pool);
}

static bool read_placements(struct reading *reading, json_t *root, int64_t *offset)
{
    const size_t n = reading->problem->plain->n;
    bool *found = memory_zalloc(n, sizeof *found), good;
    json_t *list;

    json_at(&reading->place, "the file");
    list = json_list(&reading->place, root, "placements");
    good = list != NULL;
    for (size_t i = 0; i < json_array_size(list) && good; i++) {
        json_at(&reading->place, "placements[%zu]", i);
        good = read_placement(reading, json_array_get(list, i), found, offset);
    }
    for (size_t b = 0; b < n && good; b++)
        good = found[b] || json_wrong(&reading->place, "buffer '%s' has no offset",
                                      reading->problem->plain->buffer[b].id);
    memory_free(found);
    return good;
}

bool hazard_json_read_plan(FILE *in, const char *path, const struct hazard_problem *problem,
                           int64_t *offset, struct error *error)
{
    struct reading reading = {.place = {.path = path, .error = error},
                              .problem = (struct hazard_problem *)problem};
    json_t *root = json_read_object(in, path, error);
    bool good;

    if (root == NULL)
        return false;
    good = sort_numbers(&reading, problem->plain->n) && read_placements(&reading, root, offset);
    memory_free(reading.by_number);
    json_decref(root);
    return good;
}
