/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/graph/train_rules.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/train_compute.h"

bool slot_in(slot_set set, size_t slot)
{
    return (set >> (slot < 63 ? slot : 63) & 1) != 0;
}

static bool is_word(const char *word, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

static struct train_step *add(struct train_rule *rule, struct train_step step)
{
    rule->step[rule->steps] = step;
    return &rule->step[rule->steps++];
}

static const struct value *input_of(const struct network *network, const struct network_op *op,
                                    size_t slot)
{
    return &network->value[op->input[slot]];
}

static bool same_shape(const struct value *x, const struct value *y)
{
    return x->rank == y->rank && memcmp(x->dim, y->dim, (size_t)x->rank * sizeof x->dim[0]) == 0;
}

/* Whether input SLOT has the shape of the output, so that it is not repeated.  */
static bool is_full(const struct network *network, const struct network_op *op, size_t slot)
{
    return same_shape(input_of(network, op, slot), &network->value[op->output[0]]);
}

/* Needs the output and not the input.  */
static bool from_output(const char *activation)
{
    static const char *const words[] = {"relu",    "relu6", "clip",         "leaky_relu",
                                        "sigmoid", "tanh",  "hard_sigmoid", NULL};

    return is_word(activation, words);
}

/* An activation fused into an operator.  Where its gradient needs its input,
 * which is nowhere, it is made again, within the same step.  */
static void fused_activation(const struct network_op *op, struct train_rule *rule)
{
    struct train_step step = {"grad_activation", "activation_grad", OP_ELEMENTWISE,
                              .replaces = true};

    if (from_output(op->activation)) {
        step.outputs = SLOT(0);
    } else {
        step.kind = OP_OTHER;
        step.inputs = SLOTS_ALL;
        step.macs = op->macs;
    }
    add(rule, step);
}

/* The weights' gradients first: the input is free then.  */
static void layer(const struct network_op *op, struct train_rule *rule)
{
    bool conv = op->kind == OP_CONV;

    add(rule,
        (struct train_step){"grad_weight", conv ? "conv_grad_weight" : "linear_grad_weight",
                            OP_OTHER, .inputs = SLOT(0), .makes = ~SLOT(0), .macs = op->macs});
    add(rule, (struct train_step){"grad_input", conv ? "conv_grad_input" : "linear_grad_input",
                                  OP_OTHER, .inputs = SLOT(1), .makes = SLOT(0), .macs = op->macs});
}

/* The last resort.  */
static void everything(const struct network_op *op, struct train_rule *rule)
{
    add(rule, (struct train_step){"grad", "grad", OP_OTHER, SLOTS_ALL, SLOTS_ALL, SLOTS_ALL,
                                  .macs = 2 * op->macs});
}

/* Scale and saved statistics, which train_forward adds.  */
static void normalisation(struct train_rule *rule)
{
    add(rule, (struct train_step){"grad", "norm_grad", OP_OTHER, .inputs = SLOT(0) | SLOT(1),
                                  .outputs = SLOT(1) | SLOT(2), .makes = SLOTS_ALL});
}

/* Inputs after the first are limits, of a clip.  */
static void activation(const struct network_op *op, struct train_rule *rule)
{
    bool output = from_output(op->type);

    add(rule, (struct train_step){"grad", "activation_grad", OP_ELEMENTWISE,
                                  .inputs = output ? ~SLOT(0) : SLOTS_ALL,
                                  .outputs = output ? SLOT(0) : SLOTS_NONE, .makes = SLOT(0)});
}

/* Reads nothing of the forward pass.  */
static void linear(struct train_rule *rule, enum op_kind kind, const char *type, slot_set makes)
{
    add(rule, (struct train_step){"grad", type, kind, .makes = makes});
}

/* The gradients of a sum are that of the result, summed where an input is
 * repeated; a step of its own where it is not negated.  */
static void sum(const struct network *network, const struct network_op *op, struct train_rule *rule,
                bool difference)
{
    slot_set reduced = SLOTS_NONE;

    for (size_t i = 0; i < op->inputs; i++)
        if (is_full(network, op, i) && !(difference && i == 1))
            rule->passes |= SLOT(i < 63 ? i : 63);
        else if (!difference)
            reduced |= SLOT(i < 63 ? i : 63);
    if (reduced != SLOTS_NONE)
        linear(rule, OP_OTHER, "reduce_sum", reduced);
    if (difference)
        linear(rule, is_full(network, op, 1) ? OP_ELEMENTWISE : OP_OTHER, "neg",
               SLOT(1) | (is_full(network, op, 0) ? SLOTS_NONE : SLOT(0)));
}

static void product(const struct network *network, const struct network_op *op,
                    struct train_rule *rule)
{
    static const char *const name[] = {"grad_first", "grad_second"};

    for (size_t i = 0; i < 2; i++)
        add(rule, (struct train_step){name[i], "mul_grad",
                                      is_full(network, op, i) ? OP_ELEMENTWISE : OP_OTHER,
                                      .inputs = SLOT(1 - i), .makes = SLOT(i)});
}

static void elementwise(const struct network *network, const struct network_op *op,
                        struct train_rule *rule)
{
    static const char *const sums[] = {"add", "sum", "bias_add", NULL};
    static const char *const plain[] = {"scale", "causal_mask", "neg", NULL};

    if (is_word(op->type, sums) && op->inputs < 63)
        sum(network, op, rule, false);
    else if (strcmp(op->type, "sub") == 0 && op->inputs == 2)
        sum(network, op, rule, true);
    else if (strcmp(op->type, "mul") == 0 && op->inputs == 2)
        product(network, op, rule);
    else if (op->inputs == 1 && is_word(op->type, plain))
        linear(rule, OP_ELEMENTWISE, "activation_grad", SLOT(0));
    else
        everything(op, rule);
}

static void pool(const struct network_op *op, struct train_rule *rule)
{
    slot_set needs = strstr(op->type, "max") != NULL ? SLOT(0) : SLOTS_NONE;

    add(rule, (struct train_step){"grad", "pool_grad", OP_OTHER, .inputs = needs, .outputs = needs,
                                  .makes = SLOT(0)});
}

static void matmul(const struct network_op *op, struct train_rule *rule)
{
    add(rule, (struct train_step){"grad_first", "matmul", OP_OTHER, .inputs = SLOT(1),
                                  .makes = SLOT(0), .macs = op->macs});
    add(rule, (struct train_step){"grad_second", "matmul", OP_OTHER, .inputs = SLOT(0),
                                  .makes = SLOT(1), .macs = op->macs});
}

static bool is_norm(const struct network_op *op)
{
    static const char *const words[] = {"layer_norm", "instance_norm", NULL};

    return op->kind == OP_BATCH_NORM || (op->kind == OP_OTHER && is_word(op->type, words));
}

static bool is_dropout(const struct network_op *op)
{
    return strcmp(op->type, "dropout") == 0;
}

static void other(const struct network_op *op, struct train_rule *rule)
{
    static const char *const movers[] = {"transpose", "slice",      "upsample", "resize",
                                         "pad",       "expand",     "tile",     "reduce_mean",
                                         "mean",      "reduce_sum", "crop",     "shuffle_channel",
                                         "cast",      "interp",     NULL};

    if (is_norm(op))
        normalisation(rule);
    else if (strcmp(op->type, "matmul") == 0 && op->inputs == 2)
        matmul(op, rule);
    else if (strcmp(op->type, "gather") == 0)
        add(rule, (struct train_step){"grad", "gather_grad", OP_OTHER, .inputs = SLOT(1),
                                      .makes = SLOT(0)});
    else if (is_word(op->type, movers))
        linear(rule, OP_OTHER, "move_grad", SLOT(0));
    else
        everything(op, rule);
}

bool train_rule(const struct network *network, size_t index, struct train_rule *rule)
{
    const struct network_op *op = &network->op[index];

    *rule = (struct train_rule){.steps = 0};
    if (op->activation != NULL)
        fused_activation(op, rule);
    switch (op->kind) {
    case OP_CONV:
    case OP_LINEAR:
        layer(op, rule);
        break;
    case OP_BATCH_NORM:
        normalisation(rule);
        break;
    case OP_ACTIVATION:
        activation(op, rule);
        break;
    case OP_ELEMENTWISE:
        elementwise(network, op, rule);
        break;
    case OP_POOL:
        pool(op, rule);
        break;
    case OP_LRN:
        add(rule, (struct train_step){"grad", "lrn_grad", OP_OTHER, SLOT(0), SLOT(0), SLOT(0),
                                      .macs = 0});
        break;
    case OP_SOFTMAX:
        add(rule, (struct train_step){"grad", "softmax_grad", OP_OTHER, .outputs = SLOT(0),
                                      .makes = SLOT(0)});
        break;
    case OP_CONCAT:
        linear(rule, OP_SPLIT, "split", SLOTS_ALL);
        break;
    case OP_SPLIT:
        linear(rule, OP_CONCAT, "concat", SLOT(0));
        break;
    case OP_ALIAS:
        if (is_dropout(op))
            add(rule, (struct train_step){"grad", "dropout_grad", OP_ELEMENTWISE,
                                          .outputs = SLOT(1), .makes = SLOT(0)});
        else if (op->outputs > 1) /* copies of the input */
            rule->passes = SLOT(0);
        else
            linear(rule, OP_ALIAS, "reshape", SLOT(0));
        break;
    case OP_OTHER:
        other(op, rule);
        break;
    case OP_LOOP:
    case OP_BRANCH:
        return false;
    }
    return true;
}

/* --- the forward pass in training --- */

static void save(struct network *network, size_t op, const char *what, enum dtype dtype, int rank,
                 const int64_t *dim)
{
    char *name = memory_printf("%s.%s", network->op[op].name, what);
    size_t value = network_add_output(network, op, name, dtype, rank, dim);

    network->value[value].optional = true;
    free(name);
}

/* A mean and a deviation for each channel, for each channel of each image, or
 * for each row.  */
static void save_statistics(struct network *network, size_t op)
{
    struct value x = network->value[network->op[op].input[0]];
    bool batch = network->op[op].kind == OP_BATCH_NORM;
    int rank = batch ? 1 : strcmp(network->op[op].type, "instance_norm") == 0 ? 2 : x.rank - 1;

    if (x.rank < 2)
        return;
    save(network, op, "mean", x.dtype, rank, batch ? &x.dim[1] : x.dim);
    save(network, op, "rstd", x.dtype, rank, batch ? &x.dim[1] : x.dim);
    network_set_computation(network, op, train_compute_norm(network->op[op].computation));
}

void train_forward(struct network *network, size_t copy)
{
    struct network_op *op = &network->op[copy];

    if (op->inputs == 0)
        return;
    if (is_dropout(op)) {
        struct value x = network->value[op->input[0]];

        op->kind = OP_OTHER;
        op->reuses = 0;
        network_set_computation(network, copy, NULL); /* a mask is drawn, and nothing here draws */
        if (op->outputs == 1)
            save(network, copy, "mask", DTYPE_BOOL, x.rank, x.dim);
    } else if (is_norm(op) && op->outputs == 1) {
        save_statistics(network, copy);
    }
}
