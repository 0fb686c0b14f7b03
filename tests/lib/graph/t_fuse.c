/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fusion and the expansion of grouped convolutions on hand-made graphs.  */
#include <config.h>

#include "lib/graph/fuse.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/graph/computation.h"
#include "lib/graph/elements.h"
#include "lib/graph/expand.h"
#include "lib/graph/network.h"
#include "tests/support/tap.h"
#include "workloads/builder/builder.h"

static const int64_t image[] = {2, 8, 4, 4};

/* The operators in order as text: "name=type+activation(inputs)", with what
 * is stored left out and '!' behind a network output.  */
static char *describe(const struct network *network)
{
    char *text = memory_strdup("");

    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];
        const char *comma = "";

        text = memory_append(
            text, "%s%s%s=%s%s%s(", o == 0 ? "" : " ", network->value[op->output[0]].name,
            network->value[op->output[0]].output ? "!" : "", op->type,
            op->activation == NULL ? "" : "+", op->activation == NULL ? "" : op->activation);
        for (size_t i = 0; i < op->inputs; i++) {
            const struct value *value = &network->value[op->input[i]];

            if (value->role != VALUE_ACTIVATION && value->role != VALUE_INPUT)
                continue;
            text = memory_append(text, "%s%s", comma, value->name);
            comma = ",";
        }
        text = memory_append(text, ")");
    }
    return text;
}

static struct network *is_fused(struct network *network, enum fuse fuse, const char *want,
                                const char *what)
{
    struct error error = {{0}};
    char *got;

    network = network_fuse(network, fuse);
    ok(network_check(network, &error), "%s: still a network%s", what, error.text);
    got = describe(network);
    is_text(got, want, "%s", what);
    free(got);
    return network;
}

static void is_fused_once(struct builder *b, enum fuse fuse, const char *want, const char *what)
{
    network_free(is_fused(builder_finish(b, NULL), fuse, want, what));
}

/* Convolution, normalisation, activation, one more convolution.  */
static struct builder *plain(bool bias)
{
    struct builder *b = builder_new("plain", DTYPE_F32);
    size_t x = builder_input(b, "x", 4, image);

    x = builder_conv(b, "c1", x, 16, .r = 3, .pad = 1, .bias = bias);
    x = builder_batch_norm(b, "n1", x);
    x = builder_relu(b, "r1", x);
    x = builder_conv(b, "c2", x, 4, .r = 1);
    builder_output(b, builder_batch_norm(b, "n2", x));
    return b;
}

static void into_layers(void)
{
    struct network *network;

    is_fused_once(plain(false), FUSE_NONE,
                  "c1=conv(x) n1=batch_norm(c1) r1=relu(n1) c2=conv(r1) n2!=batch_norm(c2)",
                  "none: nothing changes");
    is_fused_once(plain(false), FUSE_BN, "c1=conv(x) r1=relu(c1) n2!=conv(r1)",
                  "bn: normalisations go into the convolutions before them");
    network = is_fused(builder_finish(plain(false), NULL), FUSE_ALL, "c1=conv+relu(x) n2!=conv(c1)",
                       "all: activations too");
    is_int(network_parameters(network), (16 * 8 * 9 + 16) + (4 * 16 + 4),
           "a folded normalisation leaves one bias");
    is_int(network_macs(network), 2 * 16 * (16 * 8 * 9 + 4 * 16), "work stays");
    for (size_t v = 0; v < network->n_values; v++)
        ok(network->value[v].role != VALUE_STATISTIC, "'%s' is no statistic",
           network->value[v].name);
    network_free(network);
    network = is_fused(builder_finish(plain(true), NULL), FUSE_ALL, "c1=conv+relu(x) n2!=conv(c1)",
                       "a layer with a bias of its own");
    is_int(network_parameters(network), (16 * 8 * 9 + 16) + (4 * 16 + 4), "keeps that one");
    network_free(network);
}

/* Pre-activation: the normalisation's input is no layer's, or is read twice.  */
static struct builder *pre_activation(void)
{
    struct builder *b = builder_new("pre", DTYPE_F32);
    size_t x = builder_input(b, "x", 4, image), c, y;

    c = builder_conv(b, "c1", x, 8, .r = 1);
    y = builder_batch_norm(b, "n1", c);
    y = builder_relu(b, "r1", y);
    y = builder_conv(b, "c2", y, 8, .r = 1);
    y = builder_add(b, "add", y, c);
    y = builder_relu(b, "r2", y);
    builder_output(b, builder_max_pool(b, "p", y, .r = 2));
    return b;
}

static void into_activations(void)
{
    is_fused_once(pre_activation(), FUSE_BN,
                  "c1=conv(x) n1=batch_norm+relu(c1) c2=conv(n1) add=add(c2,c1) r2=relu(add) "
                  "p!=max_pool(r2)",
                  "bn: a normalisation of what is read twice goes into its activation");
    is_fused_once(pre_activation(), FUSE_ALL,
                  "c1=conv(x) n1=batch_norm+relu(c1) c2=conv(n1) add=add+relu(c2,c1) "
                  "p!=max_pool(add)",
                  "all: which then is no pure activation, but an addition takes one");
}

/* What must not be fused: outputs, values with several readers, aliases.  */
static void kept(void)
{
    struct builder *b = builder_new("output", DTYPE_F32);
    size_t x = builder_input(b, "x", 4, image), c, n, r, s, a;

    c = builder_conv(b, "c", x, 8, .r = 1);
    builder_output(b, c);
    n = builder_batch_norm(b, "n", c);
    builder_output(b, n);
    builder_output(b, builder_relu(b, "r", n));
    is_fused_once(b, FUSE_ALL, "c!=conv(x) n!=batch_norm(c) r!=relu(n)",
                  "network outputs are never fused away");

    b = builder_new("readers", DTYPE_F32);
    x = builder_input(b, "x", 4, image);
    c = builder_conv(b, "c", x, 8, .r = 1);
    n = builder_batch_norm(b, "n", c);
    r = builder_relu(b, "r", n);
    s = builder_relu6(b, "s", n);
    a = builder_add(b, "a", r, s);
    builder_output(b, builder_add(b, "y", a, a));
    is_fused_once(b, FUSE_ALL, "c=conv(x) r=relu(c) s=relu6(c) a=add(r,s) y!=add(a,a)",
                  "a value with two readers keeps both");

    b = builder_new("alias", DTYPE_F32);
    x = builder_input(b, "x", 4, image);
    a = builder_reshape(b, "a", x, 2, (const int64_t[]){2, 128});
    r = builder_relu(b, "r", a);
    s = builder_relu6(b, "s", r);
    builder_output(b, builder_linear(b, "y", s, 3));
    is_fused_once(b, FUSE_ALL, "a=reshape(x) r=relu+relu6(a) y!=linear(r)",
                  "an alias takes no activation; an activation takes one");

    b = builder_new("after", DTYPE_F32);
    x = builder_input(b, "x", 4, image);
    c = builder_conv(b, "c", x, 8, .r = 1);
    r = builder_relu(b, "r", c);
    n = builder_batch_norm(b, "n", r);
    s = builder_relu(b, "s", n);
    s = builder_relu6(b, "t", s);
    builder_output(b, builder_max_pool(b, "p", s, .r = 2));
    is_fused_once(b, FUSE_ALL, "c=conv+relu(x) n=batch_norm+relu(c) t=relu6(n) p!=max_pool(t)",
                  "a normalisation after an activation does not reach the convolution");
}

/* Two normalisations in a row both fold; the one before a concatenation with
 * no activation stays where its input is no layer's.  */
static void rows(void)
{
    struct builder *b = builder_new("two", DTYPE_F32);
    size_t x = builder_input(b, "x", 4, image), c, n;

    c = builder_linear(b, "c", x, 8);
    n = builder_batch_norm(b, "n", c);
    n = builder_batch_norm(b, "m", n);
    builder_output(b, builder_relu(b, "r", n));
    is_fused_once(b, FUSE_ALL, "r!=linear+relu(x)", "two normalisations in a row");

    b = builder_new("stays", DTYPE_F32);
    x = builder_input(b, "x", 4, image);
    n = builder_batch_norm(b, "n", x);
    builder_output(b, builder_concat(b, "y", (const size_t[]){n, x}, 2));
    is_fused_once(b, FUSE_ALL, "n=batch_norm(x) y!=concat(n,x)",
                  "a normalisation without a partner stays");
}

static struct builder *grouped(void)
{
    struct builder *b = builder_new("grouped", DTYPE_F32);
    size_t x = builder_input(b, "x", 4, image);

    x = builder_conv(b, "g", x, 4, .r = 3, .groups = 2);
    x = builder_batch_norm(b, "n", x);
    x = builder_relu(b, "r", x);
    builder_output(b, builder_depthwise(b, "d", x, .r = 1));
    return b;
}

static void expansion(void)
{
    struct network *network = builder_finish(grouped(), NULL);
    int64_t macs = network_macs(network), parameters = network_parameters(network);
    struct error error = {{0}};
    char *text;

    network = network_expand_groups(network);
    ok(network_check(network, &error), "expanded: still a network%s", error.text);
    text = describe(network);
    is_text(text,
            "g.split.0=split(x) g.0=conv(g.split.0) g.1=conv(g.split.1) g=concat(g.0,g.1) "
            "n=batch_norm(g) r=relu(n) d!=conv(r)",
            "a split, a convolution a group, a concatenation; depthwise stays");
    free(text);
    is_int(network_macs(network), macs, "the same work");
    is_int(network_parameters(network), parameters, "the same parameters");
    is_int((int64_t)network->op[0].outputs, 2, "the split has an output a group");
    is_int(network->value[network->op[0].output[1]].dim[1], 4, "of half the channels");
    network_free(network);
    network = network_expand_groups(network_fuse(builder_finish(grouped(), NULL), FUSE_ALL));
    ok(network_check(network, &error), "fused and expanded: still a network%s", error.text);
    text = describe(network);
    is_text(text,
            "g.split.0=split(x) g.0=conv+relu(g.split.0) g.1=conv+relu(g.split.1) "
            "g=concat(g.0,g.1) d!=conv(g)",
            "what was fused goes with each part");
    free(text);
    is_int(network_parameters(network), 4 * 4 * 9 + 4 + 4, "a bias cut in two");
    network_free(network);
}

/* --- the numbers behind a folded normalisation --- */

/* A stored value of COUNT floats, 1, 2, 3 ... times SCALE, as COLUMNS columns or none.  */
static size_t stored(struct network *network, const char *name, int64_t count, int64_t columns,
                     float scale)
{
    const int64_t dim[] = {columns > 0 ? count / columns : count, columns};
    size_t v = network_add_value(network, name, VALUE_WEIGHT, DTYPE_F32, columns > 0 ? 2 : 1, dim);
    struct elements *elements = elements_new((size_t)count * sizeof(float));

    for (int64_t i = 0; i < count; i++)
        ((float *)elements->data)[i] = scale * (float)(i + 1);
    network_set_elements(network, v, elements);
    return v;
}

static size_t computed(struct network *network, const char *name, enum op_kind kind,
                       const char *computation, const size_t *input, size_t inputs)
{
    size_t op = network_add_op(network, name, kind, "op", input, inputs);

    network_set_computation(network, op, computation_new(computation, 13, inputs, 1));
    return network_add_output(network, op, name, DTYPE_F32, 2, (const int64_t[]){1, 2});
}

/* What follows the second of two layers: the normalisation of the first, or one of which input 1 to
 * 4 differs, an activation, nothing.  */
enum { SAME = 0, ACTIVATED = 5, BARE, FOLLOWERS };

/* Two fully connected layers with the same weights, the first normalised, and FOLLOWER.  */
static struct network *shared_weights(size_t follower)
{
    struct network *network = network_new("shared");
    size_t w = stored(network, "w", 6, 3, 1.0f), norm[5];

    for (size_t i = 1; i < 5; i++)
        norm[i] = stored(network, "s", 2, 0, 2.0f);
    for (size_t layer = 0; layer < 2; layer++) {
        size_t x = network_add_value(network, "x", VALUE_INPUT, DTYPE_F32, 2, (int64_t[]){1, 3});
        size_t last = computed(network, "l", OP_LINEAR, ".Linear", (const size_t[]){x, w}, 2);

        norm[0] = last;
        if (layer == 1 && follower > SAME && follower < ACTIVATED)
            norm[follower] = stored(network, "t", 2, 0, 3.0f);
        if (layer == 1 && follower == ACTIVATED)
            last = computed(network, "r", OP_ACTIVATION, "Relu", &last, 1);
        else if (layer == 0 || follower < ACTIVATED)
            last = computed(network, "n", OP_BATCH_NORM, "BatchNormalization", norm, 5);
        network_mark_output(network, last);
    }
    network_make_names_unique(network);
    return network;
}

/* The factors are 2 / sqrt(2) and 4 / sqrt(4), but for epsilon.  */
static void products(void)
{
    static const double want[] = {1.41421, 2.82843, 4.24264, 8, 10, 12};

    for (size_t follower = SAME; follower < FOLLOWERS; follower++) {
        struct network *network = network_fuse(shared_weights(follower), FUSE_BN);
        size_t known = 0, right = 0;

        for (size_t o = 0; o < 2; o++) {
            const struct elements *weights = network->value[network->op[o].input[1]].elements;

            if (weights == NULL)
                continue;
            known++;
            for (size_t i = 0; i < 6; i++)
                right += fabs((double)((const float *)weights->data)[i] - want[i]) < 1e-3;
        }
        is_int((int64_t)network->n_ops, follower == ACTIVATED ? 3 : 2,
               "follower %zu: normalisations are folded", follower);
        is_int((int64_t)known, follower == SAME ? 2 : 0, "weights with two products are not known");
        is_int((int64_t)right, follower == SAME ? 12 : 0, "and with one are multiplied out");
        network_free(network);
    }
}

int main(void)
{
    products();
    into_layers();
    into_activations();
    kept();
    rows();
    expansion();
    return tap_done();
}
