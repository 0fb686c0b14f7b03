/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reductions of one type.  Included once for each, with
 *   ELEMENT  the type
 *   NAME(x)  the names of its functions
 *   IS_REAL  1 for a real type: only these have roots, logarithms and exponentials
 * and with what <tgmath.h> gives.  The guard is around what all types share.  */
#ifndef ARENABENCH_RUNTIME_OPERATORS_REDUCE_TYPE_H
#define ARENABENCH_RUNTIME_OPERATORS_REDUCE_TYPE_H

#include <stdint.h>

#include "lib/base/memory.h"
#include "runtime/operators/strided.h"

enum reduction { SUM, MEAN, MAX, MIN, PROD, L1, L2, LOG_SUM, LOG_SUM_EXP, SUM_SQUARE };

/* At least as many elements are added up by themselves before they are added to what there is, so
 * that the error of a long sum does not grow with its elements.  */
#define REDUCE_BLOCK 64

/* Sums that are led along side by side within a block, so that none waits for another.  */
#define REDUCE_LANES 8

#define REDUCE_INLINE static inline __attribute__((always_inline))

#endif

/* Whole numbers wrap around where they overflow.  */
#if IS_REAL
#define PLUS(a, b) ((a) + (b))
#define TIMES(a, b) ((a) * (b))
#define NO_NUMBER(a) ((a) != (a))
#else
#define PLUS(a, b) ((ELEMENT)((uint64_t)(a) + (uint64_t)(b)))
#define TIMES(a, b) ((ELEMENT)((uint64_t)(a) * (uint64_t)(b)))
#define NO_NUMBER(a) false
#endif

REDUCE_INLINE ELEMENT NAME(join)(enum reduction what, ELEMENT a, ELEMENT b)
{
    switch (what) {
    case MAX:
        return b > a || NO_NUMBER(b) ? b : a;
    case MIN:
        return b < a || NO_NUMBER(b) ? b : a;
    case PROD:
        return TIMES(a, b);
    default:
        return PLUS(a, b);
    }
}

/* What element X brings; SHIFT is the largest element, for exponentials.  */
REDUCE_INLINE ELEMENT NAME(map)(enum reduction what, ELEMENT x, ELEMENT shift)
{
    (void)shift;
    switch (what) {
    case L1:
        return x > 0 ? x : TIMES(x, -1);
    case L2:
        return TIMES(x, x);
#if IS_REAL
    case LOG_SUM_EXP:
        return exp(x - shift);
#endif
    default:
        return x;
    }
}

/* At least one element, all beside each other.  */
REDUCE_INLINE ELEMENT NAME(block)(enum reduction what, const ELEMENT *in, int64_t count,
                                  ELEMENT shift)
{
    ELEMENT lane[REDUCE_LANES];
    int64_t lanes = count < REDUCE_LANES ? count : REDUCE_LANES, i;

    for (int64_t l = 0; l < lanes; l++)
        lane[l] = NAME(map)(what, in[l], shift);
    for (i = lanes; i + REDUCE_LANES <= count; i += REDUCE_LANES)
        for (int64_t l = 0; l < REDUCE_LANES; l++)
            lane[l] = NAME(join)(what, lane[l], NAME(map)(what, in[i + l], shift));
    for (; i < count; i++)
        lane[0] = NAME(join)(what, lane[0], NAME(map)(what, in[i], shift));
    for (int64_t l = 1; l < lanes; l++)
        lane[0] = NAME(join)(what, lane[0], lane[l]);
    return lane[0];
}

REDUCE_INLINE ELEMENT NAME(along)(enum reduction what, ELEMENT total, const ELEMENT *in,
                                  int64_t count, ELEMENT shift)
{
    int64_t size = REDUCE_BLOCK;

    while (size * size < count)
        size *= 2;
    for (int64_t first = 0; first < count; first += size) {
        int64_t rest = count - first;

        total = NAME(join)(what, total,
                           NAME(block)(what, in + first, rest < size ? rest : size, shift));
    }
    return total;
}

REDUCE_INLINE void NAME(flush)(enum reduction what, ELEMENT *total, const ELEMENT *part,
                               int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        total[i] = NAME(join)(what, total[i], part[i]);
}

/* All elements into TOTAL, which LOOPS pass as operand 0 with a stride of 0 where they are reduced;
 * PART has room for as much.  SHIFT goes with TOTAL, or is it where nothing is shifted.  */
REDUCE_INLINE void NAME(all)(enum reduction what, struct strided *loops, const ELEMENT *in,
                             ELEMENT *total, const ELEMENT *shift, ELEMENT *part)
{
    int64_t at = -1, rows = 0; /* what PART holds */

    for (bool more = strided_start(loops); more; more = strided_next(loops)) {
        const ELEMENT *row = in + loops->at[1];
        int64_t place = loops->at[0], run = loops->run;

        if (loops->step[0] == 0) {
            total[place] = NAME(along)(what, total[place], row, run, shift[place]);
            continue;
        }
        if (place != at || rows == REDUCE_BLOCK) {
            if (rows > 0)
                NAME(flush)(what, total + at, part, run);
            for (int64_t i = 0; i < run; i++)
                part[i] = NAME(map)(what, row[i], shift[place + i]);
            at = place;
            rows = 1;
            continue;
        }
        for (int64_t i = 0; i < run; i++)
            part[i] = NAME(join)(what, part[i], NAME(map)(what, row[i], shift[place + i]));
        rows++;
    }
    if (rows > 0)
        NAME(flush)(what, total + at, part, loops->run);
}

static void NAME(reduce)(enum reduction what, struct strided *loops, const ELEMENT *in,
                         ELEMENT *total, const ELEMENT *shift, ELEMENT *part)
{
    switch (what) {
    case MAX:
        NAME(all)(MAX, loops, in, total, shift, part);
        break;
    case MIN:
        NAME(all)(MIN, loops, in, total, shift, part);
        break;
    case PROD:
        NAME(all)(PROD, loops, in, total, shift, part);
        break;
    case L1:
        NAME(all)(L1, loops, in, total, shift, part);
        break;
    case L2:
    case SUM_SQUARE:
        NAME(all)(L2, loops, in, total, shift, part);
        break;
#if IS_REAL
    case LOG_SUM_EXP:
        NAME(all)(LOG_SUM_EXP, loops, in, total, shift, part);
        break;
#endif
    default:
        NAME(all)(SUM, loops, in, total, shift, part);
    }
}

static void NAME(set)(ELEMENT *out, int64_t count, ELEMENT value)
{
    for (int64_t i = 0; i < count; i++)
        out[i] = value;
}

#if IS_REAL
/* From sums to the result; COUNT elements of which N went into each.  */
static void NAME(finish)(enum reduction what, ELEMENT *out, int64_t count, int64_t n)
{
    for (int64_t i = 0; i < count; i++)
        if (what == MEAN)
            out[i] /= (ELEMENT)n;
        else if (what == L2)
            out[i] = sqrt(out[i]);
        else if (what == LOG_SUM)
            out[i] = log(out[i]);
}

/* Exponentials of differences to the largest element do not overflow; where that is infinite,
 * those of the elements themselves give it.  */
static void NAME(log_sum_exp)(struct strided *loops, const ELEMENT *in, ELEMENT *out, int64_t count,
                              ELEMENT *part)
{
    struct strided again = *loops;
    ELEMENT *total = memory_zalloc((size_t)count, sizeof *total);

    NAME(set)(out, count, -(ELEMENT)INFINITY);
    NAME(reduce)(MAX, loops, in, out, out, part);
    for (int64_t i = 0; i < count; i++)
        out[i] = isinf(out[i]) ? 0 : out[i];
    NAME(reduce)(LOG_SUM_EXP, &again, in, total, out, part);
    for (int64_t i = 0; i < count; i++)
        out[i] += log(total[i]);
    free(total);
}
#endif

/* N elements into each of COUNT.  */
static void NAME(run)(enum reduction what, struct strided *loops, const void *in, void *out,
                      int64_t count, int64_t n, ELEMENT least, ELEMENT most)
{
    ELEMENT *part = memory_alloc((size_t)count, sizeof *part);

#if IS_REAL
    if (what == LOG_SUM_EXP) {
        NAME(log_sum_exp)(loops, in, out, count, part);
        free(part);
        return;
    }
#endif
    NAME(set)(out, count, what == PROD ? 1 : what == MAX ? least : what == MIN ? most : (ELEMENT)0);
    NAME(reduce)(what, loops, in, out, out, part);
#if IS_REAL
    NAME(finish)(what, out, count, n);
#else
    (void)n;
#endif
    free(part);
}
#undef PLUS
#undef TIMES
#undef NO_NUMBER
#undef ELEMENT
#undef NAME
#undef IS_REAL
