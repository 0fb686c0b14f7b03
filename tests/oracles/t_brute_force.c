/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exhaustive search, which other tests trust, against trying every offset
 * of every buffer, and against what is known of equal sizes.  */
#include <config.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "tests/oracles/brute_force.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

enum { MOST = 4 };

/* A few small buffers: sizes to 3, alignments to 3, 4 steps.  */
static struct instance *tiny(struct rng *rng, int64_t most_size, int64_t most_alignment, size_t n)
{
    static const char *const ids[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    struct instance *instance = instance_new("tiny");

    for (size_t i = 0; i < n; i++) {
        int64_t begin = rng_range(rng, 0, 3), end = begin + rng_range(rng, 1, 3);
        int64_t alignment = rng_range(rng, 1, most_alignment);

        instance_add(instance, ids[i], begin, end, rng_range(rng, 1, most_size), alignment);
    }
    return sealed(instance);
}

static bool clash(const struct instance *instance, const int64_t *offset, size_t a, size_t b)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];

    return buffers_overlap_in_time(x, y) && offset[a] < offset[b] + y->size &&
           offset[b] < offset[a] + x->size;
}

/* The least peak when buffers 0 .. b-1 stand at OFFSET, with TOP the highest
 * end so far, and each of the others anywhere that ends at or below ROOM.  */
static int64_t try_all(const struct instance *instance, int64_t *offset, size_t b, int64_t top,
                       int64_t room)
{
    int64_t best = INT64_MAX;

    if (b == instance->n)
        return top;
    for (int64_t at = 0; at + instance->buffer[b].size <= room; at++) {
        int64_t end = at + instance->buffer[b].size, found;
        bool free = at % instance->buffer[b].alignment == 0;

        offset[b] = at;
        for (size_t other = 0; free && other < b; other++)
            free = !clash(instance, offset, b, other);
        if (!free)
            continue;
        found = try_all(instance, offset, b + 1, end > top ? end : top, room);
        if (found < best)
            best = found;
    }
    return best;
}

int main(void)
{
    struct rng *rng = rng_new(11);
    int rounds = tap_tier(200, 2000), same = 0, equal = 0;

    for (int round = 0; round < rounds; round++) {
        int64_t alignments = round % 2 == 0 ? 1 : 3;
        struct instance *instance = tiny(rng, 3, alignments, (size_t)rng_range(rng, 0, MOST));
        int64_t offset[MOST], room = 0;

        /* Stacked in any order, each padded, they end below this.  */
        for (size_t b = 0; b < instance->n; b++)
            room += instance->buffer[b].size + instance->buffer[b].alignment - 1;
        same += brute_force_optimum(instance) == try_all(instance, offset, 0, 0, room);
        instance_free(instance);
        instance = tiny(rng, 1, 1, 8);
        equal += brute_force_optimum(instance) == instance->load;
        instance_free(instance);
    }
    is_int(same, rounds, "no choice of offsets beats the exhaustive search, and one reaches it");
    is_int(equal, rounds, "with equal sizes the optimum is the load");
    rng_free(rng);
    return tap_done();
}
