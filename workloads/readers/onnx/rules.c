/* The rules of all families, and what they share.  */
#include <config.h>

#include "workloads/readers/onnx/infer.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/checked.h"

static const struct onnx_rule *const families[] = {
    onnx_rules_control, onnx_rules_conv,   onnx_rules_elementwise,
    onnx_rules_matrix,  onnx_rules_move,   onnx_rules_norm,
    onnx_rules_resize,  onnx_rules_select, onnx_rules_shape,
};

const struct onnx_rule *onnx_rule_find(const char *name)
{
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
        for (const struct onnx_rule *rule = families[f]; rule->name != NULL; rule++)
            if (strcmp(rule->name, name) == 0)
                return rule;
    return NULL;
}

/* --- attributes --- */

static const struct onnx_attribute *find(const struct onnx_op *op, const char *name)
{
    for (size_t i = 0; i < op->node->attributes; i++)
        if (strcmp(op->node->attribute[i].name, name) == 0)
            return &op->node->attribute[i];
    return NULL;
}

bool onnx_has(const struct onnx_op *op, const char *name)
{
    return find(op, name) != NULL;
}

const struct onnx_attribute *onnx_attribute(const struct onnx_op *op, const char *name,
                                            enum onnx_attribute_kind kind)
{
    const struct onnx_attribute *attribute = find(op, name);

    return attribute != NULL && attribute->kind == kind ? attribute : NULL;
}

int64_t onnx_int(const struct onnx_op *op, const char *name, int64_t otherwise)
{
    const struct onnx_attribute *attribute = onnx_attribute(op, name, ONNX_ATTRIBUTE_INT);

    return attribute == NULL ? otherwise : attribute->i;
}

double onnx_float(const struct onnx_op *op, const char *name, double otherwise)
{
    const struct onnx_attribute *attribute = onnx_attribute(op, name, ONNX_ATTRIBUTE_FLOAT);

    return attribute == NULL ? otherwise : (double)attribute->f;
}

bool onnx_text_is(const struct onnx_op *op, const char *name, const char *text, bool otherwise)
{
    const struct onnx_attribute *attribute = onnx_attribute(op, name, ONNX_ATTRIBUTE_TEXT);

    if (attribute == NULL)
        return otherwise;
    return attribute->text.size == strlen(text) &&
           memcmp(attribute->text.data, text, attribute->text.size) == 0;
}

const int64_t *onnx_ints(const struct onnx_op *op, const char *name, size_t *count)
{
    const struct onnx_attribute *attribute = onnx_attribute(op, name, ONNX_ATTRIBUTE_INTS);

    *count = attribute == NULL ? 0 : attribute->n_ints;
    return attribute == NULL ? NULL : attribute->ints;
}

/* --- inputs --- */

struct onnx_value *onnx_input(const struct onnx_op *op, size_t i)
{
    return i < op->inputs ? op->input[i] : NULL;
}

bool onnx_needs(struct onnx_op *op, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (onnx_input(op, i) == NULL)
            return error_set(op->error, "input %zu of %zu is missing", i, count);
    return true;
}

bool onnx_open(struct onnx_op *op, size_t i)
{
    op->open = true;
    return error_set(op->error, "its shape hangs on the elements of '%s', which only a run knows",
                     op->input[i]->name);
}

bool onnx_numbers(struct onnx_op *op, size_t i, const char *name, const int64_t **number,
                  size_t *count)
{
    const struct onnx_value *input = onnx_input(op, i);

    *number = NULL;
    *count = 0;
    if (input == NULL) {
        if (name != NULL)
            *number = onnx_ints(op, name, count);
        return true;
    }
    if (input->data == NULL || input->data->integer == NULL)
        return onnx_open(op, i);
    *number = input->data->integer;
    *count = input->data->count;
    return true;
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

/* --- results --- */

void onnx_set(struct onnx_op *op, size_t slot, const struct shape *shape, enum dtype dtype)
{
    if (slot < op->outputs)
        op->result[slot] = (struct onnx_result){.shape = *shape, .dtype = dtype, .given = true};
}

void onnx_set_optional(struct onnx_op *op, size_t slot, const struct shape *shape, enum dtype dtype)
{
    onnx_set(op, slot, shape, dtype);
    if (slot < op->outputs)
        op->result[slot].optional = true;
}

void onnx_set_same(struct onnx_op *op)
{
    onnx_set(op, 0, &op->input[0]->shape, op->input[0]->dtype);
}

bool onnx_macs(struct onnx_op *op, const int64_t *factor, size_t count)
{
    int64_t macs = 1;

    for (size_t i = 0; i < count; i++)
        if (factor[i] == 0)
            return true;
    for (size_t i = 0; i < count; i++)
        if (!checked_mul(macs, factor[i], &macs))
            return error_set(op->error, "its multiply-accumulates overflow 64 bits");
    op->macs = macs;
    return true;
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

/* --- element types --- */

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

bool dtype_is_real(enum dtype dtype)
{
    return dtype == DTYPE_F32 || dtype == DTYPE_F16 || dtype == DTYPE_F64 || dtype == DTYPE_BF16;
}
