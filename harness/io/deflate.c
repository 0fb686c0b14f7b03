/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/deflate.h"

#include <zlib.h>

#include "lib/base/memory.h"

uint8_t *deflate_bytes(const uint8_t *data, size_t size, size_t before, size_t *length)
{
    uLongf room = compressBound((uLong)size);
    uint8_t *out = memory_alloc(before + room, 1);

    /* There is room, so nothing but memory can be missing.  */
    if (compress2(out + before, &room, data, (uLong)size, Z_DEFAULT_COMPRESSION) != Z_OK)
        memory_exhausted();
    *length = before + room;
    return out;
}

bool inflate_bytes(const uint8_t *stream, size_t size, uint8_t *out, size_t most, size_t *length)
{
    uLongf room = (uLongf)most;
    uLong read = (uLong)size;
    const bool whole = uncompress2(out, &room, stream, &read) == Z_OK && read == size;

    *length = room;
    return whole;
}
