/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "memories/traffic.h"

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/computation.h"
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

/* Whether what OP computes takes its input slot INPUT: a gradient has some for their shape alone.
 */
static bool is_taken(const struct network_op *op, size_t input)
{
    for (const struct computation *now = op->computation; now != NULL; now = now->then)
        for (size_t i = 0; i < now->inputs; i++)
            if (now->input[i] == input)
                return true;
    return op->computation == NULL;
}

/* The bytes of input slot INPUT of OP that it has to read.  */
static int64_t bytes_read(const struct origin *origin, const struct network_op *op, size_t input)
{
    if (!is_taken(op, input))
        return 0;
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

static bool see_op(const struct origin *origin, size_t o, traffic_seen *see, void *context)
{
    const struct network_op *op = &origin->network->op[o];
    bool good = true;

    for (size_t i = 0; good && i < op->inputs; i++)
        if (origin->buffer[op->input[i]] != SIZE_MAX)
            good = see(context, origin->buffer[op->input[i]], o, bytes_read(origin, op, i), 0);
    for (size_t i = 0; good && i < op->outputs; i++)
        if (origin->buffer[op->output[i]] != SIZE_MAX)
            good = see(context, origin->buffer[op->output[i]], o, 0, bytes_written(origin, op, i));
    return good;
}

bool traffic_each(const struct origin *origin, traffic_seen *see, void *context)
{
    const struct network *network = origin->network;
    bool good = true;

    for (size_t v = 0; good && v < network->n_values; v++)
        if (network->value[v].producer == NETWORK_NONE && origin->buffer[v] != SIZE_MAX)
            good =
                see(context, origin->buffer[v], NETWORK_NONE, 0, value_bytes(&network->value[v]));
    for (size_t o = 0; good && o < network->n_ops; o++)
        good = see_op(origin, o, see, context);
    return good;
}

static bool count(void *context, size_t b, size_t op, int64_t reads, int64_t writes)
{
    struct traffic *traffic = context;

    (void)op;
    return checked_add(traffic->reads[b], reads, &traffic->reads[b]) &&
           checked_add(traffic->writes[b], writes, &traffic->writes[b]);
}

/* How often each buffer is read and written; once each where nobody says.  */
static void count_said(const struct instance *instance, struct traffic *traffic)
{
    for (size_t a = 0; a < instance->n_accesses; a++) {
        const struct buffer_access *access = &instance->access[a];

        *(access->writes ? &traffic->writes[access->buffer] : &traffic->reads[access->buffer]) += 1;
    }
    for (size_t b = 0; b < instance->n; b++)
        if (traffic->writes[b] == 0)
            traffic->reads[b] = traffic->writes[b] = 1;
}

/* What the instance says; where it says nothing, each access is one of the whole buffer.  */
static bool take_said(const struct instance *instance, struct traffic *traffic)
{
    traffic->source = instance->n_accesses > 0 ? TRAFFIC_SAID : TRAFFIC_ONCE;
    count_said(instance, traffic);
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        if (buffer->reads >= 0 || buffer->writes >= 0)
            traffic->source = TRAFFIC_SAID;
        if (!checked_mul(traffic->reads[b], buffer->size, &traffic->reads[b]) ||
            !checked_mul(traffic->writes[b], buffer->size, &traffic->writes[b]))
            return false;
        traffic->reads[b] = buffer->reads >= 0 ? buffer->reads : traffic->reads[b];
        traffic->writes[b] = buffer->writes >= 0 ? buffer->writes : traffic->writes[b];
    }
    return true;
}

bool traffic_find(const struct instance *instance, struct traffic *traffic, struct error *error)
{
    *traffic = (struct traffic){.reads = memory_zalloc(instance->n, sizeof *traffic->reads),
                                .writes = memory_zalloc(instance->n, sizeof *traffic->writes),
                                .source = TRAFFIC_COUNTED};
    if (!(instance->origin == NULL ? take_said(instance, traffic)
                                   : traffic_each(instance->origin, count, traffic))) {
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
