/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/run/cgroup.h"
#include "harness/run/run.h"
#include "lib/base/checked.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"

/* The limit in a file of the control group's, or INT64_MAX: there is no such
 * file, or it says "max".  */
static int64_t read_limit(const char *path)
{
    FILE *in = fopen(path, "r");
    int64_t limit;

    if (in == NULL)
        return INT64_MAX;
    if (fscanf(in, "%" SCNd64, &limit) != 1 || limit <= 0)
        limit = INT64_MAX;
    fclose(in);
    return limit;
}

int64_t run_group_memory(const char *folder)
{
    char *second = memory_printf("%s/memory.max", folder);
    char *first = memory_printf("%s/memory/memory.limit_in_bytes", folder);
    const int64_t limit = min64(read_limit(second), read_limit(first));

    free(second);
    free(first);
    return limit;
}

int64_t run_default_memory(int64_t jobs)
{
    const int64_t memory = sysconf(_SC_PHYS_PAGES) * (int64_t)sysconf(_SC_PAGESIZE);

    return min64(memory, run_group_memory("/sys/fs/cgroup")) / 2 / jobs;
}

char *run_limits_text(void)
{
    struct error reason;
    char *place = cgroup_place(&cgroup_of_this_process, &reason), *text;

    if (place != NULL)
        text = memory_strdup("solvers by address space, programs by control groups");
    else
        text =
            memory_printf("solvers by address space, programs by what all their processes have in"
                          " memory, looked at (%s)",
                          reason.text);
    free(place);
    return text;
}
