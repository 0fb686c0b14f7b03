/* ONNX models as networks.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_ONNX_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_ONNX_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct network;
struct params;

/* The checked network of the model in DATA, or NULL; PATH is for names and
 * messages.  PARAMS binds symbolic dimensions (its `other` parameters).  */
struct network *onnx_network(const uint8_t *data, size_t size, const char *path,
                             const struct params *params, struct error *error);

#endif
