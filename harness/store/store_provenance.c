/* The results store: builds, machines and sweeps, and what each of them was.
 *
 * A sweep's provenance is pairs of names and values.  Those of its build and of its
 * machine make two rows that sweeps share; what is left is the sweep's own.  */
#include <config.h>

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/store.h"
#include "harness/store/store_binder.h"
#include "harness/store/store_private.h"
#include "lib/base/memory.h"

const char store_provenance_schema[] =
    "CREATE TABLE build (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);"
    "CREATE TABLE machine (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);"
    "CREATE TABLE sweep (id INTEGER PRIMARY KEY, build INTEGER REFERENCES build,"
    " machine INTEGER REFERENCES machine);"
    "CREATE TABLE provenance (kind TEXT, id INTEGER, name TEXT, value TEXT,"
    " PRIMARY KEY (kind, id, name)) WITHOUT ROWID;"
    "CREATE TABLE constant (sweep INTEGER REFERENCES sweep, isa TEXT, name TEXT, value REAL,"
    " PRIMARY KEY (sweep, isa, name)) WITHOUT ROWID;";

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
    int order = strcmp(a->name, b->name);

    return order != 0 ? order : strcmp(a->value, b->value);
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
        struct binder binder;

        if (kind_of(store->pair[i].name) != kind)
            continue;
        binder = binder_new(store, STATEMENT_PUT_PROVENANCE);
        binder_text(&binder, kind_names[kind]);
        binder_int(&binder, id);
        binder_text(&binder, store->pair[i].name);
        binder_text(&binder, store->pair[i].value);
        if (!binder_run(&binder, NULL, NULL, error))
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

/* Runs WITH, which takes the key of KIND.  */
static bool run_with_key(struct store *store, enum statement with, enum kind kind, int64_t *id,
                         struct error *error)
{
    char *key = make_key(store, kind);
    struct binder binder = binder_new(store, with);
    bool done;

    binder_text(&binder, key);
    done = binder_run(&binder, id, NULL, error);
    free(key);
    return done;
}

bool store_find_machine(struct store *store, int64_t *id, struct error *error)
{
    return run_with_key(store, STATEMENT_FIND_MACHINE, KIND_MACHINE, id, error);
}

static bool find_or_put(struct store *store, enum kind kind, int64_t *id, struct error *error)
{
    const bool build = kind == KIND_BUILD;

    if (!run_with_key(store, build ? STATEMENT_FIND_BUILD : STATEMENT_FIND_MACHINE, kind, id,
                      error))
        return false;
    if (*id != 0)
        return true;
    if (!run_with_key(store, build ? STATEMENT_PUT_BUILD : STATEMENT_PUT_MACHINE, kind, NULL,
                      error))
        return false;
    *id = sqlite3_last_insert_rowid(store->db);
    return put_pairs(store, kind, *id, error);
}

bool store_sweep(struct store *store, int64_t *id, struct error *error)
{
    int64_t build, machine;
    struct binder binder;

    *id = store->sweep;
    if (*id != 0)
        return true;
    if (store->pair == NULL)
        return error_set(error, "%s: no sweep has begun that could record anything", store->path);
    if (!find_or_put(store, KIND_BUILD, &build, error) ||
        !find_or_put(store, KIND_MACHINE, &machine, error))
        return false;
    binder = binder_new(store, STATEMENT_PUT_SWEEP);
    binder_int(&binder, build);
    binder_int(&binder, machine);
    if (!binder_run(&binder, NULL, NULL, error))
        return false;
    *id = sqlite3_last_insert_rowid(store->db);
    store->sweep = *id;
    return put_pairs(store, KIND_SWEEP, *id, error);
}
