/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each ONNX operator makes of its inputs, and what it refuses.  The shapes
 * were worked out by hand from the operators' text.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "tests/support/onnx_network.h"
#include "tests/support/tap.h"
#include "workloads/readers/onnx/file/model.h"
#include "workloads/readers/shapes.h"

struct example {
    const char *text;  /* of the model, but for its outputs */
    const char *wants; /* "y:f32:1x4x8x8 z:i64:3", or "! TEXT" for an error with that text */
};

/* Values by name as `wants` writes them; the caller frees it.  */
static char *describe(const struct network *network, const char *wants)
{
    char *text, *copy = memory_strdup(wants), *rest;
    size_t length;
    FILE *out = memory_stream(&text, &length);
    const char *space = "";

    for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        size_t name = strcspn(word, ":");

        for (size_t v = 0; v < network->n_values; v++) {
            const struct value *value = &network->value[v];
            struct shape shape = shape_of(value);
            char *shape_words;

            if (strlen(value->name) != name || strncmp(value->name, word, name) != 0)
                continue;
            shape_words = shape_text(&shape);
            fprintf(out, "%s%s:%s:%s", space, value->name, dtype_name(value->dtype), shape_words);
            space = " ";
            free(shape_words);
        }
    }
    memory_stream_close(out);
    free(copy);
    return text;
}

static void check(const struct example *example)
{
    struct error error = {""};
    char *text = memory_printf("%s\n%s", example->text,
                               strstr(example->text, "output ") != NULL ? "" : "output y");
    struct network *network = onnx_network_of(text, NULL, &error);
    char *made = network == NULL ? memory_strdup(error.text) : describe(network, example->wants);
    const char *line = strrchr(example->text, '\n');

    line = line == NULL ? example->text : line + 1;
    if (example->wants[0] == '!')
        ok(network == NULL && strstr(made, example->wants + 2) != NULL, "%s: refused: %s", line,
           made);
    else
        is_text(made, example->wants, "%s", line);
    free(made);
    free(text);
    network_free(network);
}

static const struct example examples[] = {
    /* --- windows --- */

    {"input x f32 1 3 8 8\ninit w f32 4 3 3 3\nConv x w -> y", "y:f32:1x4x6x6"},
    {"input x f32 1 3 8 8\ninit w f32 4 3 3 3\nConv x w -> y pads=1,1,1,1 strides=2,2",
     "y:f32:1x4x4x4"},
    {"input x f32 1 3 8 8\ninit w f32 4 3 3 3\nConv x w -> y dilations=2,3 pads=0,1,2,3",
     "y:f32:1x4x6x6"},
    {"input x f32 1 3 9 8\ninit w f32 4 3 3 3\nConv x w -> y auto_pad=\"SAME_UPPER\" "
     "strides=2,2",
     "y:f32:1x4x5x4"},
    {"input x f32 1 3 9 8\ninit w f32 4 3 3 3\nConv x w -> y auto_pad=\"VALID\" strides=2,2",
     "y:f32:1x4x4x3"},
    {"input x f16 2 6 10\ninit w f16 4 3 3\ninit b f16 4\nConv x w b -> y group=2", "y:f16:2x4x8"},
    {"input x f32 1 2 5 6 7\ninit w f32 8 2 2 3 4\nConv x w -> y", "y:f32:1x8x4x4x4"},
    {"input x f32 1 3 8 8\ninit w f32 4 2 3 3\nConv x w -> y", "! weights for 2 channels"},
    {"input x f32 1 3 8 8\ninit w f32 4 3 9 9\nConv x w -> y", "! do not fit"},
    {"input x f32 1 3 8 8\ninit w f32 4 3 3 3\nConv x w -> y strides=0,1", "! stride 0"},
    {"input x f32 1 3 8 8\ninit w f32 4 3 3 3\nConv x w -> y kernel_shape=5,5",
     "! kernel_shape says 5"},
    {"input x f32 1 3 8 8\ninit w f32 4 3 3 3\nConv x w -> y pads=-1,0,0,0", "! padding -1"},
    {"input x f32 1 3\ninit w f32 4 3\nConv x w -> y", "! has 2 dimensions"},
    {"input x u8 1 1 4 4\ninit w u8 1 1 2 2\nConvInteger x w -> y", "y:i32:1x1x3x3"},
    {"input x u8 1 1 4 4\ninit s f32\ninit z u8\ninit w u8 1 1 2 2\ninit b i32 1\n"
     "QLinearConv x s z w s z s z b -> y",
     "y:u8:1x1x3x3"},
    /* (5 - 1) * 2 + 3 = 11, less 2 of padding, plus 1 */
    {"input x f32 1 4 5 5\ninit w f32 4 6 3 3\nConvTranspose x w -> y strides=2,2 pads=1,1,1,1 "
     "output_padding=1,0",
     "y:f32:1x6x10x9"},
    {"input x f32 1 4 5 5\ninit w f32 4 6 3 3\nConvTranspose x w -> y strides=2,2 group=2 "
     "auto_pad=\"SAME_LOWER\"",
     "y:f32:1x12x10x10"},
    {"input x f32 1 4 5 5\ninit w f32 4 6 3 3\nConvTranspose x w -> y output_shape=8,9",
     "y:f32:1x6x8x9"},
    /* Batch and channels stand before, at some writers; padding that is SAME hangs on no pads.  */
    {"input x f32 1 4 5 5\ninit w f32 4 6 3 3\nConvTranspose x w -> y output_shape=1,6,8,9",
     "y:f32:1x6x8x9"},
    {"input x f32 1 4 5 5\ninit w f32 4 6 3 3\nConvTranspose x w -> y output_shape=6,8,9",
     "! output_shape"},
    {"input x f32 1 4 1 1\ninit w f32 4 6 1 1\nConvTranspose x w -> y pads=2,2,2,2 "
     "auto_pad=\"SAME_UPPER\"",
     "y:f32:1x6x1x1"},
    {"input x f32 1 4 5\ninit w f32 4 6 3\nConvTranspose x w -> y dilations=4,", "y:f32:1x6x13"},
    {"input x f32 1 4 5 5\ninit w f32 3 6 3 3\nConvTranspose x w -> y", "! weights for 3"},
    {"input x f32 1 3 7 7\nMaxPool x -> y i kernel_shape=2,2 strides=2,2",
     "y:f32:1x3x3x3 i:i64:1x3x3x3"},
    {"input x f32 1 3 7 7\nMaxPool x -> y kernel_shape=2,2 strides=2,2 ceil_mode=1",
     "y:f32:1x3x4x4"},
    /* the fourth window would start in the padding behind: left out */
    {"input x f32 1 3 6 6\nAveragePool x -> y kernel_shape=2,2 strides=3,3 pads=0,0,2,2 "
     "ceil_mode=1",
     "y:f32:1x3x2x2"},
    {"input x f32 1 3 10\nLpPool x -> y kernel_shape=4, auto_pad=\"SAME_UPPER\" strides=3,",
     "y:f32:1x3x4"},
    {"input x f32 1 3 7 7\nAveragePool x -> y", "! kernel_shape"},
    {"input x f32 2 3 7 5\nGlobalAveragePool x -> y", "y:f32:2x3x1x1"},
    {"input x f32 2 3 7\nGlobalMaxPool x -> y", "y:f32:2x3x1"},
    {"input x f32 1 1 2 2\ninput i i64 1 1 2 2\nMaxUnpool x i -> y kernel_shape=2,2 "
     "strides=2,2",
     "y:f32:1x1x4x4"},
    {"input x f32 1 8 9 9\ninput r f32 5 4\ninput b i64 5\nRoiAlign x r b -> y "
     "output_height=3 output_width=2",
     "y:f32:5x8x3x2"},

    {"opset 18\ninput x f32 2 3\ninit p i64 2 = 1 1\ninit a i64 1 = 5\nPad x p _ a -> y",
     "! axis 5"},

    /* --- elementwise --- */

    {"input x f32 2 3\nRelu x -> y", "y:f32:2x3"},
    {"input x f32 2 3\nRelu _ -> y", "! input 0 of 1 is missing"},
    {"input x f32 2 3\nAdd x -> y", "! expected two inputs, not 1"},
    {"input x f32 2 3\nPow x x x -> y", "! expected two inputs, not 3"},
    {"input a f32 2 1 4\ninput b f32 3 1\nAdd a b -> y", "y:f32:2x3x4"},
    {"input a f32 2 3\ninput b f32 2 4\nMul a b -> y", "! cannot broadcast 2x3 and 2x4"},
    {"opset 6\ninput a f32 2 3 4\ninput b f32 3\nAdd a b -> y broadcast=1 axis=1", "y:f32:2x3x4"},
    {"input a f32 4\ninput b f32 1\ninput c f32 2 1\nSum a b c -> y", "y:f32:2x4"},
    {"input a f32 4\ninput b f32\nGreater a b -> y", "y:bool:4"},
    {"input c bool 2 1\ninput a f16 3\ninput b f16 1\nWhere c a b -> y", "y:f16:2x3"},
    {"input x f32 5\nCast x -> y to=6", "y:i32:5"},
    {"opset 1\ninput x f32 5\nCast x -> y to=\"INT64\"", "y:i64:5"},
    {"input x f32 5\nCast x -> y to=8", "! strings have no fixed size"},
    {"input x f32 1 3 4 4\ninit s f32 3 1 1\nPRelu x s -> y", "y:f32:1x3x4x4"},
    {"input x f32 4\ninit l f32 = 0\nClip x l -> y", "y:f32:4"},
    {"input x f32 4\nIsNaN x -> y", "y:bool:4"},
    {"input x f32 4\ninit s f32\ninit z i8\nQuantizeLinear x s z -> y", "y:i8:4"},
    {"input x i8 4\ninit s f32\nDequantizeLinear x s -> y", "y:f32:4"},
    {"input x f32 4\nDynamicQuantizeLinear x -> y s z", "y:u8:4 s:f32:scalar z:u8:scalar"},
    {"input x f32 2 3 4\ninit g f32 3\nBatchNormalization x g g g g -> y", "y:f32:2x3x4"},
    {"opset 6\ninput x f32 2 3 4\ninit g f32 3\nBatchNormalization x g g g g -> y m v a b",
     "y:f32:2x3x4 m:f32:3 b:f32:3"},
    {"input x f32 2 3 4\ninit g f32 4\nLayerNormalization x g -> y m d",
     "y:f32:2x3x4 m:f32:2x3x1 d:f32:2x3x1"},
    {"input x f32 2 3 4\nLayerNormalization x x -> y axis=3", "! axis 3 of 3"},
    {"input x f32 2 3 4\nSoftmax x -> y axis=-1", "y:f32:2x3x4"},
    {"input x f32 2 3 4 4\nLRN x -> y size=3", "y:f32:2x3x4x4"},

    /* --- shapes --- */

    {"input x f32 2 3 4\ninit s i64 2 = 0 -1\nReshape x s -> y", "y:f32:2x12"},
    {"opset 14\ninput x f32 0 3\ninit s i64 2 = 3 0\nReshape x s -> y allowzero=1", "y:f32:3x0"},
    {"opset 1\ninput x f32 2 6\nReshape x -> y shape=3,-1", "y:f32:3x4"},
    {"input x f32 2 3\ninit s i32 2 = 3 2\nReshape x s -> y", "y:f32:3x2"},
    {"input x f32 2 3 4\ninit s i64 2 = 5 -1\nReshape x s -> y", "! different numbers"},
    {"input x f32 2 3 4\ninput s i64 2\nReshape x s -> y", "! only a run knows"},
    {"input x f32 2 3 4\ninput s i64 2\nReshape x s -> y\ninfo y f32 4 6", "y:f32:4x6"},
    {"input x f32 2 3 4\nFlatten x -> y axis=2", "y:f32:6x4"},
    {"input x f32 2 3 4\nFlatten x -> y axis=0", "y:f32:1x24"},
    {"input x f32 2 3 4\nFlatten x -> y axis=-1", "y:f32:6x4"},
    {"input x f32 1 3 1\nSqueeze x -> y", "y:f32:3"},
    {"opset 11\ninput x f32 1 3 1\nSqueeze x -> y axes=-1,", "y:f32:1x3"},
    {"input x f32 1 3 1\ninit a i64 1 = 0\nSqueeze x a -> y", "y:f32:3x1"},
    {"input x f32 2 3\ninit a i64 1 = 0\nSqueeze x a -> y", "! dimension 0 is 2"},
    {"opset 11\ninput x f32 2 3\nUnsqueeze x -> y axes=0,3", "y:f32:1x2x3x1"},
    {"input x f32 2 3\ninit a i64 2 = -1 0\nUnsqueeze x a -> y", "y:f32:1x2x3x1"},
    {"input x f32 2 3\ninit a i64 2 = 0 0\nUnsqueeze x a -> y", "! axis 0 twice"},
    {"input x f32 2 3\nDropout x -> y m", "y:f32:2x3 m:bool:2x3"},
    {"opset 7\ninput x f32 2 3\nDropout x -> y m", "y:f32:2x3 m:f32:2x3"},
    {"input x f32 2 3 4\nTranspose x -> y", "y:f32:4x3x2"},
    {"input x f32 2 3 4\nTranspose x -> y perm=1,0,2", "y:f32:3x2x4"},
    {"input x f32 2 3 4\nTranspose x -> y perm=1,1,2", "! not a permutation"},
    {"input x f32 2 3\ninput z f32 2 5\nConcat x z -> y axis=-1", "y:f32:2x8"},
    {"input x f32 2 3\ninput z f32 3 5\nConcat x z -> y axis=1", "! cannot join"},
    {"input x f32 2 3\nConcat -> y axis=0", "! input 0 of 1 is missing"},
    {"input x f32 2 3\nConcat x _ -> y axis=0", "! input 1 of 2 is missing"},
    {"input x f32 2 3\nConcat x x -> y axis=2", "! axis 2 of 2"},
    {"input x f32 2 7\nSplit x -> y z axis=1", "y:f32:2x4 z:f32:2x3"},
    {"opset 11\ninput x f32 2 7\nSplit x -> y z axis=1 split=1,6", "y:f32:2x1 z:f32:2x6"},
    {"input x u8 9223372036854775807\nSplit x -> y z",
     "y:u8:4611686018427387904 z:u8:4611686018427387903"},
    {"init a i64 = 0\ninit b f32 = 9\nRange a b b -> y", "! differ in type"},
    {"input x f32 2 7\ninit s i64 2 = 3 3\nSplit x s -> y z axis=1", "! do not make up"},
    {"opset 9\ninput x f32 5 6\nSlice x -> y starts=1,-2 ends=-1,100", "y:f32:3x2"},
    {"input x f32 5 6\ninit s i64 1 = -1\ninit e i64 1 = -9\ninit a i64 1 = 1\n"
     "init t i64 1 = -2\nSlice x s e a t -> y",
     "y:f32:5x3"},
    {"input x f32 5\ninit s i64 1 = 1\ninit e i64 1 = 9223372036854775807\nSlice x s e -> y",
     "y:f32:4"},
    {"input x f32 5\ninit s i64 1 = 0\ninit t i64 1 = 0\nSlice x s s _ t -> y", "! step 0"},
    {"input x f32 5 6\ninput i i64 2 3\nGather x i -> y axis=1", "y:f32:5x2x3"},
    {"input x f32 5 6\ninput i i64\nGather x i -> y axis=-2", "y:f32:6"},
    {"input x f32 5 6\ninput i i64 2 6\nGatherElements x i -> y", "y:f32:2x6"},
    {"input x f32 2 3 4\ninput i i64 7 2\nGatherND x i -> y", "y:f32:7x4"},
    {"input x f32 2 3 4\ninput i i64 2 1\nGatherND x i -> y batch_dims=1", "y:f32:2x4"},
    {"input x f32 2 3 4\ninput i i64 2 3\nGatherND x i -> y batch_dims=1", "! indices of 3 for 3"},
    {"input x f32 2 3\ninput i i64 7 2\nGatherND x i -> y batch_dims=-1", "! -1 batch dimensions"},
    {"input x f32 2 3\nScatterND _ x -> y", "! input 0 of 1 is missing"},
    {"input x f32 2 3\nCompress x -> y", "! input 1 of 2 is missing"},
    {"input x f32 2 3\ninit c bool 3 = 1 0 1\nCompress x c -> y axis=1", "y:f32:2x2"},
    {"input x f32 2 3\ninit c bool 3 = 1 0 1\nCompress x c -> y", "y:f32:2"},
    {"input x f32 2 3\ninput c bool 3\nCompress x c -> y", "! only a run knows"},
    {"input x f32 2 3\ninput i i64 1 1\ninput u f32 1 3\nScatterND x i u -> y", "y:f32:2x3"},
    {"input x f32 3 1\ninit s i64 3 = 2 1 6\nExpand x s -> y", "y:f32:2x3x6"},
    {"input x f32 3 1\ninit s i64 2 = 2 3\nTile x s -> y", "y:f32:6x3"},
    {"input x f32 3 1\ninit s i64 1 = 2\nTile x s -> y", "! 1 repeats for 2"},
    {"opset 10\ninput x f32 1 3 4 4\nPad x -> y pads=0,0,1,2,0,0,3,4", "y:f32:1x3x8x10"},
    {"opset 1\ninput x f32 4 4\nPad x -> y paddings=1,0,0,1", "y:f32:5x5"},
    {"input x f32 4 4\ninit p i64 4 = -1 0 0 2\nPad x p -> y", "y:f32:3x6"},
    {"opset 18\ninput x f32 4 4\ninit p i64 2 = 1 1\ninit a i64 1 = -1\nPad x p _ a -> y",
     "y:f32:4x6"},
    {"input x f32 4 4\ninit p i64 4 = -5 0 0 0\nPad x p -> y", "! dimension 0 is -1"},
    {"input x i64 6\nNonZero x -> y", "! only a run knows"},
    {"input x i64 6\nNonZero x -> y\ninfo y i64 1 6", "y:i64:1x6"},

    /* --- selections --- */

    {"input x f32 2 3 4\nReduceMean x -> y axes=-1,1", "y:f32:2x1x1"},
    {"input x f32 2 3 4\nReduceMax x -> y axes=1, keepdims=0", "y:f32:2x4"},
    {"input x f32 2 3 4\nReduceL2 x -> y keepdims=0", "y:f32:scalar"},
    {"input x f32 2 3 4\ninit a i64 1 = 2\nReduceSum x a -> y", "y:f32:2x3x1"},
    {"input x f32 2 3 4\nReduceSum x -> y noop_with_empty_axes=1", "y:f32:2x3x4"},
    {"input x f32 2 3 4\nArgMax x -> y axis=1", "y:i64:2x1x4"},
    {"input x f32 2 3 4\nArgMin x -> y keepdims=0", "y:i64:3x4"},
    {"input x f32 2 30\ninit k i64 1 = 5\nTopK x k -> y i", "y:f32:2x5 i:i64:2x5"},
    {"opset 1\ninput x f32 2 30\nTopK x -> y i k=5 axis=0", "! the 5 largest of 2"},
    {"input x i64 2 3\ninit d i64 = 7\ninit v f32 2\nOneHot x d v -> y axis=0", "y:f32:7x2x3"},
    {"input x i64 2\ninit d f32 = 1e30\ninit v f32 2\nOneHot x d v -> y", "! a depth of 1e+30"},
    {"input x f32 1 3 4 4\ninit s f32 4 = 1 1 2 1.5\nResize x _ s -> y", "y:f32:1x3x8x6"},
    {"input x f32 1 3 4 4\ninit e f32 0 =\ninit s i64 4 = 1 3 9 7\nResize x e e s -> y",
     "y:f32:1x3x9x7"},
    {"opset 11\ninput x f32 1 3 4 4\ninit e f32 0 =\ninit s f32 4 = 1 1 2 3\n"
     "Resize x e s -> y",
     "y:f32:1x3x8x12"},
    {"opset 10\ninput x f32 1 3 5 5\ninit s f32 4 = 1 1 0.5 0.7\nResize x s -> y", "y:f32:1x3x2x3"},
    {"opset 18\ninput x f32 1 3 4 8\ninit s i64 2 = 8 8\nResize x _ _ s -> y axes=2,3 "
     "keep_aspect_ratio_policy=\"not_larger\"",
     "y:f32:1x3x4x8"},
    {"input x f32 1 3 4 4\nResize x -> y", "! neither scales nor sizes"},
    {"opset 7\ninput x f32 1 3 4 4\nUpsample x -> y scales=1.0,1.0,2.0,3.0", "y:f32:1x3x8x12"},
    {"opset 9\ninput x f32 1 3 4 4\ninit s f32 4 = 1 1 2 2\nUpsample x s -> y", "y:f32:1x3x8x8"},
    {"input x f32 1 8 2 3\nDepthToSpace x -> y blocksize=2", "y:f32:1x2x4x6"},
    {"input x f32 1 2 4 6\nSpaceToDepth x -> y blocksize=2", "y:f32:1x8x2x3"},
    {"input x f32 1 2 4 6\nSpaceToDepth x -> y blocksize=4", "! do not fit"},
    {"input x f32 1 2 4 6\ninput g f32 1 7 9 2\nGridSample x g -> y", "y:f32:1x2x7x9"},
    {"opset 20\ninput t f32 5 2 3\ninit s i64 4 = 5 3 7 9\nAffineGrid t s -> y", "y:f32:5x7x9x2"},
    {"opset 20\ninput t f32 1 3 4\ninit s i64 5 = 1 3 7 9 4\nAffineGrid t s -> y",
     "y:f32:1x7x9x4x3"},
    {"opset 20\ninput t f32 1 3 4\ninit s i64 4 = 1 3 7 9\nAffineGrid t s -> y", "! do not fit"},
    {"opset 18\ninput x u8 5 6\ninit s i64 2 = 3 8\nCenterCropPad x s -> y", "y:u8:3x8"},
    {"opset 18\ninput x u8 5 6\ninit s i64 1 = 8\nCenterCropPad x s -> y axes=-1,", "y:u8:5x8"},
    {"opset 18\ninput x u8 5 6\ninit s i64 1 = 8\nCenterCropPad x s -> y",
     "! 1 sizes for 2 dimensions"},
    {"opset 18\ninput x f32 2 12 9\ninit i i64 2 = 4 5\ninit b i64 2 = 2 3\nCol2Im x i b -> y",
     "y:f32:2x2x4x5"},
    {"opset 18\ninput x f32 2 12 9\ninit i i64 2 = 4 5\ninit b i64 2 = 2 4\nCol2Im x i b -> y",
     "! blocks of 4 do not fit"},
    {"input x f32 2 3\nCumSum x x -> y", "y:f32:2x3"},

    /* --- products --- */

    {"input a f32 5 1 2 3\ninput b f32 4 3 7\nMatMul a b -> y", "y:f32:5x4x2x7"},
    {"input a f32 3\ninput b f32 3\nMatMul a b -> y", "y:f32:scalar"},
    {"input a f32 2 3\ninput b f32 4 7\nMatMul a b -> y", "! cannot multiply"},
    {"input a i8 2 3\ninput b i8 3 7\nMatMulInteger a b -> y", "y:i32:2x7"},
    {"input a f32 3 2\ninput b f32 7 3\nGemm a b -> y transA=1 transB=1", "y:f32:2x7"},
    {"input a f32 2 3\ninput b f32 7 3\nGemm a b -> y", "! 3 columns times 7 rows"},
    {"opset 6\ninput a f32 2 3 4\ninput b f32 12 7\nGemm a b b -> y", "y:f32:2x7"},
    {"input a f32 2 3 4 5\ninput b f32 2 3 6 5\nEinsum a b -> y equation=\"bhid,bhjd->bhij\"",
     "y:f32:2x3x4x6"},
    {"input a f32 2 3\ninput b f32 3 4\nEinsum a b -> y equation=\"zj,jk\"", "y:f32:4x2"},
    {"input a u8 9223372036854775807\nEinsum a -> y equation=\"i->i\"", "y:u8:9223372036854775807"},
    {"input a f32 1 3\ninput b f32 3 4\nEinsum a b -> y equation=\"ij,jk->ki\"", "y:f32:4x1"},
    {"input a f32 2 3\nEinsum a -> y equation=\"ii->i\"", "! both 2 and 3"},
    {"input a f32 2 3 4\nEinsum a -> y equation=\"...ii->...i\"", "! both 3 and 4"},
    {"input a f32 2 3 5 5\nEinsum a -> y equation=\"...ii->...i\"", "y:f32:2x3x5"},
    {"input a f32 7 2 3\ninput b f32 3 4\nEinsum a b -> y equation=\"...ij,jk->...ik\"",
     "y:f32:7x2x4"},
    {"input a f32 7 1 2 3\ninput b f32 6 3 4\nEinsum a b -> y equation=\"...ij,...jk->k...i\"",
     "y:f32:4x7x6x2"},
    {"input a f32 2 3 5\nEinsum a -> y equation=\"z...b\"", "y:f32:3x5x2"},
    {"input a f32 2 3\nEinsum a -> y equation=\"ab...->...a\"", "y:f32:2"},
    {"input a f32 2 3\nEinsum a -> y equation=\"abc...->a\"", "! its equation"},
    {"input a f32 2 3\nEinsum a -> y equation=\"a..->a\"", "! its equation"},
    {"input a f32 2 3\nEinsum a -> y equation=\"7a->a\"", "! its equation"},
    {"input x f32 5 2 4\ninit w f32 1 12 4\ninit r f32 1 12 3\nLSTM x w r -> y h c "
     "hidden_size=3",
     "y:f32:5x1x2x3 h:f32:1x2x3 c:f32:1x2x3"},
    {"input x f32 2 5 4\ninit w f32 2 9 4\ninit r f32 2 9 3\n"
     "GRU x w r -> y h direction=\"bidirectional\" layout=1",
     "y:f32:2x5x2x3 h:f32:2x2x3"},
    {"input x f32 5 2 4\ninit w f32 1 3 4\ninit r f32 1 3 3\nRNN x w r -> _ y", "y:f32:1x2x3"},
    {"input x f32 5 2 4\ninit w f32 1 12 5\ninit r f32 1 12 3\nLSTM x w r -> y", "! do not fit"},
    {"input x f32 5 2\ninit w f32 1 3 4\ninit r f32 1 3 3\nRNN x w r -> y", "! 2, 3 and 3 dim"},
    {"input x f32 5 2 4\ninit w f32 3 4\ninit r f32 1 3 3\nRNN x w r -> y", "! 3, 2 and 3 dim"},
    {"input x f32 5 2 4\ninit w f32 1 3 4\ninit r f32 3 3\nRNN x w r -> y", "! 3, 3 and 2 dim"},
    {"input x f32 5 2 4\ninit w f32 1 3 4\ninit r f32 1 3 3\nRNN x w r -> y h c\noutput c",
     "! it has no output 2"},
};

int main(void)
{
    if (!onnx_available()) {
        tap_skip(1, "built without protobuf-c and onnx.proto");
        return tap_done();
    }
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
        check(&examples[i]);
    return tap_done();
}
