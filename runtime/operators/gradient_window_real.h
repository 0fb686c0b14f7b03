/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gradients of convolutions and pools on elements of type REAL: included once for each type by
 * gradient_window.c, which says what REAL and TYPED are.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_GRADIENT_WINDOW_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_GRADIENT_WINDOW_REAL_H

/* The sum of x[i] * y[i * stride].  */
static REAL TYPED(dot)(const REAL *x, const REAL *y, int64_t stride, int64_t count)
{
    REAL lane[8] = {0}, rest = 0;
    int64_t i = 0;

    if (stride == 1)
        for (; i + 8 <= count; i += 8)
            for (int j = 0; j < 8; j++)
                lane[j] += x[i + j] * y[i + j];
    for (; i < count; i++)
        rest += x[i] * y[i * stride];
    return TYPED(sum_lanes)(rest, lane);
}

/* The products of one channel of PLACES and what a tap sees of one channel of IMAGE, summed.  */
static REAL TYPED(tap_sum)(const struct windows *windows, const struct window_tap *tap,
                           const REAL *places, const REAL *image)
{
    const struct window_axis *axis = windows->axis;
    const int64_t *out = windows->output;
    const struct window_tap on = *tap;
    REAL sum = 0;

    if (on.axis[2].first == on.axis[2].past)
        return 0;
    for (int64_t p = on.axis[0].first; p < on.axis[0].past; p++)
        for (int64_t r = on.axis[1].first; r < on.axis[1].past; r++) {
            int64_t plane = window_at(&axis[0], p, on.axis[0].number);
            int64_t row = window_at(&axis[1], r, on.axis[1].number);

            sum += TYPED(dot)(places + (p * out[1] + r) * out[2] + on.axis[2].first,
                              image + (plane * axis[1].length + row) * axis[2].length +
                                  window_at(&axis[2], on.axis[2].first, on.axis[2].number),
                              axis[2].stride, on.axis[2].past - on.axis[2].first);
        }
    return sum;
}

/* The gradient of all TAPS between channel P of PLACES and channel I of IMAGES, which are numbers
 * among all groups.  */
static void TYPED(filter)(const struct slide *slide, const struct window_tap *taps, int64_t p,
                          int64_t i, const REAL *places, const REAL *images, REAL *to)
{
    const struct windows *windows = &slide->windows;
    int64_t place_channels = slide->groups * slide->places, count = windows_places(windows);
    int64_t image_channels = slide->groups * slide->images, image = windows_image(windows);

    for (int64_t tap = 0; tap < windows_taps(windows); tap++) {
        REAL sum = 0;

        for (int64_t n = 0; n < slide->batch; n++)
            sum += TYPED(tap_sum)(windows, &taps[tap], places + (n * place_channels + p) * count,
                                  images + (n * image_channels + i) * image);
        to[tap] = sum;
    }
}

static void TYPED(weights)(const struct slide *slide, const REAL *places, const REAL *images,
                           REAL *to)
{
    struct window_tap *taps = windows_list(&slide->windows);

    for (int64_t p = 0; p < slide->groups * slide->places; p++)
        for (int64_t i = 0; i < slide->images; i++) {
            TYPED(filter)
            (slide, taps, p, p / slide->places * slide->images + i, places, images, to);
            to += windows_taps(&slide->windows);
        }
    free(taps);
}

/* EACH elements of each of CHANNELS of BATCH images.  */
static void TYPED(bias)(int64_t batch, int64_t channels, int64_t each, const REAL *given, REAL *to)
{
    for (int64_t c = 0; c < channels; c++) {
        to[c] = 0;
        for (int64_t n = 0; n < batch; n++)
            to[c] += TYPED(sum_of)(given + (n * channels + c) * each, each, 0, 1);
    }
}

/* --- pools --- */

/* The window's gradient GIVEN goes to the first of the COUNT elements that it sees that is as large
 * as MOST; nowhere if there is none, since it is no number.  */
static void TYPED(max)(const int64_t *seen, int64_t count, REAL given, const REAL *x, REAL most,
                       REAL *to)
{
    for (int64_t i = 0; i < count; i++)
        if (x[seen[i]] == most) {
            to[seen[i]] += given;
            return;
        }
}

/* X and Y are those of a maximum; NULL: the pool is a mean over so many elements as it sees or,
 * where that is PADDED, padding too.  SEEN has room for an image.  */
static void TYPED(pool)(const struct windows *windows, bool padded, int64_t planes,
                        const REAL *given, const REAL *x, const REAL *y, int64_t *seen, REAL *to)
{
    const struct window_axis *axis = windows->axis;
    const int64_t *out = windows->output;
    int64_t image = windows_image(windows), i = 0;

    for (int64_t at = 0; at < planes * image; at += image)
        for (int64_t p = 0; p < out[0]; p++)
            for (int64_t r = 0; r < out[1]; r++)
                for (int64_t q = 0; q < out[2]; q++, i++) {
                    int64_t count = windows_see(windows, (const int64_t[]){p, r, q}, seen);
                    int64_t taps;

                    if (x != NULL) {
                        TYPED(max)(seen, count, given[i], x + at, y[i], to + at);
                        continue;
                    }
                    taps = window_taps(&axis[0], p, padded) * window_taps(&axis[1], r, padded) *
                           window_taps(&axis[2], q, padded);
                    for (int64_t j = 0; j < count; j++)
                        to[at + seen[j]] += given[i] / (REAL)taps;
                }
}

/* The mean of EACH elements.  */
static void TYPED(spread)(int64_t planes, int64_t each, const REAL *given, REAL *to)
{
    for (int64_t c = 0; c < planes; c++)
        for (int64_t i = 0; i < each; i++)
            to[c * each + i] = given[c] / (REAL)each;
}

#undef REAL
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_GRADIENT_WINDOW_REAL_H
#endif
