/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/file/scan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bisect.h"
#include "lib/base/memory.h"
#include "workloads/readers/onnx/file/model.h"
#include "workloads/readers/onnx/file/onnx.pb-c.h"

struct scan {
    const uint8_t *data; /* the whole file */
    size_t at;
    uint8_t *slim; /* the file anew */
    size_t slim_size, slim_capacity;
    const char *path;
    struct error *error;
};

static bool malformed(struct scan *scan, const char *expected)
{
    return error_set(scan->error, "%s: byte %zu: %s", scan->path, scan->at, expected);
}

static bool scan_varint(struct scan *scan, size_t end, uint64_t *result)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (scan->at == end)
            return malformed(scan, "the message ends within a number");
        if (shift < 64)
            value |= (uint64_t)(scan->data[scan->at] & 0x7f) << shift;
        if ((scan->data[scan->at++] & 0x80) == 0) {
            *result = value;
            return true;
        }
    }
    return malformed(scan, "a number of more than ten bytes");
}

static const ProtobufCFieldDescriptor *find_field(const ProtobufCMessageDescriptor *message,
                                                  uint64_t id)
{
    size_t at = BISECT(i, 0, message->n_fields, message->fields[i].id < id);

    return at < message->n_fields && message->fields[at].id == id ? &message->fields[at] : NULL;
}

static bool skip(struct scan *scan, size_t end, uint64_t length)
{
    if (length > end - scan->at)
        return error_set(scan->error,
                         "%s: byte %zu: a field of %" PRIu64 " bytes where %zu are left",
                         scan->path, scan->at, length, end - scan->at);
    scan->at += (size_t)length;
    return true;
}

/* COUNT bytes more of the file anew.  */
static uint8_t *grow(struct scan *scan, size_t count)
{
    size_t at = scan->slim_size;

    scan->slim_size += count;
    scan->slim = memory_grow(scan->slim, &scan->slim_capacity, scan->slim_size, 1);
    return scan->slim + at;
}

/* What was scanned since FROM stays as it is.  */
static void keep(struct scan *scan, size_t from)
{
    memcpy(grow(scan, scan->at - from), scan->data + from, scan->at - from);
}

/* A length that may become another one: in five bytes, whatever it is.  */
enum { LENGTH_BYTES = 5 };

static void put_length(uint8_t *to, size_t length)
{
    for (int i = 0; i < LENGTH_BYTES; i++, length >>= 7)
        to[i] = (uint8_t)((length & 0x7f) | (i < LENGTH_BYTES - 1 ? 0x80 : 0));
}

static bool is_raw(const ProtobufCFieldDescriptor *field)
{
    return field != NULL && field->type == PROTOBUF_C_TYPE_BYTES &&
           strcmp(field->name, "raw_data") == 0;
}

static void put_place(struct scan *scan, struct onnx_place place)
{
    uint8_t *to = grow(scan, LENGTH_BYTES + sizeof place);

    put_length(to, sizeof place);
    memcpy(to + LENGTH_BYTES, &place, sizeof place);
}

static bool scan_message(struct scan *scan, const ProtobufCMessageDescriptor *message, size_t end,
                         unsigned depth);

static bool scan_inner(struct scan *scan, const ProtobufCMessageDescriptor *message, size_t end,
                       unsigned depth)
{
    size_t head = scan->slim_size;

    grow(scan, LENGTH_BYTES);
    if (!scan_message(scan, message, end, depth))
        return false;
    put_length(scan->slim + head, scan->slim_size - head - LENGTH_BYTES);
    return true;
}

/* A field with its length: a message, a text, packed numbers.  */
static bool scan_field(struct scan *scan, const ProtobufCFieldDescriptor *field, size_t end,
                       unsigned depth, uint64_t *seen)
{
    uint64_t length, bit;
    size_t head = scan->at, start;

    if (!scan_varint(scan, end, &length))
        return false;
    start = scan->at;
    if (!skip(scan, end, length))
        return false;
    if (is_raw(field))
        put_place(scan, (struct onnx_place){start, (size_t)length});
    else if (field == NULL || field->type != PROTOBUF_C_TYPE_MESSAGE)
        keep(scan, head);
    if (field == NULL || field->type != PROTOBUF_C_TYPE_MESSAGE)
        return true;
    scan->at = start;
    bit = UINT64_C(1) << (field->id & 63);
    if (field->label != PROTOBUF_C_LABEL_REPEATED && (*seen & bit) != 0)
        return error_set(scan->error, "%s: byte %zu: '%s' comes twice", scan->path, scan->at,
                         field->name);
    *seen |= field->label == PROTOBUF_C_LABEL_REPEATED ? 0 : bit;
    return scan_inner(scan, field->descriptor, start + (size_t)length, depth + 1);
}

static bool scan_message(struct scan *scan, const ProtobufCMessageDescriptor *message, size_t end,
                         unsigned depth)
{
    uint64_t seen = 0; /* messages that may come once; field numbers are below 64 */

    if (depth > ONNX_MAX_DEPTH)
        return error_set(scan->error, "%s: byte %zu: messages nest more than %d deep", scan->path,
                         scan->at, ONNX_MAX_DEPTH);
    while (scan->at < end) {
        const ProtobufCFieldDescriptor *field;
        uint64_t tag, ignored;
        size_t head = scan->at;
        bool good;

        if (!scan_varint(scan, end, &tag))
            return false;
        if (tag >> 3 == 0 || tag >> 3 > UINT32_MAX >> 3)
            return malformed(scan, "a field with a number out of range");
        field = find_field(message, tag >> 3);
        switch (tag & 7) {
        case 0:
            good = scan_varint(scan, end, &ignored);
            break;
        case 1:
            good = skip(scan, end, 8);
            break;
        case 2:
            keep(scan, head);
            good = scan_field(scan, field, end, depth, &seen);
            break;
        case 5:
            good = skip(scan, end, 4);
            break;
        default:
            return malformed(scan, "a wire type that is none: this is not an ONNX file");
        }
        if (!good)
            return false;
        if ((tag & 7) != 2)
            keep(scan, head);
    }
    return true;
}

uint8_t *onnx_scan(const uint8_t *data, size_t size, const char *path, size_t *slim_size,
                   struct error *error)
{
    struct scan scan = {.data = data, .path = path, .error = error};

    scan.slim = memory_grow(NULL, &scan.slim_capacity, 1, 1);
    if (!scan_message(&scan, &onnx__model_proto__descriptor, size, 1)) {
        free(scan.slim);
        return NULL;
    }
    *slim_size = scan.slim_size;
    return scan.slim;
}
