/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the section search learns: every nogood is checked by looking at all packings
 * of its buffers, and the search that learns agrees with the one that does not.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "lib/place/dsa_pieces.h"
#include "lib/problem/instance.h"
#include "planner/sections/section_search.h"
#include "tests/support/plain_answers.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

enum { MANY_NODES = 1 << 30, ALL_NOGOODS = 4096, MOST_CHECKED = 14 };

/* --- all packings of a few buffers --- */

struct packing {
    const struct section_classes *problem;
    const struct section_nogood *nogood;
    int64_t capacity;
    int64_t least[MOST_CHECKED]; /* above what is packed so far */
    bool packed[MOST_CHECKED];
};

static bool overlap(const struct section_classes *problem, size_t a, size_t b)
{
    return problem->first[a] <= problem->last[b] && problem->first[b] <= problem->last[a];
}

/* Whether the rest can be packed, each where it lies on what is packed already or at
 * its own least start, in the order of offsets from FROM: every packing can be pushed
 * down to one like that.  */
static bool can_pack(struct packing *packing, int64_t from, size_t left)
{
    const struct section_classes *problem = packing->problem;
    const struct section_nogood *nogood = packing->nogood;

    for (size_t i = 0; i < nogood->n; i++) {
        size_t b = nogood->literal[i].buffer;
        int64_t room = packing->capacity - problem->size[b];

        if (!packing->packed[i] && packing->least[i] > room)
            return false;
    }
    for (size_t i = 0; i < nogood->n; i++) {
        struct packing next = *packing;
        size_t b = nogood->literal[i].buffer;
        int64_t start = packing->least[i];

        if (packing->packed[i] || start < from)
            continue;
        if (left == 1)
            return true;
        next.packed[i] = true;
        for (size_t k = 0; k < nogood->n; k++) {
            size_t d = nogood->literal[k].buffer;

            if (!next.packed[k] && overlap(problem, b, d))
                next.least[k] =
                    align_up(max64(next.least[k], start + problem->size[b]), problem->alignment[d]);
        }
        if (can_pack(&next, start, left - 1))
            return true;
    }
    return left == 0;
}

/* Whether NOGOOD is true for CAPACITY.  */
static bool is_true(const struct section_search *search, const struct section_nogood *nogood,
                    int64_t capacity)
{
    struct packing packing = {
        .problem = search->state.problem, .nogood = nogood, .capacity = capacity};

    for (size_t i = 0; i < nogood->n; i++)
        packing.least[i] = align_up(max64(0, nogood->literal[i].least),
                                    search->state.problem->alignment[nogood->literal[i].buffer]);
    return nogood->n > 0 && !can_pack(&packing, 0, nogood->n);
}

/* --- tests --- */

struct tally {
    int checked, wrong, roots, wrong_roots;
};

/* Learns at every capacity from the load until it is enough, and checks it all.  The
 * weights at the start are drawn from a wide range: a search that chooses badly learns
 * more.  */
static void check_learning(const struct instance *instance, const struct section_options *options,
                           struct rng *rng, struct tally *tally)
{
    struct section_classes *problem =
        section_classes_of(instance, dsa_unit(instance), false, false);
    enum search_result result = SEARCH_REFUTED;

    for (int64_t capacity = problem->load; result == SEARCH_REFUTED; capacity++) {
        struct section_search search;
        const struct section_learning *learning;

        section_search_init(&search, problem, options, 1);
        for (size_t s = 0; s < problem->sections; s++)
            search.state.section[s].weight = pow(1000.0, rng_unit(rng));
        if (rng_range(rng, 0, 3) == 0)
            search.state.most_looks = 1; /* fixpoints end early */
        learning = search.learning;
        result = section_search_run(&search, capacity, MANY_NODES, INFINITY);
        for (size_t i = 0; i < learning->nogoods.n; i++) {
            tally->checked++;
            tally->wrong += !is_true(&search, &learning->nogoods.ring[i], capacity);
        }
        if (result == SEARCH_REFUTED) {
            tally->roots++;
            tally->wrong_roots += !is_true(&search, &learning->nogood, capacity);
            for (size_t i = 0; i < learning->nogood.n; i++)
                tally->wrong_roots += learning->nogood.literal[i].least > 0;
        }
        section_search_clear(&search);
    }
    section_classes_free(problem);
}

static void every_nogood(void)
{
    static const struct section_options options[] = {
        {.not_first = true, .subsets = true, .parts = true, .learning = true},
        {.not_first = true, .subsets = true, .learning = true},
        {.not_first = true, .parts = true, .learning = true},
        {.parts = true, .learning = true, .restarts = true},
        {.learning = true},
    };
    enum { SETTINGS = sizeof options / sizeof *options };
    struct rng *rng = rng_new(83);
    int rounds = tap_tier(1000, 15000);
    struct tally tally[2] = {{0}};

    for (int round = 0; round < rounds; round++) {
        struct section_options chosen = options[round % SETTINGS];
        struct instance *instance = tight_instance(rng, (size_t)rng_range(rng, 12, MOST_CHECKED),
                                                   rng_range(rng, 7, 11), rng_range(rng, 15, 30));

        chosen.nogoods = ALL_NOGOODS;
        check_learning(instance, &chosen, rng, &tally[0]);
        if (round % 10 == 0) {
            struct instance *aligned = random_alignments(rng, instance);

            check_learning(aligned, &chosen, rng, &tally[1]);
            instance_free(aligned);
        }
        instance_free(instance);
    }
    for (int a = 0; a < 2; a++) {
        const char *what = a == 1 ? "with alignments" : "without alignments";

        is_int(tally[a].wrong, 0, "%s, all nogoods are true: %d", what, tally[a].checked);
        is_int(tally[a].wrong_roots, 0, "%s, what refutes the root too: %d", what, tally[a].roots);
        ok(tally[a].checked > 0 && tally[a].roots > 0, "there are some");
    }
    rng_free(rng);
}

static enum search_result run(void *search, int64_t capacity)
{
    return section_search_run(search, capacity, MANY_NODES, INFINITY);
}

/* One search keeps its nogoods from one capacity to the next, the other starts anew and
 * learns nothing.  */
static bool same_answers(const struct instance *instance, int round, int *above)
{
    const struct section_options options = {.not_first = round % 7 != 0,
                                            .subsets = round % 3 != 0,
                                            .parts = round % 5 != 0,
                                            .restarts = round % 11 == 0,
                                            .learning = true,
                                            .nogoods = round % 4 == 0 ? 0 : 200};
    struct section_classes *problem =
        section_classes_of(instance, dsa_unit(instance), false, false);
    struct section_search search;
    int64_t capacity;
    bool same;

    section_search_init(&search, problem, &options, (uint32_t)round + 1);
    if (round % 4 == 3)
        search.state.most_looks = 1; /* fixpoints end early */
    capacity = plain_optimum(problem, (uint32_t)round + 1, run, &search, &same);
    *above += capacity > problem->load;
    for (; capacity > problem->load; capacity--)
        same = same && run(&search, capacity - 1) == SEARCH_REFUTED;
    section_search_clear(&search);
    section_classes_free(problem);
    return same;
}

int main(void)
{
    every_nogood();
    same_on_tight(89, tap_tier(300, 3000), same_answers, "learning changes no answer");
    return tap_done();
}
