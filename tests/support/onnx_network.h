/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks of ONNX models that are written as text (tests/support/onnx_text.h).  */
#ifndef ARENABENCH_TESTS_SUPPORT_ONNX_NETWORK_H
#define ARENABENCH_TESTS_SUPPORT_ONNX_NETWORK_H

#include "lib/graph/network.h"

struct error;

/* The network of TEXT, which is called model.onnx, with the parameters GIVEN (or NULL); NULL with a
 * message.  */
struct network *onnx_network_of(const char *text, const char *given, struct error *error);

/* The same for a run.  */
struct network *onnx_runnable_of(const char *text, struct error *error);

/* The operators as "type(input,...)->output type(...)", the inputs of each
 * marked ! for stored values; the caller frees it.  */
char *onnx_operators(const struct network *network);

/* Asserts that TEXT becomes the operators WANTED; NULL where there is no network.  */
struct network *onnx_becomes(const char *text, const char *given, const char *wanted,
                             const char *what);

/* Asserts that it is refused with MESSAGE, among others.  */
void onnx_refused(const char *text, const char *given, const char *message);

/* A value by its name, or NULL.  */
const struct value *onnx_value_named(const struct network *network, const char *name);

#endif
