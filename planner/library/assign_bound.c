/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "planner/library/assign_bound.h"

#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "planner/library/assign_model.h"
#include "planner/library/assign_place.h"
#include "planner/library/assign_room.h"

/* Steps, their first length as a share of what the bound lacks, the share of the direction before
 * that each keeps; and when a length without success is halved, and when that ends.  */
#define MOST_STEPS 1000
#define FIRST_LENGTH 1.0
#define KEPT 0.5
#define PATIENCE 12
#define LEAST_LENGTH 1e-4

/* Sums of prices are whole numbers below this, and so exact; and prices are that fine.  */
#define MOST_SUM (INT64_C(1) << 52)
#define FINE 1073741824.0

/* More than twice the rounding of one operation.  */
#define ROUNDING 5e-16

struct ascent {
    struct assign_prices *prices;
    int64_t *price;    /* tried; best ones are in PRICES */
    int64_t *sum;      /* of prices of one memory before a section: sum[m * (sections + 1) + s] */
    int64_t *too_much; /* bytes in use less the room, by memory and section */
    double *direction;
    double value; /* of the relaxation, and all that was added up for it */
    double volume;
};

/* --- prices --- */

static double dearest_byte(const struct assign_model *model)
{
    double most = 0.0;

    for (size_t b = 0; b < model->n; b++) {
        const size_t last = assign_choice(model, b, model->choices[b] - 1);
        int64_t saving =
            assign_cost(model, b, last) - assign_cost(model, b, assign_choice(model, b, 0));

        for (size_t i = model->first_piece[b]; i < model->first_piece[b + 1]; i++) {
            double byte = (double)saving / (double)(model->piece[i].high - model->piece[i].low);

            most = byte > most ? byte : most;
        }
    }
    return most;
}

void assign_prices_init(struct assign_prices *prices, const struct assign_model *model)
{
    *prices = (struct assign_prices){
        .model = model,
        .bound = model->cheapest,
        .price = memory_zalloc(model->memories * model->sections, sizeof *prices->price),
        .unit = dearest_byte(model) / FINE,
        .most_price = MOST_SUM / ((int64_t)model->sections + 1),
    };
    prices->best = (double)model->cheapest * (1.0 - ROUNDING) - 1.0;
}

double assign_prices_of(const struct assign_prices *prices, size_t b, size_t m)
{
    const struct assign_model *model = prices->model;
    const int64_t *price = &prices->price[m * model->sections];
    double paid = 0.0;

    for (size_t i = model->first_piece[b]; i < model->first_piece[b + 1]; i++) {
        const struct assign_piece *piece = &model->piece[i];
        int64_t sum = 0;

        for (size_t s = piece->first; s <= piece->last; s++)
            sum += price[s];
        paid += prices->unit * (double)sum * (double)(piece->high - piece->low);
    }
    return paid;
}

/* --- the relaxation --- */

static void sum_prices(struct ascent *ascent)
{
    const struct assign_model *model = ascent->prices->model;

    for (size_t m = 0; m < model->memories; m++) {
        int64_t *sum = &ascent->sum[m * (model->sections + 1)];

        sum[0] = 0;
        for (size_t s = 0; s < model->sections; s++)
            sum[s + 1] = sum[s] + ascent->price[m * model->sections + s];
    }
}

static double pays(const struct ascent *ascent, size_t b, size_t m)
{
    const struct assign_model *model = ascent->prices->model;
    const int64_t *sum = &ascent->sum[m * (model->sections + 1)];
    double paid = (double)assign_cost(model, b, m);

    for (size_t i = model->first_piece[b]; i < model->first_piece[b + 1]; i++) {
        const struct assign_piece *piece = &model->piece[i];

        paid += ascent->prices->unit * (double)(sum[piece->last + 1] - sum[piece->first]) *
                (double)(piece->high - piece->low);
    }
    return paid;
}

/* Buffer B uses bytes of memory M: as changes at the sections where they begin and end.  */
static void use(struct ascent *ascent, size_t b, size_t m)
{
    const struct assign_model *model = ascent->prices->model;
    int64_t *change = &ascent->too_much[m * (model->sections + 1)];

    for (size_t i = model->first_piece[b]; i < model->first_piece[b + 1]; i++) {
        const struct assign_piece *piece = &model->piece[i];

        change[piece->first] += piece->high - piece->low;
        change[piece->last + 1] -= piece->high - piece->low;
    }
}

/* From changes to bytes that are too much, and what the rooms are worth.  */
static void charge(struct ascent *ascent)
{
    const struct assign_model *model = ascent->prices->model;

    for (size_t m = 0; m < model->memories; m++) {
        int64_t *change = &ascent->too_much[m * (model->sections + 1)], used = 0;
        const int64_t *price = &ascent->price[m * model->sections];
        const int64_t *room = &ascent->prices->room[m * model->sections];

        for (size_t s = 0; s < model->sections && !assign_is_unlimited(model, m); s++) {
            double worth = ascent->prices->unit * (double)price[s] * (double)room[s];

            used += change[s];
            change[s] = used - room[s];
            ascent->value -= worth;
            ascent->volume += worth;
        }
    }
}

/* Where the prices that are tried send each buffer, and what all pay.  */
static void relax(struct ascent *ascent)
{
    const struct assign_model *model = ascent->prices->model;

    sum_prices(ascent);
    memset(ascent->too_much, 0, model->memories * (model->sections + 1) * sizeof *ascent->too_much);
    ascent->value = ascent->volume = 0.0;
    for (size_t b = 0; b < model->n; b++) {
        size_t best = assign_choice(model, b, 0);
        double least = pays(ascent, b, best);

        for (size_t i = 1; i < model->choices[b]; i++) {
            double paid = pays(ascent, b, assign_choice(model, b, i));

            if (paid < least) {
                least = paid;
                best = assign_choice(model, b, i);
            }
        }
        use(ascent, b, best);
        ascent->value += least;
        ascent->volume += least;
    }
    charge(ascent);
}

/* --- the bound --- */

/* What all costs differ from the cheapest by multiples of; 0: nothing can differ.  */
static int64_t grain(const struct assign_model *model)
{
    int64_t common = 0;

    for (size_t b = 0; b < model->n; b++)
        for (size_t i = 1; i < model->choices[b]; i++)
            common = gcd64(common, assign_cost(model, b, assign_choice(model, b, i)) -
                                       assign_cost(model, b, assign_choice(model, b, 0)));
    return common;
}

/* The least cost that there can be above VALUE, of which each of the sums may be wrong by a
 * rounding.  */
static int64_t bound_from(const struct ascent *ascent, int64_t common)
{
    const struct assign_model *model = ascent->prices->model;
    double operations = 16.0 + (double)model->n + 4.0 * (double)model->first_piece[model->n] +
                        (double)model->memories * (double)model->sections;
    double above = ascent->value - ROUNDING * operations * ascent->volume -
                   (double)model->cheapest * (1.0 + ROUNDING);
    double most = (double)(model->dearest - model->cheapest);
    int64_t whole;

    if (!(above > 0.0) || common == 0)
        return model->cheapest;
    /* More than the dearest would mean that nothing fits, which is not said here.  */
    if (above >= most)
        return model->dearest;
    whole = (int64_t)above;
    whole += (double)whole < above;
    whole = capped_align(whole, common);
    return model->cheapest + min64(whole, model->dearest - model->cheapest);
}

/* --- the ascent --- */

/* The direction, which keeps a share of the one before, and the square of its length.  */
static double turn(struct ascent *ascent)
{
    const struct assign_model *model = ascent->prices->model;
    double square = 0.0;

    for (size_t m = 0; m < model->memories; m++)
        for (size_t s = 0; s < model->sections && !assign_is_unlimited(model, m); s++) {
            const size_t at = m * model->sections + s;
            const double now = (double)ascent->too_much[m * (model->sections + 1) + s];
            double *direction = &ascent->direction[at];

            *direction = KEPT * *direction + now;
            /* A price of 0 can't fall, and what was before may not keep it from rising.  */
            if (ascent->price[at] == 0 && *direction < 0.0)
                *direction = now > 0.0 ? now : 0.0;
            square += *direction * *direction;
        }
    return square;
}

static void move(struct ascent *ascent, double length)
{
    const struct assign_prices *prices = ascent->prices;
    const struct assign_model *model = prices->model;
    const double most = (double)prices->most_price;

    for (size_t i = 0; i < model->memories * model->sections; i++) {
        double price = (double)ascent->price[i] + length * ascent->direction[i] / prices->unit;

        ascent->price[i] = price > most ? prices->most_price : price > 0.0 ? (int64_t)price : 0;
    }
}

static void keep(struct ascent *ascent, int64_t common)
{
    struct assign_prices *prices = ascent->prices;
    const struct assign_model *model = prices->model;

    prices->best = ascent->value;
    prices->bound = max64(prices->bound, bound_from(ascent, common));
    memcpy(prices->price, ascent->price, model->memories * model->sections * sizeof *prices->price);
}

static void climb(struct ascent *ascent, struct assign_search *search, int64_t cost)
{
    struct assign_prices *prices = ascent->prices;
    const int64_t common = grain(prices->model);
    double length = FIRST_LENGTH, square;
    int waited = 0;

    for (int step = 0; step < MOST_STEPS && prices->bound < cost && length > LEAST_LENGTH; step++) {
        if (assign_is_over(search))
            return;
        search->work--;
        relax(ascent);
        if (ascent->value > prices->best) {
            keep(ascent, common);
            waited = 0;
        } else if (++waited >= PATIENCE) {
            length /= 2.0;
            waited = 0;
            memcpy(ascent->price, prices->price,
                   prices->model->memories * prices->model->sections * sizeof *prices->price);
            relax(ascent);
        }
        square = turn(ascent);
        if (!(square > 0.0) || !((double)cost > ascent->value))
            return;
        move(ascent, length * ((double)cost - ascent->value) / square);
    }
}

void assign_prices_raise(struct assign_prices *prices, struct assign_search *search, int64_t cost)
{
    const struct assign_model *model = prices->model;
    const size_t numbers = model->memories * (model->sections + 1);
    struct ascent ascent = {.prices = prices};

    if (model->sections == 0 || !(prices->unit > 0.0) || prices->bound >= cost ||
        assign_is_over(search))
        return;
    if (prices->room == NULL) {
        prices->room = memory_alloc(model->memories * model->sections, sizeof *prices->room);
        assign_rooms(model, prices->room);
    }
    ascent.price = memory_alloc(numbers, sizeof *ascent.price);
    ascent.sum = memory_alloc(numbers, sizeof *ascent.sum);
    ascent.too_much = memory_alloc(numbers, sizeof *ascent.too_much);
    ascent.direction = memory_zalloc(numbers, sizeof *ascent.direction);
    memcpy(ascent.price, prices->price, model->memories * model->sections * sizeof *prices->price);
    climb(&ascent, search, cost);
    memory_free(ascent.price);
    memory_free(ascent.sum);
    memory_free(ascent.too_much);
    memory_free(ascent.direction);
}
