/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/memory.h"

#define FIRST_READ 65536

static bool read_stream(FILE *in, const char *path, size_t limit, char **text, size_t *length,
                        struct error *error)
{
    size_t capacity = 0, used = 0, got;
    char *block = NULL;

    do {
        block = memory_grow(block, &capacity, used + FIRST_READ + 1, 1);
        got = fread(block + used, 1, capacity - used - 1, in);
        used += got;
    } while (got > 0 && used <= limit);
    if (ferror(in) != 0)
        error_set(error, "%s: cannot read: %s", path, strerror(errno));
    else if (used > limit)
        error_set(error, "%s: more than %zu bytes", path, limit);
    if (ferror(in) != 0 || used > limit) {
        free(block);
        return false;
    }
    block[used] = '\0';
    *text = memory_resize(block, used + 1, 1);
    *length = used;
    return true;
}

bool file_read(const char *path, size_t limit, char **text, size_t *length, struct error *error)
{
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    bool good;

    if (in == NULL)
        return error_set(error, "%s: cannot open: %s", path, strerror(errno));
    good = read_stream(in, path, limit, text, length, error);
    if (in != stdin)
        fclose(in);
    return good;
}

/* Whether there is a regular file at FD.  Else all is as it was.  */
static bool map_regular(int fd, struct file_bytes *bytes)
{
    struct stat status;
    void *data = NULL;

    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    if (status.st_size > 0)
        data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return false;
    *bytes = (struct file_bytes){data, (size_t)status.st_size, true};
    return true;
}

bool file_map(const char *path, size_t limit, struct file_bytes *bytes, struct error *error)
{
    int fd = strcmp(path, "-") == 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool mapped = map_regular(fd, bytes);
    char *text;

    if (fd >= 0)
        close(fd);
    if (mapped && bytes->size <= limit)
        return true;
    if (mapped) {
        file_bytes_clear(bytes);
        return error_set(error, "%s: more than %zu bytes", path, limit);
    }
    *bytes = (struct file_bytes){0};
    if (!file_read(path, limit, &text, &bytes->size, error))
        return false;
    bytes->data = (const unsigned char *)text;
    return true;
}

void file_bytes_clear(struct file_bytes *bytes)
{
    union {
        const unsigned char *seen;
        void *owned;
    } data = {bytes->data};

    if (!bytes->mapped)
        free(data.owned);
    else if (bytes->size > 0)
        munmap(data.owned, bytes->size);
    *bytes = (struct file_bytes){0};
}

bool file_flush(FILE *out)
{
    bool failed = ferror(out) != 0;

    if (fflush(out) != 0)
        return false;
    if (!failed)
        return true;
    /* A stream remembers that something failed, not why: another byte fails for the same
     * reason.  Where it does not, the output is broken all the same.  */
    if (write(fileno(out), "\n", 1) == 1)
        errno = EIO;
    return false;
}

bool file_is_called(const char *path, const char *ending)
{
    const size_t length = strlen(path), own = strlen(ending);

    return length > own && strcmp(path + length - own, ending) == 0;
}
