/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/given.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "runtime/operators/cast.h"

bool onnx_is_stored(const struct onnx_build *build, const char *name)
{
    return names_find(&build->stored, name) != NULL;
}

bool onnx_is_input(const struct onnx_graph *graph, const char *name)
{
    for (size_t i = 0; i < graph->inputs; i++)
        if (strcmp(graph->input[i].name, name) == 0)
            return true;
    return false;
}

bool onnx_is_dimension(const struct onnx_graph *graph, const char *name)
{
    for (size_t i = 0; i < graph->inputs; i++)
        for (size_t axis = 0; axis < graph->input[i].rank; axis++) {
            const struct onnx_dim *dim = &graph->input[i].dim[axis];

            if (!dim->known && dim->name[0] != '\0' && strcmp(dim->name, name) == 0)
                return true;
        }
    return false;
}

/* The parameter that gives NAME a number, or NULL.  */
static const struct param_value *find(const struct onnx_build *build, const char *name)
{
    const struct params *params = build->params;

    for (size_t i = 0; i < params->count; i++)
        if (params->value[i].other && strcmp(params->value[i].param->name, name) == 0)
            return &params->value[i];
    return NULL;
}

/* The same, which now is of use.  */
static const struct param_value *take(struct onnx_build *build, const char *name)
{
    const struct param_value *value = find(build, name);

    if (value != NULL)
        build->bound[value - build->params->value] = true;
    return value;
}

bool onnx_is_bound(const struct onnx_build *build, const char *name, int64_t *result)
{
    const struct param_value *value = find(build, name);

    if (value != NULL)
        *result = (int64_t)value->real;
    return value != NULL;
}

bool onnx_bound(struct onnx_build *build, const char *name, int64_t *result)
{
    const struct param_value *value = take(build, name);

    if (value != NULL)
        *result = (int64_t)value->real;
    return value != NULL;
}

char *onnx_example(const struct onnx_build *build, const char *more)
{
    char *canonical = params_canonical(build->params);
    char *text =
        memory_printf("%s:%s%s%s", build->path, canonical, canonical[0] != '\0' ? "," : "", more);

    free(canonical);
    return text;
}

/* Whether NAME is a dimension's: by its own name, or INPUT.AXIS, or batch.  */
static bool is_dimension(const struct onnx_graph *graph, const char *name)
{
    const char *axis = strrchr(name, '.');

    if (onnx_is_dimension(graph, name) || strcmp(name, "batch") == 0)
        return true;
    for (size_t i = 0; axis != NULL && i < graph->inputs; i++)
        if (strncmp(graph->input[i].name, name, (size_t)(axis - name)) == 0 &&
            graph->input[i].name[axis - name] == '\0')
            return true;
    return false;
}

/* An input's value is any number, a length any whole one that is not negative.  */
static bool may_be(const struct onnx_graph *graph, const struct param_value *value)
{
    const char *name = value->param->name;

    if (onnx_is_input(graph, name) && !onnx_is_dimension(graph, name))
        return true;
    return value->real >= (is_dimension(graph, name) ? 1 : 0) && value->real == trunc(value->real);
}

bool onnx_given_begin(struct onnx_build *build)
{
    const struct onnx_graph *graph = build->model->graph;
    const struct params *params = build->params;

    build->bound = memory_zalloc(params->count, sizeof *build->bound);
    for (size_t i = 0; i < graph->initializers; i++)
        names_add(&build->stored, graph->initializer[i].name, build);
    for (size_t i = 0; i < params->count; i++) {
        const struct param_value *value = &params->value[i];

        if (value->other && !may_be(graph, value))
            return error_set(build->error, "%s: %s=%s: expected a whole number from %d",
                             build->path, value->param->name, value->text,
                             is_dimension(graph, value->param->name) ? 1 : 0);
    }
    return true;
}

/* --- names that nothing has --- */

/* "; its inputs are x[N,3,?], ..." for the message; the caller frees it.  */
static char *describe_inputs(const struct onnx_build *build)
{
    const struct onnx_graph *graph = build->model->graph;
    enum { SHOWN = 6 };
    char *text;
    size_t length, shown = 0, left = 0;
    FILE *out = memory_stream(&text, &length);

    for (size_t i = 0; i < graph->inputs; i++) {
        const struct onnx_info *info = &graph->input[i];

        if (onnx_is_stored(build, info->name))
            continue;
        if (shown == SHOWN) {
            left++;
            continue;
        }
        fprintf(out, "%s%.60s[", shown++ == 0 ? "; its inputs are " : ", ", info->name);
        for (size_t axis = 0; axis < info->rank; axis++) {
            const struct onnx_dim *dim = &info->dim[axis];

            fputs(axis == 0 ? "" : ",", out);
            if (dim->known)
                fprintf(out, "%" PRId64, dim->value);
            else
                fprintf(out, "%.30s", dim->name[0] != '\0' ? dim->name : "?");
        }
        fputs("]", out);
    }
    if (left > 0)
        fprintf(out, " and %zu more", left);
    memory_stream_close(out);
    return text;
}

/* What a parameter might have meant.  */
static size_t candidates(const struct onnx_build *build, const char ***names)
{
    const struct onnx_graph *graph = build->model->graph;
    size_t count = 0, capacity = 0;

    *names = NULL;
    for (size_t i = 0; i < graph->inputs; i++) {
        const struct onnx_info *info = &graph->input[i];

        if (onnx_is_stored(build, info->name))
            continue;
        *names = memory_grow(*names, &capacity, count + info->rank + 1, sizeof **names);
        (*names)[count++] = info->name;
        for (size_t axis = 0; axis < info->rank; axis++)
            if (!info->dim[axis].known && info->dim[axis].name[0] != '\0')
                (*names)[count++] = info->dim[axis].name;
    }
    return count;
}

static bool unknown(struct onnx_build *build, const char *name)
{
    char *inputs = describe_inputs(build);
    const char **names;
    size_t count = candidates(build, &names);

    if (strcmp(name, "batch") == 0)
        error_set(build->error,
                  "no dimension is called 'batch', and the first ones of its inputs differ: name "
                  "one, as INPUT.0%s",
                  inputs);
    else
        error_unknown(build->error, "dimension, input, trip count or length", name, names, count,
                      inputs);
    free(names);
    free(inputs);
    return error_prefix(build->error, "%s", build->path);
}

/* Whether a node in a sub-graph of GRAPH makes NAME, INSIDE: or one of its own.  */
static bool is_made_inside(const struct onnx_graph *graph, const char *name, bool inside)
{
    for (size_t n = 0; n < graph->nodes; n++) {
        const struct onnx_node *node = &graph->node[n];

        for (size_t i = 0; inside && i < node->outputs; i++)
            if (strcmp(node->output[i], name) == 0)
                return true;
        for (size_t i = 0; i < node->attributes; i++)
            if (node->attribute[i].kind == ONNX_ATTRIBUTE_GRAPH &&
                is_made_inside(node->attribute[i].graph, name, true))
                return true;
    }
    return false;
}

/* A branch that is not taken asks for nothing.  */
bool onnx_given_end(struct onnx_build *build)
{
    for (size_t i = 0; i < build->params->count; i++)
        if (build->params->value[i].other && !build->bound[i] &&
            !is_made_inside(build->model->graph, build->params->value[i].param->name, false))
            return unknown(build, build->params->value[i].param->name);
    return true;
}

/* --- values of inputs --- */

static bool is_complex(enum dtype dtype)
{
    return dtype == DTYPE_C64 || dtype == DTYPE_C128;
}

/* The smallest and the largest number of an integer type that a parameter can give exactly.  */
static void limits(enum dtype dtype, double *low, double *high)
{
    static const double exact = 9007199254740992.0; /* 2^53 */
    double bits = 8.0 * (double)dtype_size(dtype);
    bool has_sign =
        dtype == DTYPE_I8 || dtype == DTYPE_I16 || dtype == DTYPE_I32 || dtype == DTYPE_I64;

    *low = has_sign ? fmax(-exact, -exp2(bits - 1)) : 0;
    *high = dtype == DTYPE_BOOL ? 1 : fmin(exact, exp2(has_sign ? bits - 1 : bits) - 1);
}

static bool check_number(struct onnx_build *build, const struct param_value *given,
                         enum dtype dtype)
{
    double low, high;

    if (dtype_is_real(dtype))
        return true;
    limits(dtype, &low, &high);
    if (given->real >= low && given->real <= high && given->real == trunc(given->real))
        return true;
    return error_set(
        build->error,
        "%s: %s=%s: expected a whole number from %.0f to %.0f, as the input's type has",
        build->path, given->param->name, given->text, low, high);
}

bool onnx_given_input(struct onnx_build *build, const struct onnx_info *info,
                      const struct shape *shape, enum dtype dtype, struct onnx_value **value)
{
    const struct param_value *given = NULL;
    double real;
    struct elements *one;
    struct tensor number;
    int64_t elements;

    *value = NULL;
    if (!onnx_is_dimension(build->model->graph, info->name))
        given = take(build, info->name);
    if (given == NULL)
        return true;
    if (!shape_elements(shape, &elements, build->error))
        return false;
    if (elements != 1 || is_complex(dtype))
        return error_set(
            build->error,
            "%s: %s=%s: expected an input of one truth value, integer or float; it has "
            "%" PRId64 " %selements",
            build->path, info->name, given->text, elements, is_complex(dtype) ? "complex " : "");
    if (!check_number(build, given, dtype))
        return false;
    real = given->real;
    *value = onnx_take(&build->budget, 1, sizeof **value);
    one = onnx_take_elements(&build->budget, dtype_size(dtype));
    if (*value == NULL || one == NULL)
        return false;
    **value = (struct onnx_value){.name = info->name,
                                  .shape = *shape,
                                  .dtype = dtype,
                                  .constant = true,
                                  .made = true,
                                  .elements = one,
                                  .index = NETWORK_NONE};
    number = onnx_as_tensor(*value);
    cast_elements(&number, &(struct tensor){.dtype = DTYPE_F64, .data = &real});
    return onnx_define(build, info->name, *value);
}

void onnx_given_clear(struct onnx_build *build)
{
    names_clear(&build->stored);
    free(build->bound);
}

char *onnx_open_values(const struct onnx_build *build)
{
    const struct onnx_graph *graph = build->model->graph;
    const char *before = "; values that can be given: ";
    char *text;
    size_t length;
    FILE *out = memory_stream(&text, &length);

    for (size_t i = 0; i < graph->inputs; i++) {
        const struct onnx_info *info = &graph->input[i];
        bool single = info->tensor && info->shaped;

        for (size_t axis = 0; axis < info->rank; axis++)
            single = single && info->dim[axis].known && info->dim[axis].value == 1;
        if (!single || onnx_is_stored(build, info->name))
            continue;
        fprintf(out, "%s%s", before, info->name);
        before = ", ";
    }
    memory_stream_close(out);
    return text;
}
