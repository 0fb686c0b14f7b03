/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/graph/reuse.h"

#include "lib/graph/network.h"

/* Where the part of WHOLE that starts at index START and has PART's shape lies,
 * in bytes, if it is one stretch: all dimensions before the last one that it
 * does not fill are 1 in it.  */
static bool find_stretch(const struct value *whole, const struct value *part, const int64_t *start,
                         int64_t *offset)
{
    int64_t stride = (int64_t)dtype_size(whole->dtype);
    bool cut = false;

    *offset = 0;
    if (part->rank != whole->rank || dtype_size(part->dtype) != dtype_size(whole->dtype))
        return false;
    for (int i = whole->rank - 1; i >= 0; i--) {
        if (start[i] < 0 || part->dim[i] > whole->dim[i] - start[i])
            return false;
        if (cut && part->dim[i] != 1)
            return false;
        cut = cut || part->dim[i] != whole->dim[i];
        *offset += start[i] * stride;
        stride *= whole->dim[i];
    }
    return true;
}

/* The only dimension in which PART and WHOLE differ; -1: none; -2: there are
 * several.  */
static int cut_dimension(const struct value *whole, const struct value *part)
{
    int cut = -1;

    if (part->rank != whole->rank)
        return -2;
    for (int i = 0; i < whole->rank; i++)
        if (part->dim[i] != whole->dim[i]) {
            if (cut >= 0)
                return -2;
            cut = i;
        }
    return cut;
}

/* Adds the facts of an operator whose parts (inputs of a concatenation,
 * outputs of a split) stand one after the other in its whole.  */
static void infer_parts(struct network *network, size_t index, enum reuse kind)
{
    const struct network_op *op = &network->op[index];
    bool join = kind == REUSE_PLACE;
    size_t parts = join ? op->inputs : op->outputs;
    const struct value *whole = &network->value[join ? op->output[0] : op->input[0]];
    int64_t start[NETWORK_MAX_RANK] = {0};
    int axis = -1;

    for (size_t i = 0; i < parts; i++) {
        const struct value *part = &network->value[join ? op->input[i] : op->output[i]];
        int cut = cut_dimension(whole, part);

        if (cut == -2 || (axis >= 0 && cut >= 0 && cut != axis))
            return;
        axis = cut >= 0 ? cut : axis;
    }
    for (size_t i = 0; i < parts; i++) {
        const struct value *part = &network->value[join ? op->input[i] : op->output[i]];
        struct op_reuse reuse = {.kind = kind, .input = join ? i : 0, .output = join ? 0 : i};

        if (find_stretch(whole, part, start, &reuse.offset))
            network_add_reuse(network, index, reuse);
        if (axis >= 0)
            start[axis] += part->dim[axis];
    }
}

static bool same_elements(const struct value *x, const struct value *y)
{
    if (x->rank != y->rank || dtype_size(x->dtype) != dtype_size(y->dtype))
        return false;
    for (int i = 0; i < x->rank; i++)
        if (x->dim[i] != y->dim[i])
            return false;
    return true;
}

/* Element by element from the first COUNT inputs to the first output.  */
static void infer_overwrites(struct network *network, size_t index, size_t count)
{
    const struct network_op *op = &network->op[index];

    for (size_t i = 0; i < count && i < op->inputs; i++)
        if (same_elements(&network->value[op->input[i]], &network->value[op->output[0]]))
            network_add_reuse(network, index, (struct op_reuse){REUSE_OVERWRITE, i, 0, 0});
}

/* A file may say sizes that overflow; nobody has checked the network yet.  */
static void infer_aliases(struct network *network, size_t index)
{
    const struct network_op *op = &network->op[index];
    int64_t size, other;

    if (!value_measure(&network->value[op->input[0]], &size))
        return;
    for (size_t i = 0; i < op->outputs; i++)
        if (value_measure(&network->value[op->output[i]], &other) && other == size)
            network_add_reuse(network, index, (struct op_reuse){REUSE_FORWARD, 0, i, 0});
}

void reuse_infer(struct network *network, size_t op)
{
    const struct network_op *user = &network->op[op];

    if (user->inputs == 0 || user->outputs == 0)
        return;
    switch (user->kind) {
    case OP_ALIAS:
        infer_aliases(network, op);
        break;
    case OP_BATCH_NORM:
    case OP_ACTIVATION:
    case OP_SOFTMAX:
        infer_overwrites(network, op, 1);
        break;
    case OP_ELEMENTWISE:
        infer_overwrites(network, op, user->inputs);
        break;
    case OP_CONCAT:
        infer_parts(network, op, REUSE_PLACE);
        break;
    case OP_SPLIT:
        infer_parts(network, op, REUSE_FORWARD);
        break;
    case OP_CONV:
    case OP_LINEAR:
    case OP_POOL:
    case OP_LRN:
    case OP_LOOP:
    case OP_BRANCH:
    case OP_OTHER:
        break;
    }
}

bool reuse_slice(struct network *network, size_t op, size_t input, size_t output,
                 const int64_t *start)
{
    const struct network_op *slice = &network->op[op];
    struct op_reuse reuse = {REUSE_FORWARD, input, output, 0};

    if (!find_stretch(&network->value[slice->input[input]], &network->value[slice->output[output]],
                      start, &reuse.offset))
        return false;
    network_add_reuse(network, op, reuse);
    return true;
}

void reuse_computes(struct network_op *op)
{
    size_t kept = 0;

    for (size_t i = 0; i < op->reuses; i++) {
        struct op_reuse reuse = op->reuse[i];

        if (reuse.kind == REUSE_PLACE)
            continue;
        if (reuse.kind == REUSE_FORWARD)
            reuse.kind = REUSE_OVERWRITE;
        op->reuse[kept++] = reuse;
    }
    op->reuses = kept;
}
