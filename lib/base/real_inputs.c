/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/real_inputs.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/memory.h"
#include "lib/base/source_tree.h"

static bool is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* data/ of the source tree, or NULL.  */
static char *fetched_folder(void)
{
    char *tree = source_tree(), *folder;

    if (tree == NULL)
        return NULL;
    folder = memory_printf("%s/data", tree);
    free(tree);
    if (is_folder(folder))
        return folder;
    free(folder);
    return NULL;
}

char *real_inputs_folder(void)
{
    const char *named = getenv("ARENABENCH_DATA");

    if (named == NULL)
        return fetched_folder();
    return named[0] != '\0' ? memory_strdup(named) : NULL;
}

const char *real_inputs_origin(void)
{
    char *folder = real_inputs_folder();
    bool any = folder != NULL;

    free(folder);
    if (!any)
        return "none";
    return getenv("ARENABENCH_DATA") != NULL ? "the folder that ARENABENCH_DATA names"
                                             : "data/ of the source tree";
}

bool real_inputs_missing(const char *file)
{
    char *folder = real_inputs_folder(), *path;
    bool missing;

    if (folder == NULL)
        return true;
    path = memory_printf("%s/%s", folder, file);
    missing = is_folder(folder) && access(path, F_OK) != 0;
    free(path);
    free(folder);
    return missing;
}

const char *real_inputs_reason(void)
{
    char *folder = real_inputs_folder();
    bool any = folder != NULL;

    free(folder);
    return any ? "not among the real inputs that are here (./fetch_data --list shows those to "
                 "fetch)"
               : "no real inputs: run ./fetch_data or set ARENABENCH_DATA";
}
