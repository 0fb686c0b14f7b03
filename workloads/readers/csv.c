/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instances as CSV, the format of the MiniMalloc benchmark.  */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "workloads/workload.h"

static struct instance *read_csv(const char *path, const struct params *values, struct error *error)
{
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    struct instance *instance;

    if (in == NULL) {
        error_set(error, "%s: cannot open: %s", path, strerror(errno));
        return NULL;
    }
    instance = params_on(values, "fixed") ? instance_csv_read_fixed(in, path, stderr, error)
                                          : instance_csv_read(in, path, stderr, error);
    if (in != stdin)
        fclose(in);
    return instance;
}

static const struct param params[] = {
    PARAM_SWITCH("fixed", "off",
                 "The column offset says where somebody else has placed a buffer, which every plan "
                 "has to keep; an empty cell leaves it to the planner."),
    PARAM_END,
};

const struct reader reader_csv = {
    .name = "csv",
    .title = "buffers as rows: id,lower,upper,size[,alignment][,offset][,gaps]",
    .extension = ".csv",
    .params = params,
    .instance = read_csv,
};
