/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/tflite/writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"

void writer_begin(struct writer *writer, const char *identifier)
{
    *writer = (struct writer){.size = 0};
    writer_bytes(writer, NULL, 4);
    writer_bytes(writer, identifier, 4);
}

void writer_clear(struct writer *writer)
{
    free(writer->data);
    *writer = (struct writer){.size = 0};
}

size_t writer_bytes(struct writer *writer, const void *bytes, size_t count)
{
    size_t at = writer->size;

    writer->data = memory_grow(writer->data, &writer->capacity, at + count + 1, 1);
    if (bytes == NULL)
        memset(writer->data + at, 0, count);
    else if (count > 0)
        memcpy(writer->data + at, bytes, count);
    writer->size += count;
    return at;
}

size_t writer_align(struct writer *writer, size_t alignment)
{
    writer_bytes(writer, NULL, (alignment - writer->size % alignment) % alignment);
    return writer->size;
}

static void set16(struct writer *writer, size_t at, size_t number)
{
    assert(number <= UINT16_MAX);
    writer->data[at] = (uint8_t)(number & 0xff);
    writer->data[at + 1] = (uint8_t)(number >> 8);
}

void writer_set32(struct writer *writer, size_t at, uint32_t number)
{
    for (size_t i = 0; i < 4; i++)
        writer->data[at + i] = (uint8_t)(number >> 8 * i & 0xff);
}

size_t writer_table(struct writer *writer, const uint8_t *width, size_t fields)
{
    size_t vtable, table, place = 4;

    writer_align(writer, 8);
    /* The table comes after its vtable at a multiple of 8, for fields of 8 bytes.  */
    vtable = writer_bytes(writer, NULL, 4 + 2 * fields);
    table = writer_align(writer, 8);
    for (size_t i = 0; i < fields; i++) {
        if (width[i] == 0)
            continue;
        place = (place + width[i] - 1) / width[i] * width[i];
        set16(writer, vtable + 4 + 2 * i, place);
        place += width[i];
    }
    set16(writer, vtable, 4 + 2 * fields);
    set16(writer, vtable + 2, place);
    writer_bytes(writer, NULL, place);
    writer_set32(writer, table, (uint32_t)(table - vtable));
    return table;
}

size_t writer_field(const struct writer *writer, size_t table, size_t field)
{
    uint32_t back = 0;
    size_t at;

    for (size_t i = 0; i < 4; i++)
        back |= (uint32_t)writer->data[table + i] << 8 * i;
    at = table - back + 4 + 2 * field;
    return table + (size_t)(writer->data[at] | writer->data[at + 1] << 8);
}

size_t writer_vector(struct writer *writer, const void *bytes, size_t count, size_t width,
                     size_t alignment)
{
    size_t at;

    assert(alignment >= 4 && count <= UINT32_MAX);
    while ((writer->size + 4) % alignment != 0)
        writer_bytes(writer, NULL, 1);
    at = writer_bytes(writer, NULL, 4);
    writer_set32(writer, at, (uint32_t)count);
    writer_bytes(writer, bytes, count * width);
    return at;
}

size_t writer_string(struct writer *writer, const char *text)
{
    size_t at = writer_vector(writer, text, strlen(text), 1, 4);

    writer_bytes(writer, NULL, 1); /* strings end with a zero that does not count */
    return at;
}

void writer_refer(struct writer *writer, size_t at, size_t to)
{
    assert(to > at && to - at <= UINT32_MAX);
    writer_set32(writer, at, (uint32_t)(to - at));
}
