/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <stdlib.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "solvers/minimalloc/minimalloc_problem.h"
#include "solvers/minimalloc/minimalloc_search.h"

/* Section S: what is placed in it and what is left over.  */
static void check_section(const struct minimalloc_search *search, size_t s)
{
    const struct minimalloc_problem *problem = search->problem;
    int64_t top = 0, total = 0, least = INT64_MAX, cut = 0;

    for (size_t k = problem->start[s]; k < problem->start[s + 1]; k++) {
        size_t b = problem->member[k], i = problem->span_start[b];

        for (; problem->span[i].last < s;)
            i++;
        if (search->placed[b]) {
            top = max64(top, search->offset[b] + problem->span[i].hi);
            continue;
        }
        total += problem->span[i].hi - problem->span[i].lo;
        least = min64(least, search->offset[b]);
    }
    for (size_t b = 0; b < problem->n; b++)
        cut += !search->placed[b] && problem->first[b] <= s && s < problem->last[b];
    CHECK(search->total[s] == total, "minimalloc", "a section's total is of what is left over");
    CHECK(search->cut[s] == cut, "minimalloc", "a cut counts those left over that cross it");
    CHECK(search->floor[s] >= top, "minimalloc", "a floor is no lower than what is placed");
    CHECK(search->floor[s] <=
              (search->switches.unallocated_floor && total > 0 ? max64(top, least) : top),
          "minimalloc", "a floor is no higher than it has to be");
    CHECK(!search->listed[s], "minimalloc", "no section waits to be looked at");
}

/* Those left over start above all that are placed below them, and no higher.  */
static void check_offsets(const struct minimalloc_search *search)
{
    const struct minimalloc_problem *problem = search->problem;
    int64_t *least = memory_zalloc(problem->n, sizeof *least);

    for (size_t i = 0; i < search->n_stack; i++) {
        size_t b = search->stack[i];

        CHECK(search->placed[b], "minimalloc", "the stack holds what is placed");
        for (size_t k = problem->near_start[b]; k < problem->near_start[b + 1]; k++) {
            size_t other = problem->near[k].buffer;

            least[other] =
                max64(least[other], align_up(search->offset[b] + problem->near[k].effective,
                                             problem->instance->buffer[other].alignment));
        }
    }
    for (size_t b = 0; b < problem->n; b++)
        CHECK(search->placed[b] || search->offset[b] == max64(0, least[b]), "minimalloc",
              "a least offset is what the placed neighbours leave");
    free(least);
}

void minimalloc_search_check(const struct minimalloc_search *search)
{
    const struct minimalloc_problem *problem = search->problem;
    size_t placed = 0, work = problem->near_start[problem->n] + problem->sections * problem->n;

    if (!check_due((uint64_t)search->nodes, work))
        return;
    for (size_t b = 0; b < problem->n; b++)
        placed += search->placed[b];
    CHECK(placed == search->n_stack, "minimalloc", "what is placed is on the stack, once");
    for (size_t s = 0; s < problem->sections; s++)
        check_section(search, s);
    check_offsets(search);
}
