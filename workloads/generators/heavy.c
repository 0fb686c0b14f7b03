/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heavy-tailed sizes, as tensors of real networks have them: a few buffers hold
 * most of the bytes.  Lifetimes as in `uniform`.
 *
 * lognormal: median x exp(sigma x standard normal); pareto: P(size > x) =
 * (low / x)^shape.  Both are rounded down to whole bytes and cut to
 * [low, high].  They are drawn as GSL draws them, but with logarithms and powers that are the same
 * on every machine: those of C libraries differ in the last bit, and with it a size now and then.
 */
#include <config.h>

#include <math.h>

#include "lib/base/checked.h"
#include "lib/base/params.h"
#include "lib/base/portable_math.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/draw.h"
#include "workloads/workload.h"

enum { LAW_LOGNORMAL, LAW_PARETO };

static const struct param heavy_params[] = {
    DRAW_PARAM_N("30"),
    DRAW_PARAM_STEPS("0"),
    PARAM_ENUM("law", "lognormal", "distribution of the sizes", {"lognormal", LAW_LOGNORMAL},
               {"pareto", LAW_PARETO}),
    {"median", PARAM_INT, "65536", NULL, 1, 1000000000000.0, "lognormal: median size in bytes"},
    {"sigma", PARAM_REAL, "2", NULL, 0, 20, "lognormal: deviation of the size's natural logarithm"},
    {"shape", PARAM_REAL, "1", NULL, 0.05, 100, "pareto: exponent of the tail"},
    DRAW_PARAM_LOW("64"),
    DRAW_PARAM_HIGH("1073741824"),
    DRAW_PARAM_SEED,
    PARAM_END,
};

/* Uniform in (0, 1).  */
static double positive_unit(struct rng *rng)
{
    double unit;

    do
        unit = rng_unit(rng);
    while (unit == 0.0);
    return unit;
}

/* Normal with mean 0: the polar method of Box, Muller and Marsaglia.  */
static double draw_normal(struct rng *rng, double sigma)
{
    double x, y, square;

    do {
        x = 2.0 * positive_unit(rng) - 1.0;
        y = 2.0 * positive_unit(rng) - 1.0;
        square = x * x + y * y;
    } while (square > 1.0 || square == 0.0);
    return sigma * y * sqrt(-2.0 * portable_log(square) / square);
}

static double draw_pareto(struct rng *rng, double shape, double scale)
{
    return scale * portable_power(positive_unit(rng), -1.0 / shape);
}

static int64_t draw_size(const struct params *params, struct rng *rng)
{
    int64_t low = params_int(params, "low"), high = params_int(params, "high");
    double size;

    if (params_choice(params, "law") == LAW_LOGNORMAL)
        size = params_real(params, "median") *
               portable_exp(draw_normal(rng, params_real(params, "sigma")));
    else
        size = draw_pareto(rng, params_real(params, "shape"), (double)low);
    if (size >= (double)high)
        return high;
    return max64((int64_t)size, low);
}

static struct instance *heavy(const struct params *params, struct error *error)
{
    int64_t n = params_int(params, "n"), steps = draw_steps(params);
    struct instance *instance;
    struct rng *rng;

    if (!draw_check_sizes(params, error))
        return NULL;
    instance = instance_new("heavy");
    rng = draw_rng(params);
    for (int64_t i = 0; i < n; i++) {
        struct draw_buffer buffer = draw_lifetime(rng, steps);

        buffer.size = draw_size(params, rng);
        draw_add(instance, buffer);
    }
    return draw_finish(instance, rng, error);
}

const struct generator generator_heavy = {
    .name = "heavy",
    .title = "heavy-tailed sizes (lognormal or Pareto), ends uniform over time",
    .source = "arenabench",
    .params = heavy_params,
    .instance = heavy,
};
