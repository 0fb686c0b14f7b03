/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/store/offsets.h"

#include <stdlib.h>

#include "harness/io/deflate.h"
#include "lib/base/memory.h"

/* How far back an offset is looked for: what is further costs more bits than its value.  And what
 * says that it is the base's.  */
enum { FARTHEST = 127, OF_BASE = 128 };
/* The byte behind the head's numbers, and how many bytes these take at most.  */
enum { MOST_PLANES = 8, DIFFERENCES = 16, MOST_HEAD = 10 + 10 + 1 };

struct head {
    uint64_t n, unit;
    unsigned planes;
    bool differences;
};

/* --- packing --- */

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* How far before I the same offset stands; 0: nowhere near.  */
static uint8_t distance(const int64_t *offset, size_t i)
{
    const size_t farthest = i < FARTHEST ? i : FARTHEST;

    for (size_t d = 1; d <= farthest; d++)
        if (offset[i - d] == offset[i])
            return (uint8_t)d;
    return 0;
}

/* Differences wrap around, and so does what undoes them: any 64 bits come back.  */
static uint64_t fold(uint64_t difference)
{
    return difference << 1 ^ (difference >> 63 != 0 ? UINT64_MAX : 0);
}

static uint64_t unfold(uint64_t value)
{
    return value >> 1 ^ ((value & 1) != 0 ? UINT64_MAX : 0);
}

static unsigned bytes_of(uint64_t value)
{
    unsigned bytes = 0;

    for (; value != 0; value >>= 8)
        bytes++;
    return bytes;
}

static size_t write_number(uint8_t *to, uint64_t number)
{
    size_t length = 0;

    for (; number > 127; number >>= 7)
        to[length++] = (uint8_t)(number & 127) | 128;
    to[length++] = (uint8_t)number;
    return length;
}

static size_t write_head(uint8_t *to, const struct head *head)
{
    size_t length = write_number(to, head->n);

    length += write_number(to + length, head->unit);
    to[length++] = (uint8_t)(head->planes + (head->differences ? DIFFERENCES : 0));
    return length;
}

/* The COUNT values, of which those that take fewer bytes are written: as they are, or differences.
 */
static void choose_values(uint64_t *value, size_t count, struct head *head)
{
    uint64_t plain = 0, folded = 0, before = 0;

    for (size_t i = 0; i < count; i++) {
        plain |= value[i];
        folded |= fold(value[i] - before);
        before = value[i];
    }
    head->differences = bytes_of(folded) < bytes_of(plain);
    head->planes = bytes_of(head->differences ? folded : plain);
    for (size_t i = count; head->differences && i-- > 0;)
        value[i] = fold(value[i] - (i > 0 ? value[i - 1] : 0));
}

uint8_t *offsets_pack(const int64_t *offset, const int64_t *base, size_t n, size_t *size)
{
    struct head head = {.n = n};
    uint64_t *value = memory_alloc(n, sizeof *value);
    uint8_t *body = memory_alloc(n + 1, 1 + MOST_PLANES), *packed, text[MOST_HEAD];
    size_t count = 0, length = n, before;

    for (size_t i = 0; i < n; i++) {
        body[i] = base != NULL && base[i] == offset[i] ? OF_BASE : distance(offset, i);
        if (body[i] != 0)
            continue;
        value[count++] = (uint64_t)offset[i];
        head.unit = gcd(head.unit, (uint64_t)offset[i]);
    }
    head.unit = head.unit == 0 ? 1 : head.unit;
    for (size_t i = 0; i < count; i++)
        value[i] /= head.unit;
    choose_values(value, count, &head);
    for (unsigned plane = 0; plane < head.planes; plane++)
        for (size_t i = 0; i < count; i++)
            body[length++] = (uint8_t)(value[i] >> 8 * plane);
    before = write_head(text, &head);
    packed = deflate_bytes(body, length, before, size);
    for (size_t i = 0; i < before; i++)
        packed[i] = text[i];
    free(body);
    free(value);
    return packed;
}

/* --- unpacking --- */

/* Where the number at *AT ends is the new *AT.  */
static bool read_number(const uint8_t *bytes, size_t size, size_t *at, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; shift < 64 && *at < size; shift += 7) {
        const uint8_t byte = bytes[(*at)++];

        *number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return shift < 63 || byte <= 1;
    }
    return false;
}

/* LENGTH is that of the head.  What it announces is bounded by what the stream can hold, before
 * anybody makes room for it.  */
static bool read_head(const uint8_t *bytes, size_t size, struct head *head, size_t *length)
{
    size_t at = 0;
    uint8_t kind;

    if (!read_number(bytes, size, &at, &head->n) || !read_number(bytes, size, &at, &head->unit) ||
        at == size)
        return false;
    kind = bytes[at++];
    head->planes = kind % DIFFERENCES;
    head->differences = kind / DIFFERENCES == 1;
    *length = at;
    return kind < 2 * DIFFERENCES && head->planes <= MOST_PLANES && head->unit > 0 &&
           size < SIZE_MAX / DEFLATE_MOST / (MOST_PLANES + 1) &&
           head->n <= (uint64_t)(size - at) * DEFLATE_MOST;
}

/* The value of number I of COUNT, whose bytes stand in planes.  */
static uint64_t value_at(const uint8_t *plane, size_t count, size_t i, unsigned planes)
{
    uint64_t value = 0;

    for (unsigned p = 0; p < planes; p++)
        value |= (uint64_t)plane[p * count + i] << 8 * p;
    return value;
}

static bool read_offsets(const struct head *head, const uint8_t *body, size_t length,
                         const int64_t *base, int64_t *offset)
{
    const size_t n = (size_t)head->n;
    uint64_t before = 0;
    size_t count = 0, used = 0;

    for (size_t i = 0; i < n && i < length; i++)
        count += body[i] == 0;
    if (length != n + head->planes * count)
        return false;
    for (size_t i = 0; i < n; i++) {
        uint64_t value;

        if (body[i] == OF_BASE ? base == NULL : body[i] > FARTHEST || body[i] > i)
            return false;
        if (body[i] > 0) {
            offset[i] = body[i] == OF_BASE ? base[i] : offset[i - body[i]];
            continue;
        }
        value = value_at(body + n, count, used++, head->planes);
        before = head->differences ? before + unfold(value) : value;
        if (before > UINT64_MAX / head->unit)
            return false;
        offset[i] = (int64_t)(before * head->unit);
    }
    return true;
}

int64_t *offsets_unpack(const uint8_t *bytes, size_t size, const int64_t *base, size_t base_n,
                        size_t *n)
{
    struct head head;
    uint8_t *body;
    int64_t *offset;
    size_t at, length;
    bool whole;

    if (!read_head(bytes, size, &head, &at))
        return NULL;
    *n = (size_t)head.n;
    body = memory_alloc(*n + 1, 1 + head.planes);
    offset = memory_alloc(*n + 1, sizeof *offset);
    whole = inflate_bytes(bytes + at, size - at, body, *n * (1 + head.planes), &length) &&
            read_offsets(&head, body, length, base_n == *n ? base : NULL, offset);
    free(body);
    if (whole)
        return offset;
    free(offset);
    return NULL;
}
