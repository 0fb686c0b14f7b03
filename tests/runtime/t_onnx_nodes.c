/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The models of Debian's package libonnx-testdata, run: each comes with inputs and with the
 * outputs that other people's programs found.  What is not run is in onnx_nodes.csv with a part
 * of the reason; all others give these outputs, with every value in memory of its own and in a
 * planned arena with all that may lie in place.  With the inputs stored in the model, whose nodes
 * are folded then, they give the same, bit by bit.
 *
 *     t_onnx_nodes.t NAME     runs the models with NAME in their path and says what each gave
 *     t_onnx_nodes.t --table  writes onnx_nodes.csv anew  */
#include <config.h>

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"
#include "lib/graph/elements.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"
#include "runtime/memory.h"
#include "runtime/operators/cast.h"
#include "runtime/operators/operator.h"
#include "runtime/run.h"
#include "tests/support/onnx_text.h"
#include "tests/support/run_solver.h"
#include "tests/support/source_table.h"
#include "tests/support/tap.h"
#include "workloads/readers/onnx/file/model.h"
#include "workloads/readers/onnx/onnx.h"
#include "workloads/readers/onnx/tensor_file.h"
#include "workloads/workload.h"

#define TABLE "tests/runtime/onnx_nodes.csv"
#define FOLDER "/usr/share/libonnx-testdata/data"
/* Of version 1.12; another one may have others.  */
#define MODELS 1072
#define RIGHT 300 /* no fewer than this: what the table leaves is what matters */
#define FOLDED 500

/* What the makers of the models allow.  */
#define RELATIVE 1e-3
#define ABSOLUTE 1e-7

enum verdict { RIGHT_OUTPUT, WRONG_OUTPUT, NOT_RUN };

struct model {
    struct instance *instance;
    const struct network *network;
    const char *folder; /* of the inputs and outputs */
    const char *given;  /* the input that is a parameter; NULL: none */
    bool stored;        /* all inputs are, in the model */
    uint64_t *sum;      /* of the outputs' bytes */
};

/* What shapes hang on is given, as in the files of inputs.  */
#define GIVEN_NAME "x"
#define GIVEN_VALUE 10

static bool is_given(const char *path)
{
    return strstr(path, "window_") != NULL && strstr(path, "expanded") != NULL;
}

/* --- inputs and outputs --- */

static struct tensor tensor_of(const struct tensor_file *file)
{
    struct tensor tensor = {.dtype = file->dtype, .rank = file->rank, .data = file->elements->data};

    memcpy(tensor.dim, file->dim, sizeof tensor.dim);
    return tensor;
}

/* Value number I of those that are inputs, or outputs, or the one called NAME.  */
static size_t find_value(const struct network *network, const char *name, size_t i, bool output)
{
    size_t at = 0;

    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];
        bool is = output ? value->output : value->role == VALUE_INPUT;

        if (is && name[0] != '\0' && strcmp(value->name, name) == 0)
            return v;
    }
    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];

        if ((output ? value->output : value->role == VALUE_INPUT) && at++ == i)
            return v;
    }
    return NETWORK_NONE;
}

/* The files have bfloat16 as whole numbers of as many bits.  */
static bool same_shape(const struct value *value, const struct tensor *tensor)
{
    bool same =
        value->dtype == tensor->dtype || (value->dtype == DTYPE_BF16 && tensor->dtype == DTYPE_U16);

    if (!same || value->rank != tensor->rank)
        return false;
    for (int i = 0; i < value->rank; i++)
        if (value->dim[i] != tensor->dim[i])
            return false;
    return true;
}

static double real_of(const struct tensor *tensor, int64_t i)
{
    double real;
    const struct tensor wide = {.dtype = DTYPE_F64, .data = &real};
    const struct tensor half = {.dtype = tensor->dtype, .data = (uint16_t *)tensor->data + i};

    if (tensor->dtype != DTYPE_F16 && tensor->dtype != DTYPE_BF16)
        return tensor_real(tensor, i);
    cast_elements(&wide, &half);
    return real;
}

static bool close_enough(const struct tensor *got, const struct tensor *want, int64_t i)
{
    double a, b;

    if (!dtype_is_real(want->dtype))
        return tensor_integer(got, i) == tensor_integer(want, i);
    a = real_of(got, i);
    b = real_of(want, i);
    if (isnan(b) || isinf(b))
        return isnan(b) ? isnan(a) : a == b;
    return fabs(a - b) <= ABSOLUTE + RELATIVE * fabs(b);
}

/* Files input_0.pb, input_1.pb and so on of the folder, or output_0.pb: each goes to USE.  */
static enum verdict each_file(const struct model *model, const struct run_memory *memory,
                              const char *kind, struct error *error,
                              enum verdict (*use)(const struct model *, const struct run_memory *,
                                                  size_t, const struct tensor_file *,
                                                  struct error *))
{
    enum verdict verdict = RIGHT_OUTPUT;
    struct stat status;

    for (size_t i = 0; verdict == RIGHT_OUTPUT; i++) {
        char *path = memory_printf("%s/%s_%zu.pb", model->folder, kind, i);
        bool is = stat(path, &status) == 0;
        struct tensor_file file;

        if (is && !tensor_file_read(&file, path, error)) {
            verdict = NOT_RUN;
        } else if (is) {
            verdict = use(model, memory, i, &file, error);
            tensor_file_clear(&file);
        }
        free(path);
        if (!is)
            break;
    }
    return verdict;
}

/* Of CastLike's second input only the type counts; the files give one element of it.  */
static bool is_one_of(const struct value *value, const struct tensor *tensor)
{
    struct value one = *value;

    one.rank = tensor->rank;
    for (int i = 0; i < one.rank; i++)
        one.dim[i] = 1;
    return same_shape(&one, tensor);
}

static enum verdict give_input(const struct model *model, const struct run_memory *memory, size_t i,
                               const struct tensor_file *file, struct error *error)
{
    size_t v = find_value(model->network, file->name, i, false);
    struct tensor tensor = tensor_of(file);
    const struct value *value;
    int64_t times;

    if (model->given != NULL && strcmp(model->given, file->name) == 0 &&
        tensor_integer(&tensor, 0) == GIVEN_VALUE)
        return RIGHT_OUTPUT;
    /* A stored value may be listed as an input that may be given.  */
    if (v == NETWORK_NONE) {
        error_set(error, "input '%s' is none of the network's", file->name);
        return NOT_RUN;
    }
    value = &model->network->value[v];
    times = same_shape(value, &tensor) ? 1 : value_elements(value);
    if (times != 1 && !is_one_of(value, &tensor)) {
        error_set(error, "input '%s' has another shape or type", file->name);
        return WRONG_OUTPUT;
    }
    for (int64_t at = 0; at < times; at++)
        memcpy((char *)memory->value[v] + (size_t)at * file->elements->bytes, file->elements->data,
               file->elements->bytes);
    return RIGHT_OUTPUT;
}

static enum verdict compare_output(const struct model *model, const struct run_memory *memory,
                                   size_t i, const struct tensor_file *file, struct error *error)
{
    size_t v = find_value(model->network, file->name, i, true);
    struct tensor want = tensor_of(file), got = want;

    if (v == NETWORK_NONE || !same_shape(&model->network->value[v], &want)) {
        error_set(error, "output '%s' has another shape or type", file->name);
        return WRONG_OUTPUT;
    }
    got.data = memory->value[v];
    for (size_t at = 0; at < file->elements->bytes; at++)
        *model->sum = (*model->sum ^ ((const uint8_t *)got.data)[at]) * 0x100000001b3; /* FNV-1a */
    for (int64_t at = 0; at < tensor_elements(&want); at++)
        if (!close_enough(&got, &want, at)) {
            error_set(error, "element %lld of output '%s' is %g, expected %g", (long long)at,
                      file->name, real_of(&got, at), real_of(&want, at));
            return WRONG_OUTPUT;
        }
    return RIGHT_OUTPUT;
}

/* --- models --- */

static enum verdict run_in(const struct model *model, const struct schedule *schedule,
                           struct run_memory *memory, struct error *error)
{
    struct run *run =
        run_new(model->network, schedule, memory, &(struct run_options){.threads = 1}, error);
    enum verdict verdict = run == NULL ? NOT_RUN : RIGHT_OUTPUT;

    *model->sum = 0xcbf29ce484222325;
    if (verdict == RIGHT_OUTPUT && !model->stored)
        verdict = each_file(model, memory, "input", error, give_input);
    if (verdict == RIGHT_OUTPUT && !run_once(run, error))
        verdict = NOT_RUN;
    if (verdict == RIGHT_OUTPUT)
        verdict = each_file(model, memory, "output", error, compare_output);
    run_free(run);
    return verdict;
}

static enum verdict run_planned(const struct model *model, struct error *error)
{
    struct plan *plan = solver_plan("section-first", model->instance, 1);
    struct run_memory *memory = run_memory_planned(model->instance, plan, error);
    enum verdict verdict = WRONG_OUTPUT;

    if (memory != NULL)
        verdict = run_in(model, model->instance->origin->schedule, memory, error);
    run_memory_free(memory);
    plan_free(plan);
    return verdict;
}

static enum verdict run_both(const struct model *model, struct error *error)
{
    struct run_memory *plain = run_memory_plain(model->network);
    enum verdict verdict = run_in(model, model->instance->origin->schedule, plain, error);

    run_memory_free(plain);
    return verdict == RIGHT_OUTPUT ? run_planned(model, error) : verdict;
}

/* --- inputs that the model stores --- */

/* Whether the files of inputs have the inputs' names and types (see same_shape).  */
static bool can_store(const char *path)
{
    return strncmp(path, "node/", 5) == 0 && strstr(path, "BFLOAT16") == NULL && !is_given(path);
}

/* Takes a number of the wire format.  */
static uint64_t take_number(const uint8_t **at)
{
    uint64_t number = 0;

    for (int shift = 0;; shift += 7) {
        number |= (uint64_t)(**at & 0x7f) << shift;
        if ((*(*at)++ & 0x80) == 0)
            return number;
    }
}

/* The graph of SIZE bytes with the files of inputs as initializers.  */
static struct wire store_inputs(const void *graph, size_t size, const char *folder)
{
    struct wire wire = {memory_alloc(size, 1), size, size};
    struct stat status;

    memcpy(wire.data, graph, size);
    for (size_t i = 0;; i++) {
        char *path = memory_printf("%s/input_%zu.pb", folder, i), *tensor;
        bool is = stat(path, &status) == 0;
        struct error error;
        size_t length;

        if (is && file_read(path, INT_MAX, &tensor, &length, &error)) {
            wire_bytes(&wire, 5, tensor, length);
            free(tensor);
        }
        free(path);
        if (!is)
            return wire;
    }
}

/* The same of a whole model.  */
static struct wire store_in_model(const char *path, const char *folder)
{
    struct wire wire = {0}, graph;
    struct error error;
    const uint8_t *at;
    char *model;
    size_t size;

    if (!file_read(path, INT_MAX, &model, &size, &error))
        tap_bail(error.text);
    at = (const uint8_t *)model;
    while (at < (const uint8_t *)model + size) {
        uint64_t key = take_number(&at), number = take_number(&at);

        if (key == (7 << 3 | 2)) {
            graph = store_inputs(at, number, folder);
            wire_message(&wire, 7, &graph);
        } else if (key % 8 == 2) {
            wire_bytes(&wire, (unsigned)(key >> 3), at, number);
        } else {
            wire_number(&wire, (unsigned)(key >> 3), (int64_t)number);
        }
        at += key % 8 == 2 ? number : 0;
    }
    free(model);
    return wire;
}

/* What PATH's model with all inputs stored gives, SUM of its outputs, and whether all of it is
 * folded.  */
static enum verdict try_stored(const char *path, uint64_t *sum, bool *folded, struct error *error)
{
    char *file = memory_printf(FOLDER "/%s/model.onnx", path);
    char *folder = memory_printf(FOLDER "/%s/test_data_set_0", path);
    struct wire wire = store_in_model(file, folder);
    struct params params = {0};
    struct network *network = onnx_runnable_network(wire.data, wire.size, file, &params, error);
    struct model model = {.network = network, .folder = folder, .stored = true, .sum = sum};
    enum verdict verdict = NOT_RUN;

    *folded = network != NULL && network->n_ops == 0;
    if (network != NULL && run_check(network, error)) {
        struct run_memory *memory = run_memory_plain(network);
        struct schedule *schedule = schedule_file_order(network);

        verdict = run_in(&model, schedule, memory, error);
        schedule_free(schedule);
        run_memory_free(memory);
    }
    network_free(network);
    wire_clear(&wire);
    free(folder);
    free(file);
    return verdict;
}

/* What PATH, a model's folder below FOLDER, gives; ERROR says why it is not right.  */
static enum verdict try_model(const char *path, uint64_t *sum, struct error *error)
{
    char *given =
        is_given(path) ? memory_printf(",%s=%d", GIVEN_NAME, GIVEN_VALUE) : memory_strdup("");
    char *spec = memory_printf(
        FOLDER "/%s/model.onnx:io=both,alias=on,inplace=nnc,concat=place,alignment=8%s", path,
        given);
    char *folder = memory_printf(FOLDER "/%s/test_data_set_0", path);
    struct model model = {
        .folder = folder, .given = is_given(path) ? GIVEN_NAME : NULL, .sum = sum};
    enum verdict verdict = NOT_RUN;
    struct workload workload;

    error->text[0] = '\0';
    if (workload_parse(&workload, spec, error)) {
        model.instance = workload_runnable(&workload, error);
        workload_clear(&workload);
    }
    if (model.instance != NULL) {
        model.network = model.instance->origin->network;
        if (run_check(model.network, error))
            verdict = run_both(&model, error);
    }
    instance_free(model.instance);
    free(folder);
    free(spec);
    free(given);
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

static void check_model(void *context, const char *model)
{
    struct checking *checking = context;
    const char *reason = reason_of(checking->table, model);
    struct error error = {""};
    uint64_t sum = 0, stored_sum = 0;
    enum verdict verdict, stored;
    bool folded;

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
