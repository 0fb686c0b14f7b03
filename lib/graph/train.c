/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/graph/train.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/computation.h"
#include "lib/graph/reuse.h"
#include "lib/graph/train_compute.h"
#include "lib/graph/train_private.h"

/* --- the forward pass --- */

static bool is_weight(const struct value *value)
{
    return value->role == VALUE_WEIGHT && dtype_is_real(value->dtype);
}

/* File order is topological.  */
static void find_needed(struct training *t)
{
    for (size_t v = 0; v < t->old->n_values; v++)
        t->needed[v] = is_weight(&t->old->value[v]);
    for (size_t o = 0; o < t->old->n_ops; o++) {
        const struct network_op *op = &t->old->op[o];
        bool needed = false;

        for (size_t i = 0; i < op->inputs && !needed; i++)
            needed = t->needed[op->input[i]];
        for (size_t i = 0; i < op->outputs; i++) {
            t->slot[op->output[i]] = i;
            t->needed[op->output[i]] = needed && dtype_is_real(t->old->value[op->output[i]].dtype);
        }
    }
}

static void forward(struct training *t)
{
    bool *gone = memory_zalloc(t->old->n_ops, sizeof *gone);

    network_copy_stored(t->network, t->old, gone, t->stored);
    for (size_t v = 0; v < t->old->n_values; v++)
        if (t->old->value[v].producer == NETWORK_NONE)
            t->network->value[t->stored[v]].output = false;
    for (size_t o = 0; o < t->old->n_ops; o++)
        training_copy(t, o, t->old->op[o].name);
    free(gone);
}

/* --- gradients --- */

/* The sum of two values of one shape, called NAME.  */
static size_t add_sum(struct network *network, const char *name, const size_t input[2])
{
    size_t op = network_add_op(network, name, OP_ELEMENTWISE, "add", input, 2);
    struct value shape = network->value[input[1]];
    size_t value = network_add_output(network, op, name, shape.dtype, shape.rank, shape.dim);

    reuse_infer(network, op);
    network_set_computation(network, op, computation_new("Add", 14, 2, 1));
    return value;
}

/* PART is a gradient of old value V, perhaps not the only one.  */
static void contribute(struct training *t, size_t v, size_t part)
{
    const size_t input[] = {t->gradient[v], part};
    char *name;

    if (t->gradient[v] == NETWORK_NONE) {
        t->gradient[v] = part;
        return;
    }
    name = memory_printf("%s.grad.sum%zu", t->old->value[v].name, ++t->parts[v]);
    t->gradient[v] = add_sum(t->network, name, input);
    free(name);
}

/* The output of gradient operator OP that is a gradient of old value V.  */
static size_t add_gradient(struct training *t, size_t op, size_t v)
{
    struct value like = t->old->value[v];
    char *name = t->parts[v] == 0 ? memory_printf("%s.grad", like.name)
                                  : memory_printf("%s.grad.%zu", like.name, t->parts[v]);
    size_t value = network_add_output(t->network, op, name, like.dtype, like.rank, like.dim);

    t->parts[v]++;
    free(name);
    return value;
}

struct reads {
    size_t *value;
    size_t gradients; /* of the outputs: they come first */
    size_t count;
};

/* What STEP of operator O reads after the gradients.  */
static void add_reads(const struct training *t, size_t o, const struct train_step *step,
                      struct reads *reads)
{
    const struct network_op *op = &t->old->op[o], *copy = &t->network->op[t->at[o]];

    reads->count = reads->gradients;
    for (size_t i = 0; i < op->inputs; i++)
        if (slot_in(step->inputs, i))
            reads->value[reads->count++] = training_now(t, op->input[i]);
    for (size_t i = 0; i < copy->outputs; i++)
        if (slot_in(step->outputs, i))
            reads->value[reads->count++] = copy->output[i];
}

/* A split or concatenation that has lost parts is none.  */
static enum op_kind kind_of(const struct training *t, size_t o, const struct train_step *step,
                            const struct reads *reads)
{
    const struct network_op *op = &t->old->op[o];

    if (step->kind == OP_CONCAT && reads->gradients < op->outputs)
        return OP_OTHER;
    for (size_t i = 0; step->kind == OP_SPLIT && i < op->inputs; i++)
        if (!t->needed[op->input[i]])
            return OP_OTHER;
    return step->kind;
}

static void do_step(struct training *t, size_t o, const struct train_step *step,
                    struct reads *reads)
{
    const struct network_op *op = &t->old->op[o];
    char *name = memory_printf("%s.%s", op->name, step->name);
    size_t *made = memory_alloc(op->inputs, sizeof *made), index;

    add_reads(t, o, step, reads);
    index = network_add_op(t->network, name, kind_of(t, o, step, reads), step->type, reads->value,
                           reads->count);
    t->network->op[index].macs = step->macs;
    if (step->replaces) {
        struct value like = t->old->value[op->output[0]];

        reads->value[0] =
            network_add_output(t->network, index, name, like.dtype, like.rank, like.dim);
        reads->gradients = 1;
    }
    for (size_t i = 0; i < op->inputs; i++)
        if (slot_in(step->makes, i) && t->needed[op->input[i]])
            made[i] = add_gradient(t, index, op->input[i]);
    reuse_infer(t->network, index);
    training_describe(t, o, step, index);
    for (size_t i = 0; i < op->inputs; i++)
        if (slot_in(step->makes, i) && t->needed[op->input[i]])
            contribute(t, op->input[i], made[i]);
    free(made);
    free(name);
}

/* The gradients of all that operator O reads, from those of its outputs.  */
static bool differentiate(struct training *t, size_t o, struct error *error)
{
    const struct network_op *op = &t->old->op[o];
    struct train_step any = {.makes = SLOTS_ALL};
    struct reads reads = {.gradients = 0};
    struct train_rule rule;

    if (!training_wants(t, o, &any))
        return true;
    reads.value = memory_alloc(2 * op->outputs + op->inputs + 2, sizeof *reads.value);
    for (size_t i = 0; i < op->outputs; i++)
        if (t->gradient[op->output[i]] != NETWORK_NONE)
            reads.value[reads.gradients++] = t->gradient[op->output[i]];
    if (reads.gradients > 0 && !train_rule(t->old, o, &rule)) {
        free(reads.value);
        return error_set(error, "network '%s': operator '%s': no gradient through a loop or branch",
                         t->old->name, op->name);
    }
    if (reads.gradients > 0) {
        for (size_t s = 0; s < rule.steps; s++)
            if (rule.step[s].replaces || training_wants(t, o, &rule.step[s]))
                do_step(t, o, &rule.step[s], &reads);
        for (size_t i = 0; i < op->inputs; i++)
            if (slot_in(rule.passes, i) && t->needed[op->input[i]])
                for (size_t g = 0; g < reads.gradients; g++)
                    contribute(t, op->input[i], reads.value[g]);
    }
    free(reads.value);
    return true;
}

/* --- the loss --- */

/* The dimension of prediction X that is the classes.  */
static int classes_of(const struct value *x)
{
    return x->rank < 2 ? 0 : x->rank == 3 ? 2 : 1;
}

/* The labels of prediction X: its shape without the classes.  */
static size_t add_labels(struct training *t, size_t number, const struct value *x)
{
    char *name = number == 0 ? memory_strdup("labels") : memory_printf("labels.%zu", number);
    int64_t dim[NETWORK_MAX_RANK];
    int rank = 0;
    size_t value;

    for (int i = 0; i < x->rank; i++)
        if (i != classes_of(x))
            dim[rank++] = x->dim[i];
    value = network_add_value(t->network, name, VALUE_INPUT, DTYPE_I64, rank, dim);
    free(name);
    return value;
}

/* Loss number NUMBER, of old output V: the loss and its gradient's operator,
 * which follows when the forward pass is over.  */
static size_t add_loss(struct training *t, size_t number, size_t v, size_t *reads)
{
    const struct value x = t->old->value[v];
    const bool softmax = x.producer != NETWORK_NONE && t->old->op[x.producer].kind == OP_SOFTMAX;
    char *name = number == 0 ? memory_strdup("loss") : memory_printf("loss.%zu", number);
    size_t input[] = {training_now(t, v), add_labels(t, number, &x)};
    size_t op = network_add_op(t->network, name, OP_OTHER, softmax ? "nll_loss" : "cross_entropy",
                               input, 2);
    size_t loss = network_add_output(t->network, op, name, x.dtype, 0, x.dim);

    if (!softmax) {
        char *saved = memory_printf("%s.log_softmax", name);

        input[0] = network_add_output(t->network, op, saved, x.dtype, x.rank, x.dim);
        t->network->value[input[0]].optional = true;
        free(saved);
    }
    network_set_computation(t->network, op, train_compute_loss(softmax, classes_of(&x)));
    reads[0] = input[0];
    reads[1] = input[1];
    free(name);
    return loss;
}

/* Losses, their sum, and the gradients of the outputs.  */
static bool losses(struct training *t, struct error *error)
{
    size_t total = NETWORK_NONE, count = 0, (*reads)[2];
    const struct network *old = t->old;

    reads = memory_alloc(old->n_values, sizeof *reads);
    for (size_t v = 0; v < old->n_values; v++) {
        size_t pair[2] = {total, NETWORK_NONE};
        char *name;

        if (!old->value[v].output || !t->needed[v])
            continue;
        pair[1] = add_loss(t, count, v, reads[v]);
        name = memory_printf("loss.sum%zu", count++);
        total = total == NETWORK_NONE ? pair[1] : add_sum(t->network, name, pair);
        free(name);
    }
    if (total != NETWORK_NONE)
        network_mark_output(t->network, total);
    for (size_t v = old->n_values; v-- > 0 && total != NETWORK_NONE;)
        if (old->value[v].output && t->needed[v]) {
            char *name = memory_printf("%s.loss_grad", old->value[v].name);
            size_t op = network_add_op(t->network, name, OP_OTHER, "loss_grad", reads[v], 2);
            size_t loss = t->network->value[reads[v][1]].reader[0];

            network_set_computation(t->network, op,
                                    train_compute_loss_gradient(t->network->op[loss].computation));
            contribute(t, v, add_gradient(t, op, v));
            free(name);
        }
    free(reads);
    if (total != NETWORK_NONE)
        return true;
    return error_set(error, "network '%s': no trained weight leads to an output", old->name);
}

/* --- the optimiser --- */

static void update(struct training *t, size_t v)
{
    static const char *const type[] = {"sgd", "momentum", "adam"};
    static const char *const state[] = {"momentum", "exp_avg", "exp_avg_sq"};
    const enum optimizer optimizer = t->options->optimizer;
    const size_t first = optimizer == OPTIMIZER_ADAM ? 1 : 0;
    struct value weight = t->old->value[v];
    size_t input[4] = {t->stored[v], t->gradient[v]}, inputs = 2, op;
    char *name;

    if (t->gradient[v] == NETWORK_NONE)
        return;
    for (size_t i = first; i < first + (size_t)optimizer; i++) {
        name = memory_printf("%s.%s", weight.name, state[i]);
        input[inputs++] = network_add_value(t->network, name, VALUE_STATISTIC, weight.dtype,
                                            weight.rank, weight.dim);
        free(name);
    }
    name = memory_printf("%s.update", weight.name);
    op = network_add_op(t->network, name, OP_OTHER, type[optimizer], input, inputs);
    network_add_output(t->network, op, name, weight.dtype, 1, (const int64_t[]){0});
    network_set_computation(t->network, op, train_compute_update(optimizer));
    free(name);
}

/* Updates the weights whose gradients are complete: O is the first operator
 * that reads them, so the last one to contribute.  */
static void update_ready(struct training *t, size_t o)
{
    const struct network_op *op = &t->old->op[o];

    for (size_t i = 0; i < op->inputs; i++) {
        const struct value *value = &t->old->value[op->input[i]];
        bool again = false;

        for (size_t j = 0; j < i; j++)
            again = again || op->input[j] == op->input[i];
        if (is_weight(value) && value->reader[0] == o && !again)
            update(t, op->input[i]);
    }
}

/* --- all of it --- */

static bool backward(struct training *t, struct error *error)
{
    for (size_t o = t->old->n_ops; o-- > 0;) {
        if (o + 1 == t->old->n_ops || t->segment[o] != t->segment[o + 1])
            training_again(t, o);
        if (!differentiate(t, o, error))
            return false;
        if (t->options->eager)
            update_ready(t, o);
    }
    for (size_t v = 0; v < t->old->n_values && !t->options->eager; v++)
        if (is_weight(&t->old->value[v]))
            update(t, v);
    return true;
}

static void start(struct training *t, const struct network *old,
                  const struct train_options *options)
{
    const size_t ops = old->n_ops, values = old->n_values;

    *t = (struct training){
        .old = old,
        .network = network_new(old->name),
        .options = options,
        .stored = memory_alloc(values, sizeof *t->stored),
        .at = memory_alloc(ops, sizeof *t->at),
        .slot = memory_zalloc(values, sizeof *t->slot),
        .needed = memory_zalloc(values, sizeof *t->needed),
        .gradient = memory_alloc(values, sizeof *t->gradient),
        .parts = memory_zalloc(values, sizeof *t->parts),
        .segment = memory_zalloc(ops, sizeof *t->segment),
        .kept = memory_zalloc(values, sizeof *t->kept),
    };
    for (size_t o = 0; o < ops; o++)
        t->at[o] = NETWORK_NONE;
    for (size_t v = 0; v < values; v++)
        t->gradient[v] = t->stored[v] = NETWORK_NONE;
}

static void finish(struct training *t)
{
    free(t->stored);
    free(t->at);
    free(t->slot);
    free(t->needed);
    free(t->gradient);
    free(t->parts);
    free(t->segment);
    free(t->kept);
}

struct network *network_train(struct network *network, const struct train_options *options,
                              struct error *error)
{
    struct training t;
    bool good;

    start(&t, network, options);
    find_needed(&t);
    training_cut(&t);
    forward(&t);
    good = losses(&t, error) && backward(&t, error) && network_check(t.network, error);
    finish(&t);
    network_free(network);
    if (good)
        return t.network;
    network_free(t.network);
    return NULL;
}
