/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/disjunctive/pairs_trace.h"

#include "lib/base/memory.h"
#include "lib/base/weights.h"
#include "planner/disjunctive/pairs_log.h"

#define INCREMENT_GROWTH 1.05

void pairs_trace_init(struct pairs_trace *trace, struct pairs_bounds *bounds,
                      struct pairs_nogoods *nogoods)
{
    size_t pairs = bounds->problem->pairs;

    *trace = (struct pairs_trace){
        .bounds = bounds,
        .nogoods = nogoods,
        .least = memory_alloc(bounds->count, sizeof *trace->least),
        .rise = memory_alloc(bounds->count, sizeof *trace->rise),
        .is_member = memory_zalloc(bounds->count, sizeof *trace->is_member),
        .weight = memory_alloc(pairs, sizeof *trace->weight),
        .increment = 1.0,
    };
    pairs_reasons_init(&trace->reasons, bounds, nogoods);
    for (size_t p = 0; p < pairs; p++)
        trace->weight[p] = 1.0;
}

void pairs_trace_clear(struct pairs_trace *trace)
{
    pairs_reasons_clear(&trace->reasons);
    memory_free(trace->least);
    memory_free(trace->rise);
    memory_free(trace->is_member);
    memory_free(trace->member);
    memory_free(trace->weight);
}

/* What was long ago counts again as much as if it had never been.  */
void pairs_trace_grow(struct pairs_trace *trace)
{
    if (!weights_grow(&trace->increment, INCREMENT_GROWTH))
        return;
    trace->increment = 1.0;
    for (size_t p = 0; p < trace->bounds->problem->pairs; p++)
        trace->weight[p] = 1.0 + trace->weight[p] / WEIGHTS_MOST;
}

/* Adds a literal that holds.  */
static void require(struct pairs_trace *trace, size_t index, int64_t least)
{
    size_t rise = pairs_bounds_rise(trace->bounds, index, least);
    size_t start = pairs_trace_level_start(trace);

    if (rise == SIZE_MAX || (trace->is_member[index] && trace->least[index] >= least))
        return;
    if (trace->is_member[index]) {
        trace->open += rise >= start && trace->rise[index] < start;
    } else {
        trace->is_member[index] = true;
        trace->member =
            memory_grow(trace->member, &trace->capacity, trace->members + 1, sizeof *trace->member);
        trace->member[trace->members++] = index;
        trace->open += rise >= start;
        if (index < 2 * trace->bounds->problem->n)
            trace->starts++;
        else
            trace->weight[index / 2 - trace->bounds->problem->n] += trace->increment;
    }
    trace->least[index] = least;
    trace->rise[index] = rise;
}

static void require_reason(struct pairs_trace *trace, const struct pairs_reason *reason,
                           size_t index, int64_t least)
{
    const struct pairs_literals *literals = &trace->reasons.literals;

    if (reason->rule == PAIRS_CLAUSE)
        pairs_nogoods_bump(trace->nogoods, reason->first);
    pairs_reasons_explain(&trace->reasons, reason, index, least);
    if (trace->log != NULL)
        pairs_log_reason(trace->log, trace->bounds, trace->nogoods, reason, index,
                         trace->reasons.from, trace->reasons.to);
    for (size_t i = 0; i < literals->n; i++)
        require(trace, literals->literal[i].index, literals->literal[i].least);
}

/* A value that was refuted contradicts more than it has to, unless a nogood says it: then the
 * other bound is taken as early as possible.  */
void pairs_trace_begin(struct pairs_trace *trace)
{
    struct pairs_bounds *bounds = trace->bounds;
    const struct pairs_reason reason = bounds->reason;
    size_t index = bounds->clash.index;
    int64_t least = bounds->clash.least;

    trace->members = trace->open = trace->starts = 0;
    if (trace->log != NULL)
        pairs_log_trace(trace->log);
    if (index != SIZE_MAX) {
        size_t other = index ^ 1, r = bounds->last[other];
        int64_t now = bounds->bound[other];

        while (reason.rule != PAIRS_CLAUSE && r != SIZE_MAX && bounds->rise[r].old >= 1 - least) {
            now = bounds->rise[r].old;
            r = bounds->rise[r].before;
        }
        if (reason.rule != PAIRS_CLAUSE)
            bounds->clash.least = least = 1 - now;
        require(trace, other, 1 - least);
    }
    require_reason(trace, &reason, index, least);
}

void pairs_trace_replace(struct pairs_trace *trace, size_t r)
{
    size_t index = trace->bounds->rise[r].index;
    const struct pairs_reason reason = trace->bounds->rise[r].reason;

    pairs_bounds_undo(trace->bounds, r);
    trace->is_member[index] = false;
    trace->open -= r >= pairs_trace_level_start(trace);
    trace->starts -= index < 2 * trace->bounds->problem->n;
    require_reason(trace, &reason, index, trace->least[index]);
}

void pairs_trace_tidy(struct pairs_trace *trace)
{
    size_t kept = 0;

    for (size_t i = 0; i < trace->members; i++) {
        size_t index = trace->member[i];

        if (trace->is_member[index])
            trace->member[kept++] = index;
        trace->is_member[index] = false;
    }
    trace->members = kept;
    for (size_t i = 0; i < kept; i++)
        trace->is_member[trace->member[i]] = true;
}

void pairs_trace_collect(struct pairs_trace *trace, struct pairs_literals *literals)
{
    literals->n = 0;
    literals->literal = memory_grow(literals->literal, &literals->capacity, trace->members,
                                    sizeof *literals->literal);
    for (size_t i = 0; i < trace->members; i++) {
        size_t index = trace->member[i];

        if (!trace->is_member[index])
            continue;
        trace->is_member[index] = false;
        literals->literal[literals->n++] = (struct pairs_literal){index, trace->least[index]};
    }
}
