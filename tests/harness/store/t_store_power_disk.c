/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/harness/store/t_store_power_disk.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/memory.h"
#include "lib/base/rng.h"

enum { SECTOR = 512, MOST_FILES = 8 };

/* LENGTH bytes written at AT; SIZE < 0: of a write, else the file is cut to it.  */
struct change {
    int64_t at, length, size;
    unsigned char *data;
};

struct disk_file {
    char *path;
    bool lasts;   /* it is on the disk, with BYTES */
    bool removed; /* but not on the disk, where LASTS */
    unsigned char *bytes;
    size_t length, capacity;
    struct change *change; /* since it was synced */
    size_t changes, change_capacity;
};

struct disk {
    sqlite3_vfs vfs, *below;
    struct disk_file file[MOST_FILES];
    size_t files;
    struct rng *rng;
    void (*watch)(void *context); /* after each change, sync and removal */
    void *context;
};

/* What SQLite holds; the file below follows it.  */
struct handle {
    sqlite3_file base;
    struct disk *disk;
    struct disk_file *file; /* NULL: not remembered */
};

static sqlite3_file *below(sqlite3_file *file)
{
    return (sqlite3_file *)((char *)file + sizeof(struct handle));
}

static struct disk *of(sqlite3_vfs *vfs)
{
    return (struct disk *)vfs->pAppData;
}

static void set_length(struct disk_file *file, int64_t length)
{
    const size_t size = (size_t)length;

    if (size > file->length) {
        file->bytes = memory_grow(file->bytes, &file->capacity, size, 1);
        memset(file->bytes + file->length, 0, size - file->length);
    }
    file->length = size;
}

static void apply(struct disk_file *file, const struct change *change, int64_t length)
{
    if (change->size >= 0) {
        set_length(file, change->size);
        return;
    }
    if (length == 0)
        return;
    if (change->at + length > (int64_t)file->length)
        set_length(file, change->at + length);
    memcpy(file->bytes + change->at, change->data, (size_t)length);
}

static void forget(struct disk_file *file)
{
    for (size_t i = 0; i < file->changes; i++)
        free(file->change[i].data);
    file->changes = 0;
}

static void remember(struct handle *handle, int64_t at, const void *data, int64_t length,
                     int64_t size)
{
    struct disk_file *file = handle->file;
    struct change *new;

    if (file == NULL)
        return;
    file->change =
        memory_grow(file->change, &file->change_capacity, file->changes + 1, sizeof *file->change);
    new = &file->change[file->changes++];
    *new = (struct change){at, length, size, NULL};
    if (data != NULL) {
        new->data = memory_alloc((size_t)length, 1);
        memcpy(new->data, data, (size_t)length);
    }
    if (handle->disk->watch != NULL)
        handle->disk->watch(handle->disk->context);
}

/* How many bytes of a write get there, had the power failed: none, all, or whole sectors.  */
static int64_t part_of(struct rng *rng, const struct change *change)
{
    switch (rng_range(rng, 0, 2)) {
    case 0:
        return 0;
    case 1:
        return change->length;
    default:
        return rng_range(rng, 0, change->length / SECTOR) * SECTOR;
    }
}

/* What is left of FILE, as a file in DIR.  */
static void leave(struct disk *disk, const struct disk_file *file, const char *dir)
{
    struct disk_file left = {.lasts = file->lasts};
    char *path = memory_printf("%s%s", dir, strrchr(file->path, '/'));
    FILE *out;

    set_length(&left, (int64_t)file->length);
    if (file->length > 0)
        memcpy(left.bytes, file->bytes, file->length);
    for (size_t i = 0; i < file->changes; i++)
        if (file->change[i].size < 0)
            apply(&left, &file->change[i], part_of(disk->rng, &file->change[i]));
        else if (rng_range(disk->rng, 0, 1) == 1)
            apply(&left, &file->change[i], 0);
    if ((file->lasts || rng_range(disk->rng, 0, 1) == 1) &&
        !(file->removed && rng_range(disk->rng, 0, 1) == 1)) {
        out = fopen(path, "w");
        if (out == NULL || (left.length > 0 && fwrite(left.bytes, 1, left.length, out) == 0) ||
            fclose(out) != 0)
            exit(99);
    }
    free(left.bytes);
    free(path);
}

void disk_fail(struct disk *disk, const char *dir)
{
    if (mkdir(dir, 0777) != 0)
        exit(99);
    for (size_t i = 0; i < disk->files; i++)
        leave(disk, &disk->file[i], dir);
}

/* --- what SQLite calls --- */

static int file_close(sqlite3_file *file)
{
    return below(file)->pMethods->xClose(below(file));
}

static int file_read(sqlite3_file *file, void *data, int length, sqlite3_int64 at)
{
    return below(file)->pMethods->xRead(below(file), data, length, at);
}

static int file_write(sqlite3_file *file, const void *data, int length, sqlite3_int64 at)
{
    remember((struct handle *)file, at, data, length, -1);
    return below(file)->pMethods->xWrite(below(file), data, length, at);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    remember((struct handle *)file, 0, NULL, 0, size);
    return below(file)->pMethods->xTruncate(below(file), size);
}

/* The removal of files gets there.  */
static void sync_folder(struct disk *disk)
{
    for (size_t i = 0; i < disk->files; i++) {
        struct disk_file *file = &disk->file[i];

        if (!file->removed)
            continue;
        forget(file);
        file->length = 0;
        file->lasts = false;
    }
}

/* Of a new file SQLite syncs the folder, too.  The real disk does not matter.  */
static int file_sync(sqlite3_file *file, int flags)
{
    struct handle *handle = (struct handle *)file;

    (void)flags;
    if (handle->file == NULL)
        return SQLITE_OK;
    for (size_t i = 0; i < handle->file->changes; i++)
        apply(handle->file, &handle->file->change[i], handle->file->change[i].length);
    forget(handle->file);
    if (!handle->file->lasts)
        sync_folder(handle->disk);
    handle->file->lasts = true;
    if (handle->disk->watch != NULL)
        handle->disk->watch(handle->disk->context);
    return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return below(file)->pMethods->xFileSize(below(file), size);
}

static int file_lock(sqlite3_file *file, int lock)
{
    return below(file)->pMethods->xLock(below(file), lock);
}

static int file_unlock(sqlite3_file *file, int lock)
{
    return below(file)->pMethods->xUnlock(below(file), lock);
}

static int file_check_lock(sqlite3_file *file, int *held)
{
    return below(file)->pMethods->xCheckReservedLock(below(file), held);
}

static int file_control(sqlite3_file *file, int what, void *argument)
{
    return below(file)->pMethods->xFileControl(below(file), what, argument);
}

static int file_sector(sqlite3_file *file)
{
    return below(file)->pMethods->xSectorSize(below(file));
}

static int file_device(sqlite3_file *file)
{
    return below(file)->pMethods->xDeviceCharacteristics(below(file));
}

static int file_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory)
{
    return below(file)->pMethods->xShmMap(below(file), page, size, extend, memory);
}

static int file_shm_lock(sqlite3_file *file, int offset, int n, int flags)
{
    return below(file)->pMethods->xShmLock(below(file), offset, n, flags);
}

static void file_barrier(sqlite3_file *file)
{
    below(file)->pMethods->xShmBarrier(below(file));
}

static int file_unmap(sqlite3_file *file, int remove)
{
    return below(file)->pMethods->xShmUnmap(below(file), remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_device,
    .xShmMap = file_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_barrier,
    .xShmUnmap = file_unmap,
};

static struct disk_file *find(struct disk *disk, const char *path)
{
    for (size_t i = 0; i < disk->files; i++)
        if (strcmp(disk->file[i].path, path) == 0)
            return &disk->file[i];
    return NULL;
}

static int disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    struct disk *disk = of(vfs);
    struct handle *handle = (struct handle *)file;
    const int result = disk->below->xOpen(disk->below, name, below(file), flags, out);

    *handle = (struct handle){.disk = disk};
    handle->base.pMethods = below(file)->pMethods != NULL ? &methods : NULL;
    if (result != SQLITE_OK || disk->watch == NULL || name == NULL ||
        (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)) == 0)
        return result;
    handle->file = find(disk, name);
    if (handle->file == NULL) {
        assert(disk->files < MOST_FILES);
        handle->file = &disk->file[disk->files++];
        *handle->file = (struct disk_file){.path = memory_strdup(name)};
    } else if (handle->file->removed) {
        /* What was there before may be there again.  */
        handle->file->removed = false;
        remember(handle, 0, NULL, 0, 0);
    }
    return result;
}

static int disk_delete(sqlite3_vfs *vfs, const char *name, int lasting)
{
    struct disk *disk = of(vfs);
    struct disk_file *file = find(disk, name);

    if (file != NULL) {
        file->removed = true;
        if (lasting != 0)
            sync_folder(disk);
        if (disk->watch != NULL)
            disk->watch(disk->context);
    }
    return disk->below->xDelete(disk->below, name, lasting);
}

struct disk *disk_new(void)
{
    struct disk *disk = memory_zalloc(1, sizeof *disk);

    disk->below = sqlite3_vfs_find(NULL);
    disk->vfs = *disk->below;
    disk->vfs.zName = "cached";
    disk->vfs.pNext = NULL;
    disk->vfs.szOsFile += (int)sizeof(struct handle);
    disk->vfs.pAppData = disk;
    disk->vfs.xOpen = disk_open;
    disk->vfs.xDelete = disk_delete;
    disk->rng = rng_new(31);
    if (sqlite3_vfs_register(&disk->vfs, 1) != SQLITE_OK)
        exit(99);
    return disk;
}

void disk_free(struct disk *disk)
{
    sqlite3_vfs_unregister(&disk->vfs);
    for (size_t i = 0; i < disk->files; i++) {
        forget(&disk->file[i]);
        free(disk->file[i].change);
        free(disk->file[i].bytes);
        free(disk->file[i].path);
    }
    rng_free(disk->rng);
    free(disk);
}

void disk_watch(struct disk *disk, void (*watch)(void *context), void *context)
{
    disk->watch = watch;
    disk->context = context;
}
