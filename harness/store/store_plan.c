/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/store/store_plan.h"

#include <endian.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/offsets.h"
#include "lib/base/memory.h"

/* The offsets that VALUE holds; NULL with CONTEXT told why not, which of NULL is nothing.  */
static int64_t *unpacked(sqlite3_context *context, sqlite3_value *value, size_t *n)
{
    const void *bytes = sqlite3_value_blob(value);
    int64_t *offset = offsets_unpack(bytes, (size_t)sqlite3_value_bytes(value), n);

    if (offset == NULL && sqlite3_value_type(value) != SQLITE_NULL)
        sqlite3_result_error(context, "the offsets of a plan are damaged: they can't be unpacked",
                             -1);
    return offset;
}

static void pack(sqlite3_context *context, int count, sqlite3_value **value)
{
    const size_t n = (size_t)sqlite3_value_bytes(value[0]) / sizeof(int64_t);
    const void *raw = sqlite3_value_blob(value[0]);
    int64_t *offset;
    size_t size;

    (void)count;
    if (sqlite3_value_type(value[0]) == SQLITE_NULL)
        return;
    offset = memory_alloc(n + 1, sizeof *offset);
    if (n > 0)
        memcpy(offset, raw, n * sizeof *offset);
    for (size_t i = 0; i < n; i++)
        offset[i] = (int64_t)le64toh((uint64_t)offset[i]);
    raw = offsets_pack(offset, n, &size);
    free(offset);
    sqlite3_result_blob64(context, raw, size, free);
}

static void unpack(sqlite3_context *context, int count, sqlite3_value **value)
{
    size_t n;
    int64_t *offset = unpacked(context, value[0], &n);

    (void)count;
    if (offset == NULL)
        return;
    for (size_t i = 0; i < n; i++)
        offset[i] = (int64_t)htole64((uint64_t)offset[i]);
    sqlite3_result_blob64(context, offset, n * sizeof *offset, free);
}

static void count_of(sqlite3_context *context, int count, sqlite3_value **value)
{
    const void *bytes = sqlite3_value_blob(value[0]);
    size_t n;

    (void)count;
    if (offsets_count(bytes, (size_t)sqlite3_value_bytes(value[0]), &n))
        sqlite3_result_int64(context, (int64_t)n);
}

static void differ(sqlite3_context *context, int count, sqlite3_value **value)
{
    size_t n, m, at = 0;
    int64_t *one = unpacked(context, value[0], &n);
    int64_t *other = one == NULL ? NULL : unpacked(context, value[1], &m);

    (void)count;
    while (other != NULL && n == m && at < n && one[at] == other[at])
        at++;
    if (other != NULL && n == m && at < n)
        sqlite3_result_int64(context, (int64_t)at);
    free(one);
    free(other);
}

static void offset_at(sqlite3_context *context, int count, sqlite3_value **value)
{
    const int64_t at = sqlite3_value_int64(value[1]);
    size_t n;
    int64_t *offset = unpacked(context, value[0], &n);

    (void)count;
    if (offset != NULL && at >= 0 && (uint64_t)at < n)
        sqlite3_result_int64(context, offset[at]);
    free(offset);
}

static void is_whole(sqlite3_context *context, int count, sqlite3_value **value)
{
    const void *bytes = sqlite3_value_blob(value[0]);
    size_t n;
    int64_t *offset = offsets_unpack(bytes, (size_t)sqlite3_value_bytes(value[0]), &n);

    (void)count;
    if (sqlite3_value_type(value[0]) != SQLITE_NULL)
        sqlite3_result_int(context, offset != NULL);
    free(offset);
}

bool plan_make_known(sqlite3 *db)
{
    static const struct {
        const char *name;
        int arguments;
        void (*call)(sqlite3_context *context, int count, sqlite3_value **value);
    } functions[] = {{"offsets_pack", 1, pack},      {"offsets_unpack", 1, unpack},
                     {"offsets_count", 1, count_of}, {"offsets_differ", 2, differ},
                     {"offsets_at", 2, offset_at},   {"offsets_whole", 1, is_whole}};
    bool done = true;

    for (size_t i = 0; done && i < sizeof functions / sizeof functions[0]; i++)
        done = sqlite3_create_function_v2(db, functions[i].name, functions[i].arguments,
                                          SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                                          functions[i].call, NULL, NULL, NULL) == SQLITE_OK;
    return done;
}
