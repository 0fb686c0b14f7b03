/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/scope.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/elements.h"
#include "workloads/readers/onnx/compute.h"

/* --- scopes --- */

struct onnx_scope *onnx_scope_enter(struct onnx_build *build, const struct onnx_graph *graph,
                                    bool inlined)
{
    struct onnx_scope *scope = memory_zalloc(1, sizeof *scope), *parent = build->scope;

    scope->parent = parent;
    scope->inlined = inlined;
    scope->graph = graph;
    if (inlined) {
        scope->network = parent->network;
        scope->op_names = parent->op_names;
        scope->value_names = parent->value_names;
    } else {
        scope->network = network_new(graph->name[0] != '\0' ? graph->name : build->path);
        scope->op_names = memory_zalloc(1, sizeof *scope->op_names);
        scope->value_names = memory_zalloc(1, sizeof *scope->value_names);
    }
    /* What says more comes first; a name may stand in both.  */
    for (size_t i = 0; i < graph->infos; i++)
        names_add(&scope->declared, graph->info[i].name, &graph->info[i]);
    for (size_t i = 0; i < graph->outputs; i++)
        names_add(&scope->declared, graph->output[i].name, &graph->output[i]);
    build->scope = scope;
    return scope;
}

void onnx_scope_leave(struct onnx_build *build)
{
    struct onnx_scope *scope = build->scope;

    build->scope = scope->parent;
    if (!scope->inlined) {
        names_clear(scope->op_names);
        names_clear(scope->value_names);
        free(scope->op_names);
        free(scope->value_names);
    }
    names_clear(&scope->values);
    names_clear(&scope->declared);
    free(scope->capture);
    free(scope);
}

bool onnx_define(struct onnx_build *build, const char *name, struct onnx_value *value)
{
    if (names_add(&build->scope->values, name, value))
        return true;
    return error_set(build->error, "%s: graph '%s': two values are called '%s'", build->path,
                     build->scope->graph->name, name);
}

/* A value of SCOPE by its name in the file, or NULL.  What a body sees of the
 * graphs around it becomes a value of its own.  */
static struct onnx_value *look_up(struct onnx_build *build, struct onnx_scope *scope,
                                  const char *name)
{
    struct onnx_value *value = names_find(&scope->values, name), *outer;

    if (value != NULL || scope->parent == NULL)
        return value;
    outer = look_up(build, scope->parent, name);
    if (outer == NULL || scope->inlined)
        return outer;
    value = onnx_take(&build->budget, 1, sizeof *value);
    if (value == NULL)
        return NULL;
    *value = *outer;
    value->index = NETWORK_NONE;
    value->outer = outer;
    names_add(&scope->values, name, value);
    return value;
}

struct onnx_value *onnx_look_up(struct onnx_build *build, const char *name)
{
    return look_up(build, build->scope, name);
}

struct onnx_value *onnx_output(struct onnx_build *build, size_t i)
{
    const struct onnx_graph *graph = build->scope->graph;
    struct onnx_value *value = onnx_look_up(build, graph->output[i].name);

    if (value == NULL)
        error_set(build->error, "%s: graph '%s': nothing makes its output '%s'", build->path,
                  graph->name, graph->output[i].name);
    return value;
}

/* --- names in the network --- */

char *onnx_op_name(const struct onnx_scope *scope, const char *wanted)
{
    if (names_find(scope->op_names, wanted) == NULL)
        return memory_strdup(wanted);
    return memory_printf("%s.%zu", wanted, scope->network->n_ops);
}

/* Values of an inlined graph may be called as others are.  */
char *onnx_value_name(const struct onnx_scope *scope, const char *wanted)
{
    if (names_find(scope->value_names, wanted) == NULL)
        return memory_strdup(wanted);
    return memory_printf("%s.%zu", wanted, scope->network->n_values);
}

static size_t add_value(struct onnx_scope *scope, const struct onnx_value *value,
                        enum value_role role)
{
    char *name = onnx_value_name(scope, value->name);
    size_t index = network_add_value(scope->network, name, role, value->dtype, value->shape.rank,
                                     value->shape.dim);

    free(name);
    names_add(scope->value_names, scope->network->value[index].name, scope);
    return index;
}

size_t onnx_materialize(struct onnx_build *build, struct onnx_value *value, enum value_role role)
{
    struct onnx_scope *scope = build->scope;

    if (value->index != NETWORK_NONE)
        return value->index;
    while (scope->inlined)
        scope = scope->parent;
    if (value->outer != NULL) {
        role = VALUE_INPUT;
        scope->capture = memory_grow(scope->capture, &scope->capture_capacity, scope->captures + 1,
                                     sizeof(struct onnx_value *));
        scope->capture[scope->captures++] = value;
    }
    value->index = add_value(scope, value, role);
    if (build->runnable && value->constant && role != VALUE_INPUT)
        network_set_elements(scope->network, value->index,
                             elements_hold(onnx_value_elements(build, value)));
    return value->index;
}

/* --- what a graph begins with --- */

static bool add_initializer(struct onnx_build *build, const struct onnx_tensor *tensor)
{
    struct onnx_value *value = onnx_take(&build->budget, 1, sizeof *value);

    if (value == NULL)
        return false;
    if (tensor->name[0] == '\0')
        return error_set(build->error, "%s: an initializer has no name", build->path);
    if (!onnx_constant(&build->budget, tensor, value))
        return error_prefix(build->error, "%s: initializer '%s'", build->path, tensor->name);
    value->name = tensor->name;
    return onnx_define(build, tensor->name, value);
}

bool onnx_add_initializers(struct onnx_build *build)
{
    const struct onnx_graph *graph = build->scope->graph;

    for (size_t i = 0; i < graph->initializers; i++)
        if (!add_initializer(build, &graph->initializer[i]))
            return false;
    return true;
}

bool onnx_add_input(struct onnx_build *build, size_t i, const struct shape *shape, enum dtype dtype,
                    struct onnx_value **value)
{
    struct onnx_scope *scope = build->scope;
    struct onnx_value *input = onnx_take(&build->budget, 1, sizeof *input);

    if (input == NULL)
        return false;
    *input = (struct onnx_value){.name = scope->graph->input[i].name,
                                 .shape = *shape,
                                 .dtype = dtype,
                                 .index = NETWORK_NONE};
    if (!onnx_define(build, input->name, input))
        return false;
    input->index = add_value(scope, input, VALUE_INPUT);
    *value = input;
    return true;
}
