/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transformers (Vaswani et al., "Attention is all you need", NeurIPS 2017),
 * each operator on its own as their reference implementations run them without
 * a fused attention kernel:
 *
 * BERT base: Devlin, Chang, Lee and Toutanova, "BERT: pre-training of deep
 * bidirectional transformers for language understanding", NAACL 2019, uncased,
 * as the transformers library has it, with the pooler and two classes.
 * GPT-2 small: Radford, Wu, Child, Luan, Amodei and Sutskever, "Language models
 * are unsupervised multitask learners", 2019, all tokens at once (prefill), the
 * last layer with the embedding's weights.
 * ViT-B/16: Dosovitskiy et al., "An image is worth 16x16 words", ICLR 2021, as
 * torchvision has it.  */
#include <config.h>

#include <math.h>
#include <stdbool.h>

#include "lib/graph/network.h"
#include "workloads/builder/builder.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

enum { CHANNELS = 768, HEADS = 12, LAYERS = 12 };

static const struct network_model model[] = {
    {"bert_base", "BERT base, uncased", "Devlin, Chang, Lee and Toutanova, NAACL 2019"},
    {"gpt2", "GPT-2 small", "Radford, Wu, Child, Luan, Amodei and Sutskever, 2019"},
    {"vit_b_16", "ViT-B/16", "Dosovitskiy et al., ICLR 2021"},
    {NULL, NULL, NULL},
};

static const struct param own_params[] = {
    {"seq", PARAM_INT, "128", NULL, 1, 1 << 20,
     "Tokens in a sequence: bert_base takes up to 512, gpt2 up to 1024; vit_b_16 has those of its "
     "image."},
    PARAM_END,
};

struct attention {
    bool joint;  /* one layer makes query, key and value */
    bool causal; /* a token sees those before it */
    size_t mask; /* added to the scores, or NETWORK_NONE */
};

/* N x T x channels as N x heads x T x channels of a head.  */
static size_t heads(struct builder *b, const char *name, size_t x)
{
    builder_push(b, "%s_", name);
    x = builder_reshape(
        b, "heads", x, 4,
        (const int64_t[]){builder_dim(b, x, 0), builder_dim(b, x, 1), HEADS, CHANNELS / HEADS});
    x = builder_transpose(b, "transpose", x, (const int[]){0, 2, 1, 3});
    builder_pop(b);
    return x;
}

/* Query, key and value.  */
static void project(struct builder *b, size_t x, bool joint, size_t *part)
{
    static const char *const name[] = {"query", "key", "value"};

    if (joint) {
        x = builder_dense(b, "qkv", x, 3 * CHANNELS);
        builder_split(b, "split", x, 2, part, 3);
    } else {
        for (int i = 0; i < 3; i++)
            part[i] = builder_dense(b, name[i], x, CHANNELS);
    }
    for (int i = 0; i < 3; i++)
        part[i] = heads(b, name[i], part[i]);
}

static size_t self_attention(struct builder *b, size_t x, const struct attention *attention)
{
    const int64_t dim[] = {builder_dim(b, x, 0), builder_dim(b, x, 1), CHANNELS};
    size_t part[3];

    builder_push(b, "attention.");
    project(b, x, attention->joint, part);
    x = builder_matmul(b, "scores", part[0], part[1], true);
    x = builder_scale(b, "scale", x, 1.0 / sqrt((double)builder_dim(b, part[0], 3)), 0.0);
    if (attention->causal)
        x = builder_causal_mask(b, "mask", x);
    if (attention->mask != NETWORK_NONE)
        x = builder_add(b, "mask", x, attention->mask);
    x = builder_softmax(b, "softmax", x);
    x = builder_matmul(b, "context", x, part[2], false);
    x = builder_transpose(b, "context_transpose", x, (const int[]){0, 2, 1, 3});
    x = builder_reshape(b, "context_join", x, 3, dim);
    x = builder_dense(b, "output", x, CHANNELS);
    builder_pop(b);
    return x;
}

static size_t feed_forward(struct builder *b, size_t x)
{
    x = builder_dense(b, "mlp.fc1", x, 4 * CHANNELS);
    x = builder_activation(b, "mlp.gelu", "gelu", x);
    return builder_dense(b, "mlp.fc2", x, CHANNELS);
}

/* The original's order: each normalisation after its sum.  */
static size_t layer_norm_last(struct builder *b, size_t x, const struct attention *attention)
{
    x = builder_add(b, "attention_add", self_attention(b, x, attention), x);
    x = builder_layer_norm(b, "attention_norm", x);
    x = builder_add(b, "mlp_add", feed_forward(b, x), x);
    return builder_layer_norm(b, "mlp_norm", x);
}

/* The later order: each normalisation before its branch.  */
static size_t layer_norm_first(struct builder *b, size_t x, const struct attention *attention)
{
    size_t y = builder_layer_norm(b, "norm1", x);

    x = builder_add(b, "attention_add", x, self_attention(b, y, attention));
    y = builder_layer_norm(b, "norm2", x);
    return builder_add(b, "mlp_add", x, feed_forward(b, y));
}

static size_t layers(struct builder *b, size_t x, const struct attention *attention, bool last)
{
    for (int i = 0; i < LAYERS; i++) {
        builder_push(b, "layer%d.", i);
        x = last ? layer_norm_last(b, x, attention) : layer_norm_first(b, x, attention);
        builder_pop(b);
    }
    return x;
}

static size_t table(struct builder *b, const char *name, int64_t rows)
{
    return builder_weight(b, name, 2, (const int64_t[]){rows, CHANNELS});
}

/* Token number 0, as N x channels.  */
static size_t first_token(struct builder *b, size_t x)
{
    x = builder_slice(b, "first_token", x, 1, 0, 1);
    return builder_reshape(b, "first_row", x, 2, (const int64_t[]){builder_dim(b, x, 0), CHANNELS});
}

static size_t bert(struct zoo *zoo)
{
    struct builder *b = zoo->builder;
    const int64_t batch = params_int(zoo->params, "batch");
    struct attention attention = {.mask = NETWORK_NONE};
    size_t x, kind;

    x = builder_tokens(b, "input_ids", batch, zoo->size);
    kind = builder_tokens(b, "token_type_ids", batch, zoo->size);
    attention.mask =
        builder_input(b, "attention_mask", 4, (const int64_t[]){batch, 1, 1, zoo->size});
    x = builder_embedding(b, "word", x, table(b, "word.weight", 30522));
    kind = builder_embedding(b, "type", kind, table(b, "type.weight", 2));
    x = builder_add(b, "type_add", x, kind);
    x = builder_add_positions(b, "position_add", x, table(b, "position.weight", 512));
    x = builder_layer_norm(b, "embedding_norm", x);
    x = layers(b, x, &attention, true);
    x = builder_dense(b, "pooler", first_token(b, x), CHANNELS);
    x = builder_activation(b, "pooler_tanh", "tanh", x);
    return builder_dense(b, "classifier", x, 2);
}

static size_t gpt2(struct zoo *zoo)
{
    const struct attention attention = {.joint = true, .causal = true, .mask = NETWORK_NONE};
    struct builder *b = zoo->builder;
    size_t words = table(b, "wte.weight", 50257), x;

    x = builder_tokens(b, "input_ids", params_int(zoo->params, "batch"), zoo->size);
    x = builder_embedding(b, "wte", x, words);
    x = builder_add_positions(b, "wpe_add", x, table(b, "wpe.weight", 1024));
    x = layers(b, x, &attention, false);
    x = builder_layer_norm(b, "norm", x);
    return builder_dense_with(b, "lm_head", x, words);
}

static size_t vit(struct zoo *zoo, size_t x)
{
    const struct attention attention = {.joint = true, .mask = NETWORK_NONE};
    struct builder *b = zoo->builder;
    const int64_t side = zoo->size / 16;
    size_t part[2];

    if (zoo->size % 16 != 0)
        builder_fail(b, "it cuts the image into patches of 16 x 16");
    x = builder_conv(b, "patches", x, CHANNELS, .r = 16, .stride = 16, .bias = true);
    x = builder_reshape(b, "rows", x, 3,
                        (const int64_t[]){builder_dim(b, x, 0), CHANNELS, side * side});
    part[1] = builder_transpose(b, "tokens", x, (const int[]){0, 2, 1});
    part[0] = builder_weight(b, "class_token", 3, (const int64_t[]){1, 1, CHANNELS});
    part[0] = builder_expand(b, "class_tokens", part[0], builder_dim(b, x, 0));
    x = builder_concat_axis(b, "concat", 1, part, 2);
    x = builder_add_positions(b, "position_add", x, table(b, "position.weight", side * side + 1));
    x = layers(b, x, &attention, false);
    x = builder_layer_norm(b, "norm", x);
    return builder_dense(b, "head", first_token(b, x), 1000);
}

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    struct zoo zoo;
    size_t x;

    if (index == 2) {
        x = zoo_begin(&zoo, model[index].name, 224, params);
        x = vit(&zoo, x);
    } else {
        zoo_begin_text(&zoo, model[index].name, params);
        x = index == 0 ? bert(&zoo) : gpt2(&zoo);
    }
    return zoo_end(&zoo, x, error);
}

const struct network_family network_family_transformer = {model, own_params, build};
