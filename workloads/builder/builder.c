/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/builder/builder.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/reuse.h"
#include "workloads/builder/builder_private.h"

struct builder *builder_new(const char *name, enum dtype dtype)
{
    struct builder *b = memory_zalloc(1, sizeof *b);

    b->network = network_new(name);
    b->dtype = dtype;
    return b;
}

bool builder_failed(const struct builder *b)
{
    return b->error.text[0] != '\0';
}

struct network *builder_finish(struct builder *b, struct error *error)
{
    struct network *network = b->network;
    bool good =
        builder_failed(b) ? error_set(error, "%s", b->error.text) : network_check(network, error);

    assert(b->depth == 0);
    free(b);
    if (good)
        return network;
    network_free(network);
    return NULL;
}

void builder_fail(struct builder *b, const char *format, ...)
{
    va_list args;

    if (builder_failed(b))
        return;
    va_start(args, format);
    vsnprintf(b->error.text, sizeof b->error.text, format, args);
    va_end(args);
}

/* --- names --- */

static void push(struct builder *b, const char *format, va_list args)
{
    size_t used = strlen(b->prefix);
    int length;

    assert(b->depth < BUILDER_MAX_DEPTH);
    b->length[b->depth++] = used;
    length = vsnprintf(b->prefix + used, sizeof b->prefix - used, format, args);
    assert(length >= 0 && (size_t)length < sizeof b->prefix - used);
    (void)length;
}

void builder_push(struct builder *b, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    push(b, format, args);
    va_end(args);
}

void builder_push_shared(struct builder *b, const char *format, ...)
{
    va_list args;

    assert(b->shared_from == b->shared_to);
    b->shared_from = strlen(b->prefix);
    va_start(args, format);
    push(b, format, args);
    va_end(args);
    b->shared_to = strlen(b->prefix);
}

void builder_pop(struct builder *b)
{
    assert(b->depth > 0);
    b->prefix[b->length[--b->depth]] = '\0';
    if (strlen(b->prefix) < b->shared_to)
        b->shared_from = b->shared_to = 0;
}

static char *full_name(const struct builder *b, const char *name)
{
    return memory_printf("%s%s", b->prefix, name);
}

/* --- adding --- */

const struct value *builder_value(const struct builder *b, size_t x)
{
    return &b->network->value[x];
}

int64_t builder_dim(const struct builder *b, size_t x, int i)
{
    return builder_failed(b) ? 1 : builder_value(b, x)->dim[i];
}

size_t builder_input(struct builder *b, const char *name, int rank, const int64_t *dim)
{
    return network_add_value(b->network, name, VALUE_INPUT, b->dtype, rank, dim);
}

void builder_output(struct builder *b, size_t x)
{
    if (!builder_failed(b))
        network_mark_output(b->network, x);
}

/* The stored value called NAME, or NETWORK_NONE.  */
static size_t find_stored(const struct builder *b, const char *name)
{
    for (size_t v = 0; v < b->network->n_values; v++)
        if (b->network->value[v].producer == NETWORK_NONE &&
            strcmp(b->network->value[v].name, name) == 0)
            return v;
    return NETWORK_NONE;
}

size_t builder_add_stored(struct builder *b, const char *name, const char *what,
                          enum value_role role, int rank, const int64_t *dim)
{
    bool shared = b->shared_from < b->shared_to;
    char *full = memory_printf("%.*s%s%s.%s", (int)b->shared_from, b->prefix,
                               b->prefix + b->shared_to, name, what);
    size_t value = shared ? find_stored(b, full) : NETWORK_NONE;

    if (value == NETWORK_NONE)
        value = network_add_value(b->network, full, role, b->dtype, rank, dim);
    free(full);
    return value;
}

size_t builder_add_op(struct builder *b, const char *name, enum op_kind kind, const char *type,
                      const size_t *input, size_t inputs, int rank, const int64_t *dim)
{
    char *full = full_name(b, name);
    size_t op = network_add_op(b->network, full, kind, type, input, inputs);
    size_t value = network_add_output(b->network, op, full, b->dtype, rank, dim);

    reuse_infer(b->network, op);
    free(full);
    return value;
}

size_t builder_add_same(struct builder *b, const char *name, enum op_kind kind, const char *type,
                        size_t x)
{
    struct value shape;

    if (builder_failed(b))
        return NETWORK_NONE;
    shape = *builder_value(b, x);
    return builder_add_op(b, name, kind, type, &x, 1, shape.rank, shape.dim);
}

struct network_op *builder_maker(const struct builder *b, size_t value)
{
    return &b->network->op[builder_value(b, value)->producer];
}

struct computation *builder_computes(struct builder *b, size_t value, const char *name,
                                     int64_t version)
{
    size_t op = builder_value(b, value)->producer;
    struct computation *computation =
        computation_new(name, version, b->network->op[op].inputs, b->network->op[op].outputs);

    network_set_computation(b->network, op, computation);
    return computation;
}

bool builder_is_image(struct builder *b, const char *name, size_t x)
{
    if (!builder_failed(b) && builder_value(b, x)->rank != 4)
        builder_fail(b, "%s%s: its input has %d dimensions, expected 4", b->prefix, name,
                     builder_value(b, x)->rank);
    return !builder_failed(b);
}
