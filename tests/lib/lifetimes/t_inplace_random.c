/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sharing in place on random graphs: whatever a rule decides, the network runs
 * on stacked buffers and on tightly packed pieces; the pieces hold what is alive
 * and, without views, nothing else; and each rule granted all that it grants.  */
#include <config.h>

#include "lib/lifetimes/inplace.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/graph/network.h"
#include "lib/graph/reuse.h"
#include "lib/graph/schedule.h"
#include "lib/judge/verify.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/order.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/support/tap.h"

enum { MAX_OPS = 24, MAX_VALUES = 4 * MAX_OPS };

/* --- random networks --- */

struct draft {
    struct network *network;
    struct rng *rng;
    size_t value[MAX_VALUES]; /* what an operator can read */
    size_t values;
};

static size_t any_value(struct draft *draft)
{
    return draft->value[rng_range(draft->rng, 0, (int64_t)draft->values - 1)];
}

static int64_t size_of(const struct draft *draft, size_t value)
{
    return value_bytes(&draft->network->value[value]);
}

/* Sums are of all that is elementwise the operators added at even places.  */
static size_t add_op(struct draft *draft, enum op_kind kind, const size_t *input, size_t inputs)
{
    char *name = memory_printf("op%zu", draft->network->n_ops);
    bool sum = kind == OP_ELEMENTWISE && draft->network->n_ops % 2 == 0;
    size_t op = network_add_op(draft->network, name, kind, sum ? "add" : "random", input, inputs);

    free(name);
    return op;
}

static void add_output(struct draft *draft, size_t op, int rank, const int64_t *dim)
{
    char *name = memory_printf("v%zu", draft->network->n_values);
    size_t value = network_add_output(draft->network, op, name, DTYPE_I8, rank, dim);

    draft->value[draft->values++] = value;
    free(name);
}

static void add_vector(struct draft *draft, size_t op, int64_t size)
{
    add_output(draft, op, 1, &size);
}

/* Views, parts and pieces: a cut in two, a slice, a concatenation, a reshape.  */
static size_t add_mover(struct draft *draft, int64_t kind)
{
    size_t x[3] = {any_value(draft), any_value(draft), any_value(draft)}, op;
    const struct value *value = &draft->network->value[x[0]];
    int64_t size = size_of(draft, x[0]), at = rng_range(draft->rng, 0, size - 1);

    if (value->rank != 1 || draft->network->value[x[1]].rank != 1 ||
        draft->network->value[x[2]].rank != 1)
        kind = 3;
    if (kind == 0 && size > 1) {
        at = max64(at, 1);
        op = add_op(draft, OP_SPLIT, x, 1);
        add_vector(draft, op, at);
        add_vector(draft, op, size - at);
    } else if (kind == 1) {
        op = add_op(draft, OP_OTHER, x, 1);
        add_vector(draft, op, rng_range(draft->rng, 1, size - at));
        reuse_slice(draft->network, op, 0, 0, &at);
    } else if (kind == 2) {
        op = add_op(draft, OP_CONCAT, x, 3);
        add_vector(draft, op, size + size_of(draft, x[1]) + size_of(draft, x[2]));
    } else {
        op = add_op(draft, OP_ALIAS, x, 1);
        if (rng_range(draft->rng, 0, 1) == 0)
            add_vector(draft, op, size);
        else
            add_output(draft, op, 2, (const int64_t[]){1, size});
    }
    return op;
}

/* Element by element or at least in its shape: of one value, of two of the same shape if there are
 * any, or of two of which one is broadcast.  */
static size_t add_elementwise(struct draft *draft)
{
    static const enum op_kind alone[] = {OP_ACTIVATION, OP_ACTIVATION, OP_BATCH_NORM, OP_SOFTMAX};
    size_t x[2] = {any_value(draft), any_value(draft)}, op;
    const struct value *shape;

    for (int i = 0; i < 8; i++) {
        size_t y = any_value(draft);

        if (size_of(draft, y) == size_of(draft, x[0]))
            x[1] = y;
    }
    if (size_of(draft, x[1]) > size_of(draft, x[0])) {
        size_t y = x[0];

        x[0] = x[1];
        x[1] = y;
    }
    shape = &draft->network->value[x[0]];
    op = rng_range(draft->rng, 0, 1) == 0 ? add_op(draft, alone[rng_range(draft->rng, 0, 3)], x, 1)
                                          : add_op(draft, OP_ELEMENTWISE, x, 2);
    add_output(draft, op, shape->rank, (const int64_t[]){shape->dim[0], shape->dim[1]});
    return op;
}

static void add_random(struct draft *draft)
{
    int64_t kind = rng_range(draft->rng, 0, 9);
    size_t op;

    if (kind < 4) {
        op = add_mover(draft, kind);
    } else if (kind < 8) {
        op = add_elementwise(draft);
    } else {
        const size_t x[2] = {any_value(draft), any_value(draft)};

        op = add_op(draft, OP_OTHER, x, (size_t)rng_range(draft->rng, 1, 2));
        add_vector(draft, op, rng_range(draft->rng, 1, 12));
        if (kind == 9)
            add_vector(draft, op, rng_range(draft->rng, 1, 12));
    }
    reuse_infer(draft->network, op);
}

static struct network *random_network(struct rng *rng)
{
    struct draft draft = {.network = network_new("random"), .rng = rng};
    int64_t size = rng_range(rng, 1, 12), ops = rng_range(rng, 2, MAX_OPS);

    draft.value[draft.values++] =
        network_add_value(draft.network, "in", VALUE_INPUT, DTYPE_I8, 1, &size);
    draft.value[draft.values++] =
        network_add_value(draft.network, "weight", VALUE_WEIGHT, DTYPE_I8, 1, &size);
    for (int64_t i = 0; i < ops; i++) {
        add_random(&draft);
        /* Mostly what is new is read next.  */
        if (draft.values > 6 && rng_range(rng, 0, 3) > 0)
            draft.value[rng_range(rng, 0, 2)] = draft.value[draft.values - 1];
    }
    network_mark_output(draft.network, draft.value[draft.values - 1]);
    if (rng_range(rng, 0, 3) == 0)
        network_mark_output(draft.network, any_value(&draft));
    return draft.network;
}

static struct lifetime_options random_options(struct rng *rng)
{
    return (struct lifetime_options){
        .io = (enum io_count)rng_range(rng, 0, 3),
        .weights = rng_range(rng, 0, 3) == 0,
        .alias = rng_range(rng, 0, 1) == 1,
        .inplace = (enum inplace)rng_range(rng, 0, 2),
        .place = rng_range(rng, 0, 1) == 1,
    };
}

/* --- plans --- */

static bool runs(const struct instance *instance, struct plan *plan, struct error *error)
{
    plan->peak = plan_peak(instance, plan);
    return verify_plan(instance, plan, error) && verify_replay(instance, plan, NULL, error);
}

static bool stacked_runs(const struct instance *instance, struct error *error)
{
    struct plan *plan = plan_new(instance);
    int64_t top = 0;
    bool good;

    for (size_t b = 0; b < instance->n; b++) {
        plan->offset[b] = top;
        top += instance->buffer[b].size;
    }
    good = runs(instance, plan, error);
    plan_free(plan);
    return good;
}

/* Whether buffers A and B, at their offsets, overlap in some step.  */
static bool collide(const struct instance *instance, const struct plan *plan, size_t a, size_t b)
{
    for (size_t i = 0; i < instance->buffer[a].pieces; i++)
        for (size_t j = 0; j < instance->buffer[b].pieces; j++) {
            const struct piece *x = &instance->piece[instance->buffer[a].first_piece + i];
            const struct piece *y = &instance->piece[instance->buffer[b].first_piece + j];

            if (x->begin < y->end && y->begin < x->end &&
                plan->offset[a] + x->lo < plan->offset[b] + y->hi &&
                plan->offset[b] + y->lo < plan->offset[a] + x->hi)
                return true;
        }
    return false;
}

/* Each buffer at the lowest offset at which its pieces miss all earlier ones.  */
static bool packed_runs(const struct instance *instance, struct error *error)
{
    struct plan *plan = plan_new(instance);
    bool good;

    for (size_t b = 0; b < instance->n; b++) {
        bool free_there;

        plan->offset[b] = -1;
        do {
            plan->offset[b]++;
            free_there = true;
            for (size_t a = 0; a < b && free_there; a++)
                free_there = !collide(instance, plan, a, b);
        } while (!free_there);
    }
    good = runs(instance, plan, error);
    plan_free(plan);
    return good;
}

/* --- bytes in use --- */

/* The first and the last step of a value, by the counting rules.  */
static void life(const struct network *network, const struct schedule *schedule, size_t v,
                 int64_t *first, int64_t *last)
{
    const struct value *value = &network->value[v];

    *first = value->producer == NETWORK_NONE ? 0 : schedule->step[value->producer];
    *last = *first;
    for (size_t i = 0; i < value->readers; i++)
        *last = max64(*last, schedule->step[value->reader[i]]);
    if (value->output || value->role == VALUE_WEIGHT)
        *last = schedule->steps - 1;
}

/* The most bytes that are in use at one step: each byte of each buffer that
 * some live value covers, counted one by one.  */
static int64_t count_load(const struct instance *instance)
{
    const struct origin *origin = instance->origin;
    const struct network *network = origin->network;
    int64_t load = 0;

    for (int64_t step = 0; step < origin->schedule->steps; step++) {
        int64_t used = 0;

        for (size_t b = 0; b < instance->n; b++)
            for (int64_t at = 0; at < instance->buffer[b].size; at++) {
                bool covered = false;

                for (size_t v = 0; v < network->n_values && !covered; v++) {
                    int64_t first, last;

                    life(network, origin->schedule, v, &first, &last);
                    covered = origin->buffer[v] == b && first <= step && step <= last &&
                              origin->place[v] <= at &&
                              at < origin->place[v] + value_bytes(&network->value[v]);
                }
                used += covered;
            }
        load = max64(load, used);
    }
    return load;
}

/* --- what was granted --- */

/* reach[a][b]: operator A comes before B in every order.  */
static void find_reach(const struct network *network, bool reach[MAX_OPS][MAX_OPS])
{
    for (size_t a = 0; a < network->n_ops; a++)
        for (size_t b = 0; b < network->n_ops; b++) {
            reach[a][b] = false;
            for (size_t i = 0; i < network->op[b].inputs; i++)
                reach[a][b] = reach[a][b] || network->value[network->op[b].input[i]].producer == a;
        }
    for (size_t k = 0; k < network->n_ops; k++)
        for (size_t a = 0; a < network->n_ops; a++)
            for (size_t b = 0; b < network->n_ops; b++)
                reach[a][b] = reach[a][b] || (reach[a][k] && reach[k][b]);
}

static bool same_shape(const struct value *x, const struct value *y)
{
    return x->rank == y->rank && x->dim[0] == y->dim[0] && x->dim[1] == y->dim[1];
}

/* What NNC asks beside what both rules ask: the slot unless it is a sum of equal shapes, the
 * view's own dimensions, and no reader after the operator in any order.  */
static bool nnc_allows(const struct places *places, const struct network *network, size_t o,
                       const struct op_reuse *reuse, bool reach[MAX_OPS][MAX_OPS])
{
    const struct network_op *op = &network->op[o];
    size_t dest = places->chunk_of[op->input[reuse->input]];
    const struct value *y = &network->value[op->output[reuse->output]];
    bool sum = strcmp(op->type, "add") == 0;

    for (size_t i = 0; i < op->inputs; i++)
        sum = sum && same_shape(&network->value[op->input[i]], y);
    if (op->kind == OP_BATCH_NORM || (reuse->input != reuse->output && !sum) ||
        !same_shape(&network->value[op->input[reuse->input]], y))
        return false;
    for (size_t v = 0; v < network->n_values; v++)
        for (size_t i = 0; i < network->value[v].readers; i++)
            if (places->chunk_of[v] == dest && network->value[v].reader[i] != o &&
                !reach[network->value[v].reader[i]][o])
                return false;
    return true;
}

/* Whether the operator's other inputs and its views leave it alone.  */
static bool undisturbed(const struct places *places, const struct network *network, size_t o,
                        const struct op_reuse *reuse)
{
    const struct network_op *op = &network->op[o];
    size_t x = op->input[reuse->input], c = places->chunk_of[x];

    for (size_t j = 0; j < op->inputs; j++) {
        size_t y = op->input[j];
        int64_t low = max64(places->offset[x], places->offset[y]);
        int64_t high = min64(places->offset[x] + value_bytes(&network->value[x]),
                             places->offset[y] + value_bytes(&network->value[y]));
        bool same = places->offset[x] == places->offset[y] &&
                    value_bytes(&network->value[x]) == value_bytes(&network->value[y]) &&
                    network->value[x].rank == network->value[y].rank;

        if (places->chunk_of[y] == c && low < high && !same)
            return false;
    }
    return true;
}

/* MegEngine's rule may leave an output without anything to overwrite that had
 * something until a larger one took it.  */
static bool lost_to_larger(const struct places *places, const struct network_op *op, size_t src)
{
    for (size_t r = 0; r < op->reuses; r++) {
        const struct chunk *dest = &places->chunk[places->chunk_of[op->input[op->reuse[r].input]]];

        if (dest->src != SIZE_MAX && dest->src != src &&
            places->chunk[dest->src].size > places->chunk[src].size)
            return true;
    }
    return false;
}

/* Every link is one that the rule allows, and none that it allows is missing
 * between an output that overwrites nothing and an input that nothing
 * overwrites.  In serial schedules only.  */
static bool all_granted(const struct places *places, const struct network *network,
                        const struct lifetime_options *options)
{
    bool reach[MAX_OPS][MAX_OPS];

    find_reach(network, reach);
    for (size_t o = 0; o < network->n_ops; o++)
        for (size_t r = 0; r < network->op[o].reuses; r++) {
            const struct op_reuse *reuse = &network->op[o].reuse[r];
            size_t dest = places->chunk_of[network->op[o].input[reuse->input]];
            size_t src = places->chunk_of[network->op[o].output[reuse->output]];
            const struct chunk *from = &places->chunk[dest], *to = &places->chunk[src];
            bool may = reuse->kind == REUSE_OVERWRITE && options->inplace != INPLACE_OFF &&
                       from->counts && to->counts && !from->roles.output && !from->roles.stored &&
                       to->begin == from->end - 1 && undisturbed(places, network, o, reuse);

            if (options->inplace == INPLACE_NNC)
                may = may && nnc_allows(places, network, o, reuse, reach);
            if (options->inplace == INPLACE_MEGENGINE)
                may = may && network->op[o].kind != OP_BATCH_NORM &&
                      network->op[o].kind != OP_SOFTMAX;
            if (may && from->src == SIZE_MAX && to->dest == SIZE_MAX &&
                !(options->inplace == INPLACE_MEGENGINE &&
                  lost_to_larger(places, &network->op[o], src)))
                return false;
            if (!may && to->dest == dest && from->src == src && network->op[o].reuses == 1)
                return false;
        }
    return true;
}

/* --- the test --- */

struct tally {
    int64_t cases, failed, shapes, links, views;
    struct error first;
};

static void fail(struct tally *tally, int64_t seed, const char *what, const char *detail)
{
    if (tally->failed++ == 0)
        error_set(&tally->first, "seed %d: %s: %s", (int)seed, what, detail);
}

static void check_granted(struct tally *tally, int64_t seed, const struct instance *instance,
                          const struct lifetime_options *options)
{
    const struct origin *origin = instance->origin;
    struct places places;
    bool views = false;

    places_find(&places, origin->network, origin->schedule, options);
    for (size_t v = 0; v < origin->network->n_values; v++)
        views = views || places.chunk[places.chunk_of[v]].value != v;
    if (origin->schedule->serial && !all_granted(&places, origin->network, options))
        fail(tally, seed, "granted", "too much or too little");
    if (instance->load < count_load(instance) || (!views && instance->load != count_load(instance)))
        fail(tally, seed, "load", "not the bytes in use");
    tally->views += views;
    places_clear(&places);
}

static void one_case(struct tally *tally, int64_t seed)
{
    struct rng *rng = rng_new((uint32_t)seed);
    struct network *network = random_network(rng);
    struct lifetime_options options = random_options(rng);
    int64_t groups = rng_range(rng, 0, 3);
    struct schedule *schedule =
        groups == 0 ? schedule_file_order(network) : order_groups(network, groups);
    struct error error = {""};
    struct instance *instance = lifetimes_instance(network, schedule, &options, &error);

    rng_free(rng);
    tally->cases++;
    if (instance == NULL) {
        fail(tally, seed, "instance", error.text);
        return;
    }
    tally->shapes += instance->shapes;
    tally->links += instance->n_overwrites > 0;
    if (!stacked_runs(instance, &error))
        fail(tally, seed, "stacked", error.text);
    if (!packed_runs(instance, &error))
        fail(tally, seed, "packed", error.text);
    check_granted(tally, seed, instance, &options);
    instance_free(instance);
}

int main(void)
{
    struct tally tally = {0};
    int64_t cases = tap_tier(400, 4000);

    for (int64_t seed = 1; seed <= cases; seed++)
        one_case(&tally, seed);
    ok(tally.failed == 0, "%d random networks share as they may%s%s", (int)tally.cases,
       tally.failed == 0 ? "" : ": ", tally.first.text);
    ok(tally.shapes * 8 > tally.cases, "many have buffers that are no rectangles (%d)",
       (int)tally.shapes);
    ok(tally.links * 8 > tally.cases, "many have overwrites (%d)", (int)tally.links);
    ok(tally.views * 8 > tally.cases, "many have views (%d)", (int)tally.views);
    return tap_done();
}
