/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The offsets of a plan as the store keeps them, packed.
 *
 * At the head stand how many there are and their unit, which divides all: seven bits a byte, the
 * lowest first, and the eighth says that more follow.  Then a byte: how many bytes a value takes,
 * and 16 more where values are differences.  Then a stream of zlib's, which holds
 *
 *   a byte for each offset: D, where it is that of the buffer D before; 128, where it is that of
 *   the same buffer in a base, another plan of the instance; 0, where it is another
 *   the values of those others in their unit: the lowest bytes of all, then all second ones, ...
 *
 * A difference is that from the value before, twice, or twice less 1 of one that is negative.
 * (Buffers that are created one after the other lie again and again where one of the last lay.)  */
#ifndef ARENABENCH_HARNESS_STORE_OFFSETS_H
#define ARENABENCH_HARNESS_STORE_OFFSETS_H

#include <stddef.h>
#include <stdint.h>

/* The N offsets, packed; *SIZE is the length.  BASE: as many of a base, or NULL.  The caller frees
 * it.  */
uint8_t *offsets_pack(const int64_t *offset, const int64_t *base, size_t n, size_t *size);

/* The offsets that BYTES hold; the caller frees them.  BASE: the BASE_N of their base, or NULL.
 * NULL where these are no packed offsets, or are those of another base.  */
int64_t *offsets_unpack(const uint8_t *bytes, size_t size, const int64_t *base, size_t base_n,
                        size_t *n);

#endif
