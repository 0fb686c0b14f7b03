/* What a conflict is made of: literals that hold (piece_bounds.h) and can't hold together.  It
 * begins as what the rules met; the literal that was made true last is replaced by its
 * reason (piece_reasons.h), again and again, as far as whoever traces it wants to go.  Pairs
 * that take part gain weight.  */
#ifndef ARENABENCH_PLANNER_PAIRS_PIECE_TRACE_H
#define ARENABENCH_PLANNER_PAIRS_PIECE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/pairs/piece_bounds.h"
#include "planner/pairs/piece_nogoods.h"
#include "planner/pairs/piece_reasons.h"

struct piece_trace {
    struct piece_bounds *bounds;
    struct piece_nogoods *nogoods;
    struct piece_reasons reasons;
    int64_t *least; /* of the literal of each bound, if it is a member */
    size_t *rise;   /* that made it true */
    bool *is_member;
    size_t *member; /* some are no longer, some come twice */
    size_t members, capacity;
    size_t open;               /* members of the last level */
    double *weight, increment; /* of pairs */
};

void piece_trace_init(struct piece_trace *trace, struct piece_bounds *bounds,
                      struct piece_nogoods *nogoods);
void piece_trace_clear(struct piece_trace *trace);

/* Begins with the conflict that is noted in the bounds; their clash becomes as weak as it can
 * be.  */
void piece_trace_begin(struct piece_trace *trace);

/* Adds a literal that holds.  */
void piece_trace_require(struct piece_trace *trace, size_t index, int64_t least);

/* Replaces the literal that rise R, which is undone with all after it, made true.  */
void piece_trace_replace(struct piece_trace *trace, size_t r);

/* Moves the members into LITERALS.  */
void piece_trace_collect(struct piece_trace *trace, struct piece_literals *literals);

/* Conflicts from now on weigh more than those before.  */
void piece_trace_grow(struct piece_trace *trace);

/* Whether the literal of rise R is a member.  */
static inline bool piece_trace_has(const struct piece_trace *trace, size_t r)
{
    size_t index = trace->bounds->rise[r].index;

    return trace->is_member[index] && trace->rise[index] == r;
}

/* Where the last level begins.  */
static inline size_t piece_trace_level_start(const struct piece_trace *trace)
{
    const struct piece_bounds *bounds = trace->bounds;

    return bounds->levels > 0 ? bounds->level[bounds->levels - 1] : 0;
}

#endif
