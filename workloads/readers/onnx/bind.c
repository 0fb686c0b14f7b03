#include <config.h>

#include "workloads/readers/onnx/bind.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "workloads/readers/onnx/given.h"

/* Finds the leading dimensions that `batch` stands for: the symbolic ones, if they agree on a
 * name; where there is none, the fixed ones, if they agree on a number.  */
static void find_leader(struct onnx_build *build)
{
    const struct onnx_graph *graph = build->model->graph;
    const struct onnx_dim *open = NULL, *fixed = NULL;
    bool open_agree = true, fixed_agree = true;

    if (onnx_is_dimension(graph, "batch") || onnx_is_input(graph, "batch"))
        return;
    for (size_t i = 0; i < graph->inputs; i++) {
        const struct onnx_info *info = &graph->input[i];

        if (info->rank == 0 || onnx_is_stored(graph, info->name))
            continue;
        if (info->dim[0].known) {
            fixed_agree = fixed_agree && (fixed == NULL || fixed->value == info->dim[0].value);
            fixed = &info->dim[0];
        } else {
            open_agree = open_agree && (open == NULL || strcmp(open->name, info->dim[0].name) == 0);
            open = &info->dim[0];
        }
    }
    if (open != NULL)
        build->leader = open_agree ? open->name : NULL;
    else
        build->fixed_leader = fixed != NULL && fixed_agree;
    if (build->fixed_leader && onnx_bound(build, "batch", &build->batch.to))
        build->batch.from = fixed->value;
}

/* The number that a parameter gives dimension AXIS of INFO; one of a model's inputs may be
 * another than the file's.  */
static bool given(struct onnx_build *build, const struct onnx_info *info, size_t axis, bool input,
                  int64_t *result)
{
    const struct onnx_dim *dim = &info->dim[axis];
    char *own = memory_printf("%s.%zu", info->name, axis);
    bool found;

    if (dim->known)
        found = input && (onnx_bound(build, own, result) ||
                          (build->fixed_leader && axis == 0 && onnx_bound(build, "batch", result)));
    else
        found = (dim->name[0] != '\0' && onnx_bound(build, dim->name, result)) ||
                onnx_bound(build, own, result) ||
                (build->leader != NULL && strcmp(dim->name, build->leader) == 0 &&
                 (dim->name[0] != '\0' || axis == 0) && onnx_bound(build, "batch", result));
    if (found && dim->known && *result != dim->value)
        build->resized = true;
    free(own);
    return found;
}

/* Dimension AXIS of INFO, false where it is open.  */
static bool bind(struct onnx_build *build, const struct onnx_info *info, size_t axis, bool input,
                 int64_t *result)
{
    if (given(build, info, axis, input, result))
        return true;
    *result = info->dim[axis].value;
    return info->dim[axis].known;
}

/* --- what is missing --- */

struct missing {
    size_t count;
    char *names; /* "N, x.1", each once */
    char *given; /* "N=1,x.1=1" */
};

static void add_missing(struct missing *missing, const char *name)
{
    char *names, *example;

    names = memory_printf("%s%s%s", missing->names, missing->count > 0 ? ", " : "", name);
    example = memory_printf("%s%s%s=1", missing->given, missing->count > 0 ? "," : "", name);
    free(missing->names);
    free(missing->given);
    *missing = (struct missing){missing->count + 1, names, example};
}

/* Whether a dimension of the same name comes before dimension AXIS of input I.  */
static bool comes_before(const struct onnx_graph *graph, size_t i, size_t axis)
{
    const char *name = graph->input[i].dim[axis].name;

    for (size_t input = 0; input <= i && name[0] != '\0'; input++)
        for (size_t a = 0; a < (input == i ? axis : graph->input[input].rank); a++)
            if (!graph->input[input].dim[a].known &&
                strcmp(graph->input[input].dim[a].name, name) == 0)
                return true;
    return false;
}

static void collect_missing(struct onnx_build *build, struct missing *missing)
{
    const struct onnx_graph *graph = build->model->graph;

    for (size_t i = 0; i < graph->inputs; i++) {
        const struct onnx_info *info = &graph->input[i];

        if (onnx_is_stored(graph, info->name))
            continue;
        for (size_t axis = 0; axis < info->rank; axis++) {
            int64_t number;
            char *own;

            if (bind(build, info, axis, true, &number) || comes_before(graph, i, axis))
                continue;
            own = memory_printf("%s.%zu", info->name, axis);
            add_missing(missing, info->dim[axis].name[0] != '\0' ? info->dim[axis].name : own);
            free(own);
        }
    }
}

/* Names so long that the message would be cut are counted only.  */
#define MOST_NAMES 400

/* What can be no value of a network, whatever is given.  */
static bool check_types(struct onnx_build *build)
{
    const struct onnx_graph *graph = build->model->graph;

    for (size_t i = 0; i < graph->inputs; i++)
        if (graph->input[i].other != NULL)
            return error_set(build->error,
                             "%s: '%s': it is %s, and only dense tensors have a size before a run",
                             build->path, graph->input[i].name, graph->input[i].other);
    return true;
}

bool onnx_bind_inputs(struct onnx_build *build)
{
    struct missing missing = {0};
    char *example;

    if (!check_types(build))
        return false;
    find_leader(build);
    missing.names = memory_strdup("");
    missing.given = memory_strdup("");
    collect_missing(build, &missing);
    example = onnx_example(build, missing.given);
    if (missing.count > 0 && strlen(missing.names) + strlen(example) > 2 * MOST_NAMES)
        error_set(build->error, "%s: %zu dimensions of its inputs are open, the first of them %.*s",
                  build->path, missing.count, MOST_NAMES, missing.names);
    else if (missing.count > 0)
        error_set(build->error,
                  "%s: open dimensions of its inputs: %s: give each a number, as in %s",
                  build->path, missing.names, example);
    free(missing.names);
    free(missing.given);
    free(example);
    return missing.count == 0;
}

bool onnx_declared(struct onnx_build *build, const struct onnx_info *info, bool input,
                   struct shape *shape, enum dtype *dtype)
{
    struct error *error = input ? build->error : NULL;
    int64_t elements;

    /* What was declared of other values hangs on the inputs as the file has them.  */
    if (!input && build->resized)
        return false;
    if (!info->tensor || !info->shaped)
        return error_set(error, "%s: '%s': expected a tensor with a shape", build->path,
                         info->name);
    if (!onnx_dtype(info->type, dtype))
        return onnx_unsized(info->type, error) ||
               error_prefix(error, "%s: '%s'", build->path, info->name);
    if (info->rank > NETWORK_MAX_RANK)
        return error_set(error, "%s: '%s': %zu dimensions, expected at most %d", build->path,
                         info->name, info->rank, NETWORK_MAX_RANK);
    *shape = (struct shape){.rank = (int)info->rank};
    for (size_t axis = 0; axis < info->rank; axis++)
        if (!bind(build, info, axis, input, &shape->dim[axis]))
            return false;
    if (!onnx_elements(shape, *dtype, &elements, error))
        return input && error_prefix(error, "%s: '%s'", build->path, info->name);
    return true;
}
