/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/tflite/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/names.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "workloads/readers/tflite/model.h"
#include "workloads/readers/tflite/writer.h"

static const char metadata_name[] = "OfflineMemoryAllocation";

enum { PLAN_VERSION, SUBGRAPHS, TENSORS, OFFSETS }; /* numbers of the metadata */

#define ONLINE (-1) /* the runtime finds a place */

/* --- tensors and values --- */

/* For each tensor of GRAPH the value of INSTANCE's network that it is, or
 * NETWORK_NONE; the caller frees it.  They have the same names.  */
static size_t *values_of(const struct tflite_graph *graph, const struct network *network)
{
    struct name_ref *ref = memory_alloc(network->n_values, sizeof *ref);
    size_t *value = memory_alloc(graph->n_tensors, sizeof *value);

    for (size_t v = 0; v < network->n_values; v++)
        ref[v] = (struct name_ref){network->value[v].name, v};
    names_sort(ref, network->n_values); /* unique */
    for (size_t t = 0; t < graph->n_tensors; t++) {
        const struct name_ref *found = names_look_up(ref, network->n_values, graph->tensor[t].name);

        value[t] = found == NULL ? NETWORK_NONE : found->index;
    }
    free(ref);
    return value;
}

/* The number of tensors of each sub-graph before GRAPH, and of all.  */
static bool count_tensors(struct tflite_model *model, size_t graph, size_t *before, size_t *all)
{
    *before = *all = 0;
    for (size_t g = 0; g < model->subgraphs.count; g++) {
        struct flatbuffer_table table;
        struct flatbuffer_vector tensors;

        if (!flatbuffer_table_at(&model->buffer, &model->subgraphs, g, &table) ||
            !flatbuffer_vector(&model->buffer, &table, 0, 4, &tensors))
            return false;
        if (g < graph)
            *before += tensors.count;
        *all += tensors.count;
    }
    return true;
}

/* --- the metadata --- */

/* Whether entry INDEX of the metadata is a plan; BUFFER is where it is.  */
static bool is_plan(struct tflite_model *model, const struct flatbuffer_vector *metadata,
                    size_t index, bool *plan, int32_t *buffer)
{
    struct flatbuffer_table table;
    struct flatbuffer_vector name;

    if (!flatbuffer_table_at(&model->buffer, metadata, index, &table) ||
        !flatbuffer_vector(&model->buffer, &table, 0, 1, &name) ||
        !flatbuffer_int(&model->buffer, &table, 1, 0, buffer))
        return false;
    *plan = name.count == strlen(metadata_name) &&
            memcmp(model->buffer.data + name.at, metadata_name, name.count) == 0;
    return true;
}

/* The offsets of the model's tensors, ALL of them; with several plans the last
 * one holds, as in TFLite Micro.  */
static bool find_offsets(struct tflite_model *model, size_t all, struct flatbuffer_vector *offsets)
{
    struct flatbuffer_vector metadata, data = {0};
    bool found = false, plan = false;
    int32_t buffer, count;

    if (!flatbuffer_vector(&model->buffer, &model->root, TFLITE_METADATA, 4, &metadata))
        return false;
    for (size_t i = 0; i < metadata.count; i++) {
        if (!is_plan(model, &metadata, i, &plan, &buffer))
            return false;
        found = found || plan;
        if (plan && !tflite_buffer(model, (size_t)(uint32_t)buffer, &data))
            return false;
    }
    if (!found)
        return error_set(model->buffer.error, "%s: there is no plan in it (metadata %s)",
                         model->buffer.path, metadata_name);
    if (data.count < 4 * OFFSETS)
        return flatbuffer_error(&model->buffer, data.at, "a plan of %zu bytes", data.count);
    count = flatbuffer_int_at(&model->buffer, &data, TENSORS);
    if (count < 0 || (size_t)count != all || data.count / 4 - OFFSETS < all)
        return flatbuffer_error(&model->buffer, data.at,
                                "a plan of %d tensors in %zu bytes, the model has %zu tensors",
                                count, data.count, all);
    *offsets = (struct flatbuffer_vector){.at = data.at + 4 * OFFSETS, .count = all};
    return true;
}

/* --- reading --- */

/* Takes OFFSET, of tensor NAME, as that of BUFFER less PLACE; KNOWN says which
 * tensor gave a buffer its offset.  */
static bool take_offset(const struct tflite_model *model, const struct instance *instance,
                        struct plan *plan, const char **known, size_t buffer, int64_t place,
                        const char *name, int32_t offset)
{
    struct error *error = model->buffer.error;
    const char *path = model->buffer.path;

    if (offset == ONLINE)
        return error_set(error, "%s: tensor '%s' is left to the runtime (offset -1)", path, name);
    if (offset < 0 || offset < place)
        return error_set(error, "%s: tensor '%s' is at offset %d", path, name, offset);
    if (known[buffer] != NULL && plan->offset[buffer] != offset - place)
        return error_set(error,
                         "%s: tensors '%s' and '%s' are not at one place, but share buffer '%s'",
                         path, known[buffer], name, instance->buffer[buffer].id);
    known[buffer] = name;
    plan->offset[buffer] = offset - place;
    return true;
}

static bool take_offsets(struct tflite_model *model, const struct tflite_graph *graph,
                         const struct instance *instance, size_t before,
                         const struct flatbuffer_vector *offsets, struct plan *plan)
{
    const struct origin *origin = instance->origin;
    const char **known = memory_zalloc(instance->n, sizeof *known);
    size_t *value = values_of(graph, origin->network);
    bool good = true;

    for (size_t t = 0; t < graph->n_tensors && good; t++) {
        size_t v = value[t];

        if (v != NETWORK_NONE && origin->buffer[v] != SIZE_MAX)
            good = take_offset(model, instance, plan, known, origin->buffer[v], origin->place[v],
                               graph->tensor[t].name,
                               flatbuffer_int_at(&model->buffer, offsets, before + t));
    }
    for (size_t b = 0; b < instance->n && good; b++)
        if (known[b] == NULL)
            good = error_set(model->buffer.error, "%s: it has no tensor for buffer '%s'",
                             model->buffer.path, instance->buffer[b].id);
    free(known);
    free(value);
    return good;
}

static bool from_network(const char *path, const struct instance *instance, struct error *error)
{
    return instance->origin != NULL ||
           error_set(error, "%s: its plan is of a network, not of lifetimes", path);
}

struct plan *tflite_plan_read(const char *path, const void *data, size_t size, size_t graph,
                              const struct instance *instance, struct error *error)
{
    struct plan *plan = plan_new(instance);
    struct flatbuffer_vector offsets;
    struct tflite_graph tensors;
    struct tflite_model model;
    size_t before, all;
    bool good = false;

    if (from_network(path, instance, error) && tflite_model_open(&model, path, data, size, error)) {
        if (tflite_graph_read(&model, graph, &tensors)) {
            good = count_tensors(&model, graph, &before, &all) &&
                   find_offsets(&model, all, &offsets) &&
                   take_offsets(&model, &tensors, instance, before, &offsets, plan);
            tflite_graph_clear(&tensors);
        }
        tflite_model_close(&model);
    }
    if (good) {
        plan->peak = plan_peak(instance, plan);
        return plan;
    }
    plan_free(plan);
    return NULL;
}

/* --- writing --- */

/* Data behind the flatbuffer is found by its place in the file, which will change.  */
static bool is_movable(struct tflite_model *model)
{
    struct flatbuffer_vector ops;
    struct flatbuffer_table table;
    size_t at;

    if (model->root.fields > TFLITE_MODEL_FIELDS)
        for (size_t f = TFLITE_MODEL_FIELDS; f < model->root.fields; f++) {
            if (!flatbuffer_field(&model->buffer, &model->root, f, 1, &at))
                return false;
            if (at != 0)
                return flatbuffer_error(&model->buffer, at,
                                        "field %zu of the model is not known: it cannot be copied",
                                        f);
        }
    for (size_t i = 0; i < model->buffers.count; i++) {
        if (!flatbuffer_table_at(&model->buffer, &model->buffers, i, &table) ||
            !flatbuffer_field(&model->buffer, &table, 1, 8, &at))
            return false;
        if (at != 0 && flatbuffer_u32(&model->buffer, at) > 1)
            return flatbuffer_error(&model->buffer, at, "buffer %zu is behind the flatbuffer", i);
    }
    for (size_t g = 0; g < model->subgraphs.count; g++) {
        if (!flatbuffer_table_at(&model->buffer, &model->subgraphs, g, &table) ||
            !flatbuffer_vector(&model->buffer, &table, 3, 4, &ops))
            return false;
        for (size_t o = 0; o < ops.count; o++) {
            if (!flatbuffer_table_at(&model->buffer, &ops, o, &table) ||
                !flatbuffer_field(&model->buffer, &table, 9, 8, &at))
                return false;
            if (at != 0 && flatbuffer_u32(&model->buffer, at) > 1)
                return flatbuffer_error(&model->buffer, at,
                                        "options of operator %zu are behind the flatbuffer", o);
        }
    }
    return true;
}

/* The runtime plans no room for what is stored in the file.  */
static bool plans_nothing_stored(const char *path, const struct origin *origin, struct error *error)
{
    for (size_t v = 0; v < origin->network->n_values; v++) {
        const struct value *value = &origin->network->value[v];

        if (origin->buffer[v] != SIZE_MAX && value->role != VALUE_ACTIVATION &&
            value->role != VALUE_INPUT)
            return error_set(error,
                             "%s: tensor '%s' is stored in the file, and TFLite Micro plans no "
                             "room for it%s",
                             path, value->name, value->readers > 0 ? "; expected weights=off" : "");
    }
    return true;
}

/* The metadata's numbers, which the caller clears.  *FITS: every offset does.  */
static struct writer make_numbers(const struct tflite_graph *graph, size_t subgraphs, size_t before,
                                  size_t all, const struct instance *instance,
                                  const struct plan *plan, bool *fits)
{
    const struct origin *origin = instance->origin;
    size_t *value = values_of(graph, origin->network);
    struct writer numbers = {.size = 0};

    writer_bytes(&numbers, NULL, 4 * (OFFSETS + all));
    writer_set32(&numbers, 4 * SUBGRAPHS, (uint32_t)subgraphs);
    writer_set32(&numbers, 4 * TENSORS, (uint32_t)all);
    for (size_t t = 0; t < all; t++)
        writer_set32(&numbers, 4 * (OFFSETS + t), UINT32_MAX); /* ONLINE */
    *fits = true;
    for (size_t t = 0; t < graph->n_tensors; t++) {
        size_t v = value[t];
        int64_t offset;

        if (v == NETWORK_NONE || origin->buffer[v] == SIZE_MAX)
            continue;
        offset = plan->offset[origin->buffer[v]] + origin->place[v];
        *fits = *fits && offset <= INT32_MAX;
        writer_set32(&numbers, 4 * (OFFSETS + before + t), (uint32_t)(offset & UINT32_MAX));
    }
    free(value);
    return numbers;
}

/* References of the new part to the old file, which are filled in once it is known
 * where that begins.  */
struct old_reference {
    size_t at, to; /* in the new file and in the old one */
};

struct copying {
    struct tflite_model *model;
    struct writer writer;
    struct old_reference *old;
    size_t n_old, old_capacity;
};

static void refer_old(struct copying *copying, size_t at, size_t to)
{
    copying->old =
        memory_grow(copying->old, &copying->old_capacity, copying->n_old + 1, sizeof *copying->old);
    copying->old[copying->n_old++] = (struct old_reference){at, to};
}

/* The root table, with the fields of the old one.  */
static bool copy_root(struct copying *copying, size_t *root)
{
    struct flatbuffer *buffer = &copying->model->buffer;
    uint8_t width[TFLITE_MODEL_FIELDS] = {0};
    size_t at, to;

    for (size_t f = 0; f < TFLITE_MODEL_FIELDS; f++) {
        if (!flatbuffer_field(buffer, &copying->model->root, f, 4, &at))
            return false;
        width[f] = at != 0 || f == TFLITE_BUFFERS || f == TFLITE_METADATA ? 4 : 0;
    }
    *root = writer_table(&copying->writer, width, TFLITE_MODEL_FIELDS);
    writer_refer(&copying->writer, 0, *root);
    for (size_t f = 0; f < TFLITE_MODEL_FIELDS; f++) {
        size_t field;

        if (!flatbuffer_field(buffer, &copying->model->root, f, 4, &at))
            return false;
        if (at == 0 || f == TFLITE_BUFFERS || f == TFLITE_METADATA)
            continue;
        field = writer_field(&copying->writer, *root, f);
        if (f == TFLITE_VERSION)
            writer_set32(&copying->writer, field, flatbuffer_u32(buffer, at));
        else if (flatbuffer_follow(buffer, at, &to))
            refer_old(copying, field, to);
        else
            return false;
    }
    return true;
}

/* The vector of the root's FIELD with the old tables, but for old plans, and one
 * more: *LAST is where its reference belongs.  */
static bool copy_vector(struct copying *copying, size_t root, size_t field, size_t *last)
{
    struct tflite_model *model = copying->model;
    struct flatbuffer_vector old;
    size_t vector, kept = 0, *keep;
    bool plan = false, good = true;
    int32_t ignored;

    if (!flatbuffer_vector(&model->buffer, &model->root, field, 4, &old))
        return false;
    keep = memory_alloc(old.count, sizeof *keep);
    for (size_t i = 0; i < old.count && good; i++) {
        if (field == TFLITE_METADATA)
            good = is_plan(model, &old, i, &plan, &ignored);
        if (!plan)
            keep[kept++] = i;
    }
    vector = writer_vector(&copying->writer, NULL, kept + 1, 4, 4);
    writer_refer(&copying->writer, writer_field(&copying->writer, root, field), vector);
    for (size_t i = 0; i < kept && good; i++) {
        size_t to;

        good = flatbuffer_follow(&model->buffer, old.at + 4 * keep[i], &to);
        if (good)
            refer_old(copying, vector + 4 + 4 * i, to);
    }
    *last = vector + 4 + 4 * kept;
    free(keep);
    return good;
}

/* All that is new, then the old file as it is, so that what refers to one another
 * in it still does.  */
static bool copy_model(struct copying *copying, const struct writer *numbers)
{
    struct tflite_model *model = copying->model;
    struct writer *writer = &copying->writer;
    size_t root, last, table, shift;

    writer_begin(writer, "TFL3");
    if (!copy_root(copying, &root) || !copy_vector(copying, root, TFLITE_METADATA, &last))
        return false;
    table = writer_table(writer, (const uint8_t[]){4, 4}, 2);
    writer_refer(writer, last, table);
    writer_set32(writer, writer_field(writer, table, 1), (uint32_t)model->buffers.count);
    writer_refer(writer, writer_field(writer, table, 0), writer_string(writer, metadata_name));
    if (!copy_vector(copying, root, TFLITE_BUFFERS, &last))
        return false;
    table = writer_table(writer, (const uint8_t[]){4}, 1);
    writer_refer(writer, last, table);
    writer_refer(writer, writer_field(writer, table, 0),
                 writer_vector(writer, numbers->data, numbers->size, 1, 16));
    shift = writer_align(writer, 16); /* what is aligned in the old file stays so */
    writer_bytes(writer, model->buffer.data, model->buffer.size);
    if (writer->size > TFLITE_MOST_BYTES)
        return error_set(model->buffer.error, "%s: with a plan it would pass 2 GiB",
                         model->buffer.path);
    for (size_t i = 0; i < copying->n_old; i++)
        writer_refer(writer, copying->old[i].at, shift + copying->old[i].to);
    return true;
}

static bool write_copy(struct tflite_model *model, const struct writer *numbers, FILE *out)
{
    struct copying copying = {.model = model};
    bool good = is_movable(model) && copy_model(&copying, numbers);

    if (good) /* whoever closes OUT sees what went wrong */
        fwrite(copying.writer.data, 1, copying.writer.size, out);
    writer_clear(&copying.writer);
    free(copying.old);
    return good;
}

bool tflite_plan_write(const char *path, const void *data, size_t size, size_t graph,
                       const struct instance *instance, const struct plan *plan, FILE *out,
                       struct error *error)
{
    struct tflite_graph tensors;
    struct tflite_model model;
    struct writer numbers;
    size_t before, all;
    bool good = false, fits;

    if (!from_network(path, instance, error) ||
        !plans_nothing_stored(path, instance->origin, error) ||
        !tflite_model_open(&model, path, data, size, error))
        return false;
    if (tflite_graph_read(&model, graph, &tensors)) {
        if (count_tensors(&model, graph, &before, &all)) {
            numbers =
                make_numbers(&tensors, model.subgraphs.count, before, all, instance, plan, &fits);
            good = fits ? write_copy(&model, &numbers, out)
                        : error_set(error, "%s: the plan has offsets above 2 GiB", path);
            writer_clear(&numbers);
        }
        tflite_graph_clear(&tensors);
    }
    tflite_model_close(&model);
    return good;
}
