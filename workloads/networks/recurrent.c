/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Language models with recurrent cells, as loops over the tokens.
 *
 * lstm_lm is the medium model of Zaremba, Sutskever, Vinyals, "Recurrent neural
 * network regularization", arXiv:1409.2329, 2014, section 4.1: 2 layers of 650
 * units, unrolled for 35 steps there, the 10,000 words of the Penn tree bank
 * (their batch is 20; dropout does nothing in inference).  gru_lm has the
 * same shape with the cells of Cho et al., "Learning phrase representations
 * using RNN encoder-decoder", arXiv:1406.1078, 2014.
 *
 * The words are embedded before the loop and scored after it.  An iteration takes
 * one word of every sentence through all layers; hidden (and cell) states are
 * carried, the last layer's hidden states are stacked.  Sentences are columns:
 * values are words x batch x units.  */
#include <config.h>

#include "workloads/builder/builder.h"
#include "workloads/workload.h"
#include "workloads/zoo.h"

enum { LAYERS = 2, UNITS = 650, WORDS = 10000 };

static const struct network_model model[] = {
    {"lstm_lm", "LSTM language model, medium", "Zaremba et al., arXiv:1409.2329, 2014"},
    {"gru_lm", "GRU language model, the same shape", "Cho et al., arXiv:1406.1078, 2014"},
    {NULL, NULL, NULL},
};

enum { CELL_SPLIT, CELL_FUSED };

static const struct param own_params[] = {
    {"seq", PARAM_INT, "35", NULL, 1, 1 << 20,
     "Words of a sentence, which are the iterations of the loop."},
    PARAM_ENUM("cell", "split",
               "Whether a cell is matrix products and elementwise operators, or one operator.",
               {"split", CELL_SPLIT}, {"fused", CELL_FUSED}),
    PARAM_END,
};

/* What a state begins as: an input of the network.  */
static size_t first_state(struct builder *b, const char *state, int layer, int64_t batch)
{
    char name[] = {state[0], '0', '.', (char)('1' + layer), '\0'};

    return builder_input(b, name, 2, (const int64_t[]){batch, UNITS});
}

/* A layer in one iteration: takes X and what its states begin as, returns its hidden
 * state.  */
typedef size_t cell(struct builder_loop *loop, size_t x, size_t h, size_t c);

static size_t joined(struct builder *b, const char *name, size_t x, size_t h)
{
    return builder_concat(b, name, (const size_t[]){x, h}, 2);
}

/* c = f c + i g, h = o tanh(c); the gates from one matrix.  */
static size_t lstm_cell(struct builder_loop *loop, size_t x, size_t h, size_t c)
{
    struct builder *b = builder_loop_body(loop);
    size_t gate[4], kept, added;

    h = builder_loop_carry(loop, "h", h);
    c = builder_loop_carry(loop, "c", c);
    builder_split(b, "gates", builder_dense(b, "dense", joined(b, "xh", x, h), 4 * UNITS), 1, gate,
                  4);
    gate[0] = builder_activation(b, "i", "sigmoid", gate[0]);
    gate[1] = builder_activation(b, "f", "sigmoid", gate[1]);
    gate[2] = builder_activation(b, "g", "tanh", gate[2]);
    gate[3] = builder_activation(b, "o", "sigmoid", gate[3]);
    kept = builder_mul(b, "fc", gate[1], c);
    added = builder_mul(b, "ig", gate[0], gate[2]);
    added = builder_add(b, "c_next", kept, added);
    builder_loop_next(loop, c, added);
    x = builder_mul(b, "h_next", gate[3], builder_activation(b, "tanh_c", "tanh", added));
    builder_loop_next(loop, h, x);
    return x;
}

/* h = z h + (1 - z) tanh(W x + U (r h)).  */
static size_t gru_cell(struct builder_loop *loop, size_t x, size_t h, size_t c)
{
    struct builder *b = builder_loop_body(loop);
    size_t gate[2], kept, added;

    (void)c; /* has none */
    h = builder_loop_carry(loop, "h", h);
    builder_split(b, "gates", builder_dense(b, "dense", joined(b, "xh", x, h), 2 * UNITS), 1, gate,
                  2);
    gate[0] = builder_activation(b, "r", "sigmoid", gate[0]);
    gate[1] = builder_activation(b, "z", "sigmoid", gate[1]);
    added = joined(b, "xrh", x, builder_mul(b, "rh", gate[0], h));
    added = builder_activation(b, "new", "tanh", builder_dense(b, "candidate", added, UNITS));
    kept = builder_mul(b, "zh", gate[1], h);
    added = builder_mul(b, "zn", builder_scale(b, "1-z", gate[1], -1.0, 1.0), added);
    x = builder_add(b, "h_next", kept, added);
    builder_loop_next(loop, h, x);
    return x;
}

/* The same cells as libraries have them, one operator each.  */
static size_t fused_lstm_cell(struct builder_loop *loop, size_t x, size_t h, size_t c)
{
    size_t state[2] = {builder_loop_carry(loop, "h", h), builder_loop_carry(loop, "c", c)}, next[2];

    builder_cell(builder_loop_body(loop), "cell", "lstm_cell", 4, x, state, 2, next);
    builder_loop_next(loop, state[0], next[0]);
    builder_loop_next(loop, state[1], next[1]);
    return next[0];
}

static size_t fused_gru_cell(struct builder_loop *loop, size_t x, size_t h, size_t c)
{
    size_t state = builder_loop_carry(loop, "h", h), next;

    (void)c;
    builder_cell(builder_loop_body(loop), "cell", "gru_cell", 3, x, &state, 1, &next);
    builder_loop_next(loop, state, next);
    return next;
}

/* X, words x batch x units, through all layers; the last one's hidden states.  */
static size_t add_loop(struct builder *b, size_t x, bool lstm, bool fused, int64_t seq,
                       int64_t batch)
{
    cell *const cells[2][2] = {{gru_cell, fused_gru_cell}, {lstm_cell, fused_lstm_cell}};
    cell *run = cells[lstm][fused];
    size_t h[LAYERS], c[LAYERS], top, stacked;
    struct builder_loop *loop;

    for (int i = 0; i < LAYERS; i++) {
        h[i] = first_state(b, "h", i, batch);
        c[i] = lstm ? first_state(b, "c", i, batch) : NETWORK_NONE;
    }
    loop = builder_loop_begin(b, "loop", seq);
    top = builder_loop_slice(loop, "x", x);
    for (int i = 0; i < LAYERS; i++) {
        builder_push(builder_loop_body(loop), "layer%d.", i + 1);
        top = run(loop, top, h[i], c[i]);
        builder_pop(builder_loop_body(loop));
    }
    builder_loop_stack(loop, top);
    builder_loop_end(loop, &stacked);
    return stacked;
}

static struct network *build(size_t index, const struct params *params, struct error *error)
{
    int64_t batch = params_int(params, "batch");
    struct builder *b;
    struct zoo zoo;
    size_t x, table;

    zoo_begin_text(&zoo, model[index].name, params);
    b = zoo.builder;
    x = builder_tokens(b, "words", zoo.size, batch);
    table = builder_weight(b, "embedding.weight", 2, (const int64_t[]){WORDS, UNITS});
    x = builder_embedding(b, "embedding", x, table);
    x = add_loop(b, x, index == 0, params_choice(params, "cell") == CELL_FUSED, zoo.size, batch);
    x = builder_dense(b, "scores", x, WORDS);
    return zoo_end(&zoo, x, error);
}

const struct network_family network_family_recurrent = {model, own_params, build};
