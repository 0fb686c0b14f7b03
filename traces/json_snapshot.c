/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory snapshots of torch.cuda.memory, as JSON.
 *
 * `device_traces` has a list of events for each device: alloc, free_requested, free_completed,
 * segment_alloc, segment_free, segment_map, segment_unmap, and others that change nothing.  A block
 * is alive until free_completed: until then other streams use it.  `segments` has what the
 * allocator holds at the end: a block that is active there and that no event tells of was there
 * all the time.  Each stream of a device is a pool of its own, as it is in the allocator.
 *
 * Source: PyTorch, torch/cuda/memory.py (_snapshot) and c10/cuda/CUDACachingAllocator.cpp.  */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "traces/json_private.h"

/* What a pool of the recorder's has from the device.  */
struct held {
    int64_t now, most; /* the sum of the events' so far, and the largest one */
    int64_t last;      /* segments at the end */
};

struct reading {
    struct recorder *recorder;
    struct json_place *place;
    struct held *held;
    size_t pools, room;
};

static bool find_pool(struct reading *reading, int64_t device, json_t *value, size_t *pool)
{
    struct error inner = {""};
    int64_t stream;
    char *name;
    bool found;

    if (!json_whole(reading->place, value, "stream", INT64_MIN, &stream))
        return false;
    name = memory_printf("cuda:%" PRId64 " stream %" PRId64, device, stream);
    found = recorder_pool(reading->recorder, name, pool, &inner);
    memory_free(name);
    if (!found)
        return json_wrong(reading->place, "%.180s", inner.text);
    reading->held = memory_grow(reading->held, &reading->room, *pool + 1, sizeof *reading->held);
    for (; reading->pools <= *pool; reading->pools++)
        reading->held[reading->pools] = (struct held){0, 0, 0};
    return true;
}

static bool hold(struct reading *reading, size_t pool, int64_t bytes)
{
    struct held *held = &reading->held[pool];

    if (!checked_add(held->now, bytes, &held->now))
        return json_wrong(reading->place, "the sum of the segments overflows 64 bits");
    held->most = max64(held->most, held->now);
    return true;
}

/* What ACTION does: 1 it brings memory, -1 it takes some, 0 neither.  */
static int change_of(const char *action, const char *brings, const char *maps, const char *takes,
                     const char *unmaps)
{
    if (strcmp(action, brings) == 0 || (maps != NULL && strcmp(action, maps) == 0))
        return 1;
    return strcmp(action, takes) == 0 || (unmaps != NULL && strcmp(action, unmaps) == 0) ? -1 : 0;
}

static bool add_event(struct reading *reading, int64_t device, json_t *event)
{
    const char *action = json_text(reading->place, event, "action");
    struct error inner = {""};
    int64_t address, size;
    int block, segment;
    size_t pool;
    bool good;

    if (action == NULL)
        return false;
    block = change_of(action, "alloc", NULL, "free_completed", NULL);
    segment = change_of(action, "segment_alloc", "segment_map", "segment_free", "segment_unmap");
    if (block == 0 && segment == 0)
        return true;
    if (!json_whole(reading->place, event, "addr", 0, &address) ||
        !json_whole(reading->place, event, "size", 0, &size) ||
        !find_pool(reading, device, event, &pool))
        return false;
    if (segment != 0)
        return hold(reading, pool, segment * size);
    /* Some versions write the rounded size here, so what is known already counts.  */
    if (block < 0 && recorder_has(reading->recorder, pool, (uint64_t)address))
        size = RELEASE_UNKNOWN;
    good = (block > 0 ? recorder_allocate : recorder_release)(reading->recorder, pool,
                                                              (uint64_t)address, size, &inner);
    return good || json_wrong(reading->place, "%.180s", inner.text);
}

static bool read_events(struct reading *reading, json_t *devices)
{
    for (size_t d = 0; d < json_array_size(devices); d++) {
        json_t *events = json_array_get(devices, d);

        json_at(reading->place, "device_traces[%zu]", d);
        if (!json_is_array(events))
            return json_wrong(reading->place, "expected an array, as [...]");
        for (size_t i = 0; i < json_array_size(events); i++) {
            json_at(reading->place, "device_traces[%zu][%zu]", d, i);
            if (!add_event(reading, (int64_t)d, json_array_get(events, i)))
                return false;
        }
    }
    return true;
}

/* --- segments --- */

/* The number KEY of VALUE, or what it is without one.  */
static bool whole_or(const struct reading *reading, json_t *value, const char *key, int64_t else_is,
                     int64_t *number)
{
    *number = else_is;
    return json_object_get(value, key) == NULL || json_whole(reading->place, value, key, 0, number);
}

/* A block at ADDRESS, which is raised to where it ends.  */
static bool add_block(struct reading *reading, size_t pool, json_t *block, int64_t *address)
{
    const char *state = json_text(reading->place, block, "state");
    struct error inner = {""};
    int64_t size, asked;

    if (state == NULL || !json_whole(reading->place, block, "size", 0, &size) ||
        !whole_or(reading, block, "address", *address, address) ||
        !whole_or(reading, block, "requested_size", size, &asked))
        return false;
    if (strncmp(state, "active", 6) == 0 && asked > 0 &&
        !recorder_has(reading->recorder, pool, (uint64_t)*address) &&
        !recorder_before(reading->recorder, pool, (uint64_t)*address, asked, &inner))
        return json_wrong(reading->place, "%.180s", inner.text);
    return checked_add(*address, size, address) ||
           json_wrong(reading->place, "the block ends behind the last address");
}

static bool add_segment(struct reading *reading, size_t index, json_t *segment)
{
    int64_t address, device, size;
    size_t pool;
    json_t *blocks;

    json_at(reading->place, "segments[%zu]", index);
    if (!json_whole(reading->place, segment, "address", 0, &address) ||
        !json_whole(reading->place, segment, "total_size", 0, &size) ||
        !whole_or(reading, segment, "device", 0, &device) ||
        !find_pool(reading, device, segment, &pool))
        return false;
    blocks = json_list(reading->place, segment, "blocks");
    if (blocks == NULL)
        return false;
    reading->held[pool].last = capped_add(reading->held[pool].last, size);
    for (size_t b = 0; b < json_array_size(blocks); b++) {
        json_at(reading->place, "segments[%zu].blocks[%zu]", index, b);
        if (!add_block(reading, pool, json_array_get(blocks, b), &address))
            return false;
    }
    return true;
}

static bool read_segments(struct reading *reading, json_t *segments)
{
    for (size_t s = 0; s < json_array_size(segments); s++)
        if (!add_segment(reading, s, json_array_get(segments, s)))
            return false;
    /* The device gave what it has at the end, less what events brought, before the first one.  */
    for (size_t p = 0; p < reading->pools; p++)
        recorder_reserved(reading->recorder, p,
                          clipped_add(reading->held[p].last,
                                      clipped_sub(reading->held[p].most, reading->held[p].now)));
    return true;
}

bool trace_json_snapshot(struct recorder *recorder, json_t *root, struct json_place *place)
{
    struct reading reading = {.recorder = recorder, .place = place};
    json_t *devices = json_list(place, root, "device_traces");
    json_t *segments = json_list(place, root, "segments");
    const bool good = devices != NULL && segments != NULL && read_events(&reading, devices) &&
                      read_segments(&reading, segments);

    memory_free(reading.held);
    return good;
}
