/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/timing/conv_input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/io/options.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "workloads/workload.h"

static const char list_ending[] = ".layers";

static bool read_list(struct layer_list *list, const char *path, struct error *error)
{
    FILE *in = fopen(path, "r");
    size_t before = list->count;
    bool good;

    if (in == NULL)
        return error_set(error, "%s: %s", path, strerror(errno));
    good = layer_list_read(list, in, path, error);
    fclose(in);
    if (good && list->count == before)
        return error_set(error, "%s: no layers in it", path);
    return good;
}

/* Takes `layer=NAME` out of SPEC, a copy, and returns NAME, owned; NULL: there
 * is none.  */
static char *take_layer(char *spec)
{
    char *at = strchr(spec, ':');

    while (at != NULL) {
        if (strncmp(at + 1, "layer=", 6) == 0) {
            char *end = strchr(at + 1, ',');
            size_t length = end == NULL ? strlen(at + 7) : (size_t)(end - at - 7);
            char *name = memory_printf("%.*s", (int)length, at + 7);

            if (end == NULL)
                *at = '\0';
            else /* the character before what follows stays a colon or a comma */
                memmove(at + 1, end + 1, strlen(end + 1) + 1);
            return name;
        }
        at = strchr(at + 1, ',');
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
    char *spec = memory_strdup(text), *wanted = take_layer(spec);
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

static bool ends_in(const char *text, const char *ending)
{
    const size_t length = strlen(text), size = strlen(ending);

    return length > size && strcmp(text + length - size, ending) == 0;
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
    if (ends_in(text, list_ending))
        return read_list(list, text, error);
    if (ends_in(text, ".csv"))
        return error_set(error,
                         "%s: expected a layer, a list of layers (NAME%s), a network or a model",
                         text, list_ending);
    name = memory_printf("kernels/shapes/%s%s", text, list_ending);
    path = share_path(name);
    if (strchr(text, '/') == NULL && access(path, R_OK) == 0)
        good = read_list(list, path, error);
    else
        good = read_network(list, text, distinct, error);
    free(path);
    free(name);
    return good;
}

bool conv_input(struct layer_list *list, const char *text, struct error *error)
{
    return read_text(list, text, true, error);
}

bool conv_input_all(struct layer_list *list, const char *text, struct error *error)
{
    return read_text(list, text, false, error);
}
