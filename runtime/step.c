/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/step.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/computation.h"
#include "lib/graph/network.h"
#include "lib/judge/bounds.h"
#include "runtime/blocked.h"
#include "runtime/bodies.h"
#include "runtime/layouts.h"
#include "runtime/memory.h"

/* Scratch tensors begin at whole vectors, and vectors may read past their ends.  */
enum { SCRATCH_ALIGNMENT = 64, SCRATCH_SPARE = 64 };

/* --- tensors --- */

static void set_tensor(struct tensor *tensor, const struct value *value, void *data)
{
    *tensor = (struct tensor){.dtype = value->dtype, .rank = value->rank, .data = data};
    memcpy(tensor->dim, value->dim, sizeof tensor->dim);
}

/* An output that nobody reads need not be made, and has no memory in a plan: a mask counts as one
 * of the aliases of what it would mask.  */
static bool is_left_out(const struct network *network, const struct network_op *op, size_t slot)
{
    return !bounds_takes_part(&network->value[op->output[slot]]);
}

/* Whether output SLOT of OP lies on one of its inputs as a view of it.  */
static bool is_view(const struct run_memory *memory, const struct network_op *op, size_t slot)
{
    for (size_t i = 0; i < op->reuses; i++)
        if (op->reuse[i].kind == REUSE_FORWARD && op->reuse[i].output == slot &&
            layouts_shares(memory, op, i))
            return true;
    return false;
}

/* Where among the operator's inputs and outputs those of the step lie: as the text has them, or, of
 * an operator with bodies, all.  */
static size_t input_slot(const struct network_op *op, size_t i)
{
    return op->control != NULL ? i : op->computation->input[i];
}

static size_t output_slot(const struct network_op *op, size_t i)
{
    return op->control != NULL ? i : op->computation->output[i];
}

size_t step_input_slot(const struct step *step, size_t i)
{
    return input_slot(step->op, i);
}

size_t step_output_slot(const struct step *step, size_t i)
{
    return output_slot(step->op, i);
}

void step_make(struct step *step, const struct network *network, const struct run_memory *memory,
               const struct network_op *op)
{
    size_t inputs = op->control != NULL ? op->inputs : op->computation->inputs;
    size_t outputs = op->control != NULL ? op->outputs : op->computation->outputs;

    *step = (struct step){
        .op = op,
        .inputs = inputs,
        .outputs = outputs,
        .tensor = memory_zalloc(inputs + outputs, sizeof *step->tensor),
        .input = memory_zalloc(inputs, sizeof *step->input),
        .output = memory_zalloc(outputs, sizeof *step->output),
        .before = memory_alloc(inputs, sizeof *step->before),
        .after = memory_alloc(outputs, sizeof *step->after),
    };
    for (size_t i = 0; i < step->inputs; i++) {
        size_t slot = input_slot(op, i);

        if (slot == NETWORK_NONE)
            continue;
        set_tensor(&step->tensor[i], &network->value[op->input[slot]],
                   memory == NULL ? NULL : memory->value[op->input[slot]]);
        step->input[i] = &step->tensor[i];
    }
    for (size_t i = 0; i < step->outputs; i++) {
        size_t slot = output_slot(op, i);

        if (slot == NETWORK_NONE || is_left_out(network, op, slot) ||
            (memory != NULL && is_view(memory, op, slot)))
            continue;
        set_tensor(&step->tensor[step->inputs + i], &network->value[op->output[slot]],
                   memory == NULL ? NULL : memory->value[op->output[slot]]);
        step->output[i] = &step->tensor[step->inputs + i];
        step->kind = op->control != NULL ? STEP_BODIES : STEP_OPERATOR;
    }
}

void step_clear(struct step *step)
{
    if (step->kind == STEP_KERNEL)
        convolution_clear(&step->convolution);
    bodies_free(step->bodies);
    free(step->tensor);
    free(step->input);
    free(step->output);
    free(step->before);
    free(step->after);
}

struct call step_call(const struct step *step, struct error *error)
{
    return (struct call){
        .computation = step->op->computation,
        .inputs = step->inputs,
        .outputs = step->outputs,
        .input = step->input,
        .output = step->output,
        .error = error,
        .found = step->found,
    };
}

/* --- conversions --- */

static struct tensor_layout layout_of(const struct tensor *image, int64_t block)
{
    return (struct tensor_layout){
        .n = image->dim[0],
        .c = image->dim[1],
        .h = image->dim[2],
        .w = image->dim[3],
        .block = block,
    };
}

/* Whether a tensor that lies in blocks of A channels is, byte for byte, one of blocks of B.  */
static bool same_bytes(const struct tensor_layout *a, const struct tensor_layout *b)
{
    return a->block == b->block ||
           (a->h * a->w == 1 && a->c % a->block == 0 && b->c % b->block == 0);
}

/* Room for a tensor of LAYOUT.  */
static int64_t take_scratch(struct step *step, const struct tensor_layout *layout)
{
    int64_t at = step->scratch_bytes;
    int64_t bytes = layout_floats(layout) * (int64_t)sizeof(float) + SCRATCH_SPARE;

    step->scratch_bytes += align_up(bytes, SCRATCH_ALIGNMENT);
    return at;
}

/* In which layout the step wants an image that lies in LIES.  */
static struct tensor_layout wanted_layout(const struct step *step, const struct tensor_layout *lies,
                                          const struct tensor_layout *kernel)
{
    struct tensor_layout wanted = *lies;

    if (step->kind == STEP_KERNEL && !step->convolution.matrix)
        return *kernel;
    wanted.block = step->kind == STEP_BLOCKED ? step->block : 1;
    return wanted;
}

/* Images of f32 only can lie otherwise than plain.  */
static bool is_image(const struct tensor *tensor)
{
    return tensor != NULL && tensor->rank == 4 && tensor->dtype == DTYPE_F32;
}

static void convert_inputs(struct step *step, const struct layouts *layouts)
{
    size_t images = step->kind == STEP_KERNEL ? 1 : step->inputs;

    for (size_t i = 0; i < images; i++) {
        struct tensor_layout lies, wanted;

        if (!is_image(step->input[i]))
            continue;
        lies = layout_of(step->input[i], layouts->block[step->op->input[input_slot(step->op, i)]]);
        wanted = wanted_layout(step, &lies, &step->convolution.plan.input);
        if (!same_bytes(&lies, &wanted))
            step->before[step->befores++] =
                (struct conversion){lies, wanted, i, take_scratch(step, &wanted)};
    }
}

static void convert_outputs(struct step *step, const struct layouts *layouts)
{
    for (size_t i = 0; i < step->outputs; i++) {
        struct tensor_layout lies, wanted;

        if (!is_image(step->output[i]))
            continue;
        lies =
            layout_of(step->output[i], layouts->block[step->op->output[output_slot(step->op, i)]]);
        wanted = wanted_layout(step, &lies, &step->convolution.plan.output);
        if (!same_bytes(&lies, &wanted))
            step->after[step->afters++] =
                (struct conversion){wanted, lies, step->inputs + i, take_scratch(step, &wanted)};
    }
}

/* Rows one behind the other: all that belongs to a pixel side by side.  */
static struct tensor_layout row_layout(const struct tensor_layout *kernel)
{
    struct tensor_layout rows = *kernel;

    rows.block = rows.c;
    return rows;
}

/* Room for the rows of a matrix product as the kernel wants and makes them.  */
static void convert_rows(struct step *step)
{
    const struct conv_plan *plan = &step->convolution.plan;
    struct tensor_layout rows = row_layout(&plan->input);

    step->rows_before = same_bytes(&rows, &plan->input) ? -1 : take_scratch(step, &plan->input);
    rows = row_layout(&plan->output);
    step->rows_after = same_bytes(&rows, &plan->output) ? -1 : take_scratch(step, &plan->output);
}

void step_convert(struct step *step, const struct layouts *layouts)
{
    if (step->kind == STEP_IDLE)
        return;
    convert_inputs(step, layouts);
    convert_outputs(step, layouts);
    if (step->kind == STEP_KERNEL && step->convolution.matrix)
        convert_rows(step);
}

/* --- doing it --- */

/* TENSOR, all of the step's, where those of CONVERSION are, or are to be, in scratch memory.  */
static void redirect(struct tensor *tensor, const struct conversion *conversion, size_t conversions,
                     unsigned char *scratch)
{
    for (size_t i = 0; i < conversions; i++)
        tensor[conversion[i].tensor].data = scratch + conversion[i].scratch;
}

static void run_rows(const struct step *step, const float *input, float *output,
                     unsigned char *scratch)
{
    const struct conv_plan *plan = &step->convolution.plan;
    struct tensor_layout in = row_layout(&plan->input), out = row_layout(&plan->output);
    const float *from = input;
    float *to = output;

    if (step->rows_before >= 0) {
        layout_convert(&in, input, &plan->input, (float *)(scratch + step->rows_before));
        from = (const float *)(scratch + step->rows_before);
    }
    if (step->rows_after >= 0)
        to = (float *)(scratch + step->rows_after);
    convolution_run(&step->convolution, from, to);
    if (step->rows_after >= 0)
        layout_convert(&plan->output, to, &out, output);
}

static void run_kernel(const struct step *step, const struct tensor *tensor, unsigned char *scratch)
{
    float *output = tensor[step->inputs].data;

    if (step->convolution.matrix)
        run_rows(step, tensor[0].data, output, scratch);
    else
        convolution_run(&step->convolution, tensor[0].data, output);
}

/* What comes after the kernel's own part of the computation.  */
static bool go_on(const struct step *step, struct error *error)
{
    const struct computation *then = step->op->computation->then;
    struct call call = {
        .inputs = 1,
        .outputs = 1,
        .input = step->output,
        .output = step->output,
        .error = error,
    };

    if (then != NULL && step->convolution.relu)
        then = then->then;
    call.computation = then;
    return then == NULL || operator_run(&call);
}

/* The call on tensors of which some are in scratch memory.  */
static bool run_call(const struct step *step, const struct tensor *tensor, struct error *error)
{
    const struct tensor **input = memory_alloc(step->inputs, sizeof *input);
    const struct tensor **output = memory_alloc(step->outputs, sizeof *output);
    struct call call = step_call(step, error);
    bool good;

    for (size_t i = 0; i < step->inputs; i++)
        input[i] = step->input[i] == NULL ? NULL : &tensor[i];
    for (size_t i = 0; i < step->outputs; i++)
        output[i] = step->output[i] == NULL ? NULL : &tensor[step->inputs + i];
    call.input = input;
    call.output = output;
    if (step->kind == STEP_BODIES)
        good = bodies_run(step->bodies, input, output, error);
    else
        good = step->kind == STEP_BLOCKED ? blocked_run(&call, step->block, step->pool)
                                          : operator_run(&call);
    free(input);
    free(output);
    return good;
}

static void convert(const struct conversion *conversion, const void *from, void *to)
{
    layout_convert(&conversion->from, from, &conversion->to, to);
}

static bool run_converted(const struct step *step, unsigned char *scratch, struct error *error)
{
    size_t tensors = step->inputs + step->outputs;
    struct tensor *tensor = memory_copy(step->tensor, tensors, sizeof *tensor);
    bool good = true;

    for (size_t i = 0; i < step->befores; i++)
        convert(&step->before[i], step->tensor[step->before[i].tensor].data,
                scratch + step->before[i].scratch);
    redirect(tensor, step->before, step->befores, scratch);
    redirect(tensor, step->after, step->afters, scratch);
    if (step->kind == STEP_KERNEL)
        run_kernel(step, tensor, scratch);
    else
        good = run_call(step, tensor, error);
    for (size_t i = 0; i < step->afters; i++)
        convert(&step->after[i], scratch + step->after[i].scratch,
                step->tensor[step->after[i].tensor].data);
    free(tensor);
    return good && (step->kind != STEP_KERNEL || go_on(step, error));
}

bool step_run(const struct step *step, unsigned char *scratch, struct error *error)
{
    struct call call;

    if (step->kind == STEP_IDLE)
        return true;
    if (step->kind != STEP_OPERATOR || step->befores + step->afters > 0)
        return run_converted(step, scratch, error);
    call = step_call(step, error);
    return operator_run(&call);
}

/* --- what is only moved --- */

static int64_t conversion_bytes(const struct conversion *conversion)
{
    return layout_floats(&conversion->to) * (int64_t)sizeof(float);
}

/* What a concatenation, slice or view writes although it computes nothing.  */
static bool only_moves(const struct network_op *op)
{
    static const char *const names[] = {"Concat",  "Split",     "Slice",    "Reshape",   "Flatten",
                                        "Squeeze", "Unsqueeze", "Identity", "Transpose", "Expand"};

    if (op->control != NULL || op->computation->then != NULL)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(op->computation->name, names[i]) == 0)
            return true;
    return false;
}

/* Of a concatenation the inputs that lie in the output are not written again.  */
static int64_t moved_bytes(const struct step *step)
{
    const struct tensor *whole = step->output[0];
    bool join = strcmp(step->op->computation->name, "Concat") == 0;
    size_t count = join ? step->inputs : step->outputs;
    int64_t bytes = 0;

    for (size_t i = 0; i < count; i++) {
        const struct tensor *part = join ? step->input[i] : step->output[i];
        const char *begin = join ? whole->data : NULL, *at = part == NULL ? NULL : part->data;
        int64_t size = join ? tensor_elements(whole) * (int64_t)dtype_size(whole->dtype) : 0;

        if (part != NULL && !(join && at >= begin && at < begin + size))
            bytes += tensor_elements(part) * (int64_t)dtype_size(part->dtype);
    }
    return bytes;
}

static int64_t rows_bytes(const struct step *step)
{
    const struct conv_plan *plan = &step->convolution.plan;
    int64_t floats = 0;

    if (step->rows_before >= 0)
        floats += layout_floats(&plan->input);
    if (step->rows_after >= 0)
        floats += layout_floats(&plan->output);
    return floats * (int64_t)sizeof(float);
}

int64_t step_copied(const struct step *step)
{
    int64_t bytes = 0;

    if (step->kind == STEP_IDLE)
        return 0;
    for (size_t i = 0; i < step->befores; i++)
        bytes += conversion_bytes(&step->before[i]);
    for (size_t i = 0; i < step->afters; i++)
        bytes += conversion_bytes(&step->after[i]);
    if (step->kind == STEP_KERNEL && step->convolution.matrix)
        bytes += rows_bytes(step);
    if (step->kind == STEP_BODIES)
        bytes = capped_add(bytes, bodies_copied(step->bodies, step->input, step->output));
    return only_moves(step->op) ? bytes + moved_bytes(step) : bytes;
}
