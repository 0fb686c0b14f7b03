/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that put whole tensors into another order: Transpose, Expand, Tile, DepthToSpace,
 * SpaceToDepth.
 *
 * ONNX's texts of these, which did not change what is computed.  How often a Tile repeats is seen
 * from the shapes, whichever version's inputs say so.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/checked.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/strided.h"

/* What all of these need.  */
static bool accepts(const struct call *call, const char *attributes)
{
    return accept_inputs(call, 1) && attributes_among(call, attributes) &&
           accept_output(call, 0, call->input[0]->dtype);
}

static void copy(const struct call *call, struct strided *loops)
{
    const struct tensor *out = call->output[0];

    strided_copy(loops, dtype_size(out->dtype), out->data, call->input[0]->data);
}

/* --- Transpose --- */

/* Which dimension of the input is dimension D of the output, or -1.  */
static int source(const struct call *call, int d)
{
    int rank = call->input[0]->rank;
    size_t count;
    const int64_t *order = computation_integers(call->computation, "perm", &count);

    if (order == NULL)
        return rank - 1 - d;
    return d < (int)count && order[d] >= 0 && order[d] < rank ? (int)order[d] : -1;
}

static bool transpose_accepts(const struct call *call)
{
    const struct tensor *in, *out = call_output(call, 0);
    unsigned seen = 0;

    if (!accepts(call, "perm"))
        return false;
    in = call->input[0];
    if (out != NULL && out->rank != in->rank)
        return error_set(call->error, "the output has another rank");
    for (int d = 0; d < in->rank; d++) {
        int from = source(call, d);

        if (from >= 0)
            seen |= 1u << from;
        if (from >= 0 && out != NULL && out->dim[d] != in->dim[from])
            return error_set(call->error, "the output has another shape");
    }
    return seen == (1u << in->rank) - 1 ||
           error_set(call->error, "'perm' is not an order of %d dimensions", in->rank);
}

static bool transpose_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    struct strided loops = {.operands = 2, .rank = in->rank};
    int64_t stride[NETWORK_MAX_RANK];

    if (out == NULL)
        return true;
    strided_dense(in->rank, in->dim, stride);
    strided_dense(out->rank, out->dim, loops.stride[0]);
    for (int d = 0; d < out->rank; d++) {
        loops.extent[d] = out->dim[d];
        loops.stride[1][d] = stride[source(call, d)];
    }
    copy(call, &loops);
    return true;
}

/* --- repeating --- */

static bool expand_accepts(const struct call *call)
{
    const struct call view = {.inputs = 1,
                              .input = call->input,
                              .outputs = call->outputs,
                              .output = call->output,
                              .error = call->error};

    return accepts(call, "") && accept_broadcast(&view);
}

static bool expand_run(const struct call *call)
{
    struct strided loops;

    if (call_output(call, 0) == NULL)
        return true;
    strided_broadcast(&loops, call->output[0], call->input, 1);
    copy(call, &loops);
    return true;
}

static bool tile_accepts(const struct call *call)
{
    const struct tensor *in, *out = call_output(call, 0);

    if (!accepts(call, ""))
        return false;
    in = call->input[0];
    if (out != NULL && out->rank != in->rank)
        return error_set(call->error, "the output has another rank");
    for (int d = 0; out != NULL && d < in->rank; d++)
        if (in->dim[d] == 0 ? out->dim[d] != 0 : out->dim[d] % in->dim[d] != 0)
            return error_set(call->error, "the output is not made of whole inputs");
    return true;
}

/* Each dimension is two: which repetition, and where in it.  */
static bool tile_run(const struct call *call)
{
    const struct tensor *in = call->input[0], *out = call_output(call, 0);
    struct strided loops = {.operands = 2, .rank = 2 * in->rank};
    int64_t in_stride[NETWORK_MAX_RANK], out_stride[NETWORK_MAX_RANK];

    if (out == NULL || tensor_elements(out) == 0)
        return true;
    strided_dense(in->rank, in->dim, in_stride);
    strided_dense(out->rank, out->dim, out_stride);
    for (int d = 0; d < in->rank; d++) {
        loops.extent[2 * d] = out->dim[d] / in->dim[d];
        loops.extent[2 * d + 1] = in->dim[d];
        loops.stride[0][2 * d] = out_stride[d] * in->dim[d];
        loops.stride[0][2 * d + 1] = out_stride[d];
        loops.stride[1][2 * d] = 0;
        loops.stride[1][2 * d + 1] = in_stride[d];
    }
    copy(call, &loops);
    return true;
}

/* --- blocks of pixels as channels --- */

/* WIDE is [n, c, h b, w b], DEEP [n, c b b, h, w].  */
static bool block_accepts(const struct call *call, const char *attributes, bool to_space)
{
    int64_t block = computation_integer(call->computation, "blocksize", 0), channels;
    const struct tensor *in, *out = call_output(call, 0), *wide, *deep;

    if (!accepts(call, attributes))
        return false;
    in = call->input[0];
    if (out == NULL)
        return true;
    wide = to_space ? out : in;
    deep = to_space ? in : out;
    if (wide->rank == 4 && deep->rank == 4 && block > 0 && checked_mul(block, block, &channels) &&
        checked_mul(channels, wide->dim[1], &channels) && deep->dim[0] == wide->dim[0] &&
        deep->dim[1] == channels && wide->dim[2] / block == deep->dim[2] &&
        wide->dim[3] / block == deep->dim[3] && wide->dim[2] % block == 0 &&
        wide->dim[3] % block == 0)
        return true;
    return error_set(call->error, "shapes that do not go with blocks of %" PRId64, block);
}

/* COLUMN_FIRST: a channel's pixels of a block are beside each other, else the channels of one
 * pixel are.  SIDE: which operand is the wide one.  */
static void block_copy(const struct call *call, const struct tensor *wide, bool column_first,
                       int side)
{
    int64_t block = computation_integer(call->computation, "blocksize", 1);
    int64_t c = wide->dim[1], h = wide->dim[2] / block, w = wide->dim[3] / block, plane = h * w;
    int64_t pixel = column_first ? plane : c * plane;
    int64_t channel = column_first ? block * block * plane : plane;
    int64_t deep_stride[] = {c * block * block * plane, channel, w, block * pixel, 1, pixel};
    int64_t wide_stride[] = {
        c * block * block * plane, block * block * plane, block * block * w, block * w, block, 1};
    struct strided loops = {
        .operands = 2, .rank = 6, .extent = {wide->dim[0], c, h, block, w, block}};

    memcpy(loops.stride[side], wide_stride, sizeof wide_stride);
    memcpy(loops.stride[1 - side], deep_stride, sizeof deep_stride);
    copy(call, &loops);
}

static bool to_space_accepts(const struct call *call)
{
    const char *mode = computation_text(call->computation, "mode", "DCR");

    if (strcmp(mode, "DCR") != 0 && strcmp(mode, "CRD") != 0)
        return error_set(call->error, "mode '%s' is unknown", mode);
    return block_accepts(call, call->computation->version < 11 ? "blocksize" : "blocksize mode",
                         true);
}

static bool to_space_run(const struct call *call)
{
    bool column_first = computation_text_is(call->computation, "mode", "CRD", false);

    if (call_output(call, 0) != NULL)
        block_copy(call, call->output[0], column_first, 0);
    return true;
}

static bool to_depth_accepts(const struct call *call)
{
    return block_accepts(call, "blocksize", false);
}

static bool to_depth_run(const struct call *call)
{
    if (call_output(call, 0) != NULL)
        block_copy(call, call->input[0], false, 1);
    return true;
}

const struct operator_rule operators_move[] = {
    {"DepthToSpace", to_space_accepts, to_space_run, 0}, {"Expand", expand_accepts, expand_run, 0},
    {"SpaceToDepth", to_depth_accepts, to_depth_run, 0}, {"Tile", tile_accepts, tile_run, 0},
    {"Transpose", transpose_accepts, transpose_run, 0},  {0},
};
