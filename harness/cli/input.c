/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/input.h"

#include <stdlib.h>
#include <string.h>

#include "harness/io/kernel_workspace.h"
#include "harness/io/options.h"
#include "harness/io/plan_file.h"
#include "harness/io/table.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
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
    workload.kernels = kernel_workspace;
    instance = workload_instance(&workload, &error);
    if (instance == NULL)
        complain("%s: %s", command, error.text);
    workload_clear(&workload);
    return instance;
}

/* What parameter NAME says, or NULL where the workload takes none of that name.  */
static const char *given_word(const struct workload *workload, const char *name)
{
    for (size_t i = 0; i < workload->params.count; i++)
        if (strcmp(workload->params.value[i].param->name, name) == 0)
            return workload->params.value[i].text;
    return NULL;
}

char *input_word(const char *spec, const char *name)
{
    struct workload workload;
    struct error error;
    const char *word;
    char *copy = NULL;

    if (!workload_parse(&workload, spec, &error))
        return NULL;
    word = given_word(&workload, name);
    if (word != NULL)
        copy = memory_strdup(word);
    workload_clear(&workload);
    return copy;
}

bool input_native(const char *spec)
{
    char *align = input_word(spec, "align");
    bool native = align != NULL && strcmp(align, "native") == 0;

    free(align);
    return native;
}

void input_explain_empty(const char *command, const char *spec, const struct instance *instance)
{
    struct workload workload;
    const char *io, *weights;
    struct error error;

    if (instance->n > 0 || !workload_parse(&workload, spec, &error))
        return;
    io = given_word(&workload, "io");
    weights = given_word(&workload, "weights");
    if (io != NULL && strcmp(io, "both") != 0)
        complain(
            "%s: %s: no buffers: all values are the network's inputs and outputs, or stored in "
            "it; io=both counts inputs and outputs",
            command, instance->name);
    else if (weights != NULL && strcmp(weights, "off") == 0)
        complain("%s: %s: no buffers: all values are stored in the network; weights=on counts them",
                 command, instance->name);
    workload_clear(&workload);
}

/* The plan in a model file; *MODEL says whether SPEC is one.  */
static struct plan *model_plan(const char *spec, const struct instance *instance, bool *model,
                               struct error *error)
{
    struct plan *plan = NULL;
    struct workload workload;

    *model = false;
    if (!workload_parse(&workload, spec, error))
        return NULL; /* as a CSV file it will say so */
    *model = workload_holds_plan(&workload);
    if (*model)
        plan = workload_read_plan(&workload, instance, error);
    workload_clear(&workload);
    return plan;
}

struct plan *input_plan(const char *command, const char *path, const struct instance *instance)
{
    bool model = false;
    struct error error;
    struct plan *plan = strcmp(path, "-") == 0 ? NULL : model_plan(path, instance, &model, &error);

    if (!model)
        plan = plan_file_read(path, instance, &error);
    if (plan == NULL)
        complain("%s: %s", command, error.text);
    return plan;
}

int table_of_instances(struct table *table, const char *command, enum table_format format,
                       char **arguments, int count, table_instance *add, const void *context)
{
    int status = STATUS_DONE;

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
