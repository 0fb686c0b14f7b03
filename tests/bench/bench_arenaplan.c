/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What libarenaplan costs as it is shipped: plans in a millisecond on MiniMalloc's instances, a
 * greedy plan of 100,000 buffers, a call for ten, memory, and how long a call goes on that has no
 * time.  Links the library itself and not
 * the planner's objects.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lib/base/memory.h"
#include "lib/base/real_inputs.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "planner/arenaplan.h"
#include "tests/bench/bench.h"

enum { ROUNDS = 31, CALLS = 20000, FEW = 10, MANY = 100000 };

struct measured {
    double seconds; /* of processor time */
    struct arenaplan_result result;
};

static double processor_time(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The best of ROUNDS turns, by its peak and then its time: a machine that others use only ever
 * takes away.  */
static struct measured measure(const struct arenaplan_buffer *buffer, size_t count, double seconds,
                               int rounds)
{
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, count);
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct measured best = {1e9, ARENAPLAN_RESULT};
    int64_t *offset = memory_alloc(count, sizeof *offset);

    options.seconds = seconds;
    for (int round = 0; round < rounds; round++) {
        struct arenaplan_result result = ARENAPLAN_RESULT;
        double begin = processor_time();

        arenaplan_plan(&problem, &options, offset, &result);
        begin = processor_time() - begin;
        if (round == 0 || result.peak < best.result.peak ||
            (result.peak == best.result.peak && begin < best.seconds))
            best = (struct measured){begin, result};
    }
    memory_free(offset);
    return best;
}

static struct arenaplan_buffer *drawn(size_t count)
{
    struct arenaplan_buffer *buffer = memory_zalloc(count, sizeof *buffer);
    struct rng *rng = rng_new(1);

    for (size_t b = 0; b < count; b++) {
        buffer[b].begin = rng_range(rng, 0, (int64_t)count);
        buffer[b].end = buffer[b].begin + rng_range(rng, 1, 20);
        buffer[b].size = rng_range(rng, 1, 1 << 20);
    }
    rng_free(rng);
    return buffer;
}

/* One of MiniMalloc's: at the load within a millisecond.  */
static void millisecond(const char *folder, char letter)
{
    char *path = memory_printf("%s/minimalloc/%c.1048576.csv", folder, letter);
    FILE *in = fopen(path, "r");
    struct error error = {""};
    struct instance *instance = in == NULL ? NULL : instance_csv_read(in, path, NULL, &error);
    struct arenaplan_buffer *buffer;
    struct measured best;

    if (in != NULL)
        fclose(in);
    if (instance == NULL) {
        printf("%s: %s\n", path, in == NULL ? "is not there" : error.text);
        free(path);
        return;
    }
    buffer = memory_zalloc(instance->n, sizeof *buffer);
    for (size_t b = 0; b < instance->n; b++) {
        buffer[b].begin = instance->buffer[b].begin;
        buffer[b].end = instance->buffer[b].end;
        buffer[b].size = instance->buffer[b].size;
        buffer[b].alignment = instance->buffer[b].alignment;
    }
    best = measure(buffer, instance->n, 0.001, ROUNDS);
    bench_goal(best.result.status == ARENAPLAN_OPTIMAL,
               "%c: %zu buffers in 1 ms: %s, peak %.3f of the load, %.3f ms, %.0f bytes a buffer",
               letter, instance->n, arenaplan_status_text(best.result.status),
               (double)best.result.peak / (double)instance->load, 1e3 * best.seconds,
               (double)best.result.memory / (double)instance->n);
    memory_free(buffer);
    instance_free(instance);
    free(path);
}

static void many(void)
{
    struct arenaplan_buffer *buffer = drawn(MANY);
    struct measured best = measure(buffer, MANY, 1e-6, 5);

    bench_goal(best.seconds <= 0.05,
               "%d buffers, no time but for a greedy plan: %s, %.1f ms, %.0f bytes a buffer", MANY,
               arenaplan_status_text(best.result.status), 1e3 * best.seconds,
               (double)best.result.memory / MANY);
    memory_free(buffer);
}

static void few(void)
{
    struct arenaplan_buffer *buffer = drawn(FEW);
    struct measured best;

    /* All of them alive about together. */
    for (int b = 0; b < FEW; b++) {
        buffer[b].begin = b;
        buffer[b].end = b + 3;
    }
    best = measure(buffer, FEW, 0.0, CALLS);
    bench_goal(best.seconds <= 5e-6, "%d buffers: %s, %.2f microseconds a call", FEW,
               arenaplan_status_text(best.result.status), 1e6 * best.seconds);
    memory_free(buffer);
}

/* --- what goes on when it is to stop --- */

enum kind { SHORT, LONG, NESTED, PIECES, KINDS };

/* One of COUNT buffers; PIECE has room for two.  */
static struct arenaplan_buffer drawn_kind(struct rng *rng, enum kind kind, size_t b, size_t count,
                                          struct arenaplan_piece *piece)
{
    int64_t n = (int64_t)count, begin = rng_range(rng, 0, n), size = rng_range(rng, 1, 1 << 20);
    int64_t middle = begin + rng_range(rng, 1, n), end = middle + rng_range(rng, 1, n);

    if (kind == SHORT)
        end = begin + rng_range(rng, 1, 20);
    if (kind == NESTED) { /* as in training: one half forwards, and back in the other */
        begin = (int64_t)b;
        end = b < count / 2 ? 2 * n - begin : begin + rng_range(rng, 1, 3);
    }
    piece[0] = (struct arenaplan_piece){begin, middle, 0, size};
    piece[1] = (struct arenaplan_piece){middle, end, 0, (size + 1) / 2};
    return (struct arenaplan_buffer){
        .begin = begin,
        .end = end,
        .size = size,
        .piece = kind == PIECES ? piece : NULL,
        .pieces = kind == PIECES ? 2 : 0,
    };
}

static bool stop(void *context)
{
    (void)context;
    return true;
}

/* Processor time of a call that has no time, the least of some.  */
static double stopped(const struct arenaplan_problem *problem, bool prove, double seconds)
{
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    int64_t *offset = memory_alloc(problem->count, sizeof *offset);
    double least = INFINITY;

    options.seconds = seconds;
    options.stop = seconds > 0.0 ? NULL : stop;
    for (int round = 0; round < (problem->count > MANY ? 1 : 5); round++) {
        double begin = processor_time();

        (prove ? arenaplan_prove : arenaplan_plan)(problem, &options, offset, NULL);
        least = fmin(least, processor_time() - begin);
    }
    memory_free(offset);
    return least;
}

static void limits(void)
{
    static const char *const names[KINDS] = {"short lives", "long lives", "nested lives",
                                             "long lives in pieces"};

    for (enum kind kind = SHORT; kind < KINDS; kind++)
        for (size_t count = 10; count <= 1000000; count *= 10) {
            struct arenaplan_buffer *buffer = memory_alloc(count, sizeof *buffer);
            struct arenaplan_piece *piece = memory_alloc(2 * count, sizeof *piece);
            struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, count);
            struct rng *rng = rng_new(7);

            for (size_t b = 0; b < count; b++)
                buffer[b] = drawn_kind(rng, kind, b, count, piece + 2 * b);
            printf("%zu %s: plan in 1 ms %.2f ms, stopped %.2f ms; prove %.2f, %.2f ms\n", count,
                   names[kind], 1e3 * stopped(&problem, false, 0.001),
                   1e3 * stopped(&problem, false, 0.0), 1e3 * stopped(&problem, true, 0.001),
                   1e3 * stopped(&problem, true, 0.0));
            rng_free(rng);
            memory_free(piece);
            memory_free(buffer);
        }
}

int main(void)
{
    char *folder = real_inputs_folder();

    printf("libarenaplan %s\n", arenaplan_version_text());
    if (folder == NULL)
        puts("MiniMalloc's instances are not here");
    for (const char *letter = "ACEG"; folder != NULL && *letter != '\0'; letter++)
        millisecond(folder, *letter);
    many();
    few();
    limits();
    free(folder);
    return 0;
}
