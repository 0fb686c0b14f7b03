/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the disjunctive search logs is a certificate however the search goes: with rules
 * left out, sides and weights that are drawn, nogoods that are soon forgotten, and at one
 * capacity after the other.  Each kind of line comes up.  */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/judge/certificate.h"
#include "lib/judge/certificate_words.h"
#include "lib/place/dsa_pieces.h"
#include "lib/problem/instance.h"
#include "planner/disjunctive/pairs_log.h"
#include "planner/disjunctive/pairs_search.h"
#include "planner/disjunctive/proof_file.h"
#include "tests/support/fixed_case.h"
#include "tests/support/instances.h"
#include "tests/support/piece_case.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

enum { SOME_NODES = 3000, FEW_NOGOODS = 20, CYCLE = 5, CYCLE_CAPACITY = 499 };

struct tally {
    int instances, refuted, accepted;
    size_t lines[CERTIFICATE_WORDS];
};

static void count_lines(const char *text, struct tally *tally)
{
    for (const char *at = strchr(text, '\n'); at != NULL; at = strchr(at + 1, '\n'))
        for (size_t w = 0; w < CERTIFICATE_WORDS; w++) {
            size_t length = strlen(certificate_table[w].word);

            tally->lines[w] += strncmp(at + 1, certificate_table[w].word, length) == 0 &&
                               (at[1 + length] == ' ' || at[1 + length] == '\n');
        }
}

/* Looks at what is in LOG from BEGIN on, which should refute CAPACITY units of UNIT.  */
static void check_log(const struct instance *instance, FILE *log, long begin, int64_t capacity,
                      int64_t unit, struct tally *tally)
{
    long length = ftell(log) - begin;
    char *text = memory_zalloc((size_t)length + 1, 1);
    struct certificate certificate;
    struct error error = {""};
    bool good;

    fseek(log, begin, SEEK_SET);
    good = certificate_check(log, "log", instance, &certificate, &error);
    fseek(log, begin, SEEK_SET);
    if (fread(text, 1, (size_t)length, log) != (size_t)length)
        abort();
    count_lines(text, tally);
    good = good && certificate.capacity == capacity * unit + unit - 1;
    tally->refuted++;
    tally->accepted += good;
    if (!good)
        tap_diag("%s", error.text);
    free(text);
}

static void spoil(struct pairs_search *search, struct rng *rng)
{
    bool *rule[] = {&search->rules.edges, &search->rules.piles, &search->rules.not_first,
                    &search->rules.triangles};

    for (size_t i = 0; i < sizeof rule / sizeof *rule; i++)
        *rule[i] = rng_range(rng, 0, 2) > 0;
    for (size_t g = 0; g < search->problem->gaps; g++)
        search->side[g] = rng_range(rng, 0, 1) == 0 ? -1 : 1;
    for (size_t p = 0; p < search->problem->pairs; p++)
        search->trace.weight[p] = pow(1000.0, rng_unit(rng));
    search->mirror = rng_range(rng, 0, 1) == 0;
    search->most_nogoods = FEW_NOGOODS;
}

/* A search of an instance that writes a log.  */
struct logged {
    struct pairs_problem *problem;
    struct pairs_search search;
    struct proof_file file;
    struct pairs_log log;
    FILE *out;
};

static void logged_begin(struct logged *logged, const struct instance *instance, int64_t unit)
{
    logged->problem = pairs_problem_new(instance, unit);
    logged->out = tmpfile();
    if (logged->out == NULL)
        abort();
    pairs_search_init(&logged->search, logged->problem);
    proof_file_init(&logged->file, instance, logged->out);
    pairs_log_init(&logged->log, instance, &logged->file.sink);
    pairs_search_log(&logged->search, &logged->log);
}

static void logged_end(struct logged *logged)
{
    pairs_log_clear(&logged->log);
    pairs_search_clear(&logged->search);
    pairs_problem_free(logged->problem);
    fclose(logged->out);
}

/* At the capacities below OPTIMUM, in an order that goes up and down, and at that itself.  */
static void try_instance(const struct instance *instance, int64_t optimum, struct rng *rng,
                         struct tally *tally)
{
    int64_t unit = dsa_unit(instance), top = (optimum - 1) / unit;
    const int64_t ask[] = {top, (instance->load - 1) / unit, top, optimum / unit, top, top - 1};
    struct logged logged;

    logged_begin(&logged, instance, unit);
    tally->instances++;
    for (size_t i = 0; i < sizeof ask / sizeof *ask; i++) {
        spoil(&logged.search, rng);
        logged.search.refuted = -1; /* or it would not look again */
        if (ask[i] >= 0 && ask[i] != logged.search.capacity &&
            pairs_search_run(&logged.search, ask[i], SOME_NODES, INFINITY) == PAIRS_REFUTED)
            check_log(instance, logged.out, logged.log.begin, ask[i], unit, tally);
    }
    logged_end(&logged);
}

/* Buffers in a cycle that no three of them close, each alive at two steps with a neighbour each,
 * beside a gadget that is much larger: starts climb around in small steps.  */
static struct instance *interlocked(struct rng *rng)
{
    struct instance *instance = instance_new("interlocked");

    for (size_t b = 0; b < CYCLE; b++) {
        int64_t step = (int64_t)b, next = (int64_t)((b + 1) % CYCLE), size = rng_range(rng, 1, 4);
        const struct piece piece[] = {{step, step + 1, 0, size, false},
                                      {next, next + 1, 0, rng_range(rng, 1, 4), false}};
        char *id = memory_printf("cycle%zu", b);

        instance_add_pieces(instance, id, piece, 2, 1);
        free(id);
    }
    add_gadget(instance, 0, 0, 100);
    return sealed(instance);
}

/* Each of the first buffers of interlocked() above the one before, and the first above the last,
 * decided by hand: a search sees that the last one is settled.  SIDE 0: the same downwards.  */
static bool go_round(struct pairs_search *search, unsigned side)
{
    const struct pairs_problem *problem = search->problem;
    const struct pairs_reason chosen = {.rule = PAIRS_CHOICE};

    if (!pairs_bounds_reset(&search->bounds, CYCLE_CAPACITY))
        abort();
    pairs_rules_reset(&search->rules);
    pairs_bounds_choose(&search->bounds);
    for (size_t p = 0; p < problem->pairs; p++) {
        const struct pairs_pair *pair = &problem->pair[p];
        bool up = (pair->b == pair->a + 1) == (side == 1);

        if (pair->b < CYCLE)
            (void)pairs_bounds_raise(
                &search->bounds, 2 * (problem->n + p) + !up,
                up ? problem->gap[pair->gap].above : -problem->gap[pair->gap].below, &chosen);
    }
    return !pairs_rules_follow(&search->rules) && search->bounds.reason.rule == PAIRS_CYCLE;
}

static void test_cycle(struct rng *rng, unsigned side)
{
    struct instance *instance = interlocked(rng);
    struct certificate certificate;
    struct error error = {""};
    struct logged logged;

    logged_begin(&logged, instance, 1);
    pairs_log_begin(&logged.log, logged.problem, CYCLE_CAPACITY);
    ok(go_round(&logged.search, side), "a cycle is met");
    pairs_trace_begin(&logged.search.trace);
    pairs_trace_collect(&logged.search.trace, &logged.search.learned);
    is_int((int64_t)logged.search.learned.n, CYCLE, "of that many differences");
    pairs_log_learned(&logged.log, &logged.search.learned);
    logged.file.sink.end(logged.file.sink.context);
    rewind(logged.out);
    ok(!certificate_check(logged.out, "log", instance, &certificate, &error) &&
           certificate.nogoods == 1 && strstr(error.text, "without conditions") != NULL,
       "whose nogood is accepted: %s", error.text);
    logged_end(&logged);
    instance_free(instance);
}

static void report(const struct tally *tally, const char *what)
{
    ok(tally->refuted > tally->instances, "%s: %d instances, %d times refuted", what,
       tally->instances, tally->refuted);
    is_int(tally->accepted, tally->refuted, "%s: all logs are accepted", what);
}

int main(void)
{
    struct rng *rng = rng_new(61);
    struct tally shapes = {0}, rectangles = {0}, fixed = {0};

    test_cycle(rng, 0);
    test_cycle(rng, 1);

    for (int round = 0; round < tap_tier(80, 300); round++) {
        struct instance *instance = round % 4 == 0 ? interlocked(rng) : piece_case_random(rng);

        try_instance(instance, run_solver_peak("branch-and-bound", instance), rng, &shapes);
        instance_free(instance);
    }
    for (int round = 0; round < tap_tier(10, 40); round++) {
        char *spec = memory_printf(round < 2 ? "tight:steps=40,cap=200,longest=20,seed=%d"
                                             : "tight:steps=20,seed=%d",
                                   round + 1);
        struct instance *plain = instance_of(spec);
        struct instance *instance = round % 4 == 0 ? random_alignments(rng, plain) : plain;

        try_instance(instance, run_solver_peak("branch-and-bound", instance), rng, &rectangles);
        if (instance != plain)
            instance_free(instance);
        instance_free(plain);
        free(spec);
    }
    for (int round = 0; round < tap_tier(40, 300); round++) {
        struct instance *instance = fixed_case_random(rng, round % 2 == 0);

        try_instance(instance, piece_case_optimum(instance), rng, &fixed);
        instance_free(instance);
    }
    report(&fixed, "fixed");
    report(&shapes, "pieces");
    report(&rectangles, "rectangles");
    for (size_t w = 0; w < CERTIFICATE_WORDS; w++)
        if (w != CERTIFICATE_CYCLE)
            ok(shapes.lines[w] + rectangles.lines[w] + fixed.lines[w] > 0,
               "%s: %zu of pieces, %zu of rectangles, %zu of fixed ones", certificate_table[w].word,
               shapes.lines[w], rectangles.lines[w], fixed.lines[w]);
    rng_free(rng);
    return tap_done();
}
