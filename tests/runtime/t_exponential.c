/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exponential and what is made of it, against the C library in higher precision.  */
#include <config.h>

#include <math.h>

#include "runtime/operators/exponential.h"
#include "tests/support/tap.h"
#include "tests/support/worst.h"

/* The relative difference, the largest of many numbers between FROM and TO.  */
static double worst_f32(double from, double to)
{
    const int steps = 400003;
    double worst = 0.0;

    for (int i = 0; i <= steps; i++) {
        float x = (float)(from + (to - from) * i / steps);
        double want = exp((double)x);

        worst = worst_of_two(worst, fabs((double)exponential_f32(x) - want) / want);
    }
    return worst;
}

static double worst_f64(double from, double to)
{
    const int steps = 400003;
    double worst = 0.0;

    for (int i = 0; i <= steps; i++) {
        double x = from + (to - from) * i / steps;
        long double want = expl((long double)x);

        worst = worst_of_two(worst, (double)(fabsl((long double)exponential_f64(x) - want) / want));
    }
    return worst;
}

/* Of the share below x, whose exponent has an error of rounding of its own: x^2 / 2 as a float.  */
static double worst_normal(double from, double to)
{
    const int steps = 400003;
    double worst = 0.0;

    for (int i = 0; i <= steps; i++) {
        float x = (float)(from + (to - from) * i / steps);
        double want = 0.5 * erfc(-(double)x * M_SQRT1_2),
               share = fabs((double)normal_f32(x) - want);

        worst = worst_of_two(worst, share / want / (1.0 + 0.5 * (double)x * (double)x));
    }
    return worst;
}

int main(void)
{
    ok(worst_f32(-86.59, 88.72) < 1.5e-7, "f32: %g", worst_f32(-86.59, 88.72));
    ok(worst_f32(-1.0, 1.0) < 1.2e-7, "f32 around 0: %g", worst_f32(-1.0, 1.0));
    ok(worst_f64(-707.6, 709.78) < 4e-16, "f64: %g", worst_f64(-707.6, 709.78));
    ok(worst_f64(-1.0, 1.0) < 3e-16, "f64 around 0: %g", worst_f64(-1.0, 1.0));
    ok(exponential_f32(0.0F) == 1.0F && exponential_f64(0.0) == 1.0, "of 0");
    ok(exponential_f32(88.73F) == INFINITY && exponential_f32(3e38F) == INFINITY &&
           exponential_f32(INFINITY) == INFINITY,
       "too large, f32");
    ok(exponential_f64(709.79) == INFINITY && exponential_f64(INFINITY) == INFINITY,
       "too large, f64");
    ok(exponential_f32(-86.7F) == 0.0F && exponential_f32(-3e38F) == 0.0F &&
           exponential_f32(-INFINITY) == 0.0F,
       "too small, f32");
    ok(exponential_f64(-707.8) == 0.0 && exponential_f64(-INFINITY) == 0.0, "too small, f64");
    ok(isnan(exponential_f32(NAN)) && isnan(exponential_f64((double)NAN)), "of NaN");
    ok(worst_normal(-12.5, 0.0) < 4e-7, "below the mean: %g", worst_normal(-12.5, 0.0));
    ok(worst_normal(0.0, 40.0) < 4e-7, "above the mean: %g", worst_normal(0.0, 40.0));
    ok(normal_f32(-INFINITY) == 0.0F && normal_f32(-40.0F) == 0.0F &&
           normal_f32(INFINITY) == 1.0F && isnan(normal_f32(NAN)),
       "at the ends");
    ok(fabs(normal_f64(-1.0) - 0.15865525393145705) < 1e-16, "in double");
    return tap_done();
}
