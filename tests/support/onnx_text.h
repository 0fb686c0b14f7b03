/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ONNX files from text, for tests: a writer of the wire format of its own,
 * which shares nothing with the library that reads it.
 *
 *     opset 13                          (else 13)
 *     input x f32 N 3 8 8               a symbolic dimension has a name, ? has none
 *     init w f32 4 3 3 3                no data
 *     init s i64 2 = 1 -1               with data
 *     init r f32 1 raw 00 00 80 3f      with the bytes of its data
 *     init e f32 1 external             with data in another file
 *     init e f32 1 external w.bin 8 4   ... its name, the offset and the length; _: not said
 *     tensor t i64 1 = 5                for attributes only
 *     Conv x w -> y pads=1,1,1,1 group=1 auto_pad="SAME_UPPER" f=0.5 axes=0, v=$t b=@body
 *     RNN x w r -> y activations="Relu","Tanh"
 *     info y f32 1 4 8 8                value_info
 *     output y [f32 1 4 8 8]
 *     graph body ... end                a sub-graph, before the node that has it
 *
 * A line each.  `_` as an input or output is one that is left out; `node NAME`
 * before a line names its node, `domain NAME` gives it a domain.  */
#ifndef ARENABENCH_TESTS_SUPPORT_ONNX_TEXT_H
#define ARENABENCH_TESTS_SUPPORT_ONNX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that grow.  */
struct wire {
    uint8_t *data;
    size_t size, capacity;
};

/* Fields of a message: a number; a length and bytes; a text; a message, whose
 * bytes are freed.  */
void wire_number(struct wire *wire, unsigned field, int64_t number);
void wire_bytes(struct wire *wire, unsigned field, const void *data, size_t size);
void wire_text(struct wire *wire, unsigned field, const char *text);
void wire_message(struct wire *wire, unsigned field, struct wire *message);
void wire_clear(struct wire *wire);

/* The file that TEXT describes; a mistake in it aborts.  */
struct wire onnx_from_text(const char *text);

#endif
