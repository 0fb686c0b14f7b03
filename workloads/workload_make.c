/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a workload that was found to its network and its instance.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/expand.h"
#include "lib/graph/fetch.h"
#include "lib/graph/fuse.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/graph/train.h"
#include "lib/lifetimes/lifetimes.h"
#include "lib/lifetimes/loops.h"
#include "lib/lifetimes/order.h"
#include "lib/problem/instance.h"
#include "workloads/seeded.h"
#include "workloads/streamed.h"
#include "workloads/training.h"
#include "workloads/workload.h"
#include "workloads/workspace.h"

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

    plain.value = memory_copy(params->value, params->count, sizeof *plain.value);
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
    if (network != NULL && training_goes_with(workload)) {
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

static bool trains(const struct workload *workload)
{
    return training_goes_with(workload) &&
           params_choice(&workload->params, "train") != OPTIMIZER_NONE;
}

/* weights=fetch, on NETWORK, which it takes over.  */
static struct network *fetch(const struct workload *workload, struct network *network,
                             struct error *error)
{
    if (params_choice(&workload->params, "weights") != WEIGHTS_FETCH)
        return network;
    if (!network_has_loops(network) && !trains(workload))
        return network_fetch_weights(network);
    error_set(error, "%s: weights=fetch goes neither with loops and branches nor with train=",
              workload->label);
    network_free(network);
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
        .weights = params_choice(&workload->params, "weights") == WEIGHTS_ON,
        .alias = params_on(&workload->params, "alias"),
        .inplace = params_choice(&workload->params, "inplace"),
        .place = params_choice(&workload->params, "concat") == CONCAT_PLACE,
        .alignment = params_int(&workload->params, "alignment"),
        .elements = runnable,
    };

    struct schedule *schedule;

    if (network != NULL)
        network = fetch(workload, network, error);
    if (network == NULL)
        return NULL;
    if (!workspace_apply(workload, network, error) ||
        (runnable && network_has_loops(network) && !plans_no_bodies(workload, error))) {
        network_free(network);
        return NULL;
    }
    if (streamed_wanted(&workload->params))
        return streamed_instance(workload, network, &options, error);
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
        free(instance->name);
        instance->name = memory_strdup(workload->label);
    }
    return instance;
}

bool workload_is_native(const struct workload *workload)
{
    return has_network(workload) && params_choice(&workload->params, "align") == ALIGN_NATIVE;
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

struct instance *workload_again(const char *label, const char *checksum, workspace_ask *kernels,
                                bool quiet, struct error *error)
{
    struct workload workload;
    struct instance *instance;
    char now[17];

    if (!workload_parse(&workload, label, error))
        return NULL;
    workload.kernels = kernels;
    workload.quiet = quiet;
    instance = workload_instance(&workload, error);
    workload_clear(&workload);
    if (instance == NULL)
        return NULL;
    snprintf(now, sizeof now, "%016" PRIx64, instance_checksum(instance));
    if (strcmp(now, checksum) == 0)
        return instance;
    error_set(error, "%s is no longer the instance that it was then", label);
    instance_free(instance);
    return NULL;
}
