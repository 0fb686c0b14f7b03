/* SPDX-License-Identifier: Apache-2.0 */
/* Checksums (FNV-1a, 64 bits): CHECKSUM_START, then all that counts, piece by piece.  */
#ifndef ARENABENCH_LIB_BASE_CHECKSUM_H
#define ARENABENCH_LIB_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_START UINT64_C(0xcbf29ce484222325)

uint64_t checksum_bytes(uint64_t checksum, const void *data, size_t length);
uint64_t checksum_int(uint64_t checksum, int64_t value);

#endif
