/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/dives/shape_dives.h"

#include <math.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/small_rng.h"
#include "lib/base/timer.h"
#include "lib/base/weights.h"
#include "lib/problem/search_statistics.h"
#include "planner/dives/dive_settings.h"

#define NONE SIZE_MAX

/* A start of a buffer.  */
struct shape_change {
    int64_t before;
    uint32_t buffer;
};

struct shape_node {
    size_t changes; /* before it */
    uint32_t buffer;
};

void shape_dives_init(struct shape_dives *dives, const struct shape_sections *shapes, uint32_t seed)
{
    *dives = (struct shape_dives){
        .shapes = shapes,
        .start = memory_alloc(shapes->n, sizeof *dives->start),
        .placed = memory_alloc(shapes->n, sizeof *dives->placed),
        .rest = memory_alloc(shapes->sections, sizeof *dives->rest),
        .weight = memory_alloc(shapes->sections, sizeof *dives->weight),
        .increment = 1.0,
        .tight = memory_alloc(shapes->sections, sizeof *dives->tight),
        .postponed = memory_alloc(shapes->n, sizeof *dives->postponed),
        .was_postponed = memory_alloc(shapes->n, sizeof *dives->was_postponed),
        .node = memory_alloc(shapes->n, sizeof *dives->node),
        .node_end = INT64_MAX,
        .deadline = INFINITY,
    };
    small_rng_seed(&dives->rng, seed);
    for (size_t s = 0; s < shapes->sections; s++)
        dives->weight[s] = 1.0;
}

void shape_dives_clear(struct shape_dives *dives)
{
    memory_free(dives->start);
    memory_free(dives->placed);
    memory_free(dives->rest);
    memory_free(dives->weight);
    memory_free(dives->tight);
    memory_free(dives->postponed);
    memory_free(dives->was_postponed);
    memory_free(dives->node);
    memory_free(dives->log);
}

void shape_dives_count(const struct shape_dives *dives, struct search_statistics *sum)
{
    search_statistics_add(sum, STATISTIC_DIVES, dives->dived);
    search_statistics_add(sum, STATISTIC_DIVE_PLACEMENTS, dives->nodes);
    search_statistics_add(sum, STATISTIC_DIVE_FAILURES, dives->failures);
}

/* --- the state --- */

/* All that is unplaced in section S lies above the lowest of it.  Returns what is left above that
 * for nothing, below 0: it does not fit.  */
static int64_t update_tight(struct shape_dives *dives, size_t s)
{
    const struct shape_sections *shapes = dives->shapes;
    int64_t least = INT64_MAX, slack;

    dives->tight[s] = INFINITY;
    if (dives->rest[s] == 0)
        return 0;
    for (size_t i = shapes->start[s]; i < shapes->start[s + 1]; i++) {
        const struct shape_part *member = &shapes->member[i];

        if (!dives->placed[member->other])
            least = min64(least, dives->start[member->other] + member->lo);
    }
    slack = dives->capacity - dives->rest[s] - least;
    dives->tight[s] = (double)max64(slack + 1, 0) / dives->weight[s];
    return slack;
}

static void record(struct shape_dives *dives, size_t b)
{
    dives->log =
        memory_grow(dives->log, &dives->log_capacity, dives->changes + 1, sizeof *dives->log);
    dives->log[dives->changes++] = (struct shape_change){dives->start[b], (uint32_t)b};
}

/* The first offset from START on at which B meets nothing that is placed.  */
static int64_t next_free(const struct shape_dives *dives, size_t b, int64_t start)
{
    const struct shape_sections *shapes = dives->shapes;
    bool moved = true;

    start = align_up(start, shapes->alignment[b]);
    while (moved) {
        moved = false;
        for (size_t i = shapes->beside[b]; i < shapes->beside[b + 1]; i++) {
            const struct shape_gap *gap = &shapes->gap[i];
            int64_t d = dives->start[gap->other] - start;

            if (d <= gap->below || d >= gap->above || !dives->placed[gap->other])
                continue;
            start = align_up(dives->start[gap->other] - gap->below, shapes->alignment[b]);
            moved = true;
        }
    }
    return start;
}

/* Buffer B starts at START or later, where it is free.  False when it can't.  */
static bool raise_start(struct shape_dives *dives, size_t b, int64_t start)
{
    const struct shape_sections *shapes = dives->shapes;

    record(dives, b);
    dives->start[b] = next_free(dives, b, start);
    if (dives->start[b] + shapes->size[b] <= dives->capacity)
        return true;
    dives->failed = shapes->part[shapes->first[b]].other;
    return false;
}

/* Places B at its least start; the others move to where they are free.  False when something does
 * not fit any more; it has to be undone in either case.  */
static bool place(struct shape_dives *dives, size_t b)
{
    const struct shape_sections *shapes = dives->shapes;
    int64_t start = dives->start[b];
    bool fits = true;

    dives->node[dives->depth++] = (struct shape_node){dives->changes, (uint32_t)b};
    dives->placed[b] = true;
    for (size_t i = shapes->beside[b]; i < shapes->beside[b + 1] && fits; i++) {
        const struct shape_gap *gap = &shapes->gap[i];
        int64_t d = dives->start[gap->other] - start;

        if (d > gap->below && d < gap->above && !dives->placed[gap->other])
            fits = raise_start(dives, gap->other, start + gap->above);
    }
    for (size_t i = shapes->first[b]; i < shapes->first[b + 1]; i++) {
        size_t s = shapes->part[i].other;

        dives->rest[s] -= shapes->part[i].size;
        if (update_tight(dives, s) < 0) {
            dives->failed = s;
            fits = false;
        }
    }
    return fits;
}

/* Takes back the last placement and all that was postponed since.  */
static void undo(struct shape_dives *dives)
{
    const struct shape_sections *shapes = dives->shapes;
    const struct shape_node node = dives->node[--dives->depth];

    while (dives->changes > node.changes) {
        const struct shape_change change = dives->log[--dives->changes];

        dives->start[change.buffer] = change.before;
    }
    dives->placed[node.buffer] = false;
    for (size_t i = shapes->first[node.buffer]; i < shapes->first[node.buffer + 1]; i++) {
        dives->rest[shapes->part[i].other] += shapes->part[i].size;
        update_tight(dives, shapes->part[i].other);
    }
}

/* The unplaced neighbours of B: above the one that lets it, B would start at NEXT; LOWEST could
 * lie below B, with the most room; some meet B where both are now (MEETS).  */
struct near {
    int64_t next; /* INT64_MAX: nowhere */
    size_t lowest;
    bool meets;
};

static struct near look_around(const struct shape_dives *dives, size_t b)
{
    const struct shape_sections *shapes = dives->shapes;
    struct near near = {INT64_MAX, NONE, false};
    int64_t own = dives->start[b], most = -1;

    for (size_t i = shapes->beside[b]; i < shapes->beside[b + 1]; i++) {
        const struct shape_gap *gap = &shapes->gap[i];
        int64_t room = own + gap->below - dives->start[gap->other];

        if (dives->placed[gap->other])
            continue;
        if (room < 0) {
            near.next = min64(near.next, own - room);
        } else if (room > most) {
            most = room;
            near.lowest = gap->other;
        }
        near.meets = near.meets || (room < 0 && dives->start[gap->other] < own + gap->above);
    }
    return near;
}

/* After the placement of B was taken back: it starts later.  False when that can't be, or when it
 * would only slide down again.  */
static bool postpone(struct shape_dives *dives, size_t b)
{
    struct near near = look_around(dives, b);

    if (!near.meets)
        return false;
    if (!dives->was_postponed[b]) {
        dives->was_postponed[b] = true;
        dives->postponed[dives->n_postponed++] = (uint32_t)b;
    }
    return raise_start(dives, b, near.next);
}

static void let_fall(struct shape_dives *dives, size_t b)
{
    record(dives, b);
    dives->start[b] = next_free(dives, b, 0);
}

/* Postponements were made because of the old capacity, so they are forgotten.  */
static void raise_capacity(struct shape_dives *dives, int64_t capacity)
{
    dives->capacity = capacity;
    for (size_t s = 0; s < dives->shapes->sections; s++)
        update_tight(dives, s);
    for (size_t i = 0; i < dives->n_postponed; i++)
        if (!dives->placed[dives->postponed[i]])
            let_fall(dives, dives->postponed[i]);
}

static void punish(struct shape_dives *dives)
{
    dives->weight[dives->failed] += dives->increment;
    update_tight(dives, dives->failed);
    if (!weights_grow(&dives->increment, DIVE_FAILURE_GROWTH))
        return;
    dives->increment = weights_lower(dives->increment);
    for (size_t s = 0; s < dives->shapes->sections; s++) {
        dives->weight[s] = weights_lower(dives->weight[s]);
        update_tight(dives, s);
    }
}

/* --- the choice of a section and of a member --- */

/* The sections that are tightest, in no order.  */
static size_t find_tightest(const struct shape_dives *dives, size_t looks, size_t *found)
{
    size_t count = 0, worst = 0;
    double limit = INFINITY;

    for (size_t s = 0; s < dives->shapes->sections; s++) {
        if (dives->tight[s] >= limit)
            continue;
        found[count < looks ? count++ : worst] = s;
        if (count < looks)
            continue;
        worst = 0;
        for (size_t i = 1; i < count; i++)
            if (dives->tight[found[i]] > dives->tight[found[worst]])
                worst = i;
        limit = dives->tight[found[worst]];
    }
    return count;
}

static size_t count_candidates(const struct shape_dives *dives, size_t s)
{
    const struct shape_sections *shapes = dives->shapes;
    int64_t limit = dives->capacity - dives->rest[s];
    size_t count = 0;

    for (size_t i = shapes->start[s]; i < shapes->start[s + 1]; i++) {
        const struct shape_part *member = &shapes->member[i];

        count += !dives->placed[member->other] && dives->start[member->other] + member->lo <= limit;
    }
    return count;
}

/* The member of section S that begins lowest there, or begins lowest in the guide; ties by
 * rank.  */
static size_t choose_member(const struct shape_dives *dives, size_t s, const int64_t *guide)
{
    const struct shape_sections *shapes = dives->shapes;
    const int64_t *at = guide != NULL ? guide : dives->start;
    int64_t limit = dives->capacity - dives->rest[s], best_key = 0;
    size_t best = NONE;

    for (size_t i = shapes->start[s]; i < shapes->start[s + 1]; i++) {
        size_t b = shapes->member[i].other;
        int64_t key = at[b] + shapes->member[i].lo;

        if (dives->placed[b] || dives->start[b] + shapes->member[i].lo > limit)
            continue;
        if (best == NONE || key < best_key ||
            (key == best_key && shapes->rank[b] < shapes->rank[best])) {
            best = b;
            best_key = key;
        }
    }
    return best;
}

/* NONE, with dives->failed, where a section has no candidate.  What would be left a hole below the
 * buffer that another one fits in gives way to it; with pieces this may go around, so it is
 * asked so often only.  */
static size_t choose(struct shape_dives *dives, const struct shape_dive *kind)
{
    size_t found[DIVE_MOST_LOOKS], best = NONE, b;
    size_t most = kind->looks < DIVE_MOST_LOOKS ? kind->looks : (size_t)DIVE_MOST_LOOKS;
    size_t count = find_tightest(dives, most, found);
    double best_score = INFINITY;

    for (size_t i = 0; i < count; i++) {
        size_t candidates = count_candidates(dives, found[i]);
        double score = ((double)candidates - DIVE_CANDIDATE_OFFSET) / dives->weight[found[i]];

        if (candidates == 0) {
            dives->failed = found[i];
            return NONE;
        }
        if (best == NONE || score < best_score) {
            best = found[i];
            best_score = score;
        }
    }
    b = choose_member(dives, best, kind->guide);
    for (size_t steps = 0; steps < DIVE_MOST_LOOKS; steps++) {
        size_t lower = look_around(dives, b).lowest;

        if (lower == NONE)
            break;
        b = lower;
    }
    return b;
}

/* --- dives --- */

/* What is fixed is there from the beginning, and what meets it starts where it does not.  The
 * capacity is no less than the ends of all that.  */
static void place_fixed(struct shape_dives *dives)
{
    const struct shape_sections *shapes = dives->shapes;

    if (shapes->n_fixed == 0)
        return;
    for (size_t b = 0; b < shapes->n; b++) {
        if (shapes->fixed[b] < 0)
            continue;
        dives->placed[b] = true;
        dives->start[b] = shapes->fixed[b];
        for (size_t i = shapes->first[b]; i < shapes->first[b + 1]; i++)
            dives->rest[shapes->part[i].other] -= shapes->part[i].size;
    }
    for (size_t b = 0; b < shapes->n; b++) {
        if (!dives->placed[b])
            dives->start[b] = next_free(dives, b, 0);
        dives->capacity = max64(dives->capacity, dives->start[b] + shapes->size[b]);
    }
}

static void begin(struct shape_dives *dives, int64_t capacity, const struct shape_dive *kind)
{
    const struct shape_sections *shapes = dives->shapes;
    double noise = kind->guide != NULL ? DIVE_GUIDED_NOISE : DIVE_SHAKE;

    dives->dived++;
    dives->capacity = capacity;
    dives->depth = dives->changes = dives->n_postponed = 0;
    memset(dives->start, 0, shapes->n * sizeof *dives->start);
    memset(dives->placed, 0, shapes->n * sizeof *dives->placed);
    memset(dives->was_postponed, 0, shapes->n * sizeof *dives->was_postponed);
    memcpy(dives->rest, shapes->total, shapes->sections * sizeof *dives->rest);
    place_fixed(dives);
    for (size_t s = 0; s < shapes->sections; s++) {
        dives->weight[s] *= 1.0 + noise * small_rng_unit(&dives->rng);
        update_tight(dives, s);
    }
}

/* Takes placements back until one can be postponed.  False: there is none.  */
static bool backtrack(struct shape_dives *dives)
{
    while (dives->depth > 0) {
        size_t b = dives->node[dives->depth - 1].buffer;

        undo(dives);
        if (postpone(dives, b))
            return true;
    }
    return false;
}

/* How a dive rises.  */
struct stage {
    int64_t failures; /* left */
    double rise;
    size_t deepest, reached; /* before and since the last rise */
};

/* False: the dive would be no better than UPPER.  */
static bool rise(struct shape_dives *dives, struct stage *stage, int64_t upper, int64_t failures)
{
    int64_t step;

    stage->rise =
        stage->reached > stage->deepest ? DIVE_STAGE_RISE : stage->rise * DIVE_STAGE_GROWTH;
    stage->deepest = stage->reached > stage->deepest ? stage->reached : stage->deepest;
    stage->reached = 0;
    stage->failures = failures;
    step = min64(max64(1, (int64_t)(stage->rise * (double)dives->capacity)),
                 upper - 1 - dives->capacity);
    if (step <= 0)
        return false;
    raise_capacity(dives, dives->capacity + step);
    return true;
}

/* After a failure, of a placement with PLACED.  False: the dive is over.  */
static bool go_back(struct shape_dives *dives, struct stage *stage, bool placed, int64_t upper,
                    int64_t failures)
{
    size_t b = placed ? dives->node[dives->depth - 1].buffer : NONE;

    dives->failures++;
    punish(dives);
    if (placed)
        undo(dives);
    if (--stage->failures <= 0)
        return rise(dives, stage, upper, failures);
    return (placed && postpone(dives, b)) || backtrack(dives) ||
           rise(dives, stage, upper, failures);
}

bool shape_dives_stage(struct shape_dives *dives, int64_t capacity, int64_t upper,
                       struct shape_dive kind)
{
    struct stage stage = {.failures = kind.failures, .rise = DIVE_STAGE_RISE};

    if (capacity >= upper)
        return false;
    begin(dives, capacity, &kind);
    if (dives->capacity >= upper) {
        dives->nodes++;
        return false;
    }
    while (dives->depth < dives->shapes->n - dives->shapes->n_fixed) {
        size_t b;
        bool open;

        if (dives->nodes >= dives->node_end ||
            (dives->nodes % DIVE_CLOCK_NODES == 0 && timer_now() >= dives->deadline))
            return false;
        stage.reached = dives->depth > stage.reached ? dives->depth : stage.reached;
        b = choose(dives, &kind);
        dives->nodes++; /* a look that fails costs as much */
        open = b != NONE && place(dives, b);
        if (!open && !go_back(dives, &stage, b != NONE, upper, kind.failures))
            return false;
    }
    return true;
}
