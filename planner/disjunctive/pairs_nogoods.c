/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/disjunctive/pairs_nogoods.h"

#include <assert.h>
#include <string.h>

#include "lib/base/check.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/base/weights.h"
#include "planner/disjunctive/pairs_log.h"

#define INCREMENT_GROWTH 1.001

/* Nogoods of so few literals are kept.  */
#define FEW_LITERALS 2

void pairs_nogoods_init(struct pairs_nogoods *nogoods, size_t bounds)
{
    *nogoods = (struct pairs_nogoods){
        .bounds = bounds,
        .watches = memory_zalloc(bounds, sizeof *nogoods->watches),
        .increment = 1.0,
    };
}

void pairs_nogoods_clear(struct pairs_nogoods *nogoods)
{
    for (size_t i = 0; i < nogoods->bounds; i++)
        memory_free(nogoods->watches[i].watch);
    memory_free(nogoods->watches);
    memory_free(nogoods->literal);
    memory_free(nogoods->nogood);
}

void pairs_nogoods_reset(struct pairs_nogoods *nogoods)
{
    nogoods->n = nogoods->literals = 0;
    for (size_t i = 0; i < nogoods->bounds; i++)
        nogoods->watches[i].n = 0;
}

static size_t watches_of(const struct pairs_nogoods *nogoods, size_t k,
                         const struct pairs_literal *literal)
{
    const struct pairs_watches *watches = &nogoods->watches[literal->index];
    size_t found = 0;

    for (size_t i = 0; i < watches->n; i++)
        found += watches->watch[i].nogood == k && watches->watch[i].least == literal->least;
    return found;
}

/* The first two literals of each nogood are watched, once each, and nothing else is.  */
static void check_watches(const struct pairs_nogoods *nogoods)
{
    size_t watches = 0, literals = 0;

    if (!check_due(nogoods->literals, 64 * nogoods->n + nogoods->bounds))
        return;
    for (size_t i = 0; i < nogoods->bounds; i++)
        watches += nogoods->watches[i].n;
    CHECK(watches == 2 * nogoods->n, "nogoods of pairs", "a nogood has two watches");
    for (size_t k = 0; k < nogoods->n; k++) {
        const struct pairs_nogood *nogood = &nogoods->nogood[k];
        const struct pairs_literal *literal = nogoods->literal + nogood->first;
        size_t own = literal[0].index == literal[1].index && literal[0].least == literal[1].least;

        CHECK(nogood->first == literals && nogood->n >= 2, "nogoods of pairs",
              "their literals stand one after the other");
        CHECK(watches_of(nogoods, k, &literal[0]) == 1 + own &&
                  watches_of(nogoods, k, &literal[1]) == 1 + own,
              "nogoods of pairs", "the first two literals of a nogood are watched");
        literals += nogood->n;
    }
    CHECK(literals == nogoods->literals, "nogoods of pairs", "each literal is a nogood's");
}

static void add_watch(struct pairs_nogoods *nogoods, size_t k, struct pairs_literal literal)
{
    struct pairs_watches *watches = &nogoods->watches[literal.index];

    watches->watch =
        memory_grow(watches->watch, &watches->capacity, watches->n + 1, sizeof *watches->watch);
    watches->watch[watches->n++] = (struct pairs_watch){k, literal.least};
}

static void watch_nogood(struct pairs_nogoods *nogoods, size_t k)
{
    const struct pairs_literal *literal = nogoods->literal + nogoods->nogood[k].first;

    add_watch(nogoods, k, literal[0]);
    add_watch(nogoods, k, literal[1]);
}

size_t pairs_nogoods_add(struct pairs_nogoods *nogoods, const struct pairs_literals *literals)
{
    size_t k = nogoods->n++;

    assert(literals->n >= 2);
    nogoods->nogood =
        memory_grow(nogoods->nogood, &nogoods->capacity, nogoods->n, sizeof *nogoods->nogood);
    nogoods->literal = memory_grow(nogoods->literal, &nogoods->literal_capacity,
                                   nogoods->literals + literals->n, sizeof *nogoods->literal);
    nogoods->nogood[k] =
        (struct pairs_nogood){nogoods->literals, literals->n, nogoods->increment, 0};
    memcpy(nogoods->literal + nogoods->literals, literals->literal,
           literals->n * sizeof *literals->literal);
    nogoods->literals += literals->n;
    watch_nogood(nogoods, k);
    CHECK_INVARIANT(check_watches(nogoods));
    return k;
}

void pairs_nogoods_bump(struct pairs_nogoods *nogoods, size_t k)
{
    assert(k < nogoods->n);
    nogoods->nogood[k].activity += nogoods->increment;
    if (!weights_grow(&nogoods->increment, INCREMENT_GROWTH))
        return;
    nogoods->increment /= WEIGHTS_MOST;
    for (size_t i = 0; i < nogoods->n; i++)
        nogoods->nogood[i].activity /= WEIGHTS_MOST;
}

static int compare_activities(const void *p, const void *q)
{
    double x = *(const double *)p, y = *(const double *)q;

    return (x > y) - (x < y);
}

/* The activity below which half of those that can go are.  */
static double middle_activity(const struct pairs_nogoods *nogoods)
{
    double *activity = memory_alloc(nogoods->n, sizeof *activity), middle;
    size_t count = 0;

    for (size_t k = 0; k < nogoods->n; k++)
        if (nogoods->nogood[k].n > FEW_LITERALS)
            activity[count++] = nogoods->nogood[k].activity;
    if (count > 0)
        sort_stable(activity, count, sizeof *activity, compare_activities);
    middle = count > 0 ? activity[count / 2] : 0.0;
    memory_free(activity);
    return middle;
}

void pairs_nogoods_reduce(struct pairs_nogoods *nogoods, struct pairs_log *log)
{
    double middle = middle_activity(nogoods);
    size_t kept = 0, literals = 0;

    for (size_t i = 0; i < nogoods->bounds; i++)
        nogoods->watches[i].n = 0;
    for (size_t k = 0; k < nogoods->n; k++) {
        struct pairs_nogood nogood = nogoods->nogood[k];

        if (nogood.n > FEW_LITERALS && nogood.activity < middle) {
            if (log != NULL)
                pairs_log_forget(log, nogood.name);
            continue;
        }
        memmove(nogoods->literal + literals, nogoods->literal + nogood.first,
                nogood.n * sizeof *nogoods->literal);
        nogood.first = literals;
        literals += nogood.n;
        nogoods->nogood[kept] = nogood;
        watch_nogood(nogoods, kept++);
    }
    nogoods->n = kept;
    nogoods->literals = literals;
    CHECK_INVARIANT(check_watches(nogoods));
}

static bool holds(const struct pairs_bounds *bounds, const struct pairs_literal *literal)
{
    return bounds->bound[literal->index] >= literal->least;
}

static bool is_refuted(const struct pairs_bounds *bounds, const struct pairs_literal *literal)
{
    return -bounds->bound[literal->index ^ 1] < literal->least;
}

/* Literal WATCHED of nogood K, on bound INDEX, holds.  Another is watched for it (*MOVED) or
 * the other watched one is refuted.  */
static bool look(struct pairs_nogoods *nogoods, struct pairs_bounds *bounds, size_t k, size_t index,
                 bool *moved)
{
    const struct pairs_nogood *nogood = &nogoods->nogood[k];
    struct pairs_literal *literal = nogoods->literal + nogood->first, other;
    struct pairs_reason reason = {.rule = PAIRS_CLAUSE, .first = k};

    if (literal[0].index == index) {
        other = literal[0];
        literal[0] = literal[1];
        literal[1] = other;
    }
    if (is_refuted(bounds, &literal[0]))
        return true;
    for (size_t i = 2; i < nogood->n; i++)
        if (!holds(bounds, &literal[i])) {
            other = literal[1];
            literal[1] = literal[i];
            literal[i] = other;
            add_watch(nogoods, k, literal[1]);
            *moved = true;
            return true;
        }
    return pairs_bounds_raise(bounds, literal[0].index ^ 1, 1 - literal[0].least, &reason);
}

bool pairs_nogoods_follow(struct pairs_nogoods *nogoods, struct pairs_bounds *bounds, size_t r)
{
    size_t index = bounds->rise[r].index, kept = 0, i = 0;
    int64_t old = bounds->rise[r].old, now = bounds->bound[index];
    struct pairs_watches *watches = &nogoods->watches[index];
    bool open = true;

    for (; i < watches->n && open; i++) {
        struct pairs_watch watch = watches->watch[i];
        bool moved = false;

        if (watch.least > old && watch.least <= now)
            open = look(nogoods, bounds, watch.nogood, index, &moved);
        if (!moved)
            watches->watch[kept++] = watch;
    }
    for (; i < watches->n; i++)
        watches->watch[kept++] = watches->watch[i];
    watches->n = kept;
    CHECK_INVARIANT(check_watches(nogoods));
    return open;
}
