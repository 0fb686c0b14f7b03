/* The fast planners give the offsets of the plain ones, buffer for buffer.  */
#include <config.h>

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/instance.h"
#include "lib/instance_csv.h"
#include "lib/memory.h"
#include "lib/params.h"
#include "lib/plan.h"
#include "lib/rng.h"
#include "solvers/solver.h"
#include "tests/random_instances.h"
#include "tests/reference_planners.h"
#include "tests/tap.h"

static void path_cover_first(const struct instance *instance, struct plan *plan)
{
    reference_path_cover(instance, 0, plan);
}

static void path_cover_last(const struct instance *instance, struct plan *plan)
{
    reference_path_cover(instance, 1, plan);
}

static void path_cover_best(const struct instance *instance, struct plan *plan)
{
    reference_path_cover(instance, 2, plan);
}

static const struct pair {
    const char *solver, *params;
    void (*reference)(const struct instance *instance, struct plan *plan);
    size_t most; /* buffers of a real instance that the plain one is given, for the time it takes */
} pairs[] = {
    {"duration-size", "", reference_duration_size, 30000},
    {"greedy-by-size", "", reference_greedy_by_size, 30000},
    {"first-fit-by-size", "", reference_first_fit_by_size, 30000},
    {"path-cover", "choice=first", path_cover_first, 30000},
    {"path-cover", "choice=last", path_cover_last, 20000},
    {"path-cover", "choice=best", path_cover_best, 30000},
};
enum { PAIRS = sizeof pairs / sizeof pairs[0] };

static void run_solver(const struct pair *pair, const struct instance *instance, struct plan *plan)
{
    const struct solver *solver = solver_find(pair->solver)->solver;
    struct params params;
    struct error error;
    struct solver_env env = {.params = &params, .seed = 1};

    if (!params_parse(&params, pair->solver, pair->params, &solver->params, 1, &error)) {
        tap_diag("%s", error.text);
        abort();
    }
    solver->solve(instance, &env, plan);
    params_clear(&params);
}

/* Buffers whose offsets differ; the first one goes to the log.  */
static size_t count_differences(const struct pair *pair, const struct instance *instance)
{
    struct plan *fast = plan_new(instance), *plain = plan_new(instance);
    size_t differences = 0;

    run_solver(pair, instance, fast);
    pair->reference(instance, plain);
    for (size_t b = 0; b < instance->n; b++)
        if (fast->offset[b] != plain->offset[b] && differences++ == 0)
            tap_diag("%s, n = %zu, buffer %zu: %" PRId64 ", reference %" PRId64, instance->name,
                     instance->n, b, fast->offset[b], plain->offset[b]);
    if (fast->peak != plain->peak && differences++ == 0)
        tap_diag("%s: peak %" PRId64 ", reference %" PRId64, instance->name, fast->peak,
                 plain->peak);
    plan_free(fast);
    plan_free(plain);
    return differences;
}

static void random_ones(void)
{
    struct rng *rng = rng_new(20210715);
    size_t wrong[PAIRS][RANDOM_KINDS] = {{0}};
    int rounds = tap_tier(60, 300);

    for (int round = 0; round < rounds; round++)
        for (size_t kind = 0; kind < RANDOM_KINDS; kind++) {
            int64_t most = round % 20 == 0 ? 400 : 40;
            size_t n = (size_t)rng_range(rng, 0, most);
            struct instance *instance = random_instance(rng, (enum random_kind)kind, n);

            for (size_t p = 0; p < PAIRS; p++)
                wrong[p][kind] += count_differences(&pairs[p], instance) != 0;
            instance_free(instance);
        }
    for (size_t p = 0; p < PAIRS; p++)
        for (size_t kind = 0; kind < RANDOM_KINDS; kind++)
            is_int((int64_t)wrong[p][kind], 0, "%s:%s gives the plain planner's offsets: %s",
                   pairs[p].solver, pairs[p].params, random_kind_name((enum random_kind)kind));
    rng_free(rng);
}

/* Large enough for every level of the search structures.  */
static void large_one(void)
{
    struct rng *rng = rng_new(1);
    size_t n = (size_t)tap_tier(2000, 10000);
    struct instance *instance = random_instance(rng, RANDOM_UNIFORM, n);

    for (size_t p = 0; p < PAIRS; p++)
        is_int((int64_t)count_differences(&pairs[p], instance), 0,
               "%s:%s gives the plain planner's offsets: %zu buffers", pairs[p].solver,
               pairs[p].params, n);
    instance_free(instance);
    rng_free(rng);
}

static struct instance *read_instance(const char *path)
{
    FILE *in = fopen(path, "r");
    struct instance *instance;
    struct error error;

    if (in == NULL)
        return NULL;
    instance = instance_csv_read(in, path, NULL, &error);
    if (instance == NULL)
        tap_diag("%s", error.text);
    fclose(in);
    return instance;
}

static void check_file(const char *path)
{
    struct instance *instance = read_instance(path);

    if (!ok(instance != NULL, "%s can be read", strrchr(path, '/')))
        return;
    for (size_t p = 0; p < PAIRS; p++) {
        if (instance->n > pairs[p].most)
            continue;
        is_int((int64_t)count_differences(&pairs[p], instance), 0,
               "%s:%s gives the plain planner's offsets: %s", pairs[p].solver, pairs[p].params,
               instance->name);
    }
    instance_free(instance);
}

static void real_ones(void)
{
    static const char *const folders[] = {"minimalloc", "idealloc"};

    if (tap_data() == NULL) {
        tap_skip(1, "ARENABENCH_DATA is not set");
        return;
    }
    for (size_t f = 0; f < sizeof folders / sizeof folders[0]; f++) {
        char *pattern = memory_printf("%s/%s/*.csv", tap_data(), folders[f]);
        glob_t found;

        if (ok(glob(pattern, 0, NULL, &found) == 0, "instances in %s", folders[f]))
            for (size_t i = 0; i < found.gl_pathc; i++)
                check_file(found.gl_pathv[i]);
        globfree(&found);
        free(pattern);
    }
}

int main(void)
{
    random_ones();
    large_one();
    real_ones();
    return tap_done();
}
