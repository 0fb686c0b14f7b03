/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logarithm, exponential and power: the nearest doubles, worked out with 60 decimal digits, and the
 * C library's within its last bit.  */
#include <config.h>

#include "lib/base/portable_math.h"

#include <math.h>

#include "lib/base/rng.h"
#include "tests/support/tap.h"

static void logarithms(void)
{
    static const double golden[][2] = {
        {1.0, 0.0},
        {0x1.0p-1, -0x1.62e42fefa39efp-1},
        {0x1.0p+1, 0x1.62e42fefa39efp-1},
        {0x1.0000000000001p+0, 0x1.fffffffffffffp-53},
        {0x1.fffffffffffffp-1, -0x1.0p-53},
        {0x1.4p+3, 0x1.26bb1bbb55516p+1},
        {0x1.56e1fc2f8f359p-997, -0x1.5963447f87fb5p+9},
        {0x1.6a09e667f3bccp-1, -0x1.62e42fefa39f1p-2},
        {0x1.6a09e667f3bcdp-1, -0x1.62e42fefa39eep-2},
        {0x1.7e43c8800759cp+996, 0x1.5963447f87fb5p+9},
        {0x1.8p+1, 0x1.193ea7aad030bp+0},
    };

    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++)
        ok(portable_log(golden[i][0]) == golden[i][1], "log %a is %a", golden[i][0], golden[i][1]);
}

static void exponentials(void)
{
    static const double golden[][2] = {
        {0.0, 1.0},
        {0x1.0p+0, 0x1.5bf0a8b145769p+1},
        {-0x1.0p+0, 0x1.78b56362cef38p-2},
        {0x1.0p-1, 0x1.a61298e1e069cp+0},
        {0x1.91p+6, 0x1.8c39b9134bac4p+144},
        {-0x1.91p+6, 0x1.4acd31e167ebbp-145},
        {0x1.5ep+9, 0x1.d945df4f8ec8ep+1009},
        {-0x1.45p+9, 0x1.300ff6c7c2e28p-938},
        {0x1.b7cdfd9d7bdbbp-34, 0x1.000000006df38p+0},
        {0x1.62e42fefa39efp-1, 0x1.0p+1},
        {701.0, HUGE_VAL},
        {-701.0, 0.0},
    };

    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++)
        ok(portable_exp(golden[i][0]) == golden[i][1], "exp %a is %a", golden[i][0], golden[i][1]);
}

static void powers(void)
{
    static const double golden[][3] = {
        {0x1.0p-1, -0x1.0p+0, 0x1.0p+1},
        {0x1.999999999999ap-4, -0x1.4p+4, 0x1.5af1d78b58c39p+66},
        {0x1.0p+1, 0x1.0p-1, 0x1.6a09e667f3bcdp+0},
        {0x1.8p+1, 0x1.4p+5, 0x1.517168a4523fdp+63},
        {0x1.0p-32, -0x1.4p+4, 0x1.0p+640},
        {0x1.fffffffep-1, -0x1.47ae147ae147bp-7, 0x1.00000000028f6p+0},
        {0x1.4p+3, -0x1.4p+2, 0x1.4f8b588e368f1p-17},
        {0x1.3333333333333p-2, 0x1.5555555555555p-2, 0x1.56bfea66ef78dp-1},
    };

    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++)
        ok(portable_power(golden[i][0], golden[i][1]) == golden[i][2], "%a to the power %a is %a",
           golden[i][0], golden[i][1], golden[i][2]);
}

/* Whether A is B or the double beside it.  */
static bool near(double a, double b)
{
    return a == b || nextafter(a, b) == b;
}

static void agree_with_the_library(void)
{
    struct rng *rng = rng_new(1);
    int logs = 0, exps = 0, powers_apart = 0;

    for (int i = 0; i < tap_tier(2000, 20000); i++) {
        double x = ldexp(1.0 + rng_unit(rng), (int)rng_range(rng, -40, 40));
        double y = 200.0 * rng_unit(rng) - 100.0;

        logs += !near(portable_log(x), log(x));
        exps += !near(portable_exp(y), exp(y));
        powers_apart += !near(portable_power(x, y / 10.0), pow(x, y / 10.0));
    }
    rng_free(rng);
    is_int(logs, 0, "logarithms are the C library's, or beside them");
    is_int(exps, 0, "exponentials are, too");
    is_int(powers_apart, 0, "and powers");
}

int main(void)
{
    logarithms();
    exponentials();
    powers();
    agree_with_the_library();
    return tap_done();
}
