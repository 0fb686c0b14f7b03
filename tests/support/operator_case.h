/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators on small tensors, in files of text: a case a line, or on more that begin with a space.
 *
 *     # For readers.
 *     SIX = 2x3 1 2 3 4 5 6
 *     Gather 13 axis=1 (SIX; i32 1x1 -1) -> 2x1x1 3 6   # columns from the end
 *     Gather 13 (SIX; i64 1 2) -> 1x3 ! index 2 of 2    # too large
 *
 *   operator    its name, the version of the set, its attributes
 *   attributes  strides=2,2 auto_pad=SAME_UPPER alpha=0.5: numbers with a point are real, and what
 *               is no number is text
 *   tensors     of inputs and outputs, with ; between: a type (else f32, and everything is done
 *               once more in f64), the shape ("scalar" is of rank 0), elements (of f16 and bf16 the
 *               bits), of which those left out are 0; or a name for all that; or _ for one that is
 * left out; or, of an output, "unread": it has a name, but no reader !           it is refused, and
 * the message contains what follows; of outputs only types and shapes count then  */
#ifndef ARENABENCH_TESTS_SUPPORT_OPERATOR_CASE_H
#define ARENABENCH_TESTS_SUPPORT_OPERATOR_CASE_H

#include <stdbool.h>
#include <stddef.h>

/* An assertion or two for each case of the source file NAME, which counts from the top folder: that
 * the outputs are these within 1e-5 (f32; relative from 1 on) and 1e-12 (f64), or that it is
 * refused.  A line that is no case ends the program.  */
void operator_cases(const char *name);

struct computation;
struct tensor;

/* Whether COMPUTATION can be run on these tensors, and was; if not, a comment says why.  */
bool operator_runs(const struct computation *computation, const struct tensor *const *input,
                   size_t inputs, const struct tensor *const *output, size_t outputs);

/* Gives COMPUTATION the attributes of a text like those above; NULL: none.  */
void operator_attributes(struct computation *computation, const char *attributes);

#endif
