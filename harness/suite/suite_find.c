/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the suite is, which of its instances are meant, and the instances themselves.  */
#include <config.h>

#include "harness/suite/suite.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/options.h"
#include "lib/base/memory.h"
#include "lib/base/sha256.h"
#include "lib/problem/instance.h"
#include "lib/problem/instance_csv.h"
#include "workloads/workload.h"

char *suite_folder(const char *folder)
{
    return folder != NULL ? memory_strdup(folder) : share_path("suite");
}

char *suite_plan_path(const char *folder, const char *name)
{
    return memory_printf("%s/plans/%s.csv", folder, name);
}

char *suite_table_path(const char *folder)
{
    return memory_printf("%s/" SUITE_VERSION ".csv", folder);
}

bool suite_open(struct suite *suite, const char *folder, struct error *error)
{
    char *path = suite_table_path(folder);
    FILE *in = fopen(path, "r");
    bool done = in != NULL
                    ? suite_read(suite, in, path, error)
                    : error_set(error, "%s: %s; expected the suite's table", path, strerror(errno));

    if (in != NULL)
        fclose(in);
    free(path);
    return done;
}

struct suite_entry *suite_find(const struct suite *suite, const char *name, struct error *error)
{
    const char **names = memory_alloc(suite->count, sizeof *names);
    struct suite_entry *found = NULL;

    for (size_t i = 0; i < suite->count; i++) {
        names[i] = suite->entry[i].name;
        if (strcmp(names[i], name) == 0)
            found = &suite->entry[i];
    }
    if (found == NULL)
        error_unknown(error, "instance of the suite", name, names, suite->count,
                      "; see 'arenabench suite list'");
    free(names);
    return found;
}

/* --- classes --- */

/* Whether CLASSES, words joined by commas, has the LENGTH bytes at WORD.  */
static bool has_class(const char *classes, const char *word, size_t length)
{
    for (const char *at = classes;; at += strcspn(at, ",") + 1) {
        if (strcspn(at, ",") == length && strncmp(at, word, length) == 0)
            return true;
        if (at[strcspn(at, ",")] == '\0')
            return false;
    }
}

/* The classes of SUITE, each once; the caller frees the list.  */
static const char **class_names(const struct suite *suite, size_t *count)
{
    const char **names = memory_alloc(suite->count, sizeof *names);

    *count = 0;
    for (size_t i = 0; i < suite->count; i++) {
        bool known = false;

        for (size_t j = 0; !known && j < *count; j++)
            known = strcmp(names[j], suite->entry[i].class_name) == 0;
        if (!known)
            names[(*count)++] = suite->entry[i].class_name;
    }
    return names;
}

static bool is_class(const char *word, const char *const *names, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], word) == 0)
            return true;
    return error_unknown(error, "class of the suite", word, names, count,
                         "; see 'arenabench suite list'");
}

static bool are_classes(const struct suite *suite, const char *classes, struct error *error)
{
    size_t count, length;
    const char **names = class_names(suite, &count);
    bool good = true;

    for (const char *at = classes; good; at += length + 1) {
        char *word;

        length = strcspn(at, ",");
        word = memory_printf("%.*s", (int)length, at);
        good = is_class(word, names, count, error);
        free(word);
        if (at[length] == '\0')
            break;
    }
    free(names);
    return good;
}

bool suite_select(struct suite *suite, const char *classes, int64_t most, struct error *error)
{
    struct suite kept = {0};

    if (classes != NULL && !are_classes(suite, classes, error))
        return false;
    kept.entry = memory_grow(NULL, &kept.capacity, suite->count + 1, sizeof *kept.entry);
    for (size_t i = 0; i < suite->count; i++) {
        struct suite_entry *entry = &suite->entry[i];

        if (entry->buffers <= most &&
            (classes == NULL || has_class(classes, entry->class_name, strlen(entry->class_name)))) {
            kept.entry[kept.count++] = *entry;
            *entry = (struct suite_entry){0};
        }
    }
    suite_clear(suite);
    *suite = kept;
    return kept.count > 0 ||
           error_set(error,
                     "the suite has no instance of at most %" PRId64
                     " buffers%s%s; see 'arenabench suite list'",
                     most, classes != NULL ? " among " : "", classes != NULL ? classes : "");
}

/* --- instances --- */

static bool is_same(const struct suite_entry *entry, const struct instance *instance,
                    struct error *error)
{
    uint64_t checksum = instance_checksum(instance);

    return checksum == entry->checksum ||
           error_set(error,
                     "%s: %s makes another instance than the table's: checksum %016" PRIx64
                     ", expected %016" PRIx64,
                     entry->name, entry->workload, checksum, entry->checksum);
}

struct instance *suite_instance(const struct suite_entry *entry, struct error *error)
{
    struct instance *instance;
    struct workload workload;

    if (!workload_parse(&workload, entry->workload, error)) {
        error_prefix(error, "%s", entry->name);
        return NULL;
    }
    instance = workload_instance(&workload, error);
    workload_clear(&workload);
    if (instance == NULL)
        error_prefix(error, "%s", entry->name);
    if (instance != NULL && !is_same(entry, instance, error)) {
        instance_free(instance);
        instance = NULL;
    }
    return instance;
}

char *suite_csv(const struct suite_entry *entry, const struct instance *instance, size_t *length,
                struct error *error)
{
    char *text;
    FILE *out = memory_stream(&text, length);
    struct sha256_text sum;

    instance_csv_write(out, instance);
    memory_stream_close(out);
    sum = sha256(text, *length);
    if (strcmp(sum.digits, entry->sha256) == 0)
        return text;
    error_set(error, "%s: its CSV file has the SHA-256 %s, expected %s", entry->name, sum.digits,
              entry->sha256);
    free(text);
    return NULL;
}
