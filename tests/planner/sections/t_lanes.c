/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packings in rows of numbers: after every move the starts are those that the same rules find on
 * lists (section_state.h), nothing is left that the support rule says, and the search answers as
 * the one on lists does.  */
#include <config.h>

#include "planner/sections/section_finder.h"

#include <inttypes.h>
#include <math.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "lib/place/dsa_pieces.h"
#include "lib/problem/instance.h"
#include "planner/sections/section_rules.h"
#include "tests/support/instances.h"
#include "tests/support/plain_answers.h"
#include "tests/support/random_instances.h"
#include "tests/support/tap.h"

enum { MANY_NODES = 1 << 30, MOST_MOVES = 60 };

/* --- the same moves on both --- */

struct walk {
    const struct section_classes *problem;
    struct lane_state lanes;
    struct section_state state;
    struct {
        size_t lanes, state;
    } mark[MOST_MOVES];
    size_t marks;
    int64_t moves, failures, different;
};

/* One that may be placed or postponed: it starts below the ends of all.  SIZE_MAX: none.  */
static size_t any_low(const struct walk *walk, struct rng *rng)
{
    int64_t least_end = INT64_MAX;
    size_t found = SIZE_MAX, seen = 0;

    for (size_t b = 0; b < walk->problem->n; b++)
        if (!walk->state.placed[b])
            least_end = min64(least_end, section_state_end(&walk->state, b));
    for (size_t b = 0; b < walk->problem->n; b++)
        if (!walk->state.placed[b] && walk->state.start[b] < least_end &&
            rng_range(rng, 0, (int64_t)seen++) == 0)
            found = b;
    return found;
}

/* Both have found the same, and looked at the same.  */
static bool agree(const struct walk *walk)
{
    bool same = true;

    for (size_t b = 0; b < walk->problem->n; b++)
        same = same && walk->lanes.start[b] == walk->state.start[b] &&
               walk->lanes.placed[b] == walk->state.placed[b];
    for (size_t s = 0; s < walk->problem->sections; s++) {
        const struct section *section = &walk->state.section[s];
        const struct lanes_look *look = &walk->lanes.look[s / LANES_BLOCK];
        size_t i = s % LANES_BLOCK;

        same = same && lanes_at(walk->lanes.count, s) == (lane_number)section->count &&
               walk->lanes.crossing[s] == section->crossing &&
               lanes_at(walk->lanes.limit, s) == walk->state.capacity - section->total;
        if (section->count > 0)
            same = same && look->least_start[i] == section->least_start &&
                   look->candidates[i] == (lane_number)section->candidates &&
                   look->end_1[i] == section->end_1 &&
                   (section->count == 1 || look->end_2[i] == section->end_2);
    }
    return same;
}

static void go_back(struct walk *walk, struct rng *rng)
{
    walk->marks = (size_t)rng_range(rng, 0, (int64_t)walk->marks - 1);
    lanes_undo(&walk->lanes, walk->mark[walk->marks].lanes);
    section_state_undo(&walk->state, walk->mark[walk->marks].state);
    section_rules_apply(&walk->state); /* its looks are done anew, which finds nothing new */
}

static void step(struct walk *walk, struct rng *rng)
{
    size_t b = any_low(walk, rng);
    bool open;

    if (b == SIZE_MAX || walk->marks == MOST_MOVES) {
        go_back(walk, rng);
        return;
    }
    walk->mark[walk->marks].lanes = lanes_mark(&walk->lanes);
    walk->mark[walk->marks++].state = section_state_mark(&walk->state);
    if (rng_range(rng, 0, 3) == 0) {
        int64_t start = walk->state.start[b] + rng_range(rng, 1, 5);

        lanes_postpone(&walk->lanes, b, start);
        section_state_postpone(&walk->state, b, start, 0);
    } else {
        lanes_place(&walk->lanes, b);
        section_state_place(&walk->state, b);
    }
    open = section_rules_apply(&walk->state);
    walk->moves++;
    if (lanes_apply(&walk->lanes, false) != open)
        walk->different++;
    else if (open)
        walk->different += !agree(walk);
    if (!open) {
        walk->failures++;
        go_back(walk, rng);
    }
}

static void walk_on(const struct instance *instance, struct rng *rng, struct walk *sum)
{
    struct section_classes *problem =
        section_classes_of(instance, dsa_unit(instance), false, false);
    int64_t capacity = problem->load + rng_range(rng, 0, 3);
    struct walk walk = {.problem = problem};

    lanes_init(&walk.lanes, problem);
    section_state_init(&walk.state, problem);
    walk.state.no_not_first = true;
    section_state_reset(&walk.state, capacity);
    sum->different += lanes_reset(&walk.lanes, capacity) && lanes_apply(&walk.lanes, false)
                          ? !section_rules_apply(&walk.state)
                          : section_rules_apply(&walk.state);
    for (int i = 0; i < 200; i++)
        step(&walk, rng);
    sum->moves += walk.moves;
    sum->failures += walk.failures;
    sum->different += walk.different;
    lanes_clear(&walk.lanes);
    section_state_clear(&walk.state);
    section_classes_free(problem);
}

static void walks(void)
{
    struct rng *rng = rng_new(97);
    struct walk sum = {0};

    for (int round = tap_tier(300, 3000); round > 0; round--) {
        struct instance *instance = tight_instance(rng, (size_t)rng_range(rng, 8, 40),
                                                   rng_range(rng, 6, 30), rng_range(rng, 15, 60));
        struct instance *aligned = random_alignments(rng, instance);

        walk_on(round % 3 == 0 ? aligned : instance, rng, &sum);
        instance_free(aligned);
        instance_free(instance);
    }
    is_int(sum.different, 0, "the same starts and looks as on lists, %d moves", (int)sum.moves);
    ok(sum.failures > 1000, "%d failures among them", (int)sum.failures);
    rng_free(rng);
}

/* --- support --- */

/* Whether the support rule says more of B than is known.  */
static bool is_short(const struct lane_state *lanes, size_t b)
{
    const struct section_classes *problem = lanes->problem;
    int64_t top = 0, end = INT64_MAX;

    for (size_t c = 0; c < problem->n; c++) {
        if (c == b || !section_classes_meet(problem, b, c))
            continue;
        if (lanes->placed[c])
            top = max64(top, lanes_end(lanes, c));
        else
            end = min64(end, lanes_end(lanes, c));
    }
    return !lanes->placed[b] && lanes->start[b] > section_classes_next(problem, b, top) &&
           lanes->start[b] < end;
}

static void supported(void)
{
    struct rng *rng = rng_new(101);
    int64_t left = 0, states = 0, rises = 0;

    for (int round = tap_tier(300, 3000); round > 0; round--) {
        struct instance *plain = tight_instance(rng, (size_t)rng_range(rng, 8, 40),
                                                rng_range(rng, 6, 30), rng_range(rng, 15, 60));
        struct instance *instance = random_alignments(rng, plain);
        struct section_classes *problem =
            section_classes_of(round % 3 == 0 ? instance : plain, 1, false, false);
        struct lane_state lanes;
        bool open;

        lanes_init(&lanes, problem);
        open = lanes_reset(&lanes, problem->load + 4) && lanes_apply(&lanes, false);
        while (open && lanes.n_placed < problem->n) {
            size_t b = (size_t)rng_range(rng, 0, (int64_t)problem->n - 1);
            int64_t start, end;
            size_t mark = lanes_mark(&lanes);

            lanes_neighbours(&lanes, b, &start, &end);
            if (lanes.placed[b] || end < lanes.start[b])
                continue;
            if (rng_range(rng, 0, 1) == 0)
                lanes_postpone(&lanes, b, lanes.start[b] + 1);
            else
                lanes_place(&lanes, b);
            open = lanes_apply(&lanes, false);
            if (!open)
                break;
            start = (int64_t)lanes_mark(&lanes);
            open = lanes_apply(&lanes, true);
            rises += (int64_t)lanes_mark(&lanes) > start;
            states++;
            for (size_t c = 0; open && c < problem->n; c++)
                left += is_short(&lanes, c);
            if (!open || rng_range(rng, 0, 3) == 0) {
                lanes_undo(&lanes, mark);
                open = lanes_apply(&lanes, false) && rng_range(rng, 0, 9) > 0;
            }
        }
        lanes_clear(&lanes);
        section_classes_free(problem);
        instance_free(instance);
        instance_free(plain);
    }
    is_int(left, 0, "the support rule leaves nothing, %d states", (int)states);
    ok(rises > 50, "which it changed %d of", (int)rises);
    rng_free(rng);
}

/* --- answers --- */

static bool is_packing(const struct lane_state *lanes)
{
    const struct section_classes *problem = lanes->problem;
    bool good = true;

    for (size_t b = 0; b < problem->n; b++) {
        good = good && lanes->start[b] >= 0 && lanes_end(lanes, b) <= lanes->capacity &&
               lanes->start[b] % problem->alignment[b] == 0;
        for (size_t c = 0; c < b; c++)
            good = good && (!section_classes_meet(problem, b, c) ||
                            lanes->start[b] >= lanes_end(lanes, c) ||
                            lanes->start[c] >= lanes_end(lanes, b));
    }
    return good;
}

static enum search_result run(void *search, int64_t capacity)
{
    return lane_search_run(search, capacity, MANY_NODES, INFINITY);
}

/* One search for all capacities.  */
static bool same_answers(const struct instance *instance, int round, int *above)
{
    const struct lane_options options = {.slack = round % 2 == 0, .parts = round % 5 != 0};
    struct section_classes *problem =
        section_classes_of(instance, dsa_unit(instance), false, false);
    bool fits = lanes_fit(problem, 2 * problem->load), same;
    struct lane_search search;

    lane_search_init(&search, problem, &options, (uint32_t)round + 1);
    if (round % 4 == 0)
        search.lanes.most_looks = 1; /* fixpoints end early */
    if (round % 3 == 0)
        search.restart_unit =
            1; /* runs begin anew, and on the path of the last one, all the time */
    *above += plain_optimum(problem, (uint32_t)round + 1, run, &search, &same) > problem->load;
    same = same && fits && is_packing(&search.lanes);
    lane_search_clear(&search);
    section_classes_free(problem);
    return same;
}

/* --- the guide --- */

/* Whether the guide's buffers are as many as it says, within the capacity and apart.  */
static bool is_partial_packing(const struct lane_search *search)
{
    const struct section_classes *problem = search->lanes.problem;
    size_t placed = 0;
    bool good = true;

    for (size_t b = 0; b < problem->n; b++) {
        if (search->guide[b] == LANES_NONE)
            continue;
        placed++;
        good = good && search->guide[b] + problem->size[b] <= search->lanes.capacity;
        for (size_t c = 0; c < b; c++)
            good =
                good && (search->guide[c] == LANES_NONE || !section_classes_meet(problem, b, c) ||
                         search->guide[b] >= search->guide[c] + problem->size[c] ||
                         search->guide[c] >= search->guide[b] + problem->size[b]);
    }
    return good && placed == search->guide_placed;
}

/* Searches that end at a limit keep what placed the most, of their capacity alone.  */
static void guides(void)
{
    const int rounds = tap_tier(40, 400);
    struct rng *rng = rng_new(108);
    int right = 0, fewer = 0;

    for (int round = 0; round < rounds; round++) {
        const struct lane_options options = {.slack = round % 2 == 0, .parts = true};
        struct instance *instance = tight_instance(rng, 60, 30, 100);
        struct section_classes *problem = section_classes_of(instance, 1, false, false);
        struct lane_search search;
        size_t before;
        bool good;

        lane_search_init(&search, problem, &options, 1);
        lane_search_run(&search, problem->load, 300, INFINITY);
        good = is_partial_packing(&search);
        before = search.guide_placed;
        lane_search_run(&search, problem->load, 300, INFINITY);
        good = good && is_partial_packing(&search) && search.guide_placed >= before;
        before = search.guide_placed;
        lane_search_run(&search, problem->load - 1, 5, INFINITY);
        good = good && (search.guide_placed == 0 || is_partial_packing(&search));
        fewer += search.guide_placed < before;
        right += good;
        lane_search_clear(&search);
        section_classes_free(problem);
        instance_free(instance);
    }
    is_int(right, rounds, "the guide is a packing of what was placed");
    ok(fewer > 0, "another capacity begins anew (%d)", fewer);
    rng_free(rng);
}

/* --- runs --- */

/* A run that begins with nothing placed makes as many placements as there are before something
 * fails; one that goes on from the path of the one before makes fewer.  */
static void goes_on(const char *spec, int64_t most_a_run)
{
    enum { NODES = 20000 };
    struct instance *instance = instance_of(spec);
    struct section_classes *problem = section_classes_of(instance, 1, false, false);
    const struct lane_options options = {.slack = false, .parts = true};
    struct lane_search search;
    int64_t a_run;

    lane_search_init(&search, problem, &options, 1);
    search.restart_unit = 0; /* each failure ends a run */
    lane_search_run(&search, problem->load, NODES, INFINITY);
    a_run = search.nodes / (int64_t)search.restarts;
    ok(search.restarts > 100 && a_run <= most_a_run,
       "%d runs on %s go on: %" PRId64 " placements each", (int)search.restarts, spec, a_run);
    lane_search_clear(&search);
    section_classes_free(problem);
    instance_free(instance);
}

/* --- shares --- */

/* Of 48 placements, too few for a packing, a third is the plain way's.  */
static void shares(void)
{
    enum { NODES = 8 };
    struct rng *rng = rng_new(107);
    struct instance *instance = random_instance(rng, RANDOM_CHAIN, 100);
    struct section_classes *problem = section_classes_of(instance, 1, false, false);
    struct section_finder finder;
    int64_t used;

    section_finder_init(&finder, problem, true, 1);
    ok(section_finder_run(&finder, problem->load, NODES, INFINITY, &used) == SEARCH_STOPPED &&
           used == NODES,
       "eight placements");
    is_int(finder.way[0].nodes, 16, "the plain way's share");
    is_int(finder.way[1].nodes, 32, "the rest is the other's");
    section_finder_clear(&finder);
    section_classes_free(problem);
    instance_free(instance);
    rng_free(rng);
}

int main(void)
{
    walks();
    supported();
    same_on_tight(103, tap_tier(400, 6000), same_answers, "the same answers as on lists");
    guides();
    goes_on("pinwheel:pinwheels=40", 40);
    shares();
    return tap_done();
}
