/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model-ilp: MODeL's integer model of the addresses, as published, through GLPK.
 *
 * Whole numbers: the peak H and an address x_i for each buffer.  For each two buffers i, j
 * that live at a common step two binaries, one of which is 1; M is the sum of all sizes.
 *
 *     minimise H      x_i + s_i <= H,   x_i + s_i <= M,   H <= M
 *     x_i + s_i - x_j <= M (1 - v),   x_i - x_j - s_j >= M (w - 1),   v + w = 1
 *
 * An example: a [0,2) has 2 bytes, b [1,3) 3, c [2,4) 4.  M is 9; (a, b) and (b, c) have
 * binaries.  With v = 1 for the first pair and w = 1 for the second, a and c lie at 0,
 * b at 4 on c, and H is 7, the load of step 2.  The relaxation's H is 4: with
 * v = w = 1/2 the rows of a pair let any two buffers of up to M / 2 overlap.
 *
 * Source: B. Steiner et al., "MODeL: memory optimizations for deep learning" (and
 * OLLA), 2023; defragmenter.py in facebookresearch/MODel_opt.  It knows nothing of
 * load, cliques, symmetries or parts of the time axis, so it is the weak baseline
 * beside glpk (solvers/search/dsa_model.h).  load=on tells it the load.
 * Complexity: exponential; two rows and two binaries a pair.
 * Guarantee: none on time; what it calls optimal is.  Addresses are rebuilt from the
 * binaries in whole numbers, and of GLPK's floating-point bound only the part that
 * rounding can't have made is believed.
 * Differences: GLPK in place of Gurobi, without heuristics; bytes in units of their
 * greatest common divisor; it begins with the buffers side by side, which is what H <= M
 * says, to have a plan where GLPK finds none.  M times the tolerance on binaries has to
 * stay below one unit, or a pair could overlap: otherwise it does not apply.  */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/glpk_milp.h"
#include "lib/base/memory.h"
#include "lib/place/dsa_pieces.h"
#include "lib/problem/instance.h"
#include "lib/problem/search_statistics.h"
#include "solvers/solver.h"

/* The finest tolerance on binaries that makes sense in floating point, and how much
 * of a unit it may be worth.  */
static const double finest = 1e-9, usual = 1e-5, part_of_unit = 0.1;

struct pair {
    size_t a, b;         /* buffers */
    size_t below, above; /* columns: 1 where a is below b, above it */
};

struct run {
    const struct instance *instance;
    const struct solver_env *env;
    struct plan *plan;  /* the best so far */
    struct plan *trial; /* of the last solution */
    int64_t unit;       /* bytes */
    int64_t most;       /* M, in units */
    struct milp *milp;
    size_t peak; /* columns */
    size_t *address;
    size_t pairs, room;
    struct pair *pair;
};

/* --- the model --- */

static void add_pair(void *context, size_t a, size_t b)
{
    struct run *run = context;

    run->pair = memory_grow(run->pair, &run->room, run->pairs + 1, sizeof *run->pair);
    run->pair[run->pairs++] = (struct pair){.a = a, .b = b};
}

/* On joined instances a piece is a buffer.  */
static void find_pairs(struct run *run)
{
    struct dsa_piece *piece;
    size_t pieces = dsa_pieces_find(run->instance, run->unit, &piece);

    dsa_pieces_each_pair(piece, pieces, add_pair, run);
    free(piece);
}

static double size_of(const struct run *run, size_t b)
{
    return (double)(run->instance->buffer[b].size / run->unit);
}

static void add_address(struct run *run, size_t b)
{
    size_t column =
        milp_add_column(run->milp, MILP_INTEGER, 0.0, (double)run->most - size_of(run, b), 0.0);
    const size_t columns[] = {column, run->peak};
    const double values[] = {1.0, -1.0};

    run->address[b] = column;
    milp_add_row(run->milp, -MILP_INFINITY, -size_of(run, b), columns, values, 2);
}

static void add_order(struct run *run, struct pair *pair)
{
    double most = (double)run->most;

    pair->below = milp_add_column(run->milp, MILP_BINARY, 0.0, 1.0, 0.0);
    pair->above = milp_add_column(run->milp, MILP_BINARY, 0.0, 1.0, 0.0);
    {
        size_t a = run->address[pair->a], b = run->address[pair->b];
        const size_t under[] = {a, b, pair->below}, over[] = {a, b, pair->above};
        const size_t both[] = {pair->below, pair->above};
        const double plus[] = {1.0, -1.0, most}, minus[] = {1.0, -1.0, -most};
        const double ones[] = {1.0, 1.0};

        milp_add_row(run->milp, -MILP_INFINITY, most - size_of(run, pair->a), under, plus, 3);
        milp_add_row(run->milp, size_of(run, pair->b) - most, MILP_INFINITY, over, minus, 3);
        milp_add_row(run->milp, 1.0, 1.0, both, ones, 2);
    }
}

static void build(struct run *run)
{
    bool load = params_on(run->env->params, "load");

    run->milp = milp_new();
    run->peak = milp_add_column(run->milp, MILP_INTEGER,
                                load ? (double)(run->instance->load / run->unit) : 0.0,
                                (double)run->most, 1.0);
    run->address = memory_alloc(run->instance->n, sizeof *run->address);
    for (size_t b = 0; b < run->instance->n; b++)
        add_address(run, b);
    find_pairs(run);
    for (size_t p = 0; p < run->pairs; p++)
        add_order(run, &run->pair[p]);
}

/* --- what the search reports --- */

static void offer(struct run *run)
{
    run->trial->peak = plan_peak(run->instance, run->trial);
    if (run->trial->peak >= run->plan->peak)
        return;
    for (size_t b = 0; b < run->instance->n; b++)
        run->plan->offset[b] = run->trial->offset[b];
    run->plan->peak = run->trial->peak;
    solver_stream(run->env, run->plan);
}

/* Longest paths through the pairs, by Bellman and Ford; none where the binaries
 * contradict one another.  */
static void on_incumbent(void *context, const double *value)
{
    struct run *run = context;
    int64_t *offset = run->trial->offset;
    size_t rounds = run->instance->n + 1;
    bool raised = true;

    for (size_t b = 0; b < run->instance->n; b++)
        offset[b] = 0;
    for (; raised && rounds > 0; rounds--) {
        raised = false;
        for (size_t p = 0; p < run->pairs; p++) {
            const struct pair *pair = &run->pair[p];
            bool below = value[pair->below] >= 0.5;
            size_t low = below ? pair->a : pair->b, high = below ? pair->b : pair->a;
            int64_t least = offset[low] + run->instance->buffer[low].size;

            if (offset[high] < least) {
                offset[high] = least;
                raised = true;
            }
        }
    }
    if (!raised)
        offer(run);
}

/* As in glpk.c: what is within a few of GLPK's tolerances of a whole number is not
 * proven to be above it.  */
static void on_bound(void *context, double bound)
{
    struct run *run = context;
    double sure = ceil(bound - 1e-6 - 2e-7 * fabs(bound));
    int64_t bytes;

    if (!(sure > 0.0 && sure <= (double)run->most))
        return;
    bytes = min64((int64_t)sure * run->unit, run->plan->peak);
    if (bytes <= run->plan->lower_bound)
        return;
    run->plan->lower_bound = bytes;
    if (run->env->bound != NULL)
        run->env->bound(run->env->context, bytes);
}

/* --- the solver --- */

static void side_by_side(struct run *run)
{
    int64_t top = 0;

    for (size_t b = 0; b < run->instance->n; b++) {
        run->trial->offset[b] = top;
        top += run->instance->buffer[b].size;
    }
    run->plan->peak = INT64_MAX;
    offer(run);
}

static enum outcome search(struct run *run)
{
    const struct solver_env *env = run->env;
    bool load = params_on(env->params, "load");
    const struct milp_limits limits = {
        .time_s = env->time_limit,
        .nodes = env->work_limit,
        .cuts = params_on(env->params, "cuts"),
        .stop_at = load ? (double)(run->instance->load / run->unit) + 1e-6 : -1.0,
        .integrality = fmax(finest, fmin(usual, part_of_unit / (double)run->most)),
        .memory_bytes = env->memory_limit,
    };
    const struct milp_callbacks callbacks = {on_incumbent, NULL, on_bound, run};
    double bound = -INFINITY;
    enum milp_result result =
        milp_solve(run->milp, &limits, &callbacks, NULL, &bound, &run->plan->nodes);

    search_statistics_add(env->statistics, STATISTIC_MODEL_ROWS, (int64_t)milp_rows(run->milp));
    search_statistics_add(env->statistics, STATISTIC_MODEL_COLUMNS,
                          (int64_t)milp_columns(run->milp));
    search_statistics_add(env->statistics, STATISTIC_TREE_NODES, run->plan->nodes);
    on_bound(run, bound);
    if (load && run->plan->lower_bound < run->instance->load)
        run->plan->lower_bound = run->instance->load;
    if (run->plan->peak == run->plan->lower_bound)
        return OUTCOME_OPTIMAL;
    if (milp_timed_out(run->milp))
        return OUTCOME_TIMEOUT;
    if (result == MILP_ERROR)
        snprintf(run->plan->note, sizeof run->plan->note, "%.150s", milp_error(run->milp));
    else if (env->work_limit > 0 && run->plan->nodes >= env->work_limit)
        snprintf(run->plan->note, sizeof run->plan->note, "work limit of %" PRId64 " nodes",
                 env->work_limit);
    else
        snprintf(run->plan->note, sizeof run->plan->note,
                 "GLPK's solution and bound do not meet in whole units of %" PRId64 " bytes",
                 run->unit);
    return OUTCOME_FEASIBLE;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    struct run run = {.instance = instance, .env = env, .plan = plan, .trial = plan_new(instance)};
    enum outcome outcome = OUTCOME_OPTIMAL;

    side_by_side(&run);
    if (instance->n > 0) {
        run.unit = dsa_unit(instance);
        run.most = instance->total / run.unit;
        build(&run);
        outcome = search(&run);
        milp_free(run.milp);
    }
    free(run.address);
    free(run.pair);
    plan_free(run.trial);
    return outcome;
}

static bool applicable(const struct instance *instance, const struct params *params,
                       struct error *reason)
{
    int64_t pairs, most = params_int(params, "max-pairs");

    if (instance->n == 0)
        return true;
    if ((double)(instance->total / dsa_unit(instance)) * finest >= part_of_unit)
        return error_set(reason,
                         "the sizes add up to %" PRId64 " units of %" PRId64
                         " bytes, too many for GLPK to tell one from none",
                         instance->total / dsa_unit(instance), dsa_unit(instance));
    pairs = instance_overlapping_pairs(instance);
    if (pairs > most)
        return error_set(reason, "%" PRId64 " overlapping pairs, more than max-pairs=%" PRId64,
                         pairs, most);
    return true;
}

static const struct param params[] = {
    PARAM_SWITCH("load", "off",
                 "tell the model the load, a bound that the publication does not use"),
    PARAM_SWITCH("cuts", "off", "GLPK's Gomory, MIR, cover and clique cuts"),
    {"max-pairs", PARAM_INT, "20000", NULL, 0.0, 1e7,
     "no model above this many pairs of buffers that overlap in time"},
    PARAM_END,
};

const struct solver solver_model_ilp = {
    .name = "model-ilp",
    .title = "MODeL's integer model, GLPK",
    .source = "Steiner et al. 2023, MODeL (OLLA), defragmenter.py",
    .kind = SOLVER_EXACT,
    .layout = LAYOUT_ARENA,
    .params = params,
    .applicable = applicable,
    .solve = solve,
};
