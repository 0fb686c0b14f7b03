#include <config.h>

#include "tests/real_instances.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/instance.h"
#include "lib/instance_csv.h"
#include "lib/memory.h"
#include "tests/tap.h"

static void check_file(const char *path, void (*check)(const struct instance *instance))
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
    check(instance);
    instance_free(instance);
}

void real_instances(void (*check)(const struct instance *instance))
{
    static const char *const folders[] = {"minimalloc", "idealloc"};

    if (tap_data() == NULL) {
        tap_skip(1, "ARENABENCH_DATA is not set");
        return;
    }
    for (size_t f = 0; f < sizeof folders / sizeof folders[0]; f++) {
        char *pattern = memory_printf("%s/%s/*.csv", tap_data(), folders[f]);
        glob_t found;

        if (ok(glob(pattern, 0, NULL, &found) == 0, "instances in %s", folders[f]))
            for (size_t i = 0; i < found.gl_pathc; i++)
                check_file(found.gl_pathv[i], check);
        globfree(&found);
        free(pattern);
    }
}
