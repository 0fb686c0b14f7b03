/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ncnn's .param files: the layers as text.  The weights are in another file,
 * which is not needed here.
 *
 * The format and the layers' parameters: https://github.com/Tencent/ncnn,
 * docs/developer-guide (param-and-model-file-structure, operators).  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "workloads/readers/ncnn/network.h"
#include "workloads/readers/ncnn/param.h"
#include "workloads/workload.h"

#define MOST_BYTES ((size_t)256 << 20)
#define MOST_PIXELS (1 << 20)

static struct network *read_ncnn(const char *path, const struct params *params, struct error *error)
{
    struct ncnn_options options = {
        .dtype = params_choice(params, "dtype"),
        .w = params_int(params, "w"),
        .h = params_int(params, "h"),
        .c = params_int(params, "c"),
    };
    const char *slash = strrchr(path, '/');
    struct network *network = NULL;
    struct ncnn_model model;
    size_t length;
    char *text;

    if (params_int(params, "batch") != 1) {
        error_set(error,
                  "%s: batch=%" PRId64 ": ncnn's blobs have no batch, it runs one image after the "
                  "other; w=, h= and c= give an image another size",
                  path, params_int(params, "batch"));
        return NULL;
    }
    if (!file_read(path, MOST_BYTES, &text, &length, error))
        return NULL;
    if (ncnn_param_read(&model, text, length, path, stderr, error)) {
        network = ncnn_network(&model, slash != NULL ? slash + 1 : path, &options, stderr, error);
        ncnn_param_clear(&model);
    }
    free(text);
    return network;
}

static const struct param ncnn_params[] = {
    NETWORK_DTYPE_PARAM,
    {"batch", PARAM_INT, "1", NULL, 1, PARAM_NO_LIMIT,
     "1 is the only one there is: ncnn runs one image after the other."},
    {"w", PARAM_INT, "0", NULL, 0, MOST_PIXELS, "Width of the inputs; 0 is as in the file."},
    {"h", PARAM_INT, "0", NULL, 0, MOST_PIXELS, "Height of the inputs; 0 is as in the file."},
    {"c", PARAM_INT, "0", NULL, 0, MOST_PIXELS, "Channels of the inputs; 0 is as in the file."},
    PARAM_END,
};

const struct reader reader_ncnn = {
    .name = "ncnn",
    .title = "ncnn networks (the .param file)",
    .extension = ".param",
    .params = ncnn_params,
    .network = read_ncnn,
};
