/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AveragePool (ONNX's text since version 1; count_include_pad since 7, ceil_mode since 10,
 * dilations since 19), LpPool (1 to 18) and the global pools.
 *
 * What a window has beyond the padding behind, under ceil_mode, never counts for its mean.  */
#include <config.h>

#include "runtime/operators/window.h"

#include <stdlib.h>
#include <tgmath.h>

#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"

struct pool {
    struct windows windows;
    int64_t planes; /* images x channels */
    bool norm;      /* of order P; else the mean */
    double p;
    bool padded;   /* padding counts for the mean */
    int64_t *taps; /* for each column how many count; while it runs */
};

static int64_t clamp(int64_t value, int64_t high)
{
    return value < 0 ? 0 : min64(value, high);
}

int64_t window_taps(const struct window_axis *axis, int64_t place, bool padded)
{
    int64_t start = window_at(axis, place, 0), step = axis->dilation;
    int64_t low = padded ? -axis->before : 0, high = axis->length + (padded ? axis->after : 0);

    /* The taps before LOW and those before HIGH.  */
    low = low <= start ? 0 : clamp((low - start + step - 1) / step, axis->taps);
    high = high <= start ? 0 : clamp((high - start + step - 1) / step, axis->taps);
    return high - low;
}

#define REAL float
#define TYPED(name) name##_f32
#include "runtime/operators/sum_real.h"
#include "runtime/operators/window_pool_real.h"
#define REAL double
#define TYPED(name) name##_f64
#include "runtime/operators/sum_real.h"
#include "runtime/operators/window_pool_real.h"

static bool is_global(int what)
{
    return what == WINDOW_GLOBAL_MEAN || what == WINDOW_GLOBAL_NORM || what == WINDOW_MAX;
}

static bool read_pool(const struct call *call, struct pool *pool)
{
    const struct tensor *x = call_input(call, 0), *y = call_output(call, 0);
    int what = call_rule(call)->detail;

    if (x == NULL || y == NULL || x->rank <= WINDOW_FRONT)
        return error_set(call->error, "an image or its output is missing");
    *pool = (struct pool){.planes = x->dim[0] * x->dim[1],
                          .norm = what == WINDOW_NORM || what == WINDOW_GLOBAL_NORM,
                          .p = attribute_number(call, "p", 2.0)};
    if (pool->norm && !(pool->p > 0.0))
        return error_set(call->error, "a norm of order %g", pool->p);
    pool->padded = computation_integer(call->computation, "count_include_pad", 0) != 0;
    return accept_types(call, 0, 1, TYPES_REAL) &&
           (is_global(what) || windows_read(call, x, y, NULL, &pool->windows));
}

bool window_accepts_pool(const struct call *call)
{
    static const char *const names[] = {
        [WINDOW_MEAN] = "auto_pad ceil_mode count_include_pad dilations kernel_shape pads strides",
        [WINDOW_NORM] = "auto_pad ceil_mode dilations kernel_shape p pads strides",
        [WINDOW_GLOBAL_MEAN] = "",
        [WINDOW_GLOBAL_NORM] = "p",
        [WINDOW_MAX] = "",
    };
    struct pool pool;

    return attributes_among(call, names[call_rule(call)->detail]) && read_pool(call, &pool);
}

static bool run_global(const struct call *call, const struct pool *pool)
{
    const struct tensor *x = call_input(call, 0), *y = call_output(call, 0);
    enum window_pool what = (enum window_pool)call_rule(call)->detail;
    int64_t count = 1;

    for (int i = WINDOW_FRONT; i < x->rank; i++)
        count *= x->dim[i];
    CALL_REAL(x->dtype, global, what, pool->planes, count, pool->p, x->data, y->data);
    return true;
}

bool window_run_pool(const struct call *call)
{
    const struct tensor *x = call_input(call, 0), *y = call_output(call, 0);
    struct pool pool;
    int64_t columns;

    if (!read_pool(call, &pool))
        return false;
    if (is_global(call_rule(call)->detail))
        return run_global(call, &pool);
    columns = pool.windows.output[WINDOW_AXES - 1];
    pool.taps = memory_alloc((size_t)columns, sizeof *pool.taps);
    for (int64_t i = 0; i < columns; i++)
        pool.taps[i] = window_taps(&pool.windows.axis[WINDOW_AXES - 1], i, pool.padded);
    CALL_REAL(x->dtype, pool, &pool, x->data, y->data);
    free(pool.taps);
    return true;
}
