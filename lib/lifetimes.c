#include <config.h>

#include "lib/lifetimes.h"

#include <stdlib.h>

#include "lib/checked.h"
#include "lib/instance.h"
#include "lib/memory.h"
#include "lib/network.h"
#include "lib/schedule.h"

/* What a buffer holds: a value, or with alias=on a group of values of which
 * the others are pure aliases of the first, its root.  */
struct holding {
    int64_t begin, end; /* hull of the members' lifetimes; begin == end: none yet */
    struct lifetime_roles roles;
};

/* Root of each value's group.  File order is topological, so the root of an
 * operator's input is known when the operator's turn comes.  */
size_t *lifetime_roots(const struct network *network, bool alias)
{
    size_t *root = memory_alloc(network->n_values, sizeof *root);

    for (size_t v = 0; v < network->n_values; v++)
        root[v] = v;
    for (size_t o = 0; o < network->n_ops && alias; o++) {
        const struct network_op *op = &network->op[o];

        if (op->kind == OP_ALIAS)
            for (size_t i = 0; i < op->outputs; i++)
                root[op->output[i]] = root[op->input[0]];
    }
    return root;
}

void lifetime_roles_add(struct lifetime_roles *roles, const struct value *value)
{
    if (value->optional && value->readers == 0 && !value->output)
        return;
    roles->alive = true;
    if (value->role == VALUE_INPUT)
        roles->input = true;
    else if (value->role != VALUE_ACTIVATION)
        roles->stored = true;
    if (value->output)
        roles->output = true;
}

bool lifetime_counts(const struct lifetime_roles *roles, const struct lifetime_options *options)
{
    bool inputs = options->io == IO_INPUTS || options->io == IO_BOTH;
    bool outputs = options->io == IO_OUTPUTS || options->io == IO_BOTH;

    if (!roles->alive)
        return false;
    if (!roles->input && !roles->output && !roles->stored)
        return true;
    return (roles->input && inputs) || (roles->output && outputs) ||
           (roles->stored && options->weights);
}

/* Widens HOLDING by the lifetime of VALUE under SCHEDULE.  */
static void hold(struct holding *holding, const struct value *value,
                 const struct schedule *schedule)
{
    int64_t begin = 0, end, whole = max64(schedule->steps, 1);
    struct lifetime_roles roles = {0};

    lifetime_roles_add(&roles, value);
    if (!roles.alive)
        return;
    if (value->producer != NETWORK_NONE)
        begin = schedule->step[value->producer];
    end = begin + 1;
    for (size_t i = 0; i < value->readers; i++)
        end = max64(end, schedule->step[value->reader[i]] + 1);
    if (roles.stored || roles.output)
        end = whole;
    if (holding->begin == holding->end) {
        holding->begin = begin;
        holding->end = end;
    } else {
        holding->begin = min64(holding->begin, begin);
        holding->end = max64(holding->end, end);
    }
    lifetime_roles_add(&holding->roles, value);
}

/* Adds the buffer of the group whose root is V, if V is a root that counts.  */
static void add_buffer(struct instance *instance, const struct network *network,
                       const struct holding *holding, const struct lifetime_options *options,
                       size_t v, size_t *origin)
{
    int64_t size = value_bytes(&network->value[v]);
    char *id;

    if (size == 0 || !lifetime_counts(&holding[v].roles, options))
        return;
    id = instance_clean_id(network->value[v].name);
    origin[instance->n] = v;
    instance_add(instance, id, holding[v].begin, holding[v].end, size, 1);
    free(id);
}

/* Buffers in the order in which the values are born: what is there from the
 * start, then the operators' outputs in file order.  */
static size_t *add_buffers(struct instance *instance, const struct network *network,
                           const struct holding *holding, const struct lifetime_options *options)
{
    size_t *origin = memory_alloc(network->n_values, sizeof *origin);

    for (size_t v = 0; v < network->n_values; v++)
        if (network->value[v].producer == NETWORK_NONE)
            add_buffer(instance, network, holding, options, v, origin);
    for (size_t o = 0; o < network->n_ops; o++)
        for (size_t i = 0; i < network->op[o].outputs; i++)
            add_buffer(instance, network, holding, options, network->op[o].output[i], origin);
    return origin;
}

struct instance *lifetimes_instance(struct network *network, struct schedule *schedule,
                                    const struct lifetime_options *options, struct error *error)
{
    struct instance *instance;
    struct holding *holding;
    size_t *root, *origin;

    if (!network_check(network, error) || !schedule_check(schedule, network, error)) {
        network_free(network);
        schedule_free(schedule);
        return NULL;
    }
    root = lifetime_roots(network, options->alias);
    holding = memory_zalloc(network->n_values, sizeof *holding);
    for (size_t v = 0; v < network->n_values; v++)
        hold(&holding[root[v]], &network->value[v], schedule);
    instance = instance_new(network->name);
    origin = add_buffers(instance, network, holding, options);
    free(holding);
    free(root);
    instance_set_origin(instance, network, schedule, origin, options->alias);
    instance_make_ids_unique(instance);
    if (instance_seal(instance, NULL, error))
        return instance;
    error_prefix(error, "network '%s'", network->name);
    instance_free(instance);
    return NULL;
}
