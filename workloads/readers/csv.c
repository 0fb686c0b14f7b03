/* Instances as CSV, the format of the MiniMalloc benchmark.  */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "workloads/workload.h"

static struct instance *read_csv(const char *path, const struct params *params, struct error *error)
{
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    struct instance *instance;

    (void)params; /* it takes none */
    if (in == NULL) {
        error_set(error, "%s: cannot open: %s", path, strerror(errno));
        return NULL;
    }
    instance = instance_csv_read(in, path, stderr, error);
    if (in != stdin)
        fclose(in);
    return instance;
}

const struct reader reader_csv = {
    .name = "csv",
    .title = "buffers as rows: id,lower,upper,size[,alignment][,gaps]",
    .extension = ".csv",
    .instance = read_csv,
};
