/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as an ONNX model: refused with a message that begins with the file,
 * or a network that passes its checks and becomes an instance.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/params.h"
#include "lib/graph/fuse.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/problem/instance.h"
#include "workloads/readers/onnx/onnx.h"

/* Bindings for dimensions that models call by these names.  */
static struct network *read_bytes(const uint8_t *data, size_t size, struct error *error)
{
    const struct param *table = onnx_params;
    struct params params;
    struct network *network;

    if (!params_parse(&params, "fuzz.onnx", "batch=2,n=3", &table, 1, NULL))
        abort();
    network = onnx_network(data, size, "fuzz.onnx", &params, error);
    params_clear(&params);
    if (network != NULL)
        return network;
    /* The same without bindings, which most models have no use for.  */
    params = (struct params){0};
    return onnx_network(data, size, "fuzz.onnx", &params, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lifetime_options options = {.io = IO_BOTH, .weights = true, .alias = true};
    struct error error = {""};
    struct network *network = read_bytes(data, size, &error);
    struct instance *instance;

    if (network == NULL) {
        if (strncmp(error.text, "fuzz.onnx: ", 11) != 0)
            abort();
        return 0;
    }
    if (!network_check(network, &error))
        abort();
    network = network_fuse(network, FUSE_ALL);
    if (!network_check(network, &error))
        abort();
    /* Only sums that overflow are left to refuse.  */
    instance = lifetimes_instance(network, schedule_file_order(network), &options, &error);
    instance_free(instance);
    return 0;
}
