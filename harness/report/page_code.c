/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/report/page_code.h"

#include <stdbool.h>
#include <stdlib.h>

#include "harness/io/deflate.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void write_base64(FILE *out, const uint8_t *data, size_t length)
{
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i < 3 ? length - i : 3;
        uint32_t bits = 0;

        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (k < left ? data[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            putc(k <= left ? digits[bits >> (18 - 6 * k) & 63] : '=', out);
    }
}

void page_write_packed(FILE *out, const char *data, size_t length)
{
    size_t size;
    uint8_t *packed = deflate_bytes((const uint8_t *)data, length, 0, &size);

    write_base64(out, packed, size);
    free(packed);
}

static void write_bits(FILE *out, uint64_t bits)
{
    bool more;

    do {
        more = bits >> 5 != 0;
        putc(digits[(bits & 31) | (more ? 32 : 0)], out);
        bits >>= 5;
    } while (more);
}

void page_write_number(FILE *out, int64_t number)
{
    write_bits(out, (uint64_t)number);
}

void page_write_signed(FILE *out, int64_t number)
{
    const uint64_t size = number < 0 ? -(uint64_t)number : (uint64_t)number;

    write_bits(out, size << 1 | (number < 0));
}
