/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/rules/value.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/checked.h"
#include "runtime/operators/accept.h"

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

struct tensor onnx_as_tensor(const struct onnx_value *value)
{
    struct tensor tensor = {.dtype = value->dtype, .rank = value->shape.rank};

    memcpy(tensor.dim, value->shape.dim, sizeof tensor.dim);
    tensor.data = value->elements == NULL ? NULL : value->elements->data;
    return tensor;
}

static bool has_elements(const struct onnx_value *value, unsigned types)
{
    return value != NULL && value->elements != NULL && (TYPE(value->dtype) & types) != 0;
}

bool onnx_has_integers(const struct onnx_value *value)
{
    return has_elements(value, TYPES_WHOLE | TYPE(DTYPE_BOOL));
}

bool onnx_has_numbers(const struct onnx_value *value)
{
    return has_elements(value, TYPES_NUMBER | TYPE(DTYPE_BOOL));
}

static bool is_single(const struct onnx_value *value)
{
    return value->elements->bytes == dtype_size(value->dtype);
}

bool onnx_integer(const struct onnx_value *value, int64_t *number)
{
    struct tensor tensor;

    if (!onnx_has_integers(value) || !is_single(value))
        return false;
    tensor = onnx_as_tensor(value);
    *number = tensor_integer(&tensor, 0);
    return true;
}

bool onnx_number(const struct onnx_value *value, double *number)
{
    struct tensor tensor;

    if (!onnx_has_numbers(value) || !is_single(value))
        return false;
    tensor = onnx_as_tensor(value);
    *number = tensor_real(&tensor, 0);
    return true;
}

/* --- stored tensors --- */

static void put_bits(void *to, size_t size, uint64_t bits)
{
    switch (size) {
    case 1:
        *(uint8_t *)to = (uint8_t)bits;
        break;
    case 2:
        *(uint16_t *)to = (uint16_t)bits;
        break;
    case 4:
        *(uint32_t *)to = (uint32_t)bits;
        break;
    default:
        *(uint64_t *)to = bits;
    }
}

static bool copy_array(struct elements *elements, const void *array, size_t bytes)
{
    if (bytes == elements->bytes && bytes > 0)
        memcpy(elements->data, array, bytes);
    return bytes == elements->bytes;
}

/* From the array that belongs to the type; false if it does not hold them all.  The parts of a
 * complex number lie one after the other, narrow types, half and brain floats too, in 32-bit
 * words.  */
static bool copy_fields(struct elements *elements, enum dtype dtype,
                        const struct onnx_tensor *tensor)
{
    size_t size = dtype_size(dtype), count = elements->bytes / size;

    if (dtype == DTYPE_F32 || dtype == DTYPE_C64)
        return copy_array(elements, tensor->float_data, tensor->n_float * sizeof(float));
    if (dtype == DTYPE_F64 || dtype == DTYPE_C128)
        return copy_array(elements, tensor->double_data, tensor->n_double * sizeof(double));
    for (size_t i = 0; i < count; i++) {
        void *to = (char *)elements->data + i * size;

        if (dtype == DTYPE_I64 && tensor->n_int64 == count)
            put_bits(to, size, (uint64_t)tensor->int64_data[i]);
        else if ((dtype == DTYPE_U32 || dtype == DTYPE_U64) && tensor->n_uint64 == count)
            put_bits(to, size, tensor->uint64_data[i]);
        else if (tensor->n_int32 == count)
            put_bits(to, size, (uint64_t)tensor->int32_data[i]);
        else
            return false;
    }
    return true;
}

/* The file's bytes are little-endian.  */
static void copy_raw(struct elements *elements, const uint8_t *raw, size_t size)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    (void)size;
    if (elements->bytes > 0)
        memcpy(elements->data, raw, elements->bytes);
#else
    unsigned char *to = elements->data;

    for (size_t i = 0; i < elements->bytes; i++)
        to[i] = raw[i - i % size + size - 1 - i % size];
#endif
}

/* A byte of another value than 0 and 1 would be neither true nor false.  */
static void make_truth(struct elements *elements)
{
    unsigned char *byte = elements->data;

    for (size_t i = 0; i < elements->bytes; i++)
        byte[i] = byte[i] != 0;
}

/* How many numbers the file has of TENSOR, in whatever field.  */
static size_t stored_numbers(const struct onnx_tensor *tensor)
{
    return tensor->n_float + tensor->n_int32 + tensor->n_int64 + tensor->n_double +
           tensor->n_uint64;
}

/* Files whose weights were taken out have no elements at all.  */
static bool is_empty(const struct onnx_tensor *tensor)
{
    return tensor->raw.size == 0 && stored_numbers(tensor) == 0;
}

bool onnx_tensor_shape(const struct onnx_tensor *tensor, struct shape *shape, enum dtype *dtype,
                       int64_t *elements, struct error *error)
{
    if (!onnx_dtype(tensor->type, dtype))
        return onnx_unsized(tensor->type, error);
    if (tensor->rank > NETWORK_MAX_RANK)
        return error_set(error, "%zu dimensions, expected at most %d", tensor->rank,
                         NETWORK_MAX_RANK);
    *shape = (struct shape){.rank = (int)tensor->rank};
    if (tensor->rank > 0)
        memcpy(shape->dim, tensor->dim, tensor->rank * sizeof tensor->dim[0]);
    return onnx_elements(shape, *dtype, elements, error);
}

struct elements *onnx_tensor_elements(const struct onnx_tensor *tensor, enum dtype dtype,
                                      int64_t count, struct error *error)
{
    size_t bytes = (size_t)count * dtype_size(dtype);
    struct elements *elements = NULL;

    if (tensor->absent != NULL) {
        error_set(error, "%s", tensor->absent);
        return NULL;
    }
    if (count > 0 && is_empty(tensor)) {
        error_set(error, "the file does not have its %" PRId64 " elements", count);
        return NULL;
    }
    if (tensor->raw.size > 0 && tensor->raw.size != bytes) {
        error_set(error, "%zu bytes of data, expected %zu", tensor->raw.size, bytes);
        return NULL;
    }
    /* No more memory is taken than the file answers for.  */
    if (tensor->raw.size > 0 || stored_numbers(tensor) >= (size_t)count)
        elements = elements_new(bytes);
    if (elements != NULL && tensor->raw.size > 0) {
        copy_raw(elements, tensor->raw.data, dtype_size(dtype));
    } else if (elements == NULL || !copy_fields(elements, dtype, tensor)) {
        error_set(error, "its data are not %" PRId64 " elements of its type", count);
        elements_release(elements);
        return NULL;
    }
    if (dtype == DTYPE_BOOL)
        make_truth(elements);
    return elements;
}

/* Takes the elements where they are few, if the file has any.  */
static bool take_elements(struct onnx_budget *budget, struct onnx_value *value, int64_t count)
{
    if (count > ONNX_FOLD_LIMIT || value->tensor->absent != NULL ||
        (count > 0 && is_empty(value->tensor)))
        return true;
    value->elements = onnx_tensor_elements(value->tensor, value->dtype, count, budget->error);
    return value->elements != NULL && onnx_hold(budget, value->elements) != NULL;
}

bool onnx_constant(struct onnx_budget *budget, const struct onnx_tensor *tensor,
                   struct onnx_value *value)
{
    int64_t elements;

    *value = (struct onnx_value){
        .name = tensor->name, .constant = true, .tensor = tensor, .index = NETWORK_NONE};
    return onnx_tensor_shape(tensor, &value->shape, &value->dtype, &elements, budget->error) &&
           take_elements(budget, value, elements);
}
