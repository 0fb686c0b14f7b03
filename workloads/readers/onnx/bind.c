#include <config.h>

#include "workloads/readers/onnx/bind.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"

static bool is_stored(const struct onnx_graph *graph, const char *name)
{
    for (size_t i = 0; i < graph->initializers; i++)
        if (strcmp(graph->initializer[i].name, name) == 0)
            return true;
    return false;
}

/* The symbolic leading dimension that all inputs with such a one share, if
 * none of their dimensions is called batch.  */
static const char *find_leader(const struct onnx_graph *graph)
{
    const char *leader = NULL;

    for (size_t i = 0; i < graph->inputs; i++) {
        const struct onnx_info *info = &graph->input[i];

        for (size_t axis = 0; axis < info->rank; axis++)
            if (!info->dim[axis].known && strcmp(info->dim[axis].name, "batch") == 0)
                return NULL;
        if (info->rank == 0 || info->dim[0].known)
            continue;
        if (leader != NULL && strcmp(leader, info->dim[0].name) != 0)
            return NULL;
        leader = info->dim[0].name;
    }
    return leader;
}

void onnx_bind_begin(struct onnx_build *build)
{
    build->bound = memory_zalloc(build->params->count, sizeof *build->bound);
    build->leader = find_leader(build->model->graph);
}

bool onnx_bound(struct onnx_build *build, const char *name, int64_t *result)
{
    const struct params *params = build->params;

    for (size_t i = 0; i < params->count; i++)
        if (params->value[i].other && strcmp(params->value[i].param->name, name) == 0) {
            build->bound[i] = true;
            *result = params->value[i].integer;
            return true;
        }
    return false;
}

/* The value of dimension AXIS of INFO.  With MUST, a symbolic one that no
 * parameter binds is an error that says how to; without, there is none.  */
static bool bind(struct onnx_build *build, const struct onnx_info *info, size_t axis, bool must,
                 int64_t *result)
{
    const struct onnx_dim *dim = &info->dim[axis];
    const char *name = dim->name, *base = strrchr(build->path, '/');
    char *own;
    bool found;

    if (dim->known) {
        *result = dim->value;
        return true;
    }
    own = memory_printf("%s.%zu", info->name, axis);
    found = (name[0] != '\0' && onnx_bound(build, name, result)) ||
            onnx_bound(build, own, result) ||
            (build->leader != NULL && strcmp(name, build->leader) == 0 &&
             (name[0] != '\0' || axis == 0) && onnx_bound(build, "batch", result));
    if (!found && must)
        error_set(build->error, "%s: '%s': dimension %zu is symbolic%s%s%s: bind it, as in %s:%s=1",
                  build->path, info->name, axis, name[0] != '\0' ? ", '" : "", name,
                  name[0] != '\0' ? "'" : "", base == NULL ? build->path : base + 1,
                  name[0] != '\0' ? name : own);
    free(own);
    return found;
}

/* "symbolic there: a, b" for the message; the caller frees it.  */
static char *symbolic_names(const struct onnx_graph *graph)
{
    char *text;
    size_t length;
    FILE *out = memory_stream(&text, &length);
    const char *before = "symbolic are: ";
    int count = 0;

    for (size_t i = 0; i < graph->inputs; i++)
        for (size_t axis = 0; axis < graph->input[i].rank; axis++) {
            const struct onnx_dim *dim = &graph->input[i].dim[axis];

            if (dim->known || count++ >= 8)
                continue;
            if (dim->name[0] != '\0')
                fprintf(out, "%s%s", before, dim->name);
            else
                fprintf(out, "%s%s.%zu", before, graph->input[i].name, axis);
            before = ", ";
        }
    if (count == 0)
        fputs("all dimensions of its inputs are fixed", out);
    memory_stream_close(out);
    return text;
}

/* `batch` may say what is so anyway.  */
static bool is_fixed_batch(const struct onnx_graph *graph, const struct param_value *value)
{
    if (strcmp(value->param->name, "batch") != 0)
        return false;
    for (size_t i = 0; i < graph->inputs; i++) {
        const struct onnx_info *info = &graph->input[i];

        if (!is_stored(graph, info->name) &&
            (info->rank == 0 || !info->dim[0].known || info->dim[0].value != value->integer))
            return false;
    }
    return true;
}

bool onnx_bind_end(struct onnx_build *build)
{
    const struct onnx_graph *graph = build->model->graph;

    for (size_t i = 0; i < build->params->count; i++) {
        const struct param_value *value = &build->params->value[i];
        char *names;

        if (!value->other || build->bound[i] || is_fixed_batch(graph, value))
            continue;
        names = symbolic_names(graph);
        error_set(build->error, "%s: no dimension is called '%s'; %s", build->path,
                  value->param->name, names);
        free(names);
        return false;
    }
    return true;
}

bool onnx_declared(struct onnx_build *build, const struct onnx_info *info, bool must,
                   struct shape *shape, enum dtype *dtype)
{
    struct error *error = must ? build->error : NULL;
    int64_t elements;

    if (!info->tensor || !info->shaped)
        return error_set(error, "%s: '%s': expected a tensor with a shape", build->path,
                         info->name);
    if (!onnx_dtype(info->type, dtype))
        return error_set(error, "%s: '%s': element type %d has no fixed size", build->path,
                         info->name, info->type);
    if (info->rank > NETWORK_MAX_RANK)
        return error_set(error, "%s: '%s': %zu dimensions, expected at most %d", build->path,
                         info->name, info->rank, NETWORK_MAX_RANK);
    *shape = (struct shape){.rank = (int)info->rank};
    for (size_t axis = 0; axis < info->rank; axis++)
        if (!bind(build, info, axis, must, &shape->dim[axis]))
            return false;
    if (!onnx_elements(shape, *dtype, &elements, error))
        return must && error_prefix(error, "%s: '%s'", build->path, info->name);
    return true;
}
