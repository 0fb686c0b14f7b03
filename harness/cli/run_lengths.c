/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/cli/run_lengths.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/commands.h"
#include "harness/cli/run_files.h"
#include "harness/io/options.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/graph/computation.h"
#include "lib/graph/network.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "runtime/compare.h"
#include "runtime/memory.h"
#include "workloads/workload.h"

/* More passes than any chain of such operators is long.  */
enum { MOST_PASSES = 64 };

/* Lengths by the names of their values.  */
struct lengths {
    size_t count, capacity;
    struct length {
        char *name;
        int64_t length;
    } * length;
};

static void set(struct lengths *lengths, const char *name, int64_t length)
{
    size_t i = 0;

    while (i < lengths->count && strcmp(lengths->length[i].name, name) != 0)
        i++;
    if (i == lengths->count) {
        lengths->length = memory_grow(lengths->length, &lengths->capacity, lengths->count + 1,
                                      sizeof *lengths->length);
        lengths->length[lengths->count++].name = memory_strdup(name);
    }
    lengths->length[i].length = length;
}

static void lengths_clear(struct lengths *lengths)
{
    for (size_t i = 0; i < lengths->count; i++)
        free(lengths->length[i].name);
    free(lengths->length);
}

/* "a=3, b=4": all of them, or the first few and how many more there are.  */
static char *lengths_text(const struct lengths *lengths, const char *between, size_t most)
{
    char *text;
    size_t size;
    FILE *out = memory_stream(&text, &size);

    for (size_t i = 0; i < lengths->count && i < most; i++)
        fprintf(out, "%s%s=%" PRId64, i == 0 ? "" : between, lengths->length[i].name,
                lengths->length[i].length);
    if (lengths->count > most)
        fprintf(out, " and %zu more", lengths->count - most);
    memory_stream_close(out);
    return text;
}

/* The name under which the length of operator O can be given, or NULL.  */
static const char *name_of(const struct network *network, size_t o)
{
    const struct computation *computation = network->op[o].computation;

    return computation != NULL ? computation->length : NULL;
}

static bool may_find(const struct network *network)
{
    for (size_t o = 0; o < network->n_ops; o++)
        if (name_of(network, o) != NULL)
            return true;
    return false;
}

/* Runs INSTANCE once, and adds to LENGTHS what its operators found where that is not as was
 * planned; *MORE says whether anything was.  An operator that cannot go on with what is made of a
 * wrong length is no error then.  */
static bool find(struct lengths *lengths, const struct instance *instance,
                 const struct text_list *inputs, struct run_options options, bool *more,
                 struct error *error)
{
    const struct network *network = instance->origin->network;
    struct elements **given = run_files_read(inputs, network, error);
    struct run_memory *memory;

    if (given == NULL)
        return false;
    *more = false;
    options.given = given;
    options.groups = false;
    options.found = memory_alloc(network->n_ops, sizeof *options.found);
    for (size_t o = 0; o < network->n_ops; o++)
        options.found[o] = -1;
    memory = run_apart(network, instance->origin->schedule, &options, error);
    for (size_t o = 0; o < network->n_ops; o++)
        if (options.found[o] >= 0 && name_of(network, o) != NULL) {
            set(lengths, name_of(network, o), options.found[o]);
            *more = true;
        }
    free(options.found);
    run_files_free(given, network);
    run_memory_free(memory);
    return memory != NULL || *more;
}

/* WORKLOAD with LENGTHS among its parameters; the caller frees it.  */
static char *spec_with(const struct workload *workload, const struct lengths *lengths)
{
    char *canonical = params_canonical(&workload->params);
    char *more = lengths_text(lengths, ",", SIZE_MAX);
    char *spec = memory_printf("%s:%s%s%s", workload->name, canonical,
                               canonical[0] != '\0' ? "," : "", more);

    free(canonical);
    free(more);
    return spec;
}

static bool read_again(struct instance **instance, const struct workload *workload,
                       const struct lengths *lengths, run_lengths_read *read, struct error *error)
{
    char *spec = spec_with(workload, lengths), *name = memory_strdup((*instance)->name);

    instance_free(*instance);
    *instance = read(spec, error);
    if (*instance != NULL) {
        free((*instance)->name);
        (*instance)->name = name;
    } else {
        free(name);
    }
    free(spec);
    return *instance != NULL;
}

static void say(const struct lengths *lengths)
{
    enum { SHOWN = 6 };
    char *text = lengths_text(lengths, ", ", SHOWN);

    complain("run: lengths that only a run knows, as these inputs have them: %s", text);
    free(text);
}

bool run_lengths_find(struct instance **instance, const char *spec, run_lengths_read *read,
                      const struct text_list *inputs, const struct run_options *options,
                      struct error *error)
{
    struct lengths lengths = {0};
    struct workload workload;
    bool more = true, good = true;

    if (!may_find((*instance)->origin->network))
        return true;
    if (!workload_parse(&workload, spec, error))
        return false;
    for (int pass = 0; good && more && pass < MOST_PASSES; pass++) {
        good = find(&lengths, *instance, inputs, *options, &more, error);
        if (good && more)
            good = read_again(instance, &workload, &lengths, read, error);
    }
    if (good && lengths.count > 0)
        say(&lengths);
    lengths_clear(&lengths);
    workload_clear(&workload);
    return good;
}
