/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/suite/suite_export.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/io/output.h"
#include "harness/io/watch.h"
#include "harness/suite/suite.h"
#include "harness/suite/suite_judge.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/sha256.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "lib/problem/plan_csv.h"

#define SUMS "SHA256SUMS"

/* What is under way: the lines of SHA256SUMS so far.  */
struct writing {
    const struct suite_export *export;
    char *sums;
};

/* Writes LENGTH bytes as the file NAME of the folder, and its line of checksums.  */
static bool write_file(struct writing *writing, const char *name, const char *text, size_t length,
                       struct error *error)
{
    char *path = memory_printf("%s/%s", writing->export->dir, name);
    bool done = output_bytes(path, text, length, error);

    if (done)
        writing->sums = memory_append(writing->sums, "%s  %s\n", sha256(text, length).digits, name);
    free(path);
    return done;
}

/* --- an instance --- */

static bool write_instance(struct writing *writing, const struct suite_entry *entry,
                           const struct instance *instance, struct error *error)
{
    char *name = memory_printf("instances/%s.csv", entry->name);
    size_t length;
    char *text = suite_csv(entry, instance, &length, error);
    bool done = text != NULL && write_file(writing, name, text, length, error);

    free(text);
    free(name);
    return done;
}

static bool write_plan(struct writing *writing, const struct suite_entry *entry,
                       const struct instance *instance, struct error *error)
{
    const struct suite_export *export = writing->export;
    struct plan *plan = suite_best_plan(entry, instance, export->folder, export->watch, error);
    char *name, *text;
    size_t length;
    FILE *out;
    bool done;

    if (plan == NULL)
        return false;
    out = memory_stream(&text, &length);
    plan_csv_write(out, instance, plan);
    memory_stream_close(out);
    plan_free(plan);
    name = memory_printf("plans/%s.csv", entry->name);
    done = write_file(writing, name, text, length, error);
    free(name);
    free(text);
    return done;
}

/* Copies the file NAME of the suite's folder.  */
static bool copy_file(struct writing *writing, const char *name, struct error *error)
{
    char *path = memory_printf("%s/%s", writing->export->folder, name), *text;
    size_t length;
    bool done = file_read(path, SIZE_MAX / 2, &text, &length, error);

    if (done) {
        done = write_file(writing, name, text, length, error);
        free(text);
    }
    free(path);
    return done;
}

static bool write_entry(struct writing *writing, const struct suite_entry *entry,
                        struct error *error)
{
    struct instance *instance = suite_instance(entry, error);
    bool done = instance != NULL && write_instance(writing, entry, instance, error) &&
                (!writing->export->plans || write_plan(writing, entry, instance, error)) &&
                (entry->certificate[0] == '\0' || copy_file(writing, entry->certificate, error));

    instance_free(instance);
    return done;
}

/* --- the tables --- */

static bool write_table(struct writing *writing, struct error *error)
{
    size_t length;
    char *text;
    FILE *out = memory_stream(&text, &length);
    bool done;

    suite_write(out, writing->export->suite);
    memory_stream_close(out);
    done = write_file(writing, "suite.csv", text, length, error);
    free(text);
    return done;
}

static bool write_solu(struct writing *writing, struct error *error)
{
    const struct suite *suite = writing->export->suite;
    size_t length;
    char *text;
    FILE *out = memory_stream(&text, &length);
    bool done;

    for (size_t i = 0; i < suite->count; i++) {
        const struct suite_entry *entry = &suite->entry[i];

        if (entry->lower == entry->upper)
            fprintf(out, "=opt= %s %" PRId64 "\n", entry->name, entry->upper);
        else
            fprintf(out, "=best= %s %" PRId64 "\n=bestdual= %s %" PRId64 "\n", entry->name,
                    entry->upper, entry->name, entry->lower);
    }
    memory_stream_close(out);
    done = write_file(writing, "suite.solu", text, length, error);
    free(text);
    return done;
}

/* --- all of it --- */

static bool has_certificates(const struct suite *suite)
{
    for (size_t i = 0; i < suite->count; i++)
        if (suite->entry[i].certificate[0] != '\0')
            return true;
    return false;
}

static bool make_folder(const char *dir, const char *name, struct error *error)
{
    char *path = memory_printf("%s/%s", dir, name);
    bool done = output_folder(path, error);

    free(path);
    return done;
}

static bool make_folders(const struct suite_export *export, struct error *error)
{
    char *sums = memory_printf("%s/" SUMS, export->dir);
    bool good =
        access(sums, F_OK) != 0 ||
        error_set(error, "%s: an export is there already; expected another folder", export->dir);

    free(sums);
    return good && output_folder(export->dir, error) &&
           make_folder(export->dir, "instances", error) &&
           (!export->plans || make_folder(export->dir, "plans", error)) &&
           (!has_certificates(export->suite) || make_folder(export->dir, "certificates", error));
}

static bool write_all(struct writing *writing, struct suite_export *export, struct error *error)
{
    for (; export->done < export->suite->count; export->done++) {
        if (!watch_goes_on(export->watch))
            return error_set(error, "interrupted after %zu of %zu instances", export->done,
                             export->suite->count);
        if (!write_entry(writing, &export->suite->entry[export->done], error))
            return false;
    }
    return write_table(writing, error) && write_solu(writing, error) &&
           copy_file(writing, "README.md", error);
}

bool suite_export(struct suite_export *export, struct error *error)
{
    struct writing writing = {export, memory_strdup("")};
    bool done = make_folders(export, error) && write_all(&writing, export, error);

    if (done) {
        char *sums = memory_strdup(writing.sums);

        done = write_file(&writing, SUMS, sums, strlen(sums), error);
        free(sums);
    }
    free(writing.sums);
    return done;
}
