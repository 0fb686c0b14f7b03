/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/elements.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "runtime/operators/cast.h"
#include "runtime/operators/operator.h"

/* --- stored tensors --- */

/* Writes number I of the array that the file keeps elements of DTYPE in; false if it is not
 * there.  Narrow types, half and brain floats too, lie in 32-bit words.  */
static bool field_element(const struct onnx_tensor *tensor, enum dtype dtype, size_t count,
                          size_t i, void *to)
{
    size_t size = dtype_size(dtype);

    switch (dtype) {
    case DTYPE_F32:
    case DTYPE_C64: /* the two parts one after the other */
        count *= size / sizeof(float);
        if (tensor->n_float == count)
            memcpy(to, &tensor->float_data[i * (size / sizeof(float))], size);
        return tensor->n_float == count;
    case DTYPE_F64:
    case DTYPE_C128:
        count *= size / sizeof(double);
        if (tensor->n_double == count)
            memcpy(to, &tensor->double_data[i * (size / sizeof(double))], size);
        return tensor->n_double == count;
    case DTYPE_I64:
        if (tensor->n_int64 == count)
            memcpy(to, &tensor->int64_data[i], size);
        return tensor->n_int64 == count;
    case DTYPE_U32:
    case DTYPE_U64:
        if (tensor->n_uint64 == count && size == sizeof(uint64_t))
            memcpy(to, &tensor->uint64_data[i], size);
        else if (tensor->n_uint64 == count)
            memcpy(to, &(uint32_t){(uint32_t)tensor->uint64_data[i]}, size);
        return tensor->n_uint64 == count;
    case DTYPE_I32:
        if (tensor->n_int32 == count)
            memcpy(to, &tensor->int32_data[i], size);
        return tensor->n_int32 == count;
    case DTYPE_I16:
    case DTYPE_U16:
    case DTYPE_F16:
    case DTYPE_BF16:
        if (tensor->n_int32 == count)
            memcpy(to, &(uint16_t){(uint16_t)tensor->int32_data[i]}, size);
        return tensor->n_int32 == count;
    case DTYPE_I8:
    case DTYPE_U8:
    case DTYPE_BOOL:
        if (tensor->n_int32 == count)
            memcpy(to, &(uint8_t){(uint8_t)tensor->int32_data[i]}, size);
        return tensor->n_int32 == count;
    }
    return false;
}

/* The file's bytes are little-endian.  */
static void copy_raw(struct elements *elements, const uint8_t *raw, size_t size)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    (void)size;
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

static bool fill(struct elements *elements, const struct onnx_tensor *tensor, enum dtype dtype,
                 size_t count)
{
    size_t size = dtype_size(dtype);

    for (size_t i = 0; i < count; i++)
        if (!field_element(tensor, dtype, count, i, (char *)elements->data + i * size))
            return false;
    return true;
}

struct elements *onnx_tensor_elements(const struct onnx_tensor *tensor, enum dtype dtype,
                                      int64_t count, struct error *error)
{
    size_t bytes = (size_t)count * dtype_size(dtype);
    size_t stored =
        tensor->n_float + tensor->n_int32 + tensor->n_int64 + tensor->n_double + tensor->n_uint64;
    struct elements *elements;

    if (tensor->external) {
        error_set(error, "its elements are in another file, or sparse");
        return NULL;
    }
    /* So that no more memory is taken than the file answers for.  */
    if (tensor->raw.size != bytes && (tensor->raw.size > 0 || stored < (size_t)count)) {
        error_set(error, "the file does not have its %" PRId64 " elements", count);
        return NULL;
    }
    elements = elements_new(bytes);
    if (tensor->raw.size == bytes) {
        if (bytes > 0)
            copy_raw(elements, tensor->raw.data, dtype_size(dtype));
    } else if (!fill(elements, tensor, dtype, (size_t)count)) {
        error_set(error, "its elements are not in the field of its type");
        elements_release(elements);
        return NULL;
    }
    if (dtype == DTYPE_BOOL)
        make_truth(elements);
    return elements;
}

/* --- constants --- */

static int64_t count_of(const struct onnx_value *value)
{
    int64_t elements;

    return shape_elements(&value->shape, &elements, NULL) ? elements : 0;
}

/* Folded numbers are integers or reals, whatever type they stand for.  */
static void set_number(void *data, enum dtype dtype, size_t i, int64_t integer, double real)
{
    switch (dtype) {
    case DTYPE_F32:
        ((float *)data)[i] = (float)real;
        break;
    case DTYPE_F64:
        ((double *)data)[i] = real;
        break;
    case DTYPE_I64:
        ((int64_t *)data)[i] = integer;
        break;
    case DTYPE_I32:
    case DTYPE_U32:
        ((uint32_t *)data)[i] = (uint32_t)integer;
        break;
    case DTYPE_I16:
    case DTYPE_U16:
        ((uint16_t *)data)[i] = (uint16_t)integer;
        break;
    default: /* bytes: no other types are folded as numbers */
        ((uint8_t *)data)[i] = (uint8_t)integer;
    }
}

static struct elements *from_numbers(const struct onnx_data *data, enum dtype dtype)
{
    struct elements *elements = elements_new(data->count * dtype_size(dtype));

    for (size_t i = 0; i < data->count; i++)
        set_number(elements->data, dtype, i, data->integer != NULL ? data->integer[i] : 0,
                   data->real != NULL ? data->real[i] : 0.0);
    return elements;
}

struct elements *onnx_hold_elements(struct onnx_build *build, struct elements *elements)
{
    build->held = memory_grow(build->held, &build->held_capacity, build->holds + 1,
                              sizeof(struct elements *));
    build->held[build->holds++] = elements;
    return elements;
}

struct elements *onnx_value_elements(struct onnx_build *build, struct onnx_value *value)
{
    struct error error;
    struct elements *elements;

    if (value->elements != NULL)
        return value->elements;
    if (value->outer != NULL)
        return onnx_value_elements(build, value->outer);
    if (value->tensor != NULL) {
        elements = onnx_tensor_elements(value->tensor, value->dtype, count_of(value), &error);
        if (elements == NULL) {
            error_set(build->error, "'%s': %s", value->name, error.text);
            return NULL;
        }
        value->elements = onnx_hold_elements(build, elements);
        return elements;
    }
    if (value->data != NULL) {
        value->elements = onnx_hold_elements(build, from_numbers(value->data, value->dtype));
        return value->elements;
    }
    error_set(build->error, "'%s': its elements are not known", value->name);
    return NULL;
}

void onnx_elements_clear(struct onnx_build *build)
{
    for (size_t i = 0; i < build->holds; i++)
        elements_release(build->held[i]);
    free(build->held);
}

/* --- what nodes compute --- */

/* A tensor as an attribute is a single number where it is used.  */
static bool add_tensor(struct computation *computation, const struct onnx_attribute *attribute,
                       struct error *error)
{
    struct tensor one = {.dim = {1}};
    struct elements *elements;
    double real;

    if (!onnx_dtype(attribute->tensor->type, &one.dtype))
        return onnx_unsized(attribute->tensor->type, error);
    elements = onnx_tensor_elements(attribute->tensor, one.dtype, 1, error);
    if (elements == NULL)
        return false;
    one.data = elements->data;
    if (dtype_is_real(one.dtype)) {
        cast_elements(&(struct tensor){.dtype = DTYPE_F64, .data = &real}, &one);
        computation_set_real(computation, attribute->name, real);
    } else {
        computation_set_integer(computation, attribute->name, tensor_integer(&one, 0));
    }
    elements_release(elements);
    return true;
}

static void add_reals(struct computation *computation, const struct onnx_attribute *attribute)
{
    double *real = memory_alloc(attribute->n_floats, sizeof *real);

    for (size_t i = 0; i < attribute->n_floats; i++)
        real[i] = (double)attribute->floats[i];
    computation_set_reals(computation, attribute->name, real, attribute->n_floats);
    free(real);
}

/* All texts as one, with commas between.  */
static void add_texts(struct computation *computation, const struct onnx_attribute *attribute)
{
    size_t size = 1;
    char *all, *to;

    for (size_t i = 0; i < attribute->n_texts; i++)
        size += attribute->texts[i].size + 1;
    all = to = memory_alloc(size, 1);
    for (size_t i = 0; i < attribute->n_texts; i++) {
        if (i > 0)
            *to++ = ',';
        if (attribute->texts[i].size > 0)
            to = mempcpy(to, attribute->texts[i].data, attribute->texts[i].size);
    }
    *to = '\0';
    computation_set_text(computation, attribute->name, all);
    free(all);
}

static bool add_attribute(struct computation *computation, const struct onnx_attribute *attribute,
                          struct error *error)
{
    char *text;

    switch (attribute->kind) {
    case ONNX_ATTRIBUTE_FLOAT:
        computation_set_real(computation, attribute->name, (double)attribute->f);
        break;
    case ONNX_ATTRIBUTE_INT:
        computation_set_integer(computation, attribute->name, attribute->i);
        break;
    case ONNX_ATTRIBUTE_INTS:
        computation_set_integers(computation, attribute->name, attribute->ints, attribute->n_ints);
        break;
    case ONNX_ATTRIBUTE_FLOATS:
        add_reals(computation, attribute);
        break;
    case ONNX_ATTRIBUTE_TEXT:
        text = memory_printf("%.*s",
                             (int)(attribute->text.size > INT_MAX ? INT_MAX : attribute->text.size),
                             (const char *)attribute->text.data);
        computation_set_text(computation, attribute->name, text);
        free(text);
        break;
    case ONNX_ATTRIBUTE_TEXTS:
        add_texts(computation, attribute);
        break;
    case ONNX_ATTRIBUTE_TENSOR:
        return add_tensor(computation, attribute, error) ||
               error_prefix(error, "attribute '%s'", attribute->name);
    case ONNX_ATTRIBUTE_GRAPH:
    case ONNX_ATTRIBUTE_SPARSE:
    case ONNX_ATTRIBUTE_OTHER:
        /* Not kept, but there: operators refuse what they do not know.  */
        computation_set_text(computation, attribute->name, "");
        break;
    }
    return true;
}

/* With a message in the operator's error where an attribute's elements are not there.  */
static struct computation *computation_of(const struct onnx_op *op)
{
    struct computation *computation =
        computation_new(op->node->type, op->opset, op->inputs, op->outputs);

    for (size_t i = 0; i < op->outputs; i++)
        if (op->node->output[i][0] == '\0')
            computation->output[i] = NETWORK_NONE;
    for (size_t i = 0; i < op->node->attributes; i++)
        if (!add_attribute(computation, &op->node->attribute[i], op->error))
            break;
    return computation;
}

/* Names that begin with a dot are our own.  */
static bool is_run(const struct onnx_node *node)
{
    return onnx_is_standard(node) && node->type[0] != '.' && operator_find(node->type) != NULL;
}

void onnx_set_computation(struct onnx_job *job, size_t index, const size_t *place)
{
    const struct onnx_op *op = &job->op;
    struct computation *computation;
    size_t named = 0;

    /* An operator whose shapes the file declares can still be one that is run.  */
    if (op->rule == NULL && job->control == NULL && !is_run(op->node))
        return;
    computation = computation_of(op);
    memcpy(computation->input, place, op->inputs * sizeof *place);
    for (size_t i = 0; i < op->outputs; i++)
        if (computation->output[i] != NETWORK_NONE)
            computation->output[i] = named++;
    network_set_computation(job->build->scope->network, index, computation);
}

/* --- folding --- */

/* One node on constants.  */
struct folding {
    struct tensor *tensor; /* of the inputs, then of the outputs */
    const struct tensor **input, **output;
    struct computation *computation;
};

static void set_tensor(struct tensor *tensor, enum dtype dtype, const struct shape *shape,
                       void *data)
{
    *tensor = (struct tensor){.dtype = dtype, .rank = shape->rank, .data = data};
    memcpy(tensor->dim, shape->dim, sizeof tensor->dim);
}

/* What nodes on constants read and make is as much as a file could hold, so that a small one asks
 * for no more time and memory than a large one.  */
#define FOLDED_LIMIT INT32_MAX

/* Elements for all outputs; false where they are too many.  */
static bool make_outputs(struct onnx_job *job, struct folding *folding, struct elements **result)
{
    struct onnx_op *op = &job->op;

    for (size_t i = 0; i < op->outputs; i++) {
        const struct onnx_result *made = &op->result[i];
        struct tensor *tensor = &folding->tensor[op->inputs + i];
        int64_t elements, size = (int64_t)dtype_size(made->dtype);

        if (op->node->output[i][0] == '\0')
            continue;
        if (!onnx_elements(&made->shape, made->dtype, &elements, op->error) ||
            elements > (FOLDED_LIMIT - job->build->folded) / size)
            return error_set(op->error, "constants of more than 2 GiB");
        job->build->folded += elements * size;
        result[i] = elements_new((size_t)(elements * size));
        set_tensor(tensor, made->dtype, &made->shape, result[i]->data);
        folding->output[i] = tensor;
    }
    return true;
}

static bool take_inputs(struct onnx_job *job, struct folding *folding)
{
    const struct onnx_op *op = &job->op;

    for (size_t i = 0; i < op->inputs; i++) {
        struct elements *elements;

        if (op->input[i] == NULL)
            continue;
        if (!op->input[i]->constant)
            return false; /* folded for its shape alone */
        elements = onnx_value_elements(job->build, op->input[i]);
        if (elements == NULL || elements->bytes > (size_t)(FOLDED_LIMIT - job->build->folded))
            return false;
        job->build->folded += (int64_t)elements->bytes;
        set_tensor(&folding->tensor[i], op->input[i]->dtype, &op->input[i]->shape, elements->data);
        folding->input[i] = &folding->tensor[i];
    }
    return true;
}

static bool evaluate(struct onnx_job *job, struct folding *folding, struct elements **result)
{
    struct onnx_op *op = &job->op;
    struct call call = {
        .computation = folding->computation,
        .inputs = op->inputs,
        .outputs = op->outputs,
        .input = folding->input,
        .output = folding->output,
        .error = op->error,
    };

    return op->error->text[0] == '\0' && take_inputs(job, folding) &&
           make_outputs(job, folding, result) && operator_accepts(&call) && operator_run(&call);
}

bool onnx_fold_elements(struct onnx_job *job, struct elements **result)
{
    struct onnx_op *op = &job->op;
    size_t tensors = op->inputs + op->outputs;
    struct folding folding = {
        .tensor = memory_zalloc(tensors, sizeof *folding.tensor),
        .input = memory_zalloc(op->inputs, sizeof *folding.input),
        .output = memory_zalloc(op->outputs, sizeof *folding.output),
        .computation = computation_of(op),
    };
    bool good = evaluate(job, &folding, result);

    for (size_t i = 0; i < op->outputs && !good; i++) {
        elements_release(result[i]);
        result[i] = NULL;
    }
    if (!good)
        op->error->text[0] = '\0';
    computation_free(folding.computation);
    free(folding.tensor);
    free(folding.input);
    free(folding.output);
    return good;
}
