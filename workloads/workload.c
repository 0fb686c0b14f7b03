/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/workload.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/memory.h"
#include "lib/base/real_inputs.h"
#include "workloads/training.h"

static const struct param no_params[] = {PARAM_END};

/* --- real inputs --- */

/* What tests and experiments write in place of their folder.  */
static const char data_prefix[] = "data:";

static bool is_data(const char *path)
{
    return strncmp(path, data_prefix, strlen(data_prefix)) == 0;
}

char *workload_real_path(const char *path)
{
    char *folder = is_data(path) ? real_inputs_folder() : NULL, *real;

    if (folder == NULL)
        return memory_strdup(path);
    real = memory_printf("%s/%s", folder, path + strlen(data_prefix));
    free(folder);
    return real;
}

/* --- finding what a specification names --- */

static bool find_network(struct workload *workload, const char *name)
{
    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (size_t m = 0; network_registry[f]->model[m].name != NULL; m++)
            if (strcmp(network_registry[f]->model[m].name, name) == 0) {
                workload->kind = WORKLOAD_NETWORK;
                workload->family = network_registry[f];
                workload->model = m;
                return true;
            }
    return false;
}

static bool find_generator(struct workload *workload, const char *name)
{
    for (size_t g = 0; generator_registry[g] != NULL; g++)
        if (strcmp(generator_registry[g]->name, name) == 0) {
            workload->kind = WORKLOAD_GENERATOR;
            workload->generator = generator_registry[g];
            return true;
        }
    return false;
}

static const struct reader *reader_of(const char *path)
{
    size_t length = strlen(path);

    for (size_t r = 0; reader_registry[r] != NULL; r++) {
        size_t extension = strlen(reader_registry[r]->extension);

        if (length > extension &&
            strcmp(path + length - extension, reader_registry[r]->extension) == 0)
            return reader_registry[r];
    }
    return NULL;
}

static bool is_known_file(const char *path)
{
    return reader_of(path) != NULL;
}

/* `-`, and pipes and files whose names say nothing.  */
static bool is_other_file(const char *path)
{
    return strcmp(path, "-") == 0 || access(path, F_OK) == 0;
}

/* Whether there is a file at the first LENGTH characters of SPEC.  */
static bool is_there(const char *spec, size_t length)
{
    char *name = memory_printf("%.*s", (int)length, spec), *path = workload_real_path(name);
    bool there = access(path, F_OK) == 0;

    free(path);
    free(name);
    return there;
}

/* Where a file's path ends and its parameters begin: the whole text when it IS_FILE, else the part
 * before the last colon that is.  A parameter may end as a file does (pairs=b.csv): of a text that
 * is no file that is there, the part that is one is taken.  Returns the path's length, 0 when no
 * part of it is a file.  */
static size_t path_length(const char *spec, bool (*is_file)(const char *path))
{
    char *path = memory_strdup(spec), *colon;
    size_t found = is_file(path) ? strlen(spec) : 0;
    bool there = found > 0 && is_there(spec, found);

    while (!there && (colon = strrchr(path, ':')) != NULL) {
        const size_t length = (size_t)(colon - path);

        *colon = '\0';
        if (!is_file(path))
            continue;
        there = is_there(spec, length);
        found = there || found == 0 ? length : found;
    }
    free(path);
    return found;
}

bool workload_data_missing(const char *spec)
{
    size_t length;
    char *file;
    bool missing;

    if (!is_data(spec))
        return false;
    length = path_length(spec, is_known_file);
    file = memory_printf("%.*s", (int)(length > 0 ? length : strlen(spec)), spec);
    missing = real_inputs_missing(file + strlen(data_prefix));
    free(file);
    return missing;
}

static bool unknown_name(const char *name, struct error *error)
{
    const char **names = NULL;
    size_t count = 0, capacity = 0;

    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (size_t m = 0; network_registry[f]->model[m].name != NULL; m++) {
            names = memory_grow(names, &capacity, count + 1, sizeof *names);
            names[count++] = network_registry[f]->model[m].name;
        }
    for (size_t g = 0; generator_registry[g] != NULL; g++) {
        names = memory_grow(names, &capacity, count + 1, sizeof *names);
        names[count++] = generator_registry[g]->name;
    }
    error_unknown(error, "network, generator or file", name, names, count, "");
    free(names);
    return false;
}

static bool find_file(struct workload *workload, const char *spec, size_t length,
                      struct error *error)
{
    workload->kind = WORKLOAD_FILE;
    workload->name = memory_strdup(spec);
    workload->name[length] = '\0';
    workload->reader = reader_of(workload->name);
    if (workload->reader == NULL)
        workload->reader = &reader_csv;
    if (workload_data_missing(workload->name))
        return error_set(error, "%s: %s", workload->name, real_inputs_reason());
    return true;
}

/* --- parameters --- */

size_t network_family_tables(const struct network_family *family, const struct param **table)
{
    size_t count = 0;

    table[count++] = network_common_params;
    table[count++] = rewrite_params;
    table[count++] = network_head_params;
    if (family->params != NULL)
        table[count++] = family->params;
    table[count++] = lifetime_params;
    return count;
}

size_t reader_tables(const struct reader *reader, const struct param **table)
{
    size_t count = 0;

    table[count++] = reader->params != NULL ? reader->params : no_params;
    if (reader->network != NULL) {
        table[count++] = rewrite_params;
        table[count++] = lifetime_params;
    }
    return count;
}

static size_t collect_tables(const struct workload *workload, const struct param **table)
{
    size_t count = 0;

    switch (workload->kind) {
    case WORKLOAD_NETWORK:
        return network_family_tables(workload->family, table);
    case WORKLOAD_GENERATOR:
        table[count++] =
            workload->generator->params != NULL ? workload->generator->params : no_params;
        if (workload->generator->network != NULL)
            table[count++] = lifetime_params;
        break;
    case WORKLOAD_FILE:
        return reader_tables(workload->reader, table);
    }
    return count;
}

static bool parse_params(struct workload *workload, const char *text, struct error *error)
{
    const struct param *table[WORKLOAD_MAX_TABLES];
    size_t count = collect_tables(workload, table);
    char *canonical;

    if (!params_parse(&workload->params, workload->name, text, table, count, error))
        return false;
    if (training_goes_with(workload) && !training_check(&workload->params, error))
        return error_prefix(error, "%s", workload->name);
    canonical = params_canonical(&workload->params);
    workload->label = canonical[0] == '\0' ? memory_strdup(workload->name)
                                           : memory_printf("%s:%s", workload->name, canonical);
    free(canonical);
    return true;
}

bool workload_parse(struct workload *workload, const char *spec, struct error *error)
{
    size_t length = path_length(spec, is_known_file);
    char *name = memory_printf("%.*s", (int)strcspn(spec, ":"), spec);
    bool found = false;

    *workload = (struct workload){0};
    if ((length == 0 || !is_there(spec, length)) &&
        (find_network(workload, name) || find_generator(workload, name))) {
        length = strlen(name);
        workload->name = name;
        found = true;
    } else {
        if (length == 0)
            length = path_length(spec, is_other_file);
        found = length > 0 ? find_file(workload, spec, length, error) : unknown_name(name, error);
        free(name);
    }
    if (found && parse_params(workload, spec[length] == ':' ? spec + length + 1 : NULL, error))
        return true;
    workload_clear(workload);
    return false;
}

void workload_clear(struct workload *workload)
{
    params_clear(&workload->params);
    free(workload->name);
    free(workload->label);
    *workload = (struct workload){0};
}

/* --- plans in model files --- */

bool workload_holds_plan(const struct workload *workload)
{
    return workload->kind == WORKLOAD_FILE && workload->reader->read_plan != NULL;
}

struct plan *workload_read_plan(const struct workload *workload, const struct instance *instance,
                                struct error *error)
{
    char *path = workload_real_path(workload->name);
    struct plan *plan = workload->reader->read_plan(path, &workload->params, instance, error);

    free(path);
    return plan;
}

bool workload_write_plan(const struct workload *workload, const struct instance *instance,
                         const struct plan *plan, FILE *out, struct error *error)
{
    char *path = workload_real_path(workload->name);
    bool good = workload->reader->write_plan(path, &workload->params, instance, plan, out, error);

    free(path);
    return good;
}
