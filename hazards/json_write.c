/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/json.h"

#include <inttypes.h>
#include <string.h>

#include "hazards/json_value.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"

static json_int_t number_of(const struct hazard_problem *problem, size_t b)
{
    return problem->number != NULL ? problem->number[b] : (json_int_t)b;
}

static const char *name_of(const struct hazard_problem *problem, size_t b)
{
    if (problem->label != NULL && problem->label[b] != NULL)
        return problem->label[b];
    return problem->plain->buffer[b].id;
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

        append(list, json_pack("{sIsssIsIsos[I]}", "id", number_of(problem, b), "name",
                               name_of(problem, b), "size", (json_int_t)buffer->size, "alignment",
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
    if (problem->n_costs > 0 || by_cost)
        set(body, "cost_model", json_pack("{so}", "reuse_penalties", costs_of(problem)));
    set(body, "objective",
        json_pack("{sss[ss]}", "aggregation", "lexicographic", "terms",
                  by_cost ? "capacity_overflow" : "total_peak",
                  by_cost ? "reuse_cost" : "max_peak"));
    return body;
}

/* dsa_rp_v1 is for one pool and nothing but lifetimes and costs; what has more has the profile of
 * all.  */
static const char *profile_of(const struct hazard_problem *problem)
{
    const struct instance *plain = problem->plain;
    bool more = problem->n_pools != 1 || problem->pools[0].capacity == INT64_MAX ||
                problem->pools[0].n_reserved > 0 || problem->n_pairs > 0 || plain->fixed > 0 ||
                plain->pieces != plain->n || plain->max_alignment != 1 ||
                problem->objective != HAZARD_COST;

    if (problem->profile != NULL)
        return problem->profile;
    return more ? "pypto_structured" : "dsa_rp_v1";
}

/* dsa-solver takes two of the profiles only with these.  */
static json_t *metadata_of(const char *profile)
{
    if (strcmp(profile, "pypto_hard_v1") != 0 && strcmp(profile, "pypto_research_v1") != 0)
        return json_object();
    return json_pack("{ssss}", "lifetime_ordering", "pypto_read_before_write", "solver_input",
                     "pre_memory_reuse");
}

/* NULL where a name is no UTF-8.  */
static json_t *root_of(const struct hazard_problem *problem)
{
    const char *profile = profile_of(problem);

    /* A relaxation has to say of what.  It is plain otherwise.  */
    if (strcmp(profile, "pypto_core_relaxation") == 0)
        profile = "standard_dsa";
    return json_pack("{sisssssoso}", "schema_version", 1, "profile", profile, "instance",
                     problem->name, "metadata", metadata_of(profile), "problem", body_of(problem));
}

/* Gives ROOT back.  */
static bool print(FILE *out, json_t *root)
{
    const bool good = root != NULL && json_dumpf(root, out, JSON_AS_WRITTEN) == 0 &&
                      fputc('\n', out) != EOF && file_flush(out);

    json_decref(root);
    return good;
}

bool hazard_json_write(FILE *out, const struct hazard_problem *problem)
{
    return print(out, root_of(problem));
}

/* --- a plan --- */

/* Of the file that was read, else of the one that would be written.  */
static uint64_t fingerprint_of(const struct hazard_problem *problem)
{
    json_t *root;
    uint64_t fingerprint;

    if (problem->fingerprint != 0)
        return problem->fingerprint;
    root = root_of(problem);
    fingerprint = root != NULL ? json_fingerprint(root) : 0;
    json_decref(root);
    return fingerprint;
}

bool hazard_json_write_plan(FILE *out, const struct hazard_problem *problem, const int64_t *offset)
{
    json_t *list = json_array();
    char fingerprint[17];

    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, fingerprint_of(problem));
    for (size_t b = 0; b < problem->plain->n; b++)
        append(list, json_pack("{sIsIsI}", "buffer", number_of(problem, b), "pool",
                               (json_int_t)problem->pools[problem->pool[b]].id, "offset",
                               (json_int_t)offset[b]));
    return print(out,
                 json_pack("{sisssssss{ss}so}", "schema_version", 1, "profile", profile_of(problem),
                           "instance", problem->name, "problem_fingerprint", fingerprint,
                           "metadata", "solver", "arenabench", "placements", list));
}
