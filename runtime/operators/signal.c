/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of signals: HannWindow, HammingWindow, BlackmanWindow, DFT, STFT, MelWeightMatrix.
 *
 * ONNX's texts of version 17.  Transforms are sums as they are defined, in double; an inverse one
 * that is one-sided is refused, and the DFT of version 20, whose axis is an input.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/along.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/cast.h"

/* A single whole number as an input.  */
static bool accepts_number(const struct call *call, size_t i)
{
    return accept_types(call, i, 1, TYPES_INDEX) &&
           (call_input(call, i) == NULL || tensor_elements(call->input[i]) == 1 ||
            error_set(call->error, "input %zu is not a single number", i));
}

static bool makes(const struct call *call, unsigned types, int rank)
{
    const struct tensor *out = call_output(call, 0);

    if (out == NULL)
        return error_set(call->error, "the output is missing");
    return ((types & TYPE(out->dtype)) != 0 && out->rank == rank) ||
           error_set(call->error, "an output of rank %d and type %s", out->rank,
                     dtype_name(out->dtype));
}

/* COUNT numbers become the elements of OUT, whatever its type.  */
static void put(const struct tensor *out, double *number)
{
    struct tensor from = *out;

    from.dtype = DTYPE_F64;
    from.data = number;
    cast_elements(out, &from);
}

/* --- windows --- */

/* Weights of 1, of a cosine that goes around once, and of one that goes around twice.  */
static const double weights[][3] = {
    {0.5, -0.5, 0.0},               /* Hann */
    {25.0 / 46.0, -21.0 / 46, 0.0}, /* Hamming */
    {0.42, -0.5, 0.08},             /* Blackman */
};

static bool window_accepts(const struct call *call)
{
    return accept_inputs(call, 1) && attributes_among(call, "output_datatype periodic") &&
           accepts_number(call, 0) && makes(call, TYPES_CAST, 1);
}

static bool window_run(const struct call *call)
{
    const double *weight = weights[call_rule(call)->detail];
    bool periodic = computation_integer(call->computation, "periodic", 1) != 0;
    int64_t size = tensor_integer(call->input[0], 0);
    double turn = 2.0 * M_PI / (double)(periodic ? size : size - 1), *window;

    if (size != call->output[0]->dim[0])
        return error_set(call->error, "a window of %" PRId64 " where the output has %" PRId64, size,
                         call->output[0]->dim[0]);
    window = memory_alloc((size_t)size, sizeof *window);
    for (int64_t i = 0; i < size; i++)
        window[i] = size == 1 && !periodic ? 1.0
                                           : weight[0] + weight[1] * cos((double)i * turn) +
                                                 weight[2] * cos(2.0 * (double)i * turn);
    put(call->output[0], window);
    free(window);
    return true;
}

/* --- transforms --- */

/* LENGTH complex numbers, of which the first GIVEN are not 0, as SIZE frequencies.  */
static void transform(const double *from, int64_t given, double *to, int64_t length, int64_t size,
                      bool inverse)
{
    double turn = (inverse ? 2.0 : -2.0) * M_PI / (double)length;

    for (int64_t k = 0; k < size; k++) {
        double real = 0, imaginary = 0;

        for (int64_t n = 0; n < given; n++) {
            double angle = turn * (double)((__int128)k * n % length);
            double c = cos(angle), s = sin(angle);

            real += from[2 * n] * c - from[2 * n + 1] * s;
            imaginary += from[2 * n] * s + from[2 * n + 1] * c;
        }
        to[2 * k] = inverse ? real / (double)length : real;
        to[2 * k + 1] = inverse ? imaginary / (double)length : imaginary;
    }
}

/* Number I of TENSOR's complex or real numbers.  */
static void take_number(const struct tensor *tensor, int64_t i, double *number)
{
    bool complex = tensor->dim[tensor->rank - 1] == 2;

    number[0] = tensor_real(tensor, complex ? 2 * i : i);
    number[1] = complex ? tensor_real(tensor, 2 * i + 1) : 0.0;
}

/* Reals or complex numbers in, complex ones out, in as many dimensions.  */
static bool accepts_numbers(const struct call *call, int ranks)
{
    const struct tensor *in = call->input[0];
    int64_t parts = in->rank < 2 ? 0 : in->dim[in->rank - 1];

    if (!accept_types(call, 0, 1, TYPES_REAL) || !makes(call, TYPE(in->dtype), ranks))
        return false;
    return ((parts == 1 || parts == 2) && call->output[0]->dim[ranks - 1] == 2) ||
           error_set(call->error, "numbers of %" PRId64 " parts", parts);
}

static bool dft_accepts(const struct call *call)
{
    const struct computation *computation = call->computation;
    const struct tensor *in, *out;
    int axis;

    if (!accept_inputs(call, 1) || !attributes_among(call, "axis inverse onesided") ||
        !accepts_numbers(call, call->input[0]->rank) || !accepts_number(call, 1) ||
        !accept_axis(call, 1, call->input[0]->rank))
        return false;
    if (computation->version >= 20)
        return error_set(call->error, "version %" PRId64, computation->version);
    if (computation_integer(computation, "inverse", 0) != 0 &&
        computation_integer(computation, "onesided", 0) != 0)
        return error_set(call->error, "an inverse transform of one side");
    in = call->input[0];
    out = call->output[0];
    axis = call_axis(computation_integer(computation, "axis", 1), in->rank);
    for (int d = 0; d < in->rank - 1; d++)
        if (d != axis && in->dim[d] != out->dim[d])
            return error_set(call->error, "an output of another shape");
    return axis < in->rank - 1 || error_set(call->error, "the axis of the parts");
}

/* Along lines of complex numbers: the last dimension, the parts, is none.  */
static bool dft_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call->output[0];
    bool one_side = computation_integer(call->computation, "onesided", 0) != 0;
    bool inverse = computation_integer(call->computation, "inverse", 0) != 0;
    int axis = call_axis(computation_integer(call->computation, "axis", 1), in->rank);
    struct along from = along_axis(in, axis), to = along_axis(out, axis);
    int64_t length = call_input(call, 1) == NULL ? from.count : tensor_integer(call->input[1], 0);
    int64_t size = one_side ? length / 2 + 1 : length, given = min64(length, from.count);
    int64_t inner = to.inner / 2;
    double *line, *made, *all;

    if (length < 1 || size != to.count)
        return error_set(call->error, "%" PRId64 " frequencies where the output has %" PRId64, size,
                         to.count);
    line = memory_alloc((size_t)given * 2, sizeof *line);
    made = memory_alloc((size_t)size * 2, sizeof *made);
    all = memory_alloc((size_t)tensor_elements(out), sizeof *all);
    for (int64_t l = 0; l < to.outer * inner; l++) {
        for (int64_t n = 0; n < given; n++)
            take_number(in, (l / inner * from.count + n) * inner + l % inner, line + 2 * n);
        transform(line, given, made, length, size, inverse);
        for (int64_t k = 0; k < size; k++)
            memcpy(all + 2 * ((l / inner * size + k) * inner + l % inner), made + 2 * k,
                   2 * sizeof *all);
    }
    put(out, all);
    free(all);
    free(made);
    free(line);
    return true;
}

static bool stft_accepts(const struct call *call)
{
    const struct tensor *window = call_input(call, 2), *in;

    if (!accept_inputs(call, 2) || !attributes_among(call, "onesided") || call->input[0]->rank != 3)
        return error_set(call->error, "expected batch x samples x parts, and a step");
    in = call->input[0];
    if (!accepts_numbers(call, 4) || !accepts_number(call, 1) || !accepts_number(call, 3))
        return false;
    if (window != NULL && (window->dtype != in->dtype || window->rank != 1))
        return error_set(call->error, "a window of another type or rank");
    return (window != NULL || call_input(call, 3) != NULL) ||
           error_set(call->error, "neither a window nor a length of frames");
}

/* One frame, weighed, as frequencies.  */
static void transform_frame(const struct call *call, int64_t first, int64_t length, int64_t size,
                            double *line, double *to)
{
    const struct tensor *window = call_input(call, 2);

    for (int64_t n = 0; n < length; n++) {
        double weight = window == NULL ? 1.0 : tensor_real(window, n);

        take_number(call->input[0], first + n, line + 2 * n);
        line[2 * n] *= weight;
        line[2 * n + 1] *= weight;
    }
    transform(line, length, to, length, size, false);
}

static bool stft_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *window = call_input(call, 2), *out = call->output[0];
    bool one_side = computation_integer(call->computation, "onesided", 1) != 0;
    int64_t step = tensor_integer(call->input[1], 0), samples = in->dim[1];
    int64_t length =
        call_input(call, 3) == NULL ? window->dim[0] : tensor_integer(call->input[3], 0);
    int64_t size = one_side ? length / 2 + 1 : length, frames;
    double *line, *all;

    if (step < 1 || length < 1 || length > samples || (window != NULL && window->dim[0] != length))
        return error_set(call->error, "frames of %" PRId64 " in steps of %" PRId64, length, step);
    frames = (samples - length) / step + 1;
    if (out->dim[0] != in->dim[0] || out->dim[1] != frames || out->dim[2] != size)
        return error_set(call->error,
                         "%" PRId64 " frames of %" PRId64 " where the output has other", frames,
                         size);
    line = memory_alloc((size_t)length * 2, sizeof *line);
    all = memory_alloc((size_t)tensor_elements(out), sizeof *all);
    for (int64_t f = 0; f < in->dim[0] * frames; f++)
        transform_frame(call, f / frames * samples + f % frames * step, length, size, line,
                        all + f * size * 2);
    put(out, all);
    free(all);
    free(line);
    return true;
}

/* --- MelWeightMatrix --- */

static bool mel_accepts(const struct call *call)
{
    if (!accept_inputs(call, 5) || !attributes_among(call, "output_datatype"))
        return false;
    for (size_t i = 0; i < 5; i++)
        if (i < 3 ? !accepts_number(call, i)
                  : !accept_types(call, i, 1, TYPES_REAL) || tensor_elements(call->input[i]) != 1)
            return error_set(call->error, "input %zu is not a single number", i);
    return makes(call, TYPES_CAST, 2);
}

static double mel_of(double hertz)
{
    return 2595.0 * log10(1.0 + hertz / 700.0);
}

/* The frequency, of those of a transform of LENGTH, at which band EDGE of BANDS begins; -1: it is
 * none of SIZE.  */
static int64_t band_edge(const struct call *call, int64_t edge, int64_t bands, int64_t size)
{
    double low = mel_of(tensor_real(call->input[3], 0)),
           high = mel_of(tensor_real(call->input[4], 0));
    double mel = low + (double)edge * (high - low) / (double)(bands + 2);
    double hertz = 700.0 * (pow(10.0, mel / 2595.0) - 1.0);
    double at =
        floor((tensor_real(call->input[1], 0) + 1.0) * hertz / tensor_real(call->input[2], 0));

    return at >= 0.0 && at < (double)size ? (int64_t)at : -1;
}

/* Band B rises from FIRST to MIDDLE and falls from there to LAST.  */
static void fill_band(double *matrix, int64_t bands, int64_t b, const int64_t *edge)
{
    int64_t first = edge[0], middle = edge[1], last = edge[2];

    if (middle == first)
        matrix[middle * bands + b] = 1.0;
    for (int64_t j = first; middle > first && j <= middle; j++)
        matrix[j * bands + b] = (double)(j - first) / (double)(middle - first);
    for (int64_t j = middle; last > middle && j < last; j++)
        matrix[j * bands + b] = (double)(last - j) / (double)(last - middle);
}

static bool mel_run(const struct call *call)
{
    const struct tensor *out = call->output[0];
    int64_t bands = tensor_integer(call->input[0], 0), length = tensor_integer(call->input[1], 0);
    int64_t size = length / 2 + 1;
    double *matrix;

    if (length < 1 || out->dim[0] != size || out->dim[1] != bands)
        return error_set(call->error, "a matrix of another shape than %" PRId64 " x %" PRId64, size,
                         bands);
    matrix = memory_zalloc((size_t)tensor_elements(out), sizeof *matrix);
    for (int64_t b = 0; b < bands; b++) {
        int64_t edge[3];

        for (int i = 0; i < 3; i++)
            edge[i] = band_edge(call, b + i, bands, size);
        if (edge[0] < 0 || edge[1] < edge[0] || edge[2] < edge[1]) {
            free(matrix);
            return error_set(call->error, "band %" PRId64 " is beyond the frequencies", b);
        }
        fill_band(matrix, bands, b, edge);
    }
    put(out, matrix);
    free(matrix);
    return true;
}

const struct operator_rule operators_signal[] = {
    {"HannWindow", window_accepts, window_run, 0},
    {"HammingWindow", window_accepts, window_run, 1},
    {"BlackmanWindow", window_accepts, window_run, 2},
    {"DFT", dft_accepts, dft_run, 0},
    {"STFT", stft_accepts, stft_run, 0},
    {"MelWeightMatrix", mel_accepts, mel_run, 0},
    {0},
};
