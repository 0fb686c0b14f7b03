/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/graph/network.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/names.h"
#include "lib/graph/computation.h"
#include "lib/graph/control.h"
#include "lib/graph/elements.h"

struct network *network_new(const char *name)
{
    struct network *network = memory_zalloc(1, sizeof *network);

    network->name = memory_strdup(name);
    return network;
}

void network_free(struct network *network)
{
    if (network == NULL)
        return;
    for (size_t o = 0; o < network->n_ops; o++) {
        free(network->op[o].name);
        free(network->op[o].input);
        free(network->op[o].output);
        free(network->op[o].reuse);
        control_free(network->op[o].control);
        computation_free(network->op[o].computation);
    }
    for (size_t v = 0; v < network->n_values; v++) {
        free(network->value[v].name);
        free(network->value[v].reader);
        elements_release(network->value[v].elements);
    }
    free(network->op);
    free(network->value);
    free(network->name);
    free(network);
}

/* A copy of a vector that may grow, which has no room to spare, whatever the
 * original has.  */
static void *duplicate_vector(const void *block, size_t count, size_t size, size_t *capacity)
{
    *capacity = count;
    return memory_copy(block, count, size);
}

struct network *network_copy(const struct network *network)
{
    struct network *copy = network_new(network->name);

    copy->n_ops = network->n_ops;
    copy->op = duplicate_vector(network->op, copy->n_ops, sizeof *copy->op, &copy->ops_capacity);
    for (size_t o = 0; o < copy->n_ops; o++) {
        struct network_op *op = &copy->op[o];

        op->name = memory_strdup(op->name);
        op->input = memory_copy(op->input, op->inputs, sizeof *op->input);
        op->output =
            duplicate_vector(op->output, op->outputs, sizeof *op->output, &op->output_capacity);
        op->reuse = duplicate_vector(op->reuse, op->reuses, sizeof *op->reuse, &op->reuse_capacity);
        op->control = op->control == NULL ? NULL : control_copy(op->control);
        op->computation = computation_copy(op->computation);
    }
    copy->n_values = network->n_values;
    copy->value = duplicate_vector(network->value, copy->n_values, sizeof *copy->value,
                                   &copy->values_capacity);
    for (size_t v = 0; v < copy->n_values; v++) {
        struct value *value = &copy->value[v];

        value->name = memory_strdup(value->name);
        elements_hold(value->elements);
        value->reader = duplicate_vector(value->reader, value->readers, sizeof *value->reader,
                                         &value->reader_capacity);
    }
    return copy;
}

size_t network_add_value(struct network *network, const char *name, enum value_role role,
                         enum dtype dtype, int rank, const int64_t *dim)
{
    struct value *value;

    network->value = memory_grow(network->value, &network->values_capacity, network->n_values + 1,
                                 sizeof *network->value);
    value = &network->value[network->n_values];
    *value = (struct value){
        .name = memory_strdup(name),
        .role = role,
        .dtype = dtype,
        .rank = rank,
        .producer = NETWORK_NONE,
    };
    for (int i = 0; i < rank && i < NETWORK_MAX_RANK; i++)
        value->dim[i] = dim[i];
    return network->n_values++;
}

size_t network_add_op(struct network *network, const char *name, enum op_kind kind,
                      const char *type, const size_t *input, size_t inputs)
{
    size_t index = network->n_ops;
    struct network_op *op;

    network->op = memory_grow(network->op, &network->ops_capacity, index + 1, sizeof *network->op);
    op = &network->op[index];
    *op = (struct network_op){
        .name = memory_strdup(name),
        .kind = kind,
        .type = type,
        .inputs = inputs,
        .input = memory_alloc(inputs, sizeof *input),
    };
    for (size_t i = 0; i < inputs; i++) {
        struct value *value = &network->value[input[i]];

        op->input[i] = input[i];
        value->reader = memory_grow(value->reader, &value->reader_capacity, value->readers + 1,
                                    sizeof *value->reader);
        value->reader[value->readers++] = index;
    }
    network->n_ops++;
    return index;
}

size_t network_add_output(struct network *network, size_t op, const char *name, enum dtype dtype,
                          int rank, const int64_t *dim)
{
    size_t index = network_add_value(network, name, VALUE_ACTIVATION, dtype, rank, dim);
    struct network_op *producer = &network->op[op];

    assert(op < network->n_ops);
    network->value[index].producer = op;
    producer->output = memory_grow(producer->output, &producer->output_capacity,
                                   producer->outputs + 1, sizeof index);
    producer->output[producer->outputs++] = index;
    return index;
}

void network_add_reuse(struct network *network, size_t op, struct op_reuse reuse)
{
    struct network_op *user = &network->op[op];

    assert(op < network->n_ops);
    for (size_t i = 0; i < user->reuses; i++)
        if (user->reuse[i].kind == reuse.kind && user->reuse[i].input == reuse.input &&
            user->reuse[i].output == reuse.output && user->reuse[i].offset == reuse.offset)
            return;
    user->reuse = memory_grow(user->reuse, &user->reuse_capacity, user->reuses + 1, sizeof reuse);
    user->reuse[user->reuses++] = reuse;
}

void network_mark_output(struct network *network, size_t value)
{
    assert(value < network->n_values);
    network->value[value].output = true;
}

void network_set_control(struct network *network, size_t op, struct control *control)
{
    assert(op < network->n_ops && network->op[op].control == NULL);
    network->op[op].control = control;
}

void network_set_computation(struct network *network, size_t op, struct computation *computation)
{
    assert(op < network->n_ops);
    computation_free(network->op[op].computation);
    network->op[op].computation = computation;
}

void network_set_elements(struct network *network, size_t value, struct elements *elements)
{
    assert(value < network->n_values);
    elements_release(network->value[value].elements);
    network->value[value].elements = elements;
}

size_t network_copy_value(struct network *network, const struct value *value)
{
    size_t copy =
        network_add_value(network, value->name, value->role, value->dtype, value->rank, value->dim);

    network->value[copy].output = value->output;
    network->value[copy].optional = value->optional;
    network->value[copy].workspace = value->workspace;
    network->value[copy].elements = elements_hold(value->elements);
    return copy;
}

void network_copy_stored(struct network *network, const struct network *old, const bool *gone,
                         size_t *map)
{
    for (size_t v = 0; v < old->n_values; v++) {
        const struct value *value = &old->value[v];
        bool kept = value->readers == 0 || value->role == VALUE_INPUT || value->output;

        if (value->producer != NETWORK_NONE)
            continue;
        for (size_t i = 0; i < value->readers && !kept; i++)
            kept = !gone[value->reader[i]];
        if (kept)
            map[v] = network_copy_value(network, value);
    }
}

size_t network_copy_op(struct network *network, const struct network_op *op, const size_t *input,
                       size_t inputs)
{
    size_t copy = network_add_op(network, op->name, op->kind, op->type, input, inputs);

    network->op[copy].conv = op->conv;
    network->op[copy].channels_last = op->channels_last;
    network->op[copy].activation = op->activation;
    network->op[copy].macs = op->macs;
    for (size_t i = 0; i < op->reuses; i++)
        network_add_reuse(network, copy, op->reuse[i]);
    if (op->control != NULL)
        network_set_control(network, copy, control_copy(op->control));
    network->op[copy].computation = computation_copy(op->computation);
    return copy;
}

size_t network_copy_output(struct network *network, size_t op, const struct value *value,
                           const char *name)
{
    size_t copy = network_add_output(network, op, name, value->dtype, value->rank, value->dim);

    network->value[copy].output = value->output;
    network->value[copy].optional = value->optional;
    network->value[copy].workspace = value->workspace;
    return copy;
}

int network_channel_axis(const struct network *network, const struct network_op *op)
{
    assert(op->kind == OP_CONV && op->outputs > 0);
    return op->channels_last ? network->value[op->output[0]].rank - 1 : 1;
}

void network_make_names_unique(struct network *network)
{
    size_t count = network->n_ops > network->n_values ? network->n_ops : network->n_values;
    char ***slot = memory_alloc(count, sizeof *slot);

    for (size_t o = 0; o < network->n_ops; o++)
        slot[o] = &network->op[o].name;
    names_make_unique(slot, network->n_ops);
    for (size_t v = 0; v < network->n_values; v++)
        slot[v] = &network->value[v].name;
    names_make_unique(slot, network->n_values);
    free(slot);
}

/* --- sizes --- */

size_t dtype_size(enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_I8:
    case DTYPE_U8:
    case DTYPE_BOOL:
        return 1;
    case DTYPE_F16:
    case DTYPE_I16:
    case DTYPE_BF16:
    case DTYPE_U16:
        return 2;
    case DTYPE_F32:
    case DTYPE_I32:
    case DTYPE_U32:
        return 4;
    case DTYPE_I64:
    case DTYPE_F64:
    case DTYPE_U64:
    case DTYPE_C64:
        return 8;
    case DTYPE_C128:
        return 16;
    }
    return 0;
}

const char *dtype_name(enum dtype dtype)
{
    static const char *const names[] = {
        [DTYPE_F32] = "f32",   [DTYPE_F16] = "f16",   [DTYPE_I8] = "i8",     [DTYPE_U8] = "u8",
        [DTYPE_I16] = "i16",   [DTYPE_I32] = "i32",   [DTYPE_I64] = "i64",   [DTYPE_F64] = "f64",
        [DTYPE_BOOL] = "bool", [DTYPE_BF16] = "bf16", [DTYPE_U16] = "u16",   [DTYPE_U32] = "u32",
        [DTYPE_U64] = "u64",   [DTYPE_C64] = "c64",   [DTYPE_C128] = "c128",
    };

    return names[dtype];
}

bool dtype_is_real(enum dtype dtype)
{
    return dtype == DTYPE_F32 || dtype == DTYPE_F16 || dtype == DTYPE_F64 || dtype == DTYPE_BF16;
}

/* To be asked first, so that the other dimensions cannot overflow.  */
static bool is_empty(const struct value *value)
{
    for (int i = 0; i < value->rank; i++)
        if (value->dim[i] == 0)
            return true;
    return false;
}

/* A scalar has rank 0 and one element.  */
bool value_same_type(const struct value *x, const struct value *y)
{
    return x->dtype == y->dtype && x->rank == y->rank &&
           memcmp(x->dim, y->dim, (size_t)x->rank * sizeof *x->dim) == 0;
}

int64_t value_elements(const struct value *value)
{
    int64_t elements = is_empty(value) ? 0 : 1;

    for (int i = 0; i < value->rank; i++)
        elements *= value->dim[i];
    return elements;
}

bool value_measure(const struct value *value, int64_t *bytes)
{
    *bytes = is_empty(value) ? 0 : (int64_t)dtype_size(value->dtype);
    for (int i = 0; i < value->rank; i++)
        if (!checked_mul(*bytes, value->dim[i], bytes))
            return false;
    return true;
}

int64_t value_bytes(const struct value *value)
{
    return value_elements(value) * (int64_t)dtype_size(value->dtype);
}

bool network_sum_macs(const struct network *network, int64_t *macs)
{
    *macs = 0;
    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];
        int64_t inside = 0;

        if (op->control != NULL && !control_macs(op->control, &inside))
            return false;
        if (!checked_add(*macs, op->macs, macs) || !checked_add(*macs, inside, macs))
            return false;
    }
    return true;
}

bool network_sum_parameters(const struct network *network, int64_t *parameters)
{
    *parameters = 0;
    for (size_t v = 0; v < network->n_values; v++)
        if (network->value[v].role == VALUE_WEIGHT &&
            !checked_add(*parameters, value_elements(&network->value[v]), parameters))
            return false;
    for (size_t o = 0; o < network->n_ops; o++) {
        int64_t inside = 0;

        if (network->op[o].control != NULL &&
            (!control_parameters(network->op[o].control, &inside) ||
             !checked_add(*parameters, inside, parameters)))
            return false;
    }
    return true;
}

int64_t network_macs(const struct network *network)
{
    int64_t macs;

    network_sum_macs(network, &macs);
    return macs;
}

int64_t network_parameters(const struct network *network)
{
    int64_t parameters;

    network_sum_parameters(network, &parameters);
    return parameters;
}
