/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shape inference of ONNX operators: what a rule sees and what it fills in.
 *
 * A rule looks at one node and at what is known of its inputs, and says what
 * the node becomes: kind, outputs, work.  Where all inputs are constants, the
 * node is folded, by the operator itself (../compute.h).  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_RULES_INFER_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_RULES_INFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workloads/readers/onnx/rules/value.h"

struct onnx_op;

/* Of a length: as many as there can be.  */
#define ONNX_NO_LIMIT INT64_MAX

struct onnx_result {
    struct shape shape;
    enum dtype dtype;
    bool given;                /* the rule has set it */
    bool optional;             /* nobody has to read it */
    struct elements *elements; /* that the rule knows, of a constant; or NULL */
};

/* Of a rule's inputs: all that the node names, and one at least.  */
#define ONNX_ALL (-1)

struct onnx_rule {
    const char *name; /* of the operator */
    const char *word; /* its type in the network; NULL: the rule says */
    enum op_kind kind;
    bool (*infer)(struct onnx_op *op);
    int inputs; /* so many of the first ones are there when INFER is asked, or ONNX_ALL */
    int detail; /* what several rules with one function differ in */
};

/* A node that is being looked at.  */
struct onnx_op {
    const struct onnx_node *node;
    const struct onnx_rule *rule;
    int64_t opset;
    size_t inputs, outputs;
    struct onnx_value **input;  /* NULL: left out */
    struct onnx_result *result; /* of each output, left-out ones too */
    struct onnx_batch batch;
    struct onnx_budget *budget;
    struct error *error; /* the budget's */
    bool open;           /* the error is that a shape hangs on elements that only a run knows */
    int64_t most;        /* that somebody gives a length that hangs on the run; -1: nobody */
    bool asked;          /* for that most */
    int64_t limit;       /* what such a length can be at all, or ONNX_NO_LIMIT */
    bool linear;         /* its time is in proportion to what it reads and makes */

    /* What the rule fills in; it begins with the rule's own word and kind.  */
    const char *type;
    enum op_kind kind;
    size_t read;   /* so many of the inputs' elements count; of others type and shape alone */
    bool constant; /* to be folded whether or not anybody can say the elements */
    bool random;   /* never to be folded */
    int64_t macs;
    struct conv_shape conv;
    bool slice; /* output 0 is the slice of input 0 at START, without steps */
    int64_t start[NETWORK_MAX_RANK];
};

/* Each table ends with a NULL name; rules.c joins them.  */
extern const struct onnx_rule onnx_rules_conv[];
extern const struct onnx_rule onnx_rules_elementwise[];
extern const struct onnx_rule onnx_rules_matrix[];
extern const struct onnx_rule onnx_rules_move[];
extern const struct onnx_rule onnx_rules_norm[];
extern const struct onnx_rule onnx_rules_resize[];
extern const struct onnx_rule onnx_rules_select[];
extern const struct onnx_rule onnx_rules_shape[];

/* --- what rules call --- */

/* An attribute, or NULL; one of another kind than KIND counts as absent.  */
const struct onnx_attribute *onnx_attribute(const struct onnx_op *op, const char *name,
                                            enum onnx_attribute_kind kind);
int64_t onnx_int(const struct onnx_op *op, const char *name, int64_t otherwise);
double onnx_float(const struct onnx_op *op, const char *name, double otherwise);
/* Whether attribute NAME is TEXT; OTHERWISE where it is absent.  */
bool onnx_text_is(const struct onnx_op *op, const char *name, const char *text, bool otherwise);
/* The numbers, or NULL with *COUNT 0.  */
const int64_t *onnx_ints(const struct onnx_op *op, const char *name, size_t *count);
bool onnx_has(const struct onnx_op *op, const char *name);

/* Input I, or NULL where it is left out.  */
struct onnx_value *onnx_input(const struct onnx_op *op, size_t i);
/* Refuses a node without the first COUNT inputs; without those that its rule needs.  */
bool onnx_needs(struct onnx_op *op, size_t count);
bool onnx_needs_rule(struct onnx_op *op);

/* Integers from input I, or, where there is none, from attribute NAME (or
 * NULL).  Neither: *NUMBER is NULL and *COUNT 0.  An input whose elements are
 * not known is an error that hangs on the run.  */
bool onnx_numbers(struct onnx_op *op, size_t i, const char *name, const int64_t **number,
                  size_t *count);

/* Whether a stored shape that begins with FIRST, for what is made of input I, begins with the
 * file's batch where now is another one.  */
bool onnx_is_batch(const struct onnx_op *op, size_t i, int64_t first);

/* Sets output SLOT, if the node has it.  Returns true.  */
bool onnx_set(struct onnx_op *op, size_t slot, const struct shape *shape, enum dtype dtype);
/* The same for one that nobody has to read.  */
bool onnx_set_optional(struct onnx_op *op, size_t slot, const struct shape *shape,
                       enum dtype dtype);
/* Output 0 has shape and type of input 0.  Returns true.  */
bool onnx_set_same(struct onnx_op *op);

/* The error of a shape that hangs on the elements of input I.  Returns false.  */
bool onnx_open(struct onnx_op *op, size_t i);

/* A length that hangs on the elements of input I and is LIMIT at most (or ONNX_NO_LIMIT): the most
 * that somebody gives, if that is less, or that error.  */
bool onnx_open_length(struct onnx_op *op, size_t i, int64_t limit, int64_t *length);

/* Checked product of COUNT factors into op->macs; an error when too large.  */
bool onnx_macs(struct onnx_op *op, const int64_t *factor, size_t count);

#endif
