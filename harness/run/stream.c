/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/run/stream.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/io/process.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"

/* The trace: as many events from the beginning, and as many from the end.  */
enum { KEPT = 2048 };

struct slot {
    int64_t peak;
    enum layout layout;
    size_t objects;
    bool has_objects;
};

/* What stands before a store with release order is there for whoever reads
 * the stored value with acquire order.  */
struct stream {
    size_t n, bytes;
    _Atomic(int) state;
    enum outcome returned;
    double start, end;
    _Atomic(int64_t) bound, nodes;
    struct search_statistics statistics; /* read when the child has ended */
    char note[sizeof((struct plan *)0)->note];

    _Atomic(uint64_t) plans; /* complete ones; the last is in slot (plans - 1) % 2 */
    _Atomic(int64_t) peak;   /* of that one, for who reads while the child writes the next */
    struct slot slot[2];

    _Atomic(uint64_t) events;
    struct run_event event[2 * KEPT]; /* the first ones, then a ring */

    int64_t column[]; /* of each slot: n offsets, n objects, n sizes of objects */
};

struct stream *stream_new(size_t n)
{
    size_t bytes = sizeof(struct stream) + 6 * n * sizeof(int64_t);
    struct stream *stream = process_share(bytes);

    if (stream == NULL)
        return NULL;
    stream->n = n;
    stream->bytes = bytes;
    return stream;
}

void stream_free(struct stream *stream)
{
    if (stream != NULL)
        munmap(stream, stream->bytes);
}

/* --- the child's side --- */

static void add_event(struct stream *stream, enum run_event_kind kind, int64_t value)
{
    uint64_t count = atomic_load_explicit(&stream->events, memory_order_relaxed);
    uint64_t at = count < KEPT ? count : KEPT + (count - KEPT) % KEPT;

    stream->event[at] = (struct run_event){timer_now() - stream->start, kind, value};
    atomic_store_explicit(&stream->events, count + 1, memory_order_release);
}

void stream_start(struct stream *stream)
{
    stream->start = timer_now();
    atomic_store_explicit(&stream->state, STREAM_STARTED, memory_order_release);
}

static void write_slot(struct stream *stream, size_t index, const struct plan *plan)
{
    int64_t *column = stream->column + 3 * stream->n * index;
    bool has_objects = plan->object != NULL;

    stream->slot[index] = (struct slot){plan->peak, plan->layout, plan->objects, has_objects};
    memcpy(column, plan->offset, stream->n * sizeof *column);
    if (!has_objects)
        return;
    for (size_t b = 0; b < stream->n; b++)
        column[stream->n + b] = (int64_t)plan->object[b];
    memcpy(column + 2 * stream->n, plan->object_size, stream->n * sizeof *column);
}

void stream_incumbent(struct stream *stream, const struct plan *plan)
{
    uint64_t plans = atomic_load_explicit(&stream->plans, memory_order_relaxed);
    bool better = true;

    atomic_store_explicit(&stream->nodes, plan->nodes, memory_order_relaxed);
    stream_bound(stream, plan->lower_bound);
    if (plans > 0) {
        int64_t peak = stream->slot[(plans - 1) % 2].peak;

        if (plan->peak > peak)
            return;
        better = plan->peak < peak;
    }
    write_slot(stream, plans % 2, plan);
    atomic_store_explicit(&stream->peak, plan->peak, memory_order_relaxed);
    atomic_store_explicit(&stream->plans, plans + 1, memory_order_release);
    if (better)
        add_event(stream, RUN_INCUMBENT, plan->peak);
}

void stream_bound(struct stream *stream, int64_t lower_bound)
{
    if (lower_bound <= atomic_load_explicit(&stream->bound, memory_order_relaxed))
        return;
    atomic_store_explicit(&stream->bound, lower_bound, memory_order_relaxed);
    add_event(stream, RUN_BOUND, lower_bound);
}

struct search_statistics *stream_statistics(struct stream *stream)
{
    return &stream->statistics;
}

void stream_end(struct stream *stream, enum outcome returned, const struct plan *plan)
{
    /* A peak of 0 of some buffers is no plan: a solver that was cut before it
     * had one leaves it so.  Other outcomes claim to have one.  */
    bool claimed = returned == OUTCOME_OPTIMAL || returned == OUTCOME_FEASIBLE;

    stream->end = timer_now();
    stream->returned = returned;
    memcpy(stream->note, plan->note, sizeof stream->note);
    if (claimed || plan->peak != 0) {
        stream_incumbent(stream, plan);
    } else {
        atomic_store_explicit(&stream->nodes, plan->nodes, memory_order_relaxed);
        stream_bound(stream, plan->lower_bound);
    }
    atomic_store_explicit(&stream->state, STREAM_ENDED, memory_order_release);
}

/* --- the parent's side --- */

static enum stream_state state(const struct stream *stream)
{
    return (enum stream_state)atomic_load_explicit(&stream->state, memory_order_acquire);
}

double stream_started(const struct stream *stream)
{
    return state(stream) == STREAM_READY ? 0.0 : stream->start;
}

bool stream_progress(const struct stream *stream, int64_t *bound, int64_t *peak)
{
    bool has_plan = atomic_load_explicit(&stream->plans, memory_order_acquire) > 0;

    *bound = atomic_load_explicit(&stream->bound, memory_order_relaxed);
    *peak = atomic_load_explicit(&stream->peak, memory_order_relaxed);
    return has_plan;
}

void stream_report(const struct stream *stream, struct stream_report *report)
{
    *report = (struct stream_report){
        .state = state(stream),
        .start = stream_started(stream),
        .bound = atomic_load_explicit(&stream->bound, memory_order_acquire),
        .nodes = atomic_load_explicit(&stream->nodes, memory_order_acquire),
        .statistics = stream->statistics,
    };
    if (report->state != STREAM_ENDED)
        return;
    report->returned = stream->returned;
    report->end = stream->end;
    memcpy(report->note, stream->note, sizeof report->note);
    report->note[sizeof report->note - 1] = '\0';
}

/* Whatever the child has written, the plan read here is safe to judge: object
 * numbers and counts that can't be become ones that the verifier refuses.  */
static void read_objects(const struct stream *stream, const struct slot *slot,
                         const int64_t *column, struct plan *plan)
{
    plan_use_objects(plan, slot->layout);
    plan->objects = slot->objects <= stream->n ? slot->objects : 0;
    for (size_t b = 0; b < stream->n; b++) {
        int64_t object = column[stream->n + b];

        plan->object[b] = object < 0 ? SIZE_MAX : (size_t)object;
    }
    memcpy(plan->object_size, column + 2 * stream->n, stream->n * sizeof *column);
}

bool stream_plan(const struct stream *stream, struct plan *plan)
{
    uint64_t plans = atomic_load_explicit(&stream->plans, memory_order_acquire);
    size_t index = (plans - 1) % 2;
    const int64_t *column = stream->column + 3 * stream->n * index;

    if (plans == 0)
        return false;
    memcpy(plan->offset, column, stream->n * sizeof *column);
    plan->peak = stream->slot[index].peak;
    plan->layout = stream->slot[index].layout;
    if (stream->slot[index].has_objects)
        read_objects(stream, &stream->slot[index], column, plan);
    return true;
}

size_t stream_events(const struct stream *stream, struct run_event **event, bool *lost)
{
    uint64_t count = atomic_load_explicit(&stream->events, memory_order_acquire);
    size_t copied = count < 2 * KEPT ? count : KEPT;
    struct run_event *copy = memory_alloc(count < 2 * KEPT ? count : 2 * KEPT, sizeof *copy);

    memcpy(copy, stream->event, copied * sizeof *copy);
    /* The oldest of a full ring is left out: it may be half overwritten.  */
    if (count >= 2 * KEPT)
        for (uint64_t i = count - KEPT + 1; i < count; i++)
            copy[copied++] = stream->event[KEPT + (i - KEPT) % KEPT];
    *lost = copied < count;
    *event = copy;
    return copied;
}
