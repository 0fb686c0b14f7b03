/* ONNX models.  Symbolic dimensions are bound by parameters with their names.  */
#include <config.h>

#include "workloads/readers/onnx/onnx.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "workloads/workload.h"

static const struct param params[] = {
    {PARAM_OTHER, PARAM_INT, "1", NULL, 1, PARAM_NO_LIMIT,
     "value of the symbolic dimension of that name"},
    PARAM_END,
};

/* All of the file; NULL with a message.  Protocol buffers end at 2 GiB.  */
static uint8_t *read_all(const char *path, size_t *size, struct error *error)
{
    FILE *in = fopen(path, "rb");
    uint8_t *data = NULL;
    size_t capacity = 0, got;

    if (in == NULL) {
        error_set(error, "%s: cannot open: %s", path, strerror(errno));
        return NULL;
    }
    *size = 0;
    do {
        data = memory_grow(data, &capacity, *size + 65536, 1);
        got = fread(data + *size, 1, capacity - *size, in);
        *size += got;
    } while (got > 0 && *size <= INT_MAX);
    if (ferror(in)) {
        error_set(error, "%s: cannot read: %s", path, strerror(errno));
        free(data);
        data = NULL;
    }
    fclose(in);
    return data;
}

static struct network *read_onnx(const char *path, const struct params *given, struct error *error)
{
    size_t size;
    uint8_t *data = read_all(path, &size, error);
    struct network *network;

    if (data == NULL)
        return NULL;
    network = onnx_network(data, size, path, given, error);
    free(data);
    return network;
}

const struct reader reader_onnx = {
    .name = "onnx",
    .title = "models in the Open Neural Network Exchange format",
    .extension = ".onnx",
    .params = params,
    .network = read_onnx,
};
