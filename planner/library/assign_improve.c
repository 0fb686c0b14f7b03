/* SPDX-License-Identifier: Apache-2.0 */
/* The order is the greedy rule of knapsack problems (Dantzig, Discrete-variable extremum problems,
 * Operations Research 5, 1957), the size of an item being the bytes times sections that it takes.
 * Moves are one in, as many out as it takes.  */
#include <config.h>

#include "planner/library/assign_improve.h"

#include <math.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/small_rng.h"
#include "lib/base/sort.h"
#include "planner/library/assign_bound.h"
#include "planner/library/assign_model.h"
#include "planner/library/assign_place.h"

/* --- orders --- */

struct rated {
    double density;
    size_t buffer;
};

static int compare_rated(const void *a, const void *b)
{
    const struct rated *x = a, *y = b;

    return ORDER(y->density, x->density) ?: ORDER(x->buffer, y->buffer);
}

/* What buffer B costs more in its dearest memory than in its cheapest.  */
static double saving_of(const struct assign_model *model, size_t b)
{
    return (double)(assign_cost(model, b, assign_choice(model, b, model->choices[b] - 1)) -
                    assign_cost(model, b, assign_choice(model, b, 0)));
}

static double area_of(const struct assign_model *model, size_t b)
{
    double area = 0.0;

    for (size_t i = model->first_piece[b]; i < model->first_piece[b + 1]; i++) {
        const struct assign_piece *piece = &model->piece[i];

        area += (double)(piece->high - piece->low) * (double)(piece->last - piece->first + 1);
    }
    return area > 0.0 ? area : 1.0;
}

size_t *assign_order(const struct assign_search *search, const struct assign_prices *prices,
                     struct small_rng *rng)
{
    const struct assign_model *model = search->model;
    struct rated *rated = memory_alloc(model->n, sizeof *rated);
    size_t *order = memory_alloc(model->n, sizeof *order);

    for (size_t b = 0; b < model->n; b++) {
        double size = area_of(model, b), noise = rng == NULL ? 1.0 : 1.0 + small_rng_unit(rng);

        /* What pays nothing is in nobody's way: those come first, the larger saving before.  */
        if (prices != NULL)
            size = assign_prices_of(prices, b, assign_choice(model, b, 0)) + 1e-6;
        rated[b] = (struct rated){
            model->choices[b] == 1 ? INFINITY : saving_of(model, b) / size * noise, b};
    }
    sort_stable(rated, model->n, sizeof *rated, compare_rated);
    for (size_t i = 0; i < model->n; i++)
        order[i] = rated[i].buffer;
    memory_free(rated);
    return order;
}

/* --- moves --- */

/* What buffer C costs more at least when it leaves memory M; INFINITY where it has no other.  */
static double price_to_leave(const struct assign_model *model, size_t c, size_t m)
{
    const size_t i = assign_choice(model, c, 0) == m ? 1 : 0;

    if (model->choices[c] == 1)
        return INFINITY;
    return (double)(assign_cost(model, c, assign_choice(model, c, i)) - assign_cost(model, c, m));
}

/* Bytes of buffer C in section S.  */
static int64_t bytes_in(const struct assign_model *model, size_t c, size_t s)
{
    int64_t bytes = 0;

    for (size_t i = model->first_piece[c]; i < model->first_piece[c + 1]; i++)
        if (model->piece[i].first <= s && s <= model->piece[i].last)
            bytes += model->piece[i].high - model->piece[i].low;
    return bytes;
}

/* Of the buffers in memory M that have bytes in section S, the one that is the cheapest to move out
 * for these; SIZE_MAX: none.  */
static size_t cheapest_out(const struct assign_model *model, const struct assign_plan *plan,
                           size_t m, size_t s)
{
    size_t best = SIZE_MAX;
    double least = INFINITY;

    for (size_t c = 0; c < model->n; c++) {
        int64_t bytes = plan->memory[c] == m ? bytes_in(model, c, s) : 0;
        double price = bytes == 0 ? INFINITY : price_to_leave(model, c, m) / (double)bytes;

        if (price < least) {
            least = price;
            best = c;
        }
    }
    return best;
}

/* Takes out of memory M what is too much there beside buffer B; OUT[*COUNT...] grows.  */
static bool make_room(struct assign_search *search, struct assign_plan *plan, size_t b, size_t m,
                      size_t *out, size_t *count)
{
    const struct assign_model *model = search->model;
    const int64_t *used = &plan->used[m * model->sections];

    if (assign_is_unlimited(model, m))
        return true;
    for (size_t i = model->first_piece[b]; i < model->first_piece[b + 1]; i++)
        for (size_t s = model->piece[i].first; s <= model->piece[i].last; s++)
            while (used[s] > model->memory[m].capacity - bytes_in(model, b, s)) {
                size_t c = cheapest_out(model, plan, m, s);

                search->work--;
                if (c == SIZE_MAX)
                    return false;
                assign_take(model, plan, c);
                out[(*count)++] = c;
            }
    return true;
}

bool assign_move(struct assign_search *search, struct assign_plan *plan, size_t b, size_t m)
{
    const struct assign_model *model = search->model;
    size_t *out = memory_alloc(model->n, sizeof *out), count = 0;
    bool good;

    if (plan->memory[b] != SIZE_MAX)
        assign_take(model, plan, b);
    good = make_room(search, plan, b, m, out, &count) && assign_put(search, plan, b, m, true);
    for (size_t i = 0; i < count && good; i++)
        good = assign_put_cheapest(search, plan, out[i], ASSIGN_NEVER, false);
    memory_free(out);
    return good;
}

bool assign_in_order(struct assign_search *search, const size_t *order, struct assign_plan *plan)
{
    const struct assign_model *model = search->model;
    struct assign_plan before;
    bool good = true;

    assign_plan_init(&before, model);
    assign_plan_empty(plan, model);
    for (size_t i = 0; i < model->n && good; i++) {
        const size_t b = order[i];

        good = assign_put_cheapest(search, plan, b, ASSIGN_NEVER, true);
        if (!good)
            assign_plan_copy(&before, plan, model);
        for (size_t k = 0; k < model->choices[b] && !good && !assign_is_over(search); k++) {
            good = assign_move(search, plan, b, assign_choice(model, b, k));
            if (!good)
                assign_plan_copy(plan, &before, model);
        }
    }
    assign_plan_clear(&before);
    return good;
}

/* Buffer B to a cheaper memory, where that makes BEST cheaper.  */
static bool improve_by(struct assign_search *search, size_t b, struct assign_plan *best,
                       struct assign_plan *tried)
{
    const struct assign_model *model = search->model;
    const size_t at = best->memory[b];

    for (size_t i = 0; i < model->choices[b] && assign_choice(model, b, i) != at; i++) {
        const size_t m = assign_choice(model, b, i);

        if (assign_cost(model, b, m) == assign_cost(model, b, at) || assign_is_over(search))
            return false;
        assign_plan_copy(tried, best, model);
        if (assign_move(search, tried, b, m) && tried->cost < best->cost) {
            assign_plan_copy(best, tried, model);
            return true;
        }
    }
    return false;
}

void assign_improve(struct assign_search *search, const size_t *order, struct assign_plan *best,
                    struct assign_plan *tried)
{
    bool better;

    do {
        better = false;
        for (size_t i = 0; i < search->model->n && !assign_is_over(search); i++)
            better = improve_by(search, order[i], best, tried) || better;
    } while (better && !assign_is_over(search));
}
