/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of an ONNX file before protobuf-c sees them.
 *
 * protobuf-c descends into nested messages without a limit, so the bytes are scanned first, along
 * the same descriptors: lengths, wire types, depth, and that no message that may come once comes
 * twice (it would be merged, each time at the cost of a copy).
 *
 * It also copies whatever it unpacks, weights too.  So the scan writes the file anew, with the
 * place of a tensor's raw bytes where these were: of a large model in a mapped file a few pages are
 * read.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_FILE_SCAN_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_FILE_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

/* What raw_data of each tensor is in the file anew: where it is in DATA.  */
struct onnx_place {
    size_t at, size;
};

/* The file anew, of *SLIM_SIZE bytes, which the caller frees; NULL with a message that begins with
 * PATH and the byte's number.  */
uint8_t *onnx_scan(const uint8_t *data, size_t size, const char *path, size_t *slim_size,
                   struct error *error);

#endif
