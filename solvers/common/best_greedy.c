#include <config.h>

#include "solvers/common/best_greedy.h"

#include <stdlib.h>
#include <string.h>

#include "lib/checked.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/plan.h"
#include "solvers/common/gap_index.h"
#include "solvers/common/order.h"
#include "solvers/common/path_groups.h"
#include "solvers/common/time_parts.h"

enum order { BY_SIZE, BY_LENGTH, BY_AREA, BY_BEGIN, BY_GROUP /* path cover */ };

static const struct {
    enum order order;
    enum gap_fit fit; /* BY_GROUP has a skyline instead */
} recipe[] = {
    {BY_SIZE, FIT_FIRST},   {BY_SIZE, FIT_BEST},   {BY_GROUP, FIT_FIRST},
    {BY_LENGTH, FIT_FIRST}, {BY_AREA, FIT_FIRST},  {BY_LENGTH, FIT_BEST},
    {BY_AREA, FIT_BEST},    {BY_BEGIN, FIT_FIRST}, {BY_BEGIN, FIT_BEST},
};

enum { RECIPES = sizeof recipe / sizeof recipe[0], RECIPES_IF_LARGE = 3, LARGE = 5000 };

static struct order_key key_of(const struct buffer *buffer, enum order order, size_t index)
{
    uint64_t length = lifetime_length(buffer), size = (uint64_t)buffer->size, area;

    switch (order) {
    case BY_LENGTH:
        return (struct order_key){~length, ~size, index};
    case BY_AREA:
        if (__builtin_mul_overflow(length, size, &area))
            area = UINT64_MAX;
        return (struct order_key){~area, ~size, index};
    case BY_BEGIN:
        return (struct order_key){key_ascending(buffer->begin), ~size, index};
    case BY_SIZE:
    case BY_GROUP: /* has keys of its own */
        break;
    }
    return (struct order_key){~size, ~length, index};
}

static void place(const struct instance *instance, size_t r, struct order_key *key,
                  struct plan *plan)
{
    if (recipe[r].order == BY_GROUP) {
        path_groups_place(instance, GROUP_FIRST, plan);
        return;
    }
    for (size_t b = 0; b < instance->n; b++)
        key[b] = key_of(&instance->buffer[b], recipe[r].order, b);
    order_sort(key, instance->n);
    gap_place(instance, key, recipe[r].fit, plan);
}

void best_greedy(const struct instance *instance, const size_t *part, size_t parts,
                 struct plan *plan)
{
    size_t recipes = instance->n > LARGE ? RECIPES_IF_LARGE : RECIPES;
    struct order_key *key = memory_alloc(instance->n, sizeof *key);
    int64_t *best = memory_alloc(parts, sizeof *best), *peak = memory_alloc(parts, sizeof *peak);
    struct plan *trial = plan_new(instance);

    for (size_t p = 0; p < parts; p++)
        best[p] = INT64_MAX;
    for (size_t r = 0; r < recipes && (r == 0 || plan->peak > instance->load); r++) {
        place(instance, r, key, trial);
        time_parts_peaks(instance, part, parts, trial, peak);
        for (size_t b = 0; b < instance->n; b++)
            if (peak[part[b]] < best[part[b]])
                plan->offset[b] = trial->offset[b];
        for (size_t p = 0; p < parts; p++)
            best[p] = min64(best[p], peak[p]);
        plan->peak = plan_peak(instance, plan);
    }
    plan_free(trial);
    free(peak);
    free(best);
    free(key);
}
