/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/plan_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/io/output.h"
#include "lib/problem/plan_csv.h"

struct plan *plan_file_read(const char *path, const struct instance *instance, struct error *error)
{
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    struct plan *plan;

    if (in == NULL) {
        error_set(error, "%s: %s", path, strerror(errno));
        return NULL;
    }
    plan = plan_csv_read(in, path, instance, error);
    if (in != stdin)
        fclose(in);
    return plan;
}

bool plan_file_write(const char *path, const struct instance *instance, const struct plan *plan,
                     struct error *error)
{
    struct output output;

    if (!output_open(&output, path, error))
        return false;
    plan_csv_write(output.file, instance, plan); /* closing sees what went wrong */
    return output_close(&output, true, error);
}
