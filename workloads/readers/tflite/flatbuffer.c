/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/tflite/flatbuffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/memory.h"

bool flatbuffer_error(const struct flatbuffer *buffer, size_t at, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(buffer->error->text, sizeof buffer->error->text, format, args);
    va_end(args);
    return error_prefix(buffer->error, "%s: byte %zu", buffer->path, at);
}

uint32_t flatbuffer_u32(const struct flatbuffer *buffer, size_t at)
{
    const uint8_t *byte = buffer->data + at;

    return (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 |
           (uint32_t)byte[3] << 24;
}

static uint16_t read_u16(const struct flatbuffer *buffer, size_t at)
{
    return (uint16_t)(buffer->data[at] | buffer->data[at + 1] << 8);
}

static int32_t signed32(uint32_t bits)
{
    return bits <= INT32_MAX ? (int32_t)bits : (int32_t)((int64_t)bits - ((int64_t)1 << 32));
}

/* Whether LENGTH bytes from AT are in the file.  */
static bool inside(const struct flatbuffer *buffer, size_t at, size_t length)
{
    return at <= buffer->size && length <= buffer->size - at;
}

static bool spend(struct flatbuffer *buffer, size_t at, size_t bytes)
{
    if (bytes > buffer->budget)
        return flatbuffer_error(buffer, at,
                                "its parts overlap: together more than %d times the file's size",
                                FLATBUFFER_BUDGET);
    buffer->budget -= bytes;
    return true;
}

bool flatbuffer_open(struct flatbuffer *buffer, const char *path, const void *data, size_t size,
                     const char *identifier, struct error *error)
{
    *buffer = (struct flatbuffer){.path = path,
                                  .data = data,
                                  .size = size,
                                  .budget = (size + FLATBUFFER_TABLE_COST) * FLATBUFFER_BUDGET,
                                  .error = error};
    if (size < 8)
        return flatbuffer_error(buffer, size, "the file ends, expected at least 8 bytes");
    if (memcmp(buffer->data + 4, identifier, 4) != 0)
        return flatbuffer_error(buffer, 4, "expected '%s', the mark of the format", identifier);
    return true;
}

/* Checks the table at AT.  */
static bool open_table(struct flatbuffer *buffer, size_t at, struct flatbuffer_table *table)
{
    int64_t vtable;
    uint16_t length, size;

    if (!spend(buffer, at, FLATBUFFER_TABLE_COST))
        return false;
    if (!inside(buffer, at, 4))
        return flatbuffer_error(buffer, at, "a table beyond the end of the file");
    vtable = (int64_t)at - signed32(flatbuffer_u32(buffer, at));
    if (vtable < 0 || !inside(buffer, (size_t)vtable, 4))
        return flatbuffer_error(buffer, at, "a table whose vtable is outside the file");
    length = read_u16(buffer, (size_t)vtable);
    size = read_u16(buffer, (size_t)vtable + 2);
    if (length < 4 || length % 2 != 0 || !inside(buffer, (size_t)vtable, length))
        return flatbuffer_error(buffer, (size_t)vtable, "a vtable of %u bytes", length);
    if (size < 4 || !inside(buffer, at, size))
        return flatbuffer_error(buffer, at, "a table of %u bytes", size);
    *table = (struct flatbuffer_table){
        .at = at, .vtable = (size_t)vtable, .fields = (length - 4U) / 2, .size = size};
    return true;
}

bool flatbuffer_root(struct flatbuffer *buffer, struct flatbuffer_table *root)
{
    size_t at = 0;

    return flatbuffer_follow(buffer, 0, &at) && open_table(buffer, at, root);
}

bool flatbuffer_field(const struct flatbuffer *buffer, const struct flatbuffer_table *table,
                      size_t field, size_t width, size_t *at)
{
    uint16_t place = 0;

    *at = 0;
    if (table->at != 0 && field < table->fields)
        place = read_u16(buffer, table->vtable + 4 + 2 * field);
    if (place == 0)
        return true;
    if (place < 4 || place > table->size || width > table->size - place)
        return flatbuffer_error(buffer, table->at,
                                "field %zu is at byte %u of a table of %zu bytes", field, place,
                                table->size);
    *at = table->at + place;
    return true;
}

bool flatbuffer_byte(const struct flatbuffer *buffer, const struct flatbuffer_table *table,
                     size_t field, int fallback, int *value)
{
    size_t at;

    if (!flatbuffer_field(buffer, table, field, 1, &at))
        return false;
    *value = at == 0 ? fallback : buffer->data[at];
    if (at != 0 && *value > INT8_MAX)
        *value -= 256;
    return true;
}

bool flatbuffer_int(const struct flatbuffer *buffer, const struct flatbuffer_table *table,
                    size_t field, int32_t fallback, int32_t *value)
{
    size_t at;

    if (!flatbuffer_field(buffer, table, field, 4, &at))
        return false;
    *value = at == 0 ? fallback : signed32(flatbuffer_u32(buffer, at));
    return true;
}

bool flatbuffer_follow(const struct flatbuffer *buffer, size_t at, size_t *to)
{
    uint32_t distance = flatbuffer_u32(buffer, at);

    if (distance == 0 || !inside(buffer, at, distance) || !inside(buffer, at + distance, 4))
        return flatbuffer_error(buffer, at, "leads to byte %zu, outside the file", at + distance);
    *to = at + distance;
    return true;
}

bool flatbuffer_sub_table(struct flatbuffer *buffer, const struct flatbuffer_table *table,
                          size_t field, struct flatbuffer_table *sub)
{
    size_t at, to = 0;

    *sub = (struct flatbuffer_table){0};
    if (!flatbuffer_field(buffer, table, field, 4, &at))
        return false;
    return at == 0 || (flatbuffer_follow(buffer, at, &to) && open_table(buffer, to, sub));
}

bool flatbuffer_vector(struct flatbuffer *buffer, const struct flatbuffer_table *table,
                       size_t field, size_t width, struct flatbuffer_vector *vector)
{
    size_t at, to = 0, count;

    *vector = (struct flatbuffer_vector){0};
    if (!flatbuffer_field(buffer, table, field, 4, &at))
        return false;
    if (at == 0)
        return true;
    if (!flatbuffer_follow(buffer, at, &to))
        return false;
    count = flatbuffer_u32(buffer, to);
    if (count > (buffer->size - to - 4) / width)
        return flatbuffer_error(buffer, to,
                                "a vector of %zu elements of %zu bytes, beyond the end of the file",
                                count, width);
    *vector = (struct flatbuffer_vector){.at = to + 4, .count = count};
    return spend(buffer, to, count * width);
}

bool flatbuffer_table_at(struct flatbuffer *buffer, const struct flatbuffer_vector *vector,
                         size_t index, struct flatbuffer_table *table)
{
    size_t to = 0;

    return flatbuffer_follow(buffer, vector->at + 4 * index, &to) && open_table(buffer, to, table);
}

int32_t flatbuffer_int_at(const struct flatbuffer *buffer, const struct flatbuffer_vector *vector,
                          size_t index)
{
    return signed32(flatbuffer_u32(buffer, vector->at + 4 * index));
}

char *flatbuffer_text(const struct flatbuffer *buffer, const struct flatbuffer_vector *string)
{
    char *text = memory_alloc(string->count + 1, 1);

    for (size_t i = 0; i < string->count; i++) {
        uint8_t byte = buffer->data[string->at + i];

        text[i] = byte < ' ' ? '?' : (char)byte;
    }
    text[string->count] = '\0';
    return text;
}
