/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "harness/store/store_conv.h"
#include "harness/sweep/conv_record.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"

struct finalist {
    int64_t id;
    const struct conv_kernel *kernel;
    const char *params;
    struct conv_session *session; /* NULL: it is out */
    int slot;
    int64_t repeats;
    double *turn;
};

/* What was measured on the layer with an instruction set and so many threads in the experiment, on
 * this machine: the best settings first.  */
static bool find_entrants(struct conv_run *run, size_t workload, enum isa isa, int threads,
                          struct rows *rows)
{
    int64_t machine = 0;

    *rows = (struct rows){0};
    return store_find_machine(run->sweep->store, &machine, run->error) &&
           rows_ask(rows, run->sweep->store, run->error,
                    "SELECT t.id, t.contestant, c.run_params, c.role, c.rank, c.final_s"
                    " FROM experiment_task e JOIN task t ON t.id = e.task"
                    " JOIN conv c ON c.task = t.id"
                    " JOIN sweep s ON s.id = t.sweep AND s.machine = %lld"
                    " WHERE e.experiment = %Q AND e.size = %Q AND t.workload = %lld"
                    " AND c.isa = %Q AND c.threads = %d AND t.outcome = 'measured'"
                    " ORDER BY t.time_s, t.id",
                    (long long)machine, run->experiment->name,
                    experiment_size_name(run->sweep->options.size),
                    (long long)run->sweep->workload[workload].row, isa_name(isa), threads);
}

static bool played(const struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows_named(rows, i, "final_s")[0] != '\0')
            return true;
    return false;
}

/* Whether entrant I takes part: the SETTINGS-th best setting or better, the
 * first choice of the model, mgemm's own, every library.  */
static bool takes_part(const struct conv_run *run, const struct rows *rows, size_t i,
                       int64_t settings)
{
    const char *role = rows_named(rows, i, "role");

    if (strcmp(role, "setting") == 0)
        return settings < run->set->layers.final_best;
    return strcmp(role, "model") != 0 || strcmp(rows_named(rows, i, "rank"), "1") == 0;
}

/* Fills FINALIST, which has room for every row; their number.  */
static size_t choose(struct conv_run *run, const struct rows *rows, struct finalist *finalist)
{
    int64_t settings = 0;
    size_t count = 0;

    for (size_t i = 0; i < rows->count; i++) {
        struct finalist *new = &finalist[count];

        if (!takes_part(run, rows, i, settings))
            continue;
        settings += strcmp(rows_named(rows, i, "role"), "setting") == 0;
        new->kernel = conv_kernel_find(rows_named(rows, i, "contestant"));
        new->params = rows_named(rows, i, "run_params");
        if (new->kernel != NULL && parse_int(rows_named(rows, i, "id"), 1, INT64_MAX, &new->id))
            count++;
    }
    return count;
}

/* A slot that no finalist before has in the same session; CONV_SLOTS: none.  */
static int free_slot(const struct finalist *finalist, size_t before,
                     const struct conv_session *session)
{
    int slot = 0;

    for (size_t i = 0; i < before; i++)
        slot += finalist[i].session == session;
    return slot;
}

static void enter(struct conv_run *run, struct finalist *finalist, size_t at,
                  const struct conv_shape *shape, enum isa isa, int threads)
{
    struct finalist *new = &finalist[at];
    struct conv_session *session = conv_sessions_get(run->sessions, new->kernel, isa, threads);
    struct conv_facts facts;
    double once;

    new->slot = free_slot(finalist, at, session);
    if (new->slot < CONV_SLOTS &&
        conv_session_prepare(session, new->slot, shape, new->params, false, &facts) &&
        conv_session_time(session, new->slot, 1, &once, &facts)) {
        new->session = session;
        new->repeats = conv_turn_repeats(once);
    }
}

static void time_finalists(struct conv_run *run, struct finalist *finalist, size_t count)
{
    const size_t rounds = (size_t)run->set->layers.final_rounds;
    struct conv_facts facts;

    for (size_t round = 0; round < rounds && run->interrupt.signal == 0; round++) {
        for (size_t i = 0; i < count; i++) {
            struct finalist *f = &finalist[(round + i) % count];

            if (f->session != NULL &&
                !conv_session_time(f->session, f->slot, f->repeats, &f->turn[round], &facts))
                f->session = NULL;
        }
        interrupt_take(&run->interrupt);
        progress_tick(&run->progress);
    }
}

/* All of them at once: a final of which a part is there would pass for one that was played.  */
static bool record(struct conv_run *run, const struct finalist *finalist, size_t count)
{
    const size_t rounds = (size_t)run->set->layers.final_rounds;
    struct store_final *final = memory_alloc(count, sizeof *final);
    size_t played = 0;
    bool done;

    for (size_t i = 0; i < count; i++) {
        struct store_final *new = &final[played];

        *new = (struct store_final){.task = finalist[i].id,
                                    .turn = finalist[i].turn,
                                    .turns = rounds,
                                    .median = statistics_median(finalist[i].turn, rounds)};
        if (finalist[i].session != NULL &&
            statistics_median_interval(new->turn, rounds, &new->interval))
            played++;
    }
    done = store_put_final(run->sweep->store, final, played, run->error);
    free(final);
    return done;
}

bool sweep_final(struct conv_run *run, size_t workload, enum isa isa, int threads, bool fresh)
{
    const struct conv_shape *shape = &run->sweep->workload[workload].layer->shape;
    const size_t rounds = (size_t)run->set->layers.final_rounds;
    struct finalist *finalist;
    struct rows rows;
    size_t count;
    bool done = find_entrants(run, workload, isa, threads, &rows);

    if (!done || rows.count == 0 || (!fresh && played(&rows))) {
        rows_clear(&rows);
        return done;
    }
    finalist = memory_zalloc(rows.count, sizeof *finalist);
    count = choose(run, &rows, finalist);
    for (size_t i = 0; i < count; i++) {
        finalist[i].turn = memory_zalloc(rounds, sizeof *finalist[i].turn);
        enter(run, finalist, i, shape, isa, threads);
    }
    if (count > 0)
        time_finalists(run, finalist, count);
    if (run->interrupt.signal == 0)
        done = record(run, finalist, count);
    for (size_t i = 0; i < count; i++)
        free(finalist[i].turn);
    free(finalist);
    rows_clear(&rows);
    return done;
}
