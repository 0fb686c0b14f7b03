/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/tflite/network.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/graph/network.h"
#include "lib/graph/reuse.h"
#include "workloads/readers/shapes.h"
#include "workloads/readers/tflite/ops.h"

enum state {
    UNKNOWN,  /* no operator has made it yet */
    INPUT,    /* of the network */
    CONSTANT, /* stored in the file, or folded */
    VARIABLE, /* stored by the runtime */
    MADE,     /* by an operator of the network */
};

struct build {
    struct tflite_model *model;
    const struct tflite_graph *graph;
    const struct tflite_options *options;
    struct network *network;
    /* One of each tensor.  */
    struct shape *shape;
    bool *changed; /* its shape is not the file's */
    enum state *state;
    size_t *producer; /* operator of the graph, or NETWORK_NONE */
    size_t *value;    /* in the network, or NETWORK_NONE */
    size_t unsized;   /* values whose elements have no fixed size */
    size_t calls;     /* operators that run other sub-graphs */
};

static int32_t tensor_of(const struct build *build, const struct flatbuffer_vector *list, size_t i)
{
    return flatbuffer_int_at(&build->model->buffer, list, i);
}

/* --- values --- */

/* What TENSOR is in the network; SHAPE is its shape, and is changed where its
 * elements are not those of a type of ours.  */
static enum dtype element_type(struct build *build, const struct tflite_tensor *tensor,
                               struct shape *shape)
{
    static const enum dtype dtype[] = {
        [TFLITE_FLOAT32] = DTYPE_F32,  [TFLITE_FLOAT16] = DTYPE_F16,  [TFLITE_INT32] = DTYPE_I32,
        [TFLITE_UINT8] = DTYPE_U8,     [TFLITE_INT64] = DTYPE_I64,    [TFLITE_BOOL] = DTYPE_BOOL,
        [TFLITE_INT16] = DTYPE_I16,    [TFLITE_INT8] = DTYPE_I8,      [TFLITE_FLOAT64] = DTYPE_F64,
        [TFLITE_UINT64] = DTYPE_I64,   [TFLITE_UINT32] = DTYPE_I32,   [TFLITE_UINT16] = DTYPE_I16,
        [TFLITE_BFLOAT16] = DTYPE_F16, [TFLITE_COMPLEX64] = DTYPE_F64};

    switch (tensor->type) {
    case TFLITE_FLOAT32:
    case TFLITE_FLOAT16:
    case TFLITE_INT32:
    case TFLITE_UINT8:
    case TFLITE_INT64:
    case TFLITE_BOOL:
    case TFLITE_INT16:
    case TFLITE_COMPLEX64: /* as large as a double */
    case TFLITE_INT8:
    case TFLITE_FLOAT64:
    case TFLITE_UINT64:
    case TFLITE_UINT32:
    case TFLITE_UINT16:
    case TFLITE_BFLOAT16:
        break;
    default:
        build->unsized += tensor->data.count == 0;
        *shape = (struct shape){.rank = 1, .dim = {(int64_t)tensor->data.count}};
        return DTYPE_U8;
    }
    if (tensor->sparse && tensor->data.count > 0) {
        *shape = (struct shape){.rank = 1, .dim = {(int64_t)tensor->data.count}};
        return DTYPE_U8;
    }
    return dtype[tensor->type];
}

/* The value of tensor INDEX, which is there from the start; added if need be.  */
static size_t stored_value(struct build *build, size_t index, enum value_role role)
{
    struct shape shape = build->shape[index];
    enum dtype dtype;

    if (build->value[index] == NETWORK_NONE) {
        dtype = element_type(build, &build->graph->tensor[index], &shape);
        build->value[index] = network_add_value(build->network, build->graph->tensor[index].name,
                                                role, dtype, shape.rank, shape.dim);
    }
    return build->value[index];
}

/* --- sizes of the inputs --- */

static void bind(int64_t wanted, int64_t *dim)
{
    if (wanted > 0)
        *dim = wanted;
}

static bool add_input(struct build *build, size_t index)
{
    const struct tflite_options *options = build->options;
    const struct tflite_tensor *tensor = &build->graph->tensor[index];
    struct shape *shape = &build->shape[index];

    if (shape->rank > 0)
        bind(options->batch, &shape->dim[0]);
    if (shape->rank == 4) {
        bind(options->h, &shape->dim[1]);
        bind(options->w, &shape->dim[2]);
        bind(options->c, &shape->dim[3]);
    } else if (shape->rank > 1) {
        bind(options->length, &shape->dim[1]);
    }
    for (int i = 0; i < shape->rank; i++)
        if (shape->dim[i] < 0)
            return error_set(build->model->buffer.error,
                             "%s: dimension %d of input '%s' is open: give it as %s",
                             build->model->buffer.path, i, tensor->name,
                             i == 0 ? "batch=" : "h=, w=, c= or length=");
    build->changed[index] = !shape_equal(shape, &tensor->shape);
    if (build->state[index] == UNKNOWN)
        stored_value(build, index, VALUE_INPUT);
    build->state[index] = INPUT;
    return true;
}

static bool add_inputs(struct build *build)
{
    for (size_t i = 0; i < build->graph->input.count; i++)
        if (!add_input(build, (size_t)tensor_of(build, &build->graph->input, i)))
            return false;
    return true;
}

/* --- who makes what --- */

static bool find_producers(struct build *build)
{
    const struct tflite_graph *graph = build->graph;

    for (size_t t = 0; t < graph->n_tensors; t++)
        build->producer[t] = NETWORK_NONE;
    for (size_t o = 0; o < graph->n_ops; o++)
        for (size_t i = 0; i < graph->op[o].output.count; i++) {
            int32_t tensor = tensor_of(build, &graph->op[o].output, i);

            if (tensor == TFLITE_NONE)
                continue;
            if (build->producer[tensor] != NETWORK_NONE)
                return tflite_operator_error(build->model, graph, o,
                                             "makes tensor '%s', which operator %zu makes",
                                             graph->tensor[tensor].name, build->producer[tensor]);
            if (graph->tensor[tensor].data.count > 0)
                return tflite_operator_error(build->model, graph, o,
                                             "makes tensor '%s', which is a constant",
                                             graph->tensor[tensor].name);
            build->producer[tensor] = o;
        }
    for (size_t i = 0; i < graph->input.count; i++) {
        size_t tensor = (size_t)tensor_of(build, &graph->input, i);

        if (build->producer[tensor] != NETWORK_NONE)
            return tflite_operator_error(build->model, graph, build->producer[tensor],
                                         "makes tensor '%s', which is an input",
                                         graph->tensor[tensor].name);
    }
    return true;
}

/* Sees to it that operator O can read tensor INDEX.  */
static bool make_readable(struct build *build, size_t o, size_t index)
{
    const struct tflite_tensor *tensor = &build->graph->tensor[index];
    int64_t elements = 1;

    if (build->state[index] != UNKNOWN)
        return true;
    if (build->producer[index] != NETWORK_NONE)
        return tflite_operator_error(
            build->model, build->graph, o,
            "reads tensor '%s' before operator %zu makes it: a cycle, or not in order",
            tensor->name, build->producer[index]);
    for (int i = 0; i < tensor->shape.rank; i++)
        if (tensor->shape.dim[i] <= 0)
            elements = tensor->shape.dim[i];
    if (elements < 0)
        return tflite_operator_error(build->model, build->graph, o,
                                     "reads tensor '%s' with an open dimension", tensor->name);
    if (tensor->variable)
        build->state[index] = VARIABLE;
    else if (tensor->data.count > 0 || elements == 0)
        build->state[index] = CONSTANT;
    else
        return tflite_operator_error(build->model, build->graph, o,
                                     "reads tensor '%s', which nothing makes and which has no data",
                                     tensor->name);
    return true;
}

/* --- shapes --- */

/* Whether operator O's output shapes have to be worked out.  */
static bool has_to_infer(const struct build *build, const struct tflite_operator *op)
{
    for (size_t i = 0; i < op->input.count; i++) {
        int32_t tensor = tensor_of(build, &op->input, i);

        if (tensor != TFLITE_NONE && build->changed[tensor])
            return true;
    }
    for (size_t i = 0; i < op->output.count; i++) {
        int32_t tensor = tensor_of(build, &op->output, i);
        const struct shape *shape;

        if (tensor == TFLITE_NONE)
            continue;
        shape = &build->graph->tensor[tensor].shape;
        for (int d = 0; d < shape->rank; d++)
            if (shape->dim[d] < 0)
                return true;
    }
    return build->options->infer_all;
}

/* Works out shapes and the rest in WORK.  False: that cannot be done.  */
static bool infer(const struct tflite_op *type, struct tflite_work *work)
{
    if (type->infer == NULL)
        return error_set(work->error, "the shapes that it makes cannot be worked out");
    for (size_t i = 0; i < type->inputs; i++)
        if (tflite_in(work, i) == NULL)
            return error_set(work->error, "input %zu is left out", i);
    return work->op->output.count == 0 || type->infer(work);
}

/* Sets the shapes of the outputs of operator O, as WORK has them or, unless
 * TAKE, as the file does; says in AGREE whether both are the same.  */
static bool set_shapes(struct build *build, size_t o, const struct tflite_work *work, bool take,
                       bool *agree)
{
    for (size_t i = 0; i < work->op->output.count; i++) {
        int32_t tensor = tensor_of(build, &work->op->output, i);
        struct error *error = build->model->buffer.error;
        const struct shape *stored;
        int64_t elements;

        if (tensor == TFLITE_NONE)
            continue;
        stored = &build->graph->tensor[tensor].shape;
        *agree = *agree && shape_equal(&work->out[i], stored);
        build->shape[tensor] = take ? work->out[i] : *stored;
        build->changed[tensor] = !shape_equal(&build->shape[tensor], stored);
        if (!shape_elements(&build->shape[tensor], &elements, error)) {
            struct error what = *error;

            return tflite_operator_error(build->model, build->graph, o, "output %zu: %s", i,
                                         what.text);
        }
    }
    return true;
}

/* The shapes of operator O's outputs, and what else can be found out.  */
static bool work_out(struct build *build, size_t o, struct tflite_work *work)
{
    const struct tflite_op *type = tflite_op_find(work->op->code);
    bool needed = has_to_infer(build, work->op), agree = true;

    build->model->buffer.error->text[0] = '\0';
    if (!infer(type, work)) {
        if (needed && build->model->buffer.error->text[0] != '\0')
            return false;
        if (needed)
            return tflite_operator_error(build->model, build->graph, o, "%s", work->error->text);
        agree = false;
    }
    if (!set_shapes(build, o, work, needed, &agree))
        return false;
    if (!agree && !needed) { /* the file's shapes are not what its options give */
        work->conv = (struct conv_shape){.n = 0};
        work->macs = 0;
        work->slice = false;
    }
    return true;
}

/* --- operators --- */

/* Whether operator OP's outputs are constants.  */
static bool folds(const struct build *build, const struct tflite_operator *op)
{
    const struct tflite_op *type = tflite_op_find(op->code);
    size_t inputs = 0;

    if ((type->flags & TFLITE_STATIC) != 0)
        return true;
    if ((type->flags & TFLITE_STAYS) != 0)
        return false;
    for (size_t i = 0; i < op->input.count; i++) {
        int32_t tensor = tensor_of(build, &op->input, i);

        if (tensor != TFLITE_NONE && build->state[tensor] != CONSTANT)
            return false;
        inputs += tensor != TFLITE_NONE;
    }
    return inputs > 0;
}

static void add_outputs(struct build *build, const struct tflite_operator *op, size_t added)
{
    const char *name = build->network->op[added].name;
    size_t outputs = 0;

    for (size_t i = 0; i < op->output.count; i++) {
        int32_t tensor = tensor_of(build, &op->output, i);
        struct shape shape;
        enum dtype dtype;

        if (tensor == TFLITE_NONE)
            continue;
        shape = build->shape[tensor];
        dtype = element_type(build, &build->graph->tensor[tensor], &shape);
        build->value[tensor] = network_add_output(
            build->network, added, build->graph->tensor[tensor].name, dtype, shape.rank, shape.dim);
        build->state[tensor] = MADE;
        outputs++;
    }
    if (outputs == 0) { /* it works by its effect, and still takes a step */
        size_t effect =
            network_add_output(build->network, added, name, DTYPE_U8, 1, (const int64_t[]){0});

        build->network->value[effect].optional = true;
    }
}

static void add_operator(struct build *build, size_t o, const struct tflite_work *work)
{
    const struct tflite_operator *op = work->op;
    const struct tflite_op *type = tflite_op_find(op->code);
    size_t *input = memory_alloc(op->input.count, sizeof *input), inputs = 0, added;
    char *name = memory_printf("%s_%zu", op->custom != NULL ? op->custom : type->name, o);
    enum op_kind kind = type->kind;
    int activation = 0;

    for (size_t i = 0; i < op->input.count; i++) {
        int32_t tensor = tensor_of(build, &op->input, i);

        if (tensor != TFLITE_NONE)
            input[inputs++] = stored_value(build, (size_t)tensor,
                                           i > 0 && (type->flags & TFLITE_WEIGHTS) != 0 &&
                                                   build->state[tensor] == CONSTANT
                                               ? VALUE_WEIGHT
                                               : VALUE_CONSTANT);
    }
    if (op->input.count == 0 || tensor_of(build, &op->input, 0) == TFLITE_NONE)
        kind = OP_OTHER; /* every other kind is about its first input */
    added = network_add_op(build->network, name, kind, type->word, input, inputs);
    build->network->op[added].conv = work->conv;
    build->network->op[added].channels_last = kind == OP_CONV;
    build->network->op[added].macs = work->macs;
    if (type->activation >= 0 && flatbuffer_byte(&build->model->buffer, &op->options,
                                                 (size_t)type->activation, 0, &activation))
        build->network->op[added].activation = tflite_activation(activation);
    build->calls += (type->flags & TFLITE_CALLS) != 0;
    add_outputs(build, op, added);
    reuse_infer(build->network, added);
    if (work->slice)
        reuse_slice(build->network, added, 0, 0, work->start);
    free(name);
    free(input);
}

static bool add_op(struct build *build, size_t o)
{
    const struct tflite_operator *op = &build->graph->op[o];
    struct error fault = {""};
    struct tflite_work work = {.model = build->model,
                               .graph = build->graph,
                               .op = op,
                               .shape = build->shape,
                               .error = &fault};
    bool good = true;

    for (size_t i = 0; i < op->input.count && good; i++) {
        int32_t tensor = tensor_of(build, &op->input, i);

        good = tensor == TFLITE_NONE || make_readable(build, o, (size_t)tensor);
    }
    if (!good)
        return false;
    work.out = memory_zalloc(op->output.count, sizeof *work.out);
    good = work_out(build, o, &work);
    if (good && folds(build, op)) {
        for (size_t i = 0; i < op->output.count; i++)
            if (tensor_of(build, &op->output, i) != TFLITE_NONE)
                build->state[tensor_of(build, &op->output, i)] = CONSTANT;
    } else if (good) {
        add_operator(build, o, &work);
    }
    free(work.out);
    return good;
}

static bool mark_outputs(struct build *build)
{
    for (size_t i = 0; i < build->graph->output.count; i++) {
        size_t tensor = (size_t)tensor_of(build, &build->graph->output, i);

        if (build->state[tensor] == UNKNOWN && build->graph->tensor[tensor].data.count == 0)
            return error_set(build->model->buffer.error,
                             "%s: output %zu: nothing makes tensor '%s'", build->model->buffer.path,
                             i, build->graph->tensor[tensor].name);
        network_mark_output(build->network, stored_value(build, tensor, VALUE_CONSTANT));
    }
    return true;
}

static void give_notice(const struct build *build, FILE *notices)
{
    if (notices != NULL && build->unsized > 0)
        people_print(notices, "%s: %zu tensors have elements of no fixed size: not counted\n",
                     build->model->buffer.path, build->unsized);
    if (notices != NULL && build->calls > 0)
        people_print(notices,
                     "%s: %zu operators run other sub-graphs, whose buffers are not counted\n",
                     build->model->buffer.path, build->calls);
}

static bool add_all(struct build *build)
{
    struct error *error = build->model->buffer.error;

    if (!find_producers(build) || !add_inputs(build))
        return false;
    for (size_t o = 0; o < build->graph->n_ops; o++)
        if (!add_op(build, o))
            return false;
    if (!mark_outputs(build))
        return false;
    network_make_names_unique(build->network);
    return network_check(build->network, error) ||
           error_prefix(error, "%s", build->model->buffer.path);
}

struct network *tflite_network(struct tflite_model *model, const struct tflite_graph *graph,
                               const char *name, const struct tflite_options *options,
                               FILE *notices)
{
    size_t n = graph->n_tensors;
    struct build build = {.model = model,
                          .graph = graph,
                          .options = options,
                          .network = network_new(name),
                          .shape = memory_alloc(n, sizeof *build.shape),
                          .changed = memory_zalloc(n, sizeof *build.changed),
                          .state = memory_zalloc(n, sizeof *build.state),
                          .producer = memory_alloc(n, sizeof *build.producer),
                          .value = memory_alloc(n, sizeof *build.value)};
    bool good;

    for (size_t t = 0; t < n; t++) {
        build.shape[t] = graph->tensor[t].shape;
        build.value[t] = NETWORK_NONE;
    }
    good = add_all(&build);
    if (good)
        give_notice(&build, notices);
    free(build.shape);
    free(build.changed);
    free(build.state);
    free(build.producer);
    free(build.value);
    if (good)
        return build.network;
    network_free(build.network);
    return NULL;
}
