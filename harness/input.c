#include <config.h>

#include "harness/input.h"

#include <stddef.h>

#include "harness/options.h"
#include "lib/error.h"
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
