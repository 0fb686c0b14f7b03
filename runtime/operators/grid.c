/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GridSample (ONNX's text since version 16; volumes and other words for the modes since 20), and
 * AffineGrid (20), which makes grids for it.
 *
 * As in ONNX's reference implementation, a place beyond the border is brought back before its
 * neighbours are looked for, and each neighbour once more; nearest places round halves to even
 * ones in an image and away from 0 in a volume.  A place that is no number is as far outside as
 * may be.  */
#include <config.h>

#include "runtime/operators/resize.h"

#include <inttypes.h>
#include <tgmath.h>

#include "lib/base/checked.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"

#define GRID_AXES 3
#define GRID_FRONT 2 /* dimensions before those: batch and channels */
#define GRID_TAPS 4  /* at most, of an axis */

enum grid_padding { PAD_ZEROS, PAD_BORDER, PAD_REFLECTION };

struct grid {
    enum resize_mode mode;
    enum grid_padding padding;
    bool align_corners;
    int axes;
    int64_t batch, channels, points; /* of the output: points of a channel */
    int64_t length[GRID_AXES];       /* of the input; 1 for those that are not there */
};

#define REAL float
#define PLACE float
#define TYPED(name) name##_f32
#include "runtime/operators/grid_real.h"
#define REAL double
#define PLACE double
#define TYPED(name) name##_f64
#include "runtime/operators/grid_real.h"
#define REAL double
#define PLACE float
#define TYPED(name) name##_wide
#include "runtime/operators/grid_real.h"

static bool read_words(const struct call *call, struct grid *grid)
{
    static const char *const paddings[] = {"zeros", "border", "reflection", NULL};
    static const char *const old_modes[] = {"bilinear", "nearest", "bicubic", NULL};
    static const char *const modes[] = {"linear", "nearest", "cubic", NULL};
    static const enum resize_mode mode[] = {RESIZE_LINEAR, RESIZE_NEAREST, RESIZE_CUBIC};
    int which = attribute_choice(call, "mode", call->computation->version < 20 ? old_modes : modes);
    int padding = attribute_choice(call, "padding_mode", paddings);
    int64_t align;

    if (which < 0 || padding < 0 || !attribute_integers(call, "align_corners", 1, 0, 1, 0, &align))
        return false;
    grid->mode = mode[which];
    grid->padding = (enum grid_padding)padding;
    grid->align_corners = align != 0;
    return true;
}

static bool read_shapes(const struct call *call, struct grid *grid)
{
    const struct tensor *x = call->input[0], *at = call->input[1], *y = call_output(call, 0);
    int most = call->computation->version < 20 ? 2 : GRID_AXES, axes = x->rank - GRID_FRONT;

    if (axes < (most == 2 ? 2 : 1) || axes > most)
        return error_set(call->error, "an image of %d dimensions in version %" PRId64, x->rank,
                         call->computation->version);
    if (at->rank != x->rank || at->dim[0] != x->dim[0] || at->dim[at->rank - 1] != axes)
        return error_set(call->error, "a grid that does not go with the image");
    grid->axes = axes;
    grid->batch = x->dim[0];
    grid->channels = x->dim[1];
    grid->points = 1;
    for (int i = 0; i < GRID_AXES; i++)
        grid->length[i] = 1;
    for (int i = 0; i < axes; i++) {
        int64_t points = at->dim[1 + i];

        if (y != NULL && (y->rank != x->rank || y->dim[GRID_FRONT + i] != points))
            return error_set(call->error, "an output that does not go with the grid");
        grid->length[GRID_AXES - axes + i] = x->dim[GRID_FRONT + i];
        grid->points *= points;
    }
    return true;
}

static bool read_grid(const struct call *call, struct grid *grid)
{
    return accept_inputs(call, 2) && accept_types(call, 0, 2, TYPES_REAL) &&
           read_words(call, grid) && read_shapes(call, grid);
}

bool grid_accepts(const struct call *call)
{
    struct grid grid;

    if (call->computation->version < 16)
        return error_set(call->error, "version %" PRId64 ", expected 16 or later",
                         call->computation->version);
    return attributes_among(call, "align_corners mode padding_mode") && read_grid(call, &grid);
}

bool grid_run(const struct call *call)
{
    const struct tensor *y = call_output(call, 0);
    struct grid grid;

    if (!read_grid(call, &grid))
        return false;
    if (y == NULL || tensor_elements(y) == 0)
        return true;
    if (tensor_elements(call->input[0]) == 0)
        return error_set(call->error, "an image without elements");
    if (y->dtype == DTYPE_F32)
        grid_sample_f32(&grid, call->input[0]->data, call->input[1]->data, y->data);
    else
        (call->computation->widened ? grid_sample_wide : grid_sample_f64)(
            &grid, call->input[0]->data, call->input[1]->data, y->data);
    return true;
}

/* --- AffineGrid --- */

/* Matrices of 2 x 3 for images or 3 x 4 for volumes; the output says how large these are.  */
bool affine_accepts(const struct call *call)
{
    const struct tensor *theta, *y = call_output(call, 0);
    int64_t align, version = call->computation->version;

    if (version < 20)
        return error_set(call->error, "version %" PRId64 ", expected 20 or later", version);
    if (!accept_inputs(call, 1) || !accept_types(call, 0, 1, TYPES_REAL) ||
        !attributes_among(call, "align_corners") ||
        !attribute_integers(call, "align_corners", 1, 0, 1, 0, &align))
        return false;
    theta = call->input[0];
    if (theta->rank != 3 || theta->dim[1] < 2 || theta->dim[1] > GRID_AXES ||
        theta->dim[2] != theta->dim[1] + 1)
        return error_set(call->error, "matrices that are not 2 x 3 or 3 x 4");
    if (y == NULL)
        return true;
    if (y->rank != theta->dim[1] + 2 || y->dim[0] != theta->dim[0] ||
        y->dim[y->rank - 1] != theta->dim[1])
        return error_set(call->error, "a grid that does not go with the matrices");
    /* Reference implementation and others differ there.  */
    for (int d = 1; align != 0 && d < y->rank - 1; d++)
        if (y->dim[d] == 1)
            return error_set(call->error, "both corners of one element");
    return true;
}

bool affine_run(const struct call *call)
{
    const struct tensor *theta = call->input[0], *y = call_output(call, 0);
    bool align = computation_integer(call->computation, "align_corners", 0) != 0;
    struct grid grid = {.align_corners = align, .axes = (int)theta->dim[1]};

    if (y == NULL || tensor_elements(y) == 0)
        return true;
    grid.batch = y->dim[0];
    for (int i = 0; i < GRID_AXES; i++)
        grid.length[i] = i < GRID_AXES - grid.axes ? 1 : y->dim[1 + i - GRID_AXES + grid.axes];
    if (y->dtype == DTYPE_F32)
        affine_grid_f32(&grid, theta->data, y->data);
    else
        (call->computation->widened ? affine_grid_wide : affine_grid_f64)(&grid, theta->data,
                                                                          y->data);
    return true;
}
