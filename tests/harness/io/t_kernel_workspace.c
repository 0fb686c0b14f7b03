/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kernels ask for, as they say it: the formula of im2col on all convolutions of the zoo, that
 * of Winograd's algorithm on VGG-16.  */
#include <config.h>

#include "harness/io/kernel_workspace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "kernels/layer.h"
#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"
#include "workloads/workload.h"

/* The plain convolutions of a network.  */
struct layers {
    size_t count, capacity;
    struct conv_shape *shape;
};

static struct layers layers_of(const char *name, int64_t batch)
{
    char *spec = memory_printf("%s:batch=%" PRId64, name, batch);
    struct network *network = network_of(spec);
    struct layers layers = {0};

    for (size_t o = 0; o < network->n_ops; o++) {
        if (network->op[o].kind != OP_CONV || network->op[o].conv.n == 0)
            continue;
        layers.shape =
            memory_grow(layers.shape, &layers.capacity, layers.count + 1, sizeof *layers.shape);
        layers.shape[layers.count++] = network->op[o].conv;
    }
    network_free(network);
    free(spec);
    return layers;
}

static bool is_there(const char *kernel, int assertions)
{
    const struct conv_peer *peer = conv_peer_find(kernel);

    if (conv_kernel_find(kernel) != NULL)
        return true;
    tap_skip(assertions, peer != NULL && peer->absent != NULL ? peer->absent : "no such kernel");
    return false;
}

/* What KERNEL and FORMULA ask for.  */
static bool same_answers(const char *kernel, const char *formula, const struct layers *layers)
{
    int64_t *asked = memory_alloc(layers->count + 1, sizeof *asked);
    int64_t *worked_out = memory_alloc(layers->count + 1, sizeof *worked_out);
    struct error reason = {""}, error = {""};
    bool same =
        kernel_workspace(kernel, layers->shape, layers->count, asked, &reason, &error) &&
        workspace_formula(formula, layers->shape, layers->count, worked_out, &reason, &error);

    if (!same)
        tap_diag("%s", error.text);
    for (size_t i = 0; i < layers->count && same; i++)
        if (asked[i] != worked_out[i]) {
            char *text = layer_text(&layers->shape[i]);

            tap_diag("%s: %" PRId64 ", by the formula %" PRId64, text, asked[i], worked_out[i]);
            free(text);
            same = false;
        }
    free(asked);
    free(worked_out);
    return same;
}

static void columns(void)
{
    const size_t step = (size_t)tap_tier(6, 1);
    size_t count = 0;

    for (size_t f = 0; network_registry[f] != NULL; f++)
        for (size_t m = 0; network_registry[f]->model[m].name != NULL; m++)
            for (int64_t batch = 1; batch <= 8; batch += 7) {
                const char *name = network_registry[f]->model[m].name;
                struct layers layers;

                if (count++ % step != 0 || !is_there("im2col-openblas", 1))
                    continue;
                layers = layers_of(name, batch);
                ok(same_answers("im2col-openblas", "im2col", &layers),
                   "%s: %zu convolutions of %" PRId64 " images, columns as by the formula", name,
                   layers.count, batch);
                free(layers.shape);
            }
}

static void none(void)
{
    struct layers layers = layers_of("mobilenet_v2", 1);
    int64_t *bytes = memory_alloc(layers.count, sizeof *bytes), most = 0, least = 0;
    struct error reason = {""}, error = {""};

    ok(kernel_workspace("mgemm", layers.shape, layers.count, bytes, &reason, &error), "mgemm%s",
       error.text);
    for (size_t i = 0; i < layers.count; i++) {
        most = max64(most, bytes[i]);
        least = min64(least, bytes[i]);
    }
    ok(layers.count == 52 && most == 0 && least == 0, "asks for nothing, and does all layers");
    is_text(reason.text, "", "so there is no reason");
    free(bytes);
    free(layers.shape);
}

/* Bytes by which oneDNN's Winograd, with transformed images of the whole batch, differs from our
 * formula: channels in blocks of 16, filters that it transforms too, three regions with 2 MiB to
 * align each.  */
static int64_t whole_batch(const struct conv_shape *shape)
{
    struct conv_shape blocks = *shape;
    int64_t bytes = 0;

    blocks.c = align_up(shape->c, 16);
    blocks.k = align_up(shape->k, 16);
    workspace_formula("winograd", &blocks, 1, &bytes, NULL, NULL);
    return shape->n * bytes + 36 * blocks.c * blocks.k * 4 + 3 * (2 << 20);
}

/* It takes other tiles, or a part of the image at a time, where that suits its caches.  */
static void tiles(void)
{
    struct layers layers = layers_of("vgg16", 8);
    int64_t *bytes = memory_alloc(layers.count, sizeof *bytes);
    size_t done = 0, whole = 0;
    struct error reason = {""}, error = {""};

    if (is_there("onednn-winograd", 1) &&
        ok(kernel_workspace("onednn-winograd", layers.shape, layers.count, bytes, &reason, &error),
           "oneDNN's Winograd%s", error.text)) {
        for (size_t i = 0; i < layers.count; i++) {
            done += bytes[i] >= 0;
            whole += bytes[i] == whole_batch(&layers.shape[i]);
        }
        tap_diag("%zu of %zu layers done, %zu with all tiles at once", done, layers.count, whole);
        if (done == 0)
            tap_skip(1, reason.text);
        else
            ok(whole > 0, "where it has all tiles at once, they are as many as in the formula");
    }
    free(bytes);
    free(layers.shape);
}

static void refusals(void)
{
    struct error reason = {""}, error = {""};
    struct conv_shape shapes[2] = {{0}, {0}};
    int64_t bytes[2] = {-7, -7};

    ok(!kernel_workspace("mgem", shapes, 0, bytes, &reason, &error), "an unknown kernel");
    is_text(error.text,
            "expected none, im2col, winograd or a kernel: unknown kernel 'mgem' (did you mean "
            "'mgemm'?)",
            "is an error");
    if (!layer_parse("c=16,h=8,w=8,k=16,r=3,s=3,stride=2,pad=1", &shapes[0], &error) ||
        !layer_parse("c=16,h=8,w=8,k=16,r=1,s=1", &shapes[1], &error))
        abort();
    if (is_there("onednn-winograd", 2)) {
        ok(kernel_workspace("onednn-winograd", shapes, 2, bytes, &reason, &error) &&
               bytes[0] == -1 && bytes[1] == -1,
           "layers that a kernel does not do are said to be that");
        ok(strstr(reason.text, "oneDNN has no Winograd convolution") == reason.text, "why: %s",
           reason.text);
    }
}

/* An instance has to be the same each time.  */
static void not_said(void)
{
    struct layers layers = layers_of("alexnet", 1);
    int64_t *bytes = memory_alloc(layers.count, sizeof *bytes);
    struct error reason = {""}, error = {""};

    if (is_there("xnnpack", 1)) {
        ok(!kernel_workspace("xnnpack", layers.shape, layers.count, bytes, &reason, &error) &&
               strstr(error.text, "xnnpack does not say what it asks for") == error.text,
           "what is only seen in the heap is refused: %s", error.text);
    }
    free(bytes);
    free(layers.shape);
}

int main(void)
{
    columns();
    none();
    tiles();
    refusals();
    not_said();
    return tap_done();
}
