/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions of images of type REAL, whose places are worked out in PLACE: included for each pair of
 * types by roi.c, which says what REAL, PLACE and TYPED are.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_ROI_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_ROI_REAL_H

/* Along one axis: bin B of RoiAlign has COUNT samples, a STEP apart.  */
struct TYPED(span) {
    PLACE start, bin, step;
    int64_t count;
};

/* A sample between two elements.  */
struct TYPED(between) {
    int64_t low, high;
    PLACE low_weight, high_weight;
};

static struct TYPED(span) TYPED(find_span)(const struct roi *roi, int axis, PLACE start, PLACE end)
{
    PLACE offset = roi->half_pixel ? (PLACE)0.5 : (PLACE)0, size;
    struct TYPED(span) span = {.count = roi->samples};

    span.start = start * (PLACE)roi->scale - offset;
    size = end * (PLACE)roi->scale - offset - span.start;
    if (!roi->half_pixel)
        size = fmax(size, (PLACE)1);
    span.bin = size / (PLACE)roi->bins[axis];
    if (span.count == 0)
        span.count = span.bin > 0 ? (int64_t)ceil(span.bin) : 0;
    span.step = span.count == 0 ? 0 : span.bin / (PLACE)span.count;
    return span;
}

static PLACE TYPED(place)(const struct TYPED(span) * span, int64_t bin, int64_t i)
{
    return span->start + (PLACE)bin * span->bin + ((PLACE)i + (PLACE)0.5) * span->step;
}

/* False: the place is more than an element outside, where everything is 0.  */
static bool TYPED(find_between)(PLACE place, int64_t length, struct TYPED(between) * between)
{
    if (place < -1 || place > (PLACE)length || length == 0)
        return false;
    place = place < 0 ? 0 : place;
    between->low = (int64_t)place;
    between->high = between->low + 1;
    if (between->high >= length) {
        between->low = between->high = length - 1;
        place = (PLACE)between->low;
    }
    between->high_weight = place - (PLACE)between->low;
    between->low_weight = 1 - between->high_weight;
    return true;
}

/* The samples [*FIRST, *PAST) of a bin among which are all that may not be outside.  */
static void TYPED(find_samples)(const struct TYPED(span) * span, int64_t bin, int64_t length,
                                int64_t *first, int64_t *past)
{
    double start = (double)TYPED(place)(span, bin, 0), step = (double)span->step;
    double one, other;

    *first = 0;
    *past = span->count;
    if (step == 0.0)
        return;
    one = (-1.0 - start) / step;
    other = ((double)length - start) / step;
    *first = (int64_t)fmin(fmax(fmin(one, other) - 2.0, 0.0), (double)span->count);
    *past = (int64_t)fmin(fmax(fmax(one, other) + 3.0, 0.0), (double)span->count);
}

/* Samples outside count as 0.  */
static REAL TYPED(align_bin)(const struct roi *roi, const struct TYPED(span) * span,
                             const int64_t *bin, const REAL *x)
{
    int64_t first[2], past[2];
    struct TYPED(between) row, column;
    REAL sum = 0, best = (REAL)-INFINITY;
    double inside = 0.0, count = (double)span[0].count * (double)span[1].count;

    for (int axis = 0; axis < 2; axis++)
        TYPED(find_samples)
    (&span[axis], bin[axis], roi->image[axis], &first[axis], &past[axis]);
    for (int64_t i = first[0]; i < past[0]; i++) {
        if (!TYPED(find_between)(TYPED(place)(&span[0], bin[0], i), roi->image[0], &row))
            continue;
        for (int64_t j = first[1]; j < past[1]; j++) {
            REAL part[4];

            if (!TYPED(find_between)(TYPED(place)(&span[1], bin[1], j), roi->image[1], &column))
                continue;
            part[0] = row.low_weight * column.low_weight;
            part[0] *= x[row.low * roi->image[1] + column.low];
            part[1] = row.low_weight * column.high_weight;
            part[1] *= x[row.low * roi->image[1] + column.high];
            part[2] = row.high_weight * column.low_weight;
            part[2] *= x[row.high * roi->image[1] + column.low];
            part[3] = row.high_weight * column.high_weight;
            part[3] *= x[row.high * roi->image[1] + column.high];
            sum += part[0] + part[1] + part[2] + part[3];
            best = fmax(best, fmax(fmax(part[0], part[1]), fmax(part[2], part[3])));
            inside += 1.0;
        }
    }
    if (!roi->largest)
        return count > 1.0 ? sum / (REAL)count : sum;
    return inside < fmax(count, 1.0) ? fmax(best, (REAL)0) : best;
}

/* Elements [*FIRST, *PAST) of bin B along an axis.  */
static void TYPED(find_elements)(const struct roi *roi, int axis, PLACE start, PLACE end,
                                 int64_t bin, int64_t *first, int64_t *past)
{
    int64_t from = (int64_t)round(start * (PLACE)roi->scale);
    int64_t to = (int64_t)round(end * (PLACE)roi->scale);
    PLACE size = (PLACE)max64(to - from + 1, 1) / (PLACE)roi->bins[axis];

    *first = from + (int64_t)floor((PLACE)bin * size);
    *past = from + (int64_t)ceil((PLACE)(bin + 1) * size);
    *first = max64(*first, 0);
    *past = min64(*past, roi->image[axis]);
}

static REAL TYPED(pool_bin)(const struct roi *roi, const REAL *corner, const int64_t *bin,
                            const REAL *x)
{
    int64_t first[2], past[2];
    REAL best = (REAL)-INFINITY;

    for (int axis = 0; axis < 2; axis++)
        TYPED(find_elements)
    (roi, axis, (PLACE)corner[1 - axis], (PLACE)corner[3 - axis], bin[axis], &first[axis],
     &past[axis]);
    if (first[0] >= past[0] || first[1] >= past[1])
        return 0;
    for (int64_t i = first[0]; i < past[0]; i++)
        for (int64_t j = first[1]; j < past[1]; j++)
            best = fmax(best, x[i * roi->image[1] + j]);
    return best;
}

/* Region R of image IMAGE, all channels.  */
static void TYPED(region)(const struct roi *roi, int64_t r, int64_t image, const REAL *x, REAL *y)
{
    int64_t columns = roi->corner->dim[1], plane = roi->image[0] * roi->image[1];
    const REAL *corner = (const REAL *)roi->corner->data + (r + 1) * columns - 4;
    const struct TYPED(span)
        span[] = {TYPED(find_span)(roi, 0, (PLACE)corner[1], (PLACE)corner[3]),
                  TYPED(find_span)(roi, 1, (PLACE)corner[0], (PLACE)corner[2])};

    x += image * roi->channels * plane;
    y += r * roi->channels * roi->bins[0] * roi->bins[1];
    for (int64_t c = 0; c < roi->channels; c++)
        for (int64_t i = 0; i < roi->bins[0]; i++)
            for (int64_t j = 0; j < roi->bins[1]; j++) {
                const int64_t bin[] = {i, j};

                *y++ = roi->pool ? TYPED(pool_bin)(roi, corner, bin, x + c * plane)
                                 : TYPED(align_bin)(roi, span, bin, x + c * plane);
            }
}

#undef REAL
#undef PLACE
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_ROI_REAL_H
#endif
