/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of images of type REAL: included once for each type by col2im.c, which says what REAL and
 * TYPED are.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_COL2IM_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_COL2IM_REAL_H

/* Adds element TAP of all blocks to PLANE.  */
static void TYPED(add_tap)(const struct windows *windows, const int64_t *tap, const REAL *x,
                           REAL *plane)
{
    const struct window_axis *axis = windows->axis;
    const int64_t *places = windows->output;

    for (int64_t i = 0; i < places[0]; i++)
        for (int64_t j = 0; j < places[1]; j++) {
            int64_t depth = window_at(&axis[0], i, tap[0]), row = window_at(&axis[1], j, tap[1]);
            const REAL *from = x + (i * places[1] + j) * places[2];
            REAL *to = plane + (depth * axis[1].length + row) * axis[2].length;
            int64_t first, past;

            if (!window_inside(&axis[0], depth) || !window_inside(&axis[1], row))
                continue;
            window_range(&axis[2], places[2], tap[2], &first, &past);
            for (int64_t k = first; k < past; k++)
                to[window_at(&axis[2], k, tap[2])] += from[k];
        }
}

static void TYPED(col2im)(const struct windows *windows, int64_t planes, const REAL *x, REAL *y)
{
    const struct window_axis *axis = windows->axis;
    int64_t image = windows_image(windows), places = windows_places(windows), tap[WINDOW_AXES];

    for (int64_t p = 0; p < planes; p++) {
        for (int64_t i = 0; i < image; i++)
            y[i] = 0;
        for (tap[0] = 0; tap[0] < axis[0].taps; tap[0]++)
            for (tap[1] = 0; tap[1] < axis[1].taps; tap[1]++)
                for (tap[2] = 0; tap[2] < axis[2].taps; tap[2]++) {
                    TYPED(add_tap)(windows, tap, x, y);
                    x += places;
                }
        y += image;
    }
}

#undef REAL
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_COL2IM_REAL_H
#endif
