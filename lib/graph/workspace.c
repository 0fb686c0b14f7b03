/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/graph/workspace.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/control.h"
#include "lib/graph/network.h"

/* --- formulas --- */

/* The bytes of FACTORS[0..count) floats multiplied, or -1 with a reason.  */
static int64_t bytes_of(const int64_t *factors, size_t count, struct error *reason)
{
    int64_t bytes = sizeof(float);

    for (size_t i = 0; i < count; i++)
        if (!checked_mul(bytes, factors[i], &bytes)) {
            error_set(reason, "its workspace overflows 64 bits");
            return -1;
        }
    return bytes;
}

static int64_t im2col(const struct conv_shape *s, struct error *reason)
{
    const int64_t factors[] = {s->c / s->groups, s->r, s->s, conv_shape_out_h(s),
                               conv_shape_out_w(s)};
    const int64_t pads = s->pad_top + s->pad_bottom + s->pad_left + s->pad_right;
    /* A stride past the end of a single pixel skips nothing.  */
    bool dense = (s->stride_h == 1 || s->h == 1) && (s->stride_w == 1 || s->w == 1);
    bool as_it_is = s->r == 1 && s->s == 1 && dense && pads == 0;

    return as_it_is ? 0 : bytes_of(factors, 5, reason);
}

static int64_t winograd(const struct conv_shape *s, struct error *reason)
{
    int64_t channels, down = (conv_shape_out_h(s) - 1) / 4 + 1;
    int64_t across = (conv_shape_out_w(s) - 1) / 4 + 1;

    if (s->r != 3 || s->s != 3 || s->stride_h != 1 || s->stride_w != 1 || s->dilation_h != 1 ||
        s->dilation_w != 1 || s->groups != 1) {
        error_set(reason, "expected a filter of 3 x 3, stride 1, no dilation, one group");
        return -1;
    }
    if (!checked_add(s->c, s->k, &channels))
        channels = INT64_MAX; /* which no product with it fits */
    return bytes_of((const int64_t[]){36, channels, down, across}, 4, reason);
}

static const struct formula {
    const char *method;
    int64_t (*bytes)(const struct conv_shape *shape, struct error *reason);
} formulas[] = {{"im2col", im2col}, {"winograd", winograd}};

static const struct formula *find_formula(const char *method)
{
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++)
        if (strcmp(formulas[i].method, method) == 0)
            return &formulas[i];
    return NULL;
}

bool workspace_is_formula(const char *method)
{
    return find_formula(method) != NULL;
}

bool workspace_formula(const char *method, const struct conv_shape *shape, size_t count,
                       int64_t *bytes, struct error *reason, struct error *error)
{
    const struct formula *formula = find_formula(method);
    struct error *unsaid = reason;

    if (formula == NULL)
        return error_set(error, "no formula '%s'; expected im2col or winograd", method);
    for (size_t i = 0; i < count; i++) {
        bytes[i] = formula->bytes(&shape[i], unsaid);
        if (bytes[i] < 0)
            unsaid = NULL;
    }
    return true;
}

/* --- the convolutions of a network --- */

struct place {
    struct network *network;
    size_t op;
    size_t shape; /* SIZE_MAX: none that kernels could be asked for */
};

struct convolutions {
    size_t count, capacity;
    struct place *place;
    size_t shapes, shapes_capacity;
    struct conv_shape *shape;
    int64_t *bytes; /* of each shape */
};

static bool is_f32(const struct network *network, const struct network_op *op)
{
    return network->value[op->input[0]].dtype == DTYPE_F32 &&
           network->value[op->output[0]].dtype == DTYPE_F32;
}

static void add_convolution(struct convolutions *all, struct network *network, size_t o)
{
    const struct network_op *op = &network->op[o];
    size_t shape = SIZE_MAX;

    if (op->conv.n > 0 && is_f32(network, op)) {
        all->shape =
            memory_grow(all->shape, &all->shapes_capacity, all->shapes + 1, sizeof *all->shape);
        all->shape[all->shapes] = op->conv;
        shape = all->shapes++;
    }
    all->place = memory_grow(all->place, &all->capacity, all->count + 1, sizeof *all->place);
    all->place[all->count++] = (struct place){network, o, shape};
}

/* In file order, each body where its operator stands; no deeper than CONTROL_MAX_DEPTH.  */
static void find_convolutions(struct convolutions *all, struct network *network)
{
    for (size_t o = 0; o < network->n_ops; o++) {
        const struct control *control = network->op[o].control;

        if (network->op[o].kind == OP_CONV)
            add_convolution(all, network, o);
        for (size_t b = 0; control != NULL && b < control->bodies; b++)
            find_convolutions(all, control->body[b].network);
    }
}

/* Counts a convolution that gets none; REASON is the method's.  */
static void refuse(struct workspace_count *count, const struct place *place,
                   const struct error *reason)
{
    const struct network_op *op = &place->network->op[place->op];

    if (count->refused++ > 0)
        return;
    if (place->shape != SIZE_MAX)
        error_set(&count->first, "'%s': %s", op->name, reason->text);
    else if (op->conv.n == 0)
        error_set(&count->first, "'%s': no plain two-dimensional convolution", op->name);
    else
        error_set(&count->first, "'%s': its elements are %s, expected f32", op->name,
                  dtype_name(place->network->value[op->input[0]].dtype));
}

static void add_value(const struct place *place, int64_t bytes)
{
    struct network *network = place->network;
    char *name = memory_printf("%s.workspace", network->op[place->op].name);
    size_t value = network_add_output(network, place->op, name, DTYPE_U8, 1, &bytes);

    network->value[value].workspace = true;
    free(name);
}

bool workspace_add(struct network *network, const char *method, workspace_ask *ask,
                   struct workspace_count *count, struct error *error)
{
    struct convolutions all = {0};
    struct error reason = {""};
    bool good;

    *count = (struct workspace_count){0};
    find_convolutions(&all, network);
    count->convolutions = all.count;
    all.bytes = memory_alloc(all.shapes, sizeof *all.bytes);
    good = ask(method, all.shape, all.shapes, all.bytes, &reason, error);
    for (size_t i = 0; i < all.count && good; i++) {
        const struct place *place = &all.place[i];
        int64_t bytes = place->shape == SIZE_MAX ? -1 : all.bytes[place->shape];

        if (bytes < 0)
            refuse(count, place, &reason);
        else if (bytes > 0)
            add_value(place, bytes);
    }
    /* A file may have a value of that name.  */
    for (size_t i = 0; i < all.count && good; i++)
        if (i == 0 || all.place[i].network != all.place[i - 1].network)
            network_make_names_unique(all.place[i].network);
    free(all.place);
    free(all.shape);
    free(all.bytes);
    return good;
}
