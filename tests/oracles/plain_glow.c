/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/oracles/plain_planners.h"
#include "tests/oracles/plain_shipped.h"

struct trace {
    size_t n;
    int64_t *size;       /* rounded */
    size_t *begin, *end; /* numbers of events */
    int64_t *live;       /* after each event, of those that are not placed */
    bool *placed;
};

static void number_events(const struct instance *instance, struct trace *trace)
{
    size_t n = instance->n, times, events = 0;
    int64_t *time = plain_times(instance, &times);

    for (size_t t = 0; t < times; t++) {
        for (size_t b = 0; b < n; b++)
            if (instance->buffer[b].end == time[t])
                trace->end[b] = events++;
        for (size_t b = 0; b < n; b++)
            if (instance->buffer[b].begin == time[t])
                trace->begin[b] = events++;
    }
    free(time);
}

static bool lives_after(const struct trace *trace, size_t b, size_t event)
{
    return trace->begin[b] <= event && event < trace->end[b];
}

/* Counts buffer B, or takes it out again.  */
static void count(struct trace *trace, size_t b, int64_t bytes)
{
    for (size_t e = trace->begin[b]; e < trace->end[b]; e++)
        trace->live[e] += bytes;
}

static bool goes_before(const struct trace *trace, int strategy, size_t a, size_t b)
{
    size_t life = trace->end[a] - trace->begin[a], other = trace->end[b] - trace->begin[b];

    if (strategy == 1 && trace->size[a] != trace->size[b])
        return trace->size[a] > trace->size[b];
    if (strategy < 3 && life != other)
        return life > other;
    if (strategy == 2 && trace->size[a] != trace->size[b])
        return trace->size[a] > trace->size[b];
    return trace->begin[a] < trace->begin[b];
}

static size_t next(const struct trace *trace, int strategy)
{
    size_t event = 0, best = SIZE_MAX;

    for (size_t e = 1; e < 2 * trace->n; e++)
        if (trace->live[e] > trace->live[event])
            event = e;
    for (size_t b = 0; b < trace->n; b++)
        if (!trace->placed[b] && (strategy == 3 || lives_after(trace, b, event)) &&
            (best == SIZE_MAX || goes_before(trace, strategy, b, best)))
            best = b;
    return best;
}

/* Whether buffer B does not overlap what is placed.  */
static bool is_free(const struct trace *trace, const struct plan *plan, size_t b, int64_t offset)
{
    for (size_t other = 0; other < trace->n; other++)
        if (trace->placed[other] && trace->begin[other] < trace->end[b] &&
            trace->begin[b] < trace->end[other] && plan->offset[other] < offset + trace->size[b] &&
            offset < plan->offset[other] + trace->size[other])
            return false;
    return true;
}

static int64_t lowest(const struct trace *trace, const struct plan *plan, size_t b)
{
    int64_t least = is_free(trace, plan, b, 0) ? 0 : INT64_MAX;

    for (size_t other = 0; other < trace->n; other++) {
        int64_t top = plan->offset[other] + trace->size[other];

        if (trace->placed[other] && top < least && is_free(trace, plan, b, top))
            least = top;
    }
    return least;
}

/* Returns the total; *BOUND: the most bytes that live after an event.  */
static int64_t place(struct trace *trace, int strategy, struct plan *plan, int64_t *bound)
{
    int64_t total = 0;

    *bound = 0;
    for (size_t e = 0; e < 2 * trace->n; e++)
        trace->live[e] = 0;
    for (size_t b = 0; b < trace->n; b++) {
        trace->placed[b] = false;
        count(trace, b, trace->size[b]);
    }
    for (size_t e = 0; e < 2 * trace->n; e++)
        *bound = max64(*bound, trace->live[e]);
    for (size_t i = 0; i < trace->n; i++) {
        size_t b = next(trace, strategy);

        plan->offset[b] = lowest(trace, plan, b);
        trace->placed[b] = true;
        count(trace, b, -trace->size[b]);
        total = max64(total, plan->offset[b] + trace->size[b]);
    }
    return total;
}

void plain_glow(const struct instance *instance, struct plan *plan)
{
    size_t n = instance->n;
    struct trace trace = {n,
                          memory_alloc(n, sizeof(int64_t)),
                          memory_alloc(n, sizeof(size_t)),
                          memory_alloc(n, sizeof(size_t)),
                          memory_alloc(2 * n, sizeof(int64_t)),
                          memory_alloc(n, sizeof(bool))};
    struct plan *trial = plan_new(instance);
    int64_t bound = 0, least = INT64_MAX;

    number_events(instance, &trace);
    for (size_t b = 0; b < n; b++)
        trace.size[b] = align_up(instance->buffer[b].size, instance->max_alignment);
    for (int strategy = 1; strategy <= 3 && least != bound; strategy++) {
        int64_t total = place(&trace, strategy, trial, &bound);

        if (total < least)
            plan_copy(plan, trial);
        least = min64(least, total);
    }
    plan->peak = plan_peak(instance, plan);
    plan_free(trial);
    free(trace.size);
    free(trace.begin);
    free(trace.end);
    free(trace.live);
    free(trace.placed);
}
