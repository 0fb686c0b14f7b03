/* SPDX-License-Identifier: Apache-2.0 */
/* A second thread beside the first: in its memory, by its clock, and never outliving the call that
 * began it.  When one of them runs out of memory, both end, and then the scope of the first
 * (lib/base/memory_scope.h) is left: no jump leaves a thread, or skips the end of another.  */
#ifndef ARENABENCH_LIB_BASE_BESIDE_H
#define ARENABENCH_LIB_BASE_BESIDE_H

#include <pthread.h>
#include <stdbool.h>

struct memory_pool;
struct timer_source;

struct beside {
    void (*work)(void *context);
    void *context;

    /* Called by a thread that is out of memory: makes the other one end soon, and lets go of what
     * that might wait for.  */
    void (*hurry)(void *shared);
    void *shared;

    /* Private.  */
    pthread_t thread;
    struct memory_pool *pool;
    const struct timer_source *source;
    bool exhausted;
};

/* Starts work(context) in a second thread; BESIDE has what is not private and stays until the
 * end.  False: there is no such thread, for want of memory or by a limit.  */
bool beside_start(struct beside *beside);

/* Waits for its end.  Where it ran out of memory this thread is out of memory, too.  */
void beside_end(struct beside *beside);

/* For `shared`: a lock that `hurry` may let go of, whether the thread holds it or not.  */
void beside_lock_init(pthread_mutex_t *lock);

#endif
