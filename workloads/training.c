/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/training.h"

#include <stdint.h>
#include <string.h>

#include "lib/graph/fuse.h"
#include "lib/graph/network.h"
#include "lib/graph/train.h"
#include "workloads/workload.h"

/* checkpoint=off|sqrt|K, K from 1.  */
static bool read_segment(const char *text, int64_t *segment)
{
    *segment = 0;
    if (strcmp(text, "off") == 0)
        return true;
    if (strcmp(text, "sqrt") == 0) {
        *segment = TRAIN_SEGMENT_SQRT;
        return true;
    }
    return parse_int(text, 1, INT32_MAX, segment);
}

bool training_goes_with(const struct workload *workload)
{
    return workload->kind == WORKLOAD_NETWORK ||
           (workload->kind == WORKLOAD_FILE && workload->reader->network != NULL);
}

bool training_check(const struct params *params, struct error *error)
{
    const char *checkpoint = params_text(params, "checkpoint");
    int64_t segment;

    if (!read_segment(checkpoint, &segment))
        return error_set(error, "checkpoint=%s: expected off, sqrt or a number of operators from 1",
                         checkpoint);
    if (params_choice(params, "train") == OPTIMIZER_NONE) {
        if (segment != 0 || params_choice(params, "update") != UPDATE_END)
            return error_set(error, "update= and checkpoint= are of training: train= is off");
        return true;
    }
    if (params_choice(params, "fuse") != FUSE_NONE)
        return error_set(error, "fuse= is for inference, so it does not go with train=");
    return true;
}

struct network *training_apply(struct network *network, const struct params *params,
                               struct error *error)
{
    struct train_options options = {
        .optimizer = params_choice(params, "train"),
        .eager = params_choice(params, "update") == UPDATE_READY,
    };

    if (options.optimizer == OPTIMIZER_NONE)
        return network;
    read_segment(params_text(params, "checkpoint"), &options.segment);
    return network_train(network, &options, error);
}
