/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/external.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/checked.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "workloads/readers/onnx/names.h"
#include "workloads/readers/onnx/rules/value.h"

struct external_file {
    struct file_bytes bytes;
    const char *absent; /* why it can't be had, or NULL */
    int64_t asked;      /* bytes of all tensors */
};

/* Tensors may share elements, but a small file is not the elements of any number of them.  */
enum { MOST_ASKED = 2 };

/* Keeps REASON, which was allocated, with FILES.  */
static const char *keep(struct external_files *files, char *reason)
{
    files->reason = memory_grow(files->reason, &files->reason_capacity, files->reasons + 1,
                                sizeof *files->reason);
    files->reason[files->reasons++] = reason;
    return reason;
}

static const char *refuse(struct external_files *files, const char *location, const char *reason)
{
    return keep(files,
                memory_printf("its elements are in another file, '%s': %s", location, reason));
}

/* What PATH's folder really is, with a slash at its end; the caller frees it.  NULL with errno.  */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *given =
        slash == NULL ? memory_strdup(".") : memory_printf("%.*s", (int)(slash - path) + 1, path);
    char *real = realpath(given, NULL), *folder = NULL;

    if (real != NULL)
        folder = memory_printf("%s%s", real, strcmp(real, "/") == 0 ? "" : "/");
    free(given);
    free(real);
    return folder;
}

static const char outside[] = "expected a file below the model's folder";

/* NULL, or why FILE, which REAL is, can't be mapped.  */
static const char *map(struct external_file *file, const char *folder, const char *real)
{
    struct stat status;
    struct error error;

    if (strncmp(real, folder, strlen(folder)) != 0)
        return outside;
    if (stat(real, &status) != 0)
        return strerror(errno);
    if (!S_ISREG(status.st_mode))
        return "expected a regular file";
    return file_map(real, INT64_MAX / MOST_ASKED, &file->bytes, &error) ? NULL : strerror(errno);
}

static struct external_file *open_file(struct external_files *files, const char *folder,
                                       const char *location)
{
    struct external_file *file = memory_zalloc(1, sizeof *file);
    char *given = memory_printf("%s%s", folder, location), *real = realpath(given, NULL);
    const char *wrong = location[0] == '/' ? outside
                        : real == NULL     ? strerror(errno)
                                           : map(file, folder, real);

    if (wrong != NULL)
        file->absent = refuse(files, location, wrong);
    files->file = memory_grow(files->file, &files->capacity, files->n + 1, sizeof *files->file);
    files->file[files->n++] = file;
    free(given);
    free(real);
    return file;
}

/* A number of bytes; where none is said, OTHERWISE.  */
static bool number(const char *text, int64_t otherwise, int64_t *value)
{
    *value = otherwise;
    return text == NULL || parse_int(text, 0, INT64_MAX, value);
}

/* Of the elements of TENSOR; 0 where its type or shape is none.  */
static int64_t bytes_of(const struct onnx_tensor *tensor)
{
    struct shape shape;
    enum dtype dtype;
    int64_t count;

    return onnx_tensor_shape(tensor, &shape, &dtype, &count, NULL)
               ? count * (int64_t)dtype_size(dtype)
               : 0;
}

/* NULL, or why EXTERNAL is not in FILE.  */
static const char *find(const struct onnx_external *external, struct external_file *file)
{
    int64_t size = (int64_t)file->bytes.size, offset, length;
    struct onnx_tensor *tensor = external->tensor;

    if (!number(external->offset, 0, &offset) ||
        !number(external->length, bytes_of(tensor), &length))
        return "expected numbers of bytes as their offset and length there";
    if (offset > size || length > size - offset)
        return "it ends before they do";
    if (length > MOST_ASKED * size - file->asked)
        return "more tensors are there than it has bytes for";
    file->asked += length;
    if (length > 0)
        tensor->raw = (struct onnx_bytes){(size_t)length, file->bytes.data + offset};
    return NULL;
}

void external_files_open(struct external_files *files, struct onnx_model *model, const char *path)
{
    char *folder = model->externals > 0 ? folder_of(path) : NULL;
    struct names seen = {0};

    *files = (struct external_files){0};
    for (size_t i = 0; folder != NULL && i < model->externals; i++) {
        const struct onnx_external *external = &model->external[i];
        struct external_file *file;
        const char *wrong;

        if (external->location == NULL)
            continue;
        file = names_find(&seen, external->location);
        if (file == NULL) {
            file = open_file(files, folder, external->location);
            names_add(&seen, external->location, file);
        }
        external->tensor->absent = file->absent;
        wrong = file->absent == NULL ? find(external, file) : NULL;
        if (wrong != NULL)
            external->tensor->absent = refuse(files, external->location, wrong);
    }
    names_clear(&seen);
    free(folder);
}

size_t external_files_bytes(const struct external_files *files)
{
    int64_t bytes = 0;

    for (size_t i = 0; i < files->n; i++)
        bytes += min64((int64_t)files->file[i]->bytes.size, INT_MAX - bytes);
    return (size_t)bytes;
}

void external_files_clear(struct external_files *files)
{
    for (size_t i = 0; i < files->n; i++) {
        file_bytes_clear(&files->file[i]->bytes);
        free(files->file[i]);
    }
    for (size_t i = 0; i < files->reasons; i++)
        free(files->reason[i]);
    free(files->file);
    free(files->reason);
    *files = (struct external_files){0};
}
