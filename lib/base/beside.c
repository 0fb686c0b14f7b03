/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/base/beside.h"

#include <stddef.h>

#include "lib/base/memory.h"
#include "lib/base/memory_scope.h"
#include "lib/base/timer.h"

/* The searches have no recursion.  */
#define STACK_BYTES ((size_t)1 << 20)

void beside_lock_init(pthread_mutex_t *lock)
{
    pthread_mutexattr_t attributes;

    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

static void hurry(void *context)
{
    struct beside *beside = context;

    beside->hurry(beside->shared);
}

/* In the second thread's scope.  */
static void work(void *context)
{
    struct beside *beside = context;

    memory_scope_on_exhaustion(hurry, beside);
    beside->work(beside->context);
}

static void *run(void *context)
{
    struct beside *beside = context;

    timer_use(beside->source);
    if (beside->pool == NULL)
        beside->work(beside->context);
    else
        beside->exhausted = !memory_scope_run(beside->pool, work, beside);
    return NULL;
}

static void join(struct beside *beside)
{
    pthread_join(beside->thread, NULL);
    if (beside->pool != NULL)
        beside->pool->shared = false;
}

/* The first thread is out of memory.  */
static void give_up(void *context)
{
    struct beside *beside = context;

    beside->hurry(beside->shared);
    join(beside);
}

bool beside_start(struct beside *beside)
{
    pthread_attr_t attributes;
    bool started;

    beside->pool = memory_scope_pool();
    beside->source = timer_in_use();
    beside->exhausted = false;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    if (beside->pool != NULL)
        beside->pool->shared = true;
    started = pthread_create(&beside->thread, &attributes, run, beside) == 0;
    pthread_attr_destroy(&attributes);
    if (started)
        memory_scope_on_exhaustion(give_up, beside);
    else if (beside->pool != NULL)
        beside->pool->shared = false;
    return started;
}

void beside_end(struct beside *beside)
{
    memory_scope_on_exhaustion(NULL, NULL);
    join(beside);
    if (beside->exhausted)
        memory_exhausted();
}
