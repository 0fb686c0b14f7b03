/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of proto.c where protobuf-c or ONNX's description of its format is
 * not there.  */
#include <config.h>

#include "workloads/readers/onnx/file/model.h"

bool onnx_available(void)
{
    return false;
}

struct onnx_model *onnx_model_unpack(const uint8_t *data, size_t size, const char *path,
                                     struct error *error)
{
    (void)data;
    (void)size;
    error_set(error, "%s: reading ONNX files is not built in: %s", path, ONNX_ABSENT);
    return NULL;
}

void onnx_model_free(struct onnx_model *model)
{
    (void)model;
}
