/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/explain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"

/* --- finding --- */

/* "'n6' is an operator: it makes 'r6'".  */
static bool is_operator(const struct network *network, const char *name, struct error *error)
{
    for (size_t o = 0; network != NULL && o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];

        if (strcmp(op->name, name) != 0)
            continue;
        error_set(error, "'%.80s' is an operator (%s)%s%.80s%s%.80s%s; expected a value", name,
                  op->type, op->inputs > 0 ? ", it reads '" : "",
                  op->inputs > 0 ? network->value[op->input[0]].name : "",
                  op->outputs == 0 ? ""
                  : op->inputs > 0 ? "' and makes '"
                                   : ", it makes '",
                  op->outputs > 0 ? network->value[op->output[0]].name : "",
                  op->inputs + op->outputs > 0 ? "'" : "");
        return true;
    }
    return false;
}

static bool unknown(const struct instance *instance, const char *name, struct error *error)
{
    const struct network *network = instance->origin != NULL ? instance->origin->network : NULL;
    size_t values = network != NULL ? network->n_values : 0, count = 0;
    const char **names;

    if (is_operator(network, name, error))
        return error_prefix(error, "%s", instance->name);
    names = memory_alloc(values + instance->n, sizeof *names);
    for (size_t v = 0; v < values; v++)
        if (network->value[v].role != VALUE_WEIGHT)
            names[count++] = network->value[v].name;
    for (size_t b = 0; b < instance->n; b++)
        if (network == NULL ||
            strcmp(network->value[instance->origin->value[b]].name, instance->buffer[b].id) != 0)
            names[count++] = instance->buffer[b].id;
    error_unknown(error, network != NULL ? "value or buffer" : "buffer", name, names, count,
                  "; 'arenabench lifetimes' writes the buffers");
    free(names);
    return error_prefix(error, "%s", instance->name);
}

bool explain_find(const struct instance *instance, const char *name, struct explained *explained,
                  struct error *error)
{
    const struct origin *origin = instance->origin;

    for (size_t v = 0; origin != NULL && v < origin->network->n_values; v++)
        if (strcmp(origin->network->value[v].name, name) == 0) {
            *explained = (struct explained){v, origin->buffer[v]};
            return true;
        }
    for (size_t b = 0; b < instance->n; b++)
        if (strcmp(instance->buffer[b].id, name) == 0) {
            *explained = (struct explained){origin != NULL ? origin->value[b] : SIZE_MAX, b};
            return true;
        }
    return unknown(instance, name, error);
}

/* --- a value --- */

struct explanation {
    const struct origin *origin;
    const struct network *network;
    const char *inplace;
    FILE *out;
};

static void print_operator(const struct explanation *e, size_t o)
{
    people_print(e->out, "'%s' (%s)", e->network->op[o].name, e->network->op[o].type);
}

static const char *role_words(const struct value *value)
{
    switch (value->role) {
    case VALUE_INPUT:
        return value->output ? "an input and output of the network" : "an input of the network";
    case VALUE_WEIGHT:
        return "a weight";
    case VALUE_STATISTIC:
        return "a stored statistic";
    case VALUE_CONSTANT:
        return "a constant";
    default:
        if (value->workspace)
            return "the workspace of its operator";
        return value->output ? "an output of the network" : "an intermediate value";
    }
}

static void print_head(const struct explanation *e, const struct value *value)
{
    people_print(e->out, "'%s': %s, ", value->name, role_words(value));
    for (int i = 0; i < value->rank; i++)
        people_print(e->out, "%s%" PRId64, i == 0 ? "" : "x", value->dim[i]);
    people_print(e->out, "%s elements of %zu bytes\n", value->rank == 0 ? "1" : "",
                 dtype_size(value->dtype));
}

static bool is_stored(const struct value *value)
{
    return value->role != VALUE_INPUT && value->role != VALUE_ACTIVATION;
}

/* The value that V is the bytes of, by a fact of the operator that makes it, if it shares memory
 * with it; else NETWORK_NONE.  */
static size_t source_of(const struct explanation *e, size_t v, enum reuse kind)
{
    const struct value *value = &e->network->value[v];
    const struct network_op *op;

    if (value->producer == NETWORK_NONE)
        return NETWORK_NONE;
    op = &e->network->op[value->producer];
    for (size_t i = 0; i < op->reuses; i++) {
        const struct op_reuse *reuse = &op->reuse[i];
        size_t from = op->input[reuse->input];
        int64_t offset = kind == REUSE_FORWARD ? reuse->offset : 0;

        if (reuse->kind == kind && op->output[reuse->output] == v &&
            e->origin->buffer[from] == e->origin->buffer[v] &&
            e->origin->place[from] + offset == e->origin->place[v])
            return from;
    }
    return NETWORK_NONE;
}

/* The concatenation that V lies in, or NETWORK_NONE.  */
static size_t whole_of(const struct explanation *e, size_t v)
{
    const struct value *value = &e->network->value[v];

    for (size_t r = 0; r < value->readers; r++) {
        const struct network_op *op = &e->network->op[value->reader[r]];

        for (size_t i = 0; i < op->reuses; i++) {
            const struct op_reuse *reuse = &op->reuse[i];
            size_t to = op->output[reuse->output];

            if (reuse->kind == REUSE_PLACE && op->input[reuse->input] == v &&
                e->origin->buffer[to] == e->origin->buffer[v] &&
                e->origin->place[to] + reuse->offset == e->origin->place[v])
                return to;
        }
    }
    return NETWORK_NONE;
}

/* Why V shares memory with another value.  */
static void print_sharing(const struct explanation *e, size_t v)
{
    size_t from = source_of(e, v, REUSE_FORWARD), over = source_of(e, v, REUSE_OVERWRITE);
    size_t whole = whole_of(e, v);
    const char *name;

    if (from != NETWORK_NONE) {
        bool pure = e->network->op[e->network->value[v].producer].kind == OP_ALIAS;

        name = e->network->value[from].name;
        people_print(e->out, "    shares: it is %s '%s', which its operator only hands on (%s%s)\n",
                     pure ? "the bytes of" : "a stretch of", name,
                     pure ? "alias=on" : "inplace=", pure ? "" : e->inplace);
    } else if (over != NETWORK_NONE) {
        name = e->network->value[over].name;
        people_print(
            e->out,
            "    shares: it is written over '%s', which nobody reads afterwards (inplace=%s)\n",
            name, e->inplace);
    }
    if (whole != NETWORK_NONE)
        people_print(e->out,
                     "    shares: it is a part of '%s', and lies there from the start "
                     "(concat=place)\n",
                     e->network->value[whole].name);
}

static void print_readers(const struct explanation *e, const struct value *value)
{
    for (size_t r = 0; r < value->readers; r++) {
        if (r > 0 && value->reader[r] == value->reader[r - 1])
            continue; /* in two slots */
        people_print(e->out, "    read:   at step %" PRId64 " by ",
                     e->origin->schedule->step[value->reader[r]]);
        print_operator(e, value->reader[r]);
        fputc('\n', e->out);
    }
    if (value->readers == 0 && !value->output)
        fputs("    read:   by nobody\n", e->out);
}

/* What one value asks of its buffer.  */
static void print_value(const struct explanation *e, size_t v)
{
    const struct value *value = &e->network->value[v];
    int64_t steps = max64(e->origin->schedule->steps, 1);

    if (value->producer != NETWORK_NONE) {
        people_print(e->out, "    made:   at step %" PRId64 " by ",
                     e->origin->schedule->step[value->producer]);
        print_operator(e, value->producer);
        fputc('\n', e->out);
    } else {
        people_print(e->out, "    made:   before step 0, as it is %s\n", role_words(value));
    }
    print_readers(e, value);
    if (is_stored(value) || value->output)
        people_print(e->out, "    kept:   to the last step, %" PRId64 ", as it is %s\n", steps - 1,
                     is_stored(value) ? "stored" : "an output");
    print_sharing(e, v);
}

/* --- a buffer --- */

static int64_t begin_of(const struct explanation *e, size_t v)
{
    size_t producer = e->network->value[v].producer;

    return producer == NETWORK_NONE ? -1 : e->origin->schedule->step[producer];
}

/* The values of BUFFER, by birth; the caller frees them.  */
static size_t *members_of(const struct explanation *e, size_t buffer, size_t *count)
{
    size_t n = e->network->n_values, *member = memory_alloc(n, sizeof *member);

    *count = 0;
    for (size_t v = 0; v < n; v++) {
        size_t at = *count;

        if (e->origin->buffer[v] != buffer)
            continue;
        for (; at > 0 && begin_of(e, member[at - 1]) > begin_of(e, v); at--)
            member[at] = member[at - 1];
        member[at] = v;
        ++*count;
    }
    return member;
}

static void print_interval(const struct instance *instance, size_t b, FILE *out)
{
    const struct buffer *buffer = &instance->buffer[b];

    people_print(out, "buffer '%s': %" PRId64 " bytes, in the steps [%" PRId64 ", %" PRId64 ")\n",
                 buffer->id, buffer->size, buffer->begin, buffer->end);
    for (size_t i = 0; buffer->pieces > 1 && i < buffer->pieces; i++) {
        const struct piece *piece = &instance->piece[buffer->first_piece + i];

        people_print(
            out, "    bytes [%" PRId64 ", %" PRId64 ") in the steps [%" PRId64 ", %" PRId64 ")\n",
            piece->lo, piece->hi, piece->begin, piece->end);
    }
}

static void print_members(const struct explanation *e, const struct instance *instance, size_t b)
{
    const struct buffer *buffer = &instance->buffer[b];
    size_t count, *member = members_of(e, b, &count);

    for (size_t i = 0; i < count; i++) {
        people_print(e->out, "  holds '%s' from byte %" PRId64 " on\n",
                     e->network->value[member[i]].name, e->origin->place[member[i]]);
        print_value(e, member[i]);
    }
    free(member);
    people_print(e->out,
                 "so the first step that needs it is %" PRId64 " and the last %" PRId64
                 ": lower %" PRId64 ", upper %" PRId64 "\n",
                 buffer->begin, buffer->end - 1, buffer->begin, buffer->end);
}

/* Why value V has no buffer.  */
static void print_absence(const struct explanation *e, size_t v)
{
    const struct value *value = &e->network->value[v];

    print_value(e, v);
    fputs("no buffer: ", e->out);
    if (value_bytes(value) == 0)
        fputs("it has no bytes\n", e->out);
    else if (value->optional && value->readers == 0 && !value->output)
        fputs("nobody has to read it, and nobody does\n", e->out);
    else if (is_stored(value))
        fputs("what is stored counts with weights=on\n", e->out);
    else if (value->role == VALUE_INPUT)
        fputs("inputs count with io=inputs or io=both\n", e->out);
    else if (value->output)
        fputs("outputs count with io=outputs or io=both\n", e->out);
    else
        fputs("it shares the memory of an input, an output or a weight, which does not count\n",
              e->out);
}

bool explain_print(const struct instance *instance, const struct explained *explained,
                   const char *inplace, FILE *out)
{
    struct explanation e = {.origin = instance->origin, .inplace = inplace, .out = out};

    if (e.origin == NULL) {
        print_interval(instance, explained->buffer, out);
        fputs(
            instance->loops != NULL
                ? "its network has loops or branches: their steps are laid out flat, and who makes "
                  "and reads it is not kept\n"
                : "the instance is a list of lifetimes: who makes and reads it is not known\n",
            out);
        return file_flush(out);
    }
    e.network = e.origin->network;
    print_head(&e, &e.network->value[explained->value]);
    if (explained->buffer == SIZE_MAX) {
        print_absence(&e, explained->value);
    } else {
        print_interval(instance, explained->buffer, out);
        print_members(&e, instance, explained->buffer);
    }
    return file_flush(out);
}
