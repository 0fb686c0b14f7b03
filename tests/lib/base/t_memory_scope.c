/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of somebody else's: each block given back with its size, whatever happens.  */
#include <config.h>

#include "lib/base/memory_scope.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "tests/support/tap.h"

/* An allocator that keeps books, and has no more after so many blocks.  */
struct books {
    size_t blocks, bytes; /* out now */
    size_t given, most;   /* so far; bytes at once */
    size_t last;          /* the last block that there is; SIZE_MAX: no end */
};

static void *allocate(void *context, size_t bytes)
{
    struct books *books = context;

    if (books->given >= books->last)
        return NULL;
    books->given++;
    books->blocks++;
    books->bytes += bytes;
    if (books->bytes > books->most)
        books->most = books->bytes;
    return malloc(bytes);
}

static void release(void *context, void *block, size_t bytes)
{
    struct books *books = context;

    books->blocks--;
    books->bytes -= bytes;
    free(block);
}

/* --- work --- */

struct job {
    bool good, reached;
    struct books *books;
};

static void fill(void *context)
{
    struct job *job = context;
    unsigned char *text = memory_alloc(10, 1), *more = memory_zalloc(1000, 8);
    size_t capacity = 0;
    int *list = NULL;

    memcpy(text, "012345678", 10);
    for (int i = 0; i < 8000; i++)
        job->good = job->good && more[i] == 0;
    text = memory_resize(text, 100000, 1);
    job->good = job->good && memcmp(text, "012345678", 10) == 0;
    text = memory_resize(text, 5, 1);
    job->good = job->good && memcmp(text, "01234", 5) == 0 && (uintptr_t)text % 16 == 0;
    for (size_t i = 0; i < 1000; i++) {
        list = memory_grow(list, &capacity, i + 1, sizeof *list);
        list[i] = (int)i;
    }
    for (int i = 0; i < 1000; i++)
        job->good = job->good && list[i] == i;
    memory_free(memory_strdup("text"));
    memory_free(NULL);
    memory_free(more);
    job->reached = true; /* TEXT and LIST are left to the pool */
}

static void keeps_books(void)
{
    struct books books = {.last = SIZE_MAX};
    struct memory_pool pool;
    struct job job = {.good = true};

    memory_pool_init(&pool, allocate, release, &books, 0);
    ok(memory_scope_run(&pool, fill, &job) && job.reached && job.good,
       "blocks hold what they held");
    ok(books.blocks == 2 && books.bytes == pool.used && books.most == pool.most,
       "what was not given back is the pool's, and it knows how much was out");
    ok(memory_scope_pool() == NULL, "behind it there is no scope");
    memory_pool_clear(&pool);
    ok(books.blocks == 0 && books.bytes == 0, "it gives back the rest");
}

static void every_failure(void)
{
    struct books all = {.last = SIZE_MAX};
    struct memory_pool pool;
    struct job job = {.good = true};
    bool left = true, clean = true;

    memory_pool_init(&pool, allocate, release, &all, 0);
    memory_scope_run(&pool, fill, &job);
    memory_pool_clear(&pool);
    for (size_t last = 0; last < all.given; last++) {
        struct books books = {.last = last};

        job.reached = false;
        memory_pool_init(&pool, allocate, release, &books, 0);
        left = left && !memory_scope_run(&pool, fill, &job) && !job.reached;
        memory_pool_clear(&pool);
        clean = clean && books.blocks == 0 && books.bytes == 0 && memory_scope_pool() == NULL;
    }
    ok(all.given > 10 && left, "without a block of it work is left, whichever it is");
    ok(clean, "and nothing is kept");
}

static void a_limit(void)
{
    struct memory_pool pool;
    struct job job = {.good = true};
    size_t most;

    memory_pool_init(&pool, NULL, NULL, NULL, 0);
    memory_scope_run(&pool, fill, &job);
    most = pool.most;
    memory_pool_clear(&pool);
    memory_pool_init(&pool, NULL, NULL, NULL, most);
    ok(memory_scope_run(&pool, fill, &job), "as many bytes as it needs are enough");
    memory_pool_clear(&pool);
    memory_pool_init(&pool, NULL, NULL, NULL, most - 1);
    ok(!memory_scope_run(&pool, fill, &job) && pool.most < most, "one less is not");
    memory_pool_clear(&pool);
}

static void overflow(void *context)
{
    struct job *job = context;

    memory_alloc(SIZE_MAX / 2, 3);
    job->reached = true;
}

static void overflows(void)
{
    struct memory_pool pool;
    struct job job = {0};

    memory_pool_init(&pool, NULL, NULL, NULL, 0);
    ok(!memory_scope_run(&pool, overflow, &job) && !job.reached, "a product that is too large");
    memory_pool_clear(&pool);
}

/* --- nesting --- */

static void exhaust(void *context)
{
    (void)context;
    memory_free(memory_alloc(1, 1));
    memory_exhausted();
}

static void nest(void *context)
{
    struct job *job = context;
    struct memory_pool inner;
    char *kept = memory_strdup("kept");
    struct memory_scope *scope;
    void *outside;

    memory_pool_init(&inner, allocate, release, job->books, 0);
    job->good = !memory_scope_run(&inner, exhaust, NULL);
    memory_pool_clear(&inner);
    scope = memory_scope_suspend();
    outside = memory_alloc(1, 100);
    job->good = job->good && memory_scope_pool() == NULL && job->books->blocks == 1;
    memory_free(outside);
    memory_scope_resume(scope);
    job->good = job->good && strcmp(kept, "kept") == 0;
    memory_free(kept);
    job->reached = true;
}

static void nests(void)
{
    struct books books = {.last = SIZE_MAX};
    struct memory_pool pool;
    struct job job = {.books = &books};

    memory_pool_init(&pool, allocate, release, &books, 0);
    ok(memory_scope_run(&pool, nest, &job) && job.reached && job.good,
       "a scope within another one is left alone, and one that is suspended is out of the way");
    memory_pool_clear(&pool);
    ok(books.blocks == 0, "all is given back");
}

int main(void)
{
    keeps_books();
    every_failure();
    a_limit();
    overflows();
    nests();
    return tap_done();
}
