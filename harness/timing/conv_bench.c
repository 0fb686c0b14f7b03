/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/timing/conv_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/process.h"
#include "lib/base/memory.h"
#include "lib/base/statistics.h"

const double conv_turn = 1e-3;

struct entry {
    struct conv_setup setup;
    struct conv_session *session;
};

struct conv_sessions {
    struct entry *entry;
    size_t count, capacity;
    int64_t compare_macs;
    double patience_s;
    int cpu;
    const struct watch *watch;
    struct conv_moment *moment, unseen; /* the one that nobody looks at */
};

/* One contestant or probe in the rounds.  */
struct racer {
    struct conv_session *session; /* NULL: it is out */
    int slot;
    int64_t repeats;
    struct conv_facts *facts;
    double *round, total;
};

/* The first ones get most of what else there is to do.  */
struct conv_sessions *conv_sessions_new(int64_t compare_macs, double patience_s)
{
    struct conv_sessions *sessions = memory_zalloc(1, sizeof *sessions);

    sessions->compare_macs = compare_macs;
    sessions->patience_s = patience_s;
    sessions->cpu = process_last_processor();
    sessions->moment = &sessions->unseen;
    return sessions;
}

void conv_sessions_watch(struct conv_sessions *sessions, const struct watch *watch,
                         struct conv_moment *moment)
{
    sessions->watch = watch;
    sessions->moment = moment;
}

void conv_sessions_free(struct conv_sessions *sessions)
{
    for (size_t i = 0; i < sessions->count; i++)
        conv_session_free(sessions->entry[i].session);
    free(sessions->entry);
    free(sessions);
}

struct conv_session *conv_sessions_get(struct conv_sessions *sessions,
                                       const struct conv_kernel *kernel, enum isa isa, int threads)
{
    const struct conv_setup setup = {
        .kernel = kernel,
        .isa = isa,
        .threads = threads,
        .cpu = threads == 1 ? sessions->cpu : -1,
        .compare_macs = sessions->compare_macs,
        .patience_s = sessions->patience_s,
        .watch = sessions->watch,
    };
    struct entry *entry;

    for (size_t i = 0; i < sessions->count; i++) {
        entry = &sessions->entry[i];
        if (entry->setup.kernel == kernel && entry->setup.isa == isa &&
            entry->setup.threads == threads)
            return entry->session;
    }
    sessions->entry = memory_grow(sessions->entry, &sessions->capacity, sessions->count + 1,
                                  sizeof *sessions->entry);
    entry = &sessions->entry[sessions->count++];
    *entry = (struct entry){setup, conv_session_new(&setup)};
    return entry->session;
}

int conv_sessions_processor(const struct conv_sessions *sessions)
{
    return sessions->cpu;
}

/* Twice at least, which is after a run to warm up: the caches hold the tensors
 * of whoever had the turn before.  To long runs that makes no difference.  */
int64_t conv_turn_repeats(double once)
{
    const double cold = 20e-3;

    return once >= cold ? 1 : (int64_t)(conv_turn / fmax(once, 1e-7)) + 2;
}

/* The first slot of the session that no earlier racer has.  */
static int free_slot(const struct racer *racer, size_t count, const struct conv_session *session)
{
    int slot = 0;

    for (size_t i = 0; i < count; i++)
        slot += racer[i].session == session;
    return slot;
}

/* One turn; who does not answer is out.  */
static void take_turn(struct racer *racer, int round)
{
    if (racer->session == NULL)
        return;
    if (conv_session_time(racer->session, racer->slot, racer->repeats, &racer->round[round],
                          racer->facts))
        racer->total += racer->round[round];
    else
        racer->session = NULL;
}

static void note_preparing(struct conv_moment *moment, const struct conv_contestant *contestant,
                           size_t i)
{
    moment->name = contestant[i].name;
    moment->isa = contestant[i].isa;
    moment->first = moment->before + 1;
    moment->last = moment->before + i + 1;
    moment->round = 0;
}

/* After ROUNDS of them.  */
static void note_best(struct conv_moment *moment, const struct conv_contestant *contestant,
                      const struct racer *racer, size_t count, int rounds)
{
    for (size_t i = 0; i < count; i++) {
        const double mean = racer[i].total / rounds;

        if (racer[i].session == NULL || (moment->best_s > 0.0 && moment->best_s <= mean))
            continue;
        moment->best_s = mean;
        moment->best = contestant[i].name;
    }
}

static void enter(struct racer *racer, size_t at, struct conv_session *session,
                  const struct conv_shape *shape, const struct conv_contestant *contestant)
{
    struct racer *new = &racer[at];
    double once = conv_turn;

    new->slot = free_slot(racer, at, session);
    new->repeats = 1;
    if (!conv_session_prepare(session, new->slot, shape, contestant->params, contestant->relu,
                              new->facts))
        return;
    if (conv_session_time(session, new->slot, 1, &once, new->facts))
        new->session = session;
    new->repeats = conv_turn_repeats(once);
}

/* Starts the probe of each instruction set that is timed at all.  */
static void start_probes(struct conv_sessions *sessions, const struct conv_contestant *contestant,
                         size_t count, const struct conv_shape *shape, struct racer *probe)
{
    for (size_t i = 0; i < count; i++) {
        struct racer *racer = &probe[contestant[i].isa];
        struct conv_session *session =
            conv_sessions_get(sessions, NULL, contestant[i].isa, contestant[i].threads);

        racer->repeats = 1;
        if (racer->session == NULL &&
            conv_session_prepare(session, 0, shape, "", false, racer->facts))
            racer->session = session;
    }
}

static void finish(struct racer *racer, const struct racer *peak, int rounds,
                   struct conv_result *result)
{
    if (racer->session == NULL) {
        free(racer->round);
        return;
    }
    result->round = racer->round;
    result->time_s = statistics_median(racer->round, (size_t)rounds);
    if (peak->session == NULL)
        return;
    result->peak = statistics_median(peak->round, (size_t)rounds);
    for (int round = 0; round < rounds; round++)
        result->disturbed += peak->round[round] < 0.85 * result->peak;
}

void conv_bench(struct conv_sessions *sessions, const struct conv_contestant *contestant,
                size_t count, const struct conv_shape *shape, int rounds,
                struct conv_result *result)
{
    struct racer *racer = memory_zalloc(count, sizeof *racer), probe[ISA_COUNT];
    struct conv_facts probe_facts[ISA_COUNT];

    memset(result, 0, count * sizeof *result);
    for (size_t i = 0; i < count; i++) {
        racer[i].facts = &result[i].facts;
        racer[i].round = memory_zalloc((size_t)rounds, sizeof *racer[i].round);
        note_preparing(sessions->moment, contestant, i);
        enter(racer, i,
              conv_sessions_get(sessions, contestant[i].kernel, contestant[i].isa,
                                contestant[i].threads),
              shape, &contestant[i]);
    }
    memset(probe, 0, sizeof probe);
    for (int isa = 0; isa < ISA_COUNT; isa++) {
        probe[isa].facts = &probe_facts[isa];
        probe[isa].round = memory_zalloc((size_t)rounds, sizeof *probe[isa].round);
    }
    start_probes(sessions, contestant, count, shape, probe);
    for (int round = 0; round < rounds; round++) {
        sessions->moment->round = round + 1;
        for (int isa = 0; isa < ISA_COUNT; isa++)
            take_turn(&probe[isa], round);
        /* Another one first each time, and there and back: it is not the same to
         * come after the probe, or after a plan of the same process.  */
        for (size_t i = 0; i < count; i++) {
            const size_t place = round % 2 == 0 ? i : count - 1 - i;

            take_turn(&racer[(place + (size_t)round) % count], round);
        }
        note_best(sessions->moment, contestant, racer, count, round + 1);
    }
    for (size_t i = 0; i < count; i++)
        finish(&racer[i], &probe[contestant[i].isa], rounds, &result[i]);
    for (int isa = 0; isa < ISA_COUNT; isa++)
        free(probe[isa].round);
    free(racer);
}
