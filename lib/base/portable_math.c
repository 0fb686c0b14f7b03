/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/portable_math.h"

#include <assert.h>
#include <math.h>

/* high + low, high being the double nearest to that.  */
struct pair {
    double high, low;
};

static const struct pair log_2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

/* Exact.  */
static struct pair sum_of(double a, double b)
{
    double sum = a + b, part = sum - a;

    return (struct pair){sum, (a - (sum - part)) + (b - part)};
}

/* Exact: the factors are split into halves whose products are.  */
static struct pair product_of(double a, double b)
{
    const double splitter = 0x1p27 + 1.0;
    double product = a * b;
    double a_high = splitter * a - (splitter * a - a), a_low = a - a_high;
    double b_high = splitter * b - (splitter * b - b), b_low = b - b_high;

    return (struct pair){product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) +
                                      a_low * b_low};
}

static struct pair add(struct pair a, struct pair b)
{
    struct pair high = sum_of(a.high, b.high), low = sum_of(a.low, b.low);

    high = sum_of(high.high, high.low + low.high);
    return sum_of(high.high, high.low + low.low);
}

static struct pair multiply(struct pair a, struct pair b)
{
    struct pair product = product_of(a.high, b.high);

    return sum_of(product.high, product.low + (a.high * b.low + a.low * b.high));
}

static struct pair divide(struct pair a, struct pair b)
{
    struct pair result = {0.0, 0.0};

    for (int digit = 0; digit < 3; digit++) {
        struct pair part = {a.high / b.high, 0.0}, rest = multiply(b, part);

        result = add(result, part);
        a = add(a, (struct pair){-rest.high, -rest.low});
    }
    return result;
}

static struct pair whole(double number)
{
    return (struct pair){number, 0.0};
}

/* X = m 2^e with m between the square roots of 1/2 and 2, and log m = 2 artanh((m - 1) / (m + 1)),
 * whose argument is at most 0.172: 22 terms of its series.  */
static struct pair logarithm(double x)
{
    enum { TERMS = 22 };
    int exponent;
    double m = frexp(x, &exponent);
    struct pair argument, square, sum = {0.0, 0.0};

    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2.0;
        exponent--;
    }
    argument = divide(whole(m - 1.0), sum_of(m, 1.0)); /* the difference is exact */
    square = multiply(argument, argument);
    for (int k = TERMS; k >= 0; k--)
        sum = add(multiply(sum, square), divide(whole(1.0), whole(2.0 * k + 1.0)));
    sum = multiply(multiply(whole(2.0), argument), sum);
    return add(multiply(whole(exponent), log_2), sum);
}

/* X = k log 2 + 256 r with r at most 0.0014: 11 terms of the series of exp(r), squared 8 times.  */
static double exponential(struct pair x)
{
    enum { TERMS = 11, SQUARES = 8 };
    double k = floor(x.high / log_2.high + 0.5);
    struct pair r, sum = {1.0, 0.0};

    if (x.high > 700.0 || x.high < -700.0)
        return x.high > 0.0 ? HUGE_VAL : 0.0;
    r = add(x, multiply(whole(-k), log_2));
    r = multiply(r, whole(1.0 / (1 << SQUARES)));
    for (int term = TERMS; term >= 1; term--)
        sum = add(whole(1.0), multiply(multiply(sum, r), divide(whole(1.0), whole(term))));
    for (int i = 0; i < SQUARES; i++)
        sum = multiply(sum, sum);
    return ldexp(sum.high, (int)k);
}

double portable_log(double x)
{
    assert(x > 0.0 && x < HUGE_VAL);
    return logarithm(x).high;
}

double portable_exp(double x)
{
    return exponential(whole(x));
}

double portable_power(double x, double y)
{
    assert(x > 0.0 && x < HUGE_VAL);
    return exponential(multiply(logarithm(x), whole(y)));
}
