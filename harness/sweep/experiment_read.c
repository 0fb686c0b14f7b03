/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding experiment files and reading them into memory.  */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/io/options.h"
#include "harness/sweep/experiment.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"

/* An experiment file larger than this is something else.  */
#define MOST_BYTES (1 << 20)

static const char ending[] = ".cfg";

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool experiment_names(struct text_list *names, struct error *error)
{
    char *folder = share_path("experiments");
    DIR *dir = opendir(folder);
    struct dirent *entry;

    if (dir == NULL) {
        error_set(error, "%s: %s", folder, strerror(errno));
        free(folder);
        return false;
    }
    while ((entry = readdir(dir)) != NULL)
        if (file_is_called(entry->d_name, ending) && entry->d_name[0] != '.') {
            entry->d_name[strlen(entry->d_name) - strlen(ending)] = '\0';
            text_list_add(names, entry->d_name);
        }
    closedir(dir);
    free(folder);
    if (names->n > 0)
        qsort(names->text, names->n, sizeof names->text[0], compare_texts);
    return true;
}

/* Whether NAME.cfg is a file here.  */
static bool is_beside(const char *name)
{
    char *path = memory_printf("%s%s", name, ending);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

/* The path of one of the project's experiments, or NULL.  */
static char *find_registered(const char *name, struct error *error)
{
    struct text_list names = {0};
    char *path = NULL;

    if (!experiment_names(&names, error))
        return NULL;
    for (size_t i = 0; path == NULL && i < names.n; i++)
        if (strcmp(names.text[i], name) == 0) {
            char *relative = memory_printf("experiments/%s%s", name, ending);

            path = share_path(relative);
            free(relative);
        }
    if (path == NULL && is_beside(name))
        error_set(error, "unknown experiment '%s' (did you mean '%s%s'?)", name, name, ending);
    else if (path == NULL)
        error_unknown(error, "experiment", name, (const char *const *)names.text, names.n,
                      "; see 'arenabench list experiments'");
    text_list_clear(&names);
    return path;
}

struct experiment *experiment_read(const char *spec, struct error *error)
{
    struct experiment *experiment = NULL;
    char *path, *text = NULL;
    size_t length;

    if (strchr(spec, '/') != NULL || file_is_called(spec, ending))
        path = memory_strdup(spec);
    else
        path = find_registered(spec, error);
    if (path == NULL)
        return NULL;
    if (file_read(path, MOST_BYTES, &text, &length, error)) {
        if (strlen(text) == length)
            experiment = experiment_parse(path, text, error);
        else
            error_set(error, "%s: holds a zero byte: no text", path);
    }
    free(text);
    free(path);
    return experiment;
}
