/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The light engine and its counts, on random walks, against plain definitions; what dives on it
 * charge with a failure; starts beside what is fixed.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "planner/dives/section_classes.h"
#include "planner/dives/section_dives.h"
#include "planner/dives/section_light.h"
#include "tests/support/all_classes.h"
#include "tests/support/fixed_case.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

enum { LOG = 1 << 20 };

static uint64_t state_sum(const struct section_light *light)
{
    uint64_t sum = light->depth;

    for (size_t c = 0; c < light->classes->n; c++)
        sum = sum * UINT64_C(6364136223846793005) + (uint64_t)light->start[c] + light->left[c];
    for (size_t s = 0; s < light->classes->sections; s++)
        sum = sum * UINT64_C(6364136223846793005) + (uint64_t)light->top[s] +
              3 * (uint64_t)light->rest[s];
    return sum;
}

struct trip {
    struct instance *instance;
    struct section_classes *made;
    struct section_light light;
};

/* INSTANCE, which goes with the trip, with moves kept in a log of LOG_SIZE.  */
static void trip_begin(struct trip *trip, struct instance *instance, bool infers, size_t log_size)
{
    trip->instance = instance;
    trip->made = all_classes(instance, true);
    section_light_init(&trip->light, trip->made, infers, log_size, 1);
}

static void trip_end(struct trip *trip)
{
    section_light_clear(&trip->light);
    section_classes_free(trip->made);
    instance_free(trip->instance);
}

enum { MOST_PLACED = 300 };

/* Down a random path and back, as far as the log goes: whether each state is what it was.  */
static bool comes_back(struct trip *trip, struct rng *rng, int64_t capacity)
{
    struct section_light *light = &trip->light;
    uint64_t sum[MOST_PLACED + 1];
    bool same = true, fits = true;

    section_light_reset(light, capacity);
    while (fits && !section_light_complete(light)) {
        size_t c = (size_t)rng_range(rng, 0, (int64_t)trip->made->n - 1);

        if (light->left[c] == 0)
            continue;
        sum[light->depth] = state_sum(light);
        fits = section_light_place(light, c);
    }
    while (light->depth > 0 && section_light_undo(light))
        same = sum[light->depth] == state_sum(light) && same;
    return same;
}

static void undoing(void)
{
    struct rng *rng = rng_new(31);
    int rounds = tap_tier(50, 160), good = 0;

    for (int round = 0; round < rounds; round++) {
        struct trip trip;

        trip_begin(&trip, random_instance(rng, (enum random_kind)(round % RANDOM_KINDS), 40), true,
                   LOG);
        good += comes_back(&trip, rng, min64(trip.made->load, LIGHT_PLACED / 4) * 2) &&
                trip.light.depth == 0;
        trip_end(&trip);
    }
    is_int(good, rounds, "undoing restores every state on the way");
    rng_free(rng);
}

/* The same with a log that holds the last few moves: what is taken back is restored, and
 * what has dropped out is refused, also when later moves were taken back before.  */
static void short_log(void)
{
    struct rng *rng = rng_new(37);
    int rounds = tap_tier(10, 60), good = 0, refused = 0;

    for (int round = 0; round < rounds; round++) {
        struct trip trip;

        trip_begin(&trip, random_instance(rng, RANDOM_UNIFORM, MOST_PLACED), false, 1);
        good += comes_back(&trip, rng, 4 * trip.made->load);
        refused += trip.light.depth > 0;
        trip_end(&trip);
    }
    is_int(good, rounds, "a short log restores all that it takes back");
    ok(refused > 0, "and refuses the rest in %d of %d", refused, rounds);
    rng_free(rng);
}

/* Whether all candidates are those that are counted anew; in *EMPTY whether a section
 * with something left has none, and whether any member of a section with one only starts
 * below its end.  */
static bool candidates_right(const struct section_light *light, bool *empty, bool *below)
{
    const struct section_classes *classes = light->classes;
    bool right = true;

    *empty = *below = false;
    for (size_t s = 0; s < classes->sections; s++) {
        struct light_view view = section_light_view(light, s);
        int64_t limit = light->capacity - light->rest[s], end = 0;

        if (light->rest[s] == 0)
            continue;
        right = right && light->counts.candidates[s] == (int32_t)view.candidates;
        *empty = *empty || view.candidates == 0;
        for (size_t i = classes->start[s]; i < classes->start[s + 1] && view.candidates == 1; i++)
            if (light->start[classes->member[i]] <= limit)
                end = light->start[classes->member[i]] + classes->size[classes->member[i]];
        for (size_t i = classes->start[s]; i < classes->start[s + 1] && view.candidates == 1; i++) {
            int64_t start = light->start[classes->member[i]];

            *below = *below || (start > limit && start < end);
        }
    }
    return right;
}

static int64_t least_end(const struct section_light *light)
{
    int64_t least = INT64_MAX;

    for (size_t s = 0; s < light->classes->sections; s++)
        if (light->rest[s] > 0)
            least = min64(least, section_light_view(light, s).least_end);
    return least;
}

/* Whether what starts below END is counted right in all sections.  */
static bool below_right(struct section_light *light, int64_t end)
{
    const struct section_classes *classes = light->classes;
    bool right = true;

    section_light_below(light, end);
    for (size_t s = 0; s < classes->sections; s++) {
        int32_t below = 0;

        for (size_t i = classes->start[s]; i < classes->start[s + 1]; i++)
            below += light->start[classes->member[i]] < end;
        right = right && light->below[s] == below;
    }
    return right;
}

/* Whether what it infers is so; *FAILED: that something doesn't fit any more.  */
static bool infers(struct section_light *light, bool *failed)
{
    bool empty, below;

    *failed = false;
    if (section_light_complete(light))
        return true;
    *failed = !section_light_infer(light);
    if (*failed)
        return true;
    return candidates_right(light, &empty, &below) && !empty && !below &&
           section_light_least_end(light) == least_end(light) &&
           below_right(light, least_end(light)) &&
           below_right(light, light->start[light->depth % light->classes->n]);
}

/* Ends above it fit too.  */
#define MOST_CAPACITY (INT64_MAX / 16)

/* One that can be the lowest of a section with something left, or any class.  */
static size_t draw_class(const struct section_light *light, struct rng *rng)
{
    const struct section_classes *classes = light->classes;
    size_t s = (size_t)rng_range(rng, 0, (int64_t)classes->sections - 1), drawn = LIGHT_NONE;
    int64_t seen = 0;

    for (size_t i = classes->start[s]; i < classes->start[s + 1]; i++)
        if (light->start[classes->member[i]] <= light->capacity - light->rest[s] &&
            rng_range(rng, 0, seen++) == 0)
            drawn = classes->member[i];
    return drawn != LIGHT_NONE ? drawn : (size_t)rng_range(rng, 0, (int64_t)classes->n - 1);
}

/* Class C lies above some neighbour, if it has room there.  */
static void postpone(struct section_light *light, size_t c)
{
    const struct section_classes *classes = light->classes;
    int64_t start = align_up(section_light_neighbours(light, c).least_end, classes->alignment[c]);

    if (light->left[c] > 0 && start + classes->size[c] <= light->capacity)
        section_light_postpone(light, c, start);
}

/* One move of a random walk: a placement, which is taken back if it doesn't fit, a step
 * back, after which mostly what was there is postponed, as searches do, another
 * postponement, or rarely more room: it is where there is little that one candidate is left.  */
static void walk(struct section_light *light, struct rng *rng)
{
    size_t c = draw_class(light, rng);
    int64_t kind = rng_range(rng, 0, 99);

    if (kind == 0 && light->capacity < MOST_CAPACITY) {
        section_light_raise_capacity(light, light->capacity + light->classes->load / 64 + 1);
    } else if (kind < 30 && light->depth > 0) {
        c = light->node[light->depth - 1].child;
        section_light_undo(light);
        if (kind < 25)
            postpone(light, c);
    } else if (kind < 40) {
        postpone(light, c);
    } else if (light->left[c] > 0 && !section_light_place(light, c)) {
        section_light_undo(light);
    }
}

/* Beyond 32 bits.  */
static void enlarge(struct section_classes *classes, int shift)
{
    for (size_t c = 0; c < classes->n; c++) {
        classes->size[c] <<= shift;
        classes->alignment[c] <<= shift;
    }
    for (size_t s = 0; s < classes->sections; s++)
        classes->total[s] <<= shift;
    classes->load <<= shift;
}

/* Also of buffers so large that they don't fit into the counts' numbers; with so many sections that
 * they are in blocks, or that what was kept is dropped, and the way back goes past that.  */
static void counting(void)
{
    enum { MANY = 5000, BLOCKS = 1500, FEW = 40 };
    struct rng *rng = rng_new(37);
    int rounds = tap_tier(24, 80), good = 0, failures = 0, in_blocks = 0, wide = 0, moves = 0;

    for (int round = 0; round < rounds; round++) {
        enum random_kind kind = (enum random_kind)(round % RANDOM_KINDS);
        /* The engine is for totals of some 2^59 units, and gets no more.  */
        bool huge = kind == RANDOM_HUGE, many = round == 22;
        struct instance *instance = random_instance(rng, huge ? RANDOM_UNIFORM : kind,
                                                    many              ? MANY
                                                    : round % 18 == 9 ? BLOCKS
                                                                      : FEW);
        struct section_classes *made = all_classes(instance, true);
        struct section_light light;
        bool right = true;
        int64_t capacity;

        if (huge || round % 4 == 3)
            enlarge(made, huge ? 36 : 24);
        capacity = many ? 4 * made->load : made->load + round % 3 * (made->load / 8);
        section_light_init(&light, made, true, LOG, 1);
        section_light_reset(&light, capacity);
        for (int step = 0; step < 400 && right; step++) {
            bool failed;

            walk(&light, rng);
            light.counts.stale = light.counts.stale || (light.counts.blocks && step % 4 == 0);
            right = infers(&light, &failed);
            while (failed && light.depth > 0 && right && section_light_undo(&light))
                right = infers(&light, &failed);
            failures += failed;
            moves += light.wide && !failed;
            if (failed || (step == 200 && !many))
                section_light_reset(&light, capacity);
        }
        while (many && right && light.depth > 0 && section_light_undo(&light))
            right = light.depth % 16 > 0 || infers(&light, &(bool){false});
        good += right;
        in_blocks += light.counts.blocks;
        wide += light.wide;
        section_light_clear(&light);
        section_classes_free(made);
        instance_free(instance);
    }
    ok(in_blocks > rounds / 24, "sections are in blocks in %d of %d walks", in_blocks, rounds);
    ok(moves > 100 * wide, "%d moves of %d walks are of numbers too large for counts", moves, wide);
    is_int(good, rounds, "candidates kept are those counted anew, and what one alone implies");
    tap_diag("%d of %d walks began again", failures, 400 * rounds);
    rng_free(rng);
}

/* Whether a placement has left something that does not fit below the capacity.  */
static bool fits_not(const struct section_light *light)
{
    const struct section_classes *classes = light->classes;

    for (size_t s = 0; s < classes->sections; s++)
        if (light->top[s] + light->rest[s] > light->capacity)
            return true;
    for (size_t c = 0; c < classes->n; c++)
        if (light->left[c] > 0 && light->start[c] + classes->size[c] > light->capacity)
            return true;
    return false;
}

/* Searches that end with their first failure: where all still fits one by one, it is that a
 * section has no candidate, and such a section is charged with it.  Alignments bring that about. */
static void charged(void)
{
    struct rng *rng = rng_new(57);
    int right = 0, seen = 0, rounds = tap_tier(200, 1000);

    for (int round = 0; round < rounds; round++) {
        struct instance *instance =
            random_instance(rng, round % 2 == 0 ? RANDOM_ALIGNED : RANDOM_MIXED, 30);
        struct section_classes *made = all_classes(instance, true);
        const struct section_dive kind = {.looks = 1 + (size_t)(round / 2 % 4)};
        struct section_dives dives;

        section_dives_init(&dives, made, LOG, 3);
        if (!section_dives_search(&dives, made->load, 0, kind) && !fits_not(&dives.light)) {
            struct light_view view = section_light_view(&dives.light, dives.light.failed);

            seen++;
            right += view.candidates == 0 && dives.light.rest[dives.light.failed] > 0;
        }
        section_dives_clear(&dives);
        section_classes_free(made);
        instance_free(instance);
    }
    ok(seen > rounds / 20, "%d of %d searches failed in want of a candidate", seen, rounds);
    is_int(right, seen, "each is charged to a section without one");
    rng_free(rng);
}

/* What is kept for the way back from hundreds of placements is more than there was room for at
 * first, and nothing of it is lost: it is counted anew once, and right after each step back.  */
static void way_back(void)
{
    enum { BUFFERS = 300, ROOM_AT_FIRST = 4096 };
    struct rng *rng = rng_new(41);
    struct instance *instance = random_instance(rng, RANDOM_UNIFORM, BUFFERS);
    struct section_classes *made = all_classes(instance, true);
    struct section_light light;
    bool empty, below, right = true, counted;
    uint64_t kept;
    size_t placed;

    section_light_init(&light, made, true, LOG, 1);
    section_light_reset(&light, 4 * made->load);
    counted = section_light_infer(&light);
    for (size_t c = 0; c < made->n; c++)
        if (!section_light_place(&light, c))
            section_light_undo(&light);
    placed = light.depth;
    kept = light.counts.kept_end;
    while (light.depth > 0 && right)
        right = section_light_undo(&light) && !light.counts.stale &&
                candidates_right(&light, &empty, &below);
    ok(counted && right, "candidates are right all the way back");
    ok(kept > 2 * ROOM_AT_FIRST && placed > BUFFERS / 2,
       "from %zu placements, of which %zu numbers were kept", placed, (size_t)kept);
    section_light_clear(&light);
    section_classes_free(made);
    instance_free(instance);
    rng_free(rng);
}

/* --- fixed offsets --- */

/* Whether class C, from START on, would overlap class F where that is fixed.  */
static bool overlaps_fixed(const struct section_classes *classes, size_t c, size_t f, int64_t start)
{
    return c != f && classes->fixed[f] >= 0 && classes->first[c] <= classes->last[f] &&
           classes->first[f] <= classes->last[c] && start < classes->fixed[f] + classes->size[f] &&
           classes->fixed[f] < start + classes->size[c];
}

/* The least start from FLOOR on at which class C overlaps nothing that is fixed.  */
static int64_t free_start(const struct section_classes *classes, size_t c, int64_t floor)
{
    int64_t start = align_up(floor, classes->alignment[c]);

    for (size_t f = 0; f < classes->n; f++)
        if (overlaps_fixed(classes, c, f, start)) {
            start = align_up(classes->fixed[f] + classes->size[f], classes->alignment[c]);
            f = SIZE_MAX; /* all again */
        }
    return start;
}

/* Whether each class that is left starts above what is placed and beside what is fixed, and no
 * higher unless it was postponed.  */
static bool starts_right(const struct section_light *light)
{
    const struct section_classes *classes = light->classes;

    for (size_t c = 0; c < classes->n; c++) {
        int64_t floor = max64(0, classes->fixed[c]), least;

        if (light->left[c] == 0)
            continue;
        for (size_t s = classes->first[c]; s <= classes->last[c]; s++)
            floor = max64(floor, light->top[s]);
        least = free_start(classes, c, floor);
        if (light->start[c] !=
                (light->was_postponed[c] ? free_start(classes, c, light->start[c]) : least) ||
            light->start[c] < least)
            return false;
    }
    return true;
}

/* One move; false where it has failed and could not be taken back.  */
static bool walk_beside(struct section_light *light, struct rng *rng)
{
    size_t c = draw_class(light, rng);
    int64_t kind = rng_range(rng, 0, 99);

    if (kind == 0) {
        section_light_raise_capacity(light, light->capacity + light->capacity / 64 + 1);
    } else if (kind < 30 && light->depth > 0) {
        c = light->node[light->depth - 1].child;
        section_light_undo(light);
        if (!section_light_postpone(light, c, section_light_neighbours(light, c).least_end))
            return light->depth > 0 && section_light_undo(light);
    } else if (light->left[c] > 0 && !section_light_place(light, c)) {
        section_light_undo(light);
    }
    return true;
}

static void beside(void)
{
    struct rng *rng = rng_new(43);
    int rounds = tap_tier(24, 80), good = 0;
    size_t holes = 0;

    for (int round = 0; round < rounds; round++) {
        enum random_kind kind = (enum random_kind)(round % (RANDOM_KINDS - 1)); /* none is huge */
        struct instance *all = random_instance(rng, kind, 40);
        struct plan *plan = solver_plan("section-first:nodes=1000", all, 1);
        struct instance *instance = fixed_case_of_plan(rng, all, plan);
        struct section_classes *made = all_classes(instance, true);
        int64_t capacity = instance->load / dsa_unit(instance);
        struct section_light light;
        bool right;

        holes += made->holes.count;
        section_light_init(&light, made, round % 2 == 0, LOG, 1);
        section_light_reset(&light, capacity);
        right = starts_right(&light);
        for (int step = 0; step < 400 && right; step++) {
            if (section_light_complete(&light) || !walk_beside(&light, rng))
                section_light_reset(&light, capacity);
            right = starts_right(&light);
        }
        good += right;
        section_light_clear(&light);
        section_classes_free(made);
        instance_free(instance);
        plan_free(plan);
        instance_free(all);
    }
    is_int(good, rounds, "nothing starts beside what is fixed, nor higher than it has to");
    ok(holes > (size_t)rounds, "which leaves %zu holes", holes);
    rng_free(rng);
}

int main(void)
{
    undoing();
    short_log();
    counting();
    charged();
    way_back();
    beside();
    return tap_done();
}
