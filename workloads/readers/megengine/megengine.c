/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MegEngine's dumps of the intervals that it plans memory for, one for each time
 * that it does: MGB_DUMP_INTERVAL_LIST_DIR/mgb-interval-N.txt in a debug build.
 *
 * Source: MegEngine, static_mem_alloc/impl.cpp (dbg_dump_interval_list).  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"
#include "workloads/readers/megengine/dump.h"
#include "workloads/workload.h"

#define MOST_BYTES ((size_t)256 << 20)

static struct instance *read_dump(const char *path, const struct params *params,
                                  struct error *error)
{
    const char *slash = strrchr(path, '/');
    struct instance *instance;
    size_t length;
    char *text;

    (void)params; /* it takes none */
    if (!file_read(path, MOST_BYTES, &text, &length, error))
        return NULL;
    instance = megengine_dump_read(text, length, path, slash != NULL ? slash + 1 : path, error);
    free(text);
    return instance;
}

const struct reader reader_megengine = {
    .name = "megengine",
    .title = "MegEngine's dumps of intervals with overwrites (mgb-interval-N.txt)",
    .extension = ".txt",
    .instance = read_dump,
};
