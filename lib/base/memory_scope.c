/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/base/memory_scope.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* What stands before each block: it keeps the block aligned for anything.  */
struct memory_block {
    struct memory_block *next, *before;
    size_t bytes; /* with this */
    max_align_t content[];
};

struct memory_scope {
    struct memory_pool *pool;
    struct memory_scope *outer;
    jmp_buf begin;
};

/* No state that calls would share: where the call that this thread is in began.  */
static _Thread_local struct memory_scope *current;

/* --- pools --- */

static void *allocate_by_malloc(void *context, size_t bytes)
{
    (void)context;
    return malloc(bytes);
}

static void release_by_free(void *context, void *block, size_t bytes)
{
    (void)context;
    (void)bytes;
    free(block);
}

void memory_pool_init(struct memory_pool *pool, void *(*allocate)(void *context, size_t bytes),
                      void (*release)(void *context, void *block, size_t bytes), void *context,
                      size_t limit)
{
    bool own = allocate == NULL;

    *pool = (struct memory_pool){
        .allocate = own ? allocate_by_malloc : allocate,
        .release = own ? release_by_free : release,
        .context = context,
        .limit = limit,
    };
}

/* NULL where there is no more.  */
static struct memory_block *take(struct memory_pool *pool, size_t bytes)
{
    struct memory_block *block;
    void *given;

    if (pool->limit > 0 && (bytes > pool->limit || pool->used > pool->limit - bytes))
        return NULL;
    given = pool->allocate(pool->context, bytes);
    if (given == NULL)
        return NULL;
    block = (struct memory_block *)given;
    block->bytes = bytes;
    block->before = NULL;
    block->next = pool->first;
    if (pool->first != NULL)
        pool->first->before = block;
    pool->first = block;
    pool->used += bytes;
    if (pool->used > pool->most)
        pool->most = pool->used;
    return block;
}

static void give_back(struct memory_pool *pool, struct memory_block *block)
{
    if (block->before != NULL)
        block->before->next = block->next;
    else
        pool->first = block->next;
    if (block->next != NULL)
        block->next->before = block->before;
    pool->used -= block->bytes;
    pool->release(pool->context, block, block->bytes);
}

void memory_pool_clear(struct memory_pool *pool)
{
    while (pool->first != NULL)
        give_back(pool, pool->first);
}

/* --- scopes --- */

/* Nothing that setjmp might lose lives here: what it needs again is in memory.  */
bool memory_scope_run(struct memory_pool *pool, void (*work)(void *context), void *context)
{
    struct memory_scope scope = {.pool = pool, .outer = current};

    current = &scope;
    if (setjmp(scope.begin) != 0) {
        current = scope.outer;
        return false;
    }
    work(context);
    current = scope.outer;
    return true;
}

struct memory_pool *memory_scope_pool(void)
{
    return current == NULL ? NULL : current->pool;
}

struct memory_scope *memory_scope_suspend(void)
{
    struct memory_scope *scope = current;

    current = NULL;
    return scope;
}

void memory_scope_resume(struct memory_scope *scope)
{
    current = scope;
}

void memory_scope_leave(void)
{
    struct memory_scope *scope = current;

    if (scope != NULL)
        longjmp(scope->begin, 1);
}

void *memory_scope_resize(void *old, size_t count, size_t size)
{
    struct memory_pool *pool = current->pool;
    struct memory_block *block, *before = NULL;
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes) ||
        __builtin_add_overflow(bytes, sizeof *block, &bytes))
        memory_scope_leave();
    if (old != NULL)
        before = (struct memory_block *)((char *)old - sizeof *before);
    block = take(pool, bytes);
    if (block != NULL && before != NULL) {
        memcpy(block->content, before->content,
               (bytes < before->bytes ? bytes : before->bytes) - sizeof *block);
        give_back(pool, before);
    }
    if (block == NULL)
        memory_scope_leave();
    return block->content;
}

void memory_scope_free(void *block)
{
    struct memory_pool *pool = current->pool;

    if (block == NULL)
        return;
    give_back(pool, (struct memory_block *)((char *)block - sizeof(struct memory_block)));
}
