/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are mapped: what is in them, and what can't be mapped or is too large.  */
#include <config.h>

#include "lib/base/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"

static char *made(const char *folder, const char *name, const char *text)
{
    char *path = memory_printf("%s/%s", folder, name);
    FILE *out = fopen(path, "wb");

    if (out == NULL || fputs(text, out) < 0 || fclose(out) != 0) {
        perror(path);
        exit(1);
    }
    return path;
}

static void has(const char *path, size_t limit, const char *text, bool mapped, const char *what)
{
    struct error error = {""};
    struct file_bytes bytes;

    if (!ok(file_map(path, limit, &bytes, &error), "%s %s", what, error.text))
        return;
    ok(bytes.size == strlen(text) && (bytes.size == 0 || memcmp(bytes.data, text, bytes.size) == 0),
       "... with its bytes");
    is_int(bytes.mapped, mapped, "... mapped");
    file_bytes_clear(&bytes);
    ok(bytes.data == NULL && bytes.size == 0, "... and given back");
}

static void refuses(const char *path, const char *reason, const char *what)
{
    struct error error = {""};
    struct file_bytes bytes;

    ok(!file_map(path, 4, &bytes, &error) && strncmp(error.text, path, strlen(path)) == 0 &&
           strstr(error.text, reason) != NULL,
       "%s: %s", what, error.text);
}

/* A pipe that has TEXT, as a path.  */
static void piped(const char *text)
{
    int end[2];
    char *path;

    if (pipe(end) != 0 || write(end[1], text, strlen(text)) != (ssize_t)strlen(text)) {
        perror("pipe");
        exit(1);
    }
    close(end[1]);
    path = memory_printf("/dev/fd/%d", end[0]);
    has(path, 10, text, false, "a pipe is read");
    free(path);
    close(end[0]);
}

int main(void)
{
    char *folder = scratch_new();
    char *full = made(folder, "full", "abcde"), *empty = made(folder, "empty", "");

    has(full, 5, "abcde", true, "a file");
    has(empty, 0, "", true, "an empty one");
    piped("xyz");
    refuses(full, "more than 4 bytes", "one that is too large");
    refuses(folder, "", "a folder");
    free(empty);
    empty = memory_printf("%s/none", folder);
    refuses(empty, "No such file", "one that is not there");
    free(full);
    free(empty);
    scratch_remove(folder);
    return tap_done();
}
