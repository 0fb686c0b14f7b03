/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NumPy's files of one array (numpy.lib.format, versions 1 to 3), rows first, elements as the
 * machine has them.  */
#ifndef ARENABENCH_HARNESS_IO_NPY_H
#define ARENABENCH_HARNESS_IO_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"
#include "lib/graph/network.h"

struct npy {
    enum dtype dtype;
    int rank;
    int64_t dim[NETWORK_MAX_RANK];
    const void *data; /* in the bytes that were unpacked */
    size_t bytes;     /* of the elements: what type and dimensions say */
};

/* Whether SIZE BYTES begin as such a file does.  */
bool npy_is(const void *bytes, size_t size);

/* What SIZE BYTES hold; false with a message that begins with PATH.  */
bool npy_unpack(struct npy *npy, const void *bytes, size_t size, const char *path,
                struct error *error);

/* Writes such a file.  NumPy has no bf16: these are u16 with the same bits.  What goes wrong stays
 * with OUT.  */
void npy_write(FILE *out, const struct npy *npy);

#endif
