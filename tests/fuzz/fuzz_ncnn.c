/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as an ncnn network: refused with a message that begins with the
 * file's name, or accepted, and then all of it can be counted.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "lib/graph/fuse.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/problem/instance.h"
#include "tests/fuzz/bytes.h"
#include "workloads/readers/ncnn/network.h"
#include "workloads/readers/ncnn/param.h"

/* Makes an instance of NETWORK, which it takes over.  */
static void count(struct network *network, struct error *error)
{
    const struct lifetime_options options = {.io = IO_BOTH, .weights = true, .alias = true};
    struct instance *instance;

    network = network_fuse(network, FUSE_ALL);
    must(network_check(network, error));
    instance = lifetimes_instance(network, schedule_file_order(network), &options, error);
    must(instance != NULL || refused_at(error, "network 'fuzz'"));
    instance_free(instance);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct ncnn_options options = {.dtype = DTYPE_F32};
    char *text = bytes_text(data, size);
    struct network *network = NULL;
    struct error error = {""};
    struct ncnn_model model;

    if (ncnn_param_read(&model, text, size, "fuzz.param", NULL, &error)) {
        network = ncnn_network(&model, "fuzz", &options, NULL, &error);
        ncnn_param_clear(&model);
    }
    must(network != NULL || refused_at(&error, "fuzz.param:"));
    if (network != NULL)
        count(network, &error);
    free(text);
    return 0;
}
