/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on sizes, offsets and times that refuses to overflow.
 * Each function returns false and leaves *RESULT alone on overflow.  */
#ifndef ARENABENCH_LIB_BASE_CHECKED_H
#define ARENABENCH_LIB_BASE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

static inline bool checked_add(int64_t a, int64_t b, int64_t *result)
{
    int64_t sum;

    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *result = sum;
    return true;
}

static inline bool checked_sub(int64_t a, int64_t b, int64_t *result)
{
    int64_t difference;

    if (__builtin_sub_overflow(a, b, &difference))
        return false;
    *result = difference;
    return true;
}

static inline bool checked_mul(int64_t a, int64_t b, int64_t *result)
{
    int64_t product;

    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *result = product;
    return true;
}

/* Of numbers >= 0, for figures that are only shown: INT64_MAX where the result is larger.  */
static inline int64_t capped_add(int64_t a, int64_t b)
{
    int64_t sum;

    return checked_add(a, b, &sum) ? sum : INT64_MAX;
}

static inline int64_t capped_mul(int64_t a, int64_t b)
{
    int64_t product;

    return checked_mul(a, b, &product) ? product : INT64_MAX;
}

/* VALUE >= 0 rounded up to a multiple of ALIGNMENT >= 1.  The caller knows
 * that the result fits (sealed instances guarantee it for their offsets).  */
static inline int64_t align_up(int64_t value, int64_t alignment)
{
    int64_t rest = alignment == 1 ? 0 : value % alignment;

    return rest == 0 ? value : value + (alignment - rest);
}

/* The same, or INT64_MAX where that does not fit.  */
static inline int64_t capped_align(int64_t value, int64_t alignment)
{
    int64_t rest = value % alignment;

    return rest == 0 ? value : capped_add(value, alignment - rest);
}

/* A + B and A - B, or the nearest number that is no further from 0 than INT64_MAX.  */
static inline int64_t clipped_add(int64_t a, int64_t b)
{
    int64_t sum;

    if (__builtin_add_overflow(a, b, &sum))
        return b > 0 ? INT64_MAX : -INT64_MAX;
    return sum < -INT64_MAX ? -INT64_MAX : sum;
}

static inline int64_t clipped_sub(int64_t a, int64_t b)
{
    int64_t difference;

    if (__builtin_sub_overflow(a, b, &difference))
        return b < 0 ? INT64_MAX : -INT64_MAX;
    return difference < -INT64_MAX ? -INT64_MAX : difference;
}

static inline int64_t gcd64(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* The least common multiple of two numbers above 0; false where it does not fit.  */
static inline bool checked_lcm(int64_t a, int64_t b, int64_t *result)
{
    return checked_mul(a / gcd64(a, b), b, result);
}

static inline int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* -1, 0 or 1: what comparing functions return, for one key.  Several in turn:
 * ORDER(x->a, y->a) ?: ORDER(x->b, y->b); a descending one has its sides exchanged.  */
#define ORDER(x, y) (((x) > (y)) - ((x) < (y)))

/* For qsort and bsearch on arrays of int64_t.  */
static inline int compare64(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return ORDER(*x, *y);
}

#endif
