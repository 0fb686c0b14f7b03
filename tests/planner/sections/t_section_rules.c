/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the rules on sections find out, and no less: against the same rules as plain words say
 * them, applied to all sections again and again until nothing changes.  A rule that is too weak
 * gives right answers later, so answers alone do not show it.  */
#include <config.h>

#include "planner/sections/section_rules.h"

#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "planner/dives/section_classes.h"
#include "planner/sections/section_state.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

#define MOST 12

/* --- the rules in plain words --- */

static bool unplaced_in(const struct section_state *state, size_t b, size_t s)
{
    const struct section_classes *problem = state->problem;

    return !state->placed[b] && problem->first[b] <= s && s <= problem->last[b];
}

/* What the unplaced members of section S need together.  */
static int64_t needs(const struct section_state *state, size_t s)
{
    int64_t total = 0;

    for (size_t b = 0; b < state->problem->n; b++)
        total += unplaced_in(state, b, s) ? state->problem->size[b] : 0;
    return total;
}

/* B starts too late to be the lowest in section S.  Of all others with an end of at most END,
 * do their sizes leave more below B than what may stay free there?  Then one that ends later
 * need not be below B; so B starts at the first END for which they do not.  Without subsets any
 * other one will do.  INT64_MAX: all of them fit.  */
static int64_t above(const struct section_state *state, const int64_t *start, size_t s, size_t b)
{
    const struct section_classes *problem = state->problem;
    int64_t room = start[b] - (state->capacity - needs(state, s)), least = INT64_MAX;

    for (size_t last = 0; last < problem->n; last++) {
        int64_t end = start[last] + problem->size[last], below = 0;

        if (last == b || !unplaced_in(state, last, s))
            continue;
        for (size_t i = 0; i < problem->n; i++)
            if (i != b && unplaced_in(state, i, s) && start[i] + problem->size[i] <= end)
                below += problem->size[i];
        if (!state->subsets || below >= room)
            least = min64(least, end);
    }
    return least;
}

/* Once over all sections: 1 a start rose, 0 none did, -1 there is no packing.  */
static int once(const struct section_state *state, int64_t *start)
{
    const struct section_classes *problem = state->problem;
    int changed = 0;

    for (size_t s = 0; s < problem->sections; s++) {
        int64_t limit = state->capacity - needs(state, s);
        size_t lowest = 0, count = 0, only = SIZE_MAX;

        for (size_t b = 0; b < problem->n; b++) {
            count += unplaced_in(state, b, s);
            if (unplaced_in(state, b, s) && start[b] <= limit) {
                lowest++;
                only = b;
            }
        }
        if (count > 0 && lowest == 0)
            return -1;
        for (size_t b = 0; b < problem->n; b++) {
            int64_t least = start[b], end;

            if (!unplaced_in(state, b, s))
                continue;
            if (lowest == 1 && b != only)
                least = max64(least, start[only] + problem->size[only]);
            if (start[b] > limit && !state->no_not_first &&
                (end = above(state, start, s, b)) < INT64_MAX)
                least = max64(least, end);
            if (least > start[b]) {
                start[b] = section_classes_next(problem, b, least);
                changed = 1;
            }
            if (start[b] > section_state_last_start(state, b))
                return -1;
        }
    }
    return changed;
}

/* Whether there may be a packing; START becomes what is known of the starts.  */
static bool plainly(const struct section_state *state, int64_t *start)
{
    int changed;

    memcpy(start, state->start, state->problem->n * sizeof *start);
    while ((changed = once(state, start)) > 0)
        ;
    return changed == 0;
}

/* --- states --- */

struct tally {
    int looks, wrong, refuted, raised, undone;
};

/* Places what starts first, ties drawn, until the rules refute it or all lie somewhere.  */
static void descend(struct section_state *state, struct rng *rng, struct tally *tally)
{
    size_t n = state->problem->n;
    int64_t want[MOST], before[MOST];

    for (;;) {
        size_t c = SIZE_MAX;
        bool may;

        memcpy(before, state->start, n * sizeof *before);
        may = plainly(state, want);
        tally->looks++;
        if (section_rules_apply(state) != may ||
            (may && memcmp(want, state->start, n * sizeof *want) != 0))
            tally->wrong++;
        tally->refuted += !may;
        tally->raised += may && memcmp(want, before, n * sizeof *want) != 0;
        if (!may || state->n_placed == n)
            return;
        for (size_t b = 0; b < n; b++)
            if (!state->placed[b] && (c == SIZE_MAX || state->start[b] < state->start[c] ||
                                      (state->start[b] == state->start[c] && rng_range(rng, 0, 1))))
                c = b;
        section_state_place(state, c);
    }
}

/* The same from the same state again, after an undo: starts, tops and totals are what they were. */
static bool comes_back(struct section_state *state, struct rng *rng, struct tally *tally)
{
    const struct section_classes *problem = state->problem;
    size_t mark;
    int64_t start[MOST], top[MOST], total[MOST];
    bool same;

    if (!section_rules_apply(state))
        return true;
    mark = section_state_mark(state);
    memcpy(start, state->start, problem->n * sizeof *start);
    for (size_t s = 0; s < problem->sections; s++) {
        top[s] = state->section[s].top;
        total[s] = state->section[s].total;
    }
    descend(state, rng, tally);
    section_state_undo(state, mark);
    same = state->n_placed == 0 && memcmp(start, state->start, problem->n * sizeof *start) == 0;
    for (size_t s = 0; s < problem->sections; s++)
        same = same && top[s] == state->section[s].top && total[s] == state->section[s].total &&
               state->section[s].count == problem->start[s + 1] - problem->start[s];
    tally->undone++;
    return same;
}

static struct instance *drawn(struct rng *rng, bool aligned, bool fixed)
{
    struct instance *instance = instance_new("drawn");
    int64_t n = rng_range(rng, 2, MOST);

    for (int64_t b = 0; b < n; b++) {
        int64_t begin = rng_range(rng, 0, 5);
        char id[] = {(char)('a' + b), '\0'};

        instance_add(instance, id, begin, begin + rng_range(rng, 1, 4), rng_range(rng, 1, 6),
                     aligned ? (int64_t)1 << rng_range(rng, 0, 2) : 1);
    }
    if (fixed)
        instance_fix(instance, (size_t)rng_range(rng, 0, n - 1), rng_range(rng, 0, 8));
    return sealed(instance);
}

/* How the rules are asked.  */
struct asked {
    bool subsets, aligned, fixed, only; /* ONLY: without the rule on what is not first */
};

static void against_plain_words(struct asked asked)
{
    int runs = tap_tier(400, 1500), back = 0;
    struct rng *rng = rng_new(77);
    struct tally tally = {0};

    for (int run = 0; run < runs; run++) {
        struct instance *instance = drawn(rng, asked.aligned, asked.fixed);
        struct section_classes *problem = section_classes_of(instance, 1, false, false);
        struct section_state state;

        section_state_init(&state, problem);
        state.subsets = asked.subsets;
        state.no_not_first = asked.only;
        state.most_looks = SIZE_MAX / (problem->sections + 1);
        section_state_reset(&state, problem->load + rng_range(rng, -1, 2));
        back += comes_back(&state, rng, &tally);
        descend(&state, rng, &tally);
        section_state_clear(&state);
        section_classes_free(problem);
        instance_free(instance);
    }
    is_int(tally.wrong, 0, "subsets %d, aligned %d, fixed %d, only %d: %d looks as by hand",
           asked.subsets, asked.aligned, asked.fixed, asked.only, tally.looks);
    is_int(back, runs, "all that %d undos undo", tally.undone);
    ok(tally.raised > runs / 10 && tally.refuted > runs / 10, "%d raised, %d refuted", tally.raised,
       tally.refuted);
    rng_free(rng);
}

int main(void)
{
    for (int i = 0; i < 4; i++)
        against_plain_words((struct asked){(i & 1) != 0, (i & 2) != 0, false, false});
    against_plain_words((struct asked){.fixed = true});
    against_plain_words((struct asked){.fixed = true, .subsets = true});
    against_plain_words((struct asked){.only = true});
    against_plain_words((struct asked){.only = true, .aligned = true, .fixed = true});
    return tap_done();
}
