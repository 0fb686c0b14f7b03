/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pool of threads: each item once, on all threads at once, whether they were looking for work
 * or asleep.  */
#include <config.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "kernels/pool.h"
#include "lib/base/memory.h"
#include "tests/support/tap.h"

enum { ITEMS = 50, ROUNDS = 2000 };

static void count_item(void *context, int64_t item)
{
    atomic_int *count = context;

    atomic_fetch_add(&count[item], 1);
}

/* Rounds of 0 to ITEMS items, one right behind the other.  */
static void test_once(struct pool *pool)
{
    atomic_int *count = memory_zalloc(ITEMS, sizeof *count);
    int wrong = 0, wanted[ITEMS] = {0};

    for (int round = 0; round < ROUNDS; round++) {
        int items = round % (ITEMS + 1);

        pool_run(pool, items, count_item, count);
        for (int i = 0; i < ITEMS; i++) {
            wanted[i] += i < items;
            wrong += atomic_load(&count[i]) != wanted[i];
        }
    }
    is_int(wrong, 0, "%d threads: each item once, and all before it returns", pool_threads(pool));
    free(count);
}

/* An item that ends when all threads have one: that needs all of them at once.  */
static void meet(void *context, int64_t item)
{
    atomic_int *left = context;

    (void)item;
    atomic_fetch_sub(left, 1);
    while (atomic_load(left) > 0)
        nanosleep(&(struct timespec){0, 10000}, NULL);
}

/* Work that comes at once, and work that comes when the threads have gone to sleep.  */
static void test_together(struct pool *pool)
{
    for (int round = 0; round < 20; round++) {
        atomic_int left = pool_threads(pool);

        if (round % 4 == 0)
            nanosleep(&(struct timespec){0, 5000000}, NULL);
        pool_run(pool, pool_threads(pool), meet, &left);
        ok(atomic_load(&left) == 0, "round %d: all at once", round);
    }
}

int main(void)
{
    struct error error = {""};

    for (int threads = 1; threads <= 3 && threads <= pool_processors(); threads++) {
        struct pool *pool = pool_new(threads, &error);

        if (!ok(pool != NULL, "%d threads: %s", threads, error.text))
            continue;
        test_once(pool);
        test_together(pool);
        pool_free(pool);
    }
    for (int i = 0; i < 20; i++)
        pool_free(pool_new(pool_processors(), &error));
    ok(true, "pools that did nothing end");
    return tap_done();
}
