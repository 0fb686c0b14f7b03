/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of type REAL at the places of a grid, which are worked out in PLACE: included for each
 * pair of types by grid.c, which says what REAL, PLACE and TYPED are.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_GRID_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_GRID_REAL_H

/* The elements of an axis around a place, and their weights.  */
struct TYPED(taps) {
    int count;
    int64_t index[GRID_TAPS];
    PLACE weight[GRID_TAPS];
};

/* X mirrored at LOW and HIGH until it lies between.  */
static PLACE TYPED(reflect)(PLACE x, PLACE low, PLACE high)
{
    PLACE range = high - low, beyond;

    if (x >= low && x <= high)
        return x;
    if (!(range > 0) || !isfinite(x))
        return 0;
    beyond = fmod(x < low ? low - x : x - high, 2 * range);
    if (x < low)
        return beyond <= range ? low + beyond : high - (beyond - range);
    return beyond <= range ? high - beyond : low + (beyond - range);
}

/* What is beyond the ends of LENGTH elements: as far outside as a tap reaches, or brought back.  */
static PLACE TYPED(settle)(const struct grid *grid, int64_t length, PLACE x)
{
    PLACE low = grid->align_corners ? (PLACE)0 : (PLACE)-0.5;
    PLACE high = (PLACE)(length - 1) - low, far = GRID_TAPS;

    if (x >= low && x <= high)
        return x;
    switch (grid->padding) {
    case PAD_ZEROS:
        return x > high ? fmin(x, high + far) : x >= low - far ? x : low - far;
    case PAD_BORDER:
        return x > high ? (PLACE)(length - 1) : 0;
    case PAD_REFLECTION:
        return TYPED(reflect)(x, low, high);
    }
    return x;
}

static void TYPED(add_tap)(const struct grid *grid, int64_t length, int64_t at, PLACE weight,
                           struct TYPED(taps) * taps)
{
    PLACE low = grid->align_corners ? (PLACE)0 : (PLACE)-0.5;

    if (weight == 0 || (grid->padding == PAD_ZEROS && (at < 0 || at >= length)))
        return;
    if (grid->padding == PAD_BORDER)
        at = at < 0 ? 0 : min64(at, length - 1);
    else if (grid->padding == PAD_REFLECTION)
        at = (int64_t)TYPED(reflect)((PLACE)at, low, (PLACE)(length - 1) - low);
    taps->index[taps->count] = at;
    taps->weight[taps->count++] = weight;
}

/* The weight of an element at distance X under cubic sampling, whose coefficient is -0.75.  */
static PLACE TYPED(cubic)(PLACE x)
{
    const PLACE a = (PLACE)-0.75;

    if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
}

/* Around a place, -1 to 1 from end to end of LENGTH elements.  */
static void TYPED(find_taps)(const struct grid *grid, int64_t length, PLACE place,
                             struct TYPED(taps) * taps)
{
    PLACE x = grid->align_corners ? (place + 1) / 2 * (PLACE)(length - 1)
                                  : ((place + 1) * (PLACE)length - 1) / 2;
    PLACE ratio;
    int64_t before;

    taps->count = 0;
    if (grid->mode == RESIZE_NEAREST)
        x = grid->axes == 3 ? round(x) : rint(x);
    x = TYPED(settle)(grid, length, x);
    before = (int64_t)floor(x);
    ratio = x - floor(x);
    if (grid->mode == RESIZE_NEAREST) {
        TYPED(add_tap)(grid, length, before, 1, taps);
    } else if (grid->mode == RESIZE_LINEAR) {
        TYPED(add_tap)(grid, length, before, 1 - ratio, taps);
        TYPED(add_tap)(grid, length, before + 1, ratio, taps);
    } else {
        TYPED(add_tap)(grid, length, before - 1, TYPED(cubic)(ratio + 1), taps);
        TYPED(add_tap)(grid, length, before, TYPED(cubic)(ratio), taps);
        TYPED(add_tap)(grid, length, before + 1, TYPED(cubic)(1 - ratio), taps);
        TYPED(add_tap)(grid, length, before + 2, TYPED(cubic)(2 - ratio), taps);
    }
}

/* One channel's sum over the taps of all axes.  */
static REAL TYPED(sample)(const struct grid *grid, const struct TYPED(taps) * taps, const REAL *x)
{
    REAL sum = 0;

    for (int i = 0; i < taps[0].count; i++)
        for (int j = 0; j < taps[1].count; j++) {
            int64_t row = taps[0].index[i] * grid->length[1] + taps[1].index[j];
            PLACE weight = taps[0].weight[i] * taps[1].weight[j];

            for (int k = 0; k < taps[2].count; k++) {
                REAL whole = weight * taps[2].weight[k];

                sum += whole * x[row * grid->length[2] + taps[2].index[k]];
            }
        }
    return sum;
}

/* A place's coordinates begin with that along the last axis.  */
static void TYPED(grid_sample)(const struct grid *grid, const REAL *x, const REAL *at, REAL *y)
{
    int64_t image = grid->length[0] * grid->length[1] * grid->length[2];
    struct TYPED(taps) taps[GRID_AXES];

    for (int i = 0; i < GRID_AXES; i++)
        taps[i] = (struct TYPED(taps)){.count = 1, .weight = {1}};
    for (int64_t n = 0; n < grid->batch; n++)
        for (int64_t p = 0; p < grid->points; p++) {
            for (int i = 0; i < grid->axes; i++)
                TYPED(find_taps)
            (grid, grid->length[GRID_AXES - 1 - i], (PLACE)*at++, &taps[GRID_AXES - 1 - i]);
            for (int64_t c = 0; c < grid->channels; c++) {
                int64_t plane = n * grid->channels + c;

                y[plane * grid->points + p] = TYPED(sample)(grid, taps, x + plane * image);
            }
        }
}

/* Where element I of LENGTH lies, -1 to 1.  */
static PLACE TYPED(normal)(const struct grid *grid, int64_t length, int64_t i)
{
    if (grid->align_corners)
        return (PLACE)(2 * i) / (PLACE)(length - 1) - 1;
    return (PLACE)(2 * i + 1) / (PLACE)length - 1;
}

/* THETA: a matrix for each image, times (column, row, depth, 1).  */
static void TYPED(affine_grid)(const struct grid *grid, const REAL *theta, REAL *y)
{
    int64_t index[GRID_AXES];
    const int64_t *length = grid->length;
    int axes = grid->axes;

    for (int64_t n = 0; n < grid->batch; n++, theta += axes * (axes + 1))
        for (index[0] = 0; index[0] < length[0]; index[0]++)
            for (index[1] = 0; index[1] < length[1]; index[1]++)
                for (index[2] = 0; index[2] < length[2]; index[2]++)
                    for (int row = 0; row < axes; row++) {
                        const REAL *factor = theta + row * (axes + 1);

                        *y = factor[axes];
                        for (int i = 0; i < axes; i++)
                            *y += factor[i] * TYPED(normal)(grid, length[GRID_AXES - 1 - i],
                                                            index[GRID_AXES - 1 - i]);
                        y++;
                    }
}

#undef REAL
#undef PLACE
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_GRID_REAL_H
#endif
