/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Normalisations in training and gradients on elements of type REAL: included once for each type by
 * gradient_norm.c, which says what REAL and TYPED are.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_GRADIENT_NORM_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_GRADIENT_NORM_REAL_H

/* The sum of (x[i] - SHIFT) to the power of POWER over channel C of all of the batch.  */
static REAL TYPED(channel_sum)(const struct norm *norm, int64_t c, const REAL *x, REAL shift,
                               int power)
{
    REAL sum = 0;

    for (int64_t n = 0; n < norm->outer; n++)
        sum += TYPED(sum_of)(x + (n * norm->channels + c) * norm->inner, norm->inner, shift, power);
    return sum;
}

/* Y may be X; it and the statistics may be NULL.  */
static void TYPED(batch)(const struct norm *norm, const REAL *x, const REAL *scale,
                         const REAL *shift, REAL *y, REAL *mean, REAL *deviation)
{
    const REAL count = (REAL)(norm->outer * norm->inner);

    for (int64_t c = 0; c < norm->channels; c++) {
        const REAL middle = TYPED(channel_sum)(norm, c, x, 0, 1) / count;
        const REAL variance = TYPED(channel_sum)(norm, c, x, middle, 2) / count;
        const REAL factor = 1 / sqrt(variance + (REAL)norm->epsilon);

        for (int64_t n = 0; n < norm->outer && y != NULL; n++) {
            int64_t at = (n * norm->channels + c) * norm->inner;

            for (int64_t i = at; i < at + norm->inner; i++)
                y[i] = (x[i] - middle) * factor * scale[c] + shift[c];
        }
        if (mean != NULL)
            mean[c] = middle;
        if (deviation != NULL)
            deviation[c] = factor;
    }
}

/* Likewise.  */
static void TYPED(layer)(const struct norm *norm, const REAL *x, const REAL *scale,
                         const REAL *shift, REAL *y, REAL *mean, REAL *deviation)
{
    const int64_t count = norm->channels;

    for (int64_t r = 0; r < norm->outer; r++) {
        const REAL middle = TYPED(sum_of)(x + r * count, count, 0, 1) / (REAL)count;
        const REAL variance = TYPED(sum_of)(x + r * count, count, middle, 2) / (REAL)count;
        const REAL factor = 1 / sqrt(variance + (REAL)norm->epsilon);

        for (int64_t c = 0; c < count && y != NULL; c++)
            y[r * count + c] = (x[r * count + c] - middle) * factor * scale[c] + shift[c];
        if (mean != NULL)
            mean[r] = middle;
        if (deviation != NULL)
            deviation[r] = factor;
    }
}

/* --- gradients --- */

/* The sum of the products of COUNT elements of GIVEN with those of X less SHIFT.  */
static REAL TYPED(products)(const REAL *given, const REAL *x, REAL shift, int64_t count)
{
    REAL lane[8] = {0}, rest = 0;
    int64_t i = 0;

    if (count > 512) {
        int64_t half = count / 16 * 8;

        return TYPED(products)(given, x, shift, half) +
               TYPED(products)(given + half, x + half, shift, count - half);
    }
    for (; i + 8 <= count; i += 8)
        for (int j = 0; j < 8; j++)
            lane[j] += given[i + j] * (x[i + j] - shift);
    for (; i < count; i++)
        rest += given[i] * (x[i] - shift);
    return TYPED(sum_lanes)(rest, lane);
}

/* With n = (x - mean) / deviation: by the shift the sum of what is given, by the scale that of its
 * products with n, and by x what is given less its mean and less n times the mean of the products,
 * times scale / deviation.  */
static void TYPED(batch_gradient)(const struct norm *norm, const REAL *given, const REAL *x,
                                  const REAL *scale, const REAL *mean, const REAL *deviation,
                                  REAL *by_x, REAL *by_scale, REAL *by_shift)
{
    const REAL count = (REAL)(norm->outer * norm->inner);

    for (int64_t c = 0; c < norm->channels; c++) {
        const REAL sum = TYPED(channel_sum)(norm, c, given, 0, 1);
        REAL product = 0;

        for (int64_t n = 0; n < norm->outer; n++) {
            int64_t at = (n * norm->channels + c) * norm->inner;

            product += TYPED(products)(given + at, x + at, mean[c], norm->inner);
        }
        product *= deviation[c];
        for (int64_t n = 0; n < norm->outer && by_x != NULL; n++) {
            int64_t at = (n * norm->channels + c) * norm->inner;
            const REAL factor = scale[c] * deviation[c];

            for (int64_t i = at; i < at + norm->inner; i++)
                by_x[i] = factor * (given[i] - sum / count -
                                    (x[i] - mean[c]) * deviation[c] * (product / count));
        }
        if (by_scale != NULL)
            by_scale[c] = product;
        if (by_shift != NULL)
            by_shift[c] = sum;
    }
}

/* One row: the sums are of what is given times the scale, which differs along a row.  */
static void TYPED(row_gradient)(int64_t count, const REAL *given, const REAL *x, const REAL *scale,
                                REAL mean, REAL deviation, REAL *to)
{
    REAL sum = 0, product = 0;

    for (int64_t c = 0; c < count; c++) {
        to[c] = given[c] * scale[c];
        sum += to[c];
        product += to[c] * (x[c] - mean);
    }
    sum /= (REAL)count;
    product *= deviation / (REAL)count;
    for (int64_t c = 0; c < count; c++)
        to[c] = deviation * (to[c] - sum - (x[c] - mean) * deviation * product);
}

static void TYPED(layer_gradient)(const struct norm *norm, const REAL *given, const REAL *x,
                                  const REAL *scale, const REAL *mean, const REAL *deviation,
                                  REAL *by_x, REAL *by_scale, REAL *by_shift)
{
    const int64_t count = norm->channels;

    for (int64_t c = 0; c < count && by_scale != NULL; c++)
        by_scale[c] = 0;
    for (int64_t c = 0; c < count && by_shift != NULL; c++)
        by_shift[c] = 0;
    for (int64_t r = 0; r < norm->outer; r++) {
        const REAL *own = given + r * count, *from = x + r * count;

        for (int64_t c = 0; c < count && by_scale != NULL; c++)
            by_scale[c] += own[c] * (from[c] - mean[r]) * deviation[r];
        for (int64_t c = 0; c < count && by_shift != NULL; c++)
            by_shift[c] += own[c];
        if (by_x != NULL)
            TYPED(row_gradient)
        (count, own, from, scale, mean[r], deviation[r], by_x + r * count);
    }
}

/* --- LRN --- */

/* With s = bias + factor times the squares of a channel's neighbours, y is x / s^beta: what is
 * given over s^beta, less 2 factor beta x times the sum of given y / s over the channels whose
 * neighbour this one is.  BASE and PART are room for the channels of an image.  */
static void TYPED(lrn_image)(const struct lrn *lrn, const REAL *given, const REAL *x, const REAL *y,
                             REAL *base, REAL *part, REAL *to)
{
    const int64_t inner = lrn->inner;

    for (int64_t c = 0; c < lrn->channels; c++) {
        int64_t past = min64(c + lrn->after + 1, lrn->channels);

        for (int64_t i = 0; i < inner; i++)
            base[c * inner + i] = 0;
        for (int64_t near = max64(c - lrn->before, 0); near < past; near++)
            for (int64_t i = 0; i < inner; i++)
                base[c * inner + i] += x[near * inner + i] * x[near * inner + i];
        for (int64_t i = c * inner; i < (c + 1) * inner; i++) {
            base[i] = (REAL)lrn->bias + (REAL)lrn->factor * base[i];
            part[i] = given[i] * y[i] / base[i];
        }
    }
    for (int64_t c = 0; c < lrn->channels; c++) {
        int64_t past = min64(c + lrn->before + 1, lrn->channels);

        for (int64_t i = 0; i < inner; i++)
            to[c * inner + i] = 0;
        for (int64_t near = max64(c - lrn->after, 0); near < past; near++)
            for (int64_t i = 0; i < inner; i++)
                to[c * inner + i] += part[near * inner + i];
        for (int64_t i = c * inner; i < (c + 1) * inner; i++)
            to[i] = given[i] * pow(base[i], (REAL)-lrn->beta) -
                    (REAL)(2 * lrn->factor * lrn->beta) * x[i] * to[i];
    }
}

static void TYPED(lrn_gradient)(const struct lrn *lrn, const REAL *given, const REAL *x,
                                const REAL *y, REAL *to)
{
    int64_t image = lrn->channels * lrn->inner;
    REAL *room = memory_alloc((size_t)(2 * image), sizeof *room);

    for (int64_t n = 0; n < lrn->batch; n++)
        TYPED(lrn_image)
    (lrn, given + n * image, x + n * image, y + n * image, room, room + image, to + n * image);
    free(room);
}

/* --- softmax --- */

static void TYPED(softmax_gradient)(const struct along *along, const REAL *given, const REAL *y,
                                    REAL *to)
{
    for (int64_t o = 0; o < along->outer; o++)
        for (int64_t i = 0; i < along->inner; i++) {
            int64_t first = o * along->count * along->inner + i;
            int64_t end = first + along->count * along->inner;
            REAL sum = 0;

            for (int64_t at = first; at < end; at += along->inner)
                sum += given[at] * y[at];
            for (int64_t at = first; at < end; at += along->inner)
                to[at] = y[at] * (given[at] - sum);
        }
}

#undef REAL
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_GRADIENT_NORM_REAL_H
#endif
