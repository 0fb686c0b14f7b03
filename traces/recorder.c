/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "traces/recorder.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"

/* Of which the trace's pool is one.  A block is in one of two lists: those of before have to come
 * first, and are known late.  */
struct pool_record {
    struct trace_pool pool;
    size_t room, before_room;
    struct trace_block *before;
    struct ranges live; /* what is alive; the value: its block, counted from BEFORE_FIRST there */
    struct ranges used; /* what was ever allocated */
};

/* Values of the list `before` are this and more.  */
#define BEFORE_FIRST ((size_t)1 << 40)

struct recorder {
    struct trace *trace;
    size_t pools_room, last_pool;
    struct pool_record *record;
};

struct recorder *recorder_new(const char *path)
{
    struct recorder *recorder = memory_zalloc(1, sizeof *recorder);
    const char *slash = strrchr(path, '/');

    recorder->trace = memory_zalloc(1, sizeof *recorder->trace);
    recorder->trace->name = memory_strdup(slash != NULL ? slash + 1 : path);
    return recorder;
}

static void clear_pool(struct trace_pool *pool)
{
    memory_free(pool->name);
    memory_free(pool->block);
    memory_free(pool->used);
}

void trace_free(struct trace *trace)
{
    if (trace == NULL)
        return;
    for (size_t p = 0; p < trace->n_pools; p++)
        clear_pool(&trace->pool[p]);
    memory_free(trace->pool);
    memory_free(trace->name);
    memory_free(trace);
}

/* All but the trace.  */
static void free_records(struct recorder *recorder, size_t pools)
{
    for (size_t p = 0; p < pools; p++) {
        memory_free(recorder->record[p].before);
        ranges_clear(&recorder->record[p].live);
        ranges_clear(&recorder->record[p].used);
    }
    memory_free(recorder->record);
    memory_free(recorder);
}

void recorder_free(struct recorder *recorder)
{
    const size_t pools = recorder->trace->n_pools;

    for (size_t p = 0; p < pools; p++)
        clear_pool(&recorder->record[p].pool);
    recorder->trace->n_pools = 0; /* they are not in the trace as yet */
    trace_free(recorder->trace);
    free_records(recorder, pools);
}

bool recorder_pool(struct recorder *recorder, const char *name, size_t *pool, struct error *error)
{
    const size_t count = recorder->trace->n_pools;
    struct pool_record *record;

    /* Most often it is the last one's.  */
    *pool = recorder->last_pool;
    if (*pool < count && strcmp(recorder->record[*pool].pool.name, name) == 0)
        return true;
    for (*pool = 0; *pool < count; ++*pool)
        if (strcmp(recorder->record[*pool].pool.name, name) == 0) {
            recorder->last_pool = *pool;
            return true;
        }
    if (count == TRACE_POOLS)
        return error_set(error, "one pool, device or stream more than %d; expected fewer",
                         TRACE_POOLS);
    recorder->record =
        memory_grow(recorder->record, &recorder->pools_room, count + 1, sizeof *recorder->record);
    record = &recorder->record[count];
    *record = (struct pool_record){.pool = {.name = memory_strdup(name), .most_reserved = -1}};
    recorder->trace->n_pools++;
    recorder->last_pool = *pool;
    return true;
}

/* The last byte of a block; one of no bytes has one of its own, or it could not be told from what
 * comes at its address next.  */
static bool last_byte(uint64_t address, int64_t size, uint64_t *last, struct error *error)
{
    const uint64_t more = size > 0 ? (uint64_t)size - 1 : 0;

    *last = address + more; /* it begins again at 0 where that is too far */
    return *last >= address ||
           error_set(error, "%" PRId64 " bytes at 0x%" PRIx64 " end behind the last address", size,
                     address);
}

/* A block of before, whose place nothing has had.  */
static size_t add_before(struct pool_record *record, uint64_t address, int64_t size, int64_t end)
{
    struct trace_pool *pool = &record->pool;

    record->before =
        memory_grow(record->before, &record->before_room, pool->before + 1, sizeof *record->before);
    record->before[pool->before] = (struct trace_block){address, size, 0, end};
    return pool->before++;
}

static struct trace_block *block_of(struct pool_record *record, size_t value)
{
    return value >= BEFORE_FIRST ? &record->before[value - BEFORE_FIRST]
                                 : &record->pool.block[value];
}

static bool refuse_inside(struct pool_record *record, const struct range *met, uint64_t address,
                          struct error *error)
{
    if (met->value == SIZE_MAX)
        return error_set(error, "an allocation at 0x%" PRIx64 ", where one of no bytes is alive",
                         address);
    return error_set(error,
                     "an allocation at 0x%" PRIx64 " inside of %" PRId64 " bytes at 0x%" PRIx64
                     ", which are alive; expected their release before",
                     address, block_of(record, met->value)->size, met->low);
}

bool recorder_allocate(struct recorder *recorder, size_t pool, uint64_t address, int64_t size,
                       struct error *error)
{
    struct pool_record *record = &recorder->record[pool];
    struct trace_pool *to = &record->pool;
    const struct range *met;
    uint64_t last;
    int64_t event;

    if (!last_byte(address, size, &last, error))
        return false;
    met = ranges_meeting(&record->live, address, last);
    if (met != NULL)
        return refuse_inside(record, met, address, error);
    event = ++recorder->trace->events;
    if (size == 0) {
        to->empty++;
        ranges_add(&record->live, (struct range){address, last, SIZE_MAX});
        return true;
    }
    ranges_add(&record->live, (struct range){address, last, to->n});
    ranges_cover(&record->used, address, last);
    to->block = memory_grow(to->block, &record->room, to->n + 1, sizeof *to->block);
    to->block[to->n++] = (struct trace_block){address, size, event, INT64_MAX};
    return true;
}

bool recorder_before(struct recorder *recorder, size_t pool, uint64_t address, int64_t size,
                     struct error *error)
{
    struct pool_record *record = &recorder->record[pool];
    const struct range *met;
    uint64_t last;

    if (!last_byte(address, size, &last, error))
        return false;
    met = ranges_meeting(&record->used, address, last);
    if (met != NULL)
        return error_set(error,
                         "%" PRId64 " bytes at 0x%" PRIx64
                         " were there before the recording, but it has others in [0x%" PRIx64
                         ", 0x%" PRIx64 "]",
                         size, address, met->low, met->last);
    ranges_cover(&record->used, address, last);
    ranges_add(
        &record->live,
        (struct range){address, last, BEFORE_FIRST + add_before(record, address, size, INT64_MAX)});
    return true;
}

bool recorder_allocate_anew(struct recorder *recorder, size_t pool, uint64_t address, int64_t size,
                            struct error *error)
{
    struct pool_record *record = &recorder->record[pool];
    const struct range *met;
    uint64_t last;

    if (!last_byte(address, size, &last, error))
        return false;
    while ((met = ranges_meeting(&record->live, address, last)) != NULL) {
        if (met->value != SIZE_MAX)
            block_of(record, met->value)->end = recorder->trace->events + 1;
        ranges_remove(&record->live, met->low);
        record->pool.lost++;
    }
    return recorder_allocate(recorder, pool, address, size, error);
}

/* Of a size that is not known.  */
static bool release_of_unknown(struct recorder *recorder, struct pool_record *record,
                               uint64_t address, int64_t size, struct error *error)
{
    if (size == RELEASE_NEEDS_SIZE)
        return error_set(error,
                         "a release of 0x%" PRIx64
                         ", which is not allocated; expected a size where it is from before the "
                         "recording",
                         address);
    ++recorder->trace->events;
    record->pool.unknown++;
    return true;
}

/* Of what no allocation is recorded.  */
static bool release_of_before(struct recorder *recorder, struct pool_record *record,
                              uint64_t address, int64_t size, struct error *error)
{
    uint64_t last;

    if (!last_byte(address, size, &last, error))
        return false;
    if (ranges_meeting(&record->used, address, last) != NULL)
        return error_set(error,
                         "a release of 0x%" PRIx64
                         ", which is not allocated; expected an address where something alive "
                         "begins, or that nothing had before",
                         address);
    if (size < 0)
        return release_of_unknown(recorder, record, address, size, error);
    ++recorder->trace->events;
    if (size > 0) {
        ranges_cover(&record->used, address, last);
        add_before(record, address, size, recorder->trace->events);
    }
    return true;
}

bool recorder_has(const struct recorder *recorder, size_t pool, uint64_t address)
{
    const struct range *met = ranges_meeting(&recorder->record[pool].live, address, address);

    return met != NULL && met->low == address;
}

bool recorder_release(struct recorder *recorder, size_t pool, uint64_t address, int64_t size,
                      struct error *error)
{
    struct pool_record *record = &recorder->record[pool];
    const struct range *met = ranges_meeting(&record->live, address, address);
    struct trace_block *block;

    if (met == NULL)
        return release_of_before(recorder, record, address, size, error);
    if (met->low != address)
        return error_set(error,
                         "a release of 0x%" PRIx64 ", inside of what begins at 0x%" PRIx64
                         "; expected that address",
                         address, met->low);
    if (met->value != SIZE_MAX) {
        block = block_of(record, met->value);
        if (size >= 0 && size != block->size)
            return error_set(error,
                             "a release of %" PRId64 " bytes at 0x%" PRIx64 "; expected %" PRId64
                             ", as were allocated",
                             size, address, block->size);
        block->end = ++recorder->trace->events;
    } else {
        ++recorder->trace->events;
    }
    ranges_remove(&record->live, address);
    return true;
}

void recorder_reserved(struct recorder *recorder, size_t pool, int64_t bytes)
{
    recorder->record[pool].pool.most_reserved = bytes;
}

/* The blocks in one list, their ends, and the addresses that were used.  */
static struct trace_pool finish_pool(struct pool_record *record, int64_t end)
{
    struct trace_pool *pool = &record->pool;
    const size_t n = pool->before + pool->n;

    if (pool->before > 0) {
        pool->block = memory_resize(pool->block, n, sizeof *pool->block);
        memmove(pool->block + pool->before, pool->block, pool->n * sizeof *pool->block);
        memcpy(pool->block, record->before, pool->before * sizeof *pool->block);
    }
    pool->n = n;
    for (size_t b = 0; b < n; b++)
        if (pool->block[b].end == INT64_MAX) {
            pool->block[b].end = end;
            pool->after++;
        }
    pool->n_used = record->used.count;
    pool->used = memory_alloc(pool->n_used, sizeof *pool->used);
    ranges_list(&record->used, pool->used);
    for (size_t i = 0; i < pool->n_used; i++) {
        const uint64_t bytes = pool->used[i].last - pool->used[i].low;

        pool->used_bytes =
            bytes < INT64_MAX ? capped_add(pool->used_bytes, (int64_t)bytes + 1) : INT64_MAX;
    }
    return *pool;
}

struct trace *recorder_finish(struct recorder *recorder)
{
    struct trace *trace = recorder->trace;

    trace->pool = memory_alloc(trace->n_pools, sizeof *trace->pool);
    for (size_t p = 0; p < trace->n_pools; p++)
        trace->pool[p] = finish_pool(&recorder->record[p], trace->events + 1);
    free_records(recorder, trace->n_pools);
    return trace;
}
