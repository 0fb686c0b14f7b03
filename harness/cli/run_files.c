/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/run_files.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/expand.h"
#include "harness/io/npy.h"
#include "harness/io/output.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"

/* --- inputs --- */

static bool is_input(const struct value *value)
{
    return value->role == VALUE_INPUT && value->elements == NULL;
}

/* The input whose name TEXT begins with, before an equals sign; NETWORK_NONE: none.  */
static size_t find_input(const struct network *network, const char *text)
{
    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];
        size_t length = strlen(value->name);

        if (is_input(value) && strncmp(text, value->name, length) == 0 && text[length] == '=')
            return v;
    }
    return NETWORK_NONE;
}

static bool no_input(const struct network *network, const char *text, struct error *error)
{
    char *all;

    if (strchr(text, '=') == NULL)
        return error_set(error, "--input %s: expected NAME=FILE", text);
    all = memory_strdup("");
    for (size_t v = 0; v < network->n_values; v++)
        if (is_input(&network->value[v]))
            all = memory_append(all, "%s%s", all[0] == '\0' ? "" : " or ", network->value[v].name);
    if (all[0] == '\0')
        error_set(error, "--input %s: the network has no inputs", text);
    else
        error_set(error, "--input %s: no such input; expected %s", text, all);
    free(all);
    return false;
}

static char *shape_text(enum dtype dtype, int rank, const int64_t *dim)
{
    char *text = memory_printf("%s", dtype_name(dtype));

    for (int i = 0; i < rank; i++)
        text = memory_append(text, "%s%" PRId64, i == 0 ? " " : "x", dim[i]);
    return text;
}

/* Whether what a file says of itself is what VALUE is.  */
static bool is_of(const struct npy *npy, const struct value *value, const char *path,
                  struct error *error)
{
    char *is, *should;
    bool same =
        npy->rank == value->rank &&
        memcmp(npy->dim, value->dim, (size_t)npy->rank * sizeof npy->dim[0]) == 0 &&
        (npy->dtype == value->dtype || (npy->dtype == DTYPE_U16 && value->dtype == DTYPE_BF16));

    if (same)
        return true;
    is = shape_text(npy->dtype, npy->rank, npy->dim);
    should = shape_text(value->dtype, value->rank, value->dim);
    error_set(error, "%s: it is %s, expected %s", path, is, should);
    free(should);
    free(is);
    return false;
}

static struct elements *read_input(const struct value *value, const char *path, struct error *error)
{
    /* A header, however long, and one byte more than fits.  */
    const size_t bytes = (size_t)value_bytes(value), most = bytes + ((size_t)1 << 20);
    struct npy npy = {.bytes = bytes};
    struct elements *elements = NULL;
    char *text;
    size_t size;

    if (!file_read(path, most, &text, &size, error))
        return NULL;
    npy.data = text;
    if (npy_is(text, size)) {
        if (!npy_unpack(&npy, text, size, path, error) || !is_of(&npy, value, path, error))
            npy.data = NULL;
    } else if (size != bytes) {
        error_set(error, "%s: %zu bytes, expected %zu, or an array of NumPy's (npy)", path, size,
                  bytes);
        npy.data = NULL;
    }
    if (npy.data != NULL) {
        elements = elements_new(bytes);
        memcpy(elements->data, npy.data, bytes);
    }
    free(text);
    return elements;
}

struct elements **run_files_read(const struct text_list *given, const struct network *network,
                                 struct error *error)
{
    struct elements **elements = memory_zalloc(network->n_values + 1, sizeof(struct elements *));
    bool good = true;

    for (size_t i = 0; good && i < given->n; i++) {
        const char *text = given->text[i];
        size_t v = find_input(network, text);

        if (v == NETWORK_NONE) {
            good = no_input(network, text, error);
        } else if (elements[v] != NULL) {
            good = error_set(error, "--input %s: it is given twice", text);
        } else {
            elements[v] =
                read_input(&network->value[v], text + strlen(network->value[v].name) + 1, error);
            good = elements[v] != NULL;
        }
    }
    if (good)
        return elements;
    run_files_free(elements, network);
    return NULL;
}

void run_files_free(struct elements **given, const struct network *network)
{
    for (size_t v = 0; given != NULL && v < network->n_values; v++)
        elements_release(given[v]);
    free(given);
}

/* --- outputs --- */

/* DIR/NAME.npy.  What might mean something to a file system is %XX, so that no two names come to
 * the same.  */
static char *output_path(const char *dir, const char *name)
{
    char *path = memory_printf("%s/", dir);

    for (const char *at = name; *at != '\0'; at++) {
        const bool plain =
            isalnum((unsigned char)*at) || *at == '-' || *at == '_' || (*at == '.' && at != name);

        path = memory_append(path, plain ? "%c" : "%%%02X", (unsigned char)*at);
    }
    return memory_append(path, ".npy");
}

static bool write_output(const char *path, const struct value *value,
                         const struct elements *elements, struct error *error)
{
    struct npy npy = {.dtype = value->dtype,
                      .rank = value->rank,
                      .data = elements->data,
                      .bytes = elements->bytes};
    struct output output;

    memcpy(npy.dim, value->dim, sizeof npy.dim);
    if (!output_open(&output, path, error))
        return false;
    npy_write(output.file, &npy);
    return output_close(&output, true, error);
}

bool run_files_write(const char *dir, const struct network *network, struct elements *const *output,
                     struct error *error)
{
    bool good = true;

    for (size_t v = 0; good && v < network->n_values; v++)
        if (output[v] != NULL) {
            char *path = output_path(dir, network->value[v].name);

            good = write_output(path, &network->value[v], output[v], error);
            free(path);
        }
    return good;
}
