/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path-cover's groups: as many as the width, and as the fewest vertex-disjoint
 * paths that cover the graph with an edge i -> j where end[i] <= begin[j].  */
#include <config.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/place/path_groups.h"
#include "lib/problem/instance.h"
#include "tests/support/random_instances.h"
#include "tests/support/run_solver.h"
#include "tests/support/tap.h"

/* Every vertex is a path of its own; each matched edge joins two paths.  So
 * the fewest paths are n less a largest matching between what comes before and
 * what comes after (Kuhn's augmenting paths).  */
struct matching {
    const struct instance *instance;
    size_t *before; /* of each vertex: who precedes it, or SIZE_MAX */
    bool *seen;
};

static bool augment(struct matching *matching, size_t i)
{
    const struct buffer *buffer = matching->instance->buffer;

    for (size_t j = 0; j < matching->instance->n; j++) {
        if (matching->seen[j] || buffer[i].end > buffer[j].begin)
            continue;
        matching->seen[j] = true;
        if (matching->before[j] == SIZE_MAX || augment(matching, matching->before[j])) {
            matching->before[j] = i;
            return true;
        }
    }
    return false;
}

static int64_t fewest_paths(const struct instance *instance)
{
    size_t n = instance->n;
    struct matching matching = {
        .instance = instance,
        .before = memory_alloc(n, sizeof *matching.before),
        .seen = memory_alloc(n, sizeof *matching.seen),
    };
    int64_t paths = (int64_t)n;

    memset(matching.before, 0xff, n * sizeof *matching.before);
    for (size_t i = 0; i < n; i++) {
        memset(matching.seen, 0, n * sizeof *matching.seen);
        paths -= augment(&matching, i);
    }
    free(matching.before);
    free(matching.seen);
    return paths;
}

/* No two members of one group are alive at one step.  */
static bool disjoint(const struct instance *instance, const size_t *group)
{
    for (size_t i = 0; i < instance->n; i++)
        for (size_t j = 0; j < i; j++)
            if (group[i] == group[j] &&
                buffers_overlap_in_time(&instance->buffer[i], &instance->buffer[j]))
                return false;
    return true;
}

/* The article's bound, which leaves alignment out.  */
static bool within_bound(const struct instance *instance, const char *choice)
{
    char *spec = memory_printf("path-cover:choice=%s", choice);
    bool within = run_solver_peak(spec, instance) <= instance->width * instance->max_size ||
                  instance->max_alignment > 1;

    free(spec);
    return within;
}

int main(void)
{
    static const char *const choices[] = {"first", "last", "best"};
    struct rng *rng = rng_new(7);
    int rounds = tap_tier(20, 100);

    for (size_t kind = 0; kind < RANDOM_KINDS; kind++) {
        const char *name = random_kind_name((enum random_kind)kind);
        int matching_is_width = 0, groups_are_width[3] = {0}, groups_are_paths[3] = {0};
        int bound_holds[3] = {0};

        for (int round = 0; round < rounds; round++) {
            size_t n = (size_t)rng_range(rng, 0, 40);
            struct instance *instance = random_instance(rng, (enum random_kind)kind, n);
            size_t *group = memory_alloc(n, sizeof *group);

            matching_is_width += fewest_paths(instance) == instance->width;
            for (int choice = 0; choice < 3; choice++) {
                size_t count = path_groups(instance, (enum group_choice)choice, group);

                groups_are_width[choice] += (int64_t)count == instance->width;
                groups_are_paths[choice] += disjoint(instance, group);
                bound_holds[choice] += within_bound(instance, choices[choice]);
            }
            free(group);
            instance_free(instance);
        }
        is_int(matching_is_width, rounds, "%s: the minimum path cover is the width", name);
        for (int choice = 0; choice < 3; choice++) {
            is_int(groups_are_width[choice], rounds, "%s, %s: as many groups as the width", name,
                   choices[choice]);
            is_int(groups_are_paths[choice], rounds, "%s, %s: each group is a path", name,
                   choices[choice]);
            is_int(bound_holds[choice], rounds, "%s, %s: peak <= width x max_size", name,
                   choices[choice]);
        }
    }
    rng_free(rng);
    return tap_done();
}
