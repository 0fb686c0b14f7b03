/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resizing elements of type REAL, an axis at a time: included once for each type by resize.c, which
 * says what REAL and TYPED are.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_RESIZE_REAL_H
#define ARENABENCH_RUNTIME_OPERATORS_RESIZE_REAL_H

/* OUTER times an axis, whose elements are INNER numbers side by side.  A place without taps is
 * left 0.  */
static void TYPED(resize_axis)(const struct resize_taps *taps, int64_t outer, int64_t inner,
                               const REAL *x, REAL *y)
{
    for (int64_t o = 0; o < outer; o++) {
        for (int64_t p = 0; p < taps->places; p++) {
            for (int64_t i = 0; taps->first[p] == taps->first[p + 1] && i < inner; i++)
                y[i] = 0;
            for (int64_t t = taps->first[p]; t < taps->first[p + 1]; t++) {
                const REAL *restrict from = x + taps->index[t] * inner;
                REAL *restrict to = y, weight = (REAL)taps->weight[t];

                if (t == taps->first[p])
                    for (int64_t i = 0; i < inner; i++)
                        to[i] = weight * from[i];
                else
                    for (int64_t i = 0; i < inner; i++)
                        to[i] += weight * from[i];
            }
            y += inner;
        }
        x += taps->length * inner;
    }
}

/* VALUE where a place of the output has no taps.  */
static void TYPED(extrapolate)(const struct resize_taps *taps, int64_t outer, int64_t inner,
                               REAL value, REAL *y)
{
    for (int64_t o = 0; o < outer; o++)
        for (int64_t p = 0; p < taps->places; p++)
            for (int64_t i = 0; taps->first[p] == taps->first[p + 1] && i < inner; i++)
                y[(o * taps->places + p) * inner + i] = value;
}

/* Axes that become shorter first, so that nothing between is larger than both input and output, and
 * those with the most numbers side by side last.  */
static void TYPED(resize)(int rank, const struct resize_taps *taps, double extrapolation,
                          const REAL *x, REAL *y)
{
    int64_t dim[NETWORK_MAX_RANK];
    const REAL *from = x;
    REAL *kept = NULL; /* what is between two passes */
    int passes = 0;

    for (int d = 0; d < rank; d++) {
        dim[d] = taps[d].length;
        passes += !taps[d].same;
    }
    for (int grow = 0; grow < 2; grow++)
        for (int d = rank - 1; d >= 0; d--) {
            REAL *room = NULL;

            if (taps[d].same || (taps[d].places > taps[d].length) != (grow == 1))
                continue;
            dim[d] = taps[d].places;
            if (--passes > 0)
                room = memory_alloc((size_t)product_of(dim, 0, rank), sizeof *room);
            TYPED(resize_axis)
            (&taps[d], product_of(dim, 0, d), product_of(dim, d + 1, rank), from,
             room == NULL ? y : room);
            free(kept);
            from = kept = room;
        }
    if (from == x)
        memcpy(y, x, (size_t)product_of(dim, 0, rank) * sizeof *y);
    for (int d = 0; d < rank; d++)
        TYPED(extrapolate)
    (&taps[d], product_of(dim, 0, d), product_of(dim, d + 1, rank), (REAL)extrapolation, y);
}

#undef REAL
#undef TYPED
#undef ARENABENCH_RUNTIME_OPERATORS_RESIZE_REAL_H
#endif
