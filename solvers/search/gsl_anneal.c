#include <config.h>

#include "solvers/search/gsl_anneal.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_siman.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"

/* What GSL copies: its functions get nothing but a state, so it says itself whose it
 * is.  */
struct state {
    anneal_energy *energy;
    void *context;
    size_t n;
    uint32_t order[];
};

static double energy_of(void *at)
{
    struct state *state = at;

    return state->energy(state->context, state->order);
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
    size_t a = gsl_rng_uniform_int(rng, state->n), b = gsl_rng_uniform_int(rng, state->n - 1);
    uint32_t swapped = state->order[a];

    (void)step_size;
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
    size_t size = sizeof(struct state) + n * sizeof *order;
    struct state *state = memory_alloc(1, size);

    *state = (struct state){energy, context, n};
    memcpy(state->order, order, n * sizeof *order);
    gsl_siman_solve(rng_handle(rng), state, energy_of, step, NULL, NULL, NULL, NULL, NULL, size,
                    params);
    memcpy(order, state->order, n * sizeof *order);
    free(state);
}
