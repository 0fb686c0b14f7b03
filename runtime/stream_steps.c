/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/stream_steps.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "kernels/pool.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"
#include "lib/graph/network.h"
#include "runtime/memory.h"
#include "runtime/step.h"

/* Scratch memory of two threads shares no line of the cache.  */
enum { ALIGNMENT = 64 };

/* How often a stream looks before it lets others have its processor.  */
enum { LOOKS = 1000 };

struct stream {
    const struct step **step;
    size_t count;
    unsigned char *scratch;
    const struct step *failed; /* NULL: none */
    struct error error;
};

struct stream_steps {
    const struct network *network;
    const size_t *after; /* of each operator: one that it waits for besides, or NETWORK_NONE */
    const struct run_memory *memory;
    struct pool *pool;
    size_t streams;
    struct stream *stream;
    int64_t scratch_bytes; /* of one stream */
    atomic_bool *done;     /* of each operator: its values are there */
    atomic_bool over;      /* an operator has failed */
    double *seconds;
};

/* --- making them --- */

static void deal_out(struct stream_steps *steps, const size_t *stream, const struct step *step)
{
    for (size_t i = 0; i < steps->network->n_ops; i++) {
        struct stream *own = &steps->stream[stream[step[i].op - steps->network->op]];

        own->step[own->count++] = &step[i];
        steps->scratch_bytes = max64(steps->scratch_bytes, step[i].scratch_bytes);
    }
    for (size_t k = 0; k < steps->streams; k++)
        steps->stream[k].scratch = memory_aligned(ALIGNMENT, (size_t)steps->scratch_bytes);
}

struct stream_steps *stream_steps_new(const struct network *network, const size_t *stream,
                                      const size_t *after, const struct step *step,
                                      const struct run_memory *memory, struct pool *pool,
                                      struct error *error)
{
    struct stream_steps *steps;
    size_t streams = 0;

    for (size_t o = 0; o < network->n_ops; o++)
        streams = stream[o] >= streams ? stream[o] + 1 : streams;
    if (streams > (size_t)pool_threads(pool)) {
        error_set(error, "%zu streams on %d threads; expected as many threads, or one", streams,
                  pool_threads(pool));
        return NULL;
    }
    steps = memory_zalloc(1, sizeof *steps);
    steps->network = network;
    steps->after = after;
    steps->memory = memory;
    steps->pool = pool;
    steps->streams = streams;
    steps->stream = memory_zalloc(streams, sizeof *steps->stream);
    for (size_t k = 0; k < streams; k++)
        steps->stream[k].step = memory_alloc(network->n_ops, sizeof(const struct step *));
    steps->done = memory_zalloc(network->n_ops, sizeof *steps->done);
    deal_out(steps, stream, step);
    return steps;
}

void stream_steps_free(struct stream_steps *steps)
{
    if (steps == NULL)
        return;
    for (size_t k = 0; k < steps->streams; k++) {
        free(steps->stream[k].step);
        free(steps->stream[k].scratch);
    }
    free(steps->stream);
    free(steps->done);
    free(steps);
}

int64_t stream_steps_scratch_bytes(const struct stream_steps *steps)
{
    return steps->scratch_bytes * (int64_t)steps->streams;
}

/* --- running --- */

/* False: an operator has failed meanwhile.  */
static bool wait_for(struct stream_steps *steps, size_t made)
{
    for (int looks = 0; !atomic_load_explicit(&steps->done[made], memory_order_acquire); looks++) {
        if (atomic_load_explicit(&steps->over, memory_order_relaxed))
            return false;
        if (looks >= LOOKS)
            sched_yield();
    }
    return true;
}

static bool wait_for_inputs(struct stream_steps *steps, const struct network_op *op)
{
    const size_t after =
        steps->after != NULL ? steps->after[op - steps->network->op] : NETWORK_NONE;

    for (size_t i = 0; i < op->inputs; i++) {
        const size_t made = steps->network->value[op->input[i]].producer;

        if (made != NETWORK_NONE && !wait_for(steps, made))
            return false;
    }
    if (after != NETWORK_NONE && !wait_for(steps, after))
        return false;
    return !atomic_load_explicit(&steps->over, memory_order_relaxed);
}

static bool do_step(struct stream_steps *steps, struct stream *stream, const struct step *step)
{
    const size_t o = (size_t)(step->op - steps->network->op);
    const double begin = timer_now();

    if (step->kind != STEP_IDLE && !step_run(step, stream->scratch, &stream->error)) {
        stream->failed = step;
        atomic_store_explicit(&steps->over, true, memory_order_relaxed);
        return false;
    }
    if (steps->seconds != NULL)
        steps->seconds[o] += timer_now() - begin;
    atomic_store_explicit(&steps->done[o], true, memory_order_release);
    return true;
}

static void run_stream(void *context, int64_t item)
{
    struct stream_steps *steps = context;
    struct stream *stream = &steps->stream[item];

    for (size_t i = 0; i < stream->count; i++)
        if (!wait_for_inputs(steps, stream->step[i]->op) ||
            !do_step(steps, stream, stream->step[i]))
            return;
}

bool stream_steps_run(struct stream_steps *steps, double *seconds, struct error *error)
{
    steps->seconds = seconds;
    atomic_store(&steps->over, false);
    for (size_t o = 0; o < steps->network->n_ops; o++)
        atomic_store(&steps->done[o], false);
    for (size_t k = 0; k < steps->streams; k++)
        steps->stream[k].failed = NULL;
    pool_run(steps->pool, (int64_t)steps->streams, run_stream, steps);
    for (size_t k = 0; k < steps->streams; k++)
        if (steps->stream[k].failed != NULL) {
            error_set(error, "%s", steps->stream[k].error.text);
            return error_prefix(error, "operator '%s'", steps->stream[k].failed->op->name);
        }
    return run_memory_intact(steps->memory) ||
           error_set(error, "an operator on one of %zu streams wrote beside the arena",
                     steps->streams);
}
