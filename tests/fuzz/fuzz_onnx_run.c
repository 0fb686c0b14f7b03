/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as an ONNX model that is to be run: refused with a message that begins with the file,
 * by what is asked before anything is allocated, or while it runs; or it runs within its memory. */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/params.h"
#include "lib/graph/control.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "runtime/memory.h"
#include "runtime/run.h"
#include "workloads/readers/onnx/onnx.h"

/* What is run has at most so many bytes of values, multiply-accumulates and iterations of a loop:
 * the rest is time.  */
#define MOST_BYTES (1 << 16)
#define MOST_MACS (1 << 20)
#define MOST_TRIPS 8

static bool is_small(const struct network *network)
{
    int64_t bytes = 0, macs = 0;

    for (size_t v = 0; v < network->n_values; v++)
        if (!checked_add(bytes, value_bytes(&network->value[v]), &bytes))
            return false;
    for (size_t o = 0; o < network->n_ops; o++) {
        const struct control *control = network->op[o].control;

        if (!checked_add(macs, network->op[o].macs, &macs) ||
            (control != NULL && control->trips > MOST_TRIPS))
            return false;
        for (size_t b = 0; control != NULL && b < control->bodies; b++)
            if (!is_small(control->body[b].network))
                return false;
    }
    return bytes <= MOST_BYTES && macs <= MOST_MACS;
}

static void run(const struct network *network)
{
    struct schedule *schedule = schedule_file_order(network);
    struct run_memory *memory = run_memory_plain(network);
    struct error error = {""};
    struct run *run =
        run_new(network, schedule, memory, &(struct run_options){.threads = 1}, &error);

    for (size_t v = 0; v < network->n_values; v++)
        if (network->value[v].role == VALUE_INPUT)
            memset(memory->value[v], 0, (size_t)value_bytes(&network->value[v]));
    if ((run == NULL || !run_once(run, &error)) && error.text[0] == '\0')
        abort();
    run_free(run);
    run_memory_free(memory);
    schedule_free(schedule);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct params params = {0};
    struct error error = {""};
    struct network *network = onnx_runnable_network(data, size, "fuzz.onnx", &params, &error);

    if (network == NULL) {
        if (strncmp(error.text, "fuzz.onnx: ", 11) != 0)
            abort();
        return 0;
    }
    if (!run_check(network, &error)) {
        if (error.text[0] == '\0')
            abort();
    } else if (is_small(network)) {
        run(network);
    }
    network_free(network);
    return 0;
}
