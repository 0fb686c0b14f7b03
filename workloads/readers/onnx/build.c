#include <config.h>

#include "workloads/readers/onnx/build.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "workloads/readers/onnx/node.h"
#include "workloads/readers/onnx/onnx.h"

void *onnx_take(struct onnx_build *build, size_t count, size_t size)
{
    size_t bytes;
    void *block;

    if (__builtin_mul_overflow(count, size, &bytes) || bytes + sizeof block > build->budget) {
        error_set(build->error,
                  "%s: inference needs more than %d times as much memory as the file has bytes",
                  build->path, ONNX_BUILD_MULTIPLE);
        return NULL;
    }
    build->budget -= bytes + sizeof block;
    block = memory_zalloc(count == 0 ? 1 : count, size);
    build->block =
        memory_grow(build->block, &build->block_capacity, build->blocks + 1, sizeof *build->block);
    build->block[build->blocks++] = block;
    return block;
}

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
    value = onnx_take(build, 1, sizeof *value);
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
    return value->index;
}

/* --- what a graph begins with --- */

static bool add_initializer(struct onnx_build *build, const struct onnx_tensor *tensor)
{
    struct onnx_value *value = onnx_take(build, 1, sizeof *value);

    if (value == NULL)
        return false;
    if (tensor->name[0] == '\0')
        return error_set(build->error, "%s: an initializer has no name", build->path);
    if (!onnx_constant(build, tensor, value))
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
    struct onnx_value *input = onnx_take(build, 1, sizeof *input);

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

/* Early files list the initializers among the inputs.  */
static bool add_inputs(struct onnx_build *build)
{
    const struct onnx_graph *graph = build->scope->graph;

    for (size_t i = 0; i < graph->inputs; i++) {
        struct onnx_value *value;
        struct shape shape;
        enum dtype dtype;

        value = names_find(&build->scope->values, graph->input[i].name);
        if (value != NULL && value->constant)
            continue;
        if (!onnx_declared(build, &graph->input[i], true, &shape, &dtype) ||
            !onnx_add_input(build, i, &shape, dtype, &value))
            return false;
    }
    return true;
}

/* --- the whole --- */

struct onnx_value *onnx_output(struct onnx_build *build, size_t i)
{
    const struct onnx_graph *graph = build->scope->graph;
    struct onnx_value *value = onnx_look_up(build, graph->output[i].name);

    if (value == NULL)
        error_set(build->error, "%s: graph '%s': nothing makes its output '%s'", build->path,
                  graph->name, graph->output[i].name);
    return value;
}

static bool add_graph(struct onnx_build *build)
{
    const struct onnx_graph *graph = build->scope->graph;

    if (!onnx_add_initializers(build) || !add_inputs(build) || !onnx_add_nodes(build))
        return false;
    for (size_t i = 0; i < graph->outputs; i++) {
        struct onnx_value *value = onnx_output(build, i);

        if (value == NULL)
            return false;
        network_mark_output(build->scope->network, onnx_materialize(build, value, VALUE_CONSTANT));
    }
    onnx_settle(build->scope->network);
    return onnx_bind_end(build);
}

static struct network *build_network(struct onnx_build *build)
{
    struct network *network;
    bool good;

    onnx_bind_begin(build);
    network = onnx_scope_enter(build, build->model->graph, false)->network;
    good = add_graph(build);
    /* After an error there may be bodies half-way.  */
    while (build->scope != NULL)
        onnx_scope_leave(build);
    for (size_t i = 0; i < build->blocks; i++)
        free(build->block[i]);
    free(build->block);
    free(build->bound);
    if (good && network_check(network, build->error))
        return network;
    if (good)
        error_prefix(build->error, "%s", build->path);
    network_free(network);
    return NULL;
}

struct network *onnx_network(const uint8_t *data, size_t size, const char *path,
                             const struct params *params, struct error *error)
{
    struct onnx_model *model = onnx_model_unpack(data, size, path, error);
    struct error own = {""}; /* empty until something is wrong */
    struct onnx_build build = {
        .path = path,
        .model = model,
        .params = params,
        .error = &own,
        .budget = size * ONNX_BUILD_MULTIPLE + ONNX_BUILD_SPARE,
    };
    struct network *network;

    if (model == NULL)
        return NULL;
    network = build_network(&build);
    if (network == NULL)
        error_set(error, "%s", own.text);
    onnx_model_free(model);
    return network;
}
