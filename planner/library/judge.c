/* SPDX-License-Identifier: Apache-2.0 */
/* arenaplan_check: judges plans, and shares no code with what makes them.  */
#include <config.h>

#include "lib/base/checked.h"
#include "lib/problem/overlaps.h"
#include "planner/arenaplan.h"
#include "planner/library/call.h"

static bool refuse(struct call *call, enum arenaplan_fault fault, size_t buffer, size_t other)
{
    call->result.status = ARENAPLAN_INVALID;
    call->result.fault = fault;
    call->result.buffer = buffer;
    call->result.other = other;
    return false;
}

/* Each offset by itself, and the peak.  */
static bool offsets_are_good(struct call *call)
{
    const struct arenaplan_problem *problem = call->problem;
    int64_t peak = 0;

    for (size_t b = 0; b < problem->count; b++) {
        const struct arenaplan_buffer *buffer = &problem->buffer[b];
        int64_t offset = call->offset[b], end;

        if (offset < 0)
            return refuse(call, ARENAPLAN_FAULT_OFFSET, b, SIZE_MAX);
        if (problem_is_fixed(buffer) && offset != buffer->offset)
            return refuse(call, ARENAPLAN_FAULT_OFFSET, b, SIZE_MAX);
        if (!problem_is_fixed(buffer) && buffer->alignment > 1 && offset % buffer->alignment != 0)
            return refuse(call, ARENAPLAN_FAULT_ALIGNMENT, b, SIZE_MAX);
        if (!checked_add(offset, problem_size(buffer), &end))
            return refuse(call, ARENAPLAN_FAULT_OVERFLOW, b, SIZE_MAX);
        if (end == offset)
            continue; /* takes no part */
        if (call->capacity >= 0 && end > call->capacity)
            return refuse(call, ARENAPLAN_FAULT_CAPACITY, b, SIZE_MAX);
        peak = max64(peak, end);
    }
    call->result.peak = peak;
    return true;
}

static void judge(void *context)
{
    struct call *call = context;
    struct overlap_rectangle *rectangle;
    size_t count, a, b;

    if (!call_check(call) || !offsets_are_good(call))
        return;
    rectangle = problem_in_use(call->problem, call->offset, &count);
    if (overlaps_find(rectangle, count, &a, &b)) {
        call->result.peak = 0;
        refuse(call, ARENAPLAN_FAULT_OVERLAP, a < b ? b : a, a < b ? a : b);
        return;
    }
    call->result.status = ARENAPLAN_FEASIBLE;
}

enum arenaplan_status arenaplan_check(const struct arenaplan_problem *problem,
                                      const struct arenaplan_options *options,
                                      const int64_t *offset, struct arenaplan_result *result)
{
    struct call call = {
        .problem = problem,
        .offset = (int64_t *)offset, /* nothing is written there */
        .capacity = options == NULL || options->capacity <= 0 ? -1 : options->capacity,
    };

    return call_run(&call, options, result, judge);
}
