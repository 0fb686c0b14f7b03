/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/real_instances.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "tests/support/tap.h"

static void check_file(const char *path,
                       void (*check)(const struct instance *instance, const void *context),
                       const void *context)
{
    FILE *in = fopen(path, "r");
    struct instance *instance = NULL;
    struct error error = {"cannot be opened"};

    if (in != NULL) {
        instance = instance_csv_read(in, path, NULL, &error);
        fclose(in);
    }
    if (!ok(instance != NULL, "%s can be read", path)) {
        tap_diag("%s", error.text);
        return;
    }
    check(instance, context);
    instance_free(instance);
}

void real_instances(void (*check)(const struct instance *instance, const void *context),
                    const void *context)
{
    static const char *const patterns[] = {"minimalloc/*.csv", "idealloc/*.csv", "tight/t?_*.csv"};

    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
        char *pattern = memory_printf("%s/%s", tap_data() != NULL ? tap_data() : "", patterns[p]);
        glob_t found = {0};
        bool any = tap_data() != NULL && glob(pattern, 0, NULL, &found) == 0;

        if ((any || !tap_skip_without(1, patterns[p])) && ok(any, "instances %s", patterns[p]))
            for (size_t i = 0; i < found.gl_pathc; i++)
                check_file(found.gl_pathv[i], check, context);
        globfree(&found);
        free(pattern);
    }
}
