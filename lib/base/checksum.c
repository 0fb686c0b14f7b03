/* SPDX-License-Identifier: Apache-2.0 */
#include <config.h>

#include "lib/base/checksum.h"

uint64_t checksum_bytes(uint64_t checksum, const void *data, size_t length)
{
    const unsigned char *byte = data;

    for (size_t i = 0; i < length; i++)
        checksum = (checksum ^ byte[i]) * UINT64_C(0x100000001b3);
    return checksum;
}

uint64_t checksum_int(uint64_t checksum, int64_t value)
{
    unsigned char byte[8];

    for (int i = 0; i < 8; i++)
        byte[i] = (unsigned char)((uint64_t)value >> (8 * i));
    return checksum_bytes(checksum, byte, sizeof byte);
}
