/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chrome traces of torch.profiler with profile_memory=True.
 *
 * Each allocation and release is an instant event: {"ph": "i", "name": "[memory]", "ts": ...,
 * "args": {"Addr": ..., "Bytes": ..., "Device Type": 0, "Device Id": -1, ...}}, where Bytes are
 * below 0 for a release.  They stand in no order, so they are sorted by time, those of one
 * microsecond as they stand.
 *
 * Source: PyTorch, torch/csrc/autograd/profiler_kineto.cpp; c10/core/DeviceType.h has the numbers
 * of devices.  Releases on threads that are not profiled are not in the trace: an allocation where
 * something is alive shows that it is not.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "traces/json_private.h"

struct memory_event {
    double time;
    size_t index; /* in the file */
    json_t *args;
};

static int compare_times(const void *a, const void *b)
{
    const struct memory_event *x = a, *y = b;

    return ORDER(x->time, y->time) ?: ORDER(x->index, y->index);
}

static bool is_memory(json_t *event)
{
    const char *name = json_string_value(json_object_get(event, "name"));

    return name != NULL && strcmp(name, "[memory]") == 0;
}

/* `cpu`, `cuda:0`.  */
static char *device_name(int64_t type, int64_t id)
{
    static const char *const names[] = {[0] = "cpu",  [1] = "cuda", [6] = "hip",  [9] = "xla",
                                        [12] = "xpu", [13] = "mps", [14] = "meta"};
    const bool known =
        type >= 0 && type < (int64_t)(sizeof names / sizeof names[0]) && names[type] != NULL;
    char *name = known ? memory_strdup(names[type]) : memory_printf("device type %" PRId64, type);

    return id < 0 ? name : memory_append(name, ":%" PRId64, id);
}

static bool add_event(struct recorder *recorder, json_t *args, const struct json_place *place)
{
    int64_t address, bytes, type, id;
    struct error inner = {""};
    size_t pool;
    char *name;
    bool good;

    if (!json_whole(place, args, "Addr", 0, &address) ||
        !json_whole(place, args, "Bytes", INT64_MIN + 1, &bytes) ||
        !json_whole(place, args, "Device Type", INT64_MIN, &type) ||
        !json_whole(place, args, "Device Id", INT64_MIN, &id))
        return false;
    name = device_name(type, id);
    good = recorder_pool(recorder, name, &pool, &inner);
    if (good && bytes >= 0)
        good = recorder_allocate_anew(recorder, pool, (uint64_t)address, bytes, &inner);
    else if (good)
        good = recorder_release(recorder, pool, (uint64_t)address, -bytes, &inner);
    memory_free(name);
    return good || json_wrong(place, "%.180s", inner.text);
}

/* The memory events of EVENTS in the order of time; NULL with a message where one has none.  */
static struct memory_event *sorted_events(json_t *events, struct json_place *place, size_t *count)
{
    struct memory_event *found = memory_alloc(json_array_size(events), sizeof *found);

    *count = 0;
    for (size_t i = 0; i < json_array_size(events); i++) {
        json_t *event = json_array_get(events, i), *time;

        if (!is_memory(event))
            continue;
        json_at(place, "traceEvents[%zu]", i);
        time = json_member(place, event, "ts");
        if (!json_is_number(time) || json_member(place, event, "args") == NULL) {
            if (time != NULL && !json_is_number(time))
                json_wrong(place, "'ts': expected a number");
            memory_free(found);
            return NULL;
        }
        found[(*count)++] =
            (struct memory_event){json_number_value(time), i, json_object_get(event, "args")};
    }
    sort_stable(found, *count, sizeof *found, compare_times);
    return found;
}

bool trace_json_chrome(struct recorder *recorder, json_t *events, struct json_place *place)
{
    size_t count;
    struct memory_event *event = sorted_events(events, place, &count);
    bool good = event != NULL;

    for (size_t i = 0; good && i < count; i++) {
        json_at(place, "traceEvents[%zu].args", event[i].index);
        good = add_event(recorder, event[i].args, place);
    }
    memory_free(event);
    if (good && count == 0) {
        json_at(place, "traceEvents");
        return json_wrong(place, "no event is called [memory]; expected a trace that was recorded "
                                 "with profile_memory=True");
    }
    return good;
}
