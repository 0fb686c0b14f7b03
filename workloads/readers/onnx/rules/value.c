/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/rules/value.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/checked.h"

bool onnx_dtype(int element, enum dtype *dtype)
{
    static const struct {
        int element;
        enum dtype dtype;
    } table[] = {
        {ONNX_FLOAT, DTYPE_F32},     {ONNX_UINT8, DTYPE_U8},        {ONNX_INT8, DTYPE_I8},
        {ONNX_UINT16, DTYPE_U16},    {ONNX_INT16, DTYPE_I16},       {ONNX_INT32, DTYPE_I32},
        {ONNX_INT64, DTYPE_I64},     {ONNX_BOOL, DTYPE_BOOL},       {ONNX_FLOAT16, DTYPE_F16},
        {ONNX_DOUBLE, DTYPE_F64},    {ONNX_UINT32, DTYPE_U32},      {ONNX_UINT64, DTYPE_U64},
        {ONNX_COMPLEX64, DTYPE_C64}, {ONNX_COMPLEX128, DTYPE_C128}, {ONNX_BFLOAT16, DTYPE_BF16},
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].element == element) {
            *dtype = table[i].dtype;
            return true;
        }
    return false;
}

bool onnx_unsized(int64_t element, struct error *error)
{
    if (element == ONNX_STRING)
        return error_set(error, "strings have no fixed size");
    return error_set(error, "element type %" PRId64 " has no fixed size", element);
}

bool onnx_elements(const struct shape *shape, enum dtype dtype, int64_t *elements,
                   struct error *error)
{
    int64_t bytes;

    if (!shape_elements(shape, elements, error))
        return false;
    return checked_mul(*elements, (int64_t)dtype_size(dtype), &bytes) ||
           error_set(error, "its size overflows 64 bits");
}

bool onnx_moved(const struct onnx_value *a, const struct onnx_value *b, int64_t *distance)
{
    const struct onnx_value *from = a->base != NULL ? a->base : a;
    const struct onnx_value *to = b->base != NULL ? b->base : b;
    int64_t elements;

    return from == to && shape_elements(&a->shape, &elements, NULL) && elements == 1 &&
           shape_elements(&b->shape, &elements, NULL) && elements == 1 &&
           checked_sub(b->shift, a->shift, distance);
}

struct onnx_data *onnx_data_new(struct onnx_budget *budget, int64_t count, bool real)
{
    struct onnx_data *data;

    if (count < 0 || count > ONNX_FOLD_LIMIT)
        return NULL;
    data = onnx_take(budget, 1, sizeof *data);
    if (data == NULL)
        return NULL;
    data->count = (size_t)count;
    if (real)
        data->real = onnx_take(budget, data->count, sizeof *data->real);
    else
        data->integer = onnx_take(budget, data->count, sizeof *data->integer);
    return data->real == NULL && data->integer == NULL ? NULL : data;
}

/* --- stored tensors --- */

/* A little-endian number of SIZE bytes at DATA.  */
static uint64_t little_endian(const uint8_t *data, size_t size)
{
    uint64_t number = 0;

    for (size_t i = size; i > 0; i--)
        number = number << 8 | data[i - 1];
    return number;
}

static double real_of_bits(uint64_t bits, size_t size)
{
    uint32_t low = (uint32_t)bits;
    float single;
    double number;

    if (size == sizeof number) {
        memcpy(&number, &bits, sizeof number);
        return number;
    }
    memcpy(&single, &low, sizeof single);
    return (double)single;
}

/* BITS, of SIZE bytes, as a number with a sign.  */
static int64_t signed_of_bits(uint64_t bits, size_t size)
{
    switch (size) {
    case 1:
        return (int8_t)bits;
    case 2:
        return (int16_t)bits;
    case 4:
        return (int32_t)bits;
    default:
        return (int64_t)bits;
    }
}

static bool is_unsigned(enum dtype dtype)
{
    return dtype == DTYPE_U8 || dtype == DTYPE_U16 || dtype == DTYPE_U32 || dtype == DTYPE_BOOL;
}

static void from_raw(struct onnx_data *data, enum dtype dtype, const uint8_t *raw)
{
    size_t size = dtype_size(dtype);

    for (size_t i = 0; i < data->count; i++) {
        uint64_t bits = little_endian(raw + i * size, size);

        if (data->real != NULL)
            data->real[i] = real_of_bits(bits, size);
        else
            data->integer[i] = is_unsigned(dtype) ? (int64_t)bits : signed_of_bits(bits, size);
    }
}

/* From the array that belongs to the type; false if it does not hold them all.  */
static bool from_fields(struct onnx_data *data, enum dtype dtype, const struct onnx_tensor *tensor)
{
    size_t n = data->count;

    for (size_t i = 0; i < n; i++)
        if (dtype == DTYPE_F32 && tensor->n_float == n)
            data->real[i] = (double)tensor->float_data[i];
        else if (dtype == DTYPE_F64 && tensor->n_double == n)
            data->real[i] = tensor->double_data[i];
        else if (dtype == DTYPE_I64 && tensor->n_int64 == n)
            data->integer[i] = tensor->int64_data[i];
        else if (data->integer != NULL && tensor->n_int32 == n)
            data->integer[i] = tensor->int32_data[i];
        else if (dtype == DTYPE_U32 && tensor->n_uint64 == n)
            data->integer[i] = (int64_t)(uint32_t)tensor->uint64_data[i];
        else
            return false;
    return true;
}

/* Whether shapes can hang on elements of DTYPE.  */
static bool has_elements(enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_F32:
    case DTYPE_F64:
    case DTYPE_I8:
    case DTYPE_U8:
    case DTYPE_I16:
    case DTYPE_U16:
    case DTYPE_I32:
    case DTYPE_U32:
    case DTYPE_I64:
    case DTYPE_BOOL:
        return true;
    default:
        return false;
    }
}

static bool is_empty(const struct onnx_tensor *tensor)
{
    return tensor->raw.size == 0 && tensor->n_float == 0 && tensor->n_int32 == 0 &&
           tensor->n_int64 == 0 && tensor->n_double == 0 && tensor->n_uint64 == 0;
}

/* Fills value->data where that is worth it.  Files whose weights were taken
 * out have no elements at all: then none are known.  */
static bool read_elements(struct onnx_budget *budget, const struct onnx_tensor *tensor,
                          struct onnx_value *value, int64_t elements)
{
    struct onnx_data *data;
    size_t wanted;

    if (tensor->external || !has_elements(value->dtype) || elements > ONNX_FOLD_LIMIT ||
        (elements > 0 && is_empty(tensor)))
        return true;
    data = onnx_data_new(budget, elements, dtype_is_real(value->dtype));
    if (data == NULL)
        return false;
    wanted = (size_t)elements * dtype_size(value->dtype);
    if (tensor->raw.size > 0 && tensor->raw.size != wanted)
        return error_set(budget->error, "%zu bytes of data, expected %zu", tensor->raw.size,
                         wanted);
    if (tensor->raw.size > 0)
        from_raw(data, value->dtype, tensor->raw.data);
    else if (!from_fields(data, value->dtype, tensor))
        return error_set(budget->error, "its data are not %" PRId64 " elements of its type",
                         elements);
    value->data = data;
    return true;
}

bool onnx_constant(struct onnx_budget *budget, const struct onnx_tensor *tensor,
                   struct onnx_value *value)
{
    int64_t elements;

    *value = (struct onnx_value){
        .name = tensor->name, .constant = true, .tensor = tensor, .index = NETWORK_NONE};
    if (!onnx_dtype(tensor->type, &value->dtype))
        return onnx_unsized(tensor->type, budget->error);
    if (tensor->rank > NETWORK_MAX_RANK)
        return error_set(budget->error, "%zu dimensions, expected at most %d", tensor->rank,
                         NETWORK_MAX_RANK);
    value->shape.rank = (int)tensor->rank;
    if (tensor->rank > 0)
        memcpy(value->shape.dim, tensor->dim, tensor->rank * sizeof tensor->dim[0]);
    return onnx_elements(&value->shape, value->dtype, &elements, budget->error) &&
           read_elements(budget, tensor, value, elements);
}
