/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hazards/json_private.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/problem/instance.h"

/* --- pools --- */

static bool read_ranges(struct json_reading *reading, json_t *value, struct hazard_pool *pool)
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

/* Only costs of banks would ask for them.  */
static bool check_banks(const struct json_place *place, json_t *pool)
{
    json_t *banks = json_object_get(pool, "bank_geometry");
    int64_t value;

    return banks == NULL || (json_known(place, banks, "bank_size num_banks") &&
                             json_whole(place, banks, "bank_size", 1, &value) &&
                             json_whole(place, banks, "num_banks", 1, &value));
}

static bool read_pool(struct json_reading *reading, json_t *value, struct hazard_pool *pool)
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
           check_banks(place, value) && read_ranges(reading, value, pool);
}

static bool read_pools(struct json_reading *reading, json_t *root)
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

size_t json_find_pool(const struct hazard_problem *problem, int64_t id)
{
    size_t p = 0;

    while (p < problem->n_pools && problem->pools[p].id != id)
        p++;
    return p;
}

/* --- buffers --- */

static bool read_lives(struct json_reading *reading, json_t *value, int64_t size,
                       struct piece *piece, size_t count)
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
static bool read_buffer_pool(struct json_reading *reading, json_t *value, size_t b)
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
    reading->problem->pool[b] = json_find_pool(reading->problem, json_integer_value(first));
    return reading->problem->pool[b] < reading->problem->n_pools ||
           json_wrong(&reading->place, "no pool has the id %" PRId64,
                      (int64_t)json_integer_value(first));
}

/* The id is the name where that can be one.  */
static void add_buffer(struct hazard_problem *problem, const char *name, const struct piece *piece,
                       size_t count, int64_t alignment)
{
    char *id = name[0] != '\0' ? instance_clean_id(name)
                               : memory_printf("%" PRId64, problem->number[problem->plain->n]);

    problem->label[problem->plain->n] = memory_strdup(name);
    instance_add_pieces(problem->plain, id, piece, count, alignment);
    memory_free(id);
}

static bool read_buffer(struct json_reading *reading, json_t *value, size_t b)
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

static int compare_numbers(const void *a, const void *b)
{
    const struct json_numbered *x = a, *y = b;

    return ORDER(x->number, y->number);
}

bool json_number_buffers(struct json_reading *reading)
{
    const struct hazard_problem *problem = reading->problem;
    const size_t count = problem->plain->n;
    struct json_numbered *by_number = memory_alloc(count, sizeof *by_number);

    reading->by_number = by_number;
    for (size_t b = 0; b < count; b++)
        by_number[b] =
            (struct json_numbered){problem->number != NULL ? problem->number[b] : (int64_t)b, b};
    sort_stable(by_number, count, sizeof *by_number, compare_numbers);
    json_at(&reading->place, "problem.buffers");
    for (size_t i = 1; i < count; i++)
        if (by_number[i].number == by_number[i - 1].number)
            return json_wrong(&reading->place, "[%zu] and [%zu] have the id %" PRId64,
                              by_number[i - 1].buffer, by_number[i].buffer, by_number[i].number);
    return true;
}

bool json_reference(const struct json_reading *reading, json_t *value, const char *key,
                    size_t *buffer)
{
    struct json_numbered sought = {0}, *found;

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

static bool read_buffers(struct json_reading *reading, json_t *root)
{
    struct hazard_problem *problem = reading->problem;
    json_t *list = json_list(&reading->place, root, "buffers");
    const size_t count = json_array_size(list);

    problem->pool = memory_zalloc(count, sizeof *problem->pool);
    problem->number = memory_zalloc(count, sizeof *problem->number);
    problem->label = memory_zalloc(count, sizeof *problem->label);
    for (size_t b = 0; b < count; b++) {
        json_at(&reading->place, "problem.buffers[%zu]", b);
        if (!read_buffer(reading, json_array_get(list, b), b))
            return false;
    }
    return list != NULL && json_number_buffers(reading);
}

/* --- the objective --- */

static bool wrong_term(const struct json_place *place, const char *term)
{
    if (term != NULL && strcmp(term, "bank_cost") == 0)
        return json_wrong(place, "'bank_cost': costs of banks are not planned here");
    return json_wrong(place,
                      "the term '%.40s'; expected capacity_overflow, reuse_cost, "
                      "total_peak or max_peak",
                      term == NULL ? "" : term);
}

/* The terms in turn.  FIRST becomes the first that is not the capacity, which itself may stand
 * before all others alone: here no cost makes up for a buffer that does not fit.  */
static bool read_terms(struct json_place *place, json_t *list, const char **first)
{
    static const char *const known[] = {"capacity_overflow", "reuse_cost", "total_peak",
                                        "max_peak"};
    unsigned seen = 0;

    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *term = json_string_value(json_array_get(list, i));
        unsigned kind = 0;

        json_at(place, "problem.objective.terms[%zu]", i);
        while (kind < 4 && (term == NULL || strcmp(term, known[kind]) != 0))
            kind++;
        if (kind == 4)
            return wrong_term(place, term);
        if ((seen & 1U << kind) != 0)
            return json_wrong(place, "'%s' stands once more", term);
        if (kind == 0 && i > 0)
            return json_wrong(place, "'%s' behind '%s'; expected it first", term, *first);
        if (kind > 0 && *first == NULL)
            *first = term;
        seen |= 1U << kind;
    }
    return seen != 0 || json_wrong(place, "no 'terms'; expected one or more");
}

/* The pools don't share buffers, so that the least sum of their peaks is the least maximum, too. */
static bool read_objective(struct json_reading *reading, json_t *body)
{
    struct json_place *place = &reading->place;
    json_t *objective = json_object_get(body, "objective"), *list;
    const char *aggregation, *first = NULL;

    json_at(place, "problem.objective");
    if (!json_known(place, objective, "aggregation terms") ||
        (aggregation = json_text(place, objective, "aggregation")) == NULL ||
        (list = json_list(place, objective, "terms")) == NULL)
        return false;
    if (strcmp(aggregation, "lexicographic") != 0)
        return json_wrong(place, "'aggregation' is '%.40s'; expected lexicographic", aggregation);
    if (!read_terms(place, list, &first))
        return false;
    reading->problem->objective =
        first != NULL && strcmp(first, "reuse_cost") == 0 ? HAZARD_COST : HAZARD_PEAK;
    return true;
}

/* --- all --- */

/* Labels stay where the ids are others.  */
static bool seal(struct json_reading *reading)
{
    const struct hazard_problem *problem = reading->problem;
    struct error error;

    json_at(&reading->place, "problem.buffers");
    instance_make_ids_unique(problem->plain);
    for (size_t b = 0; b < problem->plain->n; b++)
        if (strcmp(problem->label[b], problem->plain->buffer[b].id) == 0) {
            memory_free(problem->label[b]);
            problem->label[b] = NULL;
        }
    return instance_seal(problem->plain, NULL, &error) ||
           json_wrong(&reading->place, "%s", error.text);
}

static bool read_body(struct json_reading *reading, json_t *body)
{
    json_at(&reading->place, "problem");
    if (!json_known(&reading->place, body,
                    "pools buffers constraints cost_model pypto_structure objective") ||
        json_member(&reading->place, body, "constraints") == NULL ||
        json_member(&reading->place, body, "objective") == NULL || !read_pools(reading, body))
        return false;
    json_at(&reading->place, "problem");
    return read_buffers(reading, body) && json_read_constraints(reading, body) &&
           json_read_costs(reading, body) && read_objective(reading, body) && seal(reading);
}

static bool read_root(struct json_reading *reading, json_t *root)
{
    const struct json_place *place = &reading->place;
    struct hazard_problem *problem = reading->problem;
    json_t *metadata = json_object_get(root, "metadata"), *body;
    const char *name, *profile;
    int64_t version;

    json_at(&reading->place, "the file");
    if (!json_whole(place, root, "schema_version", 1, &version))
        return false;
    if (version != 1)
        return json_wrong(place, "'schema_version' is %" PRId64 "; expected 1", version);
    if (!json_known(place, root,
                    "schema_version profile instance relaxed_from relaxed_features metadata "
                    "problem") ||
        (name = json_text(place, root, "instance")) == NULL ||
        (profile = json_text(place, root, "profile")) == NULL ||
        (body = json_member(place, root, "problem")) == NULL)
        return false;
    if (metadata != NULL && !json_is_object(metadata))
        return json_wrong(place, "'metadata' is no object; expected {...}");
    problem->name = memory_strdup(name);
    problem->profile = memory_strdup(profile);
    problem->plain = instance_new(name);
    return read_body(reading, body);
}

const char *hazard_json_absent(void)
{
    return NULL;
}

bool hazard_json_read(FILE *in, const char *path, struct hazard_problem *problem,
                      struct error *error)
{
    struct json_reading reading = {.place = {.path = path, .error = error}, .problem = problem};
    json_t *root = json_read_object(in, path, error);
    bool good;

    *problem = (struct hazard_problem){0};
    if (root == NULL)
        return false;
    good = read_root(&reading, root);
    if (good)
        problem->fingerprint = json_fingerprint(root);
    memory_free(reading.by_number);
    memory_free(reading.root);
    json_decref(root);
    return good;
}
