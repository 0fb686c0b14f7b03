/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The models of Debian's package libonnx-testdata, read for planning, and run: each comes with
 * inputs and with the outputs that other people's programs found.  What is not run is in
 * onnx_nodes.csv with a part of the reason, which is also the reason if it is not read; all others
 * are read, and give these outputs, with every value in memory of its own and in a planned arena
 * with all that may lie in place.  With the inputs stored in the model, whose nodes
 * are folded then, they give the same, bit by bit.
 *
 *     t_onnx_nodes.t NAME     runs the models with NAME in their path and says what each gave
 *     t_onnx_nodes.t --table  writes onnx_nodes.csv anew  */
#include <config.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "runtime/memory.h"
#include "runtime/run.h"
#include "tests/support/instances.h"
#include "tests/support/onnx_files.h"
#include "tests/support/onnx_text.h"
#include "tests/support/run_solver.h"
#include "tests/support/source_table.h"
#include "tests/support/tap.h"
#include "workloads/readers/onnx/file/model.h"
#include "workloads/readers/onnx/onnx.h"

#define TABLE "tests/runtime/onnx_nodes.csv"
#define FOLDER "/usr/share/libonnx-testdata/data"
/* Of version 1.12; another one may have others.  */
#define MODELS 1072
#define RIGHT 300 /* no fewer than this: what the table leaves is what matters */
#define FOLDED 500

/* What shapes hang on is given, as in the files of inputs.  */
#define GIVEN "x=10"

static bool is_given(const char *path)
{
    return strstr(path, "window_") != NULL && strstr(path, "expanded") != NULL;
}

/* --- models --- */

/* With inputs from the files, unless they are STORED.  */
static enum verdict run_in(struct onnx_files *files, const struct schedule *schedule,
                           struct run_memory *memory, bool stored, struct error *error)
{
    struct run *run =
        run_new(files->network, schedule, memory, &(struct run_options){.threads = 1}, error);
    enum verdict verdict = run == NULL ? NOT_RUN : RIGHT_OUTPUT;

    if (verdict == RIGHT_OUTPUT && !stored)
        verdict = onnx_files_give(files, memory, error);
    if (verdict == RIGHT_OUTPUT && !run_once(run, error))
        verdict = NOT_RUN;
    if (verdict == RIGHT_OUTPUT)
        verdict = onnx_files_compare(files, memory, error);
    run_free(run);
    return verdict;
}

static enum verdict run_plain(struct onnx_files *files, const struct schedule *schedule,
                              bool stored, struct error *error)
{
    struct run_memory *memory = run_memory_plain(files->network);
    enum verdict verdict = run_in(files, schedule, memory, stored, error);

    run_memory_free(memory);
    return verdict;
}

static enum verdict run_planned(struct onnx_files *files, const struct instance *instance,
                                struct error *error)
{
    struct plan *plan = solver_plan("section-first", instance, 1);
    struct run_memory *memory = run_memory_planned(instance, plan, error);
    enum verdict verdict = WRONG_OUTPUT;

    if (memory != NULL)
        verdict = run_in(files, instance->origin->schedule, memory, false, error);
    run_memory_free(memory);
    plan_free(plan);
    return verdict;
}

/* --- inputs that the model stores --- */

/* Whether the files of inputs have the inputs' names and types (tests/support/onnx_files.c).  */
static bool can_store(const char *path)
{
    return strncmp(path, "node/", 5) == 0 && strstr(path, "BFLOAT16") == NULL && !is_given(path);
}

/* What PATH's model with all inputs stored gives, SUM of its outputs, and whether all of it is
 * folded.  */
static enum verdict try_stored(const char *path, uint64_t *sum, bool *folded, struct error *error)
{
    char *file = memory_printf(FOLDER "/%s/model.onnx", path);
    char *folder = memory_printf(FOLDER "/%s/test_data_set_0", path);
    struct wire wire = onnx_files_stored(file, folder);
    struct params params = {0};
    struct network *network = onnx_runnable_network(wire.data, wire.size, file, &params, error);
    struct onnx_files files = {.network = network, .folder = folder};
    enum verdict verdict = NOT_RUN;

    *folded = network != NULL && network->n_ops == 0;
    if (network != NULL && run_check(network, error)) {
        struct schedule *schedule = schedule_file_order(network);

        verdict = run_plain(&files, schedule, true, error);
        schedule_free(schedule);
    }
    *sum = files.sum;
    network_free(network);
    wire_clear(&wire);
    free(folder);
    free(file);
    return verdict;
}

/* What PATH, a model's folder below FOLDER, gives; ERROR says why it is not right.  */
static enum verdict try_model(const char *path, uint64_t *sum, struct error *error)
{
    char *spec = memory_printf(
        FOLDER "/%s/model.onnx:io=both,alias=on,inplace=nnc,concat=place,alignment=8%s", path,
        is_given(path) ? "," GIVEN : "");
    char *folder = memory_printf(FOLDER "/%s/test_data_set_0", path);
    struct onnx_files files = {.folder = folder, .given = is_given(path) ? GIVEN : NULL};
    struct instance *instance = runnable_from(spec, error);
    enum verdict verdict = NOT_RUN;

    if (instance != NULL && run_check(instance->origin->network, error)) {
        files.network = instance->origin->network;
        verdict = run_plain(&files, instance->origin->schedule, false, error);
        if (verdict == RIGHT_OUTPUT)
            verdict = run_planned(&files, instance, error);
    }
    *sum = files.sum;
    instance_free(instance);
    free(folder);
    free(spec);
    return verdict;
}

/* --- the table --- */

struct row {
    char *model, *reason;
};

struct table {
    size_t count, capacity;
    struct row *row;
};

static bool read_row(struct csv *csv, void *context, struct error *error)
{
    struct table *table = context;
    struct row row = {memory_strdup(csv_text(csv, 0)), memory_strdup(csv_text(csv, 1))};

    (void)error;
    table->row = memory_grow(table->row, &table->capacity, table->count + 1, sizeof *table->row);
    table->row[table->count++] = row;
    return true;
}

static void read_table(struct table *table)
{
    static const char *const columns[] = {"model", "reason"};

    source_table_read(TABLE, columns, 2, read_row, table);
}

static void clear_table(struct table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->row[i].model);
        free(table->row[i].reason);
    }
    free(table->row);
}

/* The reason why MODEL is not run, or NULL.  */
static const char *reason_of(const struct table *table, const char *model)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->row[i].model, model) == 0)
            return table->row[i].reason;
    return NULL;
}

/* --- all of them --- */

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Calls USE for each model, in order; their number.  */
static int each_model(void *context, void (*use)(void *context, const char *model))
{
    static const char *const kinds[] = {"node", "simple", "pytorch-converted", "pytorch-operator"};
    int count = 0;

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        char *path = memory_printf(FOLDER "/%s", kinds[k]);
        struct dirent **entry;
        int entries = scandir(path, &entry, NULL, by_name);

        for (int i = 0; i < entries; i++) {
            char *model = memory_printf("%s/%s", kinds[k], entry[i]->d_name);
            char *file = memory_printf(FOLDER "/%s/model.onnx", model);
            struct stat status;

            if (stat(file, &status) == 0) {
                use(context, model);
                count++;
            }
            free(file);
            free(model);
            free(entry[i]);
        }
        if (entries >= 0)
            free(entry);
        free(path);
    }
    return count;
}

struct checking {
    const struct table *table;
    int step; /* one model in so many is run */
    int seen, right, folded;
};

/* The model becomes an instance with its inputs and outputs, or it is not read for REASON.  */
static void check_read(const char *model, const char *reason)
{
    char *spec =
        memory_printf(FOLDER "/%s/model.onnx:io=both%s", model, is_given(model) ? "," GIVEN : "");
    struct error error = {""};
    struct instance *instance = instance_from(spec, &error);

    ok(instance != NULL || (reason != NULL && strstr(error.text, reason) != NULL), "%s is read %s",
       model, error.text);
    instance_free(instance);
    free(spec);
}

static void check_model(void *context, const char *model)
{
    struct checking *checking = context;
    const char *reason = reason_of(checking->table, model);
    struct error error = {""};
    uint64_t sum = 0, stored_sum = 0;
    enum verdict verdict, stored;
    bool folded;

    check_read(model, reason);
    if (checking->seen++ % checking->step != 0)
        return;
    verdict = try_model(model, &sum, &error);
    if (reason == NULL)
        ok(verdict == RIGHT_OUTPUT, "%s %s", model, error.text);
    else
        ok(verdict == NOT_RUN && strstr(error.text, reason) != NULL, "%s is not run: %s", model,
           error.text);
    checking->right += verdict == RIGHT_OUTPUT;
    if (!can_store(model))
        return;
    stored = try_stored(model, &stored_sum, &folded, &error);
    ok(stored == verdict || (stored == RIGHT_OUTPUT && verdict == NOT_RUN),
       "%s with its inputs stored %s", model, error.text);
    if (stored == RIGHT_OUTPUT && verdict == RIGHT_OUTPUT)
        ok(stored_sum == sum, "%s: the same bits", model);
    checking->folded += stored == RIGHT_OUTPUT && folded;
}

static void say_model(void *context, const char *model)
{
    static const char *const words[] = {"right", "WRONG", "not run"};
    struct error error = {""};

    if (strstr(model, (const char *)context) != NULL) {
        uint64_t sum;
        bool folded = false;
        enum verdict verdict = try_model(model, &sum, &error);

        printf("%s: %s %s\n", model, words[verdict], error.text);
        error.text[0] = '\0';
        verdict = !can_store(model) ? NOT_RUN : try_stored(model, &sum, &folded, &error);
        printf("%s, stored%s: %s %s\n", model, folded ? " and folded" : "", words[verdict],
               error.text);
        fflush(stdout);
    }
}

/* A reason has to be short, a cell of the table, and the same wherever the package lies.  */
static void write_row(void *context, const char *model)
{
    static const char *const before[] = {"model.onnx: ", "alignment=8: ", "the first: "};
    struct error error = {""};
    const char *text = error.text;
    uint64_t sum;

    if (try_model(model, &sum, &error) != NOT_RUN)
        return;
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        const char *found;

        while ((found = strstr(text, before[i])) != NULL)
            text = found + strlen(before[i]);
    }
    fprintf(context, "%s,%.*s\n", model, (int)strcspn(text, ",;\""), text);
}

int main(int argc, char **argv)
{
    struct table table = {0};
    struct checking checking = {.table = &table, .step = tap_tier(5, 1)};
    struct stat status;
    int count;

    if (!onnx_available() || stat(FOLDER, &status) != 0) {
        tap_skip(1, onnx_available() ? "libonnx-testdata (a Debian package) is not installed"
                                     : "built without protobuf-c and onnx.proto");
        return tap_done();
    }
    if (argc == 2 && strcmp(argv[1], "--table") == 0) {
        char *path = source_path(TABLE);
        FILE *out = fopen(path, "w");

        fputs("model,reason\n", out);
        each_model(out, write_row);
        fclose(out);
        free(path);
        return 0;
    }
    if (argc == 2) {
        each_model(argv[1], say_model);
        return 0;
    }
    read_table(&table);
    count = each_model(&checking, check_model);
    ok(count != MODELS || checking.step > 1 || checking.right + (int)table.count == MODELS,
       "all models that the table does not have are right (%d)", checking.right);
    ok(checking.right >= RIGHT / checking.step, "%d models are run, and right", checking.right);
    ok(checking.folded >= FOLDED / checking.step, "%d models are folded, and right",
       checking.folded);
    clear_table(&table);
    return tap_done();
}
