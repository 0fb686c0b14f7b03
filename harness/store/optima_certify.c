/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/store/optima_certify.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/output.h"
#include "harness/store/optima.h"
#include "lib/base/memory.h"

bool optima_certify(struct optima *optima, uint64_t checksum, int64_t bound, struct error *error)
{
    const struct optimum *found = optima_find(optima, checksum);
    struct optimum *row;

    if (found == NULL)
        return error_set(error, "there is no entry for the instance %016" PRIx64, checksum);
    row = &optima->row[found - optima->row];
    if (bound > row->upper)
        return error_set(error,
                         "%s (%016" PRIx64 "): a certificate of %" PRId64
                         " contradicts a verified peak of %" PRId64,
                         row->name, checksum, bound, row->upper);
    if (bound < row->lower || (bound == row->lower && strcmp(row->lower_by, "load") == 0))
        return true;
    row->lower = bound;
    free(row->lower_by);
    row->lower_by = memory_strdup(OPTIMA_BY_CERTIFICATE);
    return true;
}

bool optima_certify_file(const char *path, uint64_t checksum, int64_t bound, struct error *error)
{
    FILE *in = fopen(path, "r");
    struct optima optima;
    struct output output;
    bool done;

    if (in == NULL)
        return error_set(error, "%s: %s", path, strerror(errno));
    done = optima_read(&optima, in, path, error);
    fclose(in);
    if (!done)
        return false;
    done = optima_certify(&optima, checksum, bound, error);
    if (!done)
        error_prefix(error, "%s", path);
    done = done && output_open(&output, path, error);
    if (done) {
        optima_write(output.file, &optima); /* closing sees what went wrong */
        done = output_close(&output, true, error);
    }
    optima_clear(&optima);
    return done;
}
