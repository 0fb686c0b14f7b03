/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/dives/section_guide.h"

#include "lib/problem/plan.h"
#include "planner/dives/section_dives.h"

/* Copies of a class stand from the bottom up.  */
void section_guide_take(struct section_dives *dives, const size_t *keep, const struct plan *plan,
                        int64_t unit)
{
    const struct section_classes *classes = dives->light.classes;

    for (size_t c = 0; c < classes->n; c++)
        for (size_t k = classes->copy_start[c]; k < classes->copy_start[c + 1]; k++) {
            int64_t start = plan->offset[keep[classes->copy[k]]] / unit;
            size_t at = k;

            for (; at > classes->copy_start[c] && dives->best[at - 1] > start; at--)
                dives->best[at] = dives->best[at - 1];
            dives->best[at] = start;
        }
    dives->best_peak = (plan->peak - 1) / unit + 1;
}
