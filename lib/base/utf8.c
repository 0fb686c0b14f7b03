/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/utf8.h"

uint32_t utf8_character(const unsigned char *text, size_t size)
{
    uint32_t code = text[0] & (0x7Fu >> size);

    for (size_t i = 1; i < size; i++)
        code = code << 6 | (text[i] & 0x3Fu);
    return code;
}

size_t utf8_sequence(const unsigned char *text, size_t room)
{
    size_t length = text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : 2;
    uint32_t code;

    if (text[0] < 0xC2 || text[0] > 0xF4 || room < length)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    code = utf8_character(text, length);
    if ((length == 3 && (code < 0x800 || (code >= 0xD800 && code <= 0xDFFF))) ||
        (length == 4 && (code < 0x10000 || code > 0x10FFFF)))
        return 0;
    return length;
}
