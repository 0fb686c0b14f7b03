/* SPDX-License-Identifier: Apache-2.0 */
/* What a conflict is made of: literals that hold (pairs_bounds.h) and can't hold together.  It
 * begins as what the rules met; the literal that was made true last is replaced by its
 * reason (pairs_reasons.h), again and again, as far as whoever traces it wants to go.  Pairs
 * that take part gain weight.  */
#ifndef ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_TRACE_H
#define ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/disjunctive/pairs_bounds.h"
#include "planner/disjunctive/pairs_nogoods.h"
#include "planner/disjunctive/pairs_reasons.h"

struct pairs_log;

struct pairs_trace {
    struct pairs_bounds *bounds;
    struct pairs_nogoods *nogoods;
    struct pairs_log *log; /* of the reasons; NULL: nobody asks */
    struct pairs_reasons reasons;
    int64_t *least; /* of the literal of each bound, if it is a member */
    size_t *rise;   /* that made it true */
    bool *is_member;
    size_t *member; /* some are no longer, some come twice */
    size_t members, capacity;
    size_t open;               /* members of the last level */
    size_t starts;             /* members that are bounds of starts, not of differences */
    double *weight, increment; /* of pairs */
};

void pairs_trace_init(struct pairs_trace *trace, struct pairs_bounds *bounds,
                      struct pairs_nogoods *nogoods);
void pairs_trace_clear(struct pairs_trace *trace);

/* Begins with the conflict that is noted in the bounds; their clash becomes as weak as it can
 * be.  */
void pairs_trace_begin(struct pairs_trace *trace);

/* Replaces the literal that rise R, which is undone with all after it, made true.  */
void pairs_trace_replace(struct pairs_trace *trace, size_t r);

/* Each member once, and no other.  */
void pairs_trace_tidy(struct pairs_trace *trace);

/* Moves the members into LITERALS.  */
void pairs_trace_collect(struct pairs_trace *trace, struct pairs_literals *literals);

/* Conflicts from now on weigh more than those before.  */
void pairs_trace_grow(struct pairs_trace *trace);

/* Whether the literal of rise R is a member.  */
static inline bool pairs_trace_has(const struct pairs_trace *trace, size_t r)
{
    size_t index = trace->bounds->rise[r].index;

    return trace->is_member[index] && trace->rise[index] == r;
}

/* Where the last level begins.  */
static inline size_t pairs_trace_level_start(const struct pairs_trace *trace)
{
    const struct pairs_bounds *bounds = trace->bounds;

    return bounds->levels > 0 ? bounds->level[bounds->levels - 1] : 0;
}

#endif
