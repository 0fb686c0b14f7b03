/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "traces/trace.h"

#include <inttypes.h>

#include "lib/base/bisect.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
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

/* A block, and when it ends.  */
struct ending {
    int64_t end;
    size_t block;
};

static int compare_endings(const void *a, const void *b)
{
    const struct ending *x = a, *y = b;

    return ORDER(x->end, y->end) ?: ORDER(x->block, y->block);
}

/* The blocks of POOL as they end; the caller frees it.  */
static struct ending *endings_of(const struct trace_pool *pool)
{
    struct ending *ending = memory_alloc(pool->n, sizeof *ending);

    for (size_t b = 0; b < pool->n; b++)
        ending[b] = (struct ending){pool->block[b].end, b};
    sort_stable(ending, pool->n, sizeof *ending, compare_endings);
    return ending;
}

static void begin_block(struct ranges *live, const struct trace_block *block, int64_t offset,
                        int64_t *alive)
{
    const uint64_t low = (uint64_t)offset;

    ranges_add(live, (struct range){low, low + (uint64_t)block->size - 1, 0});
    *alive += block->size;
}

struct trace_sample *trace_samples(const struct trace *trace, size_t pool, const struct plan *plan,
                                   size_t *count)
{
    const struct trace_pool *from = &trace->pool[pool];
    struct trace_sample *sample = memory_alloc(2 * from->n + 1, sizeof *sample);
    struct ending *ending = endings_of(from);
    struct ranges live = {.count = 0};
    size_t begun = 0, ended = 0;
    int64_t alive = 0;

    *count = 0;
    for (int64_t e = 0; e <= trace->events; e++) {
        const size_t changes = begun + ended;
        const struct range *top;

        /* Ends go first: a release that is missing was just before what began there.  */
        for (; ended < from->n && ending[ended].end == e; ended++) {
            ranges_remove(&live, (uint64_t)plan->offset[ending[ended].block]);
            alive -= from->block[ending[ended].block].size;
        }
        for (; begun < from->n && from->block[begun].begin == e; begun++)
            begin_block(&live, &from->block[begun], plan->offset[begun], &alive);
        if (e > 0 && begun + ended == changes)
            continue;
        top = ranges_highest(&live);
        sample[(*count)++] =
            (struct trace_sample){e, alive, top == NULL ? 0 : (int64_t)top->last + 1};
    }
    ranges_clear(&live);
    memory_free(ending);
    return sample;
}
