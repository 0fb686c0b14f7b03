/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/sweep/experiment_layers.h"

#include <stdlib.h>
#include <string.h>

#include "harness/timing/conv_input.h"
#include "harness/timing/conv_params.h"
#include "harness/timing/execution_kernel.h"
#include "kernels/isa.h"
#include "kernels/layer.h"
#include "kernels/pool.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "workloads/workload.h"

/* --- layers --- */

static size_t find_layer(struct experiment_layers *layers, const struct layer *layer)
{
    struct experiment_layer *new;

    for (size_t i = 0; i < layers->n_layers; i++)
        if (memcmp(&layers->layer[i].shape, &layer->shape, sizeof layer->shape) == 0)
            return i;
    layers->layer = memory_resize(layers->layer, layers->n_layers + 1, sizeof *layers->layer);
    new = &layers->layer[layers->n_layers];
    *new = (struct experiment_layer){memory_strdup(layer->name), layer_text(&layer->shape),
                                     layer->shape};
    return layers->n_layers++;
}

static void count_use(struct experiment_layers *layers, size_t layer, const char *network)
{
    for (size_t i = 0; i < layers->n_uses; i++)
        if (layers->use[i].layer == layer && strcmp(layers->use[i].network, network) == 0) {
            layers->use[i].count++;
            return;
        }
    layers->use = memory_resize(layers->use, layers->n_uses + 1, sizeof *layers->use);
    layers->use[layers->n_uses++] = (struct experiment_use){layer, memory_strdup(network), 1};
}

/* What SPEC, without braces, stands for: a layer, a list or a network.  */
static bool add_spec(struct experiment_set *set, const char *spec, struct error *error)
{
    struct layer_list list = {NULL, 0, 0};
    const bool single = spec[strcspn(spec, ",:=")] == '=';
    bool done;

    if (workload_data_missing(spec)) {
        text_list_add(&set->skipped, spec);
        return true;
    }
    done = conv_input_all(&list, spec, error);
    for (size_t i = 0; done && i < list.count; i++)
        count_use(&set->layers, find_layer(&set->layers, &list.layer[i]),
                  single ? "single layers" : spec);
    layer_list_free(&list);
    return done;
}

bool experiment_add_layers(struct experiment_set *set, const char *text, struct error *error)
{
    struct text_list specs = {0};
    bool done = experiment_expand_networks(text, &specs, error);

    for (size_t i = 0; done && i < specs.n; i++)
        done = add_spec(set, specs.text[i], error);
    text_list_clear(&specs);
    return done;
}

/* --- kernels --- */

static const struct conv_kernel_entry *find_entry(const char *name)
{
    for (const struct conv_kernel_entry *e = conv_kernel_registry; e->kernel != NULL; e++)
        if (strcmp(e->kernel->name, name) == 0)
            return e;
    return NULL;
}

/* Takes `threads=N` or `rank=N` into KERNEL; what else, stays.  */
static bool take_own(struct experiment_kernel *kernel, const char *item, bool *taken,
                     struct error *error)
{
    int64_t value;

    *taken = true;
    if (strncmp(item, "threads=", 8) == 0) {
        if (!parse_int(item + 8, 1, 1024, &value))
            return error_set(error, "%s: expected a number of threads from 1 to 1024", item);
        kernel->threads = (int)value;
        return true;
    }
    if (strncmp(item, "rank=", 5) == 0)
        return parse_int(item + 5, 1, 1000, &kernel->rank) ||
               error_set(error, "%s: expected a rank from 1 to 1000", item);
    *taken = false;
    return true;
}

static bool take_params(struct experiment_kernel *kernel, const char *text, struct error *error)
{
    char *copy = memory_strdup(text), *rest = NULL;
    bool done = true;

    kernel->params = memory_strdup("");
    for (char *item = strtok_r(copy, ",", &rest); done && item != NULL;
         item = strtok_r(NULL, ",", &rest)) {
        bool taken;

        done = take_own(kernel, item, &taken, error);
        if (!done || taken)
            continue;
        kernel->params =
            memory_append(kernel->params, "%s%s", kernel->params[0] == '\0' ? "" : ",", item);
    }
    free(copy);
    if (done && kernel->rank > 0 &&
        (kernel->params[0] != '\0' || strcmp(kernel->name, "mgemm") != 0))
        return error_set(error, "rank= is for mgemm, and chooses all parameters itself");
    return done;
}

/* The parameters are known and good for the kernel, taking vectors of 4.  */
static bool check_params(const struct experiment_kernel *kernel, struct error *error)
{
    char *text = conv_params_in_vectors(kernel->params, 4);
    struct params params;
    bool done = params_parse(&params, kernel->name, text, &kernel->entry->kernel->params, 1, error);

    if (done)
        params_clear(&params);
    free(text);
    return done;
}

/* Takes `NAME:threads=N,rank=N,...` apart, of which only numbers are checked; what else stands
 * behind the colon are the parameters.  The caller clears KERNEL, after a failure too.  */
static bool split_kernel(struct experiment_kernel *kernel, const char *spec, struct error *error)
{
    const size_t length = strcspn(spec, ":");

    *kernel = (struct experiment_kernel){.threads = 1};
    kernel->name = memory_printf("%.*s", (int)length, spec);
    return take_params(kernel, spec[length] == ':' ? spec + length + 1 : "", error);
}

static void clear_kernel(struct experiment_kernel *kernel)
{
    free(kernel->name);
    free(kernel->params);
}

static bool same_kernel(const struct experiment_kernel *a, const struct experiment_kernel *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->params, b->params) == 0 &&
           a->threads == b->threads && a->rank == b->rank;
}

/* Adds KERNEL, which it takes over, to LIST, where it is not there and GOOD.  Threads beyond the
 * processors there are leave nothing to add.  */
static void keep_kernel(struct experiment_kernel **list, size_t *count,
                        struct experiment_kernel *kernel, bool good)
{
    bool add = good && kernel->threads <= pool_processors();

    for (size_t i = 0; i < *count; i++)
        add = add && !same_kernel(&(*list)[i], kernel);
    if (!add) {
        clear_kernel(kernel);
        return;
    }
    *list = memory_resize(*list, *count + 1, sizeof **list);
    (*list)[(*count)++] = *kernel;
}

static bool add_kernel(struct experiment_layers *layers, const char *spec, struct error *error)
{
    struct experiment_kernel kernel;
    bool done = split_kernel(&kernel, spec, error);

    kernel.entry = find_entry(kernel.name);
    done = done &&
           (kernel.entry != NULL || conv_peer_find(kernel.name) ||
            conv_kernel_unknown(kernel.name, error)) &&
           (kernel.entry == NULL || check_params(&kernel, error));
    keep_kernel(&layers->kernel, &layers->n_kernels, &kernel, done);
    return done;
}

bool experiment_add_kernels(struct experiment_set *set, const char *text, struct error *error)
{
    struct text_list names = {0}, specs = {0};
    bool done;

    for (const struct conv_peer *peer = conv_peers; peer->name != NULL; peer++)
        text_list_add(&names, peer->name);
    done = experiment_expand(text, "@peers", &names, &specs, error);
    for (size_t i = 0; done && i < specs.n; i++)
        done = add_kernel(&set->layers, specs.text[i], error);
    text_list_clear(&specs);
    text_list_clear(&names);
    return done;
}

bool experiment_add_isa(struct experiment_set *set, const char *text, struct error *error)
{
    const bool all = strcmp(text, "all") == 0;
    enum isa isa;

    for (isa = 0; all && isa < ISA_COUNT; isa++)
        if (isa_available(isa))
            set->layers.isas |= 1U << isa;
    if (all)
        return true;
    if (!isa_parse(text, &isa, error))
        return false;
    set->layers.isas |= 1U << isa;
    return true;
}

void experiment_layers_clear(struct experiment_layers *layers)
{
    for (size_t i = 0; i < layers->n_layers; i++) {
        free(layers->layer[i].name);
        free(layers->layer[i].label);
    }
    for (size_t i = 0; i < layers->n_uses; i++)
        free(layers->use[i].network);
    for (size_t i = 0; i < layers->n_kernels; i++)
        clear_kernel(&layers->kernel[i]);
    free(layers->layer);
    free(layers->use);
    free(layers->kernel);
}

/* --- kernels of runs --- */

/* The name becomes the kernel's own, so that two names of one kernel are one.  */
static bool find_run_kernel(struct experiment_kernel *kernel, struct error *error)
{
    struct execution_kernel found;

    if (!execution_kernel_find(kernel->name, &found, error))
        return false;
    kernel->entry = found.entry;
    if (found.entry != NULL) {
        free(kernel->name);
        kernel->name = memory_strdup(found.entry->kernel->name);
    }
    kernel->groups = strcmp(kernel->params, "groups=on") == 0;
    if (kernel->rank > 0)
        return error_set(error, "kernel '%s' has a rank: expected threads=N, groups=on or nothing",
                         kernel->name);
    return kernel->groups || kernel->params[0] == '\0' ||
           error_set(error, "kernel '%s' has '%s': expected threads=N, groups=on or nothing",
                     kernel->name, kernel->params);
}

bool experiment_add_run_kernels(struct experiment_set *set, const char *text, struct error *error)
{
    struct text_list specs = {0};
    bool done = isa_default(&set->runs.isa, error) && expand_braces(text, &specs, error);

    for (size_t i = 0; done && i < specs.n; i++) {
        struct experiment_kernel kernel;

        done = split_kernel(&kernel, specs.text[i], error) && find_run_kernel(&kernel, error);
        keep_kernel(&set->runs.kernel, &set->runs.n_kernels, &kernel, done);
    }
    text_list_clear(&specs);
    return done;
}

bool experiment_has_pair(const struct experiment_set *set, size_t solver, size_t kernel)
{
    return set->runs.all_pairs || kernel == 0 || solver + 1 == set->solvers.count;
}

void experiment_runs_clear(struct experiment_runs *runs)
{
    for (size_t k = 0; k < runs->n_kernels; k++)
        clear_kernel(&runs->kernel[k]);
    free(runs->kernel);
}
