/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/store/store_plan.h"

#include <endian.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/offsets.h"
#include "harness/store/store_private.h"
#include "harness/store/store_table.h"
#include "lib/base/checksum.h"
#include "lib/base/memory.h"

/* --- in SQL --- */

/* The offsets of the base ID, which is in one of the databases; NULL: in none.  */
static int64_t *read_base(sqlite3 *db, int64_t id, size_t *n)
{
    sqlite3_stmt *names = NULL, *row = NULL;
    int64_t *offset = NULL;

    sqlite3_prepare_v2(db, "SELECT name FROM pragma_database_list", -1, &names, NULL);
    while (offset == NULL && sqlite3_step(names) == SQLITE_ROW) {
        char *sql = sqlite3_mprintf("SELECT offsets FROM \"%w\".base WHERE id = ?1",
                                    sqlite3_column_text(names, 0));

        if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK &&
            sqlite3_bind_int64(row, 1, id) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW)
            offset = offsets_unpack(sqlite3_column_blob(row, 0),
                                    (size_t)sqlite3_column_bytes(row, 0), NULL, 0, n);
        sqlite3_finalize(row);
        sqlite3_free(sql);
    }
    sqlite3_finalize(names);
    return offset;
}

/* The offsets that VALUE and, behind it, the number of a base hold; NULL where they can't be
 * unpacked.  */
static int64_t *unpacked(sqlite3_context *context, sqlite3_value **value, size_t *n)
{
    const void *bytes = sqlite3_value_blob(value[0]);
    size_t base_n = 0;
    int64_t *base =
        sqlite3_value_type(value[1]) == SQLITE_NULL
            ? NULL
            : read_base(sqlite3_context_db_handle(context), sqlite3_value_int64(value[1]), &base_n);
    int64_t *offset = offsets_unpack(bytes, (size_t)sqlite3_value_bytes(value[0]), base, base_n, n);

    free(base);
    return offset;
}

static size_t count_raw(sqlite3_value *value)
{
    return (size_t)sqlite3_value_bytes(value) / sizeof(int64_t);
}

static int64_t raw_at(sqlite3_value *value, size_t i)
{
    uint64_t offset;

    memcpy(&offset, (const char *)sqlite3_value_blob(value) + i * sizeof offset, sizeof offset);
    return (int64_t)le64toh(offset);
}

static bool is_null(sqlite3_value *value)
{
    return sqlite3_value_type(value) == SQLITE_NULL;
}

static void pack(sqlite3_context *context, int count, sqlite3_value **value)
{
    const size_t n = count_raw(value[0]);
    int64_t *offset;
    uint8_t *bytes;
    size_t size;

    (void)count;
    if (is_null(value[0]))
        return;
    offset = memory_alloc(n + 1, sizeof *offset);
    for (size_t i = 0; i < n; i++)
        offset[i] = raw_at(value[0], i);
    bytes = offsets_pack(offset, NULL, n, &size);
    free(offset);
    sqlite3_result_blob64(context, bytes, size, free);
}

static void unpack(sqlite3_context *context, int count, sqlite3_value **value)
{
    int64_t *offset;
    size_t n;

    (void)count;
    if (is_null(value[0]))
        return;
    offset = unpacked(context, value, &n);
    if (offset == NULL) {
        sqlite3_result_error(context, "the offsets of a plan are damaged: they can't be unpacked",
                             -1);
        return;
    }
    for (size_t i = 0; i < n; i++)
        offset[i] = (int64_t)htole64((uint64_t)offset[i]);
    sqlite3_result_blob64(context, offset, n * sizeof *offset, free);
}

static void is_whole(sqlite3_context *context, int count, sqlite3_value **value)
{
    int64_t *offset;
    size_t n;

    (void)count;
    if (is_null(value[0]))
        return;
    offset = unpacked(context, value, &n);
    sqlite3_result_int(context, offset != NULL);
    free(offset);
}

static bool same_bytes(sqlite3_value *one, sqlite3_value *other)
{
    const int size = sqlite3_value_bytes(one);

    return is_null(one) == is_null(other) && size == sqlite3_value_bytes(other) &&
           (size == 0 ||
            memcmp(sqlite3_value_blob(one), sqlite3_value_blob(other), (size_t)size) == 0);
}

static void are_same(sqlite3_context *context, int count, sqlite3_value **value)
{
    bool same = same_bytes(value[0], value[2]) && same_bytes(value[1], value[3]);

    (void)count;
    if (!same && !is_null(value[0]) && !is_null(value[2])) {
        size_t n, m;
        int64_t *one = unpacked(context, value, &n), *other = unpacked(context, value + 2, &m);

        same = one != NULL && other != NULL && n == m &&
               (n == 0 || memcmp(one, other, n * sizeof *one) == 0);
        free(other);
        free(one);
    }
    sqlite3_result_int(context, same);
}

static void count_of(sqlite3_context *context, int count, sqlite3_value **value)
{
    (void)count;
    if (!is_null(value[0]))
        sqlite3_result_int64(context, (int64_t)count_raw(value[0]));
}

static void differ(sqlite3_context *context, int count, sqlite3_value **value)
{
    const size_t n = count_raw(value[0]);
    size_t at = 0;

    (void)count;
    if (n != count_raw(value[1]))
        return;
    while (at < n && raw_at(value[0], at) == raw_at(value[1], at))
        at++;
    if (at < n)
        sqlite3_result_int64(context, (int64_t)at);
}

static void offset_at(sqlite3_context *context, int count, sqlite3_value **value)
{
    const int64_t at = sqlite3_value_int64(value[1]);

    (void)count;
    if (at >= 0 && (uint64_t)at < count_raw(value[0]))
        sqlite3_result_int64(context, raw_at(value[0], (size_t)at));
}

bool plan_make_known(sqlite3 *db)
{
    static const struct {
        const char *name;
        int arguments;
        void (*call)(sqlite3_context *context, int count, sqlite3_value **value);
    } functions[] = {{"offsets_pack", 1, pack},      {"offsets_unpack", 2, unpack},
                     {"offsets_whole", 2, is_whole}, {"offsets_same", 4, are_same},
                     {"offsets_count", 1, count_of}, {"offsets_differ", 2, differ},
                     {"offsets_at", 2, offset_at}};
    bool done = true;

    for (size_t i = 0; done && i < sizeof functions / sizeof functions[0]; i++)
        done = sqlite3_create_function_v2(db, functions[i].name, functions[i].arguments,
                                          SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                                          functions[i].call, NULL, NULL, NULL) == SQLITE_OK;
    return done;
}

/* --- written --- */

/* Of instances below this size plans take fewer bytes than what says which base is theirs; and of
 * how many plans of an instance others may be told by what they have in common with one.  */
enum { LEAST_BUFFERS = 100, BASES_MOST = 8 };

struct base {
    int64_t id, *offset;
};

static int64_t checksum_of(const int64_t *offset, size_t n)
{
    uint64_t sum = CHECKSUM_START;

    for (size_t i = 0; i < n; i++)
        sum = checksum_int(sum, offset[i]);
    return (int64_t)sum;
}

/* The base that has most of the plan's offsets, and more than half of them, if there is one, whose
 * offsets the caller frees; and how many were looked at.  */
static bool find_base(struct store *store, const struct store_task *task, struct base *best,
                      int *bases, struct error *error)
{
    static const char sql[] = "SELECT id, offsets FROM base WHERE workload = ?1 OR id = ?2";
    size_t most = task->n / 2, n;
    sqlite3_stmt *row = NULL;
    int result = sqlite3_prepare_v2(store->db, sql, -1, &row, NULL);

    *best = (struct base){0, NULL};
    *bases = 0;
    sqlite3_bind_int64(row, 1, task->workload);
    sqlite3_bind_int64(row, 2, checksum_of(task->offset, task->n));
    while (result == SQLITE_OK && (result = sqlite3_step(row)) == SQLITE_ROW) {
        int64_t *offset = offsets_unpack(sqlite3_column_blob(row, 1),
                                         (size_t)sqlite3_column_bytes(row, 1), NULL, 0, &n);
        size_t same = 0;

        for (size_t i = 0; offset != NULL && n == task->n && i < n; i++)
            same += offset[i] == task->offset[i];
        if (same > most) {
            free(best->offset);
            *best = (struct base){sqlite3_column_int64(row, 0), offset};
            most = same;
        } else {
            free(offset);
        }
        ++*bases;
        result = SQLITE_OK;
    }
    if (result != SQLITE_DONE)
        store_fault(store, error);
    sqlite3_finalize(row);
    return result == SQLITE_DONE;
}

/* Makes the plan one that others are told by.  */
static bool put_base(struct store *store, const struct store_task *task, struct base *base,
                     struct error *error)
{
    struct base_row row = {.id = checksum_of(task->offset, task->n), .workload = task->workload};
    uint8_t *bytes = offsets_pack(task->offset, NULL, task->n, &row.offsets.size);
    bool done;

    row.offsets.data = bytes;
    done = store_insert(store, TABLE_BASE, &row, NULL, error);
    *base = (struct base){row.id, memory_alloc(task->n, sizeof *base->offset)};
    memcpy(base->offset, task->offset, task->n * sizeof *base->offset);
    free(bytes);
    return done;
}

bool plan_put(struct store *store, struct task_row *row, struct error *error)
{
    const struct store_task *task = &row->task;
    struct base base = {0, NULL};
    uint8_t *bytes = NULL;
    int bases;
    bool done = true;

    if (task->offset != NULL && task->n >= LEAST_BUFFERS)
        done = find_base(store, task, &base, &bases, error) &&
               (base.offset != NULL || bases >= BASES_MOST || put_base(store, task, &base, error));
    if (task->offset != NULL) {
        bytes = offsets_pack(task->offset, base.offset, task->n, &row->offsets.size);
        row->offsets.data = bytes;
        row->base = base.id;
    }
    done = done && store_insert(store, TABLE_PLAN, row, NULL, error);
    free(bytes);
    free(base.offset);
    return done;
}
