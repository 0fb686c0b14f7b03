/* Where the project's data files are.  */
#include <config.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/options.h"
#include "lib/memory.h"

/* True when the running program lies in the folder that it was built in.  */
static bool in_build_tree(void)
{
    char path[PATH_MAX], build[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    char *slash;

    if (length <= 0 || realpath(ARENABENCH_BUILDDIR, build) == NULL)
        return false;
    path[length] = '\0';
    slash = strrchr(path, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    length = (ssize_t)strlen(build);
    /* The program itself, or a test program in a folder below.  */
    return strncmp(path, build, (size_t)length) == 0 &&
           (path[length] == '\0' || path[length] == '/');
}

char *share_path(const char *name)
{
    const char *share = getenv("ARENABENCH_SHARE");

    if (share == NULL || share[0] == '\0')
        share = in_build_tree() ? ARENABENCH_SRCDIR : ARENABENCH_PKGDATADIR;
    return memory_printf("%s/%s", share, name);
}
