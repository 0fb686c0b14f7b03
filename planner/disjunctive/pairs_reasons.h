/* SPDX-License-Identifier: Apache-2.0 */
/* Why a bound has risen: literals that imply it in every packing (pairs_rules.h), as few and
 * as weak as the slack of the rule allows.  A rule often says more than is needed: LEAST is
 * what is.  So tasks whose literals were made true last are left out of a set as long as the
 * rest is high enough, and what slack remains lowers the starts and raises the ends.  */
#ifndef ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_REASONS_H
#define ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_REASONS_H

#include <stddef.h>
#include <stdint.h>

#include "planner/disjunctive/pairs_bounds.h"
#include "planner/disjunctive/pairs_nogoods.h"

struct pairs_reasons {
    const struct pairs_bounds *bounds;
    const struct pairs_nogoods *nogoods;
    struct pairs_span *span; /* room for the largest section */
    size_t *member, *cost;
    struct pairs_literals literals; /* the last reason */
    int64_t from, to;               /* its window, if it is of a section (pairs_log.h) */
};

void pairs_reasons_init(struct pairs_reasons *reasons, const struct pairs_bounds *bounds,
                        const struct pairs_nogoods *nogoods);
void pairs_reasons_clear(struct pairs_reasons *reasons);

/* Works out reasons->literals for REASON, that (INDEX, LEAST) holds; for a conflict INDEX is
 * SIZE_MAX.  The bounds are as they were when the rule was used, or later.  */
void pairs_reasons_explain(struct pairs_reasons *reasons, const struct pairs_reason *reason,
                           size_t index, int64_t least);

#endif
