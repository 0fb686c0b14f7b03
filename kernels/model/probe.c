/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/model/probe.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "kernels/model/probe_set.h"
#include "kernels/pool.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"

ISA_TABLE(sets, probe_set);

struct flops_job {
    const struct probe_set *set;
    double seconds;
    atomic_int_fast64_t rounds; /* of all threads */
    _Atomic float sink;         /* results that nobody needs but the compiler must not drop */
};

static void count_flops(void *context, int64_t item)
{
    const int64_t batch = 20000;
    struct flops_job *job = context;
    double end = timer_now() + job->seconds;

    (void)item;
    do {
        job->sink = job->set->multiply_add(batch);
        atomic_fetch_add(&job->rounds, batch);
    } while (timer_now() < end);
}

double probe_flops(enum isa isa, struct pool *pool, double seconds)
{
    struct flops_job job = {.set = sets[isa], .seconds = seconds};
    const int64_t threads = pool_threads(pool);
    double start = timer_now();

    pool_run(pool, threads, count_flops, &job);
    return (double)job.rounds * PROBE_MULTIPLY_ADDS * 2.0 * job.set->vector / (timer_now() - start);
}

double probe_latency(enum isa isa, bool memory, double seconds)
{
    const int64_t rounds = 1000;
    const struct probe_set *set = sets[isa];
    const double end = timer_now() + seconds;
    double best = INFINITY, start, now;
    volatile float sink;

    do {
        start = timer_now();
        sink = (memory ? set->memory_chain : set->chain)(rounds);
        now = timer_now();
        best = fmin(best, now - start);
    } while (now < end);
    (void)sink;
    return best / (double)(rounds * PROBE_MULTIPLY_ADDS);
}

double probe_read(enum isa isa, int64_t bytes, double seconds)
{
    const struct probe_set *set = sets[isa];
    const int64_t floats = bytes / (int64_t)sizeof(float) / 128 * 128;
    /* At the start of a cache line: vectors that cross one are slower.  */
    char *block = memory_alloc((size_t)floats + 16, sizeof(float));
    float *data = (float *)(void *)(block + (64 - (uintptr_t)block % 64) % 64);
    volatile float sink;
    double start, now, passes = 0.0;

    /* Written, so that there is memory behind every page.  */
    for (int64_t i = 0; i < floats; i++)
        data[i] = 1.0F;
    sink = set->read(data, floats);
    start = timer_now();
    do {
        for (int i = 0; i < (floats < 1 << 16 ? 64 : 1); i++, passes += 1.0)
            sink = set->read(data, floats);
        now = timer_now();
    } while (now < start + seconds);
    (void)sink;
    free(block);
    return passes * (double)floats * sizeof(float) / (now - start);
}
