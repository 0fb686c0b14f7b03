/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/copies.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "lib/problem/instance.h"
#include "workloads/workload.h"

static bool add_source(struct sources *sources, const char *spec, struct error *error)
{
    struct workload workload;
    struct instance *instance = NULL;

    if (workload_parse(&workload, spec, error)) {
        instance = workload_instance(&workload, error);
        workload_clear(&workload);
    }
    if (instance == NULL)
        return false;
    if (instance->n == 0) {
        instance_free(instance);
        return error_set(error, "%s has no buffers to copy", spec);
    }
    sources->instance = memory_resize(sources->instance, sources->n + 1, sizeof *sources->instance);
    sources->instance[sources->n++] = instance;
    return true;
}

static int is_csv(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return length > 4 && strcmp(entry->d_name + length - 4, ".csv") == 0;
}

/* In the order of bytes: alphasort's is that of the locale.  */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool add_folder(struct sources *sources, const char *folder, struct error *error)
{
    struct dirent **entry;
    int count = scandir(folder, &entry, is_csv, by_name);
    bool good = true;

    if (count < 0)
        return error_set(error, "%s: cannot read the folder: %s", folder, strerror(errno));
    if (count == 0)
        good = error_set(error, "%s: no .csv file in the folder", folder);
    for (int i = 0; i < count; i++) {
        char *path = memory_printf("%s/%s", folder, entry[i]->d_name);

        good = good && add_source(sources, path, error);
        free(path);
        free(entry[i]);
    }
    free(entry);
    return good;
}

bool sources_read(struct sources *sources, const char *list, struct error *error)
{
    char *copy = memory_strdup(list), *rest = copy, *spec;
    bool good = true;

    *sources = (struct sources){0};
    while (good && (spec = strsep(&rest, "+")) != NULL) {
        char *path = workload_real_path(spec);
        struct stat status;

        if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
            good = add_folder(sources, path, error);
        else
            good = add_source(sources, spec, error);
        free(path);
    }
    free(copy);
    return good;
}

void sources_clear(struct sources *sources)
{
    for (size_t i = 0; i < sources->n; i++)
        instance_free(sources->instance[i]);
    free(sources->instance);
    *sources = (struct sources){0};
}

/* Any source, in either direction.  */
static struct copy draw(const struct sources *sources, struct rng *rng)
{
    struct copy copy = {
        .source = sources->instance[rng_range(rng, 0, (int64_t)sources->n - 1)],
        .backwards = rng_range(rng, 0, 1) == 1,
        .begin = INT64_MAX,
    };
    int64_t end = INT64_MIN;

    for (size_t b = 0; b < copy.source->n; b++) {
        copy.begin = min64(copy.begin, copy.source->buffer[b].begin);
        end = max64(end, copy.source->buffer[b].end);
    }
    copy.length = end - copy.begin;
    return copy;
}

void copy_lifetime(const struct copy *copy, size_t b, int64_t *begin, int64_t *end)
{
    const struct buffer *buffer = &copy->source->buffer[b];

    *begin = buffer->begin - copy->begin;
    *end = buffer->end - copy->begin;
    if (copy->backwards) {
        int64_t first = *begin;

        *begin = copy->length - *end;
        *end = copy->length - first;
    }
}

struct copy *copies_draw(const struct sources *sources, int64_t n, struct rng *rng, size_t *count)
{
    struct copy *copy = NULL;
    size_t room = 0;
    int64_t buffers = 0;

    *count = 0;
    while (buffers < n) {
        copy = memory_grow(copy, &room, *count + 1, sizeof *copy);
        copy[*count] = draw(sources, rng);
        buffers += (int64_t)copy[(*count)++].source->n;
    }
    return copy;
}
