/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gradients of sums, differences and products, and of what repeats elements: what is given, times
 * the other factor, summed over what was repeated.  */
#include <config.h>

#include "runtime/operators/gradient.h"

#include <string.h>

#include "runtime/operators/attributes.h"
#include "runtime/operators/pair.h"
#include "runtime/operators/strided.h"

/* --- sums over what was repeated --- */

/* One run of LOOPS: its operands are OUT, GIVEN and WITH, which is NULL where there is no factor;
 * OUT is one element or as many.  Long sums are of parts, so that they lose less.  */
#define REDUCE(name, type)                                                                        \
    static void name(const struct strided *loops, type *out, const type *given, const type *with) \
    {                                                                                             \
        const int64_t to = loops->step[0], from = loops->step[1];                                 \
        const int64_t by = with == NULL ? 0 : loops->step[2];                                     \
        const type one = 1, *factor = with == NULL ? &one : with + loops->at[2];                  \
        type part[4] = {0};                                                                       \
        int64_t i = 0;                                                                            \
                                                                                                  \
        out += loops->at[0];                                                                      \
        given += loops->at[1];                                                                    \
        for (; to != 0 && i < loops->run; i++)                                                    \
            out[i * to] += given[i * from] * factor[i * by];                                      \
        for (; i + 4 <= loops->run; i += 4)                                                       \
            for (int64_t j = 0; j < 4; j++)                                                       \
                part[j] += given[(i + j) * from] * factor[(i + j) * by];                          \
        for (; i < loops->run; i++)                                                               \
            part[0] += given[i * from] * factor[i * by];                                          \
        if (to == 0)                                                                              \
            *out += (part[0] + part[2]) + (part[1] + part[3]);                                    \
    }
REDUCE(reduce_f32, float)
REDUCE(reduce_f64, double)

static void clear(const struct tensor *tensor)
{
    memset(tensor->data, 0, (size_t)tensor_elements(tensor) * dtype_size(tensor->dtype));
}

/* Adds GIVEN, times WITH or not, to TO: both can be broadcast to GIVEN's shape.  */
static void add_reduced(const struct tensor *to, const struct tensor *given,
                        const struct tensor *with)
{
    const struct tensor *const operand[] = {to, with == NULL ? to : with};
    int64_t own[NETWORK_MAX_RANK];
    struct strided loops;

    strided_broadcast(&loops, given, operand, 2);
    memcpy(own, loops.stride[0], sizeof own);
    memcpy(loops.stride[0], loops.stride[1], sizeof own);
    memcpy(loops.stride[1], own, sizeof own);
    for (bool more = strided_start(&loops); more; more = strided_next(&loops))
        CALL_REAL(to->dtype, reduce, &loops, to->data, given->data,
                  with == NULL ? NULL : with->data);
}

PAIR_RUN(multiply_f32, float, float, x *y)
PAIR_RUN(multiply_f64, double, double, x *y)

static bool same_shape(const struct tensor *x, const struct tensor *y)
{
    return x->rank == y->rank && memcmp(x->dim, y->dim, (size_t)x->rank * sizeof x->dim[0]) == 0;
}

/* In place of GIVEN or WITH where these have TO's shape.  */
static void reduce(const struct tensor *to, const struct tensor *given, const struct tensor *with)
{
    if (!same_shape(to, given)) {
        clear(to);
        add_reduced(to, given, with);
    } else if (with == NULL) {
        dense_copy(to, given);
    } else {
        pair_broadcast(to->dtype == DTYPE_F32 ? multiply_f32 : multiply_f64, to, given, with);
    }
}

static void negate(const struct tensor *tensor)
{
    int64_t count = tensor_elements(tensor);

    if (tensor->dtype == DTYPE_F32)
        for (int64_t i = 0; i < count; i++)
            ((float *)tensor->data)[i] = -((float *)tensor->data)[i];
    else
        for (int64_t i = 0; i < count; i++)
            ((double *)tensor->data)[i] = -((double *)tensor->data)[i];
}

/* Whether TENSOR, NULL or not, can be broadcast to what is given.  */
static bool is_repeated(const struct call *call, const struct tensor *tensor)
{
    const struct tensor *given = gradient_given(call, 0);
    bool good = tensor == NULL || tensor->rank <= given->rank;

    for (int d = 1; good && tensor != NULL && d <= tensor->rank; d++)
        good = tensor->dim[tensor->rank - d] == 1 ||
               tensor->dim[tensor->rank - d] == given->dim[given->rank - d];
    return good || error_set(call->error, "shapes that cannot be broadcast to what is given");
}

/* --- sums and products --- */

enum kind { SUM, DIFFERENCE, PRODUCT };

static bool accepts(const struct call *call)
{
    bool product = call_rule(call)->detail == PRODUCT;
    size_t inputs = call_rule(call)->detail == SUM ? 1 : 2;
    unsigned read = 0;

    for (size_t i = 0; product && i < 2; i++)
        if (call_output(call, i) != NULL)
            read |= GRADIENT_OF(1 - i);
    if (!gradient_accepts(call, inputs, 1, read, GRADIENT_NONE) || !attributes_among(call, ""))
        return false;
    for (size_t i = 0; i < gradient_inputs(call); i++)
        if (!is_repeated(call, call_output(call, i)) ||
            (product && !is_repeated(call, gradient_input(call, i))))
            return false;
    return true;
}

static bool run(const struct call *call)
{
    int kind = call_rule(call)->detail;

    for (size_t i = 0; i < gradient_inputs(call); i++) {
        const struct tensor *to = call_output(call, i);

        if (to == NULL)
            continue;
        reduce(to, gradient_given(call, 0), kind == PRODUCT ? gradient_input(call, 1 - i) : NULL);
        if (kind == DIFFERENCE && i == 1)
            negate(to);
    }
    return true;
}

/* --- what repeats elements --- */

static bool accepts_expand(const struct call *call)
{
    return gradient_accepts(call, 1, 1, GRADIENT_NONE, GRADIENT_NONE) &&
           attributes_among(call, "") && is_repeated(call, call_output(call, 0));
}

static bool run_expand(const struct call *call)
{
    if (call_output(call, 0) != NULL)
        reduce(call_output(call, 0), gradient_given(call, 0), NULL);
    return true;
}

/* The table's rows of the tokens; it may have more.  */
static struct tensor used_rows(const struct call *call)
{
    struct tensor rows = *call_output(call, 1);

    rows.dim[0] = gradient_given(call, 0)->dim[1];
    return rows;
}

static bool accepts_positions(const struct call *call)
{
    const struct tensor *given, *to = call_output(call, 1);

    if (!gradient_accepts(call, 2, 1, GRADIENT_NONE, GRADIENT_NONE) || !attributes_among(call, ""))
        return false;
    given = gradient_given(call, 0);
    if (call_output(call, 0) != NULL && !gradient_same_shape(call, call_output(call, 0), given))
        return false;
    return to == NULL ||
           (given->rank == 3 && to->rank == 2 && to->dim[0] >= given->dim[1] &&
            to->dim[1] == given->dim[2]) ||
           error_set(call->error, "a table that does not fit the tokens");
}

static bool run_positions(const struct call *call)
{
    if (call_output(call, 0) != NULL)
        dense_copy(call_output(call, 0), gradient_given(call, 0));
    if (call_output(call, 1) != NULL) {
        struct tensor rows = used_rows(call);

        clear(call_output(call, 1));
        add_reduced(&rows, gradient_given(call, 0), NULL);
    }
    return true;
}

/* --- Upsample: each element became a block --- */

/* What is given and TO, both seen with a dimension for the place in a block after each of their
 * own.  False where blocks are not whole.  */
static bool read_blocks(const struct tensor *given, const struct tensor *to, struct tensor *many,
                        struct tensor *few)
{
    many->dtype = few->dtype = to->dtype;
    many->data = given->data;
    few->data = to->data;
    many->rank = few->rank = 0;
    if (given->rank != to->rank)
        return false;
    for (int d = 0; d < to->rank; d++) {
        int64_t block = to->dim[d] == 0 ? 1 : given->dim[d] / to->dim[d];

        if (block * to->dim[d] != given->dim[d] ||
            many->rank + (block > 1 ? 2 : 1) > NETWORK_MAX_RANK)
            return false;
        many->dim[many->rank++] = few->dim[few->rank] = to->dim[d];
        few->rank++;
        if (block > 1) {
            many->dim[many->rank++] = block;
            few->dim[few->rank++] = 1;
        }
    }
    return true;
}

static bool accepts_upsample(const struct call *call)
{
    const struct tensor *to = call_output(call, 0);
    struct tensor many, few;

    return gradient_accepts(call, 1, 1, GRADIENT_NONE, GRADIENT_NONE) &&
           attributes_among(call, "mode scales height_scale width_scale") &&
           (computation_text_is(call->computation, "mode", "nearest", true) ||
            error_set(call->error, "a mode other than nearest")) &&
           (to == NULL || read_blocks(gradient_given(call, 0), to, &many, &few) ||
            error_set(call->error, "a scale that is not whole"));
}

static bool run_upsample(const struct call *call)
{
    const struct tensor *to = call_output(call, 0);
    struct tensor many, few;

    if (to == NULL)
        return true;
    read_blocks(gradient_given(call, 0), to, &many, &few);
    clear(to);
    add_reduced(&few, &many, NULL);
    return true;
}

const struct operator_rule operators_gradient_reduce[] = {
    {".AddGrad", accepts, run, SUM},
    {".SumGrad", accepts, run, SUM},
    {".SubGrad", accepts, run, DIFFERENCE},
    {".MulGrad", accepts, run, PRODUCT},
    {".ExpandGrad", accepts_expand, run_expand, 0},
    {".AddPositionsGrad", accepts_positions, run_positions, 0},
    {".UpsampleGrad", accepts_upsample, run_upsample, 0},
    {0},
};
