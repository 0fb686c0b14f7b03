#include <config.h>

#include "lib/base/check.h"
#include "lib/graph/network.h"

static size_t count_of(const size_t *list, size_t count, size_t wanted)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        found += list[i] == wanted;
    return found;
}

void network_check_links(const struct network *network)
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
