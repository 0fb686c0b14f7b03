/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters of a model, NAME=NUMBER: dimensions (bind.h), iterations of loops, the most
 * elements of a value whose length only a run knows, and the values of inputs with one element,
 * which then are constants.  A name that is a dimension's binds that; one that is an input's gives
 * its value.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_GIVEN_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_GIVEN_H

#include <stdbool.h>
#include <stdint.h>

#include "workloads/readers/onnx/scope.h"

/* Refuses numbers that can be no dimension where they can be nothing else.  */
bool onnx_given_begin(struct onnx_build *build);
/* Refuses parameters that nothing has asked for, and nothing in a branch can.  */
bool onnx_given_end(struct onnx_build *build);

/* After that, whether or not it was refused.  */
void onnx_given_clear(struct onnx_build *build);

/* The whole number that parameter NAME gives a dimension, a loop or a value's length; false: it is
 * not given.  */
bool onnx_bound(struct onnx_build *build, const char *name, int64_t *result);

/* The same without being of use, which onnx_bound says later.  */
bool onnx_is_bound(const struct onnx_build *build, const char *name, int64_t *result);

/* The model's input INFO, of SHAPE and DTYPE, as a constant, if a parameter gives its value; else
 * *VALUE is NULL.  False with a message where it cannot be given.  */
bool onnx_given_input(struct onnx_build *build, const struct onnx_info *info,
                      const struct shape *shape, enum dtype dtype, struct onnx_value **value);

/* The model's file with all the parameters that were given and MORE (not empty), as people would
 * write it; the caller frees it.  */
char *onnx_example(const struct onnx_build *build, const char *more);

/* "; values that can be given: a, b" with the inputs of which that is so, or an empty
 * text; the caller frees it.  */
char *onnx_open_values(const struct onnx_build *build);

/* Whether an initializer gives an input its value.  */
bool onnx_is_stored(const struct onnx_build *build, const char *name);
bool onnx_is_input(const struct onnx_graph *graph, const char *name);
/* Whether symbolic dimensions of the inputs are called NAME.  */
bool onnx_is_dimension(const struct onnx_graph *graph, const char *name);

#endif
