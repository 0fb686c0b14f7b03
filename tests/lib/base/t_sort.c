/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The project's sort: in order, and stable, whatever the size of elements and arrays.  */
#include <config.h>

#include "lib/base/sort.h"

#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "tests/support/tap.h"

/* Wider than what is kept on the stack, to take every way.  */
struct element {
    int key, number;
    char rest[300];
};

static int compare_numbers(const void *a, const void *b)
{
    const int *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* By key alone: equal ones are told apart by the order that they had.  */
static bool sorted(struct rng *rng, size_t count, size_t size, int keys)
{
    char *base = memory_zalloc(count, size);
    long long sum = 0;
    bool good = true;

    for (size_t i = 0; i < count; i++) {
        int pair[2] = {(int)rng_range(rng, 1, keys), (int)i};

        memcpy(base + i * size, pair, sizeof pair);
        sum += pair[0];
    }
    sort_stable(base, count, size, compare_numbers);
    for (size_t i = 0; i < count; i++) {
        int pair[2], before[2] = {0, 0};

        memcpy(pair, base + i * size, sizeof pair);
        if (i > 0)
            memcpy(before, base + (i - 1) * size, sizeof before);
        good = good && (before[0] < pair[0] || (before[0] == pair[0] && before[1] < pair[1]));
        sum -= pair[0];
    }
    memory_free(base);
    return good && sum == 0;
}

int main(void)
{
    struct rng *rng = rng_new(1);
    bool small = true, large = true, wide = true;

    for (size_t count = 0; count < 100; count++) {
        small = sorted(rng, count, 8, 1 + (int)(count % 7)) && small;
        wide = sorted(rng, count, sizeof(struct element), 1 + (int)(count % 9)) && wide;
    }
    for (int round = 0; round < 50; round++)
        large = sorted(rng, (size_t)rng_range(rng, 100, 3000), 24, (int)rng_range(rng, 1, 3000)) &&
                large;
    sort_stable(NULL, 0, 8, compare_numbers);
    ok(small, "arrays of up to 99 elements");
    ok(wide, "with large elements");
    ok(large, "and long ones come in order, equal elements as they were");
    rng_free(rng);
    return tap_done();
}
