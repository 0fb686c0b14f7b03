/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/hazard_input.h"

#include <errno.h>
#include <string.h>

#include "harness/cli/commands.h"
#include "harness/cli/input.h"
#include "harness/io/options.h"
#include "harness/io/plan_file.h"
#include "hazards/json.h"
#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/pairs_csv.h"
#include "lib/problem/plan.h"
#include "lib/problem/plan_csv.h"

static FILE *open_file(const char *path, struct error *error)
{
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");

    if (in == NULL)
        error_set(error, "%s: %s", path, strerror(errno));
    return in;
}

static void close_file(FILE *in)
{
    if (in != stdin)
        fclose(in);
}

/* An instance in one pool.  */
static bool read_instance(const char *spec, struct hazard_problem *problem)
{
    struct instance *plain = input_instance("hazards", spec);

    if (plain == NULL)
        return false;
    *problem = (struct hazard_problem){.plain = plain,
                                       .name = memory_strdup(plain->name),
                                       .pool = memory_zalloc(plain->n, sizeof(size_t)),
                                       .n_pools = 1,
                                       .pools = memory_zalloc(1, sizeof(struct hazard_pool))};
    problem->pools[0].name = memory_strdup("arena");
    problem->pools[0].capacity = INT64_MAX;
    return true;
}

static bool add_pairs(const char *pairs, struct hazard_problem *problem)
{
    struct pairs found;
    struct error error;
    FILE *in;
    bool good;

    if (pairs == NULL)
        return true;
    if (problem->plain->n_overwrites > 0 || problem->plain->pairs)
        return complain("hazards: %s overwrites buffers in place, or has pairs already; expected "
                        "an instance without (of a network: inplace=off)",
                        problem->name);
    in = open_file(pairs, &error);
    if (in == NULL)
        return complain("hazards: %s", error.text);
    good = pairs_csv_read(in, pairs, problem->plain, &found, &error);
    close_file(in);
    problem->n_pairs = found.n_pairs;
    problem->pair = found.pair;
    problem->n_costs = found.n_costs;
    problem->cost = found.cost;
    problem->objective = found.n_costs > 0 ? HAZARD_COST : HAZARD_PEAK;
    return good || complain("hazards: %s", error.text);
}

static bool read_json(const char *path, struct hazard_problem *problem)
{
    struct error error;
    FILE *in = open_file(path, &error);
    bool good = in != NULL && hazard_json_read(in, path, problem, &error);

    if (in != NULL)
        close_file(in);
    return good || complain("hazards: %s", error.text);
}

bool hazard_input(const char *spec, const char *pairs, int64_t capacity,
                  struct hazard_problem *problem)
{
    *problem = (struct hazard_problem){0};
    if (!(file_is_called(spec, ".json") ? read_json(spec, problem)
                                        : read_instance(spec, problem)) ||
        !add_pairs(pairs, problem))
        return false;
    for (size_t p = 0; p < problem->n_pools; p++)
        if (problem->pools[p].capacity == INT64_MAX)
            problem->pools[p].capacity = capacity;
    return true;
}

bool hazard_input_plan(const char *path, const struct hazard_problem *problem, int64_t *offset,
                       struct error *error)
{
    struct plan *plan;
    FILE *in;
    bool good;

    if (!file_is_called(path, ".json")) {
        plan = plan_file_read(path, problem->plain, error);
        if (plan == NULL)
            return false;
        memcpy(offset, plan->offset, problem->plain->n * sizeof *offset);
        plan_free(plan);
        return true;
    }
    in = open_file(path, error);
    if (in == NULL)
        return false;
    good = hazard_json_read_plan(in, path, problem, offset, error);
    close_file(in);
    return good;
}

bool hazard_output(FILE *out, const char *path, const struct hazard_problem *problem,
                   const int64_t *offset)
{
    struct plan *plan;
    bool good;

    if (file_is_called(path, ".json"))
        return hazard_json_write_plan(out, problem, offset);
    plan = plan_new(problem->plain);
    memcpy(plan->offset, offset, problem->plain->n * sizeof *offset);
    plan->peak = plan_peak(problem->plain, plan);
    good = plan_csv_write(out, problem->plain, plan);
    plan_free(plan);
    return good;
}
