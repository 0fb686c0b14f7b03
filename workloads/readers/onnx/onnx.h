/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ONNX models as networks, from memory as tests and fuzz targets have them; files come through
 * reader_onnx (workloads/workload.h), which reads them by the same code.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_ONNX_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_ONNX_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/base/params.h"

struct network;

/* The parameters of the format: any name, for dimensions and values of inputs.  */
extern const struct param onnx_params[];

/* The checked network of the model in DATA, or NULL; PATH is for names and
 * messages, and for what the model has in other files.  PARAMS are of onnx_params, or none at
 * all.  */
struct network *onnx_network(const uint8_t *data, size_t size, const char *path,
                             const struct params *params, struct error *error);

/* The same for runs: with the elements of what is stored, and what operators compute.  */
struct network *onnx_runnable_network(const uint8_t *data, size_t size, const char *path,
                                      const struct params *params, struct error *error);

#endif
