/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the project's data files are.  */
#include <config.h>

#include <stdlib.h>

#include "harness/io/options.h"
#include "lib/base/memory.h"
#include "lib/base/source_tree.h"

char *share_path(const char *name)
{
    const char *share = getenv("ARENABENCH_SHARE");
    char *tree, *path;

    if (share != NULL && share[0] != '\0')
        return memory_printf("%s/%s", share, name);
    tree = source_tree();
    path = memory_printf("%s/%s", tree != NULL ? tree : ARENABENCH_PKGDATADIR, name);
    free(tree);
    return path;
}
