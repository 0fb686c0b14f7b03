/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as measured times of a fixed network: refused with a message that has a place, or
 * accepted, and then there is a finite time of each operator.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <math.h>

#include "lib/graph/network.h"
#include "lib/lifetimes/time_model.h"
#include "tests/fuzz/bytes.h"

/* Operators a, b and c, one after the other.  */
static struct network *fixed_network(void)
{
    static const char *const names[] = {"a", "b", "c"};
    struct network *network = network_new("fixed");
    size_t value = network_add_value(network, "x", VALUE_INPUT, DTYPE_F32, 0, NULL);

    for (size_t i = 0; i < 3; i++) {
        size_t op = network_add_op(network, names[i], OP_ACTIVATION, "relu", &value, 1);

        value = network_add_output(network, op, names[i], DTYPE_F32, 0, NULL);
    }
    network_mark_output(network, value);
    return network;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {""};
    struct network *network = fixed_network();
    FILE *in = bytes_file(data, size);
    double *time = time_model_read(in, "fuzz.csv", network, &error);

    fclose(in);
    must(time != NULL || refused_at(&error, "fuzz.csv:"));
    for (size_t o = 0; time != NULL && o < network->n_ops; o++)
        must(isfinite(time[o]) && time[o] >= 0);
    free(time);
    network_free(network);
    return 0;
}
