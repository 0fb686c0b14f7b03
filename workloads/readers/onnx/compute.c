/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/compute.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "runtime/operators/cast.h"
#include "runtime/operators/operator.h"
#include "workloads/readers/onnx/lengths.h"

/* --- constants --- */

static int64_t count_of(const struct onnx_value *value)
{
    int64_t elements;

    return shape_elements(&value->shape, &elements, NULL) ? elements : 0;
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
        value->elements = onnx_hold(&build->budget, elements);
        return elements;
    }
    error_set(build->error, "'%s': its elements are not known", value->name);
    return NULL;
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
    if (op->asked && onnx_length_name(op)[0] != '\0')
        computation->length = memory_strdup(onnx_length_name(op));
    memcpy(computation->input, place, op->inputs * sizeof *place);
    for (size_t i = 0; i < op->outputs; i++)
        if (computation->output[i] != NETWORK_NONE)
            computation->output[i] = named++;
    network_set_computation(job->build->scope->network, index, computation);
}

/* --- on constants --- */

/* One node on constants.  */
struct folding {
    struct tensor *tensor; /* of the inputs, then of the outputs */
    const struct tensor **input, **output;
    struct computation *computation;
};

/* What nodes on constants read and make is as much as a file could hold, so that a small one asks
 * for no more time and memory than a large one.  */
#define FOLDED_LIMIT INT32_MAX

/* Whether a tensor is small where planning asks: of one without elements too, since operators go
 * through its other dimensions.  */
static bool is_small(const struct onnx_job *job, const struct tensor *tensor)
{
    int64_t elements = 1;

    for (int i = 0; i < tensor->rank; i++)
        if (!checked_mul(elements, max64(tensor->dim[i], 1), &elements))
            return false;
    return job->build->runnable || elements <= ONNX_FOLD_LIMIT;
}

/* Adds BYTES to what nodes have read and made for a run.  */
static bool take_share(struct onnx_job *job, int64_t bytes)
{
    if (bytes > FOLDED_LIMIT - job->build->folded)
        return error_set(job->op.error, "constants of more than 2 GiB");
    job->build->folded += bytes;
    return true;
}

static bool take_inputs(struct onnx_job *job, struct folding *folding)
{
    const struct onnx_op *op = &job->op;

    for (size_t i = 0; i < op->inputs; i++) {
        struct onnx_value *input = op->input[i];

        if (input == NULL)
            continue;
        if (i < op->read && job->build->runnable && input->elements == NULL)
            input->elements = onnx_value_elements(job->build, input);
        folding->tensor[i] = onnx_as_tensor(input);
        folding->input[i] = &folding->tensor[i];
        if (i < op->read &&
            (input->elements == NULL || !is_small(job, &folding->tensor[i]) ||
             (job->build->runnable && !take_share(job, (int64_t)input->elements->bytes))))
            return false;
    }
    return true;
}

/* Elements for all outputs; false where they are too many.  */
static bool make_outputs(struct onnx_job *job, struct folding *folding)
{
    struct onnx_op *op = &job->op;

    for (size_t i = 0; i < op->outputs; i++) {
        struct onnx_result *made = &op->result[i];
        struct tensor *tensor = &folding->tensor[op->inputs + i];
        int64_t elements, bytes;

        if (op->node->output[i][0] == '\0')
            continue;
        *tensor = onnx_as_tensor(&(struct onnx_value){.shape = made->shape, .dtype = made->dtype});
        if (!is_small(job, tensor) ||
            !onnx_elements(&made->shape, made->dtype, &elements, op->error))
            return false;
        bytes = elements * (int64_t)dtype_size(made->dtype);
        if (!job->build->runnable)
            made->elements = onnx_take_elements(op->budget, (size_t)bytes);
        else if (take_share(job, bytes))
            made->elements = onnx_hold(op->budget, elements_new((size_t)bytes));
        if (made->elements == NULL)
            return false;
        tensor->data = made->elements->data;
        folding->output[i] = tensor;
    }
    return true;
}

static bool run_folding(struct onnx_job *job, struct folding *folding)
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

    return op->error->text[0] == '\0' && take_inputs(job, folding) && make_outputs(job, folding) &&
           operator_accepts(&call) && operator_run(&call);
}

/* Whether the rule knows all outputs' elements.  */
static bool is_known(const struct onnx_op *op)
{
    for (size_t i = 0; i < op->outputs; i++)
        if (op->node->output[i][0] != '\0' && op->result[i].elements == NULL)
            return false;
    return true;
}

bool onnx_compute(struct onnx_job *job)
{
    struct onnx_op *op = &job->op;
    struct folding folding;
    bool good;

    if (is_known(op))
        return true;
    if (!job->build->runnable && !op->linear)
        return false;
    folding = (struct folding){
        .tensor = memory_zalloc(op->inputs + op->outputs, sizeof *folding.tensor),
        .input = memory_zalloc(op->inputs, sizeof *folding.input),
        .output = memory_zalloc(op->outputs, sizeof *folding.output),
        .computation = computation_of(op),
    };
    good = run_folding(job, &folding);
    for (size_t i = 0; i < op->outputs && !good; i++)
        op->result[i].elements = NULL;
    if (!good)
        op->error->text[0] = '\0';
    computation_free(folding.computation);
    free(folding.tensor);
    free(folding.input);
    free(folding.output);
    return good;
}
