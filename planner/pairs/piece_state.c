#include <config.h>

#include "planner/pairs/piece_state.h"

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"

/* Weights are scaled down when the increment gets here.  */
#define LARGEST_INCREMENT 1e100
#define INCREMENT_GROWTH 1.05

void piece_state_init(struct piece_state *state, const struct piece_problem *problem)
{
    size_t n = problem->n, pairs = problem->pairs;

    *state = (struct piece_state){
        .problem = problem,
        .value = memory_alloc(2 * (n + pairs), sizeof *state->value),
        .queue = memory_alloc(n + 1, sizeof *state->queue),
        .queued = memory_zalloc(n, sizeof *state->queued),
        .dirty = memory_alloc(problem->sections, sizeof *state->dirty),
        .is_dirty = memory_zalloc(problem->sections, sizeof *state->is_dirty),
        .span = memory_alloc(problem->most_tasks, sizeof *state->span),
        .by_latest = memory_alloc(problem->most_tasks, sizeof *state->by_latest),
        .pair_weight = memory_alloc(pairs, sizeof *state->pair_weight),
        .buffer_weight = memory_alloc(n, sizeof *state->buffer_weight),
        .increment = 1.0,
        .raises = memory_zalloc(n, sizeof *state->raises),
        .raiser = memory_alloc(n, sizeof *state->raiser),
    };
    state->least = state->value;
    state->latest = state->least + n;
    state->difference = state->latest + n;
    state->most = state->difference + pairs;
    for (size_t p = 0; p < pairs; p++)
        state->pair_weight[p] = 1.0;
    for (size_t b = 0; b < n; b++) {
        state->buffer_weight[b] = 1.0;
        state->aligned = state->aligned || problem->alignment[b] > 1;
    }
}

void piece_state_clear(struct piece_state *state)
{
    free(state->value);
    free(state->trail);
    free(state->queue);
    free(state->queued);
    free(state->dirty);
    free(state->is_dirty);
    free(state->span);
    free(state->by_latest);
    free(state->pair_weight);
    free(state->buffer_weight);
    free(state->raises);
    free(state->raiser);
}

void piece_state_undo(struct piece_state *state, size_t mark)
{
    while (state->changes > mark) {
        const struct piece_change *change = &state->trail[--state->changes];

        state->value[change->index] = change->old;
    }
}

static void set(struct piece_state *state, int64_t *at, int64_t value)
{
    state->trail =
        memory_grow(state->trail, &state->trail_capacity, state->changes + 1, sizeof *state->trail);
    state->trail[state->changes++] = (struct piece_change){(size_t)(at - state->value), *at};
    *at = value;
}

/* --- conflicts --- */

static void grow_increment(struct piece_state *state)
{
    state->increment *= INCREMENT_GROWTH;
    if (state->increment < LARGEST_INCREMENT)
        return;
    state->increment = 1.0;
    for (size_t p = 0; p < state->problem->pairs; p++)
        state->pair_weight[p] = 1.0 + state->pair_weight[p] / LARGEST_INCREMENT;
    for (size_t b = 0; b < state->problem->n; b++)
        state->buffer_weight[b] = 1.0 + state->buffer_weight[b] / LARGEST_INCREMENT;
}

static bool fail_pair(struct piece_state *state, size_t p)
{
    state->conflict = (struct piece_conflict){SIZE_MAX, 0, 0};
    state->pair_weight[p] += state->increment;
    grow_increment(state);
    return false;
}

static bool fail_buffer(struct piece_state *state, size_t b)
{
    state->conflict = (struct piece_conflict){SIZE_MAX, 0, 0};
    state->buffer_weight[b] += state->increment;
    grow_increment(state);
    return false;
}

static bool fail_section(struct piece_state *state, size_t s, int64_t release, int64_t deadline,
                         size_t count)
{
    state->conflict = (struct piece_conflict){s, release, deadline};
    for (size_t i = 0; i < count; i++)
        if (state->span[i].least >= release && state->span[i].latest <= deadline)
            state->buffer_weight[state->span[i].buffer] += state->increment;
    grow_increment(state);
    return false;
}

/* --- starts --- */

static void touch(struct piece_state *state, size_t b)
{
    const struct piece_problem *problem = state->problem;

    if (!state->queued[b]) {
        state->queued[b] = true;
        state->queue[state->tail] = b;
        state->tail = state->tail == problem->n ? 0 : state->tail + 1;
    }
    for (size_t i = problem->first_section[b]; i < problem->first_section[b + 1]; i++) {
        size_t s = problem->section[i];

        if (!state->is_dirty[s]) {
            state->is_dirty[s] = true;
            state->dirty[state->dirties++] = s;
        }
    }
}

/* Without alignments, each buffer that stands on another by the pair that raised it last
 * starts at its start plus the difference, or earlier.  If the chain comes back, the sum
 * of the differences around is above 0, and starts would rise for ever.  */
static bool has_cycle(const struct piece_state *state, size_t b)
{
    size_t at = b;

    for (size_t steps = 0; steps <= state->problem->n; steps++) {
        const struct piece_pair *pair;

        if (state->raises[at] == 0 || state->raiser[at] == SIZE_MAX)
            return false;
        pair = &state->problem->pair[state->raiser[at]];
        at = pair->a == at ? pair->b : pair->a;
        if (at == b)
            return true;
    }
    return true; /* it runs into a cycle that B is not on */
}

/* PAIR: what raises it; SIZE_MAX: a section.  */
static bool raise_start(struct piece_state *state, size_t b, int64_t start, size_t pair)
{
    if (start <= state->least[b])
        return true;
    start = align_up(start, state->problem->alignment[b]);
    if (start > state->latest[b])
        return pair == SIZE_MAX ? fail_buffer(state, b) : fail_pair(state, pair);
    set(state, &state->least[b], start);
    state->raiser[b] = pair;
    touch(state, b);
    if (++state->raises[b] > state->problem->n && !state->aligned && has_cycle(state, b))
        return fail_pair(state, pair == SIZE_MAX ? 0 : pair);
    return true;
}

static bool lower_latest(struct piece_state *state, size_t b, int64_t start, size_t pair)
{
    if (start >= state->latest[b])
        return true;
    if (start < state->least[b])
        return pair == SIZE_MAX ? fail_buffer(state, b) : fail_pair(state, pair);
    start -= start % state->problem->alignment[b];
    if (start < state->least[b])
        return pair == SIZE_MAX ? fail_buffer(state, b) : fail_pair(state, pair);
    set(state, &state->latest[b], start);
    touch(state, b);
    return true;
}

/* --- differences --- */

static void tell(const struct piece_state *state, size_t pair, size_t gap, bool above)
{
    if (state->forced != NULL)
        state->forced(state->context, pair, gap, above);
}

/* Starts and difference of pair P from one another.  */
static bool revise(struct piece_state *state, size_t p)
{
    const struct piece_pair *pair = &state->problem->pair[p];
    const struct piece_gap *gap = state->problem->gap + pair->gap;
    size_t a = pair->a, b = pair->b;
    int64_t least = max64(state->difference[p], state->least[b] - state->latest[a]);
    int64_t most = min64(state->most[p], state->latest[b] - state->least[a]);

    for (size_t g = 0; g < pair->gaps; g++)
        if (least > gap[g].below && least < gap[g].above) {
            tell(state, p, pair->gap + g, true);
            least = gap[g].above;
        }
    if (least > most)
        return fail_pair(state, p);
    for (size_t g = pair->gaps; g-- > 0;)
        if (most > gap[g].below && most < gap[g].above) {
            tell(state, p, pair->gap + g, false);
            most = gap[g].below;
        }
    if (least > most)
        return fail_pair(state, p);
    if (least > state->difference[p])
        set(state, &state->difference[p], least);
    if (most < state->most[p])
        set(state, &state->most[p], most);
    return raise_start(state, b, state->least[a] + least, p) &&
           raise_start(state, a, state->least[b] - most, p) &&
           lower_latest(state, a, state->latest[b] - least, p) &&
           lower_latest(state, b, state->latest[a] + most, p);
}

/* --- sections --- */

/* Fills in the spans of section S and their order; returns their number.  */
static size_t collect(struct piece_state *state, size_t s)
{
    const struct piece_problem *problem = state->problem;
    size_t count = problem->start[s + 1] - problem->start[s];

    for (size_t i = 0; i < count; i++) {
        const struct piece_task *task = &problem->task[problem->start[s] + i];
        struct piece_reach *span = &state->span[i];
        size_t k = i;

        *span = (struct piece_reach){
            .buffer = task->buffer,
            .lo = task->lo,
            .hi = task->hi,
            .least = state->least[task->buffer] + task->lo,
            .latest = state->latest[task->buffer] + task->hi,
            .height = task->hi - task->lo,
        };
        for (; k > 0 && state->span[state->by_latest[k - 1]].latest > span->latest; k--)
            state->by_latest[k] = state->by_latest[k - 1];
        state->by_latest[k] = i;
    }
    return count;
}

static bool overload(struct piece_state *state, size_t s, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        int64_t release = state->span[k].least, sum = release;

        for (size_t i = 0; i < count; i++) {
            const struct piece_reach *span = &state->span[state->by_latest[i]];

            if (span->least < release)
                continue;
            sum += span->height;
            if (sum > span->latest)
                return fail_section(state, s, release, span->latest, count);
        }
    }
    return true;
}

static bool look_at_section(struct piece_state *state, size_t s)
{
    return overload(state, s, collect(state, s));
}

/* --- the fixpoint --- */

static void forget(struct piece_state *state)
{
    while (state->head != state->tail) {
        state->queued[state->queue[state->head]] = false;
        state->head = state->head == state->problem->n ? 0 : state->head + 1;
    }
    while (state->dirties > 0)
        state->is_dirty[state->dirty[--state->dirties]] = false;
}

static bool follow(struct piece_state *state)
{
    const struct piece_problem *problem = state->problem;

    for (;;) {
        if (state->head != state->tail) {
            size_t b = state->queue[state->head];

            state->head = state->head == problem->n ? 0 : state->head + 1;
            state->queued[b] = false;
            for (size_t i = problem->first[b]; i < problem->first[b + 1]; i++)
                if (!revise(state, problem->adjacent[i]))
                    return false;
        } else if (state->dirties > 0) {
            size_t s = state->dirty[--state->dirties];

            state->is_dirty[s] = false;
            if (!look_at_section(state, s))
                return false;
        } else {
            return true;
        }
    }
}

/* FROM is the trail before anything changed.  */
static bool propagate(struct piece_state *state, size_t from)
{
    bool open = follow(state);

    forget(state);
    for (size_t i = from; i < state->changes; i++)
        if (state->trail[i].index < state->problem->n)
            state->raises[state->trail[i].index] = 0;
    return open;
}

bool piece_state_reset(struct piece_state *state, int64_t capacity)
{
    const struct piece_problem *problem = state->problem;
    bool open = true;

    state->capacity = capacity;
    state->changes = 0;
    for (size_t b = 0; b < problem->n; b++) {
        int64_t latest = capacity - problem->size[b];

        if (latest < 0)
            return fail_buffer(state, b);
        state->least[b] = 0;
        state->latest[b] = latest - latest % problem->alignment[b];
    }
    for (size_t p = 0; p < problem->pairs; p++) {
        state->difference[p] = -capacity;
        state->most[p] = capacity;
    }
    for (size_t b = 0; b < problem->n; b++)
        touch(state, b);
    open = propagate(state, 0);
    state->changes = 0;
    return open;
}

bool piece_state_post(struct piece_state *state, size_t pair, size_t gap, bool above)
{
    const struct piece_gap *at = &state->problem->gap[gap];
    size_t mark = state->changes;
    bool open;

    if (above)
        set(state, &state->difference[pair], max64(at->above, state->difference[pair]));
    else
        set(state, &state->most[pair], min64(at->below, state->most[pair]));
    open = revise(state, pair);
    if (!open)
        forget(state);
    return propagate(state, mark) && open;
}
