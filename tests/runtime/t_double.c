/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models of one operator or two as text: what is right is as near to a run in double as the bound
 * says, what is wrong is not; and normalisations of training, which their outputs tell.  */
#include <config.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/fuse.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "runtime/compare.h"
#include "runtime/memory.h"
#include "runtime/run.h"
#include "runtime/wide.h"
#include "tests/support/onnx_network.h"
#include "tests/support/tap.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* NULL with a message where it cannot be run.  */
static struct network *read_text(const char *text, enum fuse fuse, struct error *error)
{
    struct network *network = onnx_runnable_of(text, error);

    if (network != NULL)
        network = network_fuse(network, fuse);
    if (network == NULL || run_check(network, error))
        return network;
    network_free(network);
    return NULL;
}

static struct run_memory *run_of(const struct network *network)
{
    const struct run_options options = {.threads = 1};
    struct schedule *schedule = schedule_file_order(network);
    struct error error = {""};
    struct run_memory *memory = run_apart(network, schedule, &options, &error);

    schedule_free(schedule);
    if (memory != NULL)
        return memory;
    tap_diag("%s", error.text);
    abort();
}

/* --- held against double --- */

/* A model without its last attributes; RIGHT are its own, WRONG those of a slightly other one, of
 * the same shapes, or NULL.  */
static const struct row {
    const char *what, *text, *right, *wrong;
} rows[] = {
#define GRID(opset, x, grid) \
    "opset " #opset "\ninput x f32 " x "\ninput g f32 " grid "\nGridSample x g -> y "
    {"images", GRID(16, "2 3 40 33", "2 50 60 2"), "mode=\"bilinear\"", "align_corners=1"},
    {"images, by corners", GRID(16, "1 3 40 33", "1 50 60 2"), "align_corners=1",
     "mode=\"nearest\" align_corners=1"},
    {"images, cubic", GRID(16, "1 2 300 200", "1 50 60 2"),
     "mode=\"bicubic\" padding_mode=\"reflection\"",
     "mode=\"bilinear\" padding_mode=\"reflection\""},
    {"images, the nearest element", GRID(16, "1 2 300 200", "1 200 200 2"), "mode=\"nearest\"",
     "mode=\"nearest\" align_corners=1"},
    {"volumes", GRID(20, "1 2 9 10 11", "1 5 6 7 3"), "padding_mode=\"border\"", "align_corners=1"},
    {"halfway in single precision alone",
     "opset 16\ninput x f32 1 1 1 10\ninit g f32 1 1 1 2 = 0.4 0\nGridSample x g -> y ",
     "mode=\"nearest\"", "mode=\"bilinear\""},
    {"a grid that is made",
     "opset 20\ninput t f32 1 2 3\ninput x f32 1 2 20 20\ninit s i64 4 = 1 2 30 31\n"
     "AffineGrid t s -> g\nGridSample x g -> y ",
     "mode=\"linear\"", "mode=\"nearest\""},

#define SCALED "opset 18\ninput x f32 2 3 17 23\ninit s f32 4 = 1 1 1.7 0.45\nResize x _ s -> y "
    {"Resize, linear", SCALED, "mode=\"linear\"",
     "mode=\"linear\" coordinate_transformation_mode=\"asymmetric\""},
    {"Resize, cubic", SCALED, "mode=\"cubic\"", "mode=\"cubic\" cubic_coeff_a=-0.7499"},
    {"Resize, antialiasing", SCALED, "mode=\"cubic\" antialias=1", "mode=\"cubic\""},
    {"Resize, the nearest element", SCALED,
     "mode=\"nearest\" coordinate_transformation_mode=\"asymmetric\" nearest_mode=\"floor\"",
     "mode=\"nearest\" coordinate_transformation_mode=\"asymmetric\" nearest_mode=\"ceil\""},
    {"Resize by sizes",
     "opset 13\ninput x f32 1 2 64 48\ninit s i64 4 = 1 2 200 37\nResize x _ _ s -> y ",
     "mode=\"linear\" coordinate_transformation_mode=\"align_corners\"", "mode=\"linear\""},
    {"RoiAlign",
     "opset 16\ninput x f32 1 2 30 40\ninput r f32 5 4\ninit b i64 5 = 0 0 0 0 0\n"
     "RoiAlign x r b -> y output_height=3 output_width=4 spatial_scale=20.0 ",
     "sampling_ratio=2", "sampling_ratio=3"},
    {"RoiAlign, as many samples as elements",
     "opset 16\ninput x f32 1 2 30 40\ninit r f32 2 4 = 0.1 0.2 30.1 20.7 3 4 24 18\n"
     "init b i64 2 = 0 0\nRoiAlign x r b -> y output_height=3 output_width=4 ",
     "spatial_scale=1.0", "coordinate_transformation_mode=\"output_half_pixel\""},

    {"LayerNormalization", "opset 17\ninput x f32 7 5\ninput s f32 5\nLayerNormalization x s -> y ",
     "epsilon=0.00001", "epsilon=0.0001"},
    {"LayerNormalization of long rows",
     "opset 17\ninput x f32 4 3000\ninput s f32 3000\ninput b f32 3000\n"
     "LayerNormalization x s b -> y ",
     "epsilon=0.00001", "epsilon=0.0001"},
    {"LayerNormalization of all",
     "opset 17\ninput x f32 2 3 4 5\ninput s f32 2 3 4 5\nLayerNormalization x s -> y axis=0 ",
     "epsilon=0.00001", "epsilon=0.0001"},
    {"InstanceNormalization",
     "opset 13\ninput x f32 2 3 64 64\ninput s f32 3\ninput b f32 3\n"
     "InstanceNormalization x s b -> y ",
     "epsilon=0.00001", "epsilon=0.0001"},
    {"InstanceNormalization of two elements",
     "opset 13\ninput x f32 4 3 2\ninput s f32 3\ninput b f32 3\n"
     "InstanceNormalization x s b -> y ",
     "epsilon=0.001", "epsilon=0.0011"},
    {"GroupNormalization",
     "opset 21\ninput x f32 2 6 20 20\ninput s f32 6\ninput b f32 6\n"
     "GroupNormalization x s b -> y num_groups=2 ",
     "epsilon=0.00001", "epsilon=0.0001"},
    {"BatchNormalization in training",
     "opset 15\ninput x f32 5 3 20 20\ninput s f32 3\ninput b f32 3\ninput m f32 3\ninput v f32 3\n"
     "BatchNormalization x s b m v -> y training_mode=1 ",
     "epsilon=0.00001", "epsilon=0.0001"},
#define EXACT "opset 13\ninput r f32 3\ninit c f32 3 = 25.5 0.35 0.75\nSub r r -> n\nAdd n c -> x\n"
    {"halfway between whole numbers", EXACT "init s f32 = 0.1\nQuantizeLinear x s -> y ", "", NULL},
    {"halfway by a scale of its own",
     EXACT "DynamicQuantizeLinear x -> q t z\n"
           "DequantizeLinear q t z -> y ",
     "", NULL},
    {"a mean", "opset 13\ninput x f32 3 500\nReduceMean x -> y ", "axes=1,", NULL},
    {"HardSwish", "opset 14\ninput x f32 300\nHardSwish x -> w\nNeg w -> z\nNeg z -> y ", "", NULL},
};

/* The text of ROW with ATTRIBUTES.  */
static struct network *model_of(const struct row *row, const char *attributes)
{
    char *text = memory_printf("%s%s\noutput y\n", row->text, attributes);
    struct error error = {""};
    struct network *network = read_text(text, FUSE_NONE, &error);

    if (network == NULL) {
        tap_diag("%s: %s", row->what, error.text);
        abort();
    }
    free(text);
    return network;
}

static void check_row(const struct row *row)
{
    struct network *network = model_of(row, row->right), *wide = network_widened(network);
    struct run_memory *narrow = run_of(network), *exact = run_of(wide);
    double bound = run_distance_bound(network), distance = run_distance(network, narrow, exact);

    ok(distance <= bound, "%s: %g from double, bound %g", row->what, distance, bound);
    if (row->wrong != NULL) {
        struct network *other = model_of(row, row->wrong);
        struct run_memory *wrong = run_of(other);

        distance = run_distance(network, wrong, exact);
        ok(distance > 2.0 * bound, "%s: with %s %g", row->what, row->wrong, distance);
        run_memory_free(wrong);
        network_free(other);
    }
    run_memory_free(exact);
    run_memory_free(narrow);
    network_free(wide);
    network_free(network);
}

/* What is computed in double is so as ever.  */
static void test_own_double(void)
{
    struct error error = {""};
    struct network *network =
        read_text("opset 16\ninput x f64 1 1 1 10\ninit g f32 1 1 1 2 = 0.4 0\n"
                  "Cast g -> h to=11\nGridSample x h -> y mode=\"nearest\"\noutput y\n",
                  FUSE_NONE, &error);
    struct network *wide = network_widened(network);
    struct run_memory *narrow = run_of(network), *exact = run_of(wide);

    ok(run_distance(network, narrow, exact) == 0.0, "a model in double is the same again");
    run_memory_free(exact);
    run_memory_free(narrow);
    network_free(wide);
    network_free(network);
}

/* --- training --- */

#define NORM_INPUTS                                                                      \
    "init w f32 3 3 1 = 1 0 0 0 1 0 0 0 1\ninit s f32 3 = 1 1 1\ninit b f32 3 = 0 0 0\n" \
    "init m f32 3 = 9 9 9\ninit v f32 3 = 4 4 4\ninput x f32 4 3 50\nConv x w -> c\n"    \
    "BatchNormalization c s b m v -> "

static const struct {
    const char *what, *text;
    bool training;
    const char *refused;
} norms[] = {
    {"one output", "opset 9\n" NORM_INPUTS "y\noutput y\n", false, NULL},
    {"names left out", "opset 9\n" NORM_INPUTS "y _ _ _ _\noutput y\n", false, NULL},
    {"five outputs", "opset 9\n" NORM_INPUTS "y a c2 d e\noutput y\n", true, NULL},
    {"the last of them", "opset 13\n" NORM_INPUTS "y _ _ _ e\noutput y\n", true, NULL},
    {"five of version 7", "opset 7\n" NORM_INPUTS "y a c2 d e\noutput y\n", true, NULL},
    {"five of version 6", "opset 6\n" NORM_INPUTS "y a c2 d e\noutput y\n", true, NULL},
    {"one of version 6", "opset 6\n" NORM_INPUTS "y is_test=1\noutput y\n", false, NULL},
    {"training without outputs", "opset 6\n" NORM_INPUTS "y\noutput y\n", true,
     "without its outputs"},
    {"inference with them", "opset 6\n" NORM_INPUTS "y a is_test=1\noutput y\n", false, "is_test"},
    {"single elements", "opset 7\n" NORM_INPUTS "y spatial=0\noutput y\n", false,
     "single elements"},
    {"unread ones of version 14", "opset 14\n" NORM_INPUTS "y a c2\noutput y\n", false, NULL},
    {"the attribute", "opset 14\n" NORM_INPUTS "y training_mode=1\noutput y\n", true, NULL},
};

/* Largest mean of a channel; that of training is 0.  */
static double mean_of(const struct network *network, const struct run_memory *memory)
{
    enum { IMAGES = 4, CHANNELS = 3, PIXELS = 50 };
    double largest = 0.0;

    for (size_t v = 0; v < network->n_values; v++)
        for (int c = 0; network->value[v].output && c < CHANNELS; c++) {
            double sum = 0.0;

            for (int i = 0; i < IMAGES * PIXELS; i++)
                sum += (double)((const float *)memory
                                    ->value[v])[(i / PIXELS * CHANNELS + c) * PIXELS + i % PIXELS];
            largest = fmax(largest, fabs(sum / (IMAGES * PIXELS)));
        }
    return largest;
}

static void test_norms(enum fuse fuse)
{
    for (size_t i = 0; i < COUNT(norms); i++) {
        struct error error = {""};
        struct network *network = read_text(norms[i].text, fuse, &error);
        struct run_memory *memory;

        if (norms[i].refused != NULL || network == NULL) {
            ok(network == NULL && norms[i].refused != NULL &&
                   strstr(error.text, norms[i].refused) != NULL,
               "%s: %s", norms[i].what, error.text);
            network_free(network);
            continue;
        }
        memory = run_of(network);
        ok((mean_of(network, memory) < 1e-6) == norms[i].training, "%s%s: %s", norms[i].what,
           fuse == FUSE_NONE ? "" : ", fused", norms[i].training ? "training" : "inference");
        run_memory_free(memory);
        network_free(network);
    }
}

int main(void)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        check_row(&rows[i]);
    test_own_double();
    test_norms(FUSE_NONE);
    test_norms(FUSE_ALL);
    return tap_done();
}
