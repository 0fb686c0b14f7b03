/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results store: builds, machines and sweeps, and what each of them was.
 *
 * A sweep's provenance is pairs of names and values.  Those of its build and of its
 * machine make two rows that sweeps share; what is left is the sweep's own.  */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/store.h"
#include "harness/store/store_table.h"
#include "lib/base/memory.h"

enum kind { KIND_BUILD, KIND_MACHINE, KIND_SWEEP };

static const char *const kind_names[] = {"build", "machine", "sweep"};

/* What makes a build another build, and a machine another machine.  A kernel and
 * a microcode change how fast a machine is, so they are the machine's.  */
static const char *const build_pairs[] = {
    "version", "commit", "compiler", "cflags", "changes",   "configure",     "left_out",
    "libc",    "glpk",   "gsl",      "sqlite", "libconfig", "random_numbers"};
static const char *const machine_pairs[] = {
    "processor", "microcode", "instruction_sets", "caches", "cores", "memory_bytes", "kernel"};

static bool stands_in(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

static enum kind kind_of(const char *name)
{
    static const char peer[] = "peer "; /* and its name: a library that is compared with */

    if (strncmp(name, peer, sizeof peer - 1) == 0 ||
        stands_in(name, build_pairs, sizeof build_pairs / sizeof build_pairs[0]))
        return KIND_BUILD;
    if (stands_in(name, machine_pairs, sizeof machine_pairs / sizeof machine_pairs[0]))
        return KIND_MACHINE;
    return KIND_SWEEP;
}

/* --- the sweep that records --- */

static int by_name(const void *left, const void *right)
{
    const struct kept_pair *a = left, *b = right;

    return strcmp(a->name, b->name) ?: strcmp(a->value, b->value);
}

void store_begin_sweep(struct store *store, const struct store_pair *pair, size_t count)
{
    store_end_sweep(store);
    store->pair = memory_alloc(count + 1, sizeof *store->pair);
    store->pairs = count;
    for (size_t i = 0; i < count; i++)
        store->pair[i] =
            (struct kept_pair){memory_strdup(pair[i].name), memory_strdup(pair[i].value)};
    /* A key does not depend on the order in which things were found out.  */
    qsort(store->pair, count, sizeof *store->pair, by_name);
}

void store_end_sweep(struct store *store)
{
    for (size_t i = 0; i < store->pairs; i++) {
        free(store->pair[i].name);
        free(store->pair[i].value);
    }
    free(store->pair);
    store->pair = NULL;
    store->pairs = 0;
    store->sweep = 0;
    store->sweep_kept = false;
}

/* --- its rows --- */

static bool put_pairs(struct store *store, enum kind kind, int64_t id, struct error *error)
{
    for (size_t i = 0; i < store->pairs; i++) {
        const struct kept_pair *pair = &store->pair[i];
        const struct provenance_row row = {kind_names[kind], id, pair->name, pair->value};

        if (kind_of(pair->name) == kind &&
            !store_insert(store, TABLE_PROVENANCE, &row, NULL, error))
            return false;
    }
    return true;
}

/* The pairs of KIND, a line each; the caller frees it.  */
static char *make_key(const struct store *store, enum kind kind)
{
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);

    for (size_t i = 0; i < store->pairs; i++)
        if (kind_of(store->pair[i].name) == kind)
            fprintf(out, "%s=%s\n", store->pair[i].name, store->pair[i].value);
    memory_stream_close(out);
    return text;
}

bool store_add_pair(struct store *store, const char *name, const char *value, struct error *error)
{
    const struct provenance_row row = {kind_names[KIND_SWEEP], store->sweep, name, value};

    if (store->sweep == 0)
        return true;
    return store_begin(store, error) &&
           store_end(store, store_insert(store, TABLE_PROVENANCE, &row, NULL, error), error);
}

static const char find_machine[] = "SELECT id FROM machine WHERE key = ?1";

bool store_find_machine(struct store *store, int64_t *id, struct error *error)
{
    char *key = make_key(store, KIND_MACHINE);
    bool done = store_run(store, find_machine, (const char *[]){key}, id, NULL, error);

    free(key);
    return done;
}

static bool find_or_put(struct store *store, enum kind kind, int64_t *id, struct error *error)
{
    const bool build = kind == KIND_BUILD;
    char *key = make_key(store, kind);
    const struct key_row row = {key};
    bool done = store_run(store, build ? "SELECT id FROM build WHERE key = ?1" : find_machine,
                          &row.key, id, NULL, error);

    if (done && *id == 0)
        done = store_insert(store, build ? TABLE_BUILD : TABLE_MACHINE, &row, id, error) &&
               put_pairs(store, kind, *id, error);
    free(key);
    return done;
}

/* That of the pairs, on the build and the machine of ROW.  */
static bool find_or_put_sweep(struct store *store, struct sweep_row *row, int64_t *id,
                              struct error *error)
{
    char *key = make_key(store, KIND_SWEEP), build[24], machine[24];
    bool done;

    row->key = key;
    snprintf(build, sizeof build, "%" PRId64, row->build);
    snprintf(machine, sizeof machine, "%" PRId64, row->machine);
    done = store_run(store, "SELECT id FROM sweep WHERE build = ?1 AND machine = ?2 AND key = ?3",
                     (const char *[]){build, machine, key}, id, NULL, error);
    if (done && *id == 0)
        done = store_insert(store, TABLE_SWEEP, row, id, error) &&
               put_pairs(store, KIND_SWEEP, *id, error);
    free(key);
    return done;
}

bool store_sweep(struct store *store, int64_t *id, struct error *error)
{
    struct sweep_row row;

    *id = store->sweep;
    if (*id != 0)
        return true;
    if (store->pair == NULL)
        return error_set(error, "%s: no sweep has begun that could record anything", store->path);
    if (!find_or_put(store, KIND_BUILD, &row.build, error) ||
        !find_or_put(store, KIND_MACHINE, &row.machine, error) ||
        !find_or_put_sweep(store, &row, id, error))
        return false;
    store->sweep = *id;
    return true;
}
