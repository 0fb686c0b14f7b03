/* Stored tensors as constants, and the elements of small ones.  */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "workloads/readers/onnx/node.h"

/* NULL, after an error in build->error, when memory is used up; also for more
 * elements than are ever needed.  */
static struct onnx_data *data_new(struct onnx_build *build, int64_t count, bool real)
{
    struct onnx_data *data;

    if (count < 0 || count > ONNX_FOLD_LIMIT)
        return NULL;
    data = onnx_take(build, 1, sizeof *data);
    if (data == NULL)
        return NULL;
    data->count = (size_t)count;
    if (real)
        data->real = onnx_take(build, data->count, sizeof *data->real);
    else
        data->integer = onnx_take(build, data->count, sizeof *data->integer);
    return data->real == NULL && data->integer == NULL ? NULL : data;
}

struct onnx_data *onnx_data_new(struct onnx_op *op, int64_t count, bool real)
{
    return data_new(op->build, count, real);
}

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
static bool read_elements(struct onnx_build *build, const struct onnx_tensor *tensor,
                          struct onnx_value *value, int64_t elements)
{
    struct onnx_data *data;
    size_t wanted;

    if (tensor->external || !has_elements(value->dtype) || elements > ONNX_FOLD_LIMIT ||
        (elements > 0 && is_empty(tensor)))
        return true;
    data = data_new(build, elements, dtype_is_real(value->dtype));
    if (data == NULL)
        return false;
    wanted = (size_t)elements * dtype_size(value->dtype);
    if (tensor->raw.size > 0 && tensor->raw.size != wanted)
        return error_set(build->error, "%zu bytes of data, expected %zu", tensor->raw.size, wanted);
    if (tensor->raw.size > 0)
        from_raw(data, value->dtype, tensor->raw.data);
    else if (!from_fields(data, value->dtype, tensor))
        return error_set(build->error, "its data are not %" PRId64 " elements of its type",
                         elements);
    value->data = data;
    return true;
}

bool onnx_constant(struct onnx_build *build, const struct onnx_tensor *tensor,
                   struct onnx_value *value)
{
    int64_t elements;

    *value = (struct onnx_value){.name = tensor->name, .constant = true, .index = NETWORK_NONE};
    if (!onnx_dtype(tensor->type, &value->dtype))
        return error_set(build->error, "element type %d has no fixed size", tensor->type);
    if (tensor->rank > NETWORK_MAX_RANK)
        return error_set(build->error, "%zu dimensions, expected at most %d", tensor->rank,
                         NETWORK_MAX_RANK);
    value->shape.rank = (int)tensor->rank;
    if (tensor->rank > 0)
        memcpy(value->shape.dim, tensor->dim, tensor->rank * sizeof tensor->dim[0]);
    return onnx_elements(&value->shape, value->dtype, &elements, build->error) &&
           read_elements(build, tensor, value, elements);
}
