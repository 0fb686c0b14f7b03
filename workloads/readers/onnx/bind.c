/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/bind.h"

#include <stdio.h>
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

        if (info->rank == 0 || onnx_is_stored(build, info->name))
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

/* A likely number for dimension AXIS of INFO: one image or sequence, of a size that networks have.
 * Whatever has a small last dimension has its channels there.  */
static int likely(const struct onnx_info *info, size_t axis)
{
    enum { CHANNELS = 3, MOST_CHANNELS = 4, SIDE = 224, LENGTH = 128 };
    const struct onnx_dim *last = info->rank == 0 ? NULL : &info->dim[info->rank - 1];
    size_t channels = info->rank == 4 && last->known && last->value <= MOST_CHANNELS ? 3 : 1;

    if (axis == 0)
        return 1;
    if (info->rank < 4)
        return LENGTH;
    return axis == channels ? CHANNELS : SIDE;
}

/* The dimensions of INFO that have no number, each name once in all: "N, x.1" to NAMES and
 * "N=1,x.1=128" to GIVEN; *COUNT is how many there are.  */
static void list_missing(struct onnx_build *build, const struct onnx_info *info,
                         struct names *listed, FILE *names, FILE *given, size_t *count)
{
    for (size_t axis = 0; axis < info->rank; axis++) {
        const char *name = info->dim[axis].name;
        int64_t number;
        char *own;

        if (bind(build, info, axis, true, &number) ||
            (name[0] != '\0' && !names_add(listed, name, listed)))
            continue;
        own = name[0] != '\0' ? memory_strdup(name) : memory_printf("%s.%zu", info->name, axis);
        fprintf(names, "%s%s", *count > 0 ? ", " : "", own);
        fprintf(given, "%s%s=%d", *count > 0 ? "," : "", own, likely(info, axis));
        ++*count;
        free(own);
    }
}

/* What a message has beside names and the file's; of names that would not fit there are some.  */
enum { WORDS = 100, SOME_NAMES = 400 };

/* Refuses dimensions without a number, all of them at once.  */
static bool check_missing(struct onnx_build *build)
{
    const struct onnx_graph *graph = build->model->graph;
    struct names listed = {0};
    char *names, *given, *example;
    size_t count = 0, names_length, given_length;
    FILE *to_names = memory_stream(&names, &names_length);
    FILE *to_given = memory_stream(&given, &given_length);

    for (size_t i = 0; i < graph->inputs; i++)
        if (!onnx_is_stored(build, graph->input[i].name))
            list_missing(build, &graph->input[i], &listed, to_names, to_given, &count);
    memory_stream_close(to_names);
    memory_stream_close(to_given);
    names_clear(&listed);
    example = onnx_example(build, given);
    if (count > 0 &&
        strlen(build->path) + strlen(names) + strlen(example) > sizeof build->error->text - WORDS)
        error_set(build->error,
                  "%s: %zu dimensions of its inputs are open, the first of them %.*s...",
                  build->path, count, SOME_NAMES, names);
    else if (count > 0)
        error_set(build->error,
                  "%s: open dimensions of its inputs: %s: give each a number, as in %s",
                  build->path, names, example);
    free(names);
    free(given);
    free(example);
    return count == 0;
}

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
    if (!check_types(build))
        return false;
    find_leader(build);
    return check_missing(build);
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
