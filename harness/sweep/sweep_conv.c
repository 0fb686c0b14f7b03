/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing kernels on layers.
 *
 * The tasks of a layer are taken in random order, a hand of them at a time.  A
 * hand is prepared, then timed in interleaved rounds, a turn of about a
 * millisecond each, beside the probe of the peak and a reference kernel whose
 * layer never changes: a slow period of the machine falls on all of them, and
 * shows in the reference.  A task leaves the rounds when the median of its turns is
 * known well enough, or with the last round, and is then recorded.  When all
 * tasks of a layer are done, the best are timed again (sweep_final.c).  */
#include <config.h>

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/process.h"
#include "harness/store/store.h"
#include "harness/sweep/conv_record.h"
#include "kernels/layer.h"
#include "kernels/model/machine_calibrate.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/base/timer.h"

/* Tasks of a hand; no session has fewer slots.  */
enum { HAND = 8 };
_Static_assert((int)HAND <= (int)CONV_SLOTS, "a session has room for a hand");

/* Multiply-adds that comparing a layer with the reference may take; and the seconds
 * in which the constants of one instruction set are measured.  */
static const int64_t compare_macs = 4000000;
static const double machine_s = 1.0;

static const char reference_layer[] = "c=32,h=28,w=28,k=32,r=3,s=3,pad=1";

/* The turns of what is timed beside a hand.  */
struct beside {
    double *reference, *peak[ISA_COUNT];
    size_t rounds;
    bool wanted[ISA_COUNT];
};

/* --- what a kernel is given --- */

/* The parameters of the model's choice of the task's rank, or NULL.  */
static char *ranked_params(struct conv_run *run, const struct sweep_task *task,
                           struct conv_facts *facts)
{
    const enum isa isa = task->kernel.isa;
    const int64_t rank = task->kernel.kernel->rank;
    const struct conv_request request = {.shape = run->sweep->workload[task->workload].layer->shape,
                                         .isa = isa,
                                         .threads = 1,
                                         .relu = false};
    struct tune_list *list = &run->ranked[isa];

    if (run->ranked_workload[isa] != task->workload) {
        tune_list_free(list);
        tune_rank(list, &request, &run->machine[isa]);
        run->ranked_workload[isa] = task->workload;
    }
    if ((size_t)rank <= list->count)
        return memory_strdup(list->choice[rank - 1].params);
    facts->end = CONV_END_SKIPPED;
    snprintf(facts->reason, sizeof facts->reason, "the model ranks only %zu settings", list->count);
    return NULL;
}

static void not_built(const char *name, struct conv_facts *facts)
{
    const struct conv_peer *peer = conv_peer_find(name);

    facts->end = CONV_END_SKIPPED;
    if (peer != NULL)
        snprintf(facts->reason, sizeof facts->reason, "not built in: %s", peer->absent);
}

/* Makes LANE ready to be timed: what takes a turn or longer runs once in each,
 * which is quick and the same for all; the final is more careful.  Or puts it
 * out with the reason in its facts.  SLOT is free in its session.  */
static void prepare(struct conv_run *run, struct conv_lane *lane, int slot)
{
    const struct sweep_task *task = &run->sweep->task[lane->task];
    const struct sweep_kernel *kernel = &task->kernel;
    const struct sweep_workload *layer = &run->sweep->workload[task->workload];
    double once = conv_turn;

    lane->began = timer_now();
    lane->out = true;
    progress_task(&run->progress, layer->label, kernel->label);
    if (kernel->kernel->entry == NULL) {
        not_built(kernel->kernel->name, &lane->facts);
        return;
    }
    lane->params = kernel->kernel->rank > 0 ? ranked_params(run, task, &lane->facts)
                                            : memory_strdup(kernel->params);
    if (lane->params == NULL)
        return;
    lane->session = conv_sessions_get(run->sessions, kernel->kernel->entry->kernel, kernel->isa,
                                      kernel->kernel->threads);
    lane->slot = slot;
    lane->out = !conv_session_prepare(lane->session, slot, &layer->layer->shape, lane->params,
                                      false, &lane->facts) ||
                !conv_session_time(lane->session, slot, 1, &once, &lane->facts);
    lane->repeats = once >= conv_turn ? 1 : conv_turn_repeats(once);
}

/* --- rounds --- */

static void time_reference(struct conv_run *run, double *result)
{
    struct conv_facts facts;

    if (conv_session_time(run->reference, 0, 2, result, &facts))
        return;
    *result = NAN;
}

static void time_beside(struct conv_run *run, struct beside *beside, int threads)
{
    struct conv_facts facts;
    const size_t round = beside->rounds++;

    time_reference(run, &beside->reference[round]);
    for (enum isa isa = 0; isa < ISA_COUNT; isa++)
        if (beside->wanted[isa] &&
            !conv_session_time(conv_sessions_get(run->sessions, NULL, isa, threads), 0, 1,
                               &beside->peak[isa][round], &facts))
            beside->peak[isa][round] = NAN;
}

static void take_turn(const struct conv_run *run, struct conv_lane *lane)
{
    const struct experiment_layers *layers = &run->set->layers;
    double median;

    if (lane->out)
        return;
    lane->at_s[lane->turns] = timer_now() - run->start;
    if (!conv_session_time(lane->session, lane->slot, lane->repeats, &lane->turn[lane->turns],
                           &lane->facts)) {
        lane->out = true;
        return;
    }
    lane->turns++;
    if (lane->turns < (size_t)layers->rounds_least ||
        !statistics_median_interval(lane->turn, lane->turns, &lane->interval))
        return;
    median = statistics_median(lane->turn, lane->turns);
    lane->settled = lane->interval.high - lane->interval.low <= 2.0 * layers->spread * median;
    lane->out = lane->settled;
}

static bool any_in(const struct conv_lane *lane, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!lane[i].out)
            return true;
    return false;
}

static void time_hand(struct conv_run *run, struct conv_lane *lane, size_t count, int threads)
{
    const size_t most = (size_t)run->set->layers.rounds_most;
    struct beside beside = {.rounds = 0};
    struct conv_facts facts;

    beside.reference = memory_alloc(most, sizeof *beside.reference);
    for (size_t i = 0; i < count; i++)
        beside.wanted[run->sweep->task[lane[i].task].kernel.isa] |= !lane[i].out;
    for (enum isa isa = 0; isa < ISA_COUNT; isa++) {
        beside.peak[isa] = memory_alloc(most, sizeof *beside.peak[isa]);
        if (beside.wanted[isa])
            beside.wanted[isa] =
                conv_session_prepare(conv_sessions_get(run->sessions, NULL, isa, threads), 0,
                                     &(struct conv_shape){0}, "", false, &facts);
    }
    while (beside.rounds < most && any_in(lane, count) && run->interrupt.signal == 0) {
        const size_t first = beside.rounds % count;

        time_beside(run, &beside, threads);
        for (size_t i = 0; i < count; i++)
            take_turn(run, &lane[(first + i) % count]);
        interrupt_take(&run->interrupt);
        progress_tick(&run->progress);
    }
    for (size_t i = 0; i < count && beside.rounds > 0; i++) {
        const enum isa isa = run->sweep->task[lane[i].task].kernel.isa;

        lane[i].reference = statistics_median(beside.reference, beside.rounds);
        lane[i].peak =
            beside.wanted[isa] ? statistics_median(beside.peak[isa], beside.rounds) : NAN;
    }
    for (enum isa isa = 0; isa < ISA_COUNT; isa++)
        free(beside.peak[isa]);
    free(beside.reference);
}

/* --- hands --- */

/* Tasks that wait; those whose process ended for another's sake come back.  */
struct deck {
    size_t *task;
    size_t next, count, capacity;
};

static void put_back(struct deck *deck, size_t task)
{
    deck->task = memory_grow(deck->task, &deck->capacity, deck->count + 1, sizeof *deck->task);
    deck->task[deck->count++] = task;
}

static void clear_lane(struct conv_lane *lane)
{
    free(lane->params);
    free(lane->turn);
    free(lane->at_s);
}

/* Prepares a hand from DECK; their number.  */
static size_t deal(struct conv_run *run, struct deck *deck, struct conv_lane lane[HAND])
{
    const size_t most = (size_t)run->set->layers.rounds_most;
    size_t count = 0;

    while (count < HAND && deck->next < deck->count) {
        struct conv_lane *new = &lane[count];

        memset(new, 0, sizeof *new);
        new->task = deck->task[deck->next++];
        new->turn = memory_alloc(most, sizeof *new->turn);
        new->at_s = memory_alloc(most, sizeof *new->at_s);
        prepare(run, new, (int)count);
        count++;
    }
    return count;
}

static bool play_hand(struct conv_run *run, struct deck *deck, int threads)
{
    struct conv_lane lane[HAND];
    const size_t count = deal(run, deck, lane);
    bool done = true;

    time_hand(run, lane, count, threads);
    for (size_t i = 0; i < count; i++) {
        /* Half a hand is not recorded, and is played again by the next sweep.  */
        if (lane[i].facts.end == CONV_END_GONE)
            put_back(deck, lane[i].task);
        else if (done && (run->interrupt.signal == 0 || lane[i].settled))
            done = conv_record_lane(run, &lane[i]);
        clear_lane(&lane[i]);
    }
    return done;
}

/* The tasks of a layer with so many threads that are not done.  */
static void fill_deck(const struct conv_run *run, size_t experiment, size_t workload, int threads,
                      struct deck *deck)
{
    const struct sweep *sweep = run->sweep;

    for (size_t p = sweep->first_place[experiment]; p < sweep->first_place[experiment + 1]; p++) {
        const struct sweep_task *task = &sweep->task[sweep->place[p].task];

        if (task->workload == workload && sweep_task_waits(task) &&
            task->kernel.kernel->threads == threads)
            put_back(deck, sweep->place[p].task);
    }
}

static bool run_layer(struct conv_run *run, size_t experiment, size_t workload, int threads,
                      struct rng *rng)
{
    struct deck deck = {NULL, 0, 0, 0};
    bool done = true, fresh;

    fill_deck(run, experiment, workload, threads, &deck);
    fresh = deck.count > 0;
    if (fresh)
        rng_shuffle(rng, deck.task, deck.count, sizeof *deck.task);
    while (done && deck.next < deck.count && run->interrupt.signal == 0)
        done = play_hand(run, &deck, threads) &&
               sweep_settle(run->sweep, &run->clock, false, run->error);
    free(deck.task);
    if (!done || run->interrupt.signal != 0)
        return done;
    for (enum isa isa = 0; done && isa < ISA_COUNT; isa++)
        if ((run->set->layers.isas & 1U << isa) != 0)
            done = sweep_final(run, workload, isa, threads, fresh);
    return done;
}

/* --- the run --- */

/* On the processor that the kernels are timed on.  */
static bool measure_machines(struct conv_run *run)
{
    const int cpu = conv_sessions_processor(run->sessions);
    cpu_set_t before;
    bool done = true;
    bool pinned = sched_getaffinity(0, sizeof before, &before) == 0 && process_pin(cpu);

    for (enum isa isa = 0; done && isa < ISA_COUNT; isa++)
        if ((run->set->layers.isas & 1U << isa) != 0)
            done = machine_measure(&run->machine[isa], isa, machine_s, run->error) &&
                   conv_record_machine(run, isa);
    if (pinned)
        (void)sched_setaffinity(0, sizeof before, &before);
    return done;
}

static bool start_reference(struct conv_run *run)
{
    const struct conv_setup setup = {.kernel = conv_kernel_find("mgemm"),
                                     .isa = ISA_GENERIC,
                                     .threads = 1,
                                     .cpu = conv_sessions_processor(run->sessions),
                                     .compare_macs = compare_macs,
                                     .patience_s = run->set->limits.time_s};
    struct conv_shape shape;
    struct conv_facts facts;

    run->reference = conv_session_new(&setup);
    return layer_parse(reference_layer, &shape, run->error) &&
           (conv_session_prepare(run->reference, 0, &shape, "", false, &facts) ||
            error_set(run->error, "the reference kernel: %.250s", facts.reason));
}

static int most_threads(const struct experiment_layers *layers)
{
    int most = 1;

    for (size_t k = 0; k < layers->n_kernels; k++)
        if (layers->kernel[k].threads > most)
            most = layers->kernel[k].threads;
    return most;
}

/* All layers in random order, those with one thread first.  */
static bool run_layers(struct conv_run *run, size_t experiment)
{
    const struct sweep *sweep = run->sweep;
    struct rng *rng = rng_new(run->set->seed[0]);
    size_t *order = memory_alloc(sweep->n_workloads, sizeof *order), count = 0;
    const int most = most_threads(&run->set->layers);
    bool done = true;

    for (size_t w = 0; w < sweep->n_workloads; w++)
        if (sweep->workload[w].layer != NULL)
            order[count++] = w;
    rng_shuffle(rng, order, count, sizeof *order);
    for (int threads = 1; threads <= most; threads++)
        for (size_t i = 0; done && i < count && run->interrupt.signal == 0; i++)
            done = run_layer(run, experiment, order[i], threads, rng);
    rng_free(rng);
    free(order);
    return done;
}

bool sweep_run_layers(struct sweep *sweep, size_t experiment, int *signal, struct error *error)
{
    const struct experiment *e = sweep->experiment[experiment];
    const size_t total = sweep_tasks_here(sweep, experiment);
    const size_t waiting = total - sweep_done_here(sweep, experiment);
    struct conv_run run = {.sweep = sweep,
                           .experiment = e,
                           .set = &e->set[sweep->options.size],
                           .error = error,
                           .start = timer_now(),
                           .clock = sweep_clock_start(sweep, experiment)};
    bool done;

    *signal = 0;
    for (enum isa isa = 0; isa < ISA_COUNT; isa++)
        run.ranked_workload[isa] = SIZE_MAX;
    if (!interrupt_watch(&run.interrupt, error))
        return false;
    run.sessions = conv_sessions_new(compare_macs, run.set->limits.time_s);
    progress_start(&run.progress, e->name, total, total - waiting);
    done = conv_record_layers(&run);
    if (waiting > 0)
        done = done && measure_machines(&run) && start_reference(&run);
    done = done && run_layers(&run, experiment);
    if (done && waiting > 0)
        done = sweep_settle(sweep, &run.clock, true, error);
    if (waiting > 0)
        progress_stop(&run.progress);
    conv_sessions_free(run.sessions);
    conv_session_free(run.reference);
    for (enum isa isa = 0; isa < ISA_COUNT; isa++)
        tune_list_free(&run.ranked[isa]);
    *signal = run.interrupt.signal;
    interrupt_end(&run.interrupt);
    return done;
}
