/* SPDX-License-Identifier: GPL-3.0-or-later */
/* somas: the best of eight passes over the buffers, largest first.
 *
 * Graph outputs first, then sizes descending, then indices.  A pass has one of two
 * spaces and one of two fits.
 *
 *   shared   A row of footprints.  A buffer is tried in each, from the lowest on; the
 *            last one is empty, takes any buffer, and ends where that buffer ends.
 *            One whose founder lives at the same time is passed over.  Inside a
 *            footprint the buffer goes into a gap that its placed neighbours in
 *            time leave, or behind them, if it ends within.
 *   single   The same with one footprint without an end.
 *   best     of the gaps that are large enough, the one with least left over, the
 *            lowest of equal ones; lowest: the lowest.
 *
 *     shared 11 +---+---+        single 10 +---+---+    x [0,1) has 6 bytes, z [1,2)
 *               | y | w |                  | y | w |    and w [1,2) 5, y [0,1) 4: w
 *             6 +---+---+                6 +---+   |    may not lie across the end
 *               | x |___| 5                | x |___| 5  of the footprint that x
 *               |   | z |                  |   | z |    founded.
 *             0 +---+---+                0 +---+---+
 *
 * The smallest peak of all passes wins, but one of a single space has to be more than
 * 100 MiB below the best with footprints.
 *
 * Source: SOMAS of MindSpore, mindspore/ccsrc/backend/common/somas (solver_pre, _core
 * and _alg, 2023).  As shipped, a footprint hands its fit on to none: all but the
 * first one use best fit in every pass (later=same: the pass's own).  There, sizes
 * are multiples of 512 (align=native).
 * Complexity: O(n^2) with footprints; near O(n log n) in a single space where the width
 * is bounded (lib/place/gap_index.c), with the same plan.
 * Guarantee: none is known but peak <= sum of the sizes plus padding.
 * Differences: what the instances do not have plays no part: contiguous lists (tensors
 * that have to be adjacent), lifelong tensors stacked on top, and the flag on which
 * the second of the two orders depends.  Without it the two orders are one, so four
 * passes stand for eight.  Buffers share memory when their lifetimes do not overlap;
 * SOMAS asks the graph instead.  An alignment moves the start of a gap up.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/place/gap_index.h"
#include "lib/problem/instance.h"
#include "solvers/fit/ties.h"
#include "solvers/solver.h"

/* By how many bytes a single space has to be better than footprints.  */
static const int64_t most_waste = INT64_C(100) << 20;

enum { SPACE_ALL, SPACE_SHARED, SPACE_SINGLE };
enum { PASS_ALL, PASS_BEST, PASS_LOWEST };
enum { LATER_BEST, LATER_SAME };

struct tenant {
    uint32_t first, last; /* steps */
    int64_t lo, hi;
};

struct footprint {
    int64_t start;
    const struct buffer *founder; /* it takes the whole footprint; NULL: nobody yet */
    size_t count, room;
    struct tenant *tenant; /* by lo */
};

/* A row of footprints; the last one is empty, and each ends where the next starts.  */
struct row {
    size_t count, room;
    struct footprint *footprint;
};

static void row_append(struct row *row, int64_t start)
{
    row->footprint =
        memory_grow(row->footprint, &row->room, row->count + 1, sizeof *row->footprint);
    row->footprint[row->count++] = (struct footprint){.start = start};
}

static void row_clear(struct row *row)
{
    for (size_t f = 0; f < row->count; f++)
        free(row->footprint[f].tenant);
    free(row->footprint);
}

static void add_tenant(struct footprint *footprint, const struct buffer *buffer, int64_t offset)
{
    size_t at = footprint->count++;

    footprint->tenant = memory_grow(footprint->tenant, &footprint->room, footprint->count,
                                    sizeof *footprint->tenant);
    for (; at > 0 && footprint->tenant[at - 1].lo > offset; at--)
        footprint->tenant[at] = footprint->tenant[at - 1];
    footprint->tenant[at] =
        (struct tenant){buffer->first, buffer->last, offset, offset + buffer->size};
}

/* Where BUFFER goes in a footprint that ends at LIMIT; -1: it does not fit.  */
static int64_t find_offset(const struct footprint *footprint, int64_t limit,
                           const struct buffer *buffer, enum gap_fit fit)
{
    int64_t offset = -1, least = INT64_MAX, top = footprint->start;

    if (buffers_conflict(footprint->founder, buffer))
        return -1;
    for (size_t i = 0; i <= footprint->count; i++) {
        const struct tenant *tenant = &footprint->tenant[i];
        bool tail = i == footprint->count;
        int64_t start, rest;

        if (!tail && (tenant->first > buffer->last || tenant->last < buffer->first))
            continue;
        start = align_up(top, buffer->alignment);
        rest = (tail ? limit : tenant->lo) - start - buffer->size;
        if (rest >= 0 && rest < least) {
            offset = start;
            least = rest;
            if (fit == FIT_FIRST)
                return offset;
        }
        if (!tail)
            top = max64(top, tenant->hi);
    }
    return offset;
}

static int64_t place(struct row *row, const struct buffer *buffer, enum gap_fit first,
                     enum gap_fit later)
{
    size_t last = row->count - 1;
    int64_t offset;

    for (size_t f = 0; f < last; f++) {
        offset = find_offset(&row->footprint[f], row->footprint[f + 1].start, buffer,
                             f == 0 ? first : later);
        if (offset >= 0) {
            add_tenant(&row->footprint[f], buffer, offset);
            return offset;
        }
    }
    offset = align_up(row->footprint[last].start, buffer->alignment);
    row->footprint[last].founder = buffer;
    add_tenant(&row->footprint[last], buffer, offset);
    row_append(row, offset + buffer->size);
    return offset;
}

static void place_shared(const struct instance *instance, const struct order_key *key,
                         enum gap_fit first, enum gap_fit later, struct plan *plan)
{
    struct row row = {0};

    row_append(&row, 0);
    for (size_t i = 0; i < instance->n; i++) {
        size_t b = key[i].index;

        plan->offset[b] = place(&row, &instance->buffer[b], first, later);
    }
    plan->peak = row.footprint[row.count - 1].start;
    row_clear(&row);
}

/* --- the order --- */

/* True in OUTPUT for each buffer that holds an output of the network, where the
 * instance knows its network.  */
static bool *graph_outputs(const struct instance *instance)
{
    bool *output = memory_zalloc(instance->n, sizeof *output);
    const struct origin *origin = instance->origin;

    if (origin != NULL)
        for (size_t v = 0; v < origin->network->n_values; v++)
            if (origin->buffer[v] != SIZE_MAX && origin->network->value[v].output)
                output[origin->buffer[v]] = true;
    return output;
}

static struct order_key *make_order(const struct instance *instance, const struct solver_env *env)
{
    struct order_key *key = memory_alloc(instance->n, sizeof *key);
    size_t *order = ties_order(env, instance->n, TIES_FIRST);
    bool *output = graph_outputs(instance);

    for (size_t i = 0; i < instance->n; i++) {
        size_t b = order[i];

        key[i] = (struct order_key){output[b] ? 0 : 1, key_descending(instance->buffer[b].size), b};
    }
    order_sort(key, instance->n);
    free(output);
    free(order);
    return key;
}

static enum outcome solve(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan)
{
    static const enum gap_fit fits[] = {FIT_BEST, FIT_FIRST};
    unsigned only_space = params_choice(env->params, "space");
    unsigned only_fit = params_choice(env->params, "fit");
    bool same = params_choice(env->params, "later") == LATER_SAME, found_shared = false;
    struct order_key *key = make_order(instance, env);
    struct plan *trial = plan_new(instance);

    plan->peak = INT64_MAX;
    for (unsigned space = SPACE_SHARED; space <= SPACE_SINGLE; space++)
        for (unsigned fit = PASS_BEST; fit <= PASS_LOWEST; fit++) {
            enum gap_fit own = fits[fit - PASS_BEST];

            if ((only_space != SPACE_ALL && only_space != space) ||
                (only_fit != PASS_ALL && only_fit != fit))
                continue;
            if (space == SPACE_SHARED)
                place_shared(instance, key, own, same ? own : FIT_BEST, trial);
            else
                gap_place(instance, key, own, trial);
            if (trial->peak >= plan->peak ||
                (space == SPACE_SINGLE && found_shared && plan->peak - trial->peak <= most_waste))
                continue;
            plan_copy(plan, trial);
            found_shared = space == SPACE_SHARED;
        }
    plan_free(trial);
    free(key);
    return OUTCOME_FEASIBLE;
}

static const struct param params[] = {
    PARAM_ENUM("space", "all", "passes with footprints, in one space without an end, or both",
               {"all", SPACE_ALL}, {"shared", SPACE_SHARED}, {"single", SPACE_SINGLE}),
    PARAM_ENUM("fit", "all", "passes that take the tightest gap, the lowest one, or both",
               {"all", PASS_ALL}, {"best", PASS_BEST}, {"lowest", PASS_LOWEST}),
    PARAM_ENUM("later", "best",
               "in footprints after the first: the tightest gap, as shipped, or the pass's own",
               {"best", LATER_BEST}, {"same", LATER_SAME}),
    TIES_PARAM,
    PARAM_END,
};

const struct solver solver_somas = {
    .name = "somas",
    .title = "SOMAS, best of eight",
    .source = "MindSpore, backend/common/somas",
    .kind = SOLVER_HEURISTIC,
    .capabilities = SOLVER_ALIGNMENT | SOLVER_SHIPPED,
    .layout = LAYOUT_ARENA,
    .native = {512, 0},
    .params = params,
    .solve = solve,
};
