/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RNN, GRU and LSTM (ONNX's text since version 7; `layout` since 14).
 *
 * An element of the batch takes as many steps as its sequence is long; what is behind in Y is 0.
 * A reversed direction begins at the sequence's own end.  `clip` bounds what any activation is
 * given, so also the cell before the last activation of an LSTM, but not the cell that is kept.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <tgmath.h>

#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/matrix.h"

enum activation_kind {
    AFFINE,
    ELU,
    HARD_SIGMOID,
    LEAKY_RELU,
    RELU,
    SCALED_TANH,
    SIGMOID,
    SOFTPLUS,
    SOFTSIGN,
    TANH,
    THRESHOLDED_RELU,
};

struct activation {
    enum activation_kind kind;
    double alpha, beta;
};

/* The number of gates, which is the rule's `detail`.  */
enum cell { CELL_RNN = 1, CELL_GRU = 3, CELL_LSTM = 4 };

#define DIRECTIONS 2
#define FUNCTIONS 3 /* at most, of a direction */

struct recurrent {
    enum cell cell;
    int64_t directions, steps, batch, in, units;
    bool reverse;     /* the first direction, as the second always is */
    bool batch_first; /* layout 1 */
    double clip;      /* INFINITY: none */
    bool linear_before_reset, input_forget;
    int functions; /* of a direction: f, g, h */
    struct activation activation[DIRECTIONS * FUNCTIONS];
    const int64_t *length; /* of each sequence; while it runs */
};

static int64_t gate_rows(const struct recurrent *r)
{
    return (int64_t)r->cell * r->units;
}

/* Which row of X, of Y and of a state.  */
static int64_t x_row(const struct recurrent *r, int64_t time, int64_t b)
{
    return r->batch_first ? b * r->steps + time : time * r->batch + b;
}

static int64_t y_row(const struct recurrent *r, int64_t time, int64_t d, int64_t b)
{
    return r->batch_first ? x_row(r, time, b) * r->directions + d
                          : (time * r->directions + d) * r->batch + b;
}

static int64_t state_row(const struct recurrent *r, int64_t d, int64_t b)
{
    return r->batch_first ? b * r->directions + d : d * r->batch + b;
}

#define REAL float
#define TYPED(name) name##_f32
#include "runtime/operators/recurrent_real.h"
#define REAL double
#define TYPED(name) name##_f64
#include "runtime/operators/recurrent_real.h"

/* --- activations --- */

/* What attributes activation_alpha and activation_beta have for the functions that take one.  */
struct values {
    const char *name;
    const double *value;
    size_t count, used;
};

/* NAN as the value of a function that takes none or, of the others, that has none by itself.  */
struct activation_form {
    const char *name;
    enum activation_kind kind;
    bool takes_alpha, takes_beta;
    double alpha, beta;
};

static const struct activation_form *find_form(const char *name, size_t length)
{
    static const struct activation_form forms[] = {
        {"Affine", AFFINE, true, true, 1.0, 0.0},
        {"Elu", ELU, true, false, 1.0, NAN},
        {"HardSigmoid", HARD_SIGMOID, true, true, 0.2, 0.5},
        {"LeakyRelu", LEAKY_RELU, true, false, 0.01, NAN},
        {"Relu", RELU, false, false, NAN, NAN},
        {"ScaledTanh", SCALED_TANH, true, true, NAN, NAN},
        {"Sigmoid", SIGMOID, false, false, NAN, NAN},
        {"Softplus", SOFTPLUS, false, false, NAN, NAN},
        {"Softsign", SOFTSIGN, false, false, NAN, NAN},
        {"Tanh", TANH, false, false, NAN, NAN},
        {"ThresholdedRelu", THRESHOLDED_RELU, true, false, 1.0, NAN},
    };

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strlen(forms[i].name) == length && strncasecmp(forms[i].name, name, length) == 0)
            return &forms[i];
    return NULL;
}

static bool take_value(const struct call *call, const struct activation_form *form, bool takes,
                       double otherwise, struct values *values, double *value)
{
    *value = otherwise;
    if (takes && values->used < values->count)
        *value = values->value[values->used++];
    if (takes && isnan(*value))
        return error_set(call->error, "%s without %s", form->name, values->name);
    return true;
}

static size_t count_words(const char *text)
{
    size_t words = 1;

    for (; *text != '\0'; text++)
        words += *text == ',';
    return words;
}

/* The functions of all directions, from TEXT or, where it is too short for two, from it again.  */
static bool parse_activations(const struct call *call, struct recurrent *r, const char *text,
                              struct values *alpha, struct values *beta)
{
    const char *at = text;

    for (int i = 0; i < r->functions * (int)r->directions; i++) {
        size_t length = strcspn(at, ",");
        const struct activation_form *form = find_form(at, length);
        struct activation *to = &r->activation[i];

        if (form == NULL)
            return error_set(call->error, "activation '%.*s' is not known here", (int)length, at);
        to->kind = form->kind;
        if (!take_value(call, form, form->takes_alpha, form->alpha, alpha, &to->alpha) ||
            !take_value(call, form, form->takes_beta, form->beta, beta, &to->beta))
            return false;
        at = at[length] == ',' ? at + length + 1 : text;
    }
    for (int i = 0; i < 2; i++) {
        const struct values *values = i == 0 ? alpha : beta;

        if (values->used < values->count)
            return error_set(call->error, "attribute '%s' has %zu numbers for %zu functions",
                             values->name, values->count, values->used);
    }
    return true;
}

static bool read_activations(const struct call *call, struct recurrent *r)
{
    static const char *const otherwise[] = {
        [CELL_RNN] = "Tanh", [CELL_GRU] = "Sigmoid,Tanh", [CELL_LSTM] = "Sigmoid,Tanh,Tanh"};
    struct values alpha = {.name = "activation_alpha"}, beta = {.name = "activation_beta"};
    const char *text = otherwise[r->cell];
    size_t wanted;

    r->functions = (int)count_words(text);
    wanted = (size_t)r->functions * (size_t)r->directions;
    if (computation_find(call->computation, "activations") != NULL) {
        text = computation_text(call->computation, "activations", "");
        /* The default of RNN, if it is written down, has two for either direction.  */
        if (count_words(text) != wanted && !(r->cell == CELL_RNN && count_words(text) == 2))
            return error_set(call->error, "activations '%s', expected %zu", text, wanted);
    }
    alpha.value = computation_reals(call->computation, alpha.name, &alpha.count);
    beta.value = computation_reals(call->computation, beta.name, &beta.count);
    return parse_activations(call, r, text, &alpha, &beta);
}

/* --- shapes --- */

static bool has_shape(const struct call *call, const char *name, const struct tensor *tensor,
                      int rank, const int64_t *dim)
{
    if (tensor == NULL ||
        (tensor->rank == rank && memcmp(tensor->dim, dim, (size_t)rank * sizeof *dim) == 0))
        return true;
    return error_set(call->error, "%s does not go with the shapes of the others", name);
}

/* initial_h and initial_c have the shape of Y_h.  */
static bool has_shapes(const struct call *call, const struct recurrent *r)
{
    int64_t rows = gate_rows(r), first = r->batch_first ? r->batch : r->directions;
    int64_t second = r->batch_first ? r->directions : r->batch;
    const int64_t state[] = {first, second, r->units};

    return has_shape(call, "W", call->input[1], 3, (int64_t[]){r->directions, rows, r->in}) &&
           has_shape(call, "R", call->input[2], 3, (int64_t[]){r->directions, rows, r->units}) &&
           has_shape(call, "B", call_input(call, 3), 2, (int64_t[]){r->directions, 2 * rows}) &&
           has_shape(call, "sequence_lens", call_input(call, 4), 1, &r->batch) &&
           has_shape(call, "initial_h", call_input(call, 5), 3, state) &&
           has_shape(call, "initial_c", call_input(call, 6), 3, state) &&
           has_shape(call, "P", call_input(call, 7), 2, (int64_t[]){r->directions, 3 * r->units}) &&
           has_shape(call, "Y_h", call_output(call, 1), 3, state) &&
           has_shape(call, "Y_c", call_output(call, 2), 3, state);
}

static bool has_types(const struct call *call, const struct recurrent *r)
{
    size_t inputs = r->cell == CELL_LSTM ? 8 : 6;
    enum dtype dtype = call->input[0]->dtype;

    if (call->inputs > inputs)
        return error_set(call->error, "%zu inputs, expected at most %zu", call->inputs, inputs);
    for (size_t i = 5; i < inputs; i++)
        if (call_input(call, i) != NULL && call->input[i]->dtype != dtype)
            return error_set(call->error, "input %zu is %s beside %s", i,
                             dtype_name(call->input[i]->dtype), dtype_name(dtype));
    return accept_types(call, 0, 4, TYPES_REAL) && accept_types(call, 4, 1, TYPE(DTYPE_I32));
}

static bool read_attributes(const struct call *call, struct recurrent *r)
{
    static const char *const words[] = {"forward", "reverse", "bidirectional", NULL};
    const struct computation *computation = call->computation;
    int direction = attribute_choice(call, "direction", words);
    int64_t flag[3];

    if (direction < 0 || !attribute_integers(call, "layout", 1, 0, 1, 0, &flag[0]) ||
        !attribute_integers(call, "linear_before_reset", 1, 0, 1, 0, &flag[1]) ||
        !attribute_integers(call, "input_forget", 1, 0, 1, 0, &flag[2]))
        return false;
    r->directions = direction == 2 ? 2 : 1;
    r->reverse = direction == 1;
    r->batch_first = flag[0] != 0;
    r->linear_before_reset = flag[1] != 0;
    r->input_forget = flag[2] != 0;
    r->clip = INFINITY;
    if (computation_find(computation, "clip") != NULL)
        r->clip = attribute_number(call, "clip", NAN);
    if (!(r->clip >= 0.0))
        return error_set(call->error, "attribute 'clip' is not a threshold");
    return true;
}

static bool read_recurrent(const struct call *call, struct recurrent *r)
{
    const struct tensor *x, *weight;

    *r = (struct recurrent){.cell = (enum cell)call_rule(call)->detail};
    if (!accept_inputs(call, 3) || !has_types(call, r) || !read_attributes(call, r))
        return false;
    x = call->input[0];
    weight = call->input[2];
    if (x->rank != 3 || weight->rank != 3)
        return error_set(call->error, "X and R have %d and %d dimensions, expected 3", x->rank,
                         weight->rank);
    r->steps = x->dim[r->batch_first ? 1 : 0];
    r->batch = x->dim[r->batch_first ? 0 : 1];
    r->in = x->dim[2];
    r->units = weight->dim[2];
    if (computation_integer(call->computation, "hidden_size", r->units) != r->units)
        return error_set(call->error, "hidden_size is not that of R, %" PRId64, r->units);
    return has_shapes(call, r) && read_activations(call, r);
}

/* --- the rule --- */

static bool accepts(const struct call *call)
{
    static const char *const names[] = {
        [CELL_RNN] = "activation_alpha activation_beta activations clip direction hidden_size "
                     "layout",
        [CELL_GRU] = "activation_alpha activation_beta activations clip direction hidden_size "
                     "layout linear_before_reset",
        [CELL_LSTM] = "activation_alpha activation_beta activations clip direction hidden_size "
                      "input_forget layout",
    };
    struct recurrent r;

    if (call->computation->version < 7)
        return error_set(call->error, "version %" PRId64 ", expected 7 or later",
                         call->computation->version);
    return attributes_among(call, names[call_rule(call)->detail]) && read_recurrent(call, &r);
}

static bool read_lengths(const struct call *call, const struct recurrent *r, int64_t *length)
{
    const struct tensor *given = call_input(call, 4);

    for (int64_t b = 0; b < r->batch; b++) {
        length[b] = given == NULL ? r->steps : tensor_integer(given, b);
        if (length[b] < 0 || length[b] > r->steps)
            return error_set(call->error, "sequence %" PRId64 " has %" PRId64 " steps of %" PRId64,
                             b, length[b], r->steps);
    }
    return true;
}

static bool writes_nothing(const struct call *call)
{
    for (size_t i = 0; i < call->outputs; i++)
        if (call->output[i] != NULL && tensor_elements(call->output[i]) > 0)
            return false;
    return true;
}

static bool run(const struct call *call)
{
    struct recurrent r;
    int64_t *length;
    bool good;

    if (!read_recurrent(call, &r))
        return false;
    /* What it needs is as large as what it writes, so that a batch of nothing needs nothing.  */
    if (writes_nothing(call))
        return true;
    length = memory_alloc((size_t)r.batch, sizeof *length);
    r.length = length;
    good = read_lengths(call, &r, length);
    if (good && call->input[0]->dtype == DTYPE_F32)
        run_f32(call, &r);
    else if (good)
        run_f64(call, &r);
    free(length);
    return good;
}

const struct operator_rule operators_recurrent[] = {
    {"GRU", accepts, run, CELL_GRU},
    {"LSTM", accepts, run, CELL_LSTM},
    {"RNN", accepts, run, CELL_RNN},
    {0},
};
