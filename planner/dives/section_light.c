/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/dives/section_light.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/small_rng.h"
#include "lib/base/weights.h"
#include "planner/dives/dive_settings.h"

enum { MIN_LOG = 1024 };

/* START of a class or, with the bit, the top of a section.  */
#define CHANGE_TOP (UINT32_C(1) << 31)

struct light_change {
    int64_t value;  /* before */
    uint32_t index; /* class, or section and CHANGE_TOP */
};

void section_light_init(struct section_light *light, const struct section_classes *classes,
                        bool exact, size_t log_bytes, uint32_t seed)
{
    struct small_rng rng;

    *light = (struct section_light){
        .classes = classes,
        .exact = exact,
        .start = memory_alloc(classes->n, sizeof *light->start),
        .left = memory_alloc(classes->n, sizeof *light->left),
        .top = memory_alloc(classes->sections, sizeof *light->top),
        .rest = memory_alloc(classes->sections, sizeof *light->rest),
        .weight = memory_alloc(classes->sections, sizeof *light->weight),
        .urgency = memory_alloc(classes->sections, sizeof *light->urgency),
        .tight = memory_alloc(classes->sections, sizeof *light->tight),
        .least_tight =
            memory_zalloc(classes->sections / LIGHT_BLOCK + 1, sizeof *light->least_tight),
        .increment = 1.0,
        .settled = memory_zalloc(classes->sections, sizeof *light->settled),
        .below = memory_alloc(classes->sections + 1, sizeof *light->below),
        .postponed = memory_alloc(classes->n, sizeof *light->postponed),
        .was_postponed = memory_zalloc(classes->n, sizeof *light->was_postponed),
        .node = memory_alloc(classes->buffers, sizeof *light->node),
    };
    light->log_room = light->log_most = MIN_LOG;
    while (2 * light->log_most * sizeof *light->log <= log_bytes)
        light->log_most *= 2;
    light->log = memory_alloc(light->log_room, sizeof *light->log);
    small_rng_seed(&rng, seed);
    for (size_t s = 0; s < classes->sections; s++)
        light->weight[s] = 1.0 + DIVE_SHAKE * small_rng_unit(&rng);
    for (size_t c = 0; c < classes->n; c++)
        light->largest = max64(light->largest, max64(classes->size[c], classes->alignment[c]));
    section_counts_init(&light->counts, classes);
}

void section_light_clear(struct section_light *light)
{
    memory_free(light->start);
    memory_free(light->left);
    memory_free(light->top);
    memory_free(light->rest);
    memory_free(light->weight);
    memory_free(light->urgency);
    memory_free(light->tight);
    memory_free(light->least_tight);
    section_counts_clear(&light->counts);
    memory_free(light->settled);
    memory_free(light->below);
    memory_free(light->postponed);
    memory_free(light->was_postponed);
    memory_free(light->node);
    memory_free(light->log);
    *light = (struct section_light){0};
}

static inline void update_tight(struct section_light *light, size_t s)
{
    int64_t slack = light->capacity - light->top[s] - light->rest[s];
    double tight = light->rest[s] == 0 ? INFINITY : (double)(slack + 1) * light->urgency[s];

    light->tight[s] = tight;
    if (tight < light->least_tight[s / LIGHT_BLOCK])
        light->least_tight[s / LIGHT_BLOCK] = tight;
}

void section_light_reset(struct section_light *light, int64_t capacity)
{
    const struct section_classes *classes = light->classes;

    assert(capacity >= 0 && capacity <= LIGHT_PLACED / 2);
    light->capacity = capacity;
    light->depth = 0;
    light->log_end = light->log_from = 0;
    light->n_postponed = 0;
    memset(light->was_postponed, 0, classes->n * sizeof *light->was_postponed);
    memset(light->start, 0, classes->n * sizeof *light->start);
    memset(light->counts.start, 0, classes->n * sizeof *light->counts.start);
    for (size_t c = 0; c < classes->n && classes->any_fixed; c++) {
        light->start[c] = section_classes_next(classes, c, max64(0, classes->fixed[c]));
        light->counts.start[c] = (int32_t)min64(light->start[c], COUNTS_PLACED);
    }
    light->counts.stale = true;
    light->wide = max64(capacity, light->largest) > COUNTS_MOST;
    memcpy(light->left, classes->copies, classes->n * sizeof *light->left);
    memset(light->top, 0, classes->sections * sizeof *light->top);
    memcpy(light->rest, classes->total, classes->sections * sizeof *light->rest);
    for (size_t s = 0; s < classes->sections; s++) {
        light->urgency[s] = 1.0 / light->weight[s];
        update_tight(light, s);
    }
    CHECK_INVARIANT(section_light_check(light));
}

void section_light_prefer(struct section_light *light, size_t s, double factor)
{
    light->urgency[s] *= factor;
    update_tight(light, s);
}

/* --- changes --- */

/* Twice as long, each change at its place.  */
static void lengthen_log(struct section_light *light)
{
    size_t room = 2 * light->log_room;
    struct light_change *log = memory_alloc(room, sizeof *log);

    for (uint64_t i = light->log_from; i < light->log_end; i++)
        log[i & (room - 1)] = light->log[i & (light->log_room - 1)];
    memory_free(light->log);
    light->log = log;
    light->log_room = room;
}

/* The oldest one drops out of a full log that is as long as it may be.  */
static inline void record(struct section_light *light, uint32_t index, int64_t value)
{
    if (light->log_end - light->log_from >= light->log_room && light->log_room < light->log_most)
        lengthen_log(light);
    light->log[light->log_end++ & (light->log_room - 1)] = (struct light_change){value, index};
}

/* Whether the counts go along with what changes.  */
static inline bool counting(const struct section_light *light)
{
    return light->exact && !light->wide;
}

static inline void put_start(struct section_light *light, size_t c, int64_t start)
{
    light->start[c] = start;
    light->counts.start[c] = (int32_t)min64(start, COUNTS_PLACED);
}

static inline void set_start(struct section_light *light, size_t c, int64_t start)
{
    record(light, (uint32_t)c, light->start[c]);
    put_start(light, c, start);
}

/* Whether class C, which is fixed, can no longer start there.  */
static inline bool is_pushed(const struct section_light *light, size_t c)
{
    const struct section_classes *classes = light->classes;

    return classes->any_fixed && classes->fixed[c] >= 0 && light->start[c] > classes->fixed[c];
}

/* Class C starts at START or later; a failure is charged to section S.  */
static inline bool raise_start(struct section_light *light, size_t c, int64_t start, size_t s)
{
    if (light->start[c] >= start)
        return true;
    set_start(light, c, section_classes_next(light->classes, c, start));
    if (light->start[c] + light->classes->size[c] <= light->capacity && !is_pushed(light, c))
        return true;
    light->failed = s;
    return false;
}

bool section_light_postpone(struct section_light *light, size_t c, int64_t start)
{
    int32_t before;

    if (!light->was_postponed[c]) {
        light->was_postponed[c] = true;
        light->postponed[light->n_postponed++] = (uint32_t)c;
    }
    before = light->counts.start[c];
    if (!raise_start(light, c, start, light->classes->first[c]))
        return false;
    if (counting(light) && light->counts.start[c] != before)
        section_counts_moved(&light->counts, (uint32_t)c, before);
    CHECK_INVARIANT(section_light_check(light));
    return true;
}

/* Class C starts as early as what is placed below it allows.  */
static void let_fall(struct section_light *light, size_t c)
{
    const struct section_classes *classes = light->classes;
    int64_t floor = max64(0, classes->fixed[c]);

    for (size_t s = classes->first[c]; s <= classes->last[c]; s++)
        floor = max64(floor, light->top[s]);
    floor = section_classes_next(classes, c, floor);
    if (light->start[c] > floor)
        set_start(light, c, floor);
}

void section_light_raise_capacity(struct section_light *light, int64_t capacity)
{
    assert(capacity >= light->capacity);
    light->capacity = capacity;
    for (size_t s = 0; s < light->classes->sections; s++)
        update_tight(light, s);
    for (size_t s = 0; s < light->classes->sections; s++)
        light->settled[s].move = 0;
    light->counts.stale = true;
    light->wide = light->wide || capacity > COUNTS_MOST;
    for (size_t i = 0; i < light->n_postponed; i++)
        if (light->left[light->postponed[i]] > 0)
            let_fall(light, light->postponed[i]);
    CHECK_INVARIANT(section_light_check(light));
}

/* What a placement takes the limits of its sections from and to: the least before it, the greatest
 * after it.  */
struct lifted {
    int64_t least, most;
};

static inline bool raise_neighbour(struct section_light *light, size_t c, int64_t end,
                                   const struct lifted *lifted, size_t s)
{
    struct section_counts *counts = &light->counts;
    int64_t start = light->start[c];

    if (start == LIGHT_PLACED || (start >= end && (start <= lifted->least || start > lifted->most)))
        return true;
    counts->near[counts->n_near++] = (struct counts_near){(uint32_t)c, counts->start[c]};
    return raise_start(light, c, end, s);
}

/* All unplaced neighbours of C start at END or later.  */
static bool raise_neighbours(struct section_light *light, size_t c, int64_t end,
                             const struct lifted *lifted)
{
    const struct section_classes *classes = light->classes;
    size_t first = classes->first[c], last = classes->last[c];

    light->counts.n_near = 0;
    for (size_t i = classes->start[first]; i < classes->start[first + 1]; i++)
        if (!raise_neighbour(light, classes->member[i], end, lifted, first))
            return false;
    for (size_t d = classes->begin[first + 1]; d < classes->begin[last + 1]; d++)
        if (!raise_neighbour(light, d, end, lifted, classes->first[d]))
            return false;
    return true;
}

bool section_light_place(struct section_light *light, size_t c)
{
    const struct section_classes *classes = light->classes;
    int64_t start = light->start[c], end = start + classes->size[c];
    bool fits = !is_pushed(light, c), last_copy = light->left[c] == 1;
    struct lifted lifted = {INT64_MAX, 0};

    CHECK_INVARIANT(CHECK(light->left[c] > 0, "light engine", "what is placed is left"));
    light->node[light->depth++] = (struct light_node){light->log_end, light->counts.kept_end,
                                                      ++light->moves, start, (uint32_t)c};
    light->left[c]--;
    light->failed = classes->first[c];
    for (size_t s = classes->first[c]; s <= classes->last[c]; s++) {
        record(light, (uint32_t)s | CHANGE_TOP, light->top[s]);
        light->top[s] = end;
        lifted.least = min64(lifted.least, light->capacity - light->rest[s]);
        light->rest[s] -= classes->size[c];
        lifted.most = light->rest[s] == 0 ? LIGHT_PLACED
                                          : max64(lifted.most, light->capacity - light->rest[s]);
        if (!light->exact)
            update_tight(light, s);
        if (end + light->rest[s] > light->capacity) {
            light->failed = s;
            fits = false;
        }
    }
    if (last_copy)
        set_start(light, c, LIGHT_PLACED);
    if (!fits || !raise_neighbours(light, c, end, &lifted))
        return false;
    if (counting(light))
        section_counts_placed(&light->counts, (uint32_t)c, (int32_t)start, light->capacity,
                              light->rest);
    CHECK_INVARIANT(section_light_check(light));
    return true;
}

bool section_light_undo(struct section_light *light)
{
    const struct section_classes *classes = light->classes;
    struct light_node node = light->node[light->depth - 1];
    size_t c = node.child;

    /* Nothing shortens the log but what follows, so it is the longest since the last time.  */
    if (light->log_end > light->log_from + light->log_room)
        light->log_from = light->log_end - light->log_room;
    if (node.mark < light->log_from)
        return false;
    light->depth--;
    while (light->log_end > node.mark) {
        struct light_change change = light->log[--light->log_end & (light->log_room - 1)];

        if ((change.index & CHANGE_TOP) != 0) {
            light->top[change.index & ~CHANGE_TOP] = change.value;
        } else {
            put_start(light, change.index, change.value);
        }
    }
    for (size_t s = classes->first[c]; s <= classes->last[c]; s++) {
        light->rest[s] += classes->size[c];
        if (!light->exact)
            update_tight(light, s);
    }
    light->left[c]++;
    if (counting(light))
        section_counts_back(&light->counts, node.kept, node.child, light->capacity, light->rest);
    CHECK_INVARIANT(section_light_check(light));
    return true;
}

void section_light_punish(struct section_light *light, double factor)
{
    light->weight[light->failed] += light->increment;
    light->urgency[light->failed] = 1.0 / light->weight[light->failed];
    update_tight(light, light->failed);
    if (!weights_grow(&light->increment, factor))
        return;
    light->increment = weights_lower(light->increment);
    for (size_t s = 0; s < light->classes->sections; s++) {
        light->weight[s] = weights_lower(light->weight[s]);
        light->urgency[s] = 1.0 / light->weight[s];
        update_tight(light, s);
    }
}

/* --- looking --- */

static inline void look_at(const struct section_light *light, size_t c, size_t d,
                           struct light_neighbours *near)
{
    int64_t start = light->start[d], end = start + light->classes->size[d];

    if (d == c)
        return;
    near->least_start = min64(near->least_start, start);
    if (end < near->least_end) {
        near->least_end = end;
        near->lowest = d;
    }
}

struct light_neighbours section_light_neighbours(const struct section_light *light, size_t c)
{
    const struct section_classes *classes = light->classes;
    size_t first = classes->first[c], last = classes->last[c];
    struct light_neighbours near = {LIGHT_PLACED, LIGHT_PLACED, LIGHT_NONE};

    for (size_t i = classes->start[first]; i < classes->start[first + 1]; i++)
        look_at(light, c, classes->member[i], &near);
    for (size_t d = classes->begin[first + 1]; d < classes->begin[last + 1]; d++)
        look_at(light, c, d, &near);
    return near;
}

struct light_view section_light_view(const struct section_light *light, size_t s)
{
    const struct section_classes *classes = light->classes;
    int64_t limit = light->capacity - light->rest[s];
    struct light_view view = {LIGHT_PLACED, LIGHT_PLACED, 0};

    for (size_t i = classes->start[s]; i < classes->start[s + 1]; i++) {
        size_t c = classes->member[i];
        int64_t start = light->start[c];

        view.least_start = min64(view.least_start, start);
        view.least_end = min64(view.least_end, start + classes->size[c]);
        view.candidates += start <= limit;
    }
    return view;
}

static void refresh(struct section_light *light)
{
    if (light->wide)
        for (size_t s = 0; s < light->classes->sections; s++)
            light->counts.candidates[s] =
                light->rest[s] == 0 ? 1 : (int32_t)section_light_view(light, s).candidates;
    else if (light->counts.stale)
        section_counts_anew(&light->counts, light->capacity, light->rest);
}

static bool is_settled(const struct section_light *light, const struct light_settled *settled)
{
    return settled->move > 0 && settled->depth <= light->depth &&
           settled->move == light->node[settled->depth - 1].move &&
           settled->end == light->start[settled->class] + light->classes->size[settled->class];
}

/* Section S has one candidate, or had.  */
static bool raise_others(struct section_light *light, size_t s, bool *raised)
{
    const struct section_classes *classes = light->classes;
    const uint32_t *from = classes->member + classes->start[s],
                   *to = classes->member + classes->start[s + 1];
    int64_t limit = light->capacity - light->rest[s], end;
    const uint32_t *only = from;

    while (only < to && light->start[*only] > limit)
        only++;
    /* Wide counts are those of before the pass, which may have raised the candidate since.  */
    if (only == to) {
        light->failed = s;
        return false;
    }
    end = light->start[*only] + classes->size[*only];
    /* The others start above the limit anyway.  */
    for (const uint32_t *c = from; c < to && end > limit + 1; c++)
        if (c != only && light->start[*c] < end) {
            *raised = true;
            if (!section_light_postpone(light, *c, end)) {
                light->failed = s;
                return false;
            }
        }
    if (light->depth > 0)
        light->settled[s] = (struct light_settled){light->node[light->depth - 1].move, end,
                                                   (uint32_t)light->depth, *only};
    return true;
}

bool section_light_infer(struct section_light *light)
{
    const struct section_counts *counts = &light->counts;

    for (bool raised = true; raised;) {
        raised = false;
        refresh(light);
        light->failed = section_counts_find(counts, 0, 0);
        if (light->failed != LIGHT_NONE)
            return false;
        for (size_t s = 0; (s = section_counts_find(counts, s, 1)) != LIGHT_NONE; s++)
            if (light->rest[s] > 0 && !is_settled(light, &light->settled[s]) &&
                !raise_others(light, s, &raised))
                return false;
    }
    return true;
}

int64_t section_light_least_end(const struct section_light *light)
{
    const struct section_classes *classes = light->classes;
    int64_t end = INT64_MAX;

    if (!light->wide)
        return section_counts_least_end(&light->counts);
    for (size_t c = 0; c < classes->n; c++)
        end = min64(end, light->start[c] + classes->size[c]);
    return end;
}

void section_light_below(struct section_light *light, int64_t end)
{
    const struct section_classes *classes = light->classes;

    if (!light->wide) {
        section_counts_below(&light->counts, (int32_t)min64(end, COUNTS_PLACED), light->below);
        return;
    }
    memset(light->below, 0, (classes->sections + 1) * sizeof *light->below);
    for (size_t s = 0; s < classes->sections; s++)
        for (size_t i = classes->start[s]; i < classes->start[s + 1]; i++)
            light->below[s] += light->start[classes->member[i]] < end;
}

int64_t section_light_peak(const struct section_light *light)
{
    int64_t peak = 0;

    for (size_t i = 0; i < light->depth; i++)
        peak = max64(peak, light->node[i].start + light->classes->size[light->node[i].child]);
    return peak;
}
