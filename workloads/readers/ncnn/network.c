/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/ncnn/network.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/people.h"
#include "lib/graph/reuse.h"
#include "workloads/readers/ncnn/layers.h"
#include "workloads/readers/shapes.h"

struct build {
    const struct ncnn_model *model;
    const struct ncnn_options *options;
    struct error *error;
    struct network *network;
    struct shape *shape; /* of each blob, in ncnn's dimensions */
    size_t *value;       /* of each blob in the network */
    bool *stated;        /* outputs of the current layer whose shape the file states */
    bool infer_all;      /* the file's shapes do not hold */
    size_t differences;  /* between stated shapes and parameters */
};

/* --- shapes that the file states --- */

/* Key 30 has for each output the number of dimensions, then width, height and
 * channels, or width, height, depth and channels.  */
static bool read_hint(const struct ncnn_number *number, size_t step, struct shape *shape)
{
    int64_t field[5];

    for (size_t i = 0; i < step; i++) {
        if (!number[i].whole || number[i].integer < 0 || number[i].integer > INT32_MAX)
            return false;
        field[i] = number[i].integer;
    }
    switch (field[0]) {
    case 0: /* not known */
        *shape = (struct shape){.rank = -1};
        return true;
    case 1:
        *shape = (struct shape){.rank = 1, .dim = {field[1]}};
        return true;
    case 2:
        *shape = (struct shape){.rank = 2, .dim = {field[2], field[1]}};
        return true;
    case 3:
        *shape = (struct shape){.rank = 3, .dim = {field[step - 1], field[2], field[1]}};
        return true;
    case 4:
        *shape = (struct shape){.rank = 4, .dim = {field[4], field[3], field[2], field[1]}};
        return step == 5;
    default:
        return false;
    }
}

/* Sets the shapes of LAYER's outputs that the file states, in OUT, and
 * build->stated.  */
static bool read_hints(struct build *build, const struct ncnn_layer *layer, struct shape *out)
{
    const struct ncnn_value *hints = ncnn_find(build->model, layer, NCNN_SHAPE_HINTS);
    size_t step;

    memset(build->stated, 0, layer->outputs * sizeof *build->stated);
    if (hints == NULL || hints->count == 0 || layer->outputs == 0 || build->infer_all)
        return true;
    step = hints->count / layer->outputs;
    if (hints->count % layer->outputs != 0 || (step != 4 && step != 5))
        return ncnn_error(build->model, layer, build->error,
                          "%zu numbers for the shapes of %zu outputs, expected 4 or 5 for each",
                          hints->count, layer->outputs);
    for (size_t i = 0; i < layer->outputs; i++) {
        if (!read_hint(&build->model->number[hints->first + i * step], step, &out[i]))
            return ncnn_error(build->model, layer, build->error,
                              "the shape of output %zu is malformed", i);
        build->stated[i] = out[i].rank >= 0;
    }
    return true;
}

/* --- values --- */

static size_t *outputs_of(const struct build *build, const struct ncnn_layer *layer)
{
    return &build->model->reference[layer->first + layer->inputs];
}

/* An image gets its batch of one.  */
static struct shape network_shape(const struct shape *shape)
{
    struct shape image = {.rank = 4, .dim = {1, shape->dim[0], shape->dim[1], shape->dim[2]}};

    return shape->rank == 3 ? image : *shape;
}

static size_t add_blob(struct build *build, size_t blob, enum value_role role)
{
    struct shape shape = network_shape(&build->shape[blob]);

    return network_add_value(build->network, build->model->blob[blob].name, role,
                             build->options->dtype, shape.rank, shape.dim);
}

/* Adds LAYER's outputs as values of ROLE, which no operator makes.  */
static void add_sources(struct build *build, const struct ncnn_layer *layer, enum value_role role)
{
    const size_t *output = outputs_of(build, layer);

    for (size_t i = 0; i < layer->outputs; i++)
        build->value[output[i]] = add_blob(build, output[i], role);
}

static bool bad_parameter(const struct build *build, const struct ncnn_work *work)
{
    return ncnn_error(build->model, work->layer, build->error,
                      "parameter %" PRId64 ": expected a whole number", work->bad_key);
}

/* --- Input and MemoryData --- */

/* Width, height, depth and channels in parameters 0, 1, 11 and 2, or those that
 * the user gave.  */
static bool source_shape(struct build *build, struct ncnn_work *work, bool input,
                         struct shape *shape)
{
    const struct ncnn_options *options = build->options;
    int64_t size[] = {ncnn_int(work, 2, 0), ncnn_int(work, 11, 0), ncnn_int(work, 1, 0),
                      ncnn_int(work, 0, 0)};
    const struct ncnn_layer *layer = work->layer;

    if (work->bad)
        return bad_parameter(build, work);
    if (input && options->c > 0)
        size[0] = options->c;
    if (input && options->h > 0)
        size[2] = options->h;
    if (input && options->w > 0)
        size[3] = options->w;
    *shape = (struct shape){.rank = 0};
    for (int i = 0; i < 4; i++)
        if (size[i] != 0)
            shape->dim[shape->rank++] = size[i];
    if (shape->rank == 0 || size[3] == 0 || (size[0] != 0 && size[2] == 0))
        return ncnn_error(build->model, layer, build->error,
                          input ? "its size is not in the file: give it as w=, h= and c="
                                : "its size is not in the file");
    return true;
}

static bool add_source(struct build *build, const struct ncnn_layer *layer, bool input)
{
    struct error fault = {""};
    struct ncnn_work work = {.model = build->model, .layer = layer, .error = &fault};
    const size_t *output = outputs_of(build, layer);
    int64_t elements;

    if (layer->inputs != 0 || layer->outputs == 0)
        return ncnn_error(build->model, layer, build->error, "expected no input and an output");
    if (!read_hints(build, layer, &build->shape[output[0]]))
        return false;
    for (size_t i = 0; i < layer->outputs; i++) {
        struct shape *shape = &build->shape[output[i]];

        if (!build->stated[i] && !source_shape(build, &work, input, shape))
            return false;
        if (!shape_elements(shape, &elements, &fault))
            return ncnn_error(build->model, layer, build->error, "%s", fault.text);
    }
    add_sources(build, layer, input ? VALUE_INPUT : VALUE_CONSTANT);
    return true;
}

/* --- operators --- */

/* Whether LAYER reads nothing but constants.  */
static bool folds(const struct build *build, const struct ncnn_layer *layer)
{
    for (size_t i = 0; i < layer->inputs; i++) {
        size_t value = build->value[build->model->reference[layer->first + i]];

        if (build->network->value[value].role != VALUE_CONSTANT)
            return false;
    }
    return layer->inputs > 0;
}

static void add_operator(struct build *build, const struct ncnn_work *work)
{
    const struct ncnn_layer *layer = work->layer;
    const size_t *output = outputs_of(build, layer);
    size_t *input = memory_alloc(layer->inputs + work->n_stored, sizeof *input), op;
    struct network *network = build->network;

    for (size_t i = 0; i < layer->inputs; i++)
        input[i] = build->value[build->model->reference[layer->first + i]];
    for (size_t i = 0; i < work->n_stored; i++) {
        const struct ncnn_stored *stored = &work->stored[i];
        char *name = memory_printf("%s.%s", layer->name, stored->what);

        input[layer->inputs + i] =
            network_add_value(network, name, stored->role, build->options->dtype,
                              stored->shape.rank, stored->shape.dim);
        free(name);
    }
    op = network_add_op(network, layer->name, work->kind, work->type, input,
                        layer->inputs + work->n_stored);
    network->op[op].conv = work->conv;
    network->op[op].activation = work->activation;
    network->op[op].macs = work->macs;
    for (size_t i = 0; i < layer->outputs; i++) {
        struct shape shape = network_shape(&build->shape[output[i]]);

        build->value[output[i]] =
            network_add_output(network, op, build->model->blob[output[i]].name,
                               build->options->dtype, shape.rank, shape.dim);
    }
    reuse_infer(network, op);
    if (work->slice) {
        bool image = work->in[0].rank == 3; /* 1 x C x H x W in the network */
        int64_t start[NETWORK_MAX_RANK] = {0};

        memcpy(start + image, work->start, sizeof start - (size_t)image * sizeof *start);
        reuse_slice(network, op, 0, 0, start);
    }
    free(input);
}

/* Takes the file's shapes (STATED) in place of those worked out.  */
static bool take_hints(struct build *build, const struct ncnn_work *work,
                       const struct shape *stated)
{
    const struct ncnn_layer *layer = work->layer;

    for (size_t i = 0; i < layer->outputs; i++) {
        if (!build->stated[i]) {
            if (work->open)
                return ncnn_error(build->model, layer, build->error,
                                  "its shapes do not follow from its parameters, and the file "
                                  "does not state them (parameter -23330)");
            continue;
        }
        if (!work->open && !work->bound && !shape_equal(&work->out[i], &stated[i]))
            build->differences++;
        work->out[i] = stated[i];
    }
    return true;
}

static bool infer(struct build *build, struct ncnn_work *work, const struct ncnn_type *type)
{
    const struct ncnn_layer *layer = work->layer;

    if (type == NULL) {
        work->open = true;
        return true;
    }
    work->kind = type->kind;
    work->type = type->word;
    if (layer->inputs < type->inputs || layer->outputs == 0)
        return ncnn_error(build->model, layer, build->error,
                          "%zu inputs and %zu outputs, expected at least %zu and 1", layer->inputs,
                          layer->outputs, type->inputs);
    for (size_t i = 0; i < layer->inputs; i++)
        if (work->in[i].rank < (i == 0 ? type->least : 1) ||
            work->in[i].rank > (i == 0 ? type->most : 4))
            return ncnn_error(build->model, layer, build->error,
                              "input %zu has %d dimensions, expected %d to %d", i, work->in[i].rank,
                              type->least, type->most);
    if (!type->infer(work) && !work->bad)
        return ncnn_error(build->model, layer, build->error, "%s", work->error->text);
    return !work->bad || bad_parameter(build, work);
}

/* All that a layer can be refused for.  */
static bool work_out(struct build *build, struct ncnn_work *work)
{
    const struct ncnn_layer *layer = work->layer;
    const struct ncnn_type *type = ncnn_type_find(layer->type);
    struct shape *stated = memory_zalloc(layer->outputs, sizeof *stated);
    bool good = read_hints(build, layer, stated);
    int64_t elements;

    for (size_t i = 0; i < layer->outputs && good && type == NULL; i++)
        if (!build->stated[i])
            good = ncnn_error(build->model, layer, build->error,
                              "unknown type of layer, and the file does not state its shapes "
                              "(parameter -23330)");
    good = good && infer(build, work, type) && take_hints(build, work, stated);
    for (size_t i = 0; i < layer->outputs && good; i++)
        if (!shape_elements(&work->out[i], &elements, work->error))
            good = ncnn_error(build->model, layer, build->error, "output %zu: %s", i,
                              work->error->text);
    free(stated);
    return good;
}

static bool add_layer(struct build *build, const struct ncnn_layer *layer)
{
    struct error fault = {""};
    struct shape *in = memory_alloc(layer->inputs, sizeof *in);
    struct shape *out = memory_zalloc(layer->outputs, sizeof *out);
    struct ncnn_work work = {.model = build->model,
                             .layer = layer,
                             .in = in,
                             .out = out,
                             .error = &fault,
                             .kind = OP_OTHER,
                             .type = "other"};
    const size_t *output = outputs_of(build, layer);
    bool good;

    for (size_t i = 0; i < layer->inputs; i++)
        in[i] = build->shape[build->model->reference[layer->first + i]];
    good = work_out(build, &work);
    for (size_t i = 0; i < layer->outputs && good; i++)
        build->shape[output[i]] = out[i];
    if (good && folds(build, layer))
        add_sources(build, layer, VALUE_CONSTANT);
    else if (good)
        add_operator(build, &work);
    free(in);
    free(out);
    return good;
}

static bool add_layers(struct build *build)
{
    const struct ncnn_model *model = build->model;

    for (size_t l = 0; l < model->n_layers; l++) {
        const struct ncnn_layer *layer = &model->layer[l];
        bool input = strcmp(layer->type, "Input") == 0;

        if (input || strcmp(layer->type, "MemoryData") == 0) {
            if (!add_source(build, layer, input))
                return false;
        } else if (!add_layer(build, layer)) {
            return false;
        }
    }
    for (size_t b = 0; b < model->n_blobs; b++)
        if (model->blob[b].readers == 0)
            network_mark_output(build->network, build->value[b]);
    return true;
}

struct network *ncnn_network(const struct ncnn_model *model, const char *name,
                             const struct ncnn_options *options, FILE *notices, struct error *error)
{
    struct build build = {.model = model,
                          .options = options,
                          .error = error,
                          .network = network_new(name),
                          .shape = memory_zalloc(model->n_blobs, sizeof *build.shape),
                          .value = memory_zalloc(model->n_blobs, sizeof *build.value),
                          .stated = memory_zalloc(model->n_blobs, sizeof *build.stated),
                          .infer_all = options->w > 0 || options->h > 0 || options->c > 0};
    bool good = add_layers(&build);

    if (good) {
        network_make_names_unique(build.network);
        if (!network_check(build.network, error))
            good = error_prefix(error, "%s", model->path);
    }
    if (good && build.differences > 0 && notices != NULL)
        people_print(
            notices,
            "%s: %zu shapes that the file states are not what the layers' parameters give; "
            "the file's are taken\n",
            model->path, build.differences);
    free(build.shape);
    free(build.value);
    free(build.stated);
    if (good)
        return build.network;
    network_free(build.network);
    return NULL;
}
