/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/traffic.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"

/* Whether values A and B begin at the same byte of one buffer, or A lies within B or B within A. */
static bool share_bytes(const struct origin *origin, size_t a, size_t b)
{
    const int64_t begin_a = origin->place[a], begin_b = origin->place[b];
    const int64_t end_a = begin_a + value_bytes(&origin->network->value[a]);
    const int64_t end_b = begin_b + value_bytes(&origin->network->value[b]);

    return origin->buffer[a] == origin->buffer[b] && begin_a < end_b && begin_b < end_a;
}

/* Whether OP leaves bytes where they are, of which REUSE says that it may: a view, or a part that
 * was made in place.  */
static bool stays(const struct origin *origin, const struct network_op *op,
                  const struct op_reuse *reuse)
{
    return (reuse->kind == REUSE_FORWARD || reuse->kind == REUSE_PLACE) &&
           share_bytes(origin, op->input[reuse->input], op->output[reuse->output]);
}

/* The bytes of input slot INPUT of OP that it has to read.  */
static int64_t bytes_read(const struct origin *origin, const struct network_op *op, size_t input)
{
    for (size_t i = 0; i < op->reuses; i++)
        if (op->reuse[i].input == input && stays(origin, op, &op->reuse[i]))
            return 0;
    return value_bytes(&origin->network->value[op->input[input]]);
}

/* The bytes of output slot OUTPUT of OP that it has to write.  */
static int64_t bytes_written(const struct origin *origin, const struct network_op *op,
                             size_t output)
{
    int64_t bytes = value_bytes(&origin->network->value[op->output[output]]);

    for (size_t i = 0; i < op->reuses; i++) {
        const struct op_reuse *reuse = &op->reuse[i];

        if (reuse->output != output || !stays(origin, op, reuse))
            continue;
        if (reuse->kind == REUSE_FORWARD)
            return 0;
        bytes -= value_bytes(&origin->network->value[op->input[reuse->input]]);
    }
    return max64(bytes, 0);
}

/* Adds BYTES to those of the buffer that VALUE lies in, if there is one.  */
static bool add_bytes(const struct origin *origin, int64_t *sum, size_t value, int64_t bytes)
{
    const size_t b = origin->buffer[value];

    return b == SIZE_MAX || checked_add(sum[b], bytes, &sum[b]);
}

static bool count_op(const struct origin *origin, const struct network_op *op,
                     struct traffic *traffic)
{
    bool fits = true;

    for (size_t i = 0; i < op->inputs; i++)
        fits = add_bytes(origin, traffic->reads, op->input[i], bytes_read(origin, op, i)) && fits;
    for (size_t i = 0; i < op->outputs; i++)
        fits =
            add_bytes(origin, traffic->writes, op->output[i], bytes_written(origin, op, i)) && fits;
    return fits;
}

static bool count_network(const struct origin *origin, struct traffic *traffic)
{
    const struct network *network = origin->network;
    bool fits = true;

    for (size_t v = 0; v < network->n_values; v++)
        if (network->value[v].producer == NETWORK_NONE)
            fits = add_bytes(origin, traffic->writes, v, value_bytes(&network->value[v])) && fits;
    for (size_t o = 0; o < network->n_ops; o++)
        fits = count_op(origin, &network->op[o], traffic) && fits;
    return fits;
}

/* What the instance says, and once each where it says nothing.  */
static void take_said(const struct instance *instance, struct traffic *traffic)
{
    traffic->source = TRAFFIC_ONCE;
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        traffic->reads[b] = buffer->reads >= 0 ? buffer->reads : buffer->size;
        traffic->writes[b] = buffer->writes >= 0 ? buffer->writes : buffer->size;
        if (buffer->reads >= 0 || buffer->writes >= 0)
            traffic->source = TRAFFIC_SAID;
    }
}

bool traffic_find(const struct instance *instance, struct traffic *traffic, struct error *error)
{
    *traffic = (struct traffic){.reads = memory_zalloc(instance->n, sizeof *traffic->reads),
                                .writes = memory_zalloc(instance->n, sizeof *traffic->writes),
                                .source = TRAFFIC_COUNTED};
    if (instance->origin == NULL)
        take_said(instance, traffic);
    else if (!count_network(instance->origin, traffic)) {
        traffic_clear(traffic);
        return error_set(error, "the bytes that are read and written do not fit in 64 bits");
    }
    return true;
}

void traffic_clear(struct traffic *traffic)
{
    memory_free(traffic->reads);
    memory_free(traffic->writes);
}
