/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "planner/sections/section_problem.h"

void section_problem_check(const struct section_problem *problem)
{
    int64_t load = 0;
    size_t incidences = 0;

    for (size_t b = 0; b < problem->n; b++) {
        CHECK(problem->first[b] <= problem->last[b] && problem->last[b] < problem->sections,
              "sections", "a buffer is in some of them");
        incidences += problem->last[b] - problem->first[b] + 1;
    }
    CHECK(problem->start[problem->sections] == incidences, "sections",
          "they hold each buffer as often as its range says");
    for (size_t s = 0; s < problem->sections; s++) {
        int64_t total = 0;

        for (size_t i = problem->start[s]; i < problem->start[s + 1]; i++) {
            size_t b = problem->member[i];

            CHECK(i == problem->start[s] || problem->member[i - 1] < b, "sections",
                  "members ascend");
            CHECK(problem->first[b] <= s && s <= problem->last[b], "sections",
                  "a member's range has its section");
            total += problem->size[b];
        }
        CHECK(problem->total[s] == total, "sections", "a total is the sum of the members");
        load = max64(load, total);
    }
    CHECK(problem->load == load, "sections", "the load is the largest total");
}
