/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/memory.h"

bool output_open(struct output *output, const char *path, struct error *error)
{
    struct stat status;
    bool there;

    output->path = memory_strdup(path == NULL ? "standard output" : path);
    output->temporary = NULL;
    output->replaces = false;
    output->file = stdout;
    if (path == NULL)
        return true;
    there = stat(path, &status) == 0;
    output->replaces = there && S_ISREG(status.st_mode);
    if (output->replaces || !there)
        output->temporary = memory_printf("%s.%ld.new", path, (long)getpid());
    output->file = fopen(output->temporary != NULL ? output->temporary : path, "w");
    if (output->file != NULL)
        return true;
    error_set(error, "%s: %s", path, strerror(errno));
    free(output->path);
    free(output->temporary);
    return false;
}

bool output_close(struct output *output, bool keep, struct error *error)
{
    int reason = file_flush(output->file) ? 0 : errno;

    if (keep && reason == 0 && output->replaces && fsync(fileno(output->file)) != 0)
        reason = errno;
    if (output->file != stdout && fclose(output->file) != 0 && reason == 0)
        reason = errno;
    if (output->temporary != NULL && keep && reason == 0 &&
        rename(output->temporary, output->path) != 0)
        reason = errno;
    if (keep && reason != 0)
        error_set(error, "%s: %s", output->path, strerror(reason));
    if (output->temporary != NULL && !(keep && reason == 0))
        unlink(output->temporary);
    free(output->path);
    free(output->temporary);
    return reason == 0;
}

bool output_bytes(const char *path, const void *bytes, size_t size, struct error *error)
{
    struct output output;

    if (!output_open(&output, path, error))
        return false;
    fwrite(bytes, 1, size, output.file); /* closing sees what went wrong */
    return output_close(&output, true, error);
}

bool output_folder(const char *path, struct error *error)
{
    struct stat status;

    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return error_set(error, "%s: %s", path, strerror(errno));
    if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
        return error_set(error, "%s: %s", path, strerror(ENOTDIR));
    return access(path, W_OK | X_OK) == 0 || error_set(error, "%s: %s", path, strerror(errno));
}
