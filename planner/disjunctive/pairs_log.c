/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/disjunctive/pairs_log.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "planner/disjunctive/pairs_nogoods.h"

enum { MOST_NUMBERS = 9 };

void pairs_log_init(struct pairs_log *log, const struct instance *instance,
                    const struct proof_sink *sink)
{
    *log = (struct pairs_log){
        .sink = sink,
        .begin = sink->place(sink->context),
        .instance = instance,
        .capacity = -1,
    };
}

/* One that is not done is gone.  */
static void cut(struct pairs_log *log)
{
    const struct proof_sink *sink = log->sink;

    if (log->done)
        log->begin = sink->place(sink->context);
    else if (log->capacity >= 0 && !sink->cut(sink->context, log->begin))
        log->failed = true;
    log->done = false;
}

void pairs_log_clear(struct pairs_log *log)
{
    if (log->sink != NULL)
        cut(log);
    memory_free(log->step);
    memory_free(log->cycle);
}

static void put_line(struct pairs_log *log, enum certificate_word word, const int64_t *number,
                     size_t count)
{
    log->sink->line(log->sink->context, word, number, count);
}

/* --- numbers --- */

/* Buffer B of the problem as certificates count them.  */
static int64_t name_of(const struct pairs_log *log, size_t b)
{
    return 1 + (int64_t)(log->member != NULL ? log->member[b] : b);
}

/* Bound INDEX is one of x_b - x_a.  */
static void ends_of(const struct pairs_log *log, size_t index, int64_t *a, int64_t *b)
{
    const struct pairs_problem *problem = log->problem;
    bool turned = index % 2 == 1;
    int64_t low = 0, high;

    if (index < 2 * problem->n) {
        high = name_of(log, index / 2);
    } else {
        const struct pairs_pair *pair = &problem->pair[index / 2 - problem->n];

        low = name_of(log, pair->a);
        high = name_of(log, pair->b);
    }
    *a = turned ? high : low;
    *b = turned ? low : high;
}

static void put_literal(struct pairs_log *log, enum certificate_word word,
                        const struct pairs_literal *literal)
{
    int64_t number[3] = {0, 0, literal->least};

    ends_of(log, literal->index, &number[0], &number[1]);
    put_line(log, word, number, word == CERTIFICATE_IF ? 3 : 2);
}

/* --- steps --- */

/* Of two bounds the one ends where the other begins, and together they are bound INDEX.  */
static void put_sum(struct pairs_log *log, const struct pairs_log_step *step)
{
    int64_t number[3], from, to, middle, last;

    ends_of(log, step->index, &number[0], &number[2]);
    ends_of(log, step->reason.first, &from, &middle);
    ends_of(log, step->reason.second, &to, &last);
    number[1] = from == number[0] && middle == to && last == number[2] ? middle : last;
    put_line(log, CERTIFICATE_SUM, number, 3);
}

/* Adds task T as a stretch.  */
static size_t add_task(const struct pairs_log *log, size_t t, int64_t *number, size_t count)
{
    const struct pairs_task *task = &log->problem->task[t];

    number[count] = name_of(log, task->buffer);
    number[count + 1] = task->lo;
    number[count + 2] = task->hi;
    return count + 3;
}

/* FROM and TO are seen from the side of the reason.  */
static void put_window(struct pairs_log *log, const struct pairs_reason *reason)
{
    bool down = reason->side == 1;
    int64_t number[MOST_NUMBERS] = {log->problem->step[reason->second]};
    size_t count = 3;
    enum certificate_word word;

    number[1] = down ? -reason->to : reason->from;
    number[2] = down ? -reason->from : reason->to;
    switch (reason->rule) {
    case PAIRS_OVERLOAD:
        word = CERTIFICATE_OVERLOAD;
        break;
    case PAIRS_EDGE:
        word = down ? CERTIFICATE_BELOW : CERTIFICATE_ABOVE;
        count = add_task(log, reason->first, number, count);
        count = add_task(log, reason->third, number, count);
        break;
    case PAIRS_PILE:
        word = down ? CERTIFICATE_HANG : CERTIFICATE_PILE;
        number[1] = down ? -reason->from : reason->from;
        count = add_task(log, reason->first, number, 2);
        break;
    default:
        word = down ? CERTIFICATE_NOT_HIGH : CERTIFICATE_NOT_LOW;
        count = add_task(log, reason->first, number, count);
    }
    put_line(log, word, number, count);
}

static void put_step(struct pairs_log *log, const struct pairs_log_step *step)
{
    const struct pairs_reason *reason = &step->reason;
    int64_t name = (int64_t)reason->first;

    switch (reason->rule) {
    case PAIRS_CHOICE: /* a literal, or what a single one in a nogood denies */
        return;
    case PAIRS_SUM:
        put_sum(log, step);
        return;
    case PAIRS_CLAUSE:
        put_line(log, CERTIFICATE_USE, &name, 1);
        return;
    case PAIRS_CYCLE:
        put_line(log, CERTIFICATE_CYCLE, log->cycle, log->cycles);
        return;
    default:
        put_window(log, reason);
    }
}

/* The buffers of the cycle of differences at bound FIRST, each ahead of the one before.  */
static void find_cycle(struct pairs_log *log, const struct pairs_bounds *bounds, size_t first)
{
    size_t index = first;

    log->cycles = 0;
    do {
        log->cycle = memory_grow(log->cycle, &log->cycle_room, log->cycles + 1, sizeof *log->cycle);
        log->cycle[log->cycles++] = name_of(log, index / 2);
        index = bounds->rise[bounds->last[index]].reason.first;
    } while (index != first);
    for (size_t i = 0; first % 2 == 0 && i < log->cycles / 2; i++) {
        int64_t other = log->cycle[i];

        log->cycle[i] = log->cycle[log->cycles - 1 - i];
        log->cycle[log->cycles - 1 - i] = other;
    }
}

/* As it was used, not as it is explained: bound INDEX rose to NOW.  */
static struct pairs_log_step step_of(struct pairs_log *log, const struct pairs_bounds *bounds,
                                     const struct pairs_nogoods *nogoods,
                                     const struct pairs_reason *reason, size_t index, int64_t now)
{
    struct pairs_log_step step = {*reason, index};

    if (reason->rule == PAIRS_CLAUSE)
        step.reason.first = nogoods->nogood[reason->first].name;
    if (reason->rule == PAIRS_CYCLE)
        find_cycle(log, bounds, reason->first);
    if (reason->rule == PAIRS_NOT_FIRST)
        step.reason.from = pairs_bounds_weakest(bounds, index, now) +
                           pairs_task_lo(&log->problem->task[reason->first], reason->side);
    return step;
}

/* --- the log --- */

/* The steps at which anything of the problem is alive.  */
static struct certificate_scope scope_of(const struct pairs_log *log, int64_t capacity)
{
    const struct pairs_problem *problem = log->problem;
    struct certificate_scope scope = {.begin = INT64_MAX, .end = INT64_MIN, .unit = problem->unit};

    scope.capacity = capacity * problem->unit + (problem->unit - 1);
    for (size_t b = 0; b < problem->n; b++) {
        const struct buffer *buffer = &log->instance->buffer[name_of(log, b) - 1];

        scope.begin = min64(scope.begin, buffer->begin);
        scope.end = max64(scope.end, buffer->end);
    }
    return scope;
}

/* Where the buffers lie that are fixed.  */
static void put_fixed(struct pairs_log *log)
{
    const struct pairs_problem *problem = log->problem;

    for (size_t b = 0; b < problem->n; b++) {
        const int64_t number[] = {name_of(log, b), problem->fixed[b]};

        if (problem->fixed[b] >= 0)
            put_line(log, CERTIFICATE_FIXED, number, 2);
    }
}

void pairs_log_begin(struct pairs_log *log, const struct pairs_problem *problem, int64_t capacity)
{
    struct certificate_scope scope;

    cut(log);
    log->problem = problem;
    scope = scope_of(log, capacity);
    log->capacity = scope.capacity;
    log->named = log->steps = 0;
    log->sink->begin(log->sink->context, &scope);
    put_fixed(log);
}

void pairs_log_assume(struct pairs_log *log, const struct pairs_literal *literal, bool twins)
{
    put_literal(log, twins ? CERTIFICATE_TWINS : CERTIFICATE_MIRROR, literal);
}

void pairs_log_root(struct pairs_log *log, const struct pairs_bounds *bounds,
                    const struct pairs_nogoods *nogoods)
{
    for (size_t r = 0; r < bounds->rises; r++) {
        const struct pairs_rise *rise = &bounds->rise[r];
        struct pairs_log_step step =
            step_of(log, bounds, nogoods, &rise->reason, rise->index, rise->now);

        put_step(log, &step);
    }
}

void pairs_log_trace(struct pairs_log *log)
{
    log->steps = 0;
}

void pairs_log_reason(struct pairs_log *log, const struct pairs_bounds *bounds,
                      const struct pairs_nogoods *nogoods, const struct pairs_reason *reason,
                      size_t index, int64_t from, int64_t to)
{
    struct pairs_log_step *step;

    log->step = memory_grow(log->step, &log->step_room, log->steps + 1, sizeof *log->step);
    step = &log->step[log->steps++];
    *step = (struct pairs_log_step){*reason, index};
    switch (reason->rule) {
    case PAIRS_CLAUSE:
        step->reason.first = nogoods->nogood[reason->first].name;
        break;
    case PAIRS_CYCLE:
        find_cycle(log, bounds, reason->first);
        break;
    default:
        step->reason.from = from;
        step->reason.to = to;
    }
}

/* The steps of the conflict, in the order in which they hold.  */
static void put_steps(struct pairs_log *log)
{
    for (size_t i = log->steps; i-- > 0;)
        put_step(log, &log->step[i]);
}

size_t pairs_log_learned(struct pairs_log *log, const struct pairs_literals *literals)
{
    put_line(log, CERTIFICATE_NOGOOD, NULL, 0);
    for (size_t i = 0; i < literals->n; i++)
        put_literal(log, CERTIFICATE_IF, &literals->literal[i]);
    put_steps(log);
    put_line(log, CERTIFICATE_LEARNED, NULL, 0);
    return ++log->named;
}

void pairs_log_forget(struct pairs_log *log, size_t name)
{
    const int64_t number = (int64_t)name;

    put_line(log, CERTIFICATE_FORGET, &number, 1);
}

void pairs_log_refuted(struct pairs_log *log, const struct pairs_bounds *bounds,
                       const struct pairs_nogoods *nogoods)
{
    if (bounds == NULL) {
        put_steps(log);
    } else {
        struct pairs_log_step step;

        pairs_log_root(log, bounds, nogoods);
        step = step_of(log, bounds, nogoods, &bounds->reason, bounds->clash.index,
                       bounds->clash.least);
        put_step(log, &step);
    }
    log->sink->end(log->sink->context);
    log->done = !log->failed;
}
