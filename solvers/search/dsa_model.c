/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "solvers/search/dsa_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/glpk_milp.h"
#include "lib/base/memory.h"
#include "lib/base/names.h"
#include "lib/base/order.h"
#include "lib/base/timer.h"
#include "lib/place/dsa_pieces.h"
#include "lib/problem/instance.h"

/* Above this many units H is not declared an integer: GLPK rounds a whole
 * objective's bound up from 0.001 above a whole number, which is only sound
 * while the bound's error is smaller.  */
#define MOST_WHOLE_UNITS 100000

/* A pair stands in the lists of both of its pieces.  */
struct pair {
    size_t other;
    size_t column; /* 1: the piece with the smaller index is below */
};

struct dsa_model {
    const struct instance *instance;
    struct milp *milp;
    int64_t unit, low, high;   /* bytes; bounds on H in units */
    int64_t *size, *alignment; /* in units; 1 where every multiple of the unit is aligned */
    size_t pieces;
    struct dsa_piece *piece; /* by buffer */
    bool *twin;              /* of each piece: it has a twin */
    size_t *first;           /* pairs of piece i: first[i] .. first[i + 1] - 1, by other */
    struct pair *pair;
    size_t peak;    /* the column H */
    size_t *offset; /* the column of x_i, which counts in alignments */

    size_t *row_column; /* room for one row */
    double *row_value;
};

/* --- pairs --- */

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;

    return ORDER(x->other, y->other);
}

static void count_pair(void *context, size_t a, size_t b)
{
    struct dsa_model *model = context;

    model->first[a + 1]++;
    model->first[b + 1]++;
}

/* first[a] is where the next pair of a goes; shifted back afterwards.  */
static void store_pair(void *context, size_t a, size_t b)
{
    struct dsa_model *model = context;

    model->pair[model->first[a]++] = (struct pair){b, SIZE_MAX};
    model->pair[model->first[b]++] = (struct pair){a, SIZE_MAX};
}

static void find_pairs(struct dsa_model *model)
{
    size_t n = model->pieces;

    model->first = memory_zalloc(n + 1, sizeof *model->first);
    dsa_pieces_each_pair(model->piece, model->pieces, count_pair, model);
    for (size_t i = 0; i < n; i++)
        model->first[i + 1] += model->first[i];
    model->pair = memory_alloc(model->first[n], sizeof *model->pair);
    dsa_pieces_each_pair(model->piece, model->pieces, store_pair, model);
    memmove(model->first + 1, model->first, n * sizeof *model->first);
    model->first[0] = 0;
    for (size_t i = 0; i < n; i++)
        qsort(model->pair + model->first[i], model->first[i + 1] - model->first[i],
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
    const struct dsa_piece *x = &model->piece[a], *y = &model->piece[b];

    return x->whole && y->whole && x->begin == y->begin && x->end == y->end && x->hi == y->hi &&
           model->alignment[x->buffer] == model->alignment[y->buffer];
}

/* The pair whose order is fixed because a plan can be flipped: the one with
 * the largest sizes together, which says most.  NULL: none.  */
static const struct pair *pair_to_fix(const struct dsa_model *model)
{
    const struct pair *found = NULL;
    int64_t most = 0;

    for (size_t b = 0; b < model->instance->n; b++)
        if (model->alignment[b] > 1)
            return NULL;
    for (size_t a = 0; a < model->pieces; a++)
        if (!model->piece[a].whole)
            return NULL;
    for (size_t a = 0; a < model->pieces; a++)
        for (size_t p = model->first[a]; p < model->first[a + 1]; p++) {
            size_t b = model->pair[p].other;

            if (a < b && !model->twin[a] && !model->twin[b] &&
                model->piece[a].hi + model->piece[b].hi > most) {
                most = model->piece[a].hi + model->piece[b].hi;
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
    model->twin = memory_zalloc(model->pieces, sizeof *model->twin);
    for (size_t a = 0; a < model->pieces; a++)
        for (size_t p = model->first[a]; p < model->first[a + 1]; p++)
            if (are_twins(model, a, model->pair[p].other))
                model->twin[a] = true;
    fixed = pair_to_fix(model);
    for (size_t a = 0; a < model->pieces; a++)
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

/* LOW <= x_plus - x_minus + c y, for two pieces.  */
static void add_pair_row(struct dsa_model *model, const struct dsa_piece *plus,
                         const struct dsa_piece *minus, size_t binary, int64_t coefficient,
                         int64_t low)
{
    const size_t column[] = {model->offset[plus->buffer], model->offset[minus->buffer], binary};
    const double value[] = {(double)model->alignment[plus->buffer],
                            -(double)model->alignment[minus->buffer], (double)coefficient};

    milp_add_row(model->milp, (double)low, MILP_INFINITY, column, value, 3);
}

static void add_pair_rows(struct dsa_model *model)
{
    for (size_t i = 0; i < model->pieces; i++)
        for (size_t p = model->first[i]; p < model->first[i + 1]; p++) {
            size_t j = model->pair[p].other, binary = model->pair[p].column;
            const struct dsa_piece *a = &model->piece[i], *b = &model->piece[j];

            if (j < i)
                continue;
            /* x_b - x_a - U y >= hi_a - lo_b - U, and x_a - x_b + U y >= hi_b - lo_a.  */
            add_pair_row(model, b, a, binary, -model->high, a->hi - b->lo - model->high);
            add_pair_row(model, a, b, binary, model->high, b->hi - a->lo);
        }
}

/* The highest byte of a buffer that is ever in use is below its size.  */
static bool has_unused_top(const struct dsa_model *model, size_t b)
{
    const struct buffer *buffer = &model->instance->buffer[b];
    const struct piece *piece = &model->instance->piece[buffer->first_piece];

    for (size_t i = 0; i < buffer->pieces; i++)
        if (piece[i].hi == buffer->size)
            return false;
    return true;
}

/* H - x_i >= s_i.  Clique rows say so too where the buffer is in use up to its size.  */
static void add_peak_rows(struct dsa_model *model, enum dsa_form form)
{
    for (size_t b = 0; b < model->instance->n; b++) {
        const size_t column[] = {model->peak, model->offset[b]};
        const double value[] = {1.0, -(double)model->alignment[b]};

        if (form == DSA_BIG_M || has_unused_top(model, b))
            milp_add_row(model->milp, (double)model->size[b], MILP_INFINITY, column, value, 2);
    }
}

/* The two rows of piece I in the set Q.  With y = 1 when the smaller index is
 * below, [j below i] is y for j < i and 1 - y for j > i.  */
static void add_clique_rows(struct dsa_model *model, const size_t *q, size_t count, size_t i)
{
    const struct dsa_piece *own = &model->piece[i];
    int64_t below = -own->lo, above = own->hi;
    size_t used = 1;

    for (size_t k = 0; k < count; k++) {
        size_t j = q[k];
        int64_t height = model->piece[j].hi - model->piece[j].lo;

        if (j == i)
            continue;
        if (model->piece[j].buffer == own->buffer) {
            *(model->piece[j].lo < own->lo ? &below : &above) += height;
            continue;
        }
        model->row_column[used] = find_pair(model, i, j)->column;
        model->row_value[used++] = j < i ? -(double)height : (double)height;
        *(j < i ? &above : &below) += height;
    }
    model->row_column[0] = model->offset[own->buffer];
    model->row_value[0] = (double)model->alignment[own->buffer];
    milp_add_row(model->milp, (double)below, MILP_INFINITY, model->row_column, model->row_value,
                 used);
    /* H - x_a + sum of h_j y (j < i) - sum of h_j y (j > i) >= hi_i + sum of
     * h_j (j < i): the same coefficients, negated.  */
    for (size_t k = 0; k < used; k++)
        model->row_value[k] = -model->row_value[k];
    model->row_column[used] = model->peak;
    model->row_value[used++] = 1.0;
    milp_add_row(model->milp, (double)above, MILP_INFINITY, model->row_column, model->row_value,
                 used);
}

/* False when the time is up.  */
static bool add_all_cliques(struct dsa_model *model, double deadline)
{
    size_t sections, *member;
    size_t *start = dsa_pieces_sections(model->piece, model->pieces, &sections, &member);
    bool in_time = true;

    for (size_t s = 0; s < sections && in_time; s++) {
        for (size_t i = start[s]; i < start[s + 1]; i++)
            add_clique_rows(model, member + start[s], start[s + 1] - start[s], member[i]);
        in_time = timer_now() < deadline;
    }
    free(start);
    free(member);
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
    for (size_t b = 0; b < n; b++) {
        model->size[b] = instance->buffer[b].size / model->unit;
        model->alignment[b] = max64(1, instance->buffer[b].alignment / model->unit);
    }
    model->pieces = dsa_pieces_find(instance, model->unit, &model->piece);
    model->row_column = memory_alloc(model->pieces + 1, sizeof *model->row_column);
    model->row_value = memory_alloc(model->pieces + 1, sizeof *model->row_value);
    find_pairs(model);
    add_columns(model);
    if (n == 0) /* files can't hold a model without rows */
        milp_add_row(model->milp, (double)low, MILP_INFINITY, &model->peak, &(double){1.0}, 1);
    add_pair_rows(model);
    add_peak_rows(model, form);
    if (form == DSA_CLIQUE && !add_all_cliques(model, deadline)) {
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
    free(model->piece);
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

/* --- names, for files --- */

/* Names have at most 255 characters, and two of these stand in one.  */
enum { LONGEST_LABEL = 80 };

static char **labels_of(const struct dsa_model *model)
{
    static const char allowed[] =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_.";
    size_t n = model->instance->n;
    char **label = memory_alloc(n, sizeof *label), ***slot = memory_alloc(n, sizeof *slot);

    for (size_t b = 0; b < n; b++) {
        label[b] = memory_printf("%.*s", LONGEST_LABEL, model->instance->buffer[b].id);
        for (char *at = label[b]; *at != '\0'; at++)
            if (strchr(allowed, *at) == NULL)
                *at = '_';
        slot[b] = &label[b];
    }
    names_make_unique(slot, n);
    free(slot);
    return label;
}

/* The label of a piece: that of its buffer where it is the only one.  */
static char *piece_label(const struct dsa_model *model, char *const *label, size_t i)
{
    size_t b = model->piece[i].buffer, first = i, last = i;

    while (first > 0 && model->piece[first - 1].buffer == b)
        first--;
    while (last + 1 < model->pieces && model->piece[last + 1].buffer == b)
        last++;
    return first == last ? memory_strdup(label[b]) : memory_printf("%s.%zu", label[b], i - first);
}

void dsa_model_name(struct dsa_model *model)
{
    char **label = labels_of(model), **name = memory_alloc(milp_columns(model->milp), sizeof *name);
    char ***slot = memory_alloc(milp_columns(model->milp), sizeof *slot);

    name[model->peak] = memory_strdup("peak");
    for (size_t b = 0; b < model->instance->n; b++)
        name[model->offset[b]] = memory_printf("offset_%s", label[b]);
    for (size_t i = 0; i < model->pieces; i++)
        for (size_t p = model->first[i]; p < model->first[i + 1]; p++) {
            size_t j = model->pair[p].other;
            char *below = piece_label(model, label, i), *above = piece_label(model, label, j);

            if (i < j)
                name[model->pair[p].column] = memory_printf("below_%s_%s", below, above);
            free(below);
            free(above);
        }
    for (size_t c = 0; c < milp_columns(model->milp); c++)
        slot[c] = &name[c];
    names_make_unique(slot, milp_columns(model->milp));
    for (size_t c = 0; c < milp_columns(model->milp); c++) {
        milp_set_name(model->milp, c, name[c]);
        free(name[c]);
    }
    milp_set_objective(model->milp, model->peak, (double)model->unit);
    for (size_t b = 0; b < model->instance->n; b++)
        free(label[b]);
    free(label);
    free(name);
    free(slot);
}

/* --- back from a solution --- */

double dsa_model_relaxed_offset(const struct dsa_model *model, const double *value, size_t b)
{
    return value[model->offset[b]] * (double)model->alignment[b];
}

void dsa_model_solution(const struct dsa_model *model, const int64_t *offset, double *value)
{
    int64_t peak = model->low;

    for (size_t b = 0; b < model->instance->n; b++) {
        int64_t at = offset[b] / model->unit;

        peak = max64(peak, at + model->size[b]);
        value[model->offset[b]] = (double)(at / model->alignment[b]);
    }
    for (size_t i = 0; i < model->pieces; i++)
        for (size_t p = model->first[i]; p < model->first[i + 1]; p++) {
            const struct dsa_piece *a = &model->piece[i], *b = &model->piece[model->pair[p].other];

            if (i < model->pair[p].other)
                value[model->pair[p].column] = offset[a->buffer] / model->unit + a->lo <
                                                       offset[b->buffer] / model->unit + b->lo
                                                   ? 1.0
                                                   : 0.0;
        }
    value[model->peak] = (double)peak;
}

/* With the binaries of VALUE, is piece I below the other piece of its PAIR?  */
static bool is_below(const double *value, size_t i, const struct pair *pair)
{
    return (value[pair->column] >= 0.5) == (i < pair->other);
}

/* Raises the buffers with pieces above piece I as far as the binaries say.  */
static bool raise_above(const struct dsa_model *model, const double *value, size_t i,
                        int64_t *offset)
{
    const struct dsa_piece *a = &model->piece[i];
    bool raised = false;

    for (size_t p = model->first[i]; p < model->first[i + 1]; p++) {
        const struct dsa_piece *b = &model->piece[model->pair[p].other];
        int64_t least;

        if (!is_below(value, i, &model->pair[p]))
            continue;
        least = align_up(max64(offset[a->buffer] + (a->hi - b->lo) * model->unit, 0),
                         model->instance->buffer[b->buffer].alignment);
        if (least > offset[b->buffer]) {
            offset[b->buffer] = least;
            raised = true;
        }
    }
    return raised;
}

/* Longest paths by Bellman and Ford: buffers that interlock are above one
 * another, so the graph may have cycles, of which none is positive in a
 * solution.  Pieces in the order of their offsets make one or two rounds do.  */
bool dsa_model_offsets(const struct dsa_model *model, const double *value, int64_t *offset)
{
    struct order_key *key = memory_alloc(model->pieces, sizeof *key);
    size_t rounds = 2 * model->instance->n + 2;
    bool raised = true;

    for (size_t i = 0; i < model->pieces; i++) {
        const struct dsa_piece *piece = &model->piece[i];
        double at = dsa_model_relaxed_offset(model, value, piece->buffer) + (double)piece->lo;

        key[i] = (struct order_key){key_ascending(llround(fmax(at, 0.0))), 0, i};
    }
    order_sort(key, model->pieces);
    for (size_t b = 0; b < model->instance->n; b++)
        offset[b] = 0;
    while (raised && rounds-- > 0) {
        raised = false;
        for (size_t k = 0; k < model->pieces; k++)
            raised = raise_above(model, value, key[k].index, offset) || raised;
    }
    free(key);
    return !raised;
}
