/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators along one axis: ArgMax, ArgMin, CumSum.
 *
 * ONNX's texts of these.  Of equal elements the first is found, or under `select_last_index` the
 * last; what is no number comes before all others, as in numpy.  */
#include <config.h>

#include "runtime/operators/along.h"

#include <inttypes.h>

#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/numbers.h"

struct along along_axis(const struct tensor *tensor, int axis)
{
    struct along along = {1, tensor->dim[axis], 1};

    for (int d = 0; d < tensor->rank; d++)
        if (d < axis)
            along.outer *= tensor->dim[d];
        else if (d > axis)
            along.inner *= tensor->dim[d];
    return along;
}

/* --- ArgMax, ArgMin --- */

enum side { MOST, LEAST };

/* Of COUNT elements STEP apart.  */
typedef int64_t find_one(const void *from, int64_t count, int64_t step, bool least, bool last);

#define FIND(dtype, suffix, type)                                                           \
    static int64_t find_##suffix(const void *from, int64_t count, int64_t step, bool least, \
                                 bool last)                                                 \
    {                                                                                       \
        const type *in = from;                                                              \
        type best = in[0];                                                                  \
        int64_t found = 0;                                                                  \
                                                                                            \
        for (int64_t i = 1; i < count; i++) {                                               \
            const type x = in[i * step];                                                    \
            bool odd = x != x, was_odd = best != best;                                      \
            bool better = !was_odd && (odd || (least ? x < best : x > best));               \
                                                                                            \
            if (better || (last && (x == best || (odd && was_odd)))) {                      \
                best = x;                                                                   \
                found = i;                                                                  \
            }                                                                               \
        }                                                                                   \
        return found;                                                                       \
    }
NUMBERS(FIND)

#define ROW(dtype, suffix, type) [dtype] = find_##suffix,
static find_one *const finders[] = {NUMBERS(ROW)};

static struct along find_along(const struct call *call)
{
    int64_t axis = computation_integer(call->computation, "axis", 0);

    return along_axis(call->input[0], call_axis(axis, call->input[0]->rank));
}

static bool find_accepts(const struct call *call)
{
    const struct tensor *out = call_output(call, 0);
    struct along along;

    if (!accept_inputs(call, 1) ||
        !attributes_among(call, call->computation->version < 12
                                    ? "axis keepdims"
                                    : "axis keepdims select_last_index") ||
        !accept_types(call, 0, 1, TYPES_NUMBER) || !accept_output(call, 0, DTYPE_I64) ||
        !accept_axis(call, 0, call->input[0]->rank))
        return false;
    along = find_along(call);
    if (along.count == 0)
        return error_set(call->error, "there is no element along the axis");
    return out == NULL || tensor_elements(out) == along.outer * along.inner ||
           error_set(call->error, "the output has another number of elements");
}

static bool find_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    bool last = computation_integer(call->computation, "select_last_index", 0) != 0;
    bool least = call_rule(call)->detail == LEAST;
    struct along along = find_along(call);
    size_t size = dtype_size(in->dtype);

    for (int64_t o = 0; out != NULL && o < along.outer; o++)
        for (int64_t i = 0; i < along.inner; i++) {
            int64_t first = o * along.count * along.inner + i;

            ((int64_t *)out->data)[o * along.inner + i] =
                finders[in->dtype]((const char *)in->data + (size_t)first * size, along.count,
                                   along.inner, least, last);
        }
    return true;
}

/* --- CumSum --- */

#define TYPES_SUM \
    (TYPES_REAL | TYPE(DTYPE_I32) | TYPE(DTYPE_I64) | TYPE(DTYPE_U32) | TYPE(DTYPE_U64))

/* Whole numbers are added without a sign, so that they wrap around.  */
#define SUM_UP(name, type)                                                                         \
    static void name(struct along along, const void *from, void *to, bool exclusive, bool reverse) \
    {                                                                                              \
        int64_t step = reverse ? -along.inner : along.inner;                                       \
        int64_t start = reverse ? (along.count - 1) * along.inner : 0;                             \
                                                                                                   \
        for (int64_t o = 0; along.count > 0 && o < along.outer; o++)                               \
            for (int64_t i = 0; i < along.inner; i++) {                                            \
                int64_t first = o * along.count * along.inner + start + i;                         \
                const type *in = (const type *)from + first;                                       \
                type *out = (type *)to + first;                                                    \
                type sum = 0;                                                                      \
                                                                                                   \
                for (int64_t j = 0; j < along.count; j++) {                                        \
                    type before = sum;                                                             \
                                                                                                   \
                    sum += in[j * step];                                                           \
                    out[j * step] = exclusive ? before : sum;                                      \
                }                                                                                  \
            }                                                                                      \
    }
SUM_UP(sum_f32, float)
SUM_UP(sum_f64, double)
SUM_UP(sum_32, uint32_t)
SUM_UP(sum_64, uint64_t)

static bool sum_accepts(const struct call *call)
{
    if (!accept_inputs(call, 2) || !attributes_among(call, "exclusive reverse") ||
        !accept_types(call, 0, 1, TYPES_SUM) || !accept_types(call, 1, 1, TYPES_INDEX) ||
        !accept_output(call, 0, call->input[0]->dtype) || !accept_shape(call, 0, 0))
        return false;
    return tensor_elements(call->input[1]) == 1 ||
           error_set(call->error, "input 1 is not a single number");
}

static bool sum_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    bool exclusive = computation_integer(call->computation, "exclusive", 0) != 0;
    bool reverse = computation_integer(call->computation, "reverse", 0) != 0;
    int64_t number = tensor_integer(call->input[1], 0);
    int axis = call_axis(number, in->rank);
    struct along along;

    if (out == NULL)
        return true;
    if (axis < 0)
        return error_set(call->error, "axis %" PRId64 " of a tensor of rank %d", number, in->rank);
    along = along_axis(in, axis);
    if (in->dtype == DTYPE_F32)
        sum_f32(along, in->data, out->data, exclusive, reverse);
    else if (in->dtype == DTYPE_F64)
        sum_f64(along, in->data, out->data, exclusive, reverse);
    else if (dtype_size(in->dtype) == 4)
        sum_32(along, in->data, out->data, exclusive, reverse);
    else
        sum_64(along, in->data, out->data, exclusive, reverse);
    return true;
}

const struct operator_rule operators_along[] = {
    {"ArgMax", find_accepts, find_run, MOST},
    {"ArgMin", find_accepts, find_run, LEAST},
    {"CumSum", sum_accepts, sum_run, 0},
    {0},
};
