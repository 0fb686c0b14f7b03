/* Why a bound has risen: literals that imply it in every packing (piece_rules.h), as few and
 * as weak as the slack of the rule allows.  A rule often says more than is needed: LEAST is
 * what is.  So tasks whose literals were made true last are left out of a set as long as the
 * rest is high enough, and what slack remains lowers the starts and raises the ends.  */
#ifndef ARENABENCH_PLANNER_PAIRS_PIECE_REASONS_H
#define ARENABENCH_PLANNER_PAIRS_PIECE_REASONS_H

#include <stddef.h>
#include <stdint.h>

#include "planner/pairs/piece_bounds.h"
#include "planner/pairs/piece_nogoods.h"

struct piece_reasons {
    const struct piece_bounds *bounds;
    const struct piece_nogoods *nogoods;
    struct piece_span *span; /* room for the largest section */
    size_t *member, *cost;
    struct piece_literals literals; /* the last reason */
    int64_t from, to;               /* its window: of an overload, or an edge */
};

void piece_reasons_init(struct piece_reasons *reasons, const struct piece_bounds *bounds,
                        const struct piece_nogoods *nogoods);
void piece_reasons_clear(struct piece_reasons *reasons);

/* Works out reasons->literals for REASON, that (INDEX, LEAST) holds; for a conflict INDEX is
 * SIZE_MAX.  The bounds are as they were when the rule was used, or later.  */
void piece_reasons_explain(struct piece_reasons *reasons, const struct piece_reason *reason,
                           size_t index, int64_t least);

#endif
