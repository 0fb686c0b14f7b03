/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/json.h"

#include <jansson.h>

#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"

static json_int_t number_of(const struct hazard_problem *problem, size_t b)
{
    return problem->number != NULL ? problem->number[b] : (json_int_t)b;
}

static void append(json_t *list, json_t *value)
{
    if (value == NULL || json_array_append_new(list, value) != 0)
        memory_exhausted();
}

static void set(json_t *object, const char *key, json_t *value)
{
    if (value == NULL || json_object_set_new(object, key, value) != 0)
        memory_exhausted();
}

/* --- a problem --- */

static json_t *pools_of(const struct hazard_problem *problem)
{
    json_t *list = json_array();

    for (size_t p = 0; p < problem->n_pools; p++) {
        const struct hazard_pool *pool = &problem->pools[p];
        json_t *ranges = json_array();

        for (size_t i = 0; i < pool->n_reserved; i++)
            append(ranges, json_pack("{sIsI}", "begin", (json_int_t)pool->reserved[i].begin, "end",
                                     (json_int_t)pool->reserved[i].end));
        append(list,
               json_pack("{sIsssoso}", "id", (json_int_t)pool->id, "name", pool->name, "capacity",
                         pool->capacity == INT64_MAX ? json_null() : json_integer(pool->capacity),
                         "reserved_ranges", ranges));
    }
    return list;
}

static json_t *lives_of(const struct instance *plain, const struct buffer *buffer)
{
    json_t *list = json_array();

    for (size_t i = 0; i < buffer->pieces; i++) {
        const struct piece *piece = &plain->piece[buffer->first_piece + i];

        append(list, json_pack("{sIsI}", "lower", (json_int_t)piece->begin, "upper",
                               (json_int_t)piece->end));
    }
    return list;
}

static json_t *buffers_of(const struct hazard_problem *problem)
{
    json_t *list = json_array();

    for (size_t b = 0; b < problem->plain->n; b++) {
        const struct buffer *buffer = &problem->plain->buffer[b];

        append(list, json_pack("{sIsssIsIsos[I]}", "id", number_of(problem, b), "name", buffer->id,
                               "size", (json_int_t)buffer->size, "alignment",
                               (json_int_t)buffer->alignment, "live_intervals",
                               lives_of(problem->plain, buffer), "allowed_pools",
                               (json_int_t)problem->pools[problem->pool[b]].id));
    }
    return list;
}

static json_t *pairs_of(const struct hazard_problem *problem, enum conflict_kind kind)
{
    json_t *list = json_array();

    for (size_t i = 0; i < problem->n_pairs; i++)
        if (problem->pair[i].kind == kind)
            append(list, json_pack("{sIsI}", "first", number_of(problem, problem->pair[i].a),
                                   "second", number_of(problem, problem->pair[i].b)));
    return list;
}

static json_t *pins_of(const struct hazard_problem *problem)
{
    json_t *list = json_array();

    for (size_t b = 0; b < problem->plain->n; b++)
        if (problem->plain->buffer[b].fixed >= 0)
            append(list, json_pack("{sIsIsIsb}", "buffer", number_of(problem, b), "pool",
                                   (json_int_t)problem->pools[problem->pool[b]].id, "offset",
                                   (json_int_t)problem->plain->buffer[b].fixed,
                                   "exclusive_for_all_time", 0));
    return list;
}

static json_t *costs_of(const struct hazard_problem *problem)
{
    json_t *list = json_array();

    for (size_t i = 0; i < problem->n_costs; i++) {
        const struct reuse_cost *cost = &problem->cost[i];

        append(list, json_pack("{sIsIsIss}", "first", number_of(problem, cost->a), "second",
                               number_of(problem, cost->b), "cost", (json_int_t)cost->cost,
                               "reason", "generic"));
    }
    return list;
}

static json_t *body_of(const struct hazard_problem *problem)
{
    const bool by_cost = problem->objective == HAZARD_COST;
    json_t *body = json_object();

    set(body, "pools", pools_of(problem));
    set(body, "buffers", buffers_of(problem));
    set(body, "constraints",
        json_pack("{sosososo}", "colocations", pairs_of(problem, CONFLICT_TOGETHER), "separations",
                  pairs_of(problem, CONFLICT_APART), "temporal_exclusions",
                  pairs_of(problem, CONFLICT_EXCLUSIVE), "pinned_allocations", pins_of(problem)));
    if (problem->n_costs > 0)
        set(body, "cost_model", json_pack("{so}", "reuse_penalties", costs_of(problem)));
    set(body, "objective",
        json_pack("{sss[ss]}", "aggregation", "lexicographic", "terms",
                  by_cost ? "capacity_overflow" : "total_peak",
                  by_cost ? "reuse_cost" : "max_peak"));
    return body;
}

/* Gives ROOT back.  */
static bool print(FILE *out, json_t *root)
{
    const bool good = root != NULL && json_dumpf(root, out, JSON_INDENT(2)) == 0 &&
                      fputc('\n', out) != EOF && file_flush(out);

    json_decref(root);
    return good;
}

static const char *profile_of(const struct hazard_problem *problem)
{
    return problem->profile != NULL ? problem->profile : "dsa_rp_v1";
}

bool hazard_json_write(FILE *out, const struct hazard_problem *problem)
{
    return print(out,
                 json_pack("{sisssss{}so}", "schema_version", 1, "profile", profile_of(problem),
                           "instance", problem->name, "metadata", "problem", body_of(problem)));
}

/* --- a plan --- */

bool hazard_json_write_plan(FILE *out, const struct hazard_problem *problem, const int64_t *offset)
{
    json_t *list = json_array();

    for (size_t b = 0; b < problem->plain->n; b++)
        append(list, json_pack("{sIsIsI}", "buffer", number_of(problem, b), "pool",
                               (json_int_t)problem->pools[problem->pool[b]].id, "offset",
                               (json_int_t)offset[b]));
    return print(out,
                 json_pack("{sisssssss{ss}so}", "schema_version", 1, "profile", profile_of(problem),
                           "instance", problem->name, "problem_fingerprint", "0000000000000000",
                           "metadata", "solver", "arenabench", "placements", list));
}
