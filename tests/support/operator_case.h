/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators on small tensors that are written as text, for tables of examples.
 *
 *   tensor      "2x3 1 2 3 4 5 6"; "i64 2 0 1" of type i64; " 7" alone is of rank 0.  Without a
 *               type it is f32, and everything is done once more in f64.  NULL: left out
 *   attributes  "strides=2,2 auto_pad=SAME_UPPER alpha=0.5": numbers with a point are real, and
 *               what is no number is text  */
#ifndef ARENABENCH_TESTS_SUPPORT_OPERATOR_CASE_H
#define ARENABENCH_TESTS_SUPPORT_OPERATOR_CASE_H

#include <stddef.h>
#include <stdint.h>

#define OPERATOR_CASE_INPUTS 8
#define OPERATOR_CASE_OUTPUTS 5
#define OPERATOR_CASE_UNREAD "unread" /* an output that has a name, but no reader */

struct operator_case {
    const char *what;
    const char *name;
    int64_t version;
    const char *attributes; /* NULL: none */
    const char *input[OPERATOR_CASE_INPUTS];
    const char *output[OPERATOR_CASE_OUTPUTS]; /* of a refused one only type and shape count */
    const char *refused; /* NULL: it runs; else what the message has to contain */
};

/* An assertion or two for each: that the outputs are these within 1e-5 (f32; relative from 1 on)
 * and 1e-12 (f64), or that it is refused.  */
void operator_cases(const struct operator_case *cases, size_t count);

struct computation;

/* Gives COMPUTATION the attributes of a text like those above; NULL: none.  */
void operator_attributes(struct computation *computation, const char *attributes);

#endif
