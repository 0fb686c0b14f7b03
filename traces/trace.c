/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "traces/trace.h"

#include <inttypes.h>

#include "lib/base/bisect.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "traces/formats.h"

struct trace *trace_read(FILE *in, const char *path, struct error *error)
{
    struct recorder *recorder = recorder_new(path);
    const int first = getc(in);
    bool good;

    ungetc(first, in); /* of EOF it does nothing */
    if (first == '{' || first == '[')
        good = trace_read_json(recorder, in, path, error);
    else if (first == '=' || first == '@' || first == '+' || first == '-')
        good = trace_read_mtrace(recorder, in, path, error);
    else
        good = trace_read_csv(recorder, in, path, error);
    if (good)
        return recorder_finish(recorder);
    recorder_free(recorder);
    return NULL;
}

/* The blocks are named by the event that begins them, those of before by their number there.  */
struct instance *trace_instance(const struct trace *trace, size_t pool, struct error *error)
{
    const struct trace_pool *from = &trace->pool[pool];
    char *name = trace->n_pools == 1 ? memory_strdup(trace->name)
                                     : memory_printf("%s %s", trace->name, from->name);
    struct instance *instance = instance_new(name);
    char id[32];

    for (size_t b = 0; b < from->n; b++) {
        const struct trace_block *block = &from->block[b];

        if (block->begin == 0)
            snprintf(id, sizeof id, "before%zu", b + 1);
        else
            snprintf(id, sizeof id, "event%" PRId64, block->begin);
        instance_add(instance, id, block->begin, block->end, block->size, 1);
    }
    if (!instance_seal(instance, NULL, error)) {
        error_prefix(error, "%s", name);
        instance_free(instance);
        instance = NULL;
    }
    memory_free(name);
    return instance;
}

/* The stretch of addresses that has BLOCK.  */
static size_t stretch_of(const struct trace_pool *pool, const struct trace_block *block)
{
    return BISECT(i, 0, pool->n_used, pool->used[i].last < block->address);
}

struct plan *trace_plan(const struct trace *trace, size_t pool, const struct instance *instance,
                        bool closed, struct error *error)
{
    const struct trace_pool *from = &trace->pool[pool];
    struct plan *plan = plan_new(instance);
    uint64_t *start = memory_alloc(from->n_used, sizeof *start), next = 0;
    bool fits = true;

    for (size_t i = 0; i < from->n_used; i++) {
        start[i] = closed ? next : from->used[i].low - from->used[0].low;
        next = start[i] + (from->used[i].last - from->used[i].low) + 1;
        fits = fits && next >= start[i] && next <= INT64_MAX;
    }
    for (size_t b = 0; fits && b < from->n; b++) {
        const size_t i = stretch_of(from, &from->block[b]);

        plan->offset[b] = (int64_t)(start[i] + (from->block[b].address - from->used[i].low));
    }
    memory_free(start);
    if (fits) {
        plan->peak = plan_peak(instance, plan);
        return plan;
    }
    error_set(error, "%s: the addresses are further apart than 63 bits", instance->name);
    plan_free(plan);
    return NULL;
}

/* --- samples --- */

static void add_change(struct ranges *live, const struct trace_block *block, int64_t offset,
                       bool begins, int64_t *alive)
{
    const uint64_t low = (uint64_t)offset;

    if (begins)
        ranges_add(live, (struct range){low, low + (uint64_t)block->size - 1, 0});
    else
        ranges_remove(live, low);
    *alive += begins ? block->size : -block->size;
}

/* Which block ends at each event, SIZE_MAX: none.  */
static size_t *ends_of(const struct trace *trace, const struct trace_pool *pool)
{
    size_t *end = memory_alloc((size_t)trace->events + 2, sizeof *end);

    for (int64_t e = 0; e < trace->events + 2; e++)
        end[e] = SIZE_MAX;
    for (size_t b = 0; b < pool->n; b++)
        end[pool->block[b].end] = b;
    return end;
}

struct trace_sample *trace_samples(const struct trace *trace, size_t pool, const struct plan *plan,
                                   size_t *count)
{
    const struct trace_pool *from = &trace->pool[pool];
    struct trace_sample *sample = memory_alloc(2 * from->n + 1, sizeof *sample);
    size_t *end = ends_of(trace, from), next = 0;
    struct ranges live = {.count = 0};
    int64_t alive = 0;

    *count = 0;
    for (int64_t e = 0; e <= trace->events; e++) {
        const struct range *top;
        bool changes = e == 0;

        for (; next < from->n && from->block[next].begin == e; next++, changes = true)
            add_change(&live, &from->block[next], plan->offset[next], true, &alive);
        if (end[e] != SIZE_MAX) {
            add_change(&live, &from->block[end[e]], plan->offset[end[e]], false, &alive);
            changes = true;
        }
        if (!changes)
            continue;
        top = ranges_highest(&live);
        sample[(*count)++] =
            (struct trace_sample){e, alive, top == NULL ? 0 : (int64_t)top->last + 1};
    }
    ranges_clear(&live);
    memory_free(end);
    return sample;
}
