#include <config.h>

#include "planner/sections/section_order.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "planner/greedy/order.h"
#include "planner/sections/section_problem.h"

static int64_t fullest_total(const struct section_problem *problem, size_t b)
{
    int64_t fullest = 0;

    for (size_t s = problem->first[b]; s <= problem->last[b]; s++)
        fullest = max64(fullest, problem->total[s]);
    return fullest;
}

/* Areas wrap around where they don't fit, which changes no more than a tie.  */
static uint64_t value_of(const struct section_problem *problem, char key, size_t b)
{
    switch (key) {
    case 'W':
        return problem->length[b];
    case 'A':
        return problem->length[b] * (uint64_t)problem->size[b];
    case 'T':
        return (uint64_t)fullest_total(problem, b);
    default:
        return (uint64_t)problem->size[b];
    }
}

/* The last key first: each sort keeps the order of what is equal.  */
void section_order_ranks(const struct section_problem *problem, const char *keys, size_t *rank)
{
    struct order_key *key = memory_alloc(problem->n, sizeof *key);

    for (size_t b = 0; b < problem->n; b++)
        key[b].index = b;
    for (size_t k = strlen(keys); k-- > 0;) {
        for (size_t i = 0; i < problem->n; i++) {
            key[i].major = ~value_of(problem, keys[k], key[i].index);
            key[i].minor = 0;
        }
        order_sort(key, problem->n);
    }
    for (size_t i = 0; i < problem->n; i++)
        rank[key[i].index] = i;
    free(key);
}
