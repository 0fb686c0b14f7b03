/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Normalisations of elements of type REAL: included once for each type by normalise.c, which says
 * what REAL and TYPED are.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_NORMALISE_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_NORMALISE_REAL_H

/* --- a factor and a term a channel --- */

static void TYPED(affine)(const REAL *x, REAL *y, int64_t count, REAL factor, REAL term)
{
    for (int64_t i = 0; i < count; i++)
        y[i] = x[i] * factor + term;
}

/* With one mean and variance a channel.  */
static void TYPED(channels)(const struct image *image, double epsilon, const REAL *x,
                            const REAL *scale, const REAL *shift, const REAL *mean,
                            const REAL *variance, REAL *y)
{
    for (int64_t i = 0; i < image->images * image->channels; i++) {
        int64_t c = i % image->channels;
        REAL factor = scale[c] / (REAL)sqrt((double)variance[c] + epsilon);

        TYPED(affine)
        (x + i * image->pixels, y + i * image->pixels, image->pixels, factor,
         shift[c] - factor * mean[c]);
    }
}

/* Mean and variance of each channel over all images, in memory for one each.  */
static void TYPED(channel_moments)(const struct image *image, const REAL *x, REAL *mean,
                                   REAL *variance)
{
    int64_t step = image->channels * image->pixels;
    REAL count = (REAL)(image->images * image->pixels);

    for (int64_t c = 0; c < image->channels; c++) {
        REAL sum = 0, squares = 0;

        for (int64_t i = 0; i < image->images; i++)
            sum += TYPED(sum_of)(x + i * step + c * image->pixels, image->pixels, 0, 1);
        mean[c] = sum / count;
        for (int64_t i = 0; i < image->images; i++)
            squares += TYPED(sum_of)(x + i * step + c * image->pixels, image->pixels, mean[c], 2);
        variance[c] = squares / count;
    }
}

/* As in training: with the moments of X.  Of the running ones with these in them, and of these
 * themselves, those that MOMENT has memory for are kept (NULL: not).  */
static void TYPED(train)(const struct image *image, double epsilon, double momentum, const REAL *x,
                         const REAL *const *parameter, REAL *y, REAL *const *moment)
{
    size_t bytes = (size_t)image->channels * sizeof(REAL);
    REAL *own[2] = {memory_alloc(bytes, 1), memory_alloc(bytes, 1)};

    TYPED(channel_moments)(image, x, own[0], own[1]);
    for (int i = 0; i < 2; i++) {
        for (int64_t c = 0; moment[i] != NULL && c < image->channels; c++)
            moment[i][c] =
                parameter[2 + i][c] * (REAL)momentum + own[i][c] * ((REAL)1 - (REAL)momentum);
        if (moment[2 + i] != NULL)
            memcpy(moment[2 + i], own[i], bytes);
    }
    if (y != NULL)
        TYPED(channels)(image, epsilon, x, parameter[0], parameter[1], own[0], own[1], y);
    free(own[1]);
    free(own[0]);
}

/* --- rows with moments of their own --- */

/* Mean (0 where only the squares count) and one over the deviation.  */
static void TYPED(moments)(const REAL *x, int64_t count, bool centred, double epsilon, REAL *mean,
                           REAL *inverse)
{
    REAL variance;

    *mean = centred ? TYPED(sum_of)(x, count, 0, 1) / (REAL)count : 0;
    variance = TYPED(sum_of)(x, count, *mean, 2) / (REAL)count;
    *inverse = (REAL)(1.0 / sqrt((double)variance + epsilon));
}

/* ROWS of COUNT elements, with a scale and a shift (NULL: none) an element.  */
static void TYPED(layers)(int64_t rows, int64_t count, bool centred, double epsilon, const REAL *x,
                          const REAL *scale, const REAL *shift, REAL *y, const struct tensor *means,
                          const struct tensor *inverses)
{
    for (int64_t r = 0; r < rows; r++) {
        REAL mean, inverse;

        TYPED(moments)(x + r * count, count, centred, epsilon, &mean, &inverse);
        put_real(means, r, (double)mean);
        put_real(inverses, r, (double)inverse);
        for (int64_t i = 0; y != NULL && i < count; i++)
            y[r * count + i] = (x[r * count + i] - mean) * inverse * scale[i] +
                               (shift == NULL ? (REAL)0 : shift[i]);
    }
}

/* Each image's channels in GROUPS with moments of their own; SHARED channels have one scale and
 * shift.  */
static void TYPED(groups)(const struct image *image, int64_t groups, int64_t shared, double epsilon,
                          const REAL *x, const REAL *scale, const REAL *shift, REAL *y)
{
    int64_t each = image->channels / groups, count = each * image->pixels;

    for (int64_t i = 0; i < image->images * groups; i++) {
        REAL mean, inverse;

        TYPED(moments)(x + i * count, count, true, epsilon, &mean, &inverse);
        for (int64_t c = 0; c < each; c++) {
            int64_t at = i * count + c * image->pixels;
            int64_t own = (i % groups * each + c) / shared;
            REAL factor = inverse * scale[own];

            TYPED(affine)(x + at, y + at, image->pixels, factor, shift[own] - factor * mean);
        }
    }
}

/* --- others --- */

/* To the power BETA, which is three quarters in the networks that have LRN: roots are vectorised.
 */
static void TYPED(raise)(REAL *x, int64_t count, double beta)
{
    if (beta == 0.75)
        for (int64_t i = 0; i < count; i++)
            x[i] = sqrt(x[i]) * sqrt(sqrt(x[i]));
    else
        for (int64_t i = 0; i < count; i++)
            x[i] = pow(x[i], (REAL)beta);
}

/* Sums of squares over neighbouring channels; SUM is room for the pixels.  */
static void TYPED(neighbours)(const struct image *image, const struct neighbours *around,
                              const REAL *x, REAL *sum, REAL *y)
{
    int64_t pixels = image->pixels;
    REAL share = (REAL)(around->alpha / (double)around->size);

    for (int64_t i = 0; i < image->images * image->channels; i++) {
        int64_t c = i % image->channels;
        int64_t first = c - min64(c, (around->size - 1) / 2);
        int64_t past = min64(image->channels - c, around->size / 2 + 1) + c;

        for (int64_t p = 0; p < pixels; p++)
            sum[p] = 0;
        for (int64_t k = first; k < past; k++) {
            const REAL *other = x + (i - c + k) * pixels;

            for (int64_t p = 0; p < pixels; p++)
                sum[p] += other[p] * other[p];
        }
        for (int64_t p = 0; p < pixels; p++)
            sum[p] = (REAL)around->bias + share * sum[p];
        TYPED(raise)(sum, pixels, around->beta);
        for (int64_t p = 0; p < pixels; p++)
            y[i * pixels + p] = x[i * pixels + p] / sum[p];
    }
}

/* Elements of length 0 in all stay 0.  */
static void TYPED(lengths)(struct along along, int p, const REAL *x, REAL *y)
{
    for (int64_t o = 0; o < along.outer; o++)
        for (int64_t i = 0; i < along.inner; i++) {
            int64_t first = o * along.count * along.inner + i;
            double sum = 0, length;

            for (int64_t k = 0; k < along.count; k++) {
                double element = (double)x[first + k * along.inner];

                sum += p == 1 ? fabs(element) : element * element;
            }
            length = p == 1 ? sum : sqrt(sum);
            for (int64_t k = 0; k < along.count; k++) {
                int64_t at = first + k * along.inner;

                y[at] = length > 0 || isnan(length) ? x[at] / (REAL)length : 0;
            }
        }
}

/* Adds each element of X less its mean (NULL: none), to the power of POWER, to that of SUM to which
 * it belongs.  */
static void TYPED(gather)(struct strided loops, const REAL *x, const double *mean, int power,
                          double *sum)
{
    for (bool more = strided_start(&loops); more; more = strided_next(&loops))
        for (int64_t i = 0; i < loops.run; i++) {
            int64_t to = loops.at[1] + i * loops.step[1];
            double d = (double)x[loops.at[0] + i * loops.step[0]] - (mean == NULL ? 0 : mean[to]);

            sum[to] += power == 2 ? d * d : d;
        }
}

static void TYPED(standard)(struct strided loops, const REAL *x, const double *mean,
                            const double *deviation, REAL *y)
{
    for (bool more = strided_start(&loops); more; more = strided_next(&loops))
        for (int64_t i = 0; i < loops.run; i++) {
            int64_t from = loops.at[0] + i * loops.step[0];
            int64_t group = loops.at[1] + i * loops.step[1];

            y[from] = (REAL)(((double)x[from] - mean[group]) / deviation[group]);
        }
}

#undef REAL
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_NORMALISE_REAL_H
#endif
