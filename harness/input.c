#include <config.h>

#include "harness/input.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/options.h"
#include "lib/error.h"
#include "lib/plan_csv.h"
#include "workloads/workload.h"

struct instance *input_instance(const char *command, const char *spec)
{
    struct instance *instance = NULL;
    struct workload workload;
    struct error error;

    if (!workload_parse(&workload, spec, &error)) {
        complain("%s: %s", command, error.text);
        return NULL;
    }
    instance = workload_instance(&workload, &error);
    if (instance == NULL)
        complain("%s: %s", command, error.text);
    workload_clear(&workload);
    return instance;
}

struct plan *input_plan(const char *command, const char *path, const struct instance *instance)
{
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    struct plan *plan;
    struct error error;

    if (in == NULL) {
        complain("%s: %s: %s", command, path, strerror(errno));
        return NULL;
    }
    plan = plan_csv_read(in, path, instance, &error);
    if (in != stdin)
        fclose(in);
    if (plan == NULL)
        complain("%s: %s", command, error.text);
    return plan;
}
