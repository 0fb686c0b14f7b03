/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of somebody else's, and what happens when it is out: for code that allocates by
 * lib/base/memory.h and is called from where a lack of memory may not end the program.
 *
 * A pool keeps a list of its blocks, and their sizes, in memory that an allocator gives.  While a
 * function runs in a scope, what its thread allocates comes from the scope's pool.  When there is
 * no more, or the pool's limit is reached, it is left by a jump back to where the scope began, and
 * pool_release gives back what it held.  Scopes nest: each call of memory_scope_run has its own.
 * Without a scope all is as memory.h says.  A pool is one thread's.  */
#ifndef ARENABENCH_LIB_BASE_MEMORY_SCOPE_H
#define ARENABENCH_LIB_BASE_MEMORY_SCOPE_H

#include <stdbool.h>
#include <stddef.h>

struct memory_block;
struct memory_scope;

struct memory_pool {
    /* BYTES, above 0, aligned for anything, or NULL; RELEASE takes them back.  */
    void *(*allocate)(void *context, size_t bytes);
    void (*release)(void *context, void *block, size_t bytes);
    void *context;
    size_t limit; /* of bytes at once; 0: none */

    size_t used, most; /* bytes now, and at once so far */
    struct memory_block *first;
};

/* ALLOCATE == NULL: malloc and free.  */
void memory_pool_init(struct memory_pool *pool, void *(*allocate)(void *context, size_t bytes),
                      void (*release)(void *context, void *block, size_t bytes), void *context,
                      size_t limit);

/* Gives back all blocks that are left.  */
void memory_pool_clear(struct memory_pool *pool);

/* Runs WORK(CONTEXT) in a scope of POOL.  False: memory was out, and WORK was left where that
 * was; its blocks are still POOL's.  */
bool memory_scope_run(struct memory_pool *pool, void (*work)(void *context), void *context);

/* The pool of this thread's scope; NULL: there is no scope.  */
struct memory_pool *memory_scope_pool(void);

/* Around a call of somebody else's function, who knows nothing of the scope: suspends it, and
 * goes on with what that returned.  NULL: there is none.  */
struct memory_scope *memory_scope_suspend(void);
void memory_scope_resume(struct memory_scope *scope);

/* Leaves the scope of this thread.  Returns only where there is none.  */
void memory_scope_leave(void);

/* In the scope of this thread, which has to be there: COUNT x SIZE bytes in place of BLOCK, or of
 * nothing if that is NULL; and back.  */
void *memory_scope_resize(void *block, size_t count, size_t size);
void memory_scope_free(void *block);

#endif
