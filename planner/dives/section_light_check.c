/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include <math.h>

#include "lib/base/check.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "planner/dives/section_light.h"

/* What the placements say: the top of each section and what is left of each class.  */
struct told {
    int64_t *top, *rest;
    uint32_t *left;
};

static void tell(const struct section_light *light, struct told *told)
{
    const struct section_classes *classes = light->classes;

    for (size_t c = 0; c < classes->n; c++)
        told->left[c] = classes->copies[c];
    for (size_t s = 0; s < classes->sections; s++)
        told->rest[s] = classes->total[s];
    for (size_t i = 0; i < light->depth; i++) {
        size_t c = light->node[i].child;

        told->left[c]--;
        for (size_t s = classes->first[c]; s <= classes->last[c]; s++) {
            told->top[s] = max64(told->top[s], light->node[i].start + classes->size[c]);
            told->rest[s] -= classes->size[c];
        }
    }
}

static void check_class(const struct section_light *light, const struct told *told, size_t c)
{
    const struct section_classes *classes = light->classes;
    int64_t floor = max64(0, classes->fixed[c]);

    CHECK(light->left[c] == told->left[c], "light engine", "what is not placed is left");
    CHECK(light->counts.start[c] == min64(light->start[c], COUNTS_PLACED), "light engine",
          "the counts know the starts");
    CHECK((light->start[c] == LIGHT_PLACED) == (told->left[c] == 0), "light engine",
          "a class has a start as long as copies are left");
    if (told->left[c] == 0)
        return;
    for (size_t s = classes->first[c]; s <= classes->last[c]; s++)
        floor = max64(floor, told->top[s]);
    floor = section_classes_next(classes, c, floor);
    CHECK(light->was_postponed[c] ? light->start[c] >= floor : light->start[c] == floor,
          "light engine", "a class starts above what is placed, and no higher without a reason");
    CHECK(classes->fixed[c] >= 0 ||
              light->start[c] == section_classes_next(classes, c, light->start[c]),
          "light engine", "starts are aligned, and beside nothing that is fixed");
}

void section_light_check(const struct section_light *light)
{
    const struct section_classes *classes = light->classes;
    struct told told;

    if (!check_due(light->moves, classes->start[classes->sections] + classes->buffers))
        return;
    told = (struct told){memory_zalloc(classes->sections, sizeof *told.top),
                         memory_zalloc(classes->sections, sizeof *told.rest),
                         memory_zalloc(classes->n, sizeof *told.left)};
    tell(light, &told);
    for (size_t s = 0; s < classes->sections; s++) {
        int64_t slack = light->capacity - told.top[s] - told.rest[s];
        double tight = told.rest[s] == 0 ? INFINITY : (double)(slack + 1) * light->urgency[s];

        CHECK(light->top[s] == told.top[s], "light engine",
              "a section's top is the highest end of what is placed there");
        CHECK(light->rest[s] == told.rest[s], "light engine",
              "a section's rest is the total of what is not placed");
        CHECK(light->exact || light->tight[s] == tight, "light engine",
              "a section is as tight as its slack and weight say");
        CHECK(light->least_tight[s / LIGHT_BLOCK] <= light->tight[s], "light engine",
              "no section is tighter than the least of its block");
    }
    for (size_t c = 0; c < classes->n; c++)
        check_class(light, &told, c);
    memory_free(told.top);
    memory_free(told.rest);
    memory_free(told.left);
}
