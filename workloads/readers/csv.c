/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instances as CSV, the format of the MiniMalloc benchmark.  */
#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/problem/clocks_csv.h"
#include "lib/problem/conflicts.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "lib/problem/pairs_csv.h"
#include "workloads/workload.h"

/* PLAIN, which is given up, with the pairs in the file PATH.  Costs are another command's.  */
static struct instance *with_pairs(struct instance *plain, const char *path, struct error *error)
{
    FILE *in = fopen(path, "rb");
    size_t *buffer_of = memory_alloc(plain->n, sizeof *buffer_of);
    struct instance *instance = NULL;
    struct pairs pairs = {0};

    if (in == NULL)
        error_set(error, "%s: cannot open: %s", path, strerror(errno));
    else if (pairs_csv_read(in, path, plain, &pairs, error))
        instance = conflicts_apply(plain, pairs.pair, pairs.n_pairs, buffer_of, error);
    if (instance != NULL && pairs.n_costs > 0)
        people_print(stderr, "%s: costs of reuse are left out; `hazards` knows them\n", path);
    if (in != NULL)
        fclose(in);
    pairs_clear(&pairs);
    memory_free(buffer_of);
    instance_free(plain);
    return instance;
}

static struct instance *read_csv(const char *path, const struct params *values, struct error *error)
{
    const bool clocks = params_on(values, "clocks"), fixed = params_on(values, "fixed");
    FILE *in;
    struct instance *instance;

    if (clocks && fixed) {
        error_set(error, "%s: clocks=on has no fixed offsets; expected fixed=off", path);
        return NULL;
    }
    in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (in == NULL) {
        error_set(error, "%s: cannot open: %s", path, strerror(errno));
        return NULL;
    }
    instance = clocks  ? clocks_csv_read(in, path, error)
               : fixed ? instance_csv_read_fixed(in, path, stderr, error)
                       : instance_csv_read(in, path, stderr, error);
    if (in != stdin)
        fclose(in);
    return instance == NULL || params_text(values, "pairs")[0] == '\0'
               ? instance
               : with_pairs(instance, params_text(values, "pairs"), error);
}

static const struct param params[] = {
    PARAM_SWITCH("fixed", "off",
                 "The column offset says where somebody else has placed a buffer, which every plan "
                 "has to keep; an empty cell leaves it to the planner."),
    PARAM_SWITCH(
        "clocks", "off",
        "Whether times are vector clocks, a number for each stream, as 3:0:7, as OmniMalloc "
        "writes them."),
    {"pairs", PARAM_TEXT, "", NULL, 0, 0,
     "A CSV file kind,a,b: pairs of buffers that are apart, exclusive or together, whatever their "
     "lifetimes say."},
    PARAM_END,
};

const struct reader reader_csv = {
    .name = "csv",
    .title = "buffers as rows: id,lower,upper,size[,alignment][,offset][,gaps]",
    .extension = ".csv",
    .params = params,
    .instance = read_csv,
};
