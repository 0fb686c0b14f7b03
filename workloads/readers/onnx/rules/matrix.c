/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrix products, sums over index letters, and recurrent layers.  */
#include <config.h>

#include "workloads/readers/onnx/rules/infer.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* --- products --- */

/* A layer, whose weights are stored, or a product of two activations.  */
static void set_layer(struct onnx_op *op, size_t weights)
{
    if (op->input[weights]->constant && op->input[weights]->shape.rank == 2)
        op->kind = OP_LINEAR;
}

/* Inputs 0 and SECOND.  */
static bool infer_product(struct onnx_op *op, size_t second, enum dtype dtype)
{
    const struct shape *a = &op->input[0]->shape, *b = &op->input[second]->shape;
    int64_t factor[NETWORK_MAX_RANK + 1];
    struct shape shape;

    if (!shape_matmul(a, b, &shape, op->error))
        return false;
    for (int i = 0; i < shape.rank; i++)
        factor[i] = shape.dim[i];
    factor[shape.rank] = a->dim[a->rank - 1];
    set_layer(op, second);
    onnx_set(op, 0, &shape, dtype);
    return onnx_macs(op, factor, (size_t)shape.rank + 1);
}

static bool infer_matmul(struct onnx_op *op)
{
    return infer_product(op, 1, op->input[0]->dtype);
}

static bool infer_matmul_integer(struct onnx_op *op)
{
    return infer_product(op, 1, DTYPE_I32);
}

/* a, its scale and zero point, b with its two, y's two.  */
static bool infer_qlinear_matmul(struct onnx_op *op)
{
    return infer_product(op, 3, op->input[7]->dtype);
}

/* Before operator set 7 an input of more dimensions stood for a matrix of as
 * many rows as the first of them.  */
static bool infer_gemm(struct onnx_op *op)
{
    bool turn_a = onnx_int(op, "transA", 0) != 0, turn_b = onnx_int(op, "transB", 0) != 0;
    struct shape a = op->input[0]->shape, b = op->input[1]->shape, shape = {.rank = 2};

    if (op->opset < 7 && a.rank > 2 && !shape_flatten(&a, 1, &a, op->error))
        return false;
    if (a.rank != 2 || b.rank != 2)
        return error_set(op->error, "inputs of %d and %d dimensions, expected 2", a.rank, b.rank);
    if (a.dim[turn_a ? 0 : 1] != b.dim[turn_b ? 1 : 0])
        return error_set(op->error, "%" PRId64 " columns times %" PRId64 " rows",
                         a.dim[turn_a ? 0 : 1], b.dim[turn_b ? 1 : 0]);
    shape.dim[0] = a.dim[turn_a ? 1 : 0];
    shape.dim[1] = b.dim[turn_b ? 0 : 1];
    set_layer(op, 1);
    onnx_set(op, 0, &shape, op->input[0]->dtype);
    return onnx_macs(op, (const int64_t[]){shape.dim[0], shape.dim[1], a.dim[turn_a ? 0 : 1]}, 3);
}

/* --- Einsum --- */

#define LETTERS 128      /* any ASCII letter, and a digit for each dimension of an ellipsis */
#define ELLIPSIS_END '8' /* the last dimension is the digit before it */

struct einsum {
    int64_t length[LETTERS];
    int uses[LETTERS]; /* in the inputs; 0: it is not there */
};

static bool bad_equation(struct onnx_op *op)
{
    return error_set(op->error, "its equation is not letters, ellipses, commas and an arrow that "
                                "fit its inputs");
}

/* Dimensions of input I that the ellipsis in the term at AT stands for.  */
static int hidden_rank(const struct onnx_op *op, const char *at, size_t i)
{
    int letters = 0;

    if (i >= op->inputs)
        return 0;
    for (; *at != '\0' && *at != ',' && *at != '-'; at++)
        letters += isalpha((unsigned char)*at) != 0;
    return op->input[i]->shape.rank - letters;
}

/* Writes EQUATION into TEXT with digits for what ellipses stand for, the same from the last
 * dimension on in each term; the result's has as many as the most.  */
static bool spell_out(struct onnx_op *op, const char *equation, char *text, size_t size)
{
    const char *term = equation;
    size_t input = 0, length = 0;
    int most = 0;

    for (const char *at = equation; *at != '\0'; at++) {
        int rank = 0;

        if (isdigit((unsigned char)*at) || length + NETWORK_MAX_RANK + 1 > size)
            return false;
        if (*at == ',' || *at == '>') {
            term = at + 1;
            input = *at == ',' ? input + 1 : op->inputs;
        }
        if (*at != '.') {
            text[length++] = *at;
            continue;
        }
        rank = input < op->inputs ? hidden_rank(op, term, input) : most;
        if (strncmp(at, "...", 3) != 0 || rank < 0)
            return false;
        most = rank > most ? rank : most;
        for (int d = rank; d > 0; d--)
            text[length++] = (char)(ELLIPSIS_END - d);
        at += 2;
    }
    text[length] = '\0';
    return true;
}

/* The letters from *AT to the next comma, arrow or end are the dimensions of
 * input I.  */
static bool read_term(struct onnx_op *op, const char **at, size_t i, struct einsum *einsum)
{
    const struct shape *shape = &op->input[i]->shape;
    int d = 0;

    for (; **at != '\0' && **at != ',' && **at != '-'; (*at)++) {
        unsigned char letter = (unsigned char)**at;

        if (letter == ' ')
            continue;
        if (letter >= LETTERS || !isalnum(letter) || d == shape->rank)
            return bad_equation(op);
        if (einsum->uses[letter] > 0 && einsum->length[letter] != shape->dim[d] &&
            einsum->length[letter] != 1 && shape->dim[d] != 1)
            return error_set(op->error, "'%c' is both %" PRId64 " and %" PRId64, letter,
                             einsum->length[letter], shape->dim[d]);
        if (einsum->uses[letter] == 0 || einsum->length[letter] == 1)
            einsum->length[letter] = shape->dim[d];
        einsum->uses[letter]++;
        d++;
    }
    return d == shape->rank || bad_equation(op);
}

/* What stands behind the arrow; without one, what an ellipsis stands for and the letters that
 * stand once, in alphabetical order.  */
static bool read_result(struct onnx_op *op, const char *at, const struct einsum *einsum,
                        struct shape *shape)
{
    char implied[LETTERS + 1];
    size_t count = 0;

    if (*at == '\0') {
        for (int letter = 0; letter < LETTERS; letter++)
            if (einsum->uses[letter] == 1 || (isdigit(letter) && einsum->uses[letter] > 0))
                implied[count++] = (char)letter;
        implied[count] = '\0';
        at = implied;
    } else if (*at++ != '-' || *at++ != '>') {
        return bad_equation(op);
    }
    shape->rank = 0;
    for (; *at != '\0'; at++) {
        unsigned char letter = (unsigned char)*at;

        if (letter == ' ')
            continue;
        if (letter >= LETTERS || einsum->uses[letter] == 0 || shape->rank == NETWORK_MAX_RANK)
            return bad_equation(op);
        shape->dim[shape->rank++] = einsum->length[letter];
    }
    return true;
}

/* Every combination of letters is one product.  */
static bool infer_einsum(struct onnx_op *op)
{
    const struct onnx_attribute *equation = onnx_attribute(op, "equation", ONNX_ATTRIBUTE_TEXT);
    struct einsum einsum = {{0}, {0}};
    char given[256], text[512];
    const char *at = text;
    int64_t factor[LETTERS];
    struct shape shape;
    size_t factors = 0;

    if (equation == NULL || equation->text.size == 0 || equation->text.size >= sizeof given)
        return bad_equation(op);
    memcpy(given, equation->text.data, equation->text.size);
    given[equation->text.size] = '\0';
    if (!spell_out(op, given, text, sizeof text))
        return bad_equation(op);
    for (size_t i = 0; i < op->inputs; i++)
        if ((i > 0 && *at++ != ',') || !read_term(op, &at, i, &einsum))
            return op->error->text[0] != '\0' ? false : bad_equation(op);
    if (!read_result(op, at, &einsum, &shape))
        return false;
    for (int letter = 0; letter < LETTERS; letter++)
        if (einsum.uses[letter] > 0)
            factor[factors++] = einsum.length[letter];
    onnx_set(op, 0, &shape, op->input[0]->dtype);
    return onnx_macs(op, factor, factors);
}

/* --- recurrent layers --- */

/* X: steps x batch x features (batch first with layout=1), W: directions x gates *
 * hidden x features, R: ... x hidden; DETAIL is the number of gates.  Results:
 * every step's state, and the last one, and for LSTM the last cell.  */
static bool infer_recurrent(struct onnx_op *op)
{
    const struct shape *x = &op->input[0]->shape, *w = &op->input[1]->shape,
                       *r = &op->input[2]->shape;
    int64_t layout = onnx_int(op, "layout", 0), directions, hidden, steps, batch, gates;
    struct shape all = {.rank = 4}, last = {.rank = 3};
    int64_t each;

    gates = op->rule->detail;
    if (x->rank != 3 || w->rank != 3 || r->rank != 3)
        return error_set(op->error, "X, W and R have %d, %d and %d dimensions, expected 3", x->rank,
                         w->rank, r->rank);
    directions = w->dim[0];
    hidden = r->dim[2];
    if (directions != r->dim[0] || w->dim[2] != x->dim[2] || w->dim[1] != r->dim[1] ||
        w->dim[1] / gates != hidden || w->dim[1] % gates != 0 ||
        directions != (onnx_text_is(op, "direction", "bidirectional", false) ? 2 : 1) ||
        onnx_int(op, "hidden_size", hidden) != hidden)
        return error_set(op->error, "X, W, R, direction and hidden_size do not fit");
    steps = x->dim[layout == 0 ? 0 : 1];
    batch = x->dim[layout == 0 ? 1 : 0];
    if (layout == 0) {
        all = (struct shape){.rank = 4, .dim = {steps, directions, batch, hidden}};
        last = (struct shape){.rank = 3, .dim = {directions, batch, hidden}};
    } else {
        all = (struct shape){.rank = 4, .dim = {batch, steps, directions, hidden}};
        last = (struct shape){.rank = 3, .dim = {batch, directions, hidden}};
    }
    onnx_set_optional(op, 0, &all, op->input[0]->dtype);
    onnx_set_optional(op, 1, &last, op->input[0]->dtype);
    if (gates == 4)
        onnx_set_optional(op, 2, &last, op->input[0]->dtype);
    if (__builtin_add_overflow(x->dim[2], hidden, &each))
        return error_set(op->error, "its multiply-accumulates overflow 64 bits");
    return onnx_macs(op, (const int64_t[]){steps, directions, batch, w->dim[1], each}, 5);
}

const struct onnx_rule onnx_rules_matrix[] = {
    {"MatMul", "matmul", OP_OTHER, infer_matmul, 2, 0},
    {"MatMulInteger", "matmul_integer", OP_OTHER, infer_matmul_integer, 2, 0},
    {"QLinearMatMul", "qlinear_matmul", OP_OTHER, infer_qlinear_matmul, 8, 0},
    {"Gemm", "gemm", OP_OTHER, infer_gemm, 2, 0},
    {"Einsum", "einsum", OP_OTHER, infer_einsum, ONNX_ALL, 0},
    {"LSTM", "lstm", OP_OTHER, infer_recurrent, 3, 4},
    {"GRU", "gru", OP_OTHER, infer_recurrent, 3, 3},
    {"RNN", "rnn", OP_OTHER, infer_recurrent, 3, 1},
    {0},
};
