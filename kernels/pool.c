/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/pool.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "lib/base/check.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"

/* Who waits looks again and again for so long before it sleeps: waking a thread takes as long as a
 * small layer does, and from one layer of a network to the next it is less than that.  The clock
 * is looked at after so many looks.  */
#define SPIN_S 200e-6
enum { LOOKS = 64 };

struct pool {
    int count;
    cpu_set_t before; /* where the calling thread might run */
    pthread_t *thread;
    int started;
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    atomic_int_fast64_t round; /* of work; the next one wakes the threads */
    atomic_int busy;           /* threads that have not finished the round */
    atomic_bool end;
    pool_work *work;
    void *context;
    int64_t items;
    atomic_int_fast64_t next;
};

int pool_processors(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return CPU_COUNT(&set);
}

int pool_threads(const struct pool *pool)
{
    return pool->count;
}

/* The processor of a thread: the INDEX-th of those in SET.  */
static void pin(pthread_t thread, const cpu_set_t *set, int index)
{
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, set) && index-- == 0) {
            cpu_set_t one;

            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            /* A thread that can't be pinned computes all the same.  */
            (void)pthread_setaffinity_np(thread, sizeof one, &one);
            return;
        }
}

static void take_items(struct pool *pool)
{
    for (;;) {
        int64_t item = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);

        if (item >= pool->items)
            return;
        pool->work(pool->context, item);
    }
}

static inline void pause_briefly(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

typedef bool pool_ready(struct pool *pool, int64_t seen);

static bool has_work(struct pool *pool, int64_t seen)
{
    return atomic_load_explicit(&pool->round, memory_order_acquire) != seen ||
           atomic_load_explicit(&pool->end, memory_order_relaxed);
}

static bool is_done(struct pool *pool, int64_t seen)
{
    (void)seen;
    return atomic_load_explicit(&pool->busy, memory_order_acquire) == 0;
}

/* Returns when READY says so.  Whoever makes it so signals WAKE after that, with the lock.  */
static void wait_until(struct pool *pool, pool_ready *ready, int64_t seen, pthread_cond_t *wake)
{
    double begin = timer_now();

    do {
        for (int i = 0; i < LOOKS; i++) {
            if (ready(pool, seen))
                return;
            pause_briefly();
        }
    } while (timer_now() - begin < SPIN_S);
    pthread_mutex_lock(&pool->lock);
    while (!ready(pool, seen))
        pthread_cond_wait(wake, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

static void signal_all(struct pool *pool, pthread_cond_t *wake)
{
    pthread_mutex_lock(&pool->lock);
    pthread_cond_broadcast(wake);
    pthread_mutex_unlock(&pool->lock);
}

static void *do_rounds(void *context)
{
    struct pool *pool = context;

    for (int64_t seen = 0;; seen++) {
        wait_until(pool, has_work, seen, &pool->wake);
        if (atomic_load_explicit(&pool->end, memory_order_relaxed))
            return NULL;
        take_items(pool);
        if (atomic_fetch_sub_explicit(&pool->busy, 1, memory_order_acq_rel) == 1)
            signal_all(pool, &pool->done);
    }
}

struct pool *pool_new(int count, struct error *error)
{
    struct pool *pool;
    int processors = pool_processors();

    assert(count > 0);
    if (count > processors) {
        error_set(error, "%d threads are more than the %d processors of this process", count,
                  processors);
        return NULL;
    }
    pool = memory_zalloc(1, sizeof *pool);
    pool->count = count;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    if (count == 1)
        return pool;
    pool->thread = memory_alloc((size_t)count, sizeof *pool->thread);
    CPU_ZERO(&pool->before);
    sched_getaffinity(0, sizeof pool->before, &pool->before);
    for (int i = 1; i < count; i++) {
        if (pthread_create(&pool->thread[i], NULL, do_rounds, pool) != 0) {
            error_set(error, "thread %d of %d could not be started", i + 1, count);
            pool_free(pool);
            return NULL;
        }
        pool->started++;
        pin(pool->thread[i], &pool->before, i);
    }
    pin(pthread_self(), &pool->before, 0);
    return pool;
}

struct pool *pool_take(struct pool *shared, int count, struct error *error)
{
    return shared != NULL ? shared : pool_new(count, error);
}

void pool_free(struct pool *pool)
{
    if (pool == NULL)
        return;
    atomic_store(&pool->end, true);
    signal_all(pool, &pool->wake);
    for (int i = 1; i <= pool->started; i++)
        pthread_join(pool->thread[i], NULL);
    if (pool->count > 1)
        (void)pthread_setaffinity_np(pthread_self(), sizeof pool->before, &pool->before);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    free(pool->thread);
    free(pool);
}

/* Between two rounds.  Each thread that looked for work took the number of one item more than
 * there are before it stopped.  */
static void check_idle(const struct pool *pool, int lookers)
{
    CHECK(pool->busy == 0, "pool", "no thread works between two rounds");
    CHECK(atomic_load(&pool->next) == pool->items + lookers, "pool", "each item was taken once");
}

void pool_run(struct pool *pool, int64_t items, pool_work *work, void *context)
{
    pool->work = work;
    pool->context = context;
    pool->items = items;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    if (pool->started > 0 && items > 1) {
        atomic_store_explicit(&pool->busy, pool->started, memory_order_relaxed);
        atomic_fetch_add_explicit(&pool->round, 1, memory_order_release);
        signal_all(pool, &pool->wake);
        take_items(pool);
        wait_until(pool, is_done, 0, &pool->done);
        CHECK_INVARIANT(check_idle(pool, 1 + pool->started));
    } else {
        take_items(pool);
        CHECK_INVARIANT(check_idle(pool, 1));
    }
}
