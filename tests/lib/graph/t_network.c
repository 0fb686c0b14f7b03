/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks, schedules and the builder: what they refuse,
 * and shapes worked out by hand.  */
#include <config.h>

#include "lib/graph/network.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "lib/graph/schedule.h"
#include "tests/support/tap.h"
#include "workloads/builder/builder.h"

static const int64_t four[] = {1, 2, 3, 4};

/* x -> a -> y.  */
static struct network *chain(void)
{
    struct network *network = network_new("chain");
    size_t x = network_add_value(network, "x", VALUE_INPUT, DTYPE_F32, 4, four), a, y;
    size_t op = network_add_op(network, "a", OP_OTHER, "test", &x, 1);

    a = network_add_output(network, op, "a", DTYPE_F32, 4, four);
    op = network_add_op(network, "y", OP_OTHER, "test", (const size_t[]){a, a}, 2);
    y = network_add_output(network, op, "y", DTYPE_F32, 4, four);
    network_mark_output(network, y);
    return network;
}

static void graph(void)
{
    struct network *network = chain();
    struct value scalar = {.rank = 0, .dtype = DTYPE_I64};
    struct value empty = {.rank = 3, .dim = {INT64_MAX, INT64_MAX, 0}};
    struct value most = {
        .rank = 2, .dim = {INT64_C(1) << 31, INT64_C(1) << 29}, .dtype = DTYPE_F32};
    struct error error = {""};
    int64_t bytes;

    ok(network_check(network, &error), "a chain is a network");
    is_int(value_elements(&network->value[1]), 24, "elements");
    is_int(value_bytes(&network->value[1]), 96, "bytes");
    is_int((int64_t)network->value[1].readers, 2, "one reader an input slot");
    is_int((int64_t)network->value[1].reader[1], 1, "which names the operator");
    is_int(value_bytes(&scalar), 8, "a scalar has one element");
    is_int(value_elements(&empty), 0, "an empty tensor, whatever its other dimensions");
    ok(value_measure(&empty, &bytes) && bytes == 0, "measured, too");
    ok(value_measure(&network->value[1], &bytes) && bytes == 96, "what nobody has checked");
    ok(value_measure(&most, &bytes) && bytes == INT64_C(1) << 62, "as large as it may be");
    most.dim[0] *= 2;
    ok(!value_measure(&most, &bytes), "twice that does not fit");
    network_free(network);
}

static void refuses(struct network *network, const char *what)
{
    struct error error = {{0}};

    ok(!network_check(network, &error) && strstr(error.text, what) != NULL, "refused: %s",
       error.text);
    network_free(network);
}

static void network_faults(void)
{
    struct network *network = chain();

    /* A cycle: a reads y, which is made after it, from a.  */
    network->op[0].input[0] = network->op[1].output[0];
    refuses(network, "before operator 'y' makes it");
    network = chain();
    network->op[1].input[0] = network->op[1].output[0];
    refuses(network, "a cycle");
    network = chain();
    network->value[0].dim[0] = INT64_MAX / 16;
    refuses(network, "overflows");
    network = chain();
    network->value[0].dim[3] = -1;
    refuses(network, "dimension 3 is -1");
    network = chain();
    network->value[0].rank = NETWORK_MAX_RANK + 1;
    refuses(network, "rank 9");
    network = chain();
    network->value[2].output = false;
    refuses(network, "no output");
    network = chain();
    network->op[1].name[0] = 'a';
    refuses(network, "two operators are called 'a'");
    network = chain();
    network->value[1].name[0] = 'x';
    refuses(network, "two values are called 'x'");
    network = chain();
    network->op[0].macs = network->op[1].macs = INT64_MAX;
    refuses(network, "multiply-accumulates overflow");
    network = chain();
    network->value[0].role = VALUE_ACTIVATION;
    refuses(network, "no operator makes it");
    network = chain();
    network->op[0].kind = OP_CONV;
    network->op[0].conv.n = 1;
    refuses(network, "operator 'a'");
}

/* One operator with COUNT outputs, COUNT facts about them and an input that it reads
 * COUNT times.  */
static struct network *fan(size_t count)
{
    struct network *network = network_new("fan");
    size_t x = network_add_value(network, "x", VALUE_INPUT, DTYPE_F32, 4, four);
    size_t input[20], op;

    for (size_t i = 0; i < count; i++)
        input[i] = x;
    op = network_add_op(network, "fan", OP_OTHER, "test", input, count);
    for (size_t i = 0; i < count; i++) {
        char name[32];

        snprintf(name, sizeof name, "y%zu", i);
        network_add_output(network, op, name, DTYPE_F32, 4, four);
        network_add_reuse(network, op, (struct op_reuse){REUSE_OVERWRITE, i, i, 0});
    }
    network_mark_output(network, 1);
    return network;
}

/* Whether BLOCK has room for COUNT elements of SIZE bytes.  */
static bool has_room(void *block, size_t count, size_t size)
{
    return malloc_usable_size(block) >= count * size;
}

/* One more of everything: what it was stays, and all is within its memory.  */
static bool grows(struct network *network, size_t count)
{
    const struct network_op *op;
    struct error error = {""};
    size_t y = network_add_output(network, 0, "more", DTYPE_F32, 4, four), x = 0;

    network_add_reuse(network, 0, (struct op_reuse){REUSE_FORWARD, 0, count, 0});
    network_add_output(network, network_add_op(network, "reads", OP_OTHER, "test", &x, 1), "read",
                       DTYPE_F32, 4, four);
    op = &network->op[0];
    for (size_t i = 0; i < count; i++)
        if (op->output[i] != i + 1 || op->reuse[i].input != i || network->value[0].reader[i] != 0)
            return false;
    return op->outputs == count + 1 && op->output[count] == y && op->reuses == count + 1 &&
           op->reuse[count].kind == REUSE_FORWARD && network->value[0].reader[count] == 1 &&
           has_room(op->output, op->outputs, sizeof *op->output) &&
           has_room(op->reuse, op->reuses, sizeof *op->reuse) &&
           has_room(network->value[0].reader, network->value[0].readers, sizeof(size_t)) &&
           has_room(network->op, network->n_ops, sizeof *network->op) &&
           has_room(network->value, network->n_values, sizeof *network->value) &&
           network_check(network, &error);
}

/* What is added to a copy goes into memory of the copy, however many there were.  */
static void copies(void)
{
    for (size_t count = 1; count <= 20; count++) {
        struct network *network = fan(count), *copy = network_copy(network);
        struct error error = {""};

        ok(grows(copy, count), "a copy with %zu outputs takes one more", count);
        network_free(copy);
        ok(network->op[0].outputs == count && network->op[0].reuses == count &&
               network->n_values == count + 1 && network_check(network, &error),
           "the original has %zu", count);
        ok(grows(network, count), "until it gets one itself");
        network_free(network);
    }
}

static void schedules(void)
{
    struct network *network = chain();
    struct schedule *schedule = schedule_file_order(network);
    struct error error = {""};

    ok(schedule_check(schedule, network, &error) && schedule->serial && schedule->steps == 2,
       "file order is a serial schedule");
    schedule->step[1] = 0;
    ok(!schedule_check(schedule, network, &error) && strstr(error.text, "reads what") != NULL,
       "a producer and its reader cannot share a step: %s", error.text);
    schedule->step[1] = 2;
    ok(!schedule_check(schedule, network, &error) &&
           strstr(error.text, "step 2, expected 0 to 1") != NULL,
       "a step out of range: %s", error.text);
    schedule->step[1] = 1;
    schedule->n = 1;
    ok(!schedule_check(schedule, network, &error), "a schedule of another network");
    schedule->n = 2;
    schedule_free(schedule);
    network_free(network);
    /* Two independent operators on one step.  */
    network = network_new("pair");
    for (int i = 0; i < 2; i++) {
        size_t op = network_add_op(network, i == 0 ? "a" : "b", OP_OTHER, "test", NULL, 0);

        network_mark_output(
            network, network_add_output(network, op, network->op[op].name, DTYPE_F32, 4, four));
    }
    schedule = schedule_file_order(network);
    schedule->step[1] = 0;
    ok(!schedule_check(schedule, network, &error) && strstr(error.text, "serial") != NULL,
       "a shared step is not serial");
    schedule->serial = false;
    ok(schedule_check(schedule, network, &error), "independent operators may share a step");
    schedule_free(schedule);
    network_free(network);
}

/* Heights that windows of R at STRIDE give on H rows: padded by 1, rounded up
 * without padding and with it, and "same".  */
static void window_sizes(void)
{
    static const struct {
        int64_t h, r, stride, padded, ceiled, padded_ceiled, same;
    } row[] = {
        /* 7 rows, 3 every 2: floor((7 + 2 - 3) / 2) + 1 = 4; (7 - 3) / 2 + 1 = 3.  */
        {7, 3, 2, 4, 3, 4, 4},
        /* 8: floor(7 / 2) + 1 = 4; ceil(5 / 2) + 1 = 4; ceil(7 / 2) + 1 = 5,
         * whose window starts at 4 * 2 - 1 = 7, inside.  */
        {8, 3, 2, 4, 4, 5, 4},
        /* 4 rows, 2 every 3: floor(4 / 3) + 1 = 2; ceil(2 / 3) + 1 = 2;
         * ceil(4 / 3) + 1 = 3, whose window would start at 6 - 1 = 5, outside.  */
        {4, 2, 3, 2, 2, 2, 2},
        {5, 2, 1, 6, 4, 6, 5},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct builder *b = builder_new("windows", DTYPE_F32);
        size_t x = builder_input(b, "x", 4, (const int64_t[]){1, 2, row[i].h, 50}), y;

        y = builder_max_pool(b, "padded", x, .r = row[i].r, .stride = row[i].stride, .pad = 1);
        is_int(builder_dim(b, y, 2), row[i].padded, "row %zu: padded", i);
        y = builder_max_pool(b, "ceil", x, .r = row[i].r, .stride = row[i].stride, .ceil = true);
        is_int(builder_dim(b, y, 2), row[i].ceiled, "row %zu: rounded up", i);
        y = builder_avg_pool(b, "both", x, .r = row[i].r, .stride = row[i].stride, .pad = 1,
                             .ceil = true);
        is_int(builder_dim(b, y, 2), row[i].padded_ceiled, "row %zu: padded, rounded up", i);
        y = builder_conv(b, "same", x, 3, .r = row[i].r, .stride = row[i].stride, .same = true);
        is_int(builder_dim(b, y, 2), row[i].same, "row %zu: same", i);
        builder_output(b, y);
        network_free(builder_finish(b, NULL));
    }
}

/* Macs and parameters of layers with distinct dimensions.  */
static void layers(void)
{
    struct builder *b = builder_new("layers", DTYPE_F16);
    size_t x = builder_input(b, "x", 4, (const int64_t[]){2, 6, 5, 7});
    struct network *network;

    x = builder_conv(b, "grouped", x, 4, .r = 3, .s = 1, .groups = 2, .bias = true);
    x = builder_depthwise(b, "depthwise", x, .r = 3);
    x = builder_batch_norm(b, "bn", x);
    x = builder_linear(b, "fc", x, 11);
    builder_output(b, x);
    network = builder_finish(b, NULL);
    ok(network != NULL, "layers build");
    is_int(network->op[0].macs, 2 * 4 * (3 * 7) * (3 * 3 * 1), "grouped: a group sees 3 channels");
    is_int(network->op[1].macs, 2 * 4 * (1 * 5) * 9, "depthwise: a group sees 1");
    is_int(network->op[3].macs, 2 * 11 * (4 * 1 * 5), "linear: all that an image has");
    is_int(network_macs(network), 2 * 4 * 21 * 9 + 2 * 4 * 5 * 9 + 2 * 11 * 20, "their sum");
    is_int(network_parameters(network), (4 * 3 * 3 + 4) + 4 * 9 + 2 * 4 + (11 * 20 + 11),
           "parameters: running mean and variance are none");
    is_text(network->value[1].name, "grouped.weight", "names of weights");
    is_int(value_bytes(&network->value[1]), 4 * 3 * 3 * 2, "f16 takes two bytes");
    network_free(network);
}

static void builder_error(struct builder *b, size_t x, const char *what)
{
    struct error error = {{0}};

    x = builder_relu(b, "after", x);
    builder_output(b, builder_conv(b, "after2", x, 4, .r = 100));
    ok(builder_finish(b, &error) == NULL && strstr(error.text, what) != NULL, "first error: %s",
       error.text);
}

static void builder_errors(void)
{
    const int64_t dim[] = {1, 4, 8, 8}, wide[] = {1, 4, 8, 9};
    struct builder *b = builder_new("bad", DTYPE_F32);
    size_t x = builder_input(b, "x", 4, dim), y;

    builder_push(b, "stage%d.", 1);
    x = builder_max_pool(b, "pool", x, .r = 9);
    builder_pop(b);
    builder_error(b, x, "stage1.pool: a window of 9 x 9 does not fit 8 x 8");
    b = builder_new("bad", DTYPE_F32);
    x = builder_input(b, "x", 4, dim);
    y = builder_input(b, "y", 4, wide);
    builder_error(b, builder_add(b, "add", x, y), "add: 'x' and 'y' have different shapes");
    b = builder_new("bad", DTYPE_F32);
    x = builder_input(b, "x", 4, dim);
    y = builder_input(b, "y", 4, wide);
    builder_error(b, builder_concat(b, "cat", (const size_t[]){x, y}, 2),
                  "cat: 'x' and 'y' cannot be joined");
    b = builder_new("bad", DTYPE_F32);
    x = builder_input(b, "x", 4, dim);
    builder_error(b, builder_conv(b, "conv", x, 6, .r = 3, .groups = 4), "conv: convolution");
    b = builder_new("bad", DTYPE_F32);
    x = builder_input(b, "x", 4, dim);
    builder_error(b, builder_reshape(b, "flat", x, 1, (const int64_t[]){255}), "flat: ");
    b = builder_new("bad", DTYPE_F32);
    x = builder_input(b, "x", 4, dim);
    builder_error(b, builder_max_pool(b, "pool", builder_linear(b, "fc", x, 5), .r = 1),
                  "pool: its input has 2 dimensions");
    b = builder_new("bad", DTYPE_F32);
    x = builder_input(b, "x", 4, (const int64_t[]){INT64_MAX / 4, 4, 1, 1});
    builder_error(b, builder_linear(b, "fc", x, 5), "fc: its multiply-accumulates overflow");
}

int main(void)
{
    graph();
    network_faults();
    copies();
    schedules();
    window_sizes();
    layers();
    builder_errors();
    return tap_done();
}
