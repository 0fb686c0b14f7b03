/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/check.h"
#include "lib/base/memory.h"
#include "lib/base/names.h"
#include "lib/graph/control.h"
#include "lib/graph/network.h"

/* --- the invariants of the structure --- */

static size_t count_of(const size_t *list, size_t count, size_t wanted)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        found += list[i] == wanted;
    return found;
}

/* What values know of operators is what these say.  */
static void check_links(const struct network *network)
{
    size_t reads = 0, readers = 0, outputs = 0, produced = 0;

    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];

        for (size_t i = 0; i < op->inputs; i++) {
            const struct value *value = &network->value[op->input[i]];

            CHECK(count_of(value->reader, value->readers, o) ==
                      count_of(op->input, op->inputs, op->input[i]),
                  "network", "an operator is a reader of each input, once a slot");
        }
        for (size_t i = 0; i < op->outputs; i++)
            CHECK(network->value[op->output[i]].producer == o, "network",
                  "an operator is the producer of each output");
        reads += op->inputs;
        outputs += op->outputs;
    }
    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];

        for (size_t r = 1; r < value->readers; r++)
            CHECK(value->reader[r - 1] <= value->reader[r], "network", "readers ascend");
        readers += value->readers;
        produced += value->producer != NETWORK_NONE;
    }
    CHECK(reads == readers, "network", "each reader reads");
    CHECK(outputs == produced, "network", "each producer has the value among its outputs");
}

/* --- what a builder or a file can get wrong --- */

static bool check_value(const struct network *network, const struct value *value,
                        struct error *error)
{
    int64_t bytes;

    if (value->rank < 0 || value->rank > NETWORK_MAX_RANK)
        return error_set(error, "network '%s': value '%s': rank %d, expected 0 to %d",
                         network->name, value->name, value->rank, NETWORK_MAX_RANK);
    if ((value->role == VALUE_ACTIVATION) != (value->producer != NETWORK_NONE))
        return error_set(error, "network '%s': value '%s': %s", network->name, value->name,
                         value->producer == NETWORK_NONE ? "no operator makes it"
                                                         : "an operator makes what is stored");
    for (int i = 0; i < value->rank; i++)
        if (value->dim[i] < 0)
            return error_set(error, "network '%s': value '%s': dimension %d is %" PRId64,
                             network->name, value->name, i, value->dim[i]);
    if (!value_measure(value, &bytes))
        return error_set(error, "network '%s': value '%s': its size overflows 64 bits",
                         network->name, value->name);
    return true;
}

/* What shares an input's memory has to be as large; what takes no part need not.  */
static bool check_alias(const struct network *network, const struct network_op *op,
                        struct error *error)
{
    if (op->inputs == 0)
        return error_set(error, "network '%s': alias '%s' has no input", network->name, op->name);
    for (size_t i = 0; i < op->outputs; i++) {
        int64_t input = value_bytes(&network->value[op->input[0]]);
        const struct value *value = &network->value[op->output[i]];
        int64_t output = value_bytes(value);

        if (input != output && (!value->optional || value->readers > 0 || value->output))
            return error_set(error, "network '%s': alias '%s' makes %" PRId64 " bytes of %" PRId64,
                             network->name, op->name, output, input);
    }
    return true;
}

static bool check_op(const struct network *network, size_t index, int depth, struct error *error)
{
    const struct network_op *op = &network->op[index];

    if (op->outputs == 0)
        return error_set(error, "network '%s': operator '%s' has no output", network->name,
                         op->name);
    for (size_t i = 0; i < op->inputs; i++) {
        const struct value *value = &network->value[op->input[i]];

        if (value->producer != NETWORK_NONE && value->producer >= index)
            return error_set(error,
                             "network '%s': operator '%s' reads '%s' before operator '%s' makes "
                             "it: a cycle, or not in topological order",
                             network->name, op->name, value->name,
                             network->op[value->producer].name);
    }
    if (op->kind == OP_ALIAS && !check_alias(network, op, error))
        return false;
    if (op->kind == OP_CONV && op->conv.n != 0 && !conv_shape_check(&op->conv, error))
        return error_prefix(error, "network '%s': operator '%s'", network->name, op->name);
    if (op->macs < 0)
        return error_set(error, "network '%s': operator '%s': %" PRId64 " multiply-accumulates",
                         network->name, op->name, op->macs);
    if ((op->kind == OP_LOOP || op->kind == OP_BRANCH) != (op->control != NULL))
        return error_set(error, "network '%s': operator '%s': %s", network->name, op->name,
                         op->control == NULL ? "no sub-graph" : "a sub-graph that it cannot run");
    return op->control == NULL || control_check(network, op, depth, error);
}

/* Sorts REF, frees it, and refuses equal names.  */
static bool names_unique(struct name_ref *ref, size_t count, const struct network *network,
                         const char *what, struct error *error)
{
    bool unique = true;

    names_sort(ref, count);
    for (size_t i = 1; i < count && unique; i++)
        if (strcmp(ref[i - 1].name, ref[i].name) == 0)
            unique = error_set(error, "network '%s': two %s are called '%s'", network->name, what,
                               ref[i].name);
    free(ref);
    return unique;
}

static bool check_names(const struct network *network, struct error *error)
{
    struct name_ref *ref = memory_alloc(network->n_ops, sizeof *ref);

    for (size_t o = 0; o < network->n_ops; o++)
        ref[o] = (struct name_ref){network->op[o].name, o};
    if (!names_unique(ref, network->n_ops, network, "operators", error))
        return false;
    ref = memory_alloc(network->n_values, sizeof *ref);
    for (size_t v = 0; v < network->n_values; v++)
        ref[v] = (struct name_ref){network->value[v].name, v};
    return names_unique(ref, network->n_values, network, "values", error);
}

/* The sums that network_macs and network_parameters form.  */
static bool check_sums(const struct network *network, struct error *error)
{
    int64_t sum;

    if (!network_sum_macs(network, &sum))
        return error_set(error, "network '%s': its multiply-accumulates overflow 64 bits",
                         network->name);
    if (!network_sum_parameters(network, &sum))
        return error_set(error, "network '%s': the number of its parameters overflows 64 bits",
                         network->name);
    return true;
}

bool network_check_body(const struct network *network, int depth, struct error *error)
{
    bool output = false;

    for (size_t v = 0; v < network->n_values; v++) {
        if (!check_value(network, &network->value[v], error))
            return false;
        output = output || network->value[v].output;
    }
    for (size_t o = 0; o < network->n_ops; o++)
        if (!check_op(network, o, depth, error))
            return false;
    if (!output)
        return error_set(error, "network '%s' has no output", network->name);
    if (!check_names(network, error) || !check_sums(network, error))
        return false;
    CHECK_INVARIANT(check_links(network));
    return true;
}

bool network_check(const struct network *network, struct error *error)
{
    return network_check_body(network, 0, error);
}
