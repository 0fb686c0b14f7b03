/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/traffic.h"

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "runtime/layouts.h"
#include "runtime/memory.h"
#include "runtime/step.h"

void run_traffic_init(struct run_traffic *traffic, const struct run_memory *memory)
{
    traffic->reads = memory_zalloc(memory->arenas, sizeof *traffic->reads);
    traffic->writes = memory_zalloc(memory->arenas, sizeof *traffic->writes);
}

void run_traffic_clear(struct run_traffic *traffic)
{
    memory_free(traffic->reads);
    memory_free(traffic->writes);
}

static void count(int64_t *sum, const struct run_memory *memory, const void *address, int64_t bytes)
{
    const size_t arena = run_memory_arena(memory, address);

    if (arena < memory->arenas)
        sum[arena] += bytes;
}

void run_traffic_begin(struct run_traffic *traffic, const struct run_memory *memory,
                       const struct network *network)
{
    for (size_t v = 0; v < network->n_values; v++)
        if (network->value[v].producer == NETWORK_NONE)
            count(traffic->writes, memory, memory->value[v], value_bytes(&network->value[v]));
}

/* Of input SLOT (where it is an input) or output SLOT of OP, the bytes that lie where they are
 * wanted.  */
static int64_t bytes_there(const struct run_memory *memory, const struct network *network,
                           const struct network_op *op, size_t slot, bool input)
{
    int64_t bytes = 0;

    for (size_t i = 0; i < op->reuses; i++)
        if ((input ? op->reuse[i].input : op->reuse[i].output) == slot &&
            layouts_shares(memory, op, i))
            bytes += value_bytes(&network->value[op->input[op->reuse[i].input]]);
    return bytes;
}

void run_traffic_step(struct run_traffic *traffic, const struct run_memory *memory,
                      const struct network *network, const struct step *step)
{
    const struct network_op *op = step->op;

    for (size_t i = 0; step->kind != STEP_IDLE && i < step->inputs; i++)
        if (step->input[i] != NULL &&
            bytes_there(memory, network, op, step_input_slot(step, i), true) == 0)
            count(traffic->reads, memory, step->input[i]->data,
                  value_bytes(&network->value[op->input[step_input_slot(step, i)]]));
    for (size_t i = 0; step->kind != STEP_IDLE && i < step->outputs; i++) {
        const size_t slot = step_output_slot(step, i);

        if (step->output[i] != NULL)
            count(traffic->writes, memory, step->output[i]->data,
                  value_bytes(&network->value[op->output[slot]]) -
                      bytes_there(memory, network, op, slot, false));
    }
}
