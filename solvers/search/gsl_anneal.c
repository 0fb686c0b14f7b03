/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/search/gsl_anneal.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_siman.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"

/* What all states of a run know.  */
struct anneal_run {
    anneal_energy *energy;
    void *context;
    size_t n;
    bool over; /* no order is accepted any more, so none is changed or copied */
};

/* What GSL copies: its functions get nothing but a state, so it says itself whose it
 * is.  */
struct state {
    struct anneal_run *run;
    uint32_t order[];
};

static double energy_of(void *at)
{
    struct state *state = at;
    struct anneal_run *run = state->run;
    double energy = run->over ? INFINITY : run->energy(run->context, state->order);

    run->over = isinf(energy);
    return energy;
}

static void copy(void *source, void *destination)
{
    const struct state *from = source;
    struct state *to = destination;

    if (!from->run->over)
        memcpy(to->order, from->order, from->run->n * sizeof *from->order);
}

static struct state *new_state(struct anneal_run *run, const uint32_t *order)
{
    struct state *state = memory_alloc(1, sizeof *state + run->n * sizeof *order);

    state->run = run;
    memcpy(state->order, order, run->n * sizeof *order);
    return state;
}

static void *duplicate(void *at)
{
    const struct state *state = at;

    return new_state(state->run, state->order);
}

/* Moves the entry at FROM to TO; those between make room.  */
static void shift(uint32_t *order, size_t from, size_t to)
{
    uint32_t moved = order[from];

    if (from < to)
        memmove(order + from, order + from + 1, (to - from) * sizeof *order);
    else
        memmove(order + to + 1, order + to, (from - to) * sizeof *order);
    order[to] = moved;
}

static void step(const gsl_rng *rng, void *at, double step_size)
{
    struct state *state = at;
    const size_t n = state->run->n;
    uint32_t swapped;
    size_t a, b;

    (void)step_size;
    if (state->run->over)
        return;
    a = gsl_rng_uniform_int(rng, n);
    b = gsl_rng_uniform_int(rng, n - 1);
    swapped = state->order[a];
    b += b >= a;
    if (gsl_rng_uniform(rng) < 0.5) {
        shift(state->order, a, b);
        return;
    }
    state->order[a] = state->order[b];
    state->order[b] = swapped;
}

void gsl_anneal(uint32_t *order, size_t n, anneal_energy *energy, void *context,
                const struct anneal_schedule *schedule, struct rng *rng)
{
    const gsl_siman_params_t params = {
        .n_tries = 1, /* gsl_siman_solve_many alone looks at it */
        .iters_fixed_T = schedule->steps,
        .step_size = 1.0, /* ours have none */
        .k = 1.0,
        .t_initial = schedule->start,
        .mu_t = schedule->cooling,
        .t_min = schedule->stop,
    };
    struct anneal_run run = {energy, context, n, false};
    struct state *state = new_state(&run, order);

    gsl_siman_solve(rng_handle(rng), state, energy_of, step, NULL, NULL, copy, duplicate, free, 0,
                    params);
    memcpy(order, state->order, n * sizeof *order);
    free(state);
}
