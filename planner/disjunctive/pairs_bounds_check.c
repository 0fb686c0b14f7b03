/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "planner/disjunctive/pairs_bounds.h"

/* Bound INDEX, which has risen.  */
static void check_risen(const struct pairs_bounds *bounds, size_t index)
{
    const struct pairs_problem *problem = bounds->problem;
    const struct pairs_rise *rise = &bounds->rise[bounds->last[index]];
    int64_t value = index % 2 == 0 ? bounds->bound[index] : -bounds->bound[index];

    CHECK(rise->index == index && rise->now == bounds->bound[index], "bounds of pairs",
          "a bound is where its last rise left it");
    if (index < 2 * problem->n) {
        CHECK(value % problem->alignment[index / 2] == 0, "bounds of pairs",
              "an offset's bound is aligned");
        return;
    }
    for (size_t g = 0; g < problem->pair[index / 2 - problem->n].gaps; g++) {
        const struct pairs_gap *gap = &problem->gap[problem->pair[index / 2 - problem->n].gap + g];

        CHECK(value <= gap->below || value >= gap->above, "bounds of pairs",
              "a difference's bound lies in no gap");
    }
}

void pairs_bounds_check(const struct pairs_bounds *bounds)
{
    if (!check_due(bounds->rises, bounds->rises + bounds->count))
        return;
    for (size_t i = 0; i < bounds->count; i++) {
        CHECK(bounds->bound[i] <= -bounds->bound[i ^ 1], "bounds of pairs",
              "no quantity's least value is above its largest");
        if (bounds->last[i] != SIZE_MAX)
            check_risen(bounds, i);
    }
    for (size_t r = 0; r < bounds->rises; r++) {
        const struct pairs_rise *rise = &bounds->rise[r];

        CHECK(rise->old < rise->now, "bounds of pairs", "bounds only rise");
        CHECK(bounds->last[rise->index] >= r && bounds->last[rise->index] < bounds->rises,
              "bounds of pairs", "the last rise of a bound is on the trail");
        CHECK(rise->before == SIZE_MAX ||
                  (rise->before < r && bounds->rise[rise->before].index == rise->index &&
                   bounds->rise[rise->before].now == rise->old),
              "bounds of pairs", "a rise begins where the one before it ended");
    }
    for (size_t level = 0; level < bounds->levels; level++)
        CHECK(level == 0 || bounds->level[level - 1] <= bounds->level[level], "bounds of pairs",
              "levels begin one after the other");
}

void pairs_bounds_check_orders(const struct pairs_bounds *bounds)
{
    const struct pairs_problem *problem = bounds->problem;

    if (!check_due(bounds->rises, problem->pairs))
        return;
    for (size_t p = 0; p < problem->pairs; p++)
        for (size_t side = 0; side < 2; side++) {
            size_t a = 2 * problem->pair[p].a + side, b = 2 * problem->pair[p].b + side;
            size_t up = 2 * (problem->n + p) + side;

            CHECK(bounds->bound[b] >= clipped_add(bounds->bound[a], bounds->bound[up]),
                  "orders of pairs",
                  "the upper one of a pair starts above the lower one by its difference");
            CHECK(bounds->bound[a] >= clipped_add(bounds->bound[b], bounds->bound[up ^ 1]),
                  "orders of pairs", "and so downwards");
        }
}
