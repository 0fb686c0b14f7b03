#include <config.h>

#include "workloads/workload.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/memory.h"
#include "lib/base/real_inputs.h"
#include "lib/graph/expand.h"
#include "lib/graph/fuse.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/loops.h"
#include "lib/lifetimes/order.h"
#include "lib/problem/instance.h"
#include "workloads/seeded.h"
#include "workloads/training.h"
#include "workloads/workspace.h"

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

/* Where a file's path ends and its parameters begin: the whole text when it
 * IS_FILE, else the part before the last colon that is.  Returns the path's
 * length, 0 when no part of it is a file.  */
static size_t path_length(const char *spec, bool (*is_file)(const char *path))
{
    size_t length = strlen(spec);
    char *path = memory_strdup(spec);
    size_t found = 0;

    if (is_file(path))
        found = length;
    while (found == 0 && length > 0) {
        char *colon = strrchr(path, ':');

        if (colon == NULL)
            break;
        *colon = '\0';
        length = (size_t)(colon - path);
        if (is_file(path))
            found = length;
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

/* Whether rewrite_params are among the parameters.  */
static bool takes_training(const struct workload *workload)
{
    return workload->kind == WORKLOAD_NETWORK ||
           (workload->kind == WORKLOAD_FILE && workload->reader->network != NULL);
}

static bool parse_params(struct workload *workload, const char *text, struct error *error)
{
    const struct param *table[WORKLOAD_MAX_TABLES];
    size_t count = collect_tables(workload, table);
    char *canonical;

    if (!params_parse(&workload->params, workload->name, text, table, count, error))
        return false;
    if (takes_training(workload) && !training_check(&workload->params, error))
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

/* --- making the instance --- */

static bool has_network(const struct workload *workload)
{
    switch (workload->kind) {
    case WORKLOAD_NETWORK:
        return true;
    case WORKLOAD_GENERATOR:
        return workload->generator->network != NULL;
    case WORKLOAD_FILE:
        return workload->reader->network != NULL;
    }
    return false;
}

/* A file can ask for more groups than there is memory for.  */
#define MOST_GROUPS 100000

/* fuse= and grouped= on a file's NETWORK, which it takes over.  */
static struct network *rewrite(const struct workload *workload, struct network *network,
                               struct error *error)
{
    network = network_fuse(network, params_choice(&workload->params, "fuse"));
    if (params_choice(&workload->params, "grouped") == GROUPED_KEEP)
        return network;
    if (network_expanded_groups(network) <= MOST_GROUPS)
        return network_expand_groups(network);
    error_set(error, "%s: grouped=expand: more than %d groups", workload->name, MOST_GROUPS);
    network_free(network);
    return NULL;
}

/* PARAMS with the parameters that rewrite() looks at at what does nothing; what is returned, of
 * which VALUE is the caller's to free, borrows the rest.  */
static struct params not_rewritten(const struct params *params)
{
    struct params plain = *params;

    plain.value = memory_alloc(params->count, sizeof *plain.value);
    memcpy(plain.value, params->value, params->count * sizeof *plain.value);
    for (size_t i = 0; i < plain.count; i++) {
        if (strcmp(plain.value[i].param->name, "fuse") == 0)
            plain.value[i].choice = FUSE_NONE;
        if (strcmp(plain.value[i].param->name, "grouped") == 0)
            plain.value[i].choice = GROUPED_KEEP;
    }
    return plain;
}

/* A network of the zoo with weights: they are what they are without rewriting, so that it computes
 * the same however it is rewritten.  */
static struct network *seeded_network(const struct workload *workload, struct error *error)
{
    struct params plain = not_rewritten(&workload->params);
    struct network *network = workload->family->build(workload->model, &plain, error);

    free(plain.value);
    if (network == NULL)
        return NULL;
    seed_weights(network);
    return rewrite(workload, network, error);
}

/* The network as its builder, generator or file has it, fused and expanded.  */
static struct network *inference_network(const struct workload *workload, bool runnable,
                                         struct error *error)
{
    const struct reader *reader = workload->reader;
    struct network *network;
    char *path;

    if (workload->kind == WORKLOAD_NETWORK && runnable)
        return seeded_network(workload, error);
    if (workload->kind == WORKLOAD_NETWORK)
        return workload->family->build(workload->model, &workload->params, error);
    if (workload->kind == WORKLOAD_GENERATOR) {
        network = workload->generator->network(&workload->params, error);
        if (network == NULL)
            error_prefix(error, "%s", workload->name);
        return network;
    }
    path = workload_real_path(workload->name);
    network = runnable && reader->runnable != NULL
                  ? reader->runnable(path, &workload->params, error)
                  : reader->network(path, &workload->params, error);
    free(path);
    if (network == NULL)
        return NULL;
    return rewrite(workload, network, error);
}

static struct network *make_network(const struct workload *workload, bool runnable,
                                    struct error *error)
{
    struct network *network;

    if (!has_network(workload)) {
        error_set(error, "%s has lifetimes only, no network", workload->label);
        return NULL;
    }
    network = inference_network(workload, runnable, error);
    if (network != NULL && takes_training(workload)) {
        network = training_apply(network, &workload->params, error);
        if (network == NULL)
            error_prefix(error, "%s", workload->label);
    }
    return network;
}

struct network *workload_network(const struct workload *workload, struct error *error)
{
    return make_network(workload, false, error);
}

/* Groups are groups of layers, so they go with no other order.  */
static struct schedule *make_schedule(const struct workload *workload,
                                      const struct network *network,
                                      const struct lifetime_options *options, struct error *error)
{
    enum order order = params_choice(&workload->params, "order");
    int64_t groups = params_int(&workload->params, "groups");

    if (groups == 0)
        return order_schedule(network, order, options, error);
    if (order == ORDER_FILE || order == ORDER_LAYERS)
        return order_groups(network, groups);
    error_set(error, "%s: groups= cuts layers, so it goes with order=layers only", workload->name);
    return NULL;
}

/* Takes over NETWORK and SCHEDULE.  */
static struct instance *with_loops(const struct workload *workload, struct network *network,
                                   struct schedule *schedule,
                                   const struct lifetime_options *lifetimes, struct error *error)
{
    const struct params *params = &workload->params;
    struct loop_options options = {
        .treatment = params_choice(params, "loops"),
        .unroll = params_int(params, "unroll"),
        .subgraphs = params_choice(params, "subgraphs"),
    };

    if (lifetimes->inplace == INPLACE_OFF && !lifetimes->place)
        return loops_instance(network, schedule, lifetimes, &options, error);
    error_set(error, "%s: inplace= and concat=place do not go with loops and branches",
              workload->label);
    network_free(network);
    schedule_free(schedule);
    return NULL;
}

/* A run has the bodies of loops and branches beside its arena (runtime/bodies.h), so these say
 * nothing there.  */
static bool plans_no_bodies(const struct workload *workload, struct error *error)
{
    static const char *const names[] = {"loops", "unroll", "subgraphs"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (params_given(&workload->params, names[i]))
            return error_set(error,
                             "%s: %s= plans what is in loops, which a run has beside its arena",
                             workload->label, names[i]);
    return true;
}

static struct instance *from_network(const struct workload *workload, bool runnable,
                                     struct error *error)
{
    struct network *network = make_network(workload, runnable, error);
    struct lifetime_options options = {
        .io = params_choice(&workload->params, "io"),
        .weights = params_on(&workload->params, "weights"),
        .alias = params_on(&workload->params, "alias"),
        .inplace = params_choice(&workload->params, "inplace"),
        .place = params_choice(&workload->params, "concat") == CONCAT_PLACE,
        .alignment = params_int(&workload->params, "alignment"),
    };

    struct schedule *schedule;

    if (network == NULL)
        return NULL;
    if (!workspace_apply(workload, network, error) ||
        (runnable && network_has_loops(network) && !plans_no_bodies(workload, error))) {
        network_free(network);
        return NULL;
    }
    schedule = make_schedule(workload, network, &options, error);
    if (schedule == NULL) {
        network_free(network);
        return NULL;
    }
    if (network_has_loops(network) && !runnable)
        return with_loops(workload, network, schedule, &options, error);
    return lifetimes_instance(network, schedule, &options, error);
}

static struct instance *make_instance(const struct workload *workload, bool runnable,
                                      struct error *error)
{
    struct instance *instance;

    if (has_network(workload)) {
        instance = from_network(workload, runnable, error);
    } else if (workload->kind == WORKLOAD_GENERATOR) {
        instance = workload->generator->instance(&workload->params, error);
        if (instance == NULL)
            error_prefix(error, "%s", workload->name);
    } else {
        char *path = workload_real_path(workload->name);

        instance = workload->reader->instance(path, &workload->params, error);
        free(path);
    }
    if (instance != NULL) {
        instance->native =
            has_network(workload) && params_choice(&workload->params, "align") == ALIGN_NATIVE;
        free(instance->name);
        instance->name = memory_strdup(workload->label);
    }
    return instance;
}

struct instance *workload_instance(const struct workload *workload, struct error *error)
{
    return make_instance(workload, false, error);
}

struct instance *workload_runnable(const struct workload *workload, struct error *error)
{
    if (has_network(workload))
        return make_instance(workload, true, error);
    error_set(error, "%s has lifetimes only, no network that could be run", workload->label);
    return NULL;
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
