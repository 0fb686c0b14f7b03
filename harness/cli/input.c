#include <config.h>

#include "harness/cli/input.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/io/format.h"
#include "harness/io/options.h"
#include "lib/base/error.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan_csv.h"
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

/* The plan in a model file; *MODEL says whether SPEC is one.  */
static struct plan *model_plan(const char *command, const char *spec,
                               const struct instance *instance, bool *model)
{
    struct plan *plan = NULL;
    struct workload workload;
    struct error error;

    *model = false;
    if (!workload_parse(&workload, spec, &error))
        return NULL; /* as a CSV file it will say so */
    *model = workload_holds_plan(&workload);
    if (*model)
        plan = workload_read_plan(&workload, instance, &error);
    workload_clear(&workload);
    if (*model && plan == NULL)
        complain("%s: %s", command, error.text);
    return plan;
}

static struct plan *csv_plan(const char *command, const char *path, const struct instance *instance)
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

struct plan *input_plan(const char *command, const char *path, const struct instance *instance)
{
    bool model = false;
    struct plan *plan = strcmp(path, "-") == 0 ? NULL : model_plan(command, path, instance, &model);

    return model ? plan : csv_plan(command, path, instance);
}

int table_of_instances(struct table *table, const char *command, const char *format_text,
                       char **arguments, int count, table_instance *add, const void *context)
{
    enum table_format format = TABLE_TEXT;
    int status = format_parse(command, format_text, &format) ? STATUS_DONE : STATUS_USAGE;

    for (int i = 0; i < count && status == STATUS_DONE; i++) {
        struct instance *instance = input_instance(command, arguments[i]);

        status = instance == NULL ? STATUS_USAGE : add(table, instance, context);
        instance_free(instance);
    }
    if (status == STATUS_DONE)
        return table_finish(table, format);
    table_free(table);
    return status;
}
