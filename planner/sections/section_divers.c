/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/sections/section_divers.h"

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "planner/dives/dive_settings.h"
#include "planner/dives/section_classes.h"
#include "lib/base/luby.h"

/* Of ten staged dives, the last so many follow the best packing.  */
#define GUIDED_OF_TEN 4
/* Of four dives at the load, the last is staged.  */
#define SEARCHES_OF_FOUR 3

static const struct {
    const char *order;
    bool backward, tight;
} ways[SECTION_DIVERS] = {{"TAW", false, false}, {"ZW", false, true},  {"TWA", false, false},
                          {"ZW", true, true},    {"WAT", true, false}, {"ZW", false, false}};

void section_divers_init(struct section_divers *divers, const struct instance *instance,
                         int64_t unit, uint32_t seed)
{
    *divers = (struct section_divers){
        .instance = instance,
        .unit = unit,
        .best = memory_alloc(instance->n, sizeof *divers->best),
        .found = memory_alloc(instance->n, sizeof *divers->found),
        .seed = seed,
    };
}

void section_divers_clear(struct section_divers *divers)
{
    memory_free(divers->best);
    memory_free(divers->found);
    for (size_t i = 0; i < SECTION_DIVERS; i++)
        if (divers->diver[i].classes != NULL) {
            section_dives_clear(&divers->diver[i].dives);
            section_classes_free(divers->diver[i].classes);
        }
}

static void begin_diver(struct section_divers *divers, struct section_diver *diver)
{
    size_t which = divers->next;
    struct section_classes *classes =
        section_classes_of(divers->instance, divers->unit, true, ways[which].backward);

    diver->classes = classes;
    /* In the place of the first order of ties, the one that its dives ask for.  */
    section_classes_ranks(classes, ways[which].order, classes->rank[RANK_LENGTH]);
    section_dives_init(&diver->dives, diver->classes, DIVE_LOG_BYTES, divers->seed);
}

bool section_divers_dive(struct section_divers *divers, int64_t low, int64_t high, bool likely,
                         int64_t nodes, double deadline)
{
    struct section_diver *diver = &divers->diver[divers->next];
    struct section_dives *dives = &diver->dives;
    bool found = false, tight = ways[divers->next].tight;
    bool near = high - low <= low / DIVE_NEAR_LOAD;

    if (diver->classes == NULL)
        begin_diver(divers, diver);
    divers->next = (divers->next + 1) % SECTION_DIVERS;
    dives->node_end = dives->nodes + nodes;
    dives->deadline = deadline;
    section_dives_follow(dives, divers->best, 0);
    for (int64_t k = 0; !found && !section_dives_spent(dives); k++)
        if (likely && k % 4 < SEARCHES_OF_FOUR)
            found = section_dives_search(
                dives, low, DIVE_SEARCH_FAILURES * luby(++diver->rounds),
                (struct section_dive){.guided = near && k % 4 == 1, .tight = tight});
        else
            found = section_dives_stage(
                dives, low, high + 1,
                (struct section_dive){.guided = diver->staged++ % 10 >= 10 - GUIDED_OF_TEN,
                                      .tight = tight});
    for (size_t i = 0; found && i < divers->instance->n; i++)
        divers->found[diver->classes->copy[i]] = dives->best[i];
    return found;
}

void section_divers_count(const struct section_divers *divers, struct search_statistics *sum)
{
    for (size_t i = 0; i < SECTION_DIVERS; i++)
        section_dives_count(&divers->diver[i].dives, sum);
}

int64_t section_divers_nodes(const struct section_divers *divers)
{
    int64_t nodes = 0;

    for (size_t i = 0; i < SECTION_DIVERS; i++)
        nodes += divers->diver[i].dives.nodes;
    return nodes;
}
