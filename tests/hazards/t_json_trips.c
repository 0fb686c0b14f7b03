/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems that are written and read back: random ones, and those that a compiler wrote, which also
 * keep the fingerprints that dsa-solver gave them.  */
#include <config.h>

#include "hazards/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checksum.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/support/hazard_case.h"
#include "tests/support/tap.h"

static bool read_text(const char *text, struct hazard_problem *problem)
{
    struct error error;
    FILE *in = fmemopen((void *)text, strlen(text), "r");
    const bool good = hazard_json_read(in, "trip.json", problem, &error);

    fclose(in);
    if (!good)
        tap_diag("%s", error.text);
    return good;
}

/* --- whether two problems are the same --- */

static int64_t number_of(const struct hazard_problem *problem, size_t b)
{
    return problem->number != NULL ? problem->number[b] : (int64_t)b;
}

static const char *name_of(const struct hazard_problem *problem, size_t b)
{
    const char *label = problem->label != NULL ? problem->label[b] : NULL;

    return label != NULL ? label : problem->plain->buffer[b].id;
}

static bool same_buffers(const struct hazard_problem *x, const struct hazard_problem *y)
{
    bool same = instance_checksum(x->plain) == instance_checksum(y->plain);

    for (size_t b = 0; b < x->plain->n && same; b++)
        same = x->pool[b] == y->pool[b] && number_of(x, b) == number_of(y, b) &&
               strcmp(name_of(x, b), name_of(y, b)) == 0;
    return same;
}

static bool same_pools(const struct hazard_problem *x, const struct hazard_problem *y)
{
    bool same = x->n_pools == y->n_pools;

    for (size_t p = 0; p < x->n_pools && same; p++) {
        const struct hazard_pool *a = &x->pools[p], *b = &y->pools[p];

        same = a->id == b->id && strcmp(a->name, b->name) == 0 && a->capacity == b->capacity &&
               a->n_reserved == b->n_reserved &&
               (a->n_reserved == 0 ||
                memcmp(a->reserved, b->reserved, a->n_reserved * sizeof *a->reserved) == 0);
    }
    return same;
}

/* What is said of buffers a and b, and what they pay, at a * n + b.  */
static int64_t *matrix_of(const struct hazard_problem *problem)
{
    const size_t n = problem->plain->n;
    int64_t *matrix = memory_zalloc(n * n, sizeof *matrix);

    for (size_t i = 0; i < problem->n_pairs; i++) {
        const struct conflict_pair *pair = &problem->pair[i];

        matrix[pair->a * n + pair->b] |= 1 << pair->kind;
        matrix[pair->b * n + pair->a] |= 1 << pair->kind;
    }
    for (size_t i = 0; i < problem->n_costs; i++) {
        matrix[problem->cost[i].a * n + problem->cost[i].b] += 8 * problem->cost[i].cost;
        matrix[problem->cost[i].b * n + problem->cost[i].a] += 8 * problem->cost[i].cost;
    }
    return matrix;
}

static bool same_problem(const struct hazard_problem *x, const struct hazard_problem *y)
{
    const size_t n = x->plain->n;
    int64_t *a, *b;
    bool same;

    if (y->plain->n != n || x->objective != y->objective || strcmp(x->name, y->name) != 0 ||
        !same_pools(x, y) || !same_buffers(x, y))
        return false;
    a = matrix_of(x);
    b = matrix_of(y);
    same = n == 0 || memcmp(a, b, n * n * sizeof *a) == 0;
    memory_free(a);
    memory_free(b);
    return same;
}

/* Written and read, the same, whose text is the same from then on: what two buffers pay is added up
 * when it is read.  */
static bool comes_back(const struct hazard_problem *problem)
{
    char *text = hazard_text(problem), *second, *third;
    struct hazard_problem again, last;
    bool good = read_text(text, &again) && same_problem(problem, &again);

    if (good) {
        second = hazard_text(&again);
        good = read_text(second, &last);
        third = good ? hazard_text(&last) : NULL;
        good = good && strcmp(second, third) == 0;
        hazard_problem_clear(&last);
        memory_free(second);
        memory_free(third);
    }
    if (!good)
        tap_diag("%s", text);
    hazard_problem_clear(&again);
    memory_free(text);
    return good;
}

/* --- random problems --- */

/* Files know pools and buffers by numbers of their own, and refuse a pin above the capacity.  */
static void give_numbers(struct hazard_problem *problem, struct rng *rng)
{
    const size_t n = problem->plain->n;

    for (size_t p = 0; p < problem->n_pools; p++) {
        problem->pools[p].id = (int64_t)(7 - 3 * p);
        problem->pools[p].capacity = rng_range(rng, 0, 3) == 0 ? INT64_MAX : 20;
    }
    if (rng_range(rng, 0, 1) == 0)
        return;
    problem->number = memory_alloc(n, sizeof *problem->number);
    problem->label = memory_zalloc(n, sizeof *problem->label);
    for (size_t b = 0; b < n; b++) {
        problem->number[b] = (int64_t)(100 - 2 * b);
        if (problem->plain->buffer[b].size % 2 == 0)
            problem->label[b] = memory_printf("%s", problem->plain->buffer[b].id);
    }
}

static void test_random(void)
{
    struct rng *rng = rng_new(7);
    const int rounds = tap_tier(2000, 8000);
    int lost = 0;

    for (int round = 0; round < rounds && lost == 0; round++) {
        struct hazard_problem problem;

        draw_problem(&problem, rng, (size_t)rng_range(rng, 1, MOST),
                     (unsigned)rng_range(rng, 0, 127));
        give_numbers(&problem, rng);
        lost += !comes_back(&problem);
        hazard_problem_clear(&problem);
    }
    is_int(lost, 0, "%d random problems come back as they were", rounds);
    rng_free(rng);
}

/* --- what a compiler wrote --- */

struct corpus {
    int files, unread, lost, others;
};

static void try_file(const char *path, void *context)
{
    struct corpus *corpus = context;
    struct hazard_problem problem;
    struct error error;
    char *text;
    size_t length;

    corpus->files++;
    if (!file_read(path, SIZE_MAX, &text, &length, &error))
        tap_bail(path);
    if (!read_text(text, &problem)) {
        tap_diag("%s", path);
        corpus->unread++;
    } else {
        if (!comes_back(&problem)) {
            tap_diag("%s", path);
            corpus->lost++;
        }
        corpus->others += checksum_bytes(CHECKSUM_START, text, length) != problem.fingerprint;
    }
    hazard_problem_clear(&problem);
    memory_free(text);
}

/* The corpus's importer added to the metadata what the fingerprint was before.  */
static void test_recorded(const char *name)
{
    static const char added[] = ",\n    \"corpus_source_fingerprint_fnv1a64\": \"";
    char *path =
             memory_printf("%s/dsa-solver/pypto/unit-tests/memory-planning/%s", tap_data(), name),
         *text, *at, *end, *before;
    struct hazard_problem problem;
    struct error error;
    size_t length;

    if (!file_read(path, SIZE_MAX, &text, &length, &error) || (at = strstr(text, added)) == NULL ||
        (end = strstr(at, "\n  },")) == NULL)
        tap_bail(path);
    before = memory_printf("%.*s%s", (int)(at - text), text, end);
    ok(read_text(before, &problem) && strtoull(at + strlen(added), NULL, 16) == problem.fingerprint,
       "%s: the fingerprint that dsa-solver recorded", name);
    hazard_problem_clear(&problem);
    memory_free(before);
    memory_free(text);
    memory_free(path);
}

static void test_corpus(void)
{
    struct corpus corpus = {0};
    char *folder;

    if (tap_skip_without(7, "dsa-solver/best.csv"))
        return;
    folder = memory_printf("%s/dsa-solver", tap_data());
    visit_json(folder, try_file, &corpus);
    memory_free(folder);
    is_int(corpus.files, 278, "problems that others wrote");
    is_int(corpus.unread, 0, "each is read");
    is_int(corpus.lost, 0, "each comes back as it was");
    is_int(corpus.others, 4, "those that dsa-solver wrote itself have their bytes' fingerprints");
    test_recorded("issue_1908_fragmentation_v1.json");
    test_recorded("pipeline_stage_separation_v1.json");
    test_recorded("target_hazard_v1.json");
}

int main(void)
{
    if (hazard_json_absent() != NULL) {
        tap_skip(1, hazard_json_absent());
        return tap_done();
    }
    test_random();
    test_corpus();
    return tap_done();
}
