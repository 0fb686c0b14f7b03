/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/dives/section_dives.h"

#include <math.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/small_rng.h"
#include "lib/base/sort.h"
#include "lib/base/timer.h"
#include "lib/problem/search_statistics.h"
#include "planner/dives/dive_settings.h"

void section_dives_init(struct section_dives *dives, const struct section_classes *classes,
                        size_t log_bytes, uint32_t seed)
{
    *dives = (struct section_dives){
        .other_weight = memory_alloc(classes->sections, sizeof *dives->other_weight),
        .other_increment = 1.0,
        .best = memory_alloc(classes->buffers, sizeof *dives->best),
        .best_peak = INT64_MAX,
        .node_end = INT64_MAX,
        .deadline = INFINITY,
    };
    small_rng_seed(&dives->rng, seed);
    section_light_init(&dives->light, classes, true, log_bytes, seed);
    memcpy(dives->other_weight, dives->light.weight,
           classes->sections * sizeof *dives->other_weight);
}

void section_dives_clear(struct section_dives *dives)
{
    section_light_clear(&dives->light);
    memory_free(dives->other_weight);
    memory_free(dives->best);
}

/* Copies of a class stand from the bottom up.  */
void section_dives_follow(struct section_dives *dives, const int64_t *start, int64_t peak)
{
    const struct section_classes *classes = dives->light.classes;

    dives->best_peak = peak;
    for (size_t c = 0; c < classes->n; c++) {
        size_t from = classes->copy_start[c], to = classes->copy_start[c + 1];

        for (size_t i = from; i < to; i++)
            dives->best[i] = start[classes->copy[i]];
        sort_stable(dives->best + from, to - from, sizeof *dives->best, compare64);
    }
}

void section_dives_count(const struct section_dives *dives, struct search_statistics *sum)
{
    search_statistics_add(sum, STATISTIC_DIVES, dives->dived);
    search_statistics_add(sum, STATISTIC_DIVE_PLACEMENTS, dives->nodes);
    search_statistics_add(sum, STATISTIC_DIVE_FAILURES, dives->failures);
}

bool section_dives_spent(const struct section_dives *dives)
{
    return dives->nodes >= dives->node_end || timer_now() >= dives->deadline;
}

/* --- the choice of a section and of a member --- */

/* Where the best packing has the next copy of class C.  */
static int64_t guide_of(const struct section_dives *dives, size_t c)
{
    const struct section_classes *classes = dives->light.classes;

    return dives->best[classes->copy_start[c] + (classes->copies[c] - dives->light.left[c])];
}

/* The member of section S with the least start, or of those that start below LIMIT the
 * one that is lowest in the best packing; ties by rank.  */
static size_t choose_member(const struct section_dives *dives, size_t s, int64_t limit)
{
    const struct section_light *light = &dives->light;
    const struct section_classes *classes = light->classes;
    const uint32_t *rank = classes->rank[dives->kind.rank];
    size_t best = LIGHT_NONE;
    int64_t best_key = 0;

    for (size_t i = classes->start[s]; i < classes->start[s + 1]; i++) {
        size_t c = classes->member[i];
        int64_t key = light->start[c];

        if (key >= limit)
            continue;
        if (dives->kind.guided)
            key = guide_of(dives, c);
        if (best == LIGHT_NONE || key < best_key || (key == best_key && rank[c] < rank[best])) {
            best = c;
            best_key = key;
        }
    }
    return best;
}

static inline double score_of(const struct section_light *light, size_t s, int32_t candidates)
{
    return ((double)candidates - DIVE_CANDIDATE_OFFSET) * light->urgency[s];
}

/* With little slack a section is the more urgent.  */
static inline double tightness(const struct section_light *light, size_t s)
{
    return (double)(light->capacity - light->top[s] - light->rest[s]) + 1.0;
}

/* Whether a member of section S starts below LIMIT.  Where none does others may not have one
 * either: from then on they are COUNTED, all at once.  */
static bool starts_below(struct section_light *light, size_t s, int64_t limit, bool *counted)
{
    const struct section_classes *classes = light->classes;

    if (*counted)
        return light->below[s] > 0;
    for (size_t i = classes->start[s]; i < classes->start[s + 1]; i++)
        if (light->start[classes->member[i]] < limit)
            return true;
    section_light_below(light, limit);
    *counted = true;
    return false;
}

/* Among all sections that have a member which can start below the least end of all.  */
static size_t choose_exactly(struct section_dives *dives)
{
    struct section_light *light = &dives->light;
    size_t best = LIGHT_NONE;
    double best_score = INFINITY;
    int64_t least_end;
    bool counted = false;

    if (!section_light_infer(light))
        return LIGHT_NONE;
    least_end = section_light_least_end(light);
    for (size_t s = 0; s < light->classes->sections; s++) {
        double score;

        /* Nothing starts below the top.  */
        if (light->top[s] >= least_end)
            continue;
        score = score_of(light, s, light->counts.candidates[s]);
        if (dives->kind.tight)
            score *= tightness(light, s);
        if (score < best_score && starts_below(light, s, least_end, &counted)) {
            best = s;
            best_score = score;
        }
    }
    return choose_member(dives, best, least_end);
}

/* The tightest sections that were seen so far.  */
struct tightest {
    size_t looks, count, worst; /* worst: index of the least tight one, once there are LOOKS */
    size_t section[DIVE_MOST_LOOKS];
    double tight[DIVE_MOST_LOOKS];
};

static void consider(struct tightest *found, size_t s, double tight)
{
    size_t at = found->count < found->looks ? found->count++ : found->worst;

    found->section[at] = s;
    found->tight[at] = tight;
    if (found->count < found->looks)
        return;
    found->worst = 0;
    for (size_t i = 1; i < found->count; i++)
        if (found->tight[i] > found->tight[found->worst])
            found->worst = i;
}

/* Passes over the blocks of sections that are all less tight, and brings the least
 * of the others up to date.  */
static void find_tightest(struct section_light *light, struct tightest *found)
{
    size_t sections = light->classes->sections;

    for (size_t from = 0; from < sections; from += LIGHT_BLOCK) {
        size_t to = sections - from < LIGHT_BLOCK ? sections : from + LIGHT_BLOCK;
        double least = INFINITY;

        if (found->count == found->looks &&
            light->least_tight[from / LIGHT_BLOCK] >= found->tight[found->worst])
            continue;
        for (size_t s = from; s < to; s++) {
            double tight = light->tight[s];

            least = tight < least ? tight : least;
            if (tight < INFINITY &&
                (found->count < found->looks || tight < found->tight[found->worst]))
                consider(found, s, tight);
        }
        light->least_tight[from / LIGHT_BLOCK] = least;
    }
}

/* Among the tightest sections; what would be left a hole below that another one fits
 * in gives way to it.  */
static size_t choose_lightly(struct section_dives *dives)
{
    struct section_light *light = &dives->light;
    struct tightest found = {.looks = dives->kind.looks};
    size_t best = LIGHT_NONE, c;
    double best_score = INFINITY;

    find_tightest(light, &found);
    for (size_t i = 0; i < found.count; i++) {
        size_t s = found.section[i];
        struct light_view view = section_light_view(light, s);
        double score = score_of(light, s, (int32_t)view.candidates);

        if (view.candidates == 0) {
            light->failed = s;
            return LIGHT_NONE;
        }
        if (best == LIGHT_NONE || score < best_score) {
            best = s;
            best_score = score;
        }
    }
    c = choose_member(dives, best, LIGHT_PLACED);
    for (;;) {
        struct light_neighbours near = section_light_neighbours(light, c);

        if (near.least_end > light->start[c])
            return c;
        c = near.lowest;
    }
}

/* --- moves --- */

/* After the placement of class C was taken back: it starts later.  False when that
 * can't be, or no neighbour can start below its end, so that it would only slide
 * down again.  */
static bool postpone(struct section_light *light, size_t c)
{
    struct light_neighbours near = section_light_neighbours(light, c);

    return near.least_start < light->start[c] + light->classes->size[c] &&
           section_light_postpone(light, c, near.least_end);
}

/* Takes placements back until one can be postponed.  */
static bool backtrack(struct section_light *light)
{
    while (light->depth > 0) {
        size_t c = light->node[light->depth - 1].child;

        if (!section_light_undo(light))
            return false;
        if (postpone(light, c))
            return true;
    }
    return false;
}

/* Chooses and places one copy.  False on a failure; *PLACED: it has to be undone.  */
static bool move(struct section_dives *dives, bool *placed)
{
    size_t c = dives->kind.looks == 0 ? choose_exactly(dives) : choose_lightly(dives);

    *placed = c != LIGHT_NONE;
    if (*placed) {
        dives->nodes++;
        if (section_light_place(&dives->light, c))
            return true;
    } else if (dives->light.depth == 0 && dives->light.classes->any_fixed) {
        dives->nodes++; /* what is fixed may leave nothing to place: that must not go on for ever */
    }
    dives->failures++;
    section_light_punish(&dives->light, DIVE_FAILURE_GROWTH);
    return false;
}

static bool limit_reached(const struct section_dives *dives)
{
    return dives->nodes >= dives->node_end ||
           (dives->nodes % DIVE_CLOCK_NODES == 0 && timer_now() >= dives->deadline);
}

/* Takes over the packing, with the copies of a class from the bottom up.  */
static void take_best(struct section_dives *dives)
{
    struct section_light *light = &dives->light;
    const struct section_classes *classes = light->classes;

    memcpy(light->left, classes->copies, classes->n * sizeof *light->left);
    for (size_t i = 0; i < light->depth; i++) {
        size_t c = light->node[i].child;

        dives->best[classes->copy_start[c] + (classes->copies[c] - light->left[c]--)] =
            light->node[i].start;
    }
    dives->best_peak = section_light_peak(light);
}

/* Weights that grow by the same rule could lead to the same dives for ever.  */
static void shake(struct section_dives *dives)
{
    for (size_t s = 0; s < dives->light.classes->sections; s++)
        dives->light.weight[s] *= 1.0 + DIVE_SHAKE * small_rng_unit(&dives->rng);
}

static void begin(struct section_dives *dives, bool staged, int64_t capacity,
                  struct section_dive kind)
{
    struct section_light *light = &dives->light;

    if (staged != dives->staged) {
        double *weight = light->weight, increment = light->increment;

        light->weight = dives->other_weight;
        light->increment = dives->other_increment;
        dives->other_weight = weight;
        dives->other_increment = increment;
        dives->staged = staged;
    }
    dives->dived++;
    dives->kind = kind;
    if (kind.looks > DIVE_MOST_LOOKS)
        dives->kind.looks = DIVE_MOST_LOOKS;
    dives->kind.guided = kind.guided && dives->best_peak < INT64_MAX;
    light->exact = kind.looks == 0;
    shake(dives);
    section_light_reset(light, capacity);
    for (size_t s = 0; s < light->classes->sections && dives->kind.guided; s++)
        section_light_prefer(light, s, 1.0 + DIVE_GUIDED_NOISE * small_rng_unit(&dives->rng));
}

bool section_dives_search(struct section_dives *dives, int64_t capacity, int64_t failures,
                          struct section_dive kind)
{
    struct section_light *light = &dives->light;
    bool placed;

    begin(dives, false, capacity, kind);
    while (!section_light_complete(light)) {
        if (limit_reached(dives))
            return false;
        if (move(dives, &placed))
            continue;
        if (failures-- <= 0)
            return false;
        if (placed) {
            size_t c = light->node[light->depth - 1].child;

            if (!section_light_undo(light))
                return false;
            if (postpone(light, c))
                continue;
        }
        if (!backtrack(light))
            return false;
    }
    take_best(dives);
    return true;
}

/* How a staged dive rises.  */
struct stage {
    int64_t failures; /* left */
    int64_t upper;
    double first_rise, rise;
    size_t deepest, reached; /* before and since the last rise */
};

/* Of a stage of the dive at hand.  */
static int64_t stage_failures(const struct section_dives *dives)
{
    return dives->kind.failures > 0 ? dives->kind.failures : DIVE_STAGE_FAILURES;
}

/* After a failure.  False when the dive is over.  */
static bool rise(struct section_dives *dives, struct stage *stage)
{
    struct section_light *light = &dives->light;
    int64_t step;

    stage->rise =
        stage->reached > stage->deepest ? stage->first_rise : stage->rise * DIVE_STAGE_GROWTH;
    stage->deepest = stage->reached > stage->deepest ? stage->reached : stage->deepest;
    stage->reached = 0;
    stage->failures = stage_failures(dives);
    step = max64(1, (int64_t)(stage->rise * (double)light->capacity));
    if (step >= stage->upper - light->capacity)
        step = stage->upper - 1 - light->capacity;
    if (step <= 0)
        return false;
    section_light_raise_capacity(light, light->capacity + step);
    return true;
}

/* Where choices have run out.  What is fixed may keep all from ending within a capacity: then a
 * higher one is the next stage, where otherwise a dive with other weights is.  */
static bool rise_from_nothing(struct section_dives *dives, struct stage *stage)
{
    const struct section_light *light = &dives->light;

    return light->classes->any_fixed && light->depth == 0 && rise(dives, stage);
}

bool section_dives_stage(struct section_dives *dives, int64_t capacity, int64_t upper,
                         struct section_dive kind)
{
    struct section_light *light = &dives->light;
    double first_rise = kind.rise > 0.0 ? kind.rise : DIVE_STAGE_RISE;
    struct stage stage = {.upper = upper, .first_rise = first_rise, .rise = first_rise};
    bool placed;

    begin(dives, true, capacity, kind);
    stage.failures = stage_failures(dives);
    while (!section_light_complete(light)) {
        size_t c;

        if (limit_reached(dives))
            return false;
        if (light->depth > stage.reached)
            stage.reached = light->depth;
        if (move(dives, &placed))
            continue;
        c = placed ? light->node[light->depth - 1].child : LIGHT_NONE;
        if (placed && !section_light_undo(light))
            return false;
        if (--stage.failures <= 0) {
            if (!rise(dives, &stage))
                return false;
            continue;
        }
        if (placed && postpone(light, c))
            continue;
        if (!backtrack(light) && !rise_from_nothing(dives, &stage))
            return false;
    }
    take_best(dives);
    return true;
}
