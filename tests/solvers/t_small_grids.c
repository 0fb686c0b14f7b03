/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact searches on all instances of up to five buffers on a small grid, against
 * exhaustive search, at every capacity from the load to the optimum.  None of them is above
 * its load but where buffers are aligned: six buffers are too few for that.  */
#include <config.h>

#include <stdint.h>

#include "lib/problem/instance.h"
#include "tests/oracles/brute_force.h"
#include "tests/oracles/every_capacity.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

enum { MOST_KINDS = 64, MOST_BUFFERS = 5 };

struct grid {
    struct buffer kind[MOST_KINDS];
    size_t kinds;
    struct capacity_tally tally;
};

/* All buffers within STEPS steps with sizes up to HIGH and alignments up to ALIGNMENT.  */
static void grid_init(struct grid *grid, int64_t steps, int64_t high, int64_t alignment)
{
    *grid = (struct grid){.kinds = 0};
    for (int64_t begin = 0; begin < steps; begin++)
        for (int64_t end = begin + 1; end <= steps; end++)
            for (int64_t size = 1; size <= high; size++)
                for (int64_t align = 1; align <= alignment; align++)
                    grid->kind[grid->kinds++] = (struct buffer){
                        .begin = begin, .end = end, .size = size, .alignment = align};
}

/* All that begin with the COUNT kinds in CHOSEN, and go on with kinds from the last of them
 * on: which of two buffers comes first makes no other instance.  */
static void grid_extend(struct grid *grid, size_t *chosen, size_t count, size_t most)
{
    struct instance *instance = instance_new("grid");

    for (size_t i = 0; i < count; i++) {
        const struct buffer *kind = &grid->kind[chosen[i]];
        const char id[] = {(char)('a' + i), '\0'};

        instance_add(instance, id, kind->begin, kind->end, kind->size, kind->alignment);
    }
    sealed(instance);
    capacity_judge(&grid->tally, instance, brute_force_optimum(instance));
    instance_free(instance);
    for (size_t next = count > 0 ? chosen[count - 1] : 0; count < most && next < grid->kinds;
         next++) {
        chosen[count] = next;
        grid_extend(grid, chosen, count + 1, most);
    }
}

static void grids(void)
{
    size_t chosen[MOST_BUFFERS], most = (size_t)tap_tier(MOST_BUFFERS - 1, MOST_BUFFERS);
    struct grid grid;

    grid_init(&grid, 4, 2, 1);
    grid_extend(&grid, chosen, 0, most);
    capacity_report(&grid.tally, "4 steps, sizes 1 and 2");
    is_int(grid.tally.above, 0, "none of these %d is above its load", grid.tally.all);
    grid_init(&grid, 2, 3, 2);
    grid_extend(&grid, chosen, 0, most);
    capacity_report(&grid.tally, "2 steps, sizes up to 3, alignments 1 and 2");
    ok(grid.tally.above > 0, "%d of %d are above their load", grid.tally.above, grid.tally.all);
}

int main(void)
{
    grids();
    return tap_done();
}
