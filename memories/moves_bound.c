/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <math.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/problem/instance.h"
#include "lib/problem/pieces.h"
#include "memories/moves_program.h"
#include "memories/split.h"

/* What sums of floating-point numbers may be off.  */
#define BOUND_TOLERANCE 1e-7

/* One that is used at a step and may be used in a memory other than its cheapest: bytes, and what
 * that costs.  */
struct yielding {
    int64_t step, bytes, cost;
};

static int compare_yielding(const void *a, const void *b)
{
    const struct yielding *x = a, *y = b;
    const double x_ratio = (double)x->cost / (double)x->bytes;
    const double y_ratio = (double)y->cost / (double)y->bytes;

    return ORDER(x->step, y->step) ?: ORDER(x_ratio, y_ratio);
}

/* The cheapest memory of access A of buffer B, and what the next one costs more; SPLIT_NEVER: there
 * is no other.  */
static size_t cheapest_of(const struct moves_problem *problem, size_t b, size_t a, int64_t *least,
                          int64_t *more)
{
    size_t best = SIZE_MAX;
    int64_t second = SPLIT_NEVER;

    *least = SPLIT_NEVER;
    for (size_t m = 0; m < problem->split->memories; m++) {
        const int64_t cost =
            moves_allowed(problem, b, m) ? moves_access_cost(problem, a, m) : SPLIT_NEVER;

        if (cost < *least) {
            second = *least;
            *least = cost;
            best = m;
        } else {
            second = min64(second, cost);
        }
    }
    *more = second == SPLIT_NEVER || best == SIZE_MAX ? SPLIT_NEVER : second - *least;
    return best;
}

/* Bytes of buffer B that are there at STEP, no more than those of all its pieces.  */
static int64_t bytes_at(const struct instance *instance, size_t b, int64_t step)
{
    const struct buffer *buffer = &instance->buffer[b];
    struct piece *disjoint;
    const size_t pieces =
        pieces_disjoint(&instance->piece[buffer->first_piece], buffer->pieces, &disjoint);
    int64_t bytes = 0;

    for (size_t p = 0; p < pieces; p++)
        if (disjoint[p].begin <= step && step < disjoint[p].end)
            bytes += disjoint[p].hi - disjoint[p].lo;
    memory_free(disjoint);
    return bytes;
}

/* Those whose cheapest memory is M; COUNT of them.  One that has no other yields at no price that
 * anybody pays.  BASE is what all accesses cost at least.  */
static struct yielding *find_yielding(const struct moves_problem *problem, size_t m, size_t *count,
                                      int64_t *base)
{
    struct yielding *yielding = memory_alloc(moves_accesses(problem), sizeof *yielding);

    *count = 0;
    *base = 0;
    for (size_t b = 0; b < problem->split->instance->n; b++)
        for (size_t a = problem->accesses.first[b]; a < problem->accesses.first[b + 1]; a++) {
            int64_t least, more;
            const int64_t step = problem->accesses.access[a].step;
            const size_t best = cheapest_of(problem, b, a, &least, &more);

            *base += best == SIZE_MAX ? 0 : least;
            if (best == m && bytes_at(problem->split->instance, b, step) > 0)
                yielding[(*count)++] =
                    (struct yielding){step, bytes_at(problem->split->instance, b, step), more};
        }
    sort_stable(yielding, *count, sizeof *yielding, compare_yielding);
    return yielding;
}

/* What it costs that those of one step fit into ROOM.  */
static double step_price(const struct yielding *yielding, size_t count, int64_t room)
{
    int64_t excess = -room;
    double price = 0.0;

    for (size_t i = 0; i < count; i++)
        excess += yielding[i].bytes;
    for (size_t i = 0; i < count && excess > 0 && yielding[i].cost != SPLIT_NEVER; i++) {
        price += fmin(1.0, (double)excess / (double)yielding[i].bytes) * (double)yielding[i].cost;
        excess -= yielding[i].bytes;
    }
    return price;
}

int64_t moves_step_bound(const struct moves_problem *problem)
{
    double most = 0.0;
    int64_t base = 0;

    for (size_t m = 0; m < problem->split->memories; m++) {
        const int64_t room = memory_room(&problem->split->memory[m]);
        double price = 0.0;
        size_t count;
        struct yielding *yielding = find_yielding(problem, m, &count, &base);

        for (size_t i = 0, next; i < count; i = next) {
            for (next = i; next < count && yielding[next].step == yielding[i].step;)
                next++;
            price += step_price(yielding + i, next - i, room);
        }
        memory_free(yielding);
        most = fmax(most, price);
    }
    return base + (int64_t)floor(most * (1.0 - BOUND_TOLERANCE));
}
