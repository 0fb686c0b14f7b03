/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/store/optima_certify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
    struct optima optima;
    bool done;

    if (!optima_open(&optima, path, false, error))
        return false;
    done = optima_certify(&optima, checksum, bound, error) || error_prefix(error, "%s", path);
    done = done && optima_save(&optima, path, error);
    optima_clear(&optima);
    return done;
}
