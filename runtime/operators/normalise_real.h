/* Normalisations of one real type: included once for each, with
 *   REAL      the type
 *   TYPED(x)  the names of its functions
 * and with what <tgmath.h> gives.  Sums are of doubles in both: an image has many elements.  The
 * guard is around what both types share.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_NORMALISE_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_NORMALISE_REAL_H

#include <math.h>
#include <stdint.h>

/* OUTER x LENGTH x INNER elements; a line is LENGTH of them, INNER apart.  */
struct lines {
    int64_t outer, length, inner;
};

/* IMAGES x CHANNELS x PIXELS.  */
struct images {
    int64_t images, channels, pixels;
};

#endif

/* --- mean and variance --- */

static double TYPED(mean_of)(const REAL *x, int64_t count)
{
    double sum = 0.0;

    for (int64_t i = 0; i < count; i++)
        sum += (double)x[i];
    return sum / (double)count;
}

static double TYPED(squares_of)(const REAL *x, int64_t count, double mean)
{
    double sum = 0.0;

    for (int64_t i = 0; i < count; i++)
        sum += ((double)x[i] - mean) * ((double)x[i] - mean);
    return sum;
}

/* --- by channel --- */

/* The same factor and term for all pixels of a channel, as runtime/blocked.c computes them.  */
static void TYPED(channels)(const struct images *shape, double epsilon, const REAL *x,
                            const REAL *scale, const REAL *shift, const REAL *mean,
                            const REAL *variance, REAL *y)
{
    for (int64_t i = 0; i < shape->images * shape->channels; i++) {
        int64_t k = i % shape->channels;
        REAL factor = scale[k] / (REAL)sqrt((double)variance[k] + epsilon);
        REAL term = shift[k] - factor * mean[k];

        for (int64_t p = 0; p < shape->pixels; p++)
            y[i * shape->pixels + p] = x[i * shape->pixels + p] * factor + term;
    }
}

/* Mean and variance of each channel over all images.  */
static void TYPED(batch_statistics)(const struct images *shape, const REAL *x, REAL *mean,
                                    REAL *variance)
{
    double count = (double)(shape->images * shape->pixels);

    for (int64_t k = 0; k < shape->channels; k++) {
        double sum = 0.0, squares = 0.0;

        for (int64_t n = 0; n < shape->images; n++)
            sum += TYPED(mean_of)(x + (n * shape->channels + k) * shape->pixels, shape->pixels) *
                   (double)shape->pixels;
        for (int64_t n = 0; n < shape->images; n++)
            squares += TYPED(squares_of)(x + (n * shape->channels + k) * shape->pixels,
                                         shape->pixels, sum / count);
        mean[k] = (REAL)(sum / count);
        variance[k] = (REAL)(squares / count);
    }
}

/* --- by group: rows of LENGTH elements side by side --- */

/* Y is X with mean 0 and variance 1 in each of ROWS rows; MEAN and INVERSE, of the standard
 * deviation, or NULL.  */
static void TYPED(standardise)(int64_t rows, int64_t length, double epsilon, const REAL *x, REAL *y,
                               REAL *mean, REAL *inverse)
{
    for (int64_t r = 0; r < rows; r++) {
        const REAL *from = x + r * length;
        double middle = TYPED(mean_of)(from, length);
        double variance = TYPED(squares_of)(from, length, middle) / (double)length;
        double factor = 1.0 / sqrt(variance + epsilon);

        for (int64_t i = 0; i < length; i++)
            y[r * length + i] = (REAL)(((double)from[i] - middle) * factor);
        if (mean != NULL)
            mean[r] = (REAL)middle;
        if (inverse != NULL)
            inverse[r] = (REAL)factor;
    }
}

/* Y times SCALE plus SHIFT (NULL: none); element i of a row of LENGTH has factor and term number
 * i / EACH of the COUNT that go round from row to row.  */
static void TYPED(stretch)(int64_t rows, int64_t length, int64_t each, int64_t count,
                           const REAL *scale, const REAL *shift, REAL *y)
{
    for (int64_t r = 0; r < rows; r++)
        for (int64_t j = 0; j < length / each; j++) {
            int64_t k = (r * (length / each) + j) % count;
            REAL *part = y + r * length + j * each, term = shift == NULL ? 0 : shift[k];

            for (int64_t i = 0; i < each; i++)
                part[i] = part[i] * scale[k] + term;
        }
}

/* A row's factors and terms side by side, the same for all rows.  */
static void TYPED(stretch_rows)(int64_t rows, int64_t length, const REAL *scale, const REAL *shift,
                                REAL *y)
{
    for (int64_t r = 0; r < rows; r++)
        for (int64_t i = 0; i < length; i++)
            y[r * length + i] = y[r * length + i] * scale[i] + (shift == NULL ? (REAL)0 : shift[i]);
}

/* --- across channels --- */

/* Each channel of the sum of its neighbours' squares: (bias + alpha / size * sum) ^ beta.  */
static void TYPED(local)(const struct images *shape, int64_t size, double alpha, double beta,
                         double bias, const REAL *x, REAL *y)
{
    int64_t before = (size - 1) / 2, after = size / 2;

    for (int64_t n = 0; n < shape->images; n++)
        for (int64_t k = 0; k < shape->channels; k++) {
            int64_t low = k - before < 0 ? 0 : k - before;
            int64_t high = k + after >= shape->channels ? shape->channels - 1 : k + after;
            int64_t at = (n * shape->channels + k) * shape->pixels;

            for (int64_t p = 0; p < shape->pixels; p++) {
                REAL sum = 0;

                for (int64_t c = low; c <= high; c++) {
                    REAL other = x[(n * shape->channels + c) * shape->pixels + p];

                    sum += other * other;
                }
                y[at + p] =
                    x[at + p] / pow((REAL)bias + (REAL)(alpha / (double)size) * sum, (REAL)beta);
            }
        }
}

/* --- along lines --- */

/* Exponentials that add up to 1, or their logarithms.  */
static void TYPED(softmax_line)(const REAL *x, REAL *y, int64_t length, int64_t step,
                                bool logarithm)
{
    REAL most = -(REAL)INFINITY;
    double sum = 0.0;

    for (int64_t i = 0; i < length; i++)
        most = x[i * step] > most ? x[i * step] : most;
    for (int64_t i = 0; i < length; i++) {
        REAL part = x[i * step] - most;

        y[i * step] = logarithm ? part : exp(part);
        sum += (double)(logarithm ? exp(part) : y[i * step]);
    }
    for (int64_t i = 0; i < length; i++)
        y[i * step] = logarithm ? y[i * step] - (REAL)log(sum) : (REAL)((double)y[i * step] / sum);
}

/* 1 where the largest element is, the first of equal ones.  */
static void TYPED(hardmax_line)(const REAL *x, REAL *y, int64_t length, int64_t step)
{
    int64_t most = 0;

    for (int64_t i = 1; i < length; i++)
        if (x[i * step] > x[most * step])
            most = i;
    for (int64_t i = 0; i < length; i++)
        y[i * step] = (REAL)(i == most);
}

/* Over the sum of magnitudes (P = 1) or the length (P = 2); of zeros nothing else comes.  */
static void TYPED(norm_line)(const REAL *x, REAL *y, int64_t length, int64_t step, int64_t p)
{
    double sum = 0.0;

    for (int64_t i = 0; i < length; i++) {
        double part = fabs((double)x[i * step]);

        sum += p == 1 ? part : part * part;
    }
    if (p == 2)
        sum = sqrt(sum);
    for (int64_t i = 0; i < length; i++)
        y[i * step] = sum == 0.0 ? x[i * step] : (REAL)((double)x[i * step] / sum);
}

static void TYPED(along_lines)(const struct lines *lines, enum line_norm what, int64_t p,
                               const REAL *x, REAL *y)
{
    for (int64_t o = 0; o < lines->outer; o++)
        for (int64_t i = 0; i < lines->inner; i++) {
            int64_t at = o * lines->length * lines->inner + i;

            if (what == LINE_HARDMAX)
                TYPED(hardmax_line)(x + at, y + at, lines->length, lines->inner);
            else if (what == LINE_NORM)
                TYPED(norm_line)(x + at, y + at, lines->length, lines->inner, p);
            else
                TYPED(softmax_line)
            (x + at, y + at, lines->length, lines->inner, what == LINE_LOG_SOFTMAX);
        }
}
