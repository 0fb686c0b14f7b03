/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/source_tree.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/memory.h"

/* The folder of the running program, or "" where that can't be told.  */
static const char *program_folder(char path[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    char *slash;

    path[length > 0 ? length : 0] = '\0';
    slash = strrchr(path, '/');
    if (slash == NULL)
        return "";
    *slash = '\0';
    return path;
}

/* True when the program in FOLDER lies where it was built.  */
static bool in_build_tree(const char *folder)
{
    char build[PATH_MAX];
    size_t length;

    if (realpath(ARENABENCH_BUILDDIR, build) == NULL)
        return false;
    length = strlen(build);
    /* The program itself, or a test program in a folder below.  */
    return strncmp(folder, build, length) == 0 && (folder[length] == '\0' || folder[length] == '/');
}

/* True when FOLDER is a source tree: one that was moved after it was built,
 * since the others are known by their path.  */
static bool is_source_tree(const char *folder)
{
    char *script = memory_printf("%s/run_sweep", folder);
    bool found = access(script, X_OK) == 0;

    free(script);
    return found;
}

/* The source tree that the program in FOLDER, its build folder too, was moved with: FOLDER itself,
 * or that of a test program, which is in a room of its `tests`.  NULL: none.  The caller frees it.
 */
static char *moved_tree(const char *folder)
{
    static const char tests[] = "/tests/";
    const char *room = folder;

    if (is_source_tree(folder))
        return memory_strdup(folder);
    while ((room = strstr(room, tests)) != NULL) {
        char *tree = memory_printf("%.*s", (int)(room - folder), folder);

        if (is_source_tree(tree))
            return tree;
        free(tree);
        room++;
    }
    return NULL;
}

char *source_tree(void)
{
    char path[PATH_MAX];
    const char *folder = program_folder(path);

    return in_build_tree(folder) ? memory_strdup(ARENABENCH_SRCDIR) : moved_tree(folder);
}
