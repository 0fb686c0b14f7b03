#include <config.h>

#include "harness/conv_bench.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/statistics.h"
#include "lib/checked.h"
#include "lib/memory.h"

/* Seconds of one contestant's turn.  */
static const double turn = 1e-3;

struct racer {
    struct conv_session *session;
    int64_t repeats;
    double *round;
};

/* The last processor that this process may use: the first ones get most of
 * what else there is to do.  -1: unknown.  */
static int one_processor(void)
{
    cpu_set_t set;
    int last = -1;

    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return -1;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &set))
            last = (int)cpu;
    return last;
}

/* Starts the probe of each instruction set that is timed at all.  */
static void start_probes(const struct conv_contestant *contestant, size_t count,
                         const struct conv_shape *shape, int cpu, struct racer *probe)
{
    struct conv_facts facts;

    memset(probe, 0, ISA_COUNT * sizeof *probe);
    for (size_t i = 0; i < count; i++) {
        struct conv_contestant peak = contestant[i];
        struct racer *racer = &probe[peak.isa];

        peak.kernel = NULL;
        if (racer->session == NULL)
            racer->session = conv_session_start(&peak, shape, cpu, &facts);
        racer->repeats = 1;
    }
}

/* One turn; a session whose process has gone is ended and keeps no times.  */
static void take_turn(struct racer *racer, int round)
{
    if (racer->session == NULL)
        return;
    if (conv_session_time(racer->session, racer->repeats, &racer->round[round]))
        return;
    conv_session_end(racer->session);
    racer->session = NULL;
}

static void calibrate(struct racer *racer)
{
    double once = 0.0;

    if (racer->session == NULL || !conv_session_time(racer->session, 1, &once))
        return;
    racer->repeats = once >= turn ? 1 : (int64_t)(turn / fmax(once, 1e-7)) + 1;
}

static void race(struct racer *racer, struct racer *probe, size_t count, int rounds)
{
    for (size_t i = 0; i < count; i++)
        calibrate(&racer[i]);
    for (int round = 0; round < rounds; round++) {
        for (int isa = 0; isa < ISA_COUNT; isa++)
            take_turn(&probe[isa], round);
        for (size_t i = 0; i < count; i++)
            take_turn(&racer[i], round);
    }
}

void conv_bench(const struct conv_contestant *contestant, size_t count,
                const struct conv_shape *shape, int rounds, struct conv_result *result)
{
    const int cpu = contestant[0].threads == 1 ? one_processor() : -1;
    struct racer *racer = memory_zalloc(count, sizeof *racer), probe[ISA_COUNT];

    for (size_t i = 0; i < count; i++) {
        memset(&result[i], 0, sizeof result[i]);
        racer[i].session = conv_session_start(&contestant[i], shape, cpu, &result[i].facts);
        racer[i].round = memory_zalloc((size_t)rounds, sizeof *racer[i].round);
    }
    start_probes(contestant, count, shape, cpu, probe);
    for (int isa = 0; isa < ISA_COUNT; isa++)
        probe[isa].round = memory_zalloc((size_t)rounds, sizeof *probe[isa].round);
    race(racer, probe, count, rounds);
    for (size_t i = 0; i < count; i++) {
        const struct racer *peak = &probe[contestant[i].isa];

        if (racer[i].session == NULL) {
            if (result[i].facts.supported && result[i].facts.right) {
                result[i].facts.right = false;
                snprintf(result[i].facts.reason, sizeof result[i].facts.reason,
                         "crashed while it was timed");
            }
            free(racer[i].round);
            continue;
        }
        conv_session_end(racer[i].session);
        result[i].round = racer[i].round;
        result[i].time_s = statistics_median(racer[i].round, (size_t)rounds);
        if (peak->session != NULL)
            result[i].peak = statistics_median(peak->round, (size_t)rounds);
    }
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        conv_session_end(probe[isa].session);
        free(probe[isa].round);
    }
    free(racer);
}
