/* SPDX-License-Identifier: Apache-2.0 */
/* An offline memory plan for TensorFlow Lite Micro: tflm_offline_plan MODEL.tflite [PLAN.bin]
 *
 * Reads the tensors and operators of the model's first sub-graph, plans an arena for those that
 * hold no constants, and prints an offset a tensor.  PLAN.bin becomes what the metadata
 * OfflineMemoryAllocation holds: 32-bit numbers, version 0, one sub-graph, the number of tensors,
 * and an offset each; -1 leaves a tensor to the runtime ("Offline planned tensor allocations" in
 * tensorflow/lite/micro/docs/memory_management.md of https://github.com/tensorflow/tflite-micro).
 *
 * A model is a FlatBuffer: tables whose fields are found by a vtable, and vectors.  All that is
 * read is checked to be in the file; what is not there reads as 0.  */
#include <arenaplan.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Offsets that TFLite Micro aligns tensors to.  */
enum { ALIGNMENT = 16 };

/* Fields in the schema: tensorflow/lite/schema/schema.fbs.  */
enum { MODEL_SUBGRAPHS = 2, MODEL_BUFFERS = 4 };
enum { GRAPH_TENSORS, GRAPH_INPUTS, GRAPH_OUTPUTS, GRAPH_OPERATORS };
enum { TENSOR_SHAPE, TENSOR_TYPE, TENSOR_BUFFER, TENSOR_NAME, TENSOR_IS_VARIABLE = 5 };
enum { OPERATOR_INPUTS = 1, OPERATOR_OUTPUTS };

struct file {
    unsigned char *data;
    size_t size;
    int broken; /* something was not in the file */
};

/* A vector: COUNT elements from AT.  */
struct vector {
    size_t at, count;
};

static void fail(const char *path, const char *what)
{
    fprintf(stderr, "%s: %s\n", path, what);
    exit(2);
}

static uint32_t number(struct file *file, size_t at, unsigned width)
{
    uint32_t value = 0;

    if (at > file->size || file->size - at < width) {
        file->broken = 1;
        return 0;
    }
    for (unsigned i = 0; i < width; i++)
        value |= (uint32_t)file->data[at + i] << 8 * i;
    return value;
}

/* Where the field of a table is; 0: it has none.  */
static size_t field(struct file *file, size_t table, unsigned which)
{
    size_t vtable = table - (size_t)(int64_t)(int32_t)number(file, table, 4);
    uint32_t offset;

    if (table == 0 || 4 + 2 * which + 2 > number(file, vtable, 2))
        return 0;
    offset = number(file, vtable + 4 + 2 * which, 2);
    return offset == 0 ? 0 : table + offset;
}

static size_t follow(struct file *file, size_t at)
{
    return at == 0 ? 0 : at + number(file, at, 4);
}

static struct vector vector(struct file *file, size_t table, unsigned which)
{
    struct vector result = {follow(file, field(file, table, which)), 0};

    if (result.at != 0) {
        result.count = number(file, result.at, 4);
        result.at += 4;
    }
    if (result.count > file->size) {
        file->broken = 1;
        result.count = 0;
    }
    return result;
}

/* Element INDEX of a vector of tables.  */
static size_t table_at(struct file *file, struct vector of, size_t index)
{
    return index < of.count ? follow(file, of.at + 4 * index) : 0;
}

static struct file read_file(const char *path)
{
    struct file file = {NULL, 0, 0};
    FILE *in = fopen(path, "rb");
    size_t room = 0, got;

    if (in == NULL)
        fail(path, "can't be opened");
    do {
        if (file.size == room) {
            room = room == 0 ? 65536 : 2 * room;
            file.data = realloc(file.data, room);
            if (file.data == NULL)
                fail(path, "no memory");
        }
        got = fread(file.data + file.size, 1, room - file.size, in);
        file.size += got;
    } while (got > 0);
    if (ferror(in))
        fail(path, "can't be read");
    fclose(in);
    return file;
}

/* Bytes of an element by the schema's TensorType; 0: its size is not fixed.  */
static int64_t type_bytes(uint32_t type)
{
    static const unsigned char bytes[] = {4, 2, 4, 1, 8, 0, 1, 2, 8, 1, 8, 16, 8, 0, 0, 4, 2};

    return type < sizeof bytes ? bytes[type] : 0;
}

static int64_t tensor_bytes(struct file *file, size_t tensor)
{
    struct vector shape = vector(file, tensor, TENSOR_SHAPE);
    size_t type = field(file, tensor, TENSOR_TYPE);
    int64_t bytes = type_bytes(type == 0 ? 0 : number(file, type, 1));

    for (size_t i = 0; i < shape.count; i++) {
        uint32_t dimension = number(file, shape.at + 4 * i, 4);

        if (dimension > INT32_MAX || (dimension > 0 && bytes > INT32_MAX / (int64_t)dimension)) {
            file->broken = 1;
            return 0;
        }
        bytes *= dimension;
    }
    return bytes;
}

/* Whether the tensor is the runtime's business: a constant, a variable, or empty.  */
static int is_left_out(struct file *file, size_t model, size_t tensor)
{
    size_t buffer = field(file, tensor, TENSOR_BUFFER);
    size_t variable = field(file, tensor, TENSOR_IS_VARIABLE);
    struct vector buffers = vector(file, model, MODEL_BUFFERS);
    size_t its = table_at(file, buffers, buffer == 0 ? 0 : number(file, buffer, 4));

    return vector(file, its, 0).count > 0 || (variable != 0 && number(file, variable, 1) != 0) ||
           tensor_bytes(file, tensor) == 0;
}

/* A tensor is alive from the operator that writes it to behind the last one that reads it.  */
static void use(struct file *file, struct vector of, int64_t step, struct arenaplan_buffer *buffer,
                size_t tensors)
{
    for (size_t i = 0; i < of.count; i++) {
        uint32_t tensor = number(file, of.at + 4 * i, 4);

        if (tensor == UINT32_MAX) /* an input that is left out */
            continue;
        if (tensor >= tensors) {
            file->broken = 1;
            continue;
        }
        if (step < buffer[tensor].begin)
            buffer[tensor].begin = step;
        if (step + 1 > buffer[tensor].end)
            buffer[tensor].end = step + 1;
    }
}

static void set_lifetimes(struct file *file, size_t graph, struct arenaplan_buffer *buffer,
                          size_t tensors)
{
    struct vector operators = vector(file, graph, GRAPH_OPERATORS);
    int64_t last = (int64_t)operators.count;

    for (size_t t = 0; t < tensors; t++) {
        buffer[t].begin = INT64_MAX;
        buffer[t].end = INT64_MIN;
    }
    use(file, vector(file, graph, GRAPH_INPUTS), 0, buffer, tensors);
    use(file, vector(file, graph, GRAPH_OUTPUTS), last, buffer, tensors);
    for (int64_t step = 0; step < last; step++) {
        size_t operator= table_at(file, operators, (size_t)step);

        use(file, vector(file, operator, OPERATOR_INPUTS), step, buffer, tensors);
        use(file, vector(file, operator, OPERATOR_OUTPUTS), step, buffer, tensors);
    }
}

static void write_plan(const char *path, const int32_t *number_of, size_t count)
{
    FILE *out = fopen(path, "wb");

    if (out == NULL)
        fail(path, "can't be written");
    for (size_t i = 0; i < count; i++)
        for (unsigned byte = 0; byte < 4; byte++)
            fputc((int)((uint32_t)number_of[i] >> 8 * byte & 0xff), out);
    if (ferror(out) | fclose(out))
        fail(path, "can't be written");
}

int main(int argc, char **argv)
{
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct arenaplan_result result = ARENAPLAN_RESULT;
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(NULL, 0);
    struct arenaplan_buffer *buffer;
    struct vector tensors;
    struct file file;
    size_t model, graph, n = 0, *which;
    int64_t *offset;
    int32_t *plan;

    if (argc < 2 || argc > 3) {
        fputs("usage: tflm_offline_plan MODEL.tflite [PLAN.bin]\n", stderr);
        return 2;
    }
    file = read_file(argv[1]);
    if (file.size < 8 || memcmp(file.data + 4, "TFL3", 4) != 0)
        fail(argv[1], "not a TensorFlow Lite model");
    model = number(&file, 0, 4);
    graph = table_at(&file, vector(&file, model, MODEL_SUBGRAPHS), 0);
    tensors = vector(&file, graph, GRAPH_TENSORS);
    buffer = calloc(tensors.count + 1, sizeof *buffer);
    which = calloc(tensors.count + 1, sizeof *which);
    offset = calloc(tensors.count + 1, sizeof *offset);
    plan = calloc(tensors.count + 3, sizeof *plan);
    if (buffer == NULL || which == NULL || offset == NULL || plan == NULL)
        fail(argv[1], "no memory");

    /* What is planned moves to the front. */
    set_lifetimes(&file, graph, buffer, tensors.count);
    for (size_t t = 0; t < tensors.count; t++) {
        size_t tensor = table_at(&file, tensors, t);

        plan[3 + t] = -1;
        if (buffer[t].begin >= buffer[t].end || is_left_out(&file, model, tensor))
            continue;
        buffer[n] = buffer[t];
        buffer[n].size = tensor_bytes(&file, tensor);
        buffer[n].alignment = ALIGNMENT;
        which[n++] = t;
    }
    if (file.broken)
        fail(argv[1], "damaged: something is not where the file says");

    problem.buffer = buffer;
    problem.count = n;
    options.work = 1000000; /* and not a time: the same plan on each machine */
    if (arenaplan_prove(&problem, &options, offset, &result) > ARENAPLAN_FEASIBLE)
        fail(argv[1], result.status == ARENAPLAN_INVALID ? arenaplan_fault_text(result.fault)
                                                         : arenaplan_status_text(result.status));
    if (result.peak > INT32_MAX)
        fail(argv[1], "the arena is larger than 32-bit offsets can tell");
    printf("# %s: arena of %" PRId64 " bytes, at least %" PRId64 " are needed\ntensor,offset\n",
           arenaplan_status_text(result.status), result.peak, result.lower_bound);
    for (size_t i = 0; i < n; i++)
        plan[3 + which[i]] = (int32_t)offset[i];
    for (size_t t = 0; t < tensors.count; t++)
        printf("%zu,%" PRId32 "\n", t, plan[3 + t]);
    plan[0] = 0;
    plan[1] = 1;
    plan[2] = (int32_t)tensors.count;
    if (argc == 3)
        write_plan(argv[2], plan, tensors.count + 3);
    free(buffer);
    free(which);
    free(offset);
    free(plan);
    free(file.data);
    return 0;
}
