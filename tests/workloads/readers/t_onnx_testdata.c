/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The models of Debian's package libonnx-testdata, one an operator or a few, which were made to
 * try runtimes.  What is not read is in onnx_testdata.csv with a part of the reason; all others
 * are read.  */
#include <config.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/source_table.h"
#include "tests/support/tap.h"
#include "workloads/readers/onnx/file/model.h"

#define FOLDER "/usr/share/libonnx-testdata/data"
/* Those of version 1.12; another one may have more.  */
#define MODELS 1072

struct outcome {
    char *model, *given;
    char *reason; /* "read": there is none */
};

struct outcomes {
    size_t count, capacity;
    struct outcome *outcome;
};

static bool read_outcome(struct csv *csv, void *context, struct error *error)
{
    struct outcomes *outcomes = context;
    struct outcome outcome = {memory_strdup(csv_text(csv, 0)), memory_strdup(csv_text(csv, 1)),
                              memory_strdup(csv_text(csv, 2))};

    (void)error;
    outcomes->outcome = memory_grow(outcomes->outcome, &outcomes->capacity, outcomes->count + 1,
                                    sizeof *outcomes->outcome);
    outcomes->outcome[outcomes->count++] = outcome;
    return true;
}

static void read_outcomes(struct outcomes *outcomes)
{
    static const char *const columns[] = {"model", "given", "outcome"};

    source_table_read("tests/workloads/readers/onnx_testdata.csv", columns, 3, read_outcome,
                      outcomes);
}

static void clear_outcomes(struct outcomes *outcomes)
{
    for (size_t i = 0; i < outcomes->count; i++) {
        free(outcomes->outcome[i].model);
        free(outcomes->outcome[i].given);
        free(outcomes->outcome[i].reason);
    }
    free(outcomes->outcome);
}

/* Whether MODEL with the parameters GIVEN is read; else the reason is in ERROR.  Each one that
 * is becomes an instance with its inputs and outputs.  */
static bool is_read(const char *model, const char *given, struct error *error)
{
    char *spec = memory_printf(FOLDER "/%s/model.onnx:io=both%s%s", model,
                               given[0] != '\0' ? "," : "", given);
    struct instance *instance = instance_from(spec, error);
    bool is = instance != NULL;

    instance_free(instance);
    free(spec);
    return is;
}

static void check_outcomes(const struct outcomes *outcomes)
{
    for (size_t i = 0; i < outcomes->count; i++) {
        const struct outcome *want = &outcomes->outcome[i];
        struct error error = {""};
        bool is = is_read(want->model, want->given, &error);

        if (strcmp(want->reason, "read") == 0)
            ok(is, "%s with %s is read %s", want->model, want->given, error.text);
        else
            ok(!is && strstr(error.text, want->reason) != NULL, "%s: %s", want->model, error.text);
    }
}

static bool is_listed(const struct outcomes *outcomes, const char *model)
{
    for (size_t i = 0; i < outcomes->count; i++)
        if (strcmp(outcomes->outcome[i].model, model) == 0)
            return true;
    return false;
}

/* Reads the models of folder KIND that are not listed; adds to *COUNT how many there are in it,
 * to *REFUSED how many of them are not read.  */
static void read_others(const struct outcomes *outcomes, const char *kind, int *count, int *refused)
{
    char *path = memory_printf(FOLDER "/%s", kind);
    DIR *folder = opendir(path);
    struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char *model = memory_printf("%s/%s", kind, entry->d_name);
        char *file = memory_printf(FOLDER "/%s/model.onnx", model);
        struct stat status;
        struct error error = {""};

        if (stat(file, &status) == 0) {
            ++*count;
            if (!is_listed(outcomes, model) && !is_read(model, "", &error)) {
                ++*refused;
                tap_diag("%s", error.text);
            }
        }
        free(file);
        free(model);
    }
    if (folder != NULL)
        closedir(folder);
    free(path);
}

int main(void)
{
    static const char *const kinds[] = {"node", "simple", "pytorch-converted", "pytorch-operator"};
    struct outcomes outcomes = {0};
    struct stat status;
    int count = 0, refused = 0;

    if (!onnx_available()) {
        tap_skip(1, "built without protobuf-c and onnx.proto");
        return tap_done();
    }
    read_outcomes(&outcomes);
    if (stat(FOLDER, &status) != 0) {
        tap_skip(1, "libonnx-testdata (a Debian package) is not installed");
    } else {
        check_outcomes(&outcomes);
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            read_others(&outcomes, kinds[k], &count, &refused);
        is_int(refused, 0, "all others are read");
        ok(count >= MODELS, "%d models, expected %d at least", count, MODELS);
    }
    clear_outcomes(&outcomes);
    return tap_done();
}
