/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the disjunctive search learns: every nogood and every answer, at every
 * capacity from the load to the optimum, against all packings, which a plain search over
 * offsets enumerates that knows nothing but which offsets two buffers exclude.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "planner/disjunctive/pairs_search.h"
#include "tests/support/instances.h"
#include "tests/support/piece_case.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

enum { MANY_NODES = 1 << 30, MOST_BUFFERS = 24, MOST_CAPACITY = 63, SLICE_WORK = 60 };

/* --- all packings: bit x of a set of offsets says that offset x is left --- */

/* For each pair, the differences x_b - x_a that keep them apart: bit MOST_CAPACITY + d.  */
struct plain {
    const struct instance *instance;
    int64_t capacity;
    unsigned char apart[MOST_BUFFERS][MOST_BUFFERS][2 * MOST_CAPACITY + 1];
};

static void plain_init(struct plain *plain, const struct instance *instance)
{
    plain->instance = instance;
    for (size_t a = 0; a < instance->n; a++)
        for (size_t b = 0; b < instance->n; b++)
            for (int64_t d = -MOST_CAPACITY; d <= MOST_CAPACITY; d++)
                plain->apart[a][b][MOST_CAPACITY + d] = !bytes_meet(instance, a, b, d);
}

/* Forbids what the literal on PROBLEM's bounds does.  */
static void apply(struct plain *plain, const struct pairs_problem *problem, uint64_t *left,
                  const struct pairs_literal *literal)
{
    int64_t sign = literal->index % 2 == 0 ? 1 : -1;

    if (literal->index < 2 * problem->n) {
        for (int64_t x = 0; x <= MOST_CAPACITY; x++)
            if (sign * x < literal->least)
                left[literal->index / 2] &= ~((uint64_t)1 << x);
    } else {
        const struct pairs_pair *pair = &problem->pair[literal->index / 2 - problem->n];

        for (int64_t d = -MOST_CAPACITY; d <= MOST_CAPACITY; d++)
            if (sign * d < literal->least)
                plain->apart[pair->a][pair->b][MOST_CAPACITY + d] =
                    plain->apart[pair->b][pair->a][MOST_CAPACITY - d] = 0;
    }
}

/* Places the buffer with the fewest offsets left everywhere it can be.  */
static bool can_place(const struct plain *plain, const uint64_t *left, uint64_t placed)
{
    size_t n = plain->instance->n, b = SIZE_MAX;

    for (size_t k = 0; k < n; k++)
        if (!(placed >> k & 1) &&
            (b == SIZE_MAX || __builtin_popcountll(left[k]) < __builtin_popcountll(left[b])))
            b = k;
    if (b == SIZE_MAX)
        return true;
    for (uint64_t open = left[b]; open != 0; open &= open - 1) {
        int x = __builtin_ctzll(open);
        uint64_t rest[MOST_BUFFERS];
        bool empty = false;

        for (size_t k = 0; k < n && !empty; k++) {
            rest[k] = 0;
            for (uint64_t try = left[k]; try != 0 && !(placed >> k & 1) && k != b; try &= try - 1)
                if (plain->apart[b][k][MOST_CAPACITY + __builtin_ctzll(try) - x])
                    rest[k] |= try & -try;
            empty = rest[k] == 0 && !(placed >> k & 1) && k != b;
        }
        if (!empty && can_place(plain, rest, placed | (uint64_t)1 << b))
            return true;
    }
    return false;
}

static void offsets_within(const struct plain *plain, uint64_t *left)
{
    for (size_t b = 0; b < plain->instance->n; b++) {
        const struct buffer *buffer = &plain->instance->buffer[b];

        left[b] = 0;
        for (int64_t x = 0; x + buffer->size <= plain->capacity; x += buffer->alignment)
            left[b] |= (uint64_t)1 << x;
    }
}

/* Whether some packing satisfies the literals of both sets; EXTRA may be NULL.  */
static bool is_possible(const struct plain *plain, const struct pairs_problem *problem,
                        const struct pairs_literals *literals, const struct pairs_literals *extra)
{
    struct plain *copy = memory_alloc(1, sizeof *copy);
    uint64_t left[MOST_BUFFERS];
    bool possible;

    memcpy(copy, plain, sizeof *copy);
    offsets_within(copy, left);
    for (size_t i = 0; i < literals->n; i++)
        apply(copy, problem, left, &literals->literal[i]);
    for (size_t i = 0; extra != NULL && i < extra->n; i++)
        apply(copy, problem, left, &extra->literal[i]);
    possible = can_place(copy, left, 0);
    free(copy);
    return possible;
}

/* --- tests --- */

struct tally {
    int instances, answers, right, above, nogoods, wrong, packings, stops;
};

/* Sides and weights at the start are drawn, what nogoods are made of, how often sections raise a
 * start, and some rules are left out: a search that chooses badly and sees little learns more.  */
static void spoil(struct pairs_search *search, struct rng *rng)
{
    bool *rule[] = {&search->rules.edges, &search->rules.piles, &search->rules.not_first,
                    &search->rules.triangles};

    for (size_t i = 0; i < sizeof rule / sizeof *rule; i++)
        *rule[i] = rng_range(rng, 0, 2) == 0;
    for (size_t g = 0; g < search->problem->gaps; g++)
        search->side[g] = rng_range(rng, 0, 1) == 0 ? -1 : 1;
    for (size_t p = 0; p < search->problem->pairs; p++)
        search->trace.weight[p] = pow(1000.0, rng_unit(rng));
    pairs_rules_set_light(&search->rules, rng_range(rng, 0, 2) == 0);
    search->orders_only = rng_range(rng, 0, 1) == 0;
    search->rules.most_pushes =
        rng_range(rng, 0, 1) == 0 ? UINT32_MAX : (uint32_t)rng_range(rng, 0, 2);
}

static void check_nogoods(const struct pairs_search *search, const struct plain *plain,
                          struct tally *tally)
{
    for (size_t k = 0; k < search->nogoods.n; k++) {
        const struct pairs_nogood *nogood = &search->nogoods.nogood[k];
        const struct pairs_literals literals = {search->nogoods.literal + nogood->first, nogood->n,
                                                0};

        tally->nogoods++;
        tally->wrong += is_possible(plain, search->problem, &literals, &search->assumed);
    }
}

static bool is_packing(const struct pairs_search *search, const struct plain *plain)
{
    const struct instance *instance = plain->instance;

    for (size_t b = 0; b < instance->n; b++) {
        int64_t x = search->start[b];

        if (x < 0 || x % instance->buffer[b].alignment != 0 ||
            x + instance->buffer[b].size > plain->capacity)
            return false;
        for (size_t c = 0; c < b; c++)
            if (bytes_meet(instance, c, b, x - search->start[c]))
                return false;
    }
    return true;
}

/* All at once, or stopped again and again, wherever that is.  */
static enum pairs_result decide(struct pairs_search *search, int64_t capacity, struct rng *rng,
                                struct tally *tally)
{
    bool whole = rng_range(rng, 0, 1) == 0;
    enum pairs_result result;

    do {
        search->rules.work_end =
            whole ? INT64_MAX : search->rules.work + rng_range(rng, 1, SLICE_WORK);
        result = pairs_search_run(search, capacity, MANY_NODES, INFINITY);
        tally->stops += result == PAIRS_STOPPED;
    } while (result == PAIRS_STOPPED && !whole);
    search->rules.work_end = INT64_MAX;
    return result;
}

/* At every capacity from the load to the optimum, and from there back below it.  */
static void check(const struct instance *instance, struct rng *rng, struct tally *tally)
{
    static const struct pairs_literals none = {NULL, 0, 0};
    struct pairs_problem *problem = pairs_problem_new(instance, 1);
    struct plain *plain = memory_alloc(1, sizeof *plain);
    struct pairs_search search;
    bool packed = false;

    plain_init(plain, instance);
    pairs_search_init(&search, problem);
    tally->instances++;
    for (int64_t capacity = instance->load; !packed && capacity <= MOST_CAPACITY; capacity++) {
        enum pairs_result result;

        spoil(&search, rng);
        plain->capacity = capacity;
        result = decide(&search, capacity, rng, tally);
        packed = is_possible(plain, problem, &none, NULL);
        tally->answers++;
        tally->right += result == (packed ? PAIRS_PACKED : PAIRS_REFUTED);
        tally->above += !packed;
        tally->packings += packed && !is_packing(&search, plain);
        check_nogoods(&search, plain, tally);
    }
    tally->right -=
        plain->capacity > instance->load &&
        pairs_search_run(&search, plain->capacity - 1, MANY_NODES, INFINITY) != PAIRS_REFUTED;
    pairs_search_clear(&search);
    pairs_problem_free(problem);
    free(plain);
}

static void report(const struct tally *tally, const char *what)
{
    is_int(tally->right, tally->answers, "%s: every answer is that of all packings", what);
    is_int(tally->packings, 0, "%s: packings are", what);
    is_int(tally->wrong, 0, "%s: all nogoods are true, %d", what, tally->nogoods);
    ok(tally->stops > tally->answers, "%s: searches are stopped %d times, and go on", what,
       tally->stops);
    ok(tally->above > tally->instances / 250 && tally->nogoods > tally->instances / 10,
       "%s: %d capacities are refuted, on %d instances", what, tally->above, tally->instances);
}

static void rectangles(bool aligned)
{
    struct rng *rng = rng_new(aligned ? 91 : 90);
    int rounds = aligned ? tap_tier(200, 1500) : tap_tier(600, 6000);
    struct tally tally = {0};

    for (int round = 0; round < rounds; round++) {
        struct instance *instance = tight_instance(rng, (size_t)rng_range(rng, 14, 20),
                                                   rng_range(rng, 9, 13), rng_range(rng, 20, 32));

        if (aligned) {
            struct instance *other = random_alignments(rng, instance);

            instance_free(instance);
            instance = other;
        }
        check(instance, rng, &tally);
        instance_free(instance);
    }
    report(&tally, aligned ? "aligned rectangles" : "rectangles");
    rng_free(rng);
}

/* Buffers of several stretches of time, each with bytes of its own, and some that are
 * idle between two of them.  */
static struct instance *gaps(struct rng *rng, size_t n)
{
    struct instance *instance = instance_new("gaps");

    for (size_t b = 0; b < n; b++) {
        size_t count = (size_t)rng_range(rng, 1, 3);
        int64_t begin = rng_range(rng, 0, 6), size = rng_range(rng, 2, 7);
        struct piece piece[3];

        for (size_t i = 0; i < count; i++) {
            int64_t lo = rng_range(rng, 0, size - 1), hi = rng_range(rng, lo + 1, size);
            int64_t end = begin + rng_range(rng, 1, 3);

            piece[i] = (struct piece){begin, end, lo, hi, false};
            begin = end + rng_range(rng, 0, 1);
        }
        add_shape(instance, piece, count, rng_range(rng, 1, 5) == 1 ? 2 : 1);
    }
    return sealed(instance);
}

static void pieces(void)
{
    struct rng *rng = rng_new(92);
    int rounds = tap_tier(200, 2000);
    struct tally tally = {0};

    for (int round = 0; round < rounds; round++) {
        struct instance *instance =
            round % 4 == 0 ? piece_case_random(rng) : gaps(rng, (size_t)rng_range(rng, 5, 10));

        check(instance, rng, &tally);
        instance_free(instance);
    }
    report(&tally, "pieces");
    rng_free(rng);
}

int main(void)
{
    rectangles(false);
    rectangles(true);
    pieces();
    return tap_done();
}
