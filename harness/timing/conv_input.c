/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/timing/conv_input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/io/options.h"
#include "harness/timing/conv_sample.h"
#include "kernels/layer_table.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/base/real_inputs.h"
#include "lib/graph/network.h"
#include "workloads/workload.h"

static const char list_ending[] = ".layers";

typedef bool list_reader(struct layer_list *list, FILE *in, const char *path, struct error *error);

static bool read_list(struct layer_list *list, const char *path, list_reader *read,
                      struct error *error)
{
    FILE *in = fopen(path, "r");
    size_t before = list->count;
    bool good;

    if (in == NULL)
        return error_set(error, "%s: %s", path, strerror(errno));
    good = read(list, in, path, error);
    fclose(in);
    if (good && list->count == before)
        return error_set(error, "%s: no layers in it", path);
    return good;
}

/* Takes KEY=VALUE out of SPEC, a copy, and returns VALUE, owned; NULL: there is none.  */
static char *take_value(char *spec, const char *key)
{
    const size_t word = strlen(key);
    char *at = strchr(spec, ':');

    while (at != NULL) {
        if (strncmp(at + 1, key, word) == 0 && at[1 + word] == '=') {
            char *value = at + word + 2, *end = strchr(value, ',');
            size_t length = end == NULL ? strlen(value) : (size_t)(end - value);
            char *name = memory_printf("%.*s", (int)length, value);

            if (end == NULL)
                *at = '\0';
            else /* the character before what follows stays a colon or a comma */
                memmove(at + 1, end + 1, strlen(end + 1) + 1);
            return name;
        }
        at = strpbrk(at + 1, ":,");
    }
    return NULL;
}

static bool same_shape(const struct layer_list *list, size_t from, const struct conv_shape *shape)
{
    for (size_t i = from; i < list->count; i++)
        if (memcmp(&list->layer[i].shape, shape, sizeof *shape) == 0)
            return true;
    return false;
}

static bool add_layers(struct layer_list *list, const struct network *network, const char *wanted,
                       bool distinct, struct error *error)
{
    const size_t before = list->count;

    for (size_t i = 0; i < network->n_ops; i++) {
        const struct network_op *op = &network->op[i];
        bool plain = op->kind == OP_CONV && op->conv.n > 0;

        if (wanted != NULL && strcmp(op->name, wanted) != 0)
            continue;
        if (wanted != NULL && !plain)
            return error_set(error, "layer %s is not a plain two-dimensional convolution", wanted);
        if (plain && conv_shape_check(&op->conv, error) &&
            !(distinct && same_shape(list, before, &op->conv))) {
            char *name = memory_printf("%s/%s", network->name, op->name);

            layer_list_add(list, name, &op->conv);
            free(name);
        }
    }
    if (list->count > before)
        return true;
    if (wanted != NULL)
        return error_set(error, "%s has no layer %s", network->name, wanted);
    return error_set(error, "%s has no plain two-dimensional convolution", network->name);
}

static bool read_network(struct layer_list *list, const char *text, bool distinct,
                         struct error *error)
{
    char *spec = memory_strdup(text), *wanted = take_value(spec, "layer");
    struct network *network = NULL;
    struct workload workload;
    bool good = false;

    if (workload_parse(&workload, spec, error)) {
        network = workload_network(&workload, error);
        workload_clear(&workload);
    }
    if (network != NULL)
        good = add_layers(list, network, wanted, distinct, error);
    network_free(network);
    free(spec);
    free(wanted);
    return good;
}

/* A table of columns, which may be one of the real inputs.  */
static bool read_table(struct layer_list *list, const char *text, struct error *error)
{
    char *path;
    bool good;

    if (workload_data_missing(text))
        return error_set(error, "%s: %s", text, real_inputs_reason());
    path = workload_real_path(text);
    good = read_list(list, path, layer_table_read, error);
    free(path);
    return good;
}

static bool read_text(struct layer_list *list, const char *text, bool distinct, struct error *error)
{
    const size_t word = strcspn(text, ",:=");
    struct conv_shape shape;
    char *name, *path;
    bool good;

    if (text[word] == '=') {
        if (!layer_parse(text, &shape, error))
            return false;
        name = layer_text(&shape);
        layer_list_add(list, name, &shape);
        free(name);
        return true;
    }
    if (file_is_called(text, ".csv"))
        return read_table(list, text, error);
    if (file_is_called(text, list_ending))
        return read_list(list, text, layer_list_read, error);
    name = memory_printf("kernels/shapes/%s%s", text, list_ending);
    path = share_path(name);
    if (strchr(text, '/') == NULL && access(path, R_OK) == 0)
        good = read_list(list, path, layer_list_read, error);
    else
        good = read_network(list, text, distinct, error);
    free(path);
    free(name);
    return good;
}

/* `sample=N` and `seed=N`, which are taken out of SPEC, a copy: *COUNT is 0 without.  */
static bool take_sample(char *spec, int64_t *count, int64_t *seed, struct error *error)
{
    char *size = take_value(spec, "sample");
    char *begin = size != NULL ? take_value(spec, "seed") : NULL; /* else it is a generator's */
    bool good = true;

    *count = 0;
    *seed = 1;
    if (size != NULL && !parse_int(size, 1, 1000000, count))
        good = error_set(error, "sample=%s, expected a number of layers up to 1000000", size);
    else if (begin != NULL && !parse_int(begin, 1, UINT32_MAX, seed))
        good = error_set(error, "seed=%s, expected a number from 1 to %" PRIu32, begin, UINT32_MAX);
    free(size);
    free(begin);
    return good;
}

static bool read_sample(struct layer_list *list, const char *text, bool distinct,
                        struct error *error)
{
    const bool single = text[strcspn(text, ",:=")] == '=';
    const size_t before = list->count;
    char *spec = memory_strdup(text);
    int64_t count = 0, seed = 1;
    bool good = (single || take_sample(spec, &count, &seed, error)) &&
                read_text(list, spec, distinct, error);

    if (good && count > 0)
        conv_sample(list, before, (size_t)count, (uint32_t)seed);
    free(spec);
    return good;
}

bool conv_input(struct layer_list *list, const char *text, struct error *error)
{
    return read_sample(list, text, true, error);
}

bool conv_input_all(struct layer_list *list, const char *text, struct error *error)
{
    return read_sample(list, text, false, error);
}
