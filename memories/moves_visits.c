/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/base/timer.h"
#include "lib/problem/instance.h"
#include "memories/moves_place.h"

/* Accesses of one visit, but for those that begin or end with the buffer's life.  */
#define MOST_SPAN 16

#define BIT(m) ((uint32_t)1 << (m))

/* Buffer BUFFER is in MEMORY from access FIRST to access LAST.  */
struct visit {
    size_t buffer, memory, first, last, index;
    int64_t saving;
    double density; /* of the saving, for each byte and step */
    bool preferred, placed;
};

struct visiting {
    const struct moves_problem *problem;
    const struct split *split;
    const struct split_limits *limits;
    size_t *home; /* of each buffer */
    size_t count, room;
    struct visit *visit; /* by buffer */
    size_t *start;       /* of each buffer: its first one */
    struct placing placing;
    struct split places; /* of visits, then of homes in memories with a limit */
};

static const struct access *access_of(const struct visiting *visiting, size_t a)
{
    return &visiting->problem->accesses.access[a];
}

static bool is_first(const struct visiting *visiting, size_t b, size_t a)
{
    return a == visiting->problem->accesses.first[b];
}

static bool is_last(const struct visiting *visiting, size_t b, size_t a)
{
    return a + 1 == visiting->problem->accesses.first[b + 1];
}

/* --- which visits there can be --- */

/* The cheapest memory without a limit that buffer B may lie in; else that of the split.  */
static size_t home_of(const struct visiting *visiting, size_t b, enum visit_way way)
{
    const struct split_problem *split = visiting->problem->split;

    for (size_t i = 0; way != VISITS_BESIDE_SPLIT && i < split->memories; i++) {
        const size_t m = split->order[b * split->memories + i];

        if (split->memory[m].capacity == INT64_MAX && moves_allowed(visiting->problem, b, m))
            return m;
    }
    return visiting->split->memory[b];
}

/* Whether what buffer B has at home when a visit from FIRST to LAST ends is old, or was never
 * there.  */
static bool has_changed(const struct visiting *visiting, size_t b, size_t first, size_t last)
{
    for (size_t a = first; a <= last; a++)
        if (is_first(visiting, b, a) || access_of(visiting, a)->writes > 0)
            return true;
    return false;
}

static int64_t saving_of(const struct visiting *visiting, size_t b, size_t m, size_t first,
                         size_t last)
{
    const struct moves_problem *problem = visiting->problem;
    const size_t home = visiting->home[b];
    int64_t saving = 0;

    for (size_t a = first; a <= last; a++)
        saving += moves_access_cost(problem, a, home) - moves_access_cost(problem, a, m);
    if (!is_first(visiting, b, first))
        saving -= moves_copy_cost(problem, b, home, m);
    if (!is_last(visiting, b, last) && has_changed(visiting, b, first, last))
        saving -= moves_copy_cost(problem, b, m, home);
    return saving;
}

static struct move_stay stay_of(const struct visiting *visiting, const struct visit *visit)
{
    const struct buffer *buffer = &visiting->problem->split->instance->buffer[visit->buffer];
    const int64_t last = access_of(visiting, visit->last)->step + 1;

    return (struct move_stay){visit->buffer, visit->memory, access_of(visiting, visit->first)->step,
                              is_last(visiting, visit->buffer, visit->last) ? buffer->end : last,
                              0};
}

static void add_visit(struct visiting *visiting, size_t b, size_t m, size_t first, size_t last)
{
    struct visit visit = {.buffer = b,
                          .memory = m,
                          .first = first,
                          .last = last,
                          .index = visiting->count,
                          .saving = saving_of(visiting, b, m, first, last)};
    const struct move_stay stay = stay_of(visiting, &visit);

    if (visit.saving <= 0)
        return;
    visit.density = (double)visit.saving /
                    (double)visiting->problem->split->instance->buffer[b].size /
                    ((double)stay.end - (double)stay.begin);
    visiting->visit =
        memory_grow(visiting->visit, &visiting->room, visiting->count + 1, sizeof visit);
    visiting->visit[visiting->count++] = visit;
}

static void add_visits(struct visiting *visiting, size_t b)
{
    const struct moves_problem *problem = visiting->problem;
    const size_t from = problem->accesses.first[b], to = problem->accesses.first[b + 1];

    for (size_t m = 0; m < problem->split->memories; m++) {
        if (m == visiting->home[b] || !moves_allowed(problem, b, m) ||
            problem->split->memory[m].capacity == INT64_MAX)
            continue;
        for (size_t i = from; i < to; i++)
            for (size_t j = i; j < to; j++)
                if (j - i < MOST_SPAN || (i == from && j + 1 == to))
                    add_visit(visiting, b, m, i, j);
    }
}

/* --- furthest next use --- */

/* A buffer in the first memory, since access FIRST.  */
struct guest {
    size_t first, latest;
    bool in;
};

struct paging {
    struct visiting *visiting;
    struct guest *guest;   /* one a buffer */
    size_t *inside, count; /* those that are in */
    int64_t bytes;
};

static void prefer(const struct paging *paging, size_t b)
{
    struct visiting *visiting = paging->visiting;

    for (size_t v = visiting->start[b]; v < visiting->start[b + 1]; v++)
        if (visiting->visit[v].memory == 0 && visiting->visit[v].first == paging->guest[b].first &&
            visiting->visit[v].last == paging->guest[b].latest)
            visiting->visit[v].preferred = true;
}

static void leave(struct paging *paging, size_t i)
{
    const size_t b = paging->inside[i];

    prefer(paging, b);
    paging->guest[b].in = false;
    paging->bytes -= paging->visiting->problem->split->instance->buffer[b].size;
    paging->inside[i] = paging->inside[--paging->count];
}

/* Bytes times steps until the next use of buffer B, which is inside; -1: it is used at STEP.  */
static double distance(const struct paging *paging, size_t b, int64_t step)
{
    const struct visiting *visiting = paging->visiting;
    const struct buffer *buffer = &visiting->problem->split->instance->buffer[b];
    const size_t latest = paging->guest[b].latest;
    const int64_t next =
        is_last(visiting, b, latest) ? buffer->end : access_of(visiting, latest + 1)->step;

    if (access_of(visiting, latest)->step == step || next == step)
        return -1.0;
    return ((double)next - (double)step) * (double)buffer->size;
}

/* Until BYTES more have room; false where they can't.  */
static bool page_out(struct paging *paging, int64_t bytes, int64_t step)
{
    const int64_t room = memory_room(&paging->visiting->problem->split->memory[0]);

    while (paging->bytes > room - bytes) {
        size_t furthest = SIZE_MAX;
        double most = 0.0;

        for (size_t i = 0; i < paging->count; i++)
            if (distance(paging, paging->inside[i], step) > most) {
                most = distance(paging, paging->inside[i], step);
                furthest = i;
            }
        if (furthest == SIZE_MAX)
            return false;
        leave(paging, furthest);
    }
    return true;
}

/* Access A of buffer B.  */
static void page_in(struct paging *paging, size_t b, size_t a)
{
    const struct moves_problem *problem = paging->visiting->problem;
    const int64_t size = problem->split->instance->buffer[b].size;

    if (paging->guest[b].in) {
        paging->guest[b].latest = a;
        return;
    }
    if (paging->visiting->home[b] == 0 || !moves_allowed(problem, b, 0) ||
        !page_out(paging, size, access_of(paging->visiting, a)->step))
        return;
    paging->guest[b] = (struct guest){a, a, true};
    paging->inside[paging->count++] = b;
    paging->bytes += size;
}

/* Those whose life ends by STEP leave.  */
static void end_lives(struct paging *paging, int64_t step)
{
    for (size_t i = paging->count; i-- > 0;)
        if (paging->visiting->problem->split->instance->buffer[paging->inside[i]].end <= step)
            leave(paging, i);
}

struct event {
    int64_t step;
    size_t buffer, access;
};

static int compare_events(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    return ORDER(x->step, y->step) ?: ORDER(x->access, y->access);
}

static void prefer_next_use(struct visiting *visiting)
{
    const struct accesses *accesses = &visiting->problem->accesses;
    const size_t n = visiting->problem->split->instance->n;
    const size_t count = moves_accesses(visiting->problem);
    struct event *event = memory_alloc(count, sizeof *event);
    struct paging paging = {.visiting = visiting,
                            .guest = memory_zalloc(n, sizeof *paging.guest),
                            .inside = memory_alloc(n, sizeof *paging.inside)};

    for (size_t b = 0; b < n; b++)
        for (size_t a = accesses->first[b]; a < accesses->first[b + 1]; a++)
            event[a] = (struct event){accesses->access[a].step, b, a};
    sort_stable(event, count, sizeof *event, compare_events);
    for (size_t i = 0; i < count; i++) {
        end_lives(&paging, event[i].step);
        page_in(&paging, event[i].buffer, event[i].access);
    }
    end_lives(&paging, INT64_MAX);
    memory_free(paging.guest);
    memory_free(paging.inside);
    memory_free(event);
}

/* --- placing them --- */

/* Whether X and Y, two visits of one buffer, can't both be: they share an access, or are one
 * without a break.  */
static bool exclude(const struct visiting *visiting, const struct visit *x, const struct visit *y)
{
    const struct visit *early = x->first <= y->first ? x : y, *late = early == x ? y : x;

    return late->first <= early->last ||
           (late->first == early->last + 1 && early->memory == late->memory &&
            access_of(visiting, late->first)->step == access_of(visiting, early->last)->step + 1);
}

/* Puts VISIT in the place of those that it excludes, where it saves more than they do.  */
static void put_visit(struct visiting *visiting, struct visit *visit)
{
    const size_t from = visiting->start[visit->buffer], to = visiting->start[visit->buffer + 1];
    int64_t saved = 0;

    for (size_t v = from; v < to; v++)
        if (visiting->visit[v].placed && exclude(visiting, visit, &visiting->visit[v]))
            saved += visiting->visit[v].saving;
    if (visit->placed || visit->saving <= saved)
        return;
    for (size_t v = from; v < to; v++)
        if (visiting->visit[v].placed && exclude(visiting, visit, &visiting->visit[v]))
            placing_take(&visiting->placing, v);
    visit->placed = placing_put(&visiting->placing, visit->index, visit->memory, true);
    for (size_t v = from; v < to; v++) {
        struct visit *other = &visiting->visit[v];

        if (!other->placed || other == visit || !exclude(visiting, visit, other))
            continue;
        other->placed = !visit->placed && placing_put(&visiting->placing, v, other->memory, false);
    }
}

static int compare_density(const void *a, const void *b)
{
    const struct visit *x = a, *y = b;

    return ORDER(y->preferred, x->preferred) ?: ORDER(y->density, x->density) ?:
           ORDER(x->index, y->index);
}

static int compare_saving(const void *a, const void *b)
{
    const struct visit *x = a, *y = b;

    return ORDER(y->saving, x->saving) ?: ORDER(x->index, y->index);
}

static void put_visits(struct visiting *visiting)
{
    struct visit *sorted = memory_alloc(visiting->count, sizeof *sorted);

    for (int pass = 0; pass < 2; pass++) {
        for (size_t v = 0; v < visiting->count; v++)
            sorted[v] = visiting->visit[v];
        sort_stable(sorted, visiting->count, sizeof *sorted,
                    pass == 0 ? compare_density : compare_saving);
        for (size_t i = 0; i < visiting->count && timer_now() < visiting->limits->deadline; i++)
            put_visit(visiting, &visiting->visit[sorted[i].index]);
    }
    memory_free(sorted);
}

/* --- what comes out --- */

static void choose_visit(const struct visiting *visiting, const struct visit *visit,
                         struct move_choice *choice)
{
    const uint32_t home = BIT(visiting->home[visit->buffer]);
    const bool changed = has_changed(visiting, visit->buffer, visit->first, visit->last);

    for (size_t a = visit->first; a <= visit->last; a++) {
        choice->used[a] = visit->memory;
        choice->held[a] = BIT(visit->memory) | (changed ? 0 : home);
    }
    if (!is_last(visiting, visit->buffer, visit->last))
        choice->held[visit->last] = home;
    else
        choice->held[visit->last] = BIT(visit->memory);
}

/* Homes where nothing of a limit is known have no offset yet.  */
static void take_offsets(const struct visiting *visiting, struct move_plan *plan)
{
    for (size_t i = 0; i < plan->stays; i++) {
        struct move_stay *stay = &plan->stay[i];

        if (stay->memory == visiting->home[stay->buffer])
            stay->offset = visiting->places.offset[visiting->count + stay->buffer];
        for (size_t v = visiting->start[stay->buffer]; v < visiting->start[stay->buffer + 1]; v++) {
            const struct move_stay visit = stay_of(visiting, &visiting->visit[v]);

            if (visiting->visit[v].placed && visit.memory == stay->memory &&
                visit.begin <= stay->begin && visit.end >= stay->end)
                stay->offset = visiting->places.offset[v];
        }
    }
}

static void finish(const struct visiting *visiting, struct move_plan *plan)
{
    const struct moves_problem *problem = visiting->problem;
    const struct split_problem *split = problem->split;
    struct move_choice choice;
    struct move_plan made;
    bool good = true;

    move_choice_init(&choice, problem);
    for (size_t b = 0; b < split->instance->n; b++)
        for (size_t a = problem->accesses.first[b]; a < problem->accesses.first[b + 1]; a++) {
            choice.used[a] = visiting->home[b];
            choice.held[a] = BIT(visiting->home[b]);
        }
    for (size_t v = 0; v < visiting->count; v++)
        if (visiting->visit[v].placed)
            choose_visit(visiting, &visiting->visit[v], &choice);
    move_plan_init(&made, problem);
    move_plan_derive(&made, problem, &choice);
    take_offsets(visiting, &made);
    for (size_t m = 0; m < split->memories && made.cost < plan->cost; m++)
        if (split->memory[m].capacity == INT64_MAX)
            good = moves_place(problem, m, visiting->limits, &made) == PLACING_FITS && good;
    if (good && made.cost < plan->cost) {
        const struct move_plan worse = *plan;

        *plan = made;
        made = worse;
    }
    move_plan_clear(&made);
    move_choice_clear(&choice);
}

/* The places of all visits and homes, where nothing lies yet but homes that have a limit.  */
static bool begin_places(struct visiting *visiting, struct stay_problem *stays)
{
    const struct split_problem *split = visiting->problem->split;
    const size_t n = split->instance->n, count = visiting->count + n;
    struct move_stay *stay = memory_alloc(count, sizeof *stay);
    struct error error;
    bool good;

    for (size_t v = 0; v < visiting->count; v++)
        stay[v] = stay_of(visiting, &visiting->visit[v]);
    for (size_t b = 0; b < n; b++)
        stay[visiting->count + b] =
            (struct move_stay){b, visiting->home[b], split->instance->buffer[b].begin,
                               split->instance->buffer[b].end, 0};
    good = stay_problem_init(stays, visiting->problem, stay, count, &error);
    memory_free(stay);
    if (!good)
        return false;
    split_init(&visiting->places, &stays->split);
    for (size_t b = 0; b < n; b++)
        if (split->memory[visiting->home[b]].capacity < INT64_MAX) {
            visiting->places.memory[visiting->count + b] = visiting->home[b];
            visiting->places.offset[visiting->count + b] = visiting->split->offset[b];
        }
    placing_init(&visiting->placing, &stays->split, &visiting->places, visiting->limits->work,
                 visiting->limits->deadline);
    return true;
}

void moves_by_visits(const struct moves_problem *problem, const struct split *split,
                     enum visit_way way, const struct split_limits *limits, struct move_plan *plan)
{
    const size_t n = problem->split->instance->n;
    struct visiting visiting = {.problem = problem,
                                .split = split,
                                .limits = limits,
                                .home = memory_alloc(n, sizeof *visiting.home),
                                .start = memory_alloc(n + 1, sizeof *visiting.start)};
    struct stay_problem stays;

    for (size_t b = 0; b < n; b++) {
        visiting.home[b] = home_of(&visiting, b, way);
        visiting.start[b] = visiting.count;
        add_visits(&visiting, b);
    }
    visiting.start[n] = visiting.count;
    if (way == VISITS_BY_NEXT_USE)
        prefer_next_use(&visiting);
    if (begin_places(&visiting, &stays)) {
        put_visits(&visiting);
        finish(&visiting, plan);
        placing_clear(&visiting.placing);
        split_clear(&visiting.places);
        stay_problem_clear(&stays);
    }
    memory_free(visiting.home);
    memory_free(visiting.start);
    memory_free(visiting.visit);
}
