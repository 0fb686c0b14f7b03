#include <config.h>

#include "solvers/common/dsa_model.h"

#include <stdlib.h>
#include <string.h>

#include "lib/checked.h"
#include "lib/glpk_milp.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/timer.h"
#include "solvers/common/order.h"

/* Above this many units H is not declared an integer: GLPK rounds a whole
 * objective's bound up from 0.001 above a whole number, which is only sound
 * while the bound's error is smaller.  */
#define MOST_WHOLE_UNITS 100000

/* A pair stands in the lists of both of its buffers.  */
struct pair {
    size_t other;
    size_t column; /* 1: the buffer with the smaller index is below */
};

struct dsa_model {
    const struct instance *instance;
    struct milp *milp;
    int64_t unit, low, high;   /* bytes; bounds on H in units */
    int64_t *size, *alignment; /* in units; 1 where every multiple of the unit is aligned */
    bool *twin;                /* has a twin */
    size_t *first;             /* pairs of buffer i: first[i] .. first[i + 1] - 1, by other */
    struct pair *pair;
    size_t peak;    /* the column H */
    size_t *offset; /* the column of x_i, which counts in alignments */

    size_t *row_column; /* room for one row */
    double *row_value;
};

int64_t dsa_unit(const struct instance *instance)
{
    int64_t unit = 0;
    bool changed = true;

    for (size_t b = 0; b < instance->n; b++)
        unit = gcd64(unit, instance->buffer[b].size);
    while (changed) {
        changed = false;
        for (size_t b = 0; b < instance->n; b++) {
            int64_t alignment = instance->buffer[b].alignment;

            if (unit % alignment != 0 && alignment % unit != 0) {
                unit = gcd64(unit, alignment);
                changed = true;
            }
        }
    }
    return max64(unit, 1);
}

/* --- pairs --- */

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;

    return (x->other > y->other) - (x->other < y->other);
}

/* Calls VISIT for each pair of buffers alive together, found by a sweep over the
 * begins with the list of those still alive.  O(n log n + n width).  */
static void each_pair(const struct instance *instance,
                      void (*visit)(struct dsa_model *, size_t, size_t), struct dsa_model *model)
{
    struct order_key *key = memory_alloc(instance->n, sizeof *key);
    size_t *alive = memory_alloc(instance->n, sizeof *alive);
    size_t count = 0;

    for (size_t b = 0; b < instance->n; b++)
        key[b] = (struct order_key){key_ascending(instance->buffer[b].begin), 0, b};
    order_sort(key, instance->n);
    for (size_t k = 0; k < instance->n; k++) {
        size_t b = key[k].index, kept = 0;

        for (size_t i = 0; i < count; i++) {
            size_t a = alive[i];

            if (instance->buffer[a].end <= instance->buffer[b].begin)
                continue;
            alive[kept++] = a;
            visit(model, a, b);
        }
        alive[kept] = b;
        count = kept + 1;
    }
    free(alive);
    free(key);
}

static void count_pair(struct dsa_model *model, size_t a, size_t b)
{
    model->first[a + 1]++;
    model->first[b + 1]++;
}

/* first[a] is where the next pair of a goes; shifted back afterwards.  */
static void store_pair(struct dsa_model *model, size_t a, size_t b)
{
    model->pair[model->first[a]++] = (struct pair){b, SIZE_MAX};
    model->pair[model->first[b]++] = (struct pair){a, SIZE_MAX};
}

static void find_pairs(struct dsa_model *model)
{
    const struct instance *instance = model->instance;

    model->first = memory_zalloc(instance->n + 1, sizeof *model->first);
    each_pair(instance, count_pair, model);
    for (size_t b = 0; b < instance->n; b++)
        model->first[b + 1] += model->first[b];
    model->pair = memory_alloc(model->first[instance->n], sizeof *model->pair);
    each_pair(instance, store_pair, model);
    memmove(model->first + 1, model->first, instance->n * sizeof *model->first);
    model->first[0] = 0;
    for (size_t b = 0; b < instance->n; b++)
        qsort(model->pair + model->first[b], model->first[b + 1] - model->first[b],
              sizeof *model->pair, compare_pairs);
}

static struct pair *find_pair(const struct dsa_model *model, size_t a, size_t b)
{
    const struct pair key = {b, SIZE_MAX};

    return bsearch(&key, model->pair + model->first[a], model->first[a + 1] - model->first[a],
                   sizeof *model->pair, compare_pairs);
}

/* --- columns --- */

static bool are_twins(const struct dsa_model *model, size_t a, size_t b)
{
    const struct buffer *x = &model->instance->buffer[a], *y = &model->instance->buffer[b];

    return x->begin == y->begin && x->end == y->end && x->size == y->size &&
           model->alignment[a] == model->alignment[b];
}

/* The pair whose order is fixed because a plan can be flipped: the one with
 * the largest sizes together, which says most.  NULL: none.  */
static const struct pair *pair_to_fix(const struct dsa_model *model)
{
    const struct pair *found = NULL;
    int64_t most = 0;

    for (size_t a = 0; a < model->instance->n; a++)
        if (model->alignment[a] > 1)
            return NULL;
    for (size_t a = 0; a < model->instance->n; a++)
        for (size_t p = model->first[a]; p < model->first[a + 1]; p++) {
            size_t b = model->pair[p].other;

            if (a < b && !model->twin[a] && !model->twin[b] &&
                model->size[a] + model->size[b] > most) {
                most = model->size[a] + model->size[b];
                found = &model->pair[p];
            }
        }
    return found;
}

static void add_columns(struct dsa_model *model)
{
    size_t n = model->instance->n;
    const struct pair *fixed;

    model->peak = milp_add_column(model->milp,
                                  model->high <= MOST_WHOLE_UNITS ? MILP_INTEGER : MILP_CONTINUOUS,
                                  (double)model->low, (double)model->high, 1.0);
    model->offset = memory_alloc(n, sizeof *model->offset);
    for (size_t b = 0; b < n; b++) {
        int64_t room = (model->high - model->size[b]) / model->alignment[b];

        model->offset[b] =
            milp_add_column(model->milp, model->alignment[b] > 1 ? MILP_INTEGER : MILP_CONTINUOUS,
                            0.0, (double)room, 0.0);
    }
    model->twin = memory_zalloc(n, sizeof *model->twin);
    for (size_t a = 0; a < n; a++)
        for (size_t p = model->first[a]; p < model->first[a + 1]; p++)
            if (are_twins(model, a, model->pair[p].other))
                model->twin[a] = true;
    fixed = pair_to_fix(model);
    for (size_t a = 0; a < n; a++)
        for (size_t p = model->first[a]; p < model->first[a + 1]; p++) {
            struct pair *pair = &model->pair[p];
            bool known = pair == fixed || are_twins(model, a, pair->other);

            if (pair->other < a)
                continue;
            pair->column = milp_add_column(model->milp, MILP_BINARY, known ? 1.0 : 0.0, 1.0, 0.0);
            find_pair(model, pair->other, a)->column = pair->column;
        }
}

/* --- rows --- */

/* LOW <= c_1 x_a + c_2 x_b + c_3 y.  */
static void add_pair_row(struct dsa_model *model, size_t plus, size_t minus, size_t binary,
                         int64_t coefficient, int64_t low)
{
    const size_t column[] = {model->offset[plus], model->offset[minus], binary};
    const double value[] = {(double)model->alignment[plus], -(double)model->alignment[minus],
                            (double)coefficient};

    milp_add_row(model->milp, (double)low, MILP_INFINITY, column, value, 3);
}

static void add_pair_rows(struct dsa_model *model)
{
    for (size_t a = 0; a < model->instance->n; a++)
        for (size_t p = model->first[a]; p < model->first[a + 1]; p++) {
            size_t b = model->pair[p].other, binary = model->pair[p].column;

            if (b < a)
                continue;
            /* x_b - x_a - U y >= s_a - U, and x_a - x_b + U y >= s_b.  */
            add_pair_row(model, b, a, binary, -model->high, model->size[a] - model->high);
            add_pair_row(model, a, b, binary, model->high, model->size[b]);
        }
}

/* H - x_i >= s_i.  */
static void add_peak_rows(struct dsa_model *model)
{
    for (size_t b = 0; b < model->instance->n; b++) {
        const size_t column[] = {model->peak, model->offset[b]};
        const double value[] = {1.0, -(double)model->alignment[b]};

        milp_add_row(model->milp, (double)model->size[b], MILP_INFINITY, column, value, 2);
    }
}

/* The two rows of buffer I in the set Q.  With y = 1 when the smaller index is
 * below, [j below i] is y for j < i and 1 - y for j > i.  */
static void add_clique_rows(struct dsa_model *model, const size_t *q, size_t count, size_t i)
{
    size_t used = 1;
    int64_t below = 0, above = model->size[i];

    for (size_t k = 0; k < count; k++) {
        size_t j = q[k];

        if (j == i)
            continue;
        model->row_column[used] = find_pair(model, i, j)->column;
        if (j < i) {
            model->row_value[used++] = -(double)model->size[j];
            above += model->size[j];
        } else {
            model->row_value[used++] = (double)model->size[j];
            below += model->size[j];
        }
    }
    model->row_column[0] = model->offset[i];
    model->row_value[0] = (double)model->alignment[i];
    milp_add_row(model->milp, (double)below, MILP_INFINITY, model->row_column, model->row_value,
                 used);
    /* H - x_i + sum of s_j y (j < i) - sum of s_j y (j > i) >= s_i + sum of
     * s_j (j < i): the same coefficients, negated.  */
    for (size_t k = 0; k < used; k++)
        model->row_value[k] = -model->row_value[k];
    model->row_column[used] = model->peak;
    model->row_value[used++] = 1.0;
    milp_add_row(model->milp, (double)above, MILP_INFINITY, model->row_column, model->row_value,
                 used);
}

/* The sets alive at one step that are in no larger one are those just before
 * an end that follows a begin.  False when the time is up.  */
static bool add_all_cliques(struct dsa_model *model, double deadline)
{
    const struct instance *instance = model->instance;
    size_t n = instance->n, count = 0;
    struct order_key *key = memory_alloc(n, sizeof *key);
    size_t *alive = memory_alloc(n, sizeof *alive);
    bool in_time = true;

    for (size_t b = 0; b < n; b++)
        key[b] = (struct order_key){key_ascending(instance->buffer[b].begin), 0, b};
    order_sort(key, n);
    for (size_t k = 0; k <= n && in_time; k++) {
        size_t kept = 0;

        /* Some of the living end before the next begin: then they, and who
         * else is alive, are a maximal set.  */
        for (size_t i = 0; i < count; i++)
            if (k < n && instance->buffer[alive[i]].end > instance->buffer[key[k].index].begin)
                kept++;
        if (kept < count) {
            for (size_t i = 0; i < count; i++)
                add_clique_rows(model, alive, count, alive[i]);
            in_time = timer_now() < deadline;
            for (size_t i = kept = 0; i < count; i++)
                if (k < n && instance->buffer[alive[i]].end > instance->buffer[key[k].index].begin)
                    alive[kept++] = alive[i];
        }
        count = kept;
        if (k < n)
            alive[count++] = key[k].index;
    }
    free(alive);
    free(key);
    return in_time;
}

struct dsa_model *dsa_model_new(const struct instance *instance, enum dsa_form form, int64_t low,
                                int64_t high, double deadline)
{
    struct dsa_model *model = memory_zalloc(1, sizeof *model);
    size_t n = instance->n;

    model->instance = instance;
    model->unit = dsa_unit(instance);
    model->low = low;
    model->high = high;
    model->milp = milp_new();
    model->size = memory_alloc(n, sizeof *model->size);
    model->alignment = memory_alloc(n, sizeof *model->alignment);
    model->row_column = memory_alloc(n + 1, sizeof *model->row_column);
    model->row_value = memory_alloc(n + 1, sizeof *model->row_value);
    for (size_t b = 0; b < n; b++) {
        model->size[b] = instance->buffer[b].size / model->unit;
        model->alignment[b] = max64(1, instance->buffer[b].alignment / model->unit);
    }
    find_pairs(model);
    add_columns(model);
    add_pair_rows(model);
    if (form == DSA_BIG_M) {
        add_peak_rows(model);
    } else if (!add_all_cliques(model, deadline)) {
        dsa_model_free(model);
        return NULL;
    }
    return model;
}

void dsa_model_free(struct dsa_model *model)
{
    if (model == NULL)
        return;
    milp_free(model->milp);
    free(model->size);
    free(model->alignment);
    free(model->twin);
    free(model->first);
    free(model->pair);
    free(model->offset);
    free(model->row_column);
    free(model->row_value);
    free(model);
}

struct milp *dsa_model_milp(struct dsa_model *model)
{
    return model->milp;
}

/* --- back from a solution --- */

double dsa_model_relaxed_offset(const struct dsa_model *model, const double *value, size_t b)
{
    return value[model->offset[b]] * (double)model->alignment[b];
}

void dsa_model_solution(const struct dsa_model *model, const int64_t *offset, double *value)
{
    int64_t peak = model->low;

    for (size_t a = 0; a < model->instance->n; a++) {
        int64_t at = offset[a] / model->unit;

        peak = max64(peak, at + model->size[a]);
        value[model->offset[a]] = (double)(at / model->alignment[a]);
        for (size_t p = model->first[a]; p < model->first[a + 1]; p++)
            if (a < model->pair[p].other)
                value[model->pair[p].column] = offset[a] < offset[model->pair[p].other] ? 1.0 : 0.0;
    }
    value[model->peak] = (double)peak;
}

/* With the binaries of VALUE, is A below the other buffer of its PAIR?  */
static bool is_below(const double *value, size_t a, const struct pair *pair)
{
    return (value[pair->column] >= 0.5) == (a < pair->other);
}

/* Kahn's order: a buffer is settled once all that are below it are.  */
bool dsa_model_offsets(const struct dsa_model *model, const double *value, int64_t *offset)
{
    const struct instance *instance = model->instance;
    size_t n = instance->n, ready = 0, settled = 0;
    size_t *below = memory_zalloc(n, sizeof *below), *queue = memory_alloc(n, sizeof *queue);

    for (size_t b = 0; b < n; b++) {
        offset[b] = 0;
        for (size_t p = model->first[b]; p < model->first[b + 1]; p++)
            below[b] += !is_below(value, b, &model->pair[p]);
        if (below[b] == 0)
            queue[ready++] = b;
    }
    for (; settled < ready; settled++) {
        size_t a = queue[settled];
        int64_t top = offset[a] + instance->buffer[a].size;

        for (size_t p = model->first[a]; p < model->first[a + 1]; p++) {
            size_t b = model->pair[p].other;

            if (!is_below(value, a, &model->pair[p]))
                continue;
            offset[b] = max64(offset[b], align_up(top, instance->buffer[b].alignment));
            if (--below[b] == 0)
                queue[ready++] = b;
        }
    }
    free(queue);
    free(below);
    return settled == n;
}
