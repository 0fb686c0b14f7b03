/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an operator computes, for those who run networks: planning needs none of it.
 *
 * An operator of ONNX's standard set, with the attributes and in the version that its text has
 * (https://github.com/onnx/onnx/blob/main/docs/Operators.md), whoever described the network.  */
#ifndef ARENABENCH_LIB_GRAPH_COMPUTATION_H
#define ARENABENCH_LIB_GRAPH_COMPUTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An attribute is numbers of one kind, or a text; a single number is one of a list, and a list of
 * texts is one text with commas between.  */
struct attribute {
    char *name;
    size_t integers, reals;
    int64_t *integer;
    double *real;
    char *text; /* NULL: none */
};

struct computation {
    char *name;      /* in the standard set: "Conv" */
    int64_t version; /* of the set */
    char *length;    /* its output has a length that only a run knows, and which can be given under
                      * this name; NULL: it has none */
    bool widened;    /* done in double for comparison: what picks whole numbers is as in single */

    /* Where in its operator's lists the inputs and outputs of the text lie; NETWORK_NONE for one
     * that is left out.  */
    size_t inputs, *input;
    size_t outputs, *output;

    size_t attributes, attribute_capacity;
    struct attribute *attribute;

    struct computation
        *then; /* of one output that this one makes: what a fused operator does next */
};

/* One without attributes, whose inputs and outputs are the operator's first INPUTS and OUTPUTS.
 * Copies NAME.  */
struct computation *computation_new(const char *name, int64_t version, size_t inputs,
                                    size_t outputs);
struct computation *computation_copy(const struct computation *computation); /* NULL of NULL */

/* One called NAME with the version and the attributes of FROM, and as many inputs and outputs,
 * which are all left out.  */
struct computation *computation_derive(const struct computation *from, const char *name,
                                       size_t inputs, size_t outputs);
void computation_free(struct computation *computation);

/* Each copies NAME and what it is given, in the place of an attribute NAME that is there.  */
void computation_set_integers(struct computation *computation, const char *name,
                              const int64_t *integer, size_t count);
void computation_set_integer(struct computation *computation, const char *name, int64_t integer);
void computation_set_reals(struct computation *computation, const char *name, const double *real,
                           size_t count);
void computation_set_real(struct computation *computation, const char *name, double real);
void computation_set_text(struct computation *computation, const char *name, const char *text);

/* Input I of the text is the operator's input SLOT; what is between is left out.  */
void computation_use_input(struct computation *computation, size_t i, size_t slot);

/* FIRST does THEN with the one output that it makes when it is done; takes over THEN.  */
void computation_append(struct computation *first, struct computation *then);

/* The attribute, or NULL.  */
const struct attribute *computation_find(const struct computation *computation, const char *name);

/* A single number, or OTHERWISE where there is no such attribute.  */
int64_t computation_integer(const struct computation *computation, const char *name,
                            int64_t otherwise);
double computation_real(const struct computation *computation, const char *name, double otherwise);

/* The numbers, or NULL with *COUNT 0.  */
const int64_t *computation_integers(const struct computation *computation, const char *name,
                                    size_t *count);
const double *computation_reals(const struct computation *computation, const char *name,
                                size_t *count);

/* The text, or OTHERWISE.  */
const char *computation_text(const struct computation *computation, const char *name,
                             const char *otherwise);
bool computation_text_is(const struct computation *computation, const char *name, const char *text,
                         bool otherwise);

#endif
